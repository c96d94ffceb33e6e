//! The Agent Client Protocol's messages, as its wire was logged (specs: session-files §20). Its calls know no times.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::content;
use super::otlp::objects;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Outcome, Text, Timestamp};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.container != Container::Events && sample.any(|json| is_message(json) || wrapped(json).is_some())
}

fn is_message(json: &Json<'_>) -> bool {
    json.text("jsonrpc").as_deref() == Some("2.0")
}

/// The message inside of what a logger put around it.
fn wrapped<'a>(json: &'a Json<'_>) -> Option<Json<'a>> {
    ["message", "msg", "data", "payload"].iter().find_map(|key| json.nested(key).filter(is_message))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let mut acp =
        Acp { transcript, buffer: Arc::clone(&source.buffer), main, places: HashMap::new(), has_exchange: false };
    source.read_lines(&mut acp);
    vec![source.reading(Format::Acp, acp.transcript.finish(false), Belongs::Alone)]
}

struct Acp {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    places: HashMap<Arc<str>, usize>,
    has_exchange: bool,
}

impl Reader for Acp {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp").or_else(|| json.time("time")).or_else(|| json.time("ts"));
        let inner = wrapped(json);
        let json = inner.as_ref().unwrap_or(json);
        let Some(params) = json.nested("params") else { return };
        if let Some(id) = params.word("sessionId") {
            self.transcript.session.id = id;
        }
        match json.text("method").as_deref() {
            Some("session/update") => {
                if let Some(update) = params.nested("update") {
                    self.update(&update, at);
                }
            }
            Some("session/request_permission") => {
                if let Some(call) = params.nested("toolCall") {
                    self.call(&call, at);
                }
            }
            Some("session/prompt") => {
                self.has_exchange = false;
                let text = content::words(content::blocks(&self.buffer, params.get("prompt").unwrap_or("null")));
                if let Some(text) = text {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            _ => {}
        }
    }
}

impl Acp {
    fn update(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        match json.text("sessionUpdate").as_deref() {
            Some("tool_call" | "tool_call_update") => self.call(json, at),
            // What the model says after results begins its next turn.
            Some("agent_message_chunk" | "agent_thought_chunk") => self.has_exchange = false,
            _ => {}
        }
    }

    /// A call or news of one; an update may be the first that is heard of it.
    fn call(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        let id = json.word("toolCallId").unwrap_or_default();
        let name = json.word("kind").filter(|kind| &**kind != "other");
        let title = json.word("title");
        let position = if let Some(position) = self.places.get(&id).copied() {
            position
        } else {
            if !self.has_exchange {
                self.transcript.exchange(&self.main, &Arc::default(), at);
                self.has_exchange = true;
            }
            let name = name.or_else(|| title.clone()).unwrap_or_default();
            let asked = Asked { agent: Arc::clone(&self.main), id: Arc::clone(&id), name, input: Content::None, at };
            let position = self.transcript.call_anew(asked);
            self.places.insert(Arc::clone(&id), position);
            position
        };
        let input =
            json.get("rawInput").filter(|raw| *raw != "null").map(|raw| content::input(&self.buffer, Some(raw)));
        let status = json.text("status").unwrap_or_default();
        let has_ended = matches!(&*status, "completed" | "failed" | "cancelled");
        let output = self.output(json);
        let Some(call) = self.transcript.call_at(position) else { return };
        call.preview = title.or(call.preview.take());
        call.input = input.unwrap_or(std::mem::take(&mut call.input));
        if !has_ended {
            // What has come so far shows while it runs.
            if !output.is_empty() && !call.outcome.has_ended() {
                call.output = Content::Held(output);
            }
            return;
        }
        let output = match &call.output {
            Content::Held(held) if output.is_empty() => held.clone(),
            _ => output,
        };
        let outcome = (status == "cancelled").then_some(Outcome::Cancelled);
        self.transcript
            .result_of(position, Answer { output, is_error: status == "failed", outcome, at, ..Answer::default() });
    }

    /// Content, differences, and the raw output where there is nothing else.
    fn output(&self, json: &Json<'_>) -> Vec<Block> {
        let mut output = Vec::new();
        if let Some(list) = json.nested("content") {
            for item in objects(&list) {
                match item.get("content").filter(|_| item.text("type").as_deref() == Some("content")) {
                    Some(raw) => output.extend(content::blocks(&self.buffer, raw)),
                    None => output.push(Block::Json(Text::within(&self.buffer, item.raw()))),
                }
            }
        }
        if output.is_empty() {
            let raw = json.get("rawOutput").unwrap_or("null");
            output = content::blocks(&self.buffer, raw);
        }
        output
    }
}
