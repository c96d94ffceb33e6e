//! One call of the script: what it was given, how long it takes and what comes of it.

use std::fmt::Write;

use crate::trace::{Block, Outcome, Output, Refuser, Text};

/// A call that succeeds without a word after 300 ms, unless told otherwise.
pub struct Call {
    pub name: &'static str,
    /// JSON as the agent's host writes it.
    pub input: String,
    /// Milliseconds.
    pub takes: i64,
    pub outcome: Outcome,
    pub output: Output,
    pub structured: Option<Text>,
    /// Work that it leaves behind.
    pub job: Option<Background>,
}

/// Work that goes on after its call.
pub struct Background {
    /// How many milliseconds it goes on, if it ends.
    pub ms: Option<i64>,
}

impl Call {
    pub fn new(name: &'static str, input: impl Into<String>) -> Self {
        Self {
            name,
            input: input.into(),
            takes: 300,
            outcome: Outcome::Ok,
            output: Output::Held(Vec::new()),
            structured: None,
            job: None,
        }
    }

    /// Adds a field with a JSON value to the input.
    pub fn with(mut self, field: &str, json: &str) -> Self {
        if self.input.pop().is_some() {
            let _ = write!(self.input, ",\"{field}\":{json}}}");
        }
        self
    }

    pub fn takes(self, ms: i64) -> Self {
        Self { takes: ms, ..self }
    }

    pub fn gives(self, text: impl Into<Text>) -> Self {
        self.gives_blocks(vec![Block::Text(text.into())])
    }

    pub fn gives_json(self, json: impl Into<Text>) -> Self {
        self.gives_blocks(vec![Block::Json(json.into())])
    }

    pub fn gives_blocks(self, blocks: Vec<Block>) -> Self {
        Self { output: Output::Held(blocks), ..self }
    }

    pub fn structured(self, json: impl Into<Text>) -> Self {
        Self { structured: Some(json.into()), ..self }
    }

    pub fn fails(self, text: impl Into<Text>) -> Self {
        Self { outcome: Outcome::Error, structured: None, ..self.gives(text) }
    }

    pub fn refused(self, by: Refuser, text: &str) -> Self {
        Self { outcome: Outcome::Refused { by }, ..self.gives(text) }
    }

    pub fn cancelled(self, text: impl Into<Text>) -> Self {
        Self { outcome: Outcome::Cancelled, ..self.gives(text) }
    }

    /// `Lost`, `EndsRun` or `AwaitingApproval`: nothing comes back.
    pub fn never_returns(self, outcome: Outcome) -> Self {
        Self { outcome, output: Output::None, ..self }
    }

    /// Goes on in the background under a name, for some milliseconds or for good.
    pub fn in_background(self, id: &str, ms: Option<i64>) -> Self {
        let call = self.with("run_in_background", "true").gives(format!("Command running in background with ID: {id}"));
        Self { job: Some(Background { ms }), ..call }
    }
}
