//! Goose (specs: session-files §12): messages by lines, in an export, or in recordings of requests that repeat them.

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
use crate::trace::{AgentId, Buffer, Content, Timestamp};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        has_goose_content(record)
            || sample.container == Container::Document
                && (record.nested("conversation").is_some_and(|messages| messages.is_array()) || is_recording(record))
    })
}

/// A message with calls or results, or with the fields that only Goose's messages have.
fn has_goose_content(json: &Json<'_>) -> bool {
    let Some(content) = json.nested("content").filter(Json::is_array) else { return false };
    let is_tool = content.items().any(|item| item.contains(r#""toolRequest""#) || item.contains(r#""toolResponse""#));
    json.get("role").is_some() && is_tool || json.get("created").is_some() && json.get("role").is_some()
}

/// `{hash: {input: {messages}, output: {message}}}`
fn is_recording(json: &Json<'_>) -> bool {
    json.fields().next().is_some_and(|(_, value)| {
        let Ok(entry) = Json::parse(value.into()) else { return false };
        let has_messages = entry.nested("input").is_some_and(|input| input.get("messages").is_some());
        has_messages && entry.get("output").is_some()
    })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let mut goose = Goose { transcript, buffer: Arc::clone(&source.buffer), main, seen: HashSet::new() };
    match source.document().filter(|_| source.container == Container::Document) {
        Some(json) => goose.document(&json),
        None => source.read_lines(&mut goose),
    }
    vec![source.reading(Format::Goose, goose.transcript.finish(false), Belongs::Alone)]
}

struct Goose {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// Contents of messages that were read: recordings repeat them in every request.
    seen: HashSet<String>,
}

impl Reader for Goose {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        if json.get("role").is_some() {
            self.message(json);
        } else {
            let session = &mut self.transcript.session;
            session.title = json.word("description").or(session.title.take());
            session.id = json.word("id").unwrap_or_else(|| Arc::clone(&session.id));
        }
    }
}

impl Goose {
    fn document(&mut self, json: &Json<'_>) {
        if let Some(messages) = json.nested("conversation") {
            self.record_head(json);
            return self.messages(&messages);
        }
        if json.get("role").is_some() {
            return self.message(json);
        }
        for (_, entry) in json.fields() {
            let Ok(entry) = Json::parse(entry.into()) else { continue };
            if let Some(messages) = entry.nested("input").as_ref().and_then(|input| input.nested("messages")) {
                self.unseen(&messages);
            }
            if let Some(message) = entry.nested("output").as_ref().and_then(|output| output.nested("message")) {
                self.unseen_message(&message);
            }
        }
    }

    fn record_head(&mut self, json: &Json<'_>) {
        let session = &mut self.transcript.session;
        session.title = json.word("name").or_else(|| json.word("description"));
        session.id = json.word("id").unwrap_or_else(|| Arc::clone(&session.id));
    }

    fn messages(&mut self, messages: &Json<'_>) {
        for (position, message) in messages.items().enumerate() {
            match Json::parse(message.into()).ok().filter(Json::is_object) {
                Some(message) => self.message(&message),
                None => self.transcript.problem(format!("conversation[{position}]"), "it is no object"),
            }
        }
    }

    fn unseen(&mut self, messages: &Json<'_>) {
        for message in messages.items().filter_map(|message| Json::parse(message.into()).ok()) {
            self.unseen_message(&message);
        }
    }

    /// Takes in a message unless it was read already: all its calls or results were, or its very words.
    fn unseen_message(&mut self, message: &Json<'_>) {
        let content = message.get("content").unwrap_or_default();
        let mut requests = 0;
        let mut known = 0;
        for item in Json::parse(content.into()).iter().flat_map(Json::items) {
            let Ok(item) = Json::parse(item.into()) else { continue };
            if item.text("type").as_deref() == Some("toolRequest") {
                requests += 1;
                let id = item.word("id").unwrap_or_default();
                known += u32::from(self.transcript.calls_of(&id).iter().any(|_| self.seen.contains(&*id)));
                self.seen.insert(id.to_string());
            }
        }
        if requests > 0 && requests == known {
            self.transcript.session.repeats += requests;
        } else if self.seen.insert(content.to_owned()) {
            self.message(message);
        }
    }

    fn message(&mut self, message: &Json<'_>) {
        let at = message.time("created");
        let is_model = message.text("role").as_deref() == Some("assistant");
        if is_model {
            self.transcript.response(&self.main, &Arc::default(), at);
        }
        let Some(items) = message.nested("content") else { return };
        for item in items.items().filter_map(|item| Json::parse(item.into()).ok()) {
            match item.text("type").as_deref() {
                Some("text") => {
                    let Some(text) = content::text(&self.buffer, &item, "text") else { continue };
                    if !is_model {
                        self.transcript.prompt(&self.main, at, text);
                    } else if let Some(exchange) = self.transcript.last(&self.main) {
                        exchange.said = exchange.said.take().or(Some(text));
                    }
                }
                Some("toolRequest" | "frontendToolRequest") => self.call(&item, at),
                Some("toolResponse") => self.result(&item, at),
                _ => {}
            }
        }
    }

    fn call(&mut self, item: &Json<'_>, at: Option<Timestamp>) {
        let call = item.nested("toolCall");
        let call = call.as_ref();
        let value = call.and_then(|call| call.nested("value"));
        let input = match (&value, call.and_then(|call| call.text("error"))) {
            (Some(value), _) => content::input(&self.buffer, value.get("arguments")),
            (None, Some(error)) => Content::Unavailable(format!("Goose could not read the call: {error}").into()),
            (None, None) => Content::None,
        };
        self.transcript.call(Asked {
            agent: Arc::clone(&self.main),
            id: item.word("id").unwrap_or_default(),
            name: value.as_ref().and_then(|value| value.word("name")).unwrap_or_default(),
            input,
            at,
        });
    }

    fn result(&mut self, item: &Json<'_>, at: Option<Timestamp>) {
        let result = item.nested("toolResult");
        let result = result.as_ref();
        let failed = result.is_some_and(|result| result.text("status").as_deref() == Some("error"));
        let value = result.and_then(|result| result.get(if failed { "error" } else { "value" })).unwrap_or("null");
        // Newer versions wrap the list of blocks.
        let wrapped = Json::parse(value.into()).ok().filter(|value| value.get("content").is_some());
        let output = wrapped.as_ref().and_then(|value| value.get("content")).unwrap_or(value);
        self.transcript.result(Answer {
            id: item.word("id").unwrap_or_default(),
            output: content::blocks(&self.buffer, output),
            is_error: failed || wrapped.as_ref().is_some_and(|value| value.is_true("isError")),
            at,
            structured: wrapped.as_ref().and_then(|value| content::written(&self.buffer, value, "structuredContent")),
            ..Answer::default()
        });
    }
}
