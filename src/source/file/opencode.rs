//! opencode (specs: session-files §6): an export, one file of its storage, or what `opencode run --format json` prints.
//!
//! Call and result are one part; a message of the assistant is an exchange.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::content;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Exchange, Outcome, Refuser, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| match sample.container {
        Container::Document if is_export(record) || is_stored(record) => true,
        _ => is_printed(record),
    })
}

fn is_export(json: &Json<'_>) -> bool {
    let has_parts = |messages: Json<'_>| messages.items().next().is_none_or(|first| first.contains(r#""parts""#));
    json.nested("info").is_some() && json.nested("messages").is_some_and(has_parts)
}

/// A session, a message or a part as it stands on disk.
fn is_stored(json: &Json<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| json.get(key).is_some());
    has(&["sessionID", "messageID", "type"])
        || has(&["sessionID", "role", "time"])
        || has(&["projectID", "directory", "time"])
}

fn is_printed(json: &Json<'_>) -> bool {
    json.get("sessionID").is_some() && json.get("timestamp").is_some() && json.text("type").is_some()
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let buffer = Arc::clone(&source.buffer);
    let mut reader = Opencode { transcript, buffer, main, parent: None, is_open: false };
    let document = source.document().filter(Json::is_object);
    let mut belongs = Belongs::Part;
    match document.filter(|json| !is_printed(json)) {
        Some(json) if is_export(&json) => {
            reader.export(&json);
            belongs = reader.parent.take().map_or(Belongs::Alone, |parent| Belongs::Child { parent });
        }
        Some(json) => reader.stored(&json),
        None => {
            source.read_lines(&mut reader);
            belongs = Belongs::Alone;
        }
    }
    vec![source.reading(Format::Opencode, reader.transcript.finish(false), belongs)]
}

struct Opencode {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    parent: Option<Arc<str>>,
    /// Whether a printed step is under way.
    is_open: bool,
}

impl Reader for Opencode {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    /// A line that `opencode run` printed.
    fn record(&mut self, json: &Json<'_>) {
        if let Some(id) = json.word("sessionID") {
            self.transcript.session.id = id;
        }
        let at = json.time("timestamp");
        let kind = json.text("type").unwrap_or_default();
        let exchange = self.transcript.last_or_new(&self.main, self.is_open, &Arc::default(), at);
        exchange.span.end = at;
        self.is_open = kind != "step_finish";
        if kind == "error" {
            exchange.error = json.nested("error").as_ref().and_then(error).or_else(|| json.word("error"));
        }
        if let Some(part) = json.nested("part") {
            self.part(&part);
        }
    }
}

impl Opencode {
    fn export(&mut self, json: &Json<'_>) {
        if let Some(info) = json.nested("info") {
            self.session(&info);
        }
        let Some(messages) = json.nested("messages") else { return };
        for (position, message) in messages.items().enumerate() {
            let message = Json::parse(message.into()).ok().filter(Json::is_object);
            let Some(message) = message else {
                self.transcript.problem(format!("messages[{position}]"), "it is no object");
                continue;
            };
            let info = message.nested("info");
            let is_user = info.as_ref().and_then(|info| info.text("role")).as_deref() == Some("user");
            if let Some(info) = info.filter(|_| !is_user) {
                self.message(&info);
            }
            let Some(parts) = message.nested("parts") else { continue };
            for (place, part) in parts.items().enumerate() {
                match Json::parse(part.into()).ok().filter(Json::is_object) {
                    Some(part) if is_user => self.words(&part),
                    Some(part) => self.part(&part),
                    None => {
                        self.transcript.problem(format!("messages[{position}].parts[{place}]"), "it is no object");
                    }
                }
            }
        }
    }

    fn stored(&mut self, json: &Json<'_>) {
        if let Some(id) = json.word("sessionID") {
            self.transcript.session.id = id;
        }
        if json.get("messageID").is_some() {
            self.part(json);
        } else if json.get("role").is_some() {
            if json.text("role").as_deref() == Some("assistant") {
                self.message(json);
            }
        } else {
            self.session(json);
        }
    }

    fn session(&mut self, info: &Json<'_>) {
        let session = &mut self.transcript.session;
        session.id = info.word("id").unwrap_or_else(|| Arc::clone(&session.id));
        session.title = info.word("title");
        session.host = info.word("version").map(|version| format!("opencode/{version}").into());
        self.parent = info.word("parentID");
    }

    /// What is known of a message beside its parts.
    fn message(&mut self, info: &Json<'_>) {
        let time = info.nested("time");
        let at = |key| time.as_ref().and_then(|time| time.time(key));
        let model = info.word("modelID").unwrap_or_default();
        let exchange = self.transcript.exchange(&self.main, &model, at("created"));
        exchange.span.end = at("completed");
        exchange.error = info.nested("error").as_ref().and_then(error);
        used(info, exchange);
    }

    /// What a person said; the host adds texts of its own.
    fn words(&mut self, part: &Json<'_>) {
        let is_text = part.text("type").as_deref() == Some("text") && !part.is_true("synthetic");
        let at = part.nested("time").and_then(|time| time.time("start"));
        if let Some(text) = content::text(&self.buffer, part, "text").filter(|_| is_text) {
            self.transcript.prompt(&self.main, at, text);
        }
    }

    fn part(&mut self, part: &Json<'_>) {
        match part.text("type").as_deref() {
            Some("tool") => self.tool(part),
            Some("text") => {
                let said = content::text(&self.buffer, part, "text");
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.said = exchange.said.take().or(said);
                }
            }
            Some("step-finish") => {
                if let Some(exchange) =
                    self.transcript.last(&self.main).filter(|exchange| exchange.tokens == Tokens::default())
                {
                    used(part, exchange);
                }
            }
            _ => {}
        }
    }

    fn tool(&mut self, part: &Json<'_>) {
        let Some(state) = part.nested("state") else {
            return self
                .transcript
                .problem(part.word("id").map_or("a tool part".to_owned(), |id| id.to_string()), "it has no state");
        };
        let time = state.nested("time");
        let at = |key| time.as_ref().and_then(|time| time.time(key));
        let id = part.word("callID").or_else(|| part.word("id")).unwrap_or_default();
        let asked = Asked {
            agent: Arc::clone(&self.main),
            id: Arc::clone(&id),
            name: part.word("tool").unwrap_or_default(),
            input: content::input(&self.buffer, state.get("input")),
            at: at("start"),
        };
        let Some(position) = self.transcript.call(asked) else { return };
        let metadata = state.nested("metadata");
        let child =
            metadata.as_ref().and_then(|metadata| metadata.word("sessionId").or_else(|| metadata.word("sessionID")));
        if let Some(child) = child {
            self.transcript.agent(&child, None, Some(&id));
        }
        let status = state.text("status").unwrap_or_default();
        if !matches!(&*status, "completed" | "error") {
            self.so_far(position, metadata.as_ref());
            return;
        }
        let is_error = status == "error";
        let mut output =
            content::blocks(&self.buffer, state.get(if is_error { "error" } else { "output" }).unwrap_or("null"));
        if let Some(attachments) = state.nested("attachments") {
            let files = attachments.items().filter_map(|file| {
                let file = Json::parse(file.into()).ok()?;
                content::image_at(&self.buffer, file.get("url")?)
            });
            output.extend(files);
        }
        let is_refused = is_error && state.text("error").is_some_and(|error| error.contains("rejected permission"));
        self.transcript.result_of(
            position,
            Answer {
                output,
                is_error,
                outcome: is_refused.then_some(Outcome::Refused { by: Refuser::User }),
                at: at("end"),
                structured: content::written(&self.buffer, &state, "metadata"),
                ..Answer::default()
            },
        );
        if let Some(call) = self.transcript.call_at(position) {
            call.preview = state.word("title");
        }
    }

    /// What a call put out that had not ended.
    fn so_far(&mut self, position: usize, metadata: Option<&Json<'_>>) {
        let partial = metadata.and_then(|metadata| content::text(&self.buffer, metadata, "output"));
        if let (Some(text), Some(call)) = (partial, self.transcript.call_at(position)) {
            call.output = Content::Held(vec![Block::Text(text)]);
        }
    }
}

/// Tokens and cost of a message or of a step.
fn used(json: &Json<'_>, exchange: &mut Exchange) {
    if let Some(tokens) = json.nested("tokens") {
        let cache = tokens.nested("cache");
        let cached = |key| cache.as_ref().and_then(|cache| cache.whole(key));
        exchange.tokens = Tokens {
            input: tokens.whole("input"),
            cache_read: cached("read"),
            cache_write: cached("write"),
            output: tokens.whole("output"),
            reasoning: tokens.whole("reasoning"),
        };
    }
    let cost = json.get("cost").and_then(|cost| json::decimal(cost, 9));
    exchange.cost = cost.and_then(|cost| u64::try_from(cost).ok()).or(exchange.cost);
}

/// `{name, data: {message}}`
fn error(json: &Json<'_>) -> Option<Arc<str>> {
    json.nested("data")
        .and_then(|data| data.word("message"))
        .or_else(|| json.word("message"))
        .or_else(|| json.word("name"))
}
