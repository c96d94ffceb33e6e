//! What happened: sessions, agents, exchanges and tool calls, as every source tells them.
//!
//! Pure data with public fields and the few rules that hold for all of it. No wire format, no words for
//! the reader, no clock. Sources make these values, `ledger` orders them and `card` puts them into words.

mod call;
mod content;
mod session;
mod time;

pub use call::{AgentId, CallKey, Outcome, Refuser, ToolCall};
pub use content::{Block, Buffer, Content, Input, Output, Text};
pub use session::{Agent, Exchange, ExchangeId, ExchangeKind, Job, Problem, Prompt, Session, SessionSummary, Tokens};
pub use time::{Span, Timestamp, reorder, time_order};
