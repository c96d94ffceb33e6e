//! Qwen Code (specs: session-files §20, the sample): Claude Code's envelope around Gemini's parts.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::content;
use super::gemini;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Outcome, Timestamp, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        record.get("sessionId").is_some()
            && record.nested("message").is_some_and(|message| message.get("parts").is_some())
    })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let mut qwen = Qwen { transcript, buffer: Arc::clone(&source.buffer), main };
    source.read_lines(&mut qwen);
    vec![source.reading(Format::Qwen, qwen.transcript.finish(false), Belongs::Alone)]
}

struct Qwen {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
}

impl Reader for Qwen {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp");
        let session = &mut self.transcript.session;
        session.id = json.word("sessionId").unwrap_or_else(|| Arc::clone(&session.id));
        session.host =
            json.word("version").map(|version| format!("qwen-code/{version}").into()).or(session.host.take());
        if json.text("subtype").as_deref() == Some("custom_title") {
            let title = json.nested("systemPayload").and_then(|payload| payload.word("customTitle"));
            session.title = title.or(session.title.take());
        }
        let kind = json.text("type").unwrap_or_default();
        if kind == "assistant" {
            let exchange = self.transcript.response(&self.main, &json.word("model").unwrap_or_default(), at);
            if let Some(usage) = json.nested("usageMetadata") {
                let cached = usage.whole("cachedContentTokenCount");
                exchange.tokens = Tokens {
                    input: usage.whole("promptTokenCount").map(|all| all.saturating_sub(cached.unwrap_or(0))),
                    cache_read: cached,
                    cache_write: None,
                    output: usage.whole("candidatesTokenCount"),
                    reasoning: usage.whole("thoughtsTokenCount"),
                };
            }
        }
        let message = json.nested("message");
        let Some(parts) = message.as_ref().and_then(|message| message.nested("parts")) else { return };
        for raw in parts.items() {
            if let Ok(part) = Json::parse(raw.into()) {
                self.part(json, &part, raw, &kind, at);
            }
        }
    }
}

impl Qwen {
    fn part(&mut self, record: &Json<'_>, part: &Json<'_>, raw: &str, kind: &str, at: Option<Timestamp>) {
        if let Some(call) = part.nested("functionCall") {
            self.transcript.call(Asked {
                agent: Arc::clone(&self.main),
                id: call.word("id").unwrap_or_default(),
                name: call.word("name").unwrap_or_default(),
                input: content::input(&self.buffer, call.get("args")),
                at,
            });
        } else if let Some(answer) = part.nested("functionResponse") {
            let told = record.nested("toolCallResult");
            let status = told.as_ref().and_then(|told| told.text("status"));
            let has_error = answer
                .nested("response")
                .is_some_and(|response| response.get("error").is_some_and(|raw| raw != "null"));
            self.transcript.result(Answer {
                id: answer.word("id").unwrap_or_default(),
                output: vec![gemini::block(&self.buffer, raw)],
                is_error: status.as_deref() == Some("error") || has_error,
                outcome: (status.as_deref() == Some("cancelled")).then_some(Outcome::Cancelled),
                at,
                ..Answer::default()
            });
        } else if let Some(text) = content::text(&self.buffer, part, "text").filter(|_| !part.is_true("thought")) {
            if kind == "user" {
                self.transcript.prompt(&self.main, at, text);
            } else if let Some(exchange) = self.transcript.last(&self.main).filter(|_| kind == "assistant") {
                exchange.said = exchange.said.take().or(Some(text));
            }
        }
    }
}
