//! The stand-in proxy against the specification of the session API.

#[allow(dead_code, unused_imports, reason = "the end-to-end tests use more of it")]
#[path = "../lib.rs"]
mod stand_in;

mod events;
mod faults;
mod growth;
mod http;
mod list;
mod pages;
mod timeline;

type Outcome = Result<(), Box<dyn std::error::Error>>;
