//! Takes a picture of the demo session with one card open; `scripts/screenshot` says how to call it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The card that is opened: the first shell call that went well.
const CARD: &str = "article[data-row=call][data-tool-name=Bash][data-status=ok]";

struct Picture {
    file: PathBuf,
    width: u32,
    height: u32,
    theme: Theme,
}

#[derive(Clone, Copy)]
enum Theme {
    Light,
    Dark,
}

impl Picture {
    fn read(args: &[String]) -> Option<Self> {
        let [file, width, height, theme] = args else { return None };
        let theme = match theme.as_str() {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => return None,
        };
        Some(Self { file: file.into(), width: width.parse().ok()?, height: height.parse().ok()?, theme })
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(picture) = Picture::read(&args) else {
        eprintln!("Usage: scripts/screenshot FILE WIDTH HEIGHT light|dark");
        return ExitCode::FAILURE;
    };
    match run(&picture).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("No picture was taken: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(picture: &Picture) -> Result<(), Box<dyn Error>> {
    let serve = std::env::current_exe()?.with_file_name("serve");
    // A proxy would add to the page what this machine happens to run: port 9 has none.
    let mut serve = Command::new(serve);
    serve.env("CALLSHEET_ADDR", "127.0.0.1:0").env("CALLSHEET_PROXY", "http://127.0.0.1:9").env_remove("OPEN");
    let (_serve, address) = start(&mut serve, |line| line.starts_with("http://").then(|| line.to_owned())).await?;

    let chromedriver = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
    let mut driver = Command::new(chromedriver);
    driver.arg("--port=0");
    let (_driver, port) =
        start(&mut driver, |line| Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned()))
            .await?;

    let client = connect(&format!("http://127.0.0.1:{port}"), picture).await?;
    let taken = take(&client, &address).await;
    // Also when that went wrong: a browser without its driver would stay.
    client.close().await?;
    write(&picture.file, &taken?)
}

/// Starts a program and reads what it says until `find` finds something in a line. It ends with the handle.
async fn start(
    command: &mut Command,
    find: impl Fn(&str) -> Option<String>,
) -> Result<(Child, String), Box<dyn Error>> {
    let mut child =
        command.stdout(Stdio::piped()).kill_on_drop(true).spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("a piped output is there")?).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some(found) = find(&line) {
            // Read on, or the program would block or fail once it says more.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok((child, found));
        }
    }
    Err(format!("{command:?} ended too early").into())
}

async fn connect(driver: &str, picture: &Picture) -> Result<Client, Box<dyn Error>> {
    let scheme = match picture.theme {
        Theme::Dark => 0,
        Theme::Light => 1,
    };
    let options = json!({
        "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
            "--no-first-run", format!("--blink-settings=preferredColorScheme={scheme}"),
        ],
        // The window's own size would count its frame.
        "mobileEmulation": {
            "deviceMetrics": { "width": picture.width, "height": picture.height, "pixelRatio": 1.0, "mobile": false, "touch": false },
        },
    });
    let capabilities = serde_json::Map::from_iter([("goog:chromeOptions".to_owned(), options)]);
    Ok(ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(driver).await?)
}

async fn take(client: &Client, address: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    client.goto(&format!("{address}#/sessions/demo")).await?;
    shown(client, &format!("{CARD} button[aria-expanded]")).await?.click().await?;
    shown(client, &format!("{CARD} [data-part=output] .output-line")).await?;
    // In the middle, and painted with its fonts: two frames after the last change.
    let painted = "const [card, done] = arguments;
        document.activeElement?.blur();
        document.querySelector(card).scrollIntoView({ block: 'center' });
        document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));";
    client.execute_async(painted, vec![CARD.into()]).await?;
    Ok(client.screenshot().await?)
}

async fn shown(client: &Client, what: &str) -> Result<Element, String> {
    client
        .wait()
        .for_element(Locator::Css(what))
        .await
        .map_err(|error| format!("the page does not show `{what}` ({error})"))
}

fn write(file: &Path, picture: &[u8]) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, picture).map_err(|error| format!("{}: {error}", file.display()).into())
}
