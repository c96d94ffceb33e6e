//! Hosts that wrap Anthropic's messages into records of their own: Happy's sync, Droid, managed agents, and logs with a
//! message a line (specs: session-files §20).

#[cfg(test)]
mod tests;

use super::source::{Container, Reader, Sample, Source};
use super::transcript::{Answer, Transcript};
use super::wire::Wire;
use super::{Belongs, Format, Reading, content};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Span, Text};
use std::sync::Arc;

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| match sample.container {
        Container::Document => {
            is_record(json)
                || json.items().take(60).any(|item| Json::parse(item.into()).is_ok_and(|item| is_record(&item)))
        }
        Container::Lines => is_record(json),
        Container::Events => false,
    })
}

fn is_record(json: &Json<'_>) -> bool {
    is_managed(json) || is_droid(json) || happy(json).is_some() || is_message_line(json) || is_logged(json)
}

fn is_managed(json: &Json<'_>) -> bool {
    json.get("raw").is_some() && json.get("kind").is_some() && json.get("role").is_some()
}

fn is_droid(json: &Json<'_>) -> bool {
    json.text("type").as_deref() == Some("session_start") && json.get("id").is_some()
}

/// A record of Claude Code's output, without the session that its own files name in each.
fn is_message_line(json: &Json<'_>) -> bool {
    matches!(json.text("type").as_deref(), Some("assistant" | "user" | "message"))
        && json
            .nested("message")
            .is_some_and(|message| message.get("role").is_some() || message.get("content").is_some())
}

/// A message a line with the time at which it was logged.
fn is_logged(json: &Json<'_>) -> bool {
    ["timestamp", "role", "content"].iter().all(|key| json.get(key).is_some())
}

/// What Happy sends on.
fn happy<'a>(json: &'a Json<'_>) -> Option<Json<'a>> {
    let content = json.nested("content").filter(|content| content.get("role").is_some())?;
    let inner = content.get("content")?;
    let start = inner.as_ptr().addr().checked_sub(json.raw().as_ptr().addr())?;
    Json::parse(json.raw().get(start..start + inner.len())?.into())
        .ok()
        .filter(|_| json.get("seq").is_some() || json.get("createdAt").is_some())
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut envelope = Envelope { wire: Wire::new(&source.name, &source.buffer), message: None };
    envelope.wire.tells_times = true;
    match source.document().filter(Json::is_array) {
        Some(list) => {
            for (position, item) in list.items().enumerate() {
                match Json::parse(item.into()) {
                    Ok(item) if item.is_object() => envelope.record(&item),
                    _ => envelope.wire.transcript.problem(format!("[{position}]"), "it is no object"),
                }
            }
        }
        None => source.read_lines(&mut envelope),
    }
    vec![source.reading(Format::Envelope, envelope.wire.transcript.finish(false), Belongs::Alone)]
}

struct Envelope {
    wire: Wire,
    /// The message that the last record is a part of: one is written in several records.
    message: Option<Arc<str>>,
}

impl Reader for Envelope {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.wire.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        if is_droid(json) {
            let session = &mut self.wire.transcript.session;
            session.id = json.word("id").unwrap_or_else(|| Arc::clone(&session.id));
            session.title = json.word("title");
            session.host =
                Some(json.word("version").map_or_else(|| "droid".into(), |version| format!("droid/{version}").into()));
        } else if let Some(raw) = json.nested("raw").filter(|_| is_managed(json)) {
            self.managed(json, &raw);
        } else if let Some(inner) = happy(json) {
            match inner.nested("data") {
                Some(data) => self.line(&data, json),
                None => self.say(&inner, json),
            }
        } else if json.get("message").is_some() {
            self.line(json, json);
        } else if json.get("role").is_some() {
            self.at(json);
            self.take(json);
        }
    }
}

impl Envelope {
    fn at(&mut self, json: &Json<'_>) {
        let at = ["timestamp", "time", "createdAt", "processed_at"].iter().find_map(|key| json.time(key));
        self.wire.span = Span { start: at, end: at };
    }

    /// What a person said.
    fn say(&mut self, inner: &Json<'_>, outer: &Json<'_>) {
        self.at(outer);
        if let Some(text) = content::text(&self.wire.buffer, inner, "text") {
            let agent = Arc::clone(&self.wire.agent);
            self.wire.transcript.prompt(&agent, outer.time("createdAt"), text);
        }
    }

    /// A record of Claude Code.
    fn line(&mut self, json: &Json<'_>, outer: &Json<'_>) {
        if json.get("timestamp").is_some() {
            self.at(json);
        } else {
            self.at(outer);
        }
        if let Some(id) = json.word("sessionId").or_else(|| json.word("session_id")) {
            self.wire.transcript.session.id = id;
        }
        let parent = json.word("parent_tool_use_id");
        let main: Arc<str> = "main".into();
        self.wire.agent = match &parent {
            Some(call) => self.wire.transcript.agent(call, None, Some(call)),
            None => main,
        };
        let Some(message) = json.nested("message") else { return };
        if message.get("role").is_some() {
            self.take(&message);
            return;
        }
        // Which role it is stands outside.
        let is_model = json.text("type").as_deref() == Some("assistant");
        let role = if is_model { "assistant" } else { "user" };
        self.wire.take_message(&message, role, self.message.is_none());
    }

    fn take(&mut self, message: &Json<'_>) {
        let id = message.word("id");
        let role = message.word("role").unwrap_or_default();
        let goes_on = id.is_some() && id == self.message;
        self.message = id;
        self.wire.take_message(message, &role, !goes_on);
    }

    fn managed(&mut self, json: &Json<'_>, raw: &Json<'_>) {
        self.at(if raw.get("processed_at").is_some_and(|at| at != "null") { raw } else { json });
        let kind = raw.text("type").unwrap_or_default();
        if kind.ends_with("tool_use") {
            let name = raw.word("name").unwrap_or_default();
            let input = content::input(&self.wire.buffer, raw.get("input"));
            self.wire.take_call(raw.word("id").unwrap_or_default(), name, input);
        } else if kind.ends_with("tool_result") {
            let id = ["tool_use_id", "mcp_tool_use_id", "custom_tool_use_id"].iter().find_map(|key| raw.word(key));
            let output = content::blocks(&self.wire.buffer, raw.get("content").unwrap_or("null"));
            let at = self.wire.span.end;
            let answer = Answer {
                id: id.unwrap_or_default(),
                output,
                is_error: raw.is_true("is_error"),
                at,
                ..Answer::default()
            };
            self.wire.take_result(answer);
        } else if kind == "user.message" {
            let words = content::words(content::blocks(&self.wire.buffer, raw.get("content").unwrap_or("null")));
            if let Some(text) = words.filter(|text: &Text| !text.read().is_empty()) {
                let agent = Arc::clone(&self.wire.agent);
                self.wire.transcript.prompt(&agent, self.wire.span.start, text);
            }
        }
    }
}
