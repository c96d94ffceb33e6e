//! Kimi's wire log (specs: session-files §20): events of a loop by lines; ids are short counters.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Outcome, Refuser, Timestamp, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        record.text("type").is_some_and(|kind| kind.starts_with("context.append_")) && record.get("time").is_some()
    })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    transcript.session.host = Some("kimi".into());
    let mut kimi = Kimi { transcript, buffer: Arc::clone(&source.buffer), main, model: Arc::default() };
    source.read_lines(&mut kimi);
    vec![source.reading(Format::Kimi, kimi.transcript.finish(false), Belongs::Alone)]
}

struct Kimi {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    model: Arc<str>,
}

impl Reader for Kimi {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("time");
        match json.text("type").as_deref() {
            Some("config.update") => self.model = json.word("modelAlias").unwrap_or_else(|| Arc::clone(&self.model)),
            Some("llm.request") => {
                let model = json.word("model").unwrap_or_else(|| Arc::clone(&self.model));
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.name = model;
                }
            }
            Some("turn.prompt") => {
                let blocks = json.get("input").map(|raw| content::blocks(&self.buffer, raw)).unwrap_or_default();
                if let Some(text) = content::words(blocks) {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            Some("permission.record_approval_result") => self.approval(json),
            Some("context.append_loop_event") => {
                if let Some(event) = json.nested("event") {
                    self.event(&event, at);
                }
            }
            _ => {}
        }
    }
}

impl Kimi {
    fn event(&mut self, event: &Json<'_>, at: Option<Timestamp>) {
        match event.text("type").as_deref() {
            Some("step.begin") => {
                self.transcript.exchange(&self.main, &self.model, at);
            }
            Some("content.part") => {
                let part = event.nested("part");
                let said = part.as_ref().and_then(|part| content::text(&self.buffer, part, "text"));
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.said = exchange.said.take().or(said);
                    exchange.span.end = at;
                }
            }
            Some("tool.call") => {
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.span.end = exchange.span.end.or(at);
                }
                let position = self.transcript.call(Asked {
                    agent: Arc::clone(&self.main),
                    id: event.word("toolCallId").unwrap_or_default(),
                    name: event.word("name").unwrap_or_default(),
                    input: content::input(&self.buffer, event.get("args")),
                    at,
                });
                if let Some(call) = position.and_then(|position| self.transcript.call_at(position)) {
                    call.preview = event.word("description");
                }
            }
            Some("tool.result") => {
                let result = event.nested("result");
                let result = result.as_ref();
                self.transcript.result(Answer {
                    id: event.word("toolCallId").unwrap_or_default(),
                    output: content::blocks(
                        &self.buffer,
                        result.and_then(|result| result.get("output")).unwrap_or("null"),
                    ),
                    is_error: result.is_some_and(|result| result.is_true("isError") || result.is_true("is_error")),
                    at,
                    ..Answer::default()
                });
            }
            Some("step.end") => {
                let Some(exchange) = self.transcript.last(&self.main) else { return };
                exchange.span.end = exchange.span.end.or(at);
                if let Some(usage) = event.nested("usage") {
                    exchange.tokens = Tokens {
                        input: usage.whole("inputOther"),
                        cache_read: usage.whole("inputCacheRead"),
                        cache_write: usage.whole("inputCacheCreation"),
                        output: usage.whole("output"),
                        reasoning: None,
                    };
                }
            }
            _ => {}
        }
    }

    /// A refusal is told before the call that it refuses, or after it.
    fn approval(&mut self, json: &Json<'_>) {
        let result = json.nested("result");
        let is_refused =
            result.is_some_and(|result| result.text("decision").is_some_and(|word| word.starts_with("reject")));
        let id = json.word("toolCallId").unwrap_or_default();
        let newest = self.transcript.calls_of(&id).last().copied();
        if let Some(call) = newest.and_then(|position| self.transcript.call_at(position)).filter(|_| is_refused) {
            call.outcome = Outcome::Refused { by: Refuser::User };
        }
    }
}
