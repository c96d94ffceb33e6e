//! The driver of the browser, as a child that ends with its journey.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::Outcome;

/// A running chromedriver on a port that it chose.
pub struct Driver {
    child: Child,
    pub url: String,
}

impl Driver {
    pub async fn start() -> Outcome<Self> {
        let program = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut child = Command::new(&program)
            .arg("--port=0")
            // The page tells times of day in the browser's zone.
            .env("TZ", "UTC")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("{} cannot be started ({error}): set CHROMEDRIVER", program.display()))?;
        let stdout = child.stdout.take().ok_or("chromedriver has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let port = loop {
            let line = lines.next_line().await?.ok_or("chromedriver ended before it named its port")?;
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse::<u16>()?;
            }
        };
        // Read on, or the driver stops at a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { child, url: format!("http://127.0.0.1:{port}") })
    }

    pub async fn end(mut self) -> Outcome {
        Ok(self.child.kill().await?)
    }
}
