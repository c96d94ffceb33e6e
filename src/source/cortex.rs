//! The session API of a Cortex proxy (specs: cortex-api).
//!
//! [`wire`] is what the proxy says, [`Record`] is what has been read of one session so far, and
//! [`Record::session`] is the session it tells; [`plan`](Record::plan) says which
//! event bodies are wanted next. Nothing here fetches anything.

mod assemble;
mod bodies;
#[cfg(feature = "page")]
pub mod client;
mod exchanges;
#[cfg(test)]
mod fixture;
mod record;
pub mod wire;

pub use bodies::Want;
pub use record::{News, Record, Taken};
