//! Saved chats: call and result are one record, with the instant of its end.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::content;
use super::super::source::{Container, Source};
use super::super::transcript::{Answer, Asked, Transcript};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Outcome, Text, Tokens};

/// Whether a record is a message with calls, as only these chats have them.
pub(super) fn is_message(json: &Json<'_>) -> bool {
    json.get("toolCalls").is_some() && json.text("type").as_deref() == Some("gemini")
}

pub(super) fn read(source: &Source) -> Transcript {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let mut chat = Chat { transcript, main, buffer: Arc::clone(&source.buffer) };
    match source.document().filter(|json| source.container == Container::Document && json.get("messages").is_some()) {
        Some(json) => {
            chat.head(&json);
            let Some(messages) = json.nested("messages") else { return chat.transcript };
            for (position, message) in messages.items().enumerate() {
                match Json::parse(message.into()).ok().filter(Json::is_object) {
                    Some(message) => chat.message(&message),
                    None => chat.transcript.problem(format!("messages[{position}]"), "it is no object"),
                }
            }
        }
        None => chat.lines(source),
    }
    chat.transcript
}

struct Chat {
    transcript: Transcript,
    main: AgentId,
    buffer: Buffer,
}

impl Chat {
    /// By lines a message is written anew when it changes: its last form holds, in the place of its first.
    fn lines(&mut self, source: &Source) {
        let mut places: HashMap<Arc<str>, usize> = HashMap::new();
        let mut messages: Vec<Json<'_>> = Vec::new();
        for (number, line) in source.lines() {
            let Some(json) = Json::parse(line.into()).ok().filter(Json::is_object) else {
                self.transcript.problem(format!("line {number}"), "it is no JSON object");
                continue;
            };
            if json.get("projectHash").is_some() {
                self.head(&json);
            }
            if json.get("type").is_none() {
                continue;
            }
            let place = json.word("id").map(|id| *places.entry(id).or_insert(messages.len()));
            match place.filter(|place| *place < messages.len()) {
                Some(place) => messages[place] = json,
                None => messages.push(json),
            }
        }
        for message in &messages {
            self.message(message);
        }
    }

    fn head(&mut self, json: &Json<'_>) {
        let session = &mut self.transcript.session;
        session.id = json.word("sessionId").unwrap_or_else(|| Arc::clone(&session.id));
        session.title = json.word("summary");
        session.host = Some("gemini-cli".into());
    }

    fn message(&mut self, message: &Json<'_>) {
        let at = message.time("timestamp");
        let text = ["content", "parts"].iter().find_map(|key| text(&self.buffer, message.get(key)?));
        match message.text("type").as_deref() {
            Some("user") => {
                if let Some(text) = text {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            Some("gemini" | "model" | "assistant") => {
                let exchange = self.transcript.response(&self.main, &message.word("model").unwrap_or_default(), at);
                exchange.said = text.filter(|text| !text.read().is_empty());
                if let Some(tokens) = message.nested("tokens") {
                    let cached = tokens.whole("cached");
                    exchange.tokens = Tokens {
                        input: tokens.whole("input").map(|all| all.saturating_sub(cached.unwrap_or(0))),
                        cache_read: cached,
                        cache_write: None,
                        output: tokens.whole("output"),
                        reasoning: tokens.whole("thoughts"),
                    };
                }
                let Some(calls) = message.nested("toolCalls") else { return };
                for call in calls.items().filter_map(|call| Json::parse(call.into()).ok()) {
                    self.call(&call);
                }
            }
            Some("error") => {
                if let (Some(text), Some(exchange)) = (text, self.transcript.last(&self.main)) {
                    exchange.error = Some(text.read().into());
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Json<'_>) {
        let asked = Asked {
            agent: Arc::clone(&self.main),
            id: call.word("id").unwrap_or_default(),
            name: call.word("name").unwrap_or_default(),
            input: content::input(&self.buffer, call.get("args")),
            at: None,
        };
        let Some(position) = self.transcript.call(asked) else { return };
        if let Some(call_at) = self.transcript.call_at(position) {
            call_at.preview = call.word("description");
        }
        let status = call.text("status").unwrap_or_default();
        let outcome = match &*status {
            "cancelled" => Some(Outcome::Cancelled),
            "success" | "error" => None,
            "awaiting_approval" => {
                if let Some(call) = self.transcript.call_at(position) {
                    call.outcome = Outcome::AwaitingApproval;
                }
                return;
            }
            _ => return,
        };
        let structured =
            content::written(&self.buffer, call, "resultDisplay").filter(|text| text.read().starts_with('{'));
        self.transcript.result_of(
            position,
            Answer {
                output: output(&self.buffer, call.get("result").unwrap_or("null")),
                is_error: status == "error",
                outcome,
                at: call.time("timestamp"),
                structured,
                ..Answer::default()
            },
        );
    }
}

/// The text of a content: a string, or the first part that has one.
pub(super) fn text(buffer: &Buffer, raw: &str) -> Option<Text> {
    content::string(buffer, raw).or_else(|| {
        let parts = Json::parse(raw.into()).ok()?;
        parts.items().find_map(|part| {
            let part = Json::parse(part.into()).ok()?;
            if part.is_true("thought") { None } else { content::text(buffer, &part, "text") }
        })
    })
}

/// The blocks of `[{functionResponse: {response: {output | error}}}, {inlineData}]`.
fn output(buffer: &Buffer, raw: &str) -> Vec<Block> {
    let Ok(parts) = Json::parse(raw.into()) else { return Vec::new() };
    if !parts.is_array() {
        return content::blocks(buffer, raw);
    }
    parts.items().map(|part| block(buffer, part)).collect()
}

pub(in crate::source::file) fn block(buffer: &Buffer, raw: &str) -> Block {
    let read = || {
        let part = Json::parse(raw.into()).ok()?;
        if let Some(data) = part.nested("inlineData") {
            let data_text = content::text(buffer, &data, "data")?;
            return Some(Block::Image { media_type: data.word("mimeType")?, data: data_text });
        }
        let Some(answer) = part.nested("functionResponse") else {
            return content::text(buffer, &part, "text").map(Block::Text);
        };
        let response = answer.nested("response")?;
        let text = ["output", "error"].iter().find_map(|key| content::text(buffer, &response, key));
        Some(text.map_or_else(|| Block::Json(Text::within(buffer, response.raw())), Block::Text))
    };
    read().unwrap_or_else(|| Block::Json(Text::within(buffer, raw)))
}
