//! Which rows stand in which order, and the figures they show (specs: ledger). Pure: now is a parameter.

mod blocks;
mod duration;
mod exchange;
mod figures;
mod filter;
mod geometry;
mod link;
mod names;
mod order;
mod reconcile;
mod rows;
mod search;
mod totals;
mod view;

pub use blocks::blocks_around;
pub use duration::read_duration;
pub use exchange::{Fact, answered_in, asked_by, calls_of, exchange_facts, exchange_took};
pub use figures::{
    Note, Took, ago_text, clock, cost_text, day_and_clock, duration_text, running_text, size_text, tokens_text, took,
};
pub use filter::{Facet, Facets, Filter, Part};
pub use geometry::{Anchor, Geometry, Length, PIXEL, Scale, Window};
pub use link::{Pair, goes_on};
pub use order::arranged;
pub use reconcile::{Changes, Reconciler, RowId};
pub use rows::{AgentRow, CallRow, ExchangeRow, MissingRow, Place, PromptRow, Row, RowKey, rows};
pub use search::Search;
pub use totals::{Column, Total, Totals};
pub use view::{Direction, Sort, View};
