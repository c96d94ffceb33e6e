//! Callsheet shows every tool call that an AI agent made as its own card.
//!
//! | room | what it holds | may use |
//! | --- | --- | --- |
//! | [`json`] | JSON as it stands: any depth, keys in order, numbers as written | nothing |
//! | [`trace`] | what happened: sessions, agents, exchanges, tool calls | `json` |
//! | [`source`] | one room a wire or file format, into a [`trace::Session`] | `trace`, `json`; its clients `address`, `host` |
//! | [`card`] | what one card says | `trace`, `json` |
//! | [`display`] | how a host or a viewer wants tools shown | `trace`, `card`, `json` |
//! | [`ledger`] | which rows stand in which order, and their figures | `trace` |
//! | [`address`] | what the address bar says | nothing |
//! | [`ui`] | components that place what the rooms say | all |
//! | [`host`] | the browser's edge | `trace` |
//!
//! Data flows one way: `source → trace → ledger → ui`, and for an open card `trace → card → ui`. All but `ui`, `host` and
//! the clients in `source` are pure: no browser, no clock, no failure on odd input.

pub mod address;
pub mod card;
pub mod display;
#[cfg(feature = "page")]
pub mod host;
pub mod json;
pub mod ledger;
pub mod source;
pub mod trace;
#[cfg(feature = "page")]
pub mod ui;
