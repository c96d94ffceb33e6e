//! A headless browser, with what its driver alone does not offer.

use std::fmt;
use std::time::Duration;

use axum::http::Method;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::Outcome;
use crate::driver::Driver;

const ARGUMENTS: [&str; 12] = [
    "--headless=new",
    // Chromium refuses to run as root with its sandbox on, and all that it opens here is ours.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--lang=en-US",
    "--hide-scrollbars",
    "--window-size=1280,900",
];

/// How long a condition may take to come true.
const DEADLINE: Duration = Duration::from_secs(20);
const BETWEEN_LOOKS: Duration = Duration::from_millis(40);

/// One tab.
#[derive(Clone)]
pub struct Browser {
    pub client: Client,
}

/// A line of the browser's log.
#[derive(serde::Deserialize)]
pub struct LogEntry {
    pub level: String,
    /// Who wrote it: `console-api`, `javascript`, `security`, `network`, …
    pub source: String,
    pub message: String,
}

impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}) {}", self.level, self.source, self.message)
    }
}

impl Browser {
    pub async fn start(driver: &Driver) -> Outcome<Self> {
        let mut options = json!({"args": ARGUMENTS});
        if let Ok(binary) = std::env::var("CHROME") {
            options["binary"] = binary.into();
        }
        let mut capabilities = Capabilities::new();
        capabilities.insert("goog:chromeOptions".into(), options);
        capabilities.insert("goog:loggingPrefs".into(), json!({"browser": "ALL"}));
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&driver.url).await?;
        Ok(Self { client })
    }

    /// Runs a script that returns something; `arguments[0]` is what is passed.
    pub async fn ask<T: DeserializeOwned>(&self, script: &str, argument: impl Into<Value>) -> Outcome<T> {
        let answer = self.client.execute(script, vec![argument.into()]).await?;
        Ok(serde_json::from_value(answer)?)
    }

    /// Looks again and again until there is something to be seen.
    pub async fn eventually<T>(&self, what: &str, mut look: impl AsyncFnMut() -> Outcome<Option<T>>) -> Outcome<T> {
        let deadline = tokio::time::Instant::now() + DEADLINE;
        loop {
            // An element may go while it is looked at: that is no failure yet.
            let seen = look().await;
            match seen {
                Ok(Some(seen)) => return Ok(seen),
                _ if tokio::time::Instant::now() < deadline => tokio::time::sleep(BETWEEN_LOOKS).await,
                Ok(None) => return Err(format!("it never came true: {what}").into()),
                Err(error) => return Err(format!("it never came true: {what} ({error})").into()),
            }
        }
    }

    /// What the browser logged since this was asked last.
    pub async fn log(&self) -> Outcome<Vec<LogEntry>> {
        let command = Extra { path: "se/log", body: json!({"type": "browser"}) };
        Ok(serde_json::from_value(self.client.issue_cmd(command).await?)?)
    }

    /// A command of the browser's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Outcome<Value> {
        let body = json!({"cmd": command, "params": parameters});
        Ok(self.client.issue_cmd(Extra { path: "goog/cdp/execute", body }).await?)
    }

    /// Makes the window this wide, narrower than a window of the desktop can be.
    pub async fn set_width(&self, width: u32) -> Outcome {
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        Ok(())
    }

    /// Lets the page at this address use the clipboard.
    pub async fn allow_clipboard(&self, origin: &str) -> Outcome {
        let permissions = json!({"origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        self.devtools("Browser.grantPermissions", permissions).await?;
        // The clipboard is for the window in front, and a headless one never is.
        self.devtools("Emulation.setFocusEmulationEnabled", json!({"enabled": true})).await?;
        Ok(())
    }

    pub async fn clipboard(&self) -> Outcome<String> {
        let script =
            "const done = arguments[0]; navigator.clipboard.readText().then(done, error => done(String(error)))";
        let text = self.client.execute_async(script, Vec::new()).await?;
        Ok(serde_json::from_value(text)?)
    }
}

#[derive(Debug)]
struct Extra {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
