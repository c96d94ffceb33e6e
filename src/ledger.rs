//! Which rows stand in which order, and the figures they show (specs: ledger). Pure: now is a parameter.

mod figures;
mod reconcile;
mod rows;

pub use figures::{
    Note, Took, ago_text, clock, cost_text, day_and_clock, duration_text, running_text, size_text, tokens_text, took,
};
pub use reconcile::{Changes, Reconciler, RowId};
pub use rows::{AgentRow, CallRow, ExchangeRow, MissingRow, Place, PromptRow, Row, RowKey, View, rows};
