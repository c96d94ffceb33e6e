//! Serves the built page on this machine, with `/v1` passed through to the proxy: `cargo run --example serve`.

mod guard;
mod settings;
mod site;
#[cfg(test)]
mod tests;
mod upstream;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use axum::http::Uri;
use tokio::net::TcpListener;

use settings::{Settings, SettingsError};
use upstream::Upstream;

#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("There is no built page in {}. Run `make build` first, or name its folder: CALLSHEET_DIST.", .0.display())]
    NotBuilt(PathBuf),
    #[error("Port {} is taken. Stop what listens there, or choose another: CALLSHEET_ADDR={}:{}", .0.port(), .0.ip(), .0.port().saturating_add(1))]
    PortTaken(SocketAddr),
    #[error("Cannot listen on {0}: {1}")]
    Listen(SocketAddr, #[source] io::Error),
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), ServeError> {
    let settings = Settings::read(|name| std::env::var(name).ok())?;
    if !settings.dist.join("index.html").is_file() {
        return Err(ServeError::NotBuilt(settings.dist));
    }
    let asked = settings.address;
    let listener = TcpListener::bind(asked).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ServeError::PortTaken(asked),
        _ => ServeError::Listen(asked, error),
    })?;
    let address = listener.local_addr().map_err(|error| ServeError::Listen(asked, error))?;
    let upstream = Upstream::new(settings.proxies.clone());
    let site = site::site(address, &settings.dist, upstream.clone());

    greet(address, &settings.proxies, &upstream).await;
    if settings.open_browser {
        open(&format!("http://{address}/"));
    }
    axum::serve(listener, site).await.map_err(|error| ServeError::Listen(address, error))
}

/// The first line is the address and nothing else, so that a script can read it.
async fn greet(address: SocketAddr, proxies: &[Uri], upstream: &Upstream) {
    say(&format!("http://{address}/"));
    if !address.ip().is_loopback() {
        say("This address is open to others: whoever reaches it can read every session.");
    }
    match upstream.probe().await {
        Ok(status) if status.is_success() => say("The proxy answers."),
        Ok(status) => say(&format!("The proxy answers, but with {status} to /v1/sessions: is this its session API?")),
        Err(error) => {
            say(&format!("There is nothing live to show yet: {error}."));
            say(&format!("See the demo: http://{address}/#/sessions/demo"));
            if let Some(usual) = proxies.first() {
                say(&format!("Start the proxy, or say where it is: CALLSHEET_PROXY={usual} make serve"));
            }
        }
    }
}

#[expect(clippy::print_stdout, reason = "a program at a terminal speaks there")]
fn say(words: &str) {
    println!("{words}");
}

fn open(address: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started =
        Command::new(program).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        eprintln!("Cannot open a browser with {program} ({error}). Open {address} yourself.");
    }
}
