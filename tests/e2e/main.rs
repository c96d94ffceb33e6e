//! Journeys through the built page in a real browser, against a stand-in proxy.
//!
//! Each journey has a browser, a driver and a proxy of its own. The page is the one in `CALLSHEET_DIST`, or in `dist`;
//! the driver is `CHROMEDRIVER`, or `chromedriver` on the path. What they rely on is the DOM contract alone (specs:
//! design §4). A journey fails too when the page wrote an error to the console or broke its own security policy.

#[allow(dead_code, unused_imports, reason = "the program and the tests against the specification use more of it")]
#[path = "../stand_in/lib.rs"]
mod stand_in;

mod accessible;
mod browser;
mod card;
mod dispatch;
mod driver;
mod failing;
mod files;
mod journey;
mod list;
mod live;
mod page;
mod safe;
mod session;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
