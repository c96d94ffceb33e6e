//! What `--output-format stream-json` prints: events by lines.

use std::sync::Arc;

use super::super::content;
use super::super::source::{Reader, Source};
use super::super::transcript::{Answer, Asked, Transcript};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Exchange, Timestamp};

/// Whether a record is such an event: Claude's stream has calls inside of messages, and another head.
pub(super) fn is_event(json: &Json<'_>) -> bool {
    match json.text("type").as_deref() {
        Some("init") => json.get("session_id").is_some() && json.get("model").is_some(),
        Some("tool_use" | "tool_result") => json.get("tool_id").is_some(),
        _ => false,
    }
}

pub(super) fn read(source: &Source) -> Transcript {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let buffer = Arc::clone(&source.buffer);
    let mut stream = Stream { transcript, buffer, main, model: Arc::default(), is_open: false, since: None };
    source.read_lines(&mut stream);
    stream.transcript
}

struct Stream {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    model: Arc<str>,
    is_open: bool,
    /// When the model was last given something.
    since: Option<Timestamp>,
}

impl Reader for Stream {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp");
        match json.text("type").as_deref() {
            // A run that was begun anew has a second head.
            Some("init") => {
                self.model = json.word("model").unwrap_or_default();
                if let Some(id) = json.word("session_id") {
                    self.transcript.session.id = id;
                }
                self.transcript.session.host = Some("gemini-cli".into());
                self.is_open = false;
            }
            Some("message") => {
                let text = content::text(&self.buffer, json, "content");
                if json.text("role").as_deref() == Some("user") {
                    if let Some(text) = text {
                        self.transcript.prompt(&self.main, at, text);
                    }
                    self.given(at);
                } else {
                    let exchange = self.exchange(at);
                    exchange.said = exchange.said.take().or(text);
                }
            }
            Some("tool_use") => {
                self.exchange(at);
                self.transcript.call(Asked {
                    agent: Arc::clone(&self.main),
                    id: json.word("tool_id").unwrap_or_default(),
                    name: json.word("tool_name").unwrap_or_default(),
                    input: content::input(&self.buffer, json.get("parameters")),
                    at,
                });
            }
            Some("tool_result") => {
                self.given(at);
                let error = json.nested("error");
                let error = error.as_ref().and_then(|error| content::text(&self.buffer, error, "message"));
                let text = content::text(&self.buffer, json, "output")
                    .filter(|text| error.is_none() || !text.read().is_empty());
                self.transcript.result(Answer {
                    id: json.word("tool_id").unwrap_or_default(),
                    output: text.or(error).map(Block::Text).into_iter().collect(),
                    is_error: json.text("status").as_deref() == Some("error"),
                    at,
                    ..Answer::default()
                });
            }
            Some("error") => {
                let message = json.word("message");
                self.exchange(at).error = message;
            }
            _ => {}
        }
    }
}

impl Stream {
    fn given(&mut self, at: Option<Timestamp>) {
        self.is_open = false;
        self.since = at;
    }

    fn exchange(&mut self, at: Option<Timestamp>) -> &mut Exchange {
        let is_open = std::mem::replace(&mut self.is_open, true);
        let exchange = self.transcript.last_or_new(&self.main, is_open, &self.model, self.since.or(at));
        exchange.span.end = at;
        exchange
    }
}
