//! What all journeys share: a proxy, a browser, and a look at its log in the end.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;

use futures_util::FutureExt;
use tokio::sync::Semaphore;

use crate::Outcome;
use crate::browser::Browser;
use crate::driver::Driver;
use crate::page::Page;
use crate::stand_in::{Settings, StandIn, World};

/// Browsers at once; more of them only slow each other down.
static SEATS: Semaphore = Semaphore::const_new(2);

/// Whether the proxy is going to fail on purpose: the browser logs failed requests as errors, whatever the page does.
#[derive(Clone, Copy, PartialEq)]
pub enum Proxy {
    Healthy,
    Failing,
}

/// Goes on a journey through a world; `name` is for the picture that is taken when it fails.
pub async fn journey(name: &str, world: World, proxy: Proxy, go: impl AsyncFnOnce(&mut Page) -> Outcome) -> Outcome {
    let _seat = SEATS.acquire().await?;
    let stand_in = StandIn::start(Settings::default(), world)?;
    let driver = Driver::start().await?;
    let mut page = Page { browser: Browser::start(&driver).await?, stand_in };

    let ended = AssertUnwindSafe(async {
        go(&mut page).await?;
        page.assert_quiet_log(proxy).await
    })
    .catch_unwind()
    .await;
    if !matches!(ended, Ok(Ok(()))) {
        // The journey's own failure is the one to tell.
        let _ = report(name, &page).await;
    }
    page.browser.client.close().await?;
    driver.end().await?;
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

async fn report(name: &str, page: &Page) -> Outcome {
    let log = page.browser.log().await?;
    for entry in log.iter().rev().take(10).rev() {
        eprintln!("browser log: {entry}");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(folder)?;
    let picture = folder.join(format!("{name}.png"));
    std::fs::write(&picture, page.browser.client.screenshot().await?)?;
    eprintln!("what the page looked like: {}", picture.display());
    Ok(())
}
