//! The stand-ins against their specifications: the proxy's session API, and Dispatch's wire.

#[allow(dead_code, unused_imports, reason = "the end-to-end tests use more of it")]
#[path = "../lib.rs"]
mod stand_in;

mod dispatch;
mod events;
mod faults;
mod growth;
mod http;
mod list;
mod pages;
mod timeline;

type Outcome = Result<(), Box<dyn std::error::Error>>;
