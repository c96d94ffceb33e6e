//! The AI SDK's messages for user interfaces, whose parts hold a call with its result, and the stream they are made of
//! (specs: session-files §17).

mod chunks;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::chunks::Chunks;
use super::content;
use super::source::{Container, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Content, Outcome, Refuser};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| match sample.container {
        Container::Document => {
            let messages = json.nested("messages");
            let list = messages.as_ref().unwrap_or(json);
            list.items()
                .take(60)
                .any(|item| Json::parse(item.into()).is_ok_and(|item| is_message(&item) || chunks::is_chunk(&item)))
        }
        Container::Lines | Container::Events => is_message(json) || chunks::is_chunk(json),
    })
}

fn is_message(json: &Json<'_>) -> bool {
    json.get("role").is_some()
        && (json.get("toolInvocations").is_some()
            || json.get("parts").is_some()
                && json.get("info").is_none()
                && json.nested("parts").is_some_and(|parts| is_parts(&parts)))
}

/// Gemini's messages have parts too, without types.
fn is_parts(parts: &Json<'_>) -> bool {
    parts.is_array() && parts.items().all(|part| Json::parse(part.into()).is_ok_and(|part| part.get("type").is_some()))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let agent = transcript.agent("main", None, None);
    let mut vercel = Vercel { transcript, buffer: Arc::clone(&source.buffer), agent, chunks: Chunks::default() };
    match source.container {
        Container::Document => {
            if let Some(json) = source.document() {
                let session = &mut vercel.transcript.session;
                session.id = json.word("id").unwrap_or_else(|| Arc::clone(&session.id));
                session.title = json.word("title");
                let messages = json.nested("messages");
                for (position, item) in messages.as_ref().unwrap_or(&json).items().enumerate() {
                    match Json::parse(item.into()) {
                        Ok(item) if item.is_object() => vercel.item(&item),
                        _ => vercel.transcript.problem(format!("messages[{position}]"), "it is no object"),
                    }
                }
            }
        }
        Container::Lines | Container::Events => source.read_lines(&mut vercel),
    }
    vercel.end_of_chunks();
    vec![source.reading(Format::Vercel, vercel.transcript.finish(false), Belongs::Alone)]
}

struct Vercel {
    transcript: Transcript,
    buffer: Buffer,
    agent: AgentId,
    chunks: Chunks,
}

impl super::source::Reader for Vercel {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        self.item(json);
    }
}

impl Vercel {
    fn item(&mut self, json: &Json<'_>) {
        if json.get("role").is_none() {
            self.chunk(json);
            return;
        }
        let at = json.time("createdAt");
        let is_model = json.text("role").as_deref() == Some("assistant");
        if is_model {
            let model = json.nested("metadata").and_then(|metadata| metadata.word("model")).unwrap_or_default();
            self.transcript.exchange(&self.agent, &model, at);
        } else if json.text("role").as_deref() == Some("user") {
            let text = content::text(&self.buffer, json, "content").or_else(|| self.first_text(json));
            if let Some(text) = text {
                self.transcript.prompt(&self.agent, at, text);
            }
        }
        let before = self.transcript.calls().len();
        if let Some(parts) = json.nested("parts") {
            let mut is_first = true;
            for part in parts.items().filter_map(|part| Json::parse(part.into()).ok()) {
                let kind = part.text("type").unwrap_or_default();
                if kind == "step-start" {
                    if !is_first && is_model {
                        self.transcript.exchange(&self.agent, &Arc::default(), None);
                    }
                    is_first = false;
                }
                self.part(&part, &kind);
            }
        }
        // Version 4 tells the same calls in the parts too, from 4.2 on.
        if self.transcript.calls().len() == before
            && let Some(calls) = json.nested("toolInvocations")
        {
            for call in calls.items().filter_map(|call| Json::parse(call.into()).ok()) {
                self.invocation(&call);
            }
        }
    }

    fn first_text(&self, json: &Json<'_>) -> Option<crate::trace::Text> {
        let parts = json.nested("parts")?;
        let mut parts = parts.items().filter_map(|part| Json::parse(part.into()).ok());
        parts.find_map(|part| content::text(&self.buffer, &part, "text"))
    }

    fn part(&mut self, json: &Json<'_>, kind: &str) {
        let name = match kind.strip_prefix("tool-") {
            Some("invocation") => {
                if let Some(call) = json.nested("toolInvocation") {
                    self.invocation(&call);
                }
                return;
            }
            Some(name) => Some(name.into()),
            None if kind == "dynamic-tool" => json.word("toolName"),
            None => None,
        };
        let Some(name) = name else {
            if kind == "text" {
                let text = content::text(&self.buffer, json, "text");
                if let (Some(text), Some(exchange)) = (text, self.transcript.last(&self.agent)) {
                    exchange.said.get_or_insert(text);
                }
            }
            return;
        };
        let id = json.word("toolCallId").unwrap_or_default();
        let input = json.get("input").filter(|raw| *raw != "null").or_else(|| json.get("rawInput"));
        let input = content::input(&self.buffer, input);
        let Some(position) = self.transcript.call(Asked { agent: Arc::clone(&self.agent), id, name, input, at: None })
        else {
            return;
        };
        let state = json.text("state").unwrap_or_default();
        match &*state {
            // What is preliminary will be followed by more, but it is all that the file holds.
            "output-available" => self.answer(position, json.get("output"), false),
            "output-error" => self.answer(position, json.get("errorText"), true),
            "output-denied" => self.ends(position, Outcome::Refused { by: Refuser::User }),
            "approval-requested" => self.ends(position, Outcome::AwaitingApproval),
            "approval-responded"
                if json.nested("approval").is_some_and(|approval| approval.get("approved") == Some("false")) =>
            {
                self.ends(position, Outcome::Refused { by: Refuser::User });
            }
            _ => {}
        }
    }

    /// A call of version 4.
    fn invocation(&mut self, json: &Json<'_>) {
        let id = json.word("toolCallId").unwrap_or_default();
        let name = json.word("toolName").unwrap_or_default();
        let input = content::input(&self.buffer, json.get("args"));
        let asked = Asked { agent: Arc::clone(&self.agent), id, name, input, at: None };
        let Some(position) = self.transcript.call(asked) else { return };
        if json.text("state").as_deref() == Some("result") {
            self.answer(position, json.get("result"), json.is_true("isError"));
        }
    }

    fn answer(&mut self, position: usize, raw: Option<&str>, is_error: bool) {
        let output = content::blocks(&self.buffer, raw.unwrap_or("null"));
        self.transcript.result_of(position, Answer { output, is_error, ..Answer::default() });
    }

    fn ends(&mut self, position: usize, outcome: Outcome) {
        if let Some(call) = self.transcript.call_at(position) {
            call.outcome = outcome;
            call.output = Content::None;
        }
    }
}
