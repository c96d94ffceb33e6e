//! What a model answers.

use std::time::Duration;

use super::Call;

/// What comes back to one request of an agent.
#[derive(Default)]
pub struct Reply {
    pub(super) took: Duration,
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) prompt_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) dollars: Option<f64>,
    pub(super) status: u16,
    pub(super) in_flight: bool,
}

/// A reply that took so many milliseconds.
pub fn reply(millis: u64) -> Reply {
    Reply {
        took: Duration::from_millis(millis),
        prompt_tokens: 18_000,
        output_tokens: 120,
        status: 200,
        ..Reply::default()
    }
}

impl Reply {
    /// The assistant's words.
    pub fn says(mut self, text: &str) -> Self {
        self.text = text.into();
        self
    }

    /// Asks for a tool call; several of them run in parallel.
    pub fn calls(mut self, call: Call) -> Self {
        self.calls.push(call);
        self
    }

    /// Tokens read, nearly all from the cache, and tokens written.
    pub fn tokens(mut self, prompt: u64, output: u64) -> Self {
        (self.prompt_tokens, self.output_tokens) = (prompt, output);
        self
    }

    /// The price; a reply without it is not priced.
    pub fn costs(mut self, dollars: f64) -> Self {
        self.dollars = Some(dollars);
        self
    }

    /// The reply is an HTTP error.
    pub fn refused_with(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// There is a request and no reply yet.
    pub fn in_flight(mut self) -> Self {
        self.in_flight = true;
        self
    }
}
