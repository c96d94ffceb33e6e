//! aparté (specs: session-files §18): saved conversations, the messages of a request, and the stream of a backend.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use super::content;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Exchange, Outcome, Refuser, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        let messages = record.nested("messages").unwrap_or_else(|| record.clone());
        let has_segments = |message: &str| message.contains(r#""segments""#) && message.contains(r#""timestamp""#);
        messages.items().any(|message| has_segments(message) || is_tool_call_message(message))
            || record.get("schemaVersion").is_some()
                && record.get("messages").is_some()
                && record.get("createdAt").is_some()
            || sample.container == Container::Lines && is_stream_call(record)
    })
}

/// A message of a request that asks for tools under a role of its own.
fn is_tool_call_message(message: &str) -> bool {
    message.contains(r#""tool_call""#)
        && Json::parse(message.into()).is_ok_and(|json| json.text("role").as_deref() == Some("tool_call"))
}

/// A call of a backend's stream; Anthropic's blocks of that name stand inside of messages.
fn is_stream_call(json: &Json<'_>) -> bool {
    json.text("type").as_deref() == Some("tool_use")
        && json.get("name").is_some()
        && json.get("input").is_some()
        && json.get("id").is_some()
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let buffer = Arc::clone(&source.buffer);
    let mut aparte = Aparte { transcript, buffer, main, seen: HashSet::new(), is_open: false };
    aparte.transcript.session.host = Some("aparte".into());
    let document = source.document().filter(|json| source.container == Container::Document && !is_stream_call(json));
    match document {
        Some(json) if json.is_array() => aparte.messages(&json),
        Some(json) => aparte.conversation(&json),
        None => source.read_lines(&mut aparte),
    }
    vec![source.reading(Format::Aparte, aparte.transcript.finish(false), Belongs::Alone)]
}

struct Aparte {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// Messages that were read: the tree holds them again, and those of other branches.
    seen: HashSet<Arc<str>>,
    is_open: bool,
}

impl Reader for Aparte {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    /// An event of a backend's stream.
    fn record(&mut self, json: &Json<'_>) {
        match json.text("type").as_deref() {
            Some("text") => {
                let said =
                    content::text(&self.buffer, json, "delta").or_else(|| content::text(&self.buffer, json, "text"));
                let exchange = self.exchange();
                exchange.said = exchange.said.take().or(said);
            }
            Some("tool_use") => {
                self.exchange();
                self.call(json);
            }
            Some("error") => {
                let error = json.word("message").or_else(|| json.word("error"));
                self.exchange().error = error;
            }
            Some("done") => {
                let tokens = used(json);
                self.exchange().tokens = tokens;
                self.is_open = false;
            }
            _ => {}
        }
    }
}

impl Aparte {
    fn exchange(&mut self) -> &mut Exchange {
        let is_open = std::mem::replace(&mut self.is_open, true);
        self.transcript.last_or_new(&self.main, is_open, &Arc::default(), None)
    }

    fn conversation(&mut self, json: &Json<'_>) {
        let session = &mut self.transcript.session;
        session.id = json.word("id").unwrap_or_else(|| Arc::clone(&session.id));
        session.title = json.word("title");
        if let Some(messages) = json.nested("messages") {
            self.messages(&messages);
        }
        let tree = json.nested("tree");
        let Some(nodes) = tree.as_ref().and_then(|tree| tree.nested("messages")) else { return };
        for node in nodes.items().filter_map(|node| Json::parse(node.into()).ok()) {
            if let Some(message) = node.nested("message") {
                self.message(&message);
            }
        }
    }

    fn messages(&mut self, messages: &Json<'_>) {
        for (position, message) in messages.items().enumerate() {
            match Json::parse(message.into()).ok().filter(Json::is_object) {
                Some(message) => self.message(&message),
                None => self.transcript.problem(format!("messages[{position}]"), "it is no object"),
            }
        }
    }

    fn message(&mut self, message: &Json<'_>) {
        if message.word("id").is_some_and(|id| !self.seen.insert(id)) {
            return;
        }
        let at = message.time("timestamp");
        let text = content::text(&self.buffer, message, "content");
        match message.text("role").as_deref() {
            Some("user") => {
                if let Some(text) = text {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            Some("assistant") => {
                let exchange = self.transcript.exchange(&self.main, &message.word("model").unwrap_or_default(), at);
                exchange.said = text.filter(|text| !text.read().is_empty());
                exchange.tokens = used(message);
                let Some(segments) = message.nested("segments") else { return };
                for segment in segments.items().filter_map(|segment| Json::parse(segment.into()).ok()) {
                    self.segment(&segment);
                }
            }
            Some("tool_call") => {
                let said = content::text(&self.buffer, message, "precedingText");
                self.transcript.exchange(&self.main, &Arc::default(), at).said = said;
                let Some(calls) = message.nested("toolCalls") else { return };
                for call in calls.items().filter_map(|call| Json::parse(call.into()).ok()) {
                    self.call(&call);
                }
            }
            Some("tool_result") => self.transcript.result(Answer {
                id: message.word("toolCallId").unwrap_or_default(),
                output: content::blocks(&self.buffer, message.get("content").unwrap_or("null")),
                at,
                ..Answer::default()
            }),
            _ => {}
        }
    }

    fn call(&mut self, call: &Json<'_>) -> Option<usize> {
        self.transcript.call(Asked {
            agent: Arc::clone(&self.main),
            id: call.word("id").unwrap_or_default(),
            name: call.word("name").unwrap_or_default(),
            input: content::input(&self.buffer, call.get("input")),
            at: None,
        })
    }

    /// Call and result in one.
    fn segment(&mut self, segment: &Json<'_>) {
        if segment.text("type").as_deref() == Some("text") {
            let said = content::text(&self.buffer, segment, "content");
            if let Some(exchange) = self.transcript.last(&self.main) {
                exchange.said = exchange.said.take().or(said);
            }
        }
        let Some(call) = segment.nested("toolCall") else { return };
        let Some(position) = self.call(&call) else { return };
        let output = content::text(&self.buffer, segment, "result").map(|text| vec![Block::Text(text)]);
        let outcome = match segment.text("status").as_deref() {
            Some("aborted") => Some(Outcome::Cancelled),
            Some("rejected") => Some(Outcome::Refused { by: Refuser::User }),
            Some("awaiting-approval") => Some(Outcome::AwaitingApproval),
            Some("resolved") => None,
            _ if output.is_some() => None,
            _ => return,
        };
        let has_output = output.is_some() || outcome.is_none();
        let answer = Answer { output: output.unwrap_or_default(), outcome, ..Answer::default() };
        self.transcript.result_of(position, answer);
        if let Some(call) = self.transcript.call_at(position).filter(|_| !has_output) {
            call.output = Content::None;
        }
    }
}

fn used(json: &Json<'_>) -> Tokens {
    let usage = json.nested("usage");
    let count = |key| usage.as_ref().and_then(|usage| usage.whole(key));
    Tokens { input: count("inputTokens"), output: count("outputTokens"), ..Tokens::default() }
}
