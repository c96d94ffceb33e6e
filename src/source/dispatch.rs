//! Dispatch, an agent host: its log of a conversation and its live events (specs: dispatch-api).
//!
//! `wire` reads single records, [`Fold`] takes them in, in whatever order they come, and `assemble` makes a session of
//! what was taken in so far. The room of saved files and the live client both go this way.

mod assemble;
#[cfg(feature = "page")]
pub mod client;
mod endpoint;
mod fold;
mod wire;

pub use endpoint::{Endpoint, NoEndpoint};
pub use fold::{Fold, NoHistory};
