//! One call of the script: what it was given, how long it takes and what comes of it.

use std::fmt::Write;

use crate::trace::{Block, Outcome, Output, Refuser, Text};

/// A call that succeeds without a word after 300 ms, unless told otherwise. Behind a pointer: the story hands it on from
/// word to word, and each hand that copies it whole weighs in the page.
pub struct Call(Box<Told>);

/// What is told of a call.
pub struct Told {
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
        Self(Box::new(Told {
            name,
            input: input.into(),
            takes: 300,
            outcome: Outcome::Ok,
            output: Output::Held(Vec::new()),
            structured: None,
            job: None,
        }))
    }

    pub fn told(&self) -> &Told {
        &self.0
    }

    pub fn into_told(self) -> Told {
        *self.0
    }

    /// Adds a field with a JSON value to the input.
    pub fn with(mut self, field: &str, json: &str) -> Self {
        if self.0.input.pop().is_some() {
            let _ = write!(self.0.input, ",\"{field}\":{json}}}");
        }
        self
    }

    pub fn takes(mut self, ms: i64) -> Self {
        self.0.takes = ms;
        self
    }

    pub fn gives(self, text: impl Into<Text>) -> Self {
        self.gives_block(Block::Text(text.into()))
    }

    pub fn gives_json(self, json: impl Into<Text>) -> Self {
        self.gives_block(Block::Json(json.into()))
    }

    fn gives_block(self, block: Block) -> Self {
        self.gives_blocks(vec![block])
    }

    pub fn gives_blocks(mut self, blocks: Vec<Block>) -> Self {
        self.0.output = Output::Held(blocks);
        self
    }

    pub fn structured(mut self, json: impl Into<Text>) -> Self {
        self.0.structured = Some(json.into());
        self
    }

    fn ends(mut self, outcome: Outcome) -> Self {
        self.0.outcome = outcome;
        self
    }

    pub fn fails(mut self, text: impl Into<Text>) -> Self {
        self.0.structured = None;
        self.gives(text).ends(Outcome::Error)
    }

    pub fn refused(self, by: Refuser, text: &str) -> Self {
        self.gives(text).ends(Outcome::Refused { by })
    }

    pub fn cancelled(self, text: impl Into<Text>) -> Self {
        self.gives(text).ends(Outcome::Cancelled)
    }

    /// `Lost`, `EndsRun` or `AwaitingApproval`: nothing comes back.
    pub fn never_returns(mut self, outcome: Outcome) -> Self {
        self.0.output = Output::None;
        self.ends(outcome)
    }

    /// Goes on in the background under a name, for some milliseconds or for good.
    pub fn in_background(self, id: &str, ms: Option<i64>) -> Self {
        let mut call =
            self.with("run_in_background", "true").gives(format!("Command running in background with ID: {id}"));
        call.0.job = Some(Background { ms });
        call
    }
}
