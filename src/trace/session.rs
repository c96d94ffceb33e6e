//! A session and what stands in it beside tool calls.

use std::sync::Arc;

use super::{AgentId, Span, Text, Timestamp, ToolCall};

/// Names an exchange in its session and orders it among those of the same instant: the `seq` of its response
/// where the source counts events, else its position.
pub type ExchangeId = u64;

/// One run of an agent host, with all its agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// As the source names it.
    pub id: Arc<str>,
    /// A title in a person's words.
    pub title: Option<Arc<str>>,
    /// The program that ran, such as `claude-code/2.1.30`.
    pub host: Option<Arc<str>>,
    /// The agents; the main one first, where the source tells them.
    pub agents: Vec<Agent>,
    /// In time order, ties by id.
    pub exchanges: Vec<Exchange>,
    /// In the order in which they were asked for.
    pub calls: Vec<Arc<ToolCall>>,
    /// Work that calls left running in the background.
    pub jobs: Vec<Job>,
    /// What a person said, in time order.
    pub prompts: Vec<Prompt>,
    /// How many identical repeats of calls were dropped.
    pub repeats: u32,
    /// Records that could not be read.
    pub problems: Vec<Problem>,
    /// Whether the source holds older exchanges that were not read.
    pub has_older: bool,
}

/// A session as a list of sessions tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionSummary {
    /// What names it.
    pub id: Arc<str>,
    /// A title in a person's words.
    pub title: Option<Arc<str>>,
    /// The program that ran.
    pub host: Option<Arc<str>>,
    /// When it began; another instant under the same id is another session.
    pub created: Option<Timestamp>,
    /// When it last changed.
    pub updated: Option<Timestamp>,
    /// How many events its source holds.
    pub events: u64,
    /// Tokens of those events.
    pub tokens: Option<u64>,
    /// Billionths of a US dollar; absent when nobody priced it.
    pub cost: Option<u64>,
    /// Whether its totals are floors.
    pub saturated: bool,
}

/// An agent or sub-agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What calls and exchanges name it by.
    pub id: AgentId,
    /// Its name for the reader.
    pub label: Option<Arc<str>>,
    /// The id of the tool call that spawned it.
    pub spawned_by: Option<Arc<str>>,
    /// From its spawning to its return; without an end while it runs.
    pub run: Span,
}

/// A request and its response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What names it.
    pub id: ExchangeId,
    /// The event that carries the request, where the source counts events.
    pub request: Option<u64>,
    /// The agent that asked.
    pub agent: AgentId,
    /// What was asked of whom.
    pub kind: ExchangeKind,
    /// From request to response; without an end while it is in flight.
    pub span: Span,
    /// The model, or the method of other traffic.
    pub name: Arc<str>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// What failed, in the source's words.
    pub error: Option<Arc<str>>,
    /// What it took in and gave out.
    pub tokens: Tokens,
    /// Billionths of a US dollar; absent when nobody priced it.
    pub cost: Option<u64>,
    /// What the model said beside its calls.
    pub said: Option<Text>,
    /// Whether the model stopped to have tools called.
    pub wants_tools: bool,
}

impl Exchange {
    /// An exchange of which only the request is known.
    #[must_use]
    pub fn begun(id: ExchangeId, agent: AgentId, kind: ExchangeKind, span: Span, name: Arc<str>) -> Self {
        Self {
            id,
            request: None,
            agent,
            kind,
            span,
            name,
            status: None,
            error: None,
            tokens: Tokens::default(),
            cost: None,
            said: None,
            wants_tools: false,
        }
    }
}

/// What kind of traffic an exchange is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeKind {
    /// A call of a model.
    Model,
    /// Anything else that passed by: MCP, A2A, tunnels, plain HTTP.
    Other,
}

/// Tokens by kind; absent where the source does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// New input.
    pub input: Option<u64>,
    /// Input read from the cache.
    pub cache_read: Option<u64>,
    /// Input written to the cache.
    pub cache_write: Option<u64>,
    /// Output, reasoning included.
    pub output: Option<u64>,
    /// The part of the output that is reasoning.
    pub reasoning: Option<u64>,
}

impl Tokens {
    /// All that went in, cached or not.
    #[must_use]
    pub fn total_input(&self) -> Option<u64> {
        [self.input, self.cache_read, self.cache_write].into_iter().flatten().reduce(u64::saturating_add)
    }
}

/// Work in the background that outlives the call that started it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Whose.
    pub agent: AgentId,
    /// From the end of the call that started it; without an end while it runs.
    pub span: Span,
}

/// What a person said to begin a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// To whom.
    pub agent: AgentId,
    /// When.
    pub at: Option<Timestamp>,
    /// The first exchange that came after it.
    pub before: Option<ExchangeId>,
    /// The words.
    pub text: Text,
}

/// A record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands, such as `line 12` or `tools[3]`.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}
