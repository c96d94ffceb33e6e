//! Sessions of pi, oh-my-pi and `OpenClaw` (specs: session-files §9): messages in entries, of which newer versions make a tree.
//!
//! Entries have the instant at which they were written, messages the one at which they were begun.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Outcome, Timestamp, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| match record.text("type").as_deref() {
        Some("session") => record.get("cwd").is_some(),
        // A file may begin in the middle.
        Some("message") => record.nested("message").is_some_and(|message| {
            let has_call = |message: &Json<'_>| {
                let content = message.nested("content");
                content.is_some_and(|content| content.items().any(|item| item.contains(r#""toolCall""#)))
            };
            message.text("role").as_deref() == Some("toolResult")
                || message.get("stopReason").is_some()
                || has_call(&message)
        }),
        _ => false,
    })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let mut reader =
        Pi { transcript, buffer: Arc::clone(&source.buffer), main, model: Arc::default(), called_off: Vec::new() };
    source.read_lines(&mut reader);
    let called_off = reader.called_off;
    let (mut session, orphans) = reader.transcript.finish(false);
    for position in called_off {
        if let Some(call) = session.calls.get_mut(position).filter(|call| call.outcome == Outcome::Lost) {
            Arc::make_mut(call).outcome = Outcome::Cancelled;
        }
    }
    vec![source.reading(Format::Pi, (session, orphans), Belongs::Alone)]
}

struct Pi {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    model: Arc<str>,
    /// Calls of messages that were broken off: they never ran.
    called_off: Vec<usize>,
}

impl Reader for Pi {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp");
        match json.text("type").as_deref() {
            Some("session") => {
                if let Some(id) = json.word("id") {
                    self.transcript.session.id = id;
                }
                self.model = json.word("modelId").unwrap_or_default();
            }
            Some("model_change") => self.model = json.word("modelId").unwrap_or_else(|| Arc::clone(&self.model)),
            Some("session_info") => self.transcript.session.title = json.word("name"),
            Some("message") => {
                if let Some(message) = json.nested("message") {
                    self.message(&message, at.or_else(|| message.time("timestamp")));
                }
            }
            _ => {}
        }
    }
}

impl Pi {
    fn message(&mut self, message: &Json<'_>, at: Option<Timestamp>) {
        match message.text("role").as_deref() {
            Some("user") => {
                let blocks = message.get("content").map(|raw| content::blocks(&self.buffer, raw)).unwrap_or_default();
                if let Some(text) = content::words(blocks) {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            Some("assistant") => self.assistant(message, at),
            Some("toolResult") => {
                self.transcript.result(Answer {
                    agent: None,
                    id: message.word("toolCallId").unwrap_or_default(),
                    output: content::blocks(&self.buffer, message.get("content").unwrap_or("null")),
                    is_error: message.is_true("isError"),
                    outcome: None,
                    at,
                    structured: content::written(&self.buffer, message, "details"),
                });
            }
            // A command that the person ran is no call of the agent; it stands there as their words.
            Some("bashExecution") => {
                let command = message.text("command").unwrap_or_default();
                self.transcript.prompt(&self.main, at, format!("!{command}").into());
            }
            _ => {}
        }
    }

    fn assistant(&mut self, message: &Json<'_>, at: Option<Timestamp>) {
        let model = message.word("model").unwrap_or_else(|| Arc::clone(&self.model));
        let exchange = self.transcript.exchange(&self.main, &model, message.time("timestamp").or(at));
        exchange.span.end = at;
        exchange.error = message.word("errorMessage");
        if let Some(usage) = message.nested("usage") {
            exchange.tokens = Tokens {
                input: usage.whole("input"),
                cache_read: usage.whole("cacheRead"),
                cache_write: usage.whole("cacheWrite"),
                output: usage.whole("output"),
                reasoning: None,
            };
            let cost = usage.nested("cost").and_then(|cost| json::decimal(cost.get("total")?, 9));
            exchange.cost = cost.and_then(|cost| u64::try_from(cost).ok());
        }
        let is_broken_off = message.text("stopReason").is_some_and(|reason| matches!(&*reason, "aborted" | "error"));
        let Some(items) = message.nested("content") else { return };
        for item in items.items() {
            let Ok(item) = Json::parse(item.into()) else { continue };
            match item.text("type").as_deref() {
                Some("text") => {
                    let said = content::text(&self.buffer, &item, "text");
                    if let Some(exchange) = self.transcript.last(&self.main) {
                        exchange.said = exchange.said.take().or(said);
                    }
                }
                Some("toolCall") => {
                    let call = self.transcript.call(Asked {
                        agent: Arc::clone(&self.main),
                        id: item.word("id").unwrap_or_default(),
                        name: item.word("name").unwrap_or_default(),
                        input: content::input(&self.buffer, item.get("arguments")),
                        at,
                    });
                    self.called_off.extend(call.filter(|_| is_broken_off));
                }
                _ => {}
            }
        }
    }
}
