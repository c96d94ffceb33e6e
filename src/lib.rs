//! Callsheet shows every tool call that an AI agent made as its own card.
//!
//! Data flows one way: a source gives a [`trace::Session`], the ledger says which rows stand in which order, and the
//! page places them; for an open card, a [`trace::ToolCall`] goes through `card` to the page.

pub mod address;
pub mod ledger;
pub mod source;
pub mod trace;
