//! One tool call.

use std::sync::Arc;

use super::{Block, ExchangeId, Input, Output, Span, Text};

/// Which agent of a session; the main agent's is whatever the source calls it, else `main`.
pub type AgentId = Arc<str>;

/// What names a tool call in its session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallKey {
    /// The agent that made the call.
    pub agent: AgentId,
    /// The id on the wire; empty where the wire has none.
    pub id: Arc<str>,
    /// How many calls with the same agent and id stand before it: ids repeat in real files.
    pub nth: u32,
}

/// A tool call and its result, in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// What names it.
    pub key: CallKey,
    /// The tool's identifier as on the wire; empty when only the result is known.
    pub name: Arc<str>,
    /// The exchange whose response asked for it.
    pub asked_by: Option<ExchangeId>,
    /// When it ran, as far as the source knows.
    pub span: Span,
    /// Whether the span was worked out rather than told; it is then shown with `≈`.
    pub approximate: bool,
    /// How it ended, or that it has not.
    pub outcome: Outcome,
    /// A short text of the source's own on what the call does.
    pub preview: Option<Arc<str>>,
    /// What the tool was given.
    pub input: Input,
    /// What the tool gave back.
    pub output: Output,
    /// A machine-readable result that some agents keep beside the text, as JSON.
    pub structured: Option<Text>,
}

/// How a call ended, or that it has not (specs: design §2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No result yet, and the session can still bring it.
    #[default]
    Running,
    /// A result came and is no error.
    Ok,
    /// The result is an error.
    Error,
    /// No result will come.
    Lost,
    /// The call ends its run by design; no result is due.
    EndsRun,
    /// Somebody has to allow it first.
    AwaitingApproval,
    /// It was not allowed.
    Refused {
        /// Who did not allow it.
        by: Refuser,
    },
    /// It was called off while it ran.
    Cancelled,
}

/// Who refused a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refuser {
    /// The person who runs the agent.
    User,
    /// A rule or hook of the agent.
    Policy,
    /// The source does not say.
    Unknown,
}

impl ToolCall {
    /// The bytes of the output that is held, as it stands in its buffer.
    #[must_use]
    pub fn output_size(&self) -> usize {
        let size = |block: &Block| match block {
            Block::Text(text) | Block::Json(text) | Block::Reference(text) | Block::Image { data: text, .. } => {
                text.len()
            }
        };
        self.output.held().map_or(0, |blocks| blocks.iter().map(size).sum())
    }
}

impl Outcome {
    /// Its name in attributes and exports (specs: design §4).
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Lost => "lost",
            Self::EndsRun => "ends-run",
            Self::AwaitingApproval => "awaiting-approval",
            Self::Refused { .. } => "refused",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more is to be expected of the call.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        !matches!(self, Self::Running | Self::AwaitingApproval)
    }
}
