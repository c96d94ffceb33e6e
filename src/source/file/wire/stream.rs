//! Streams of both providers: what comes in pieces is put together before it is read as if it had come whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Wire;
use crate::json::{Json, quote};
use crate::source::lenient::Fields;
use crate::trace::{Buffer, Content, Text};

/// What has come of a stream so far.
#[derive(Default)]
pub(in super::super) struct Stream {
    /// The id of the message or response that is under way.
    id: Option<Arc<str>>,
    is_open: bool,
    /// Anthropic: blocks by their index.
    blocks: BTreeMap<u64, Piece>,
    /// Chat: calls by choice and index.
    calls: BTreeMap<(u64, u64), Piece>,
    /// Responses: items that were begun, by their index.
    items: BTreeMap<u64, Piece>,
    /// Responses: indices of items that came whole.
    done: BTreeSet<u64>,
    said: String,
}

/// A call that comes in pieces.
#[derive(Default)]
struct Piece {
    /// Its first record, as JSON.
    first: String,
    id: Arc<str>,
    name: String,
    input: String,
}

impl Stream {
    /// Takes in one record of a stream; `json` stands in the buffer of `wire`.
    pub fn event(&mut self, wire: &mut Wire, json: &Json<'_>) {
        let kind = json.word("type").unwrap_or_default();
        match &*kind {
            "message_start"
            | "content_block_start"
            | "content_block_delta"
            | "content_block_stop"
            | "message_delta"
            | "message_stop"
            | "error" => self.anthropic(wire, json, &kind),
            kind if kind.starts_with("response.") => self.responses(wire, json, kind),
            _ if json.get("choices").is_some() => self.chat(wire, json),
            _ => {}
        }
    }

    /// What stays unfinished when the stream breaks off is kept as far as it came.
    pub fn end(&mut self, wire: &mut Wire) {
        for (_, block) in std::mem::take(&mut self.blocks) {
            finish_block(wire, &block);
        }
        self.finish_calls(wire);
        for (_, item) in std::mem::take(&mut self.items) {
            finish_item(wire, &item);
        }
        if !self.said.trim().is_empty() {
            wire.say(std::mem::take(&mut self.said).into());
        }
        self.said.clear();
        self.done.clear();
        self.is_open = false;
        wire.has_exchange = false;
    }

    /// Begins the exchange of a message unless it is under way: some proxies send its beginning twice.
    fn begin(&mut self, wire: &mut Wire, message: &Json<'_>) {
        let id = message.word("id");
        if self.is_open && self.id == id {
            return;
        }
        self.end(wire);
        (self.id, self.is_open) = (id, true);
        wire.model = message.word("model").unwrap_or_else(|| Arc::clone(&wire.model));
        wire.exchange();
        wire.times(message);
    }

    fn anthropic(&mut self, wire: &mut Wire, json: &Json<'_>, kind: &str) {
        let index = json.whole("index").unwrap_or_default();
        match kind {
            "message_start" => {
                let Some(message) = json.nested("message") else { return };
                self.begin(wire, &message);
                wire.tokens(&message);
                wire.blocks(&message, true);
            }
            "content_block_start" => {
                let Some(block) = json.nested("content_block") else { return };
                wire.exchange();
                if block.text("type").is_some_and(|kind| kind.ends_with("tool_use")) {
                    let id = block.word("id").unwrap_or_default();
                    let first = block.raw().to_owned();
                    self.blocks.insert(index, Piece { first, id, ..Piece::default() });
                } else {
                    wire.block(&block, true);
                }
            }
            "content_block_delta" => {
                let Some(delta) = json.nested("delta") else { return };
                if let Some(part) = delta.text("partial_json") {
                    self.blocks.entry(index).or_default().input.push_str(&part);
                } else if let Some(text) = delta.text("text") {
                    self.said.push_str(&text);
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.blocks.remove(&index) {
                    finish_block(wire, &block);
                }
            }
            "message_delta" => wire.tokens(json),
            "message_stop" => self.end(wire),
            _ => wire.response(json),
        }
    }

    fn chat(&mut self, wire: &mut Wire, json: &Json<'_>) {
        self.begin(wire, json);
        wire.tokens(json);
        let Some(choices) = json.nested("choices") else { return };
        for choice in choices.items().filter_map(|choice| Json::parse(choice.into()).ok()) {
            let number = choice.whole("index").unwrap_or_default();
            let Some(delta) = choice.nested("delta") else { continue };
            if let Some(text) = delta.text("content") {
                self.said.push_str(&text);
            }
            if let Some(call) = delta.nested("function_call") {
                self.piece(wire, (number, u64::MAX), &call, &call);
            }
            let Some(calls) = delta.nested("tool_calls") else { continue };
            for call in calls.items().filter_map(|call| Json::parse(call.into()).ok()) {
                let index = call.whole("index").unwrap_or_else(|| self.newest(number, &call));
                if let Some(function) = call.nested("function") {
                    self.piece(wire, (number, index), &call, &function);
                }
            }
        }
    }

    /// Some vendors give no index: an id begins the next call.
    fn newest(&self, choice: u64, call: &Json<'_>) -> u64 {
        let last = self.calls.keys().rev().find(|(number, _)| *number == choice).map_or(0, |(_, index)| *index);
        last + u64::from(call.word("id").is_some() && !self.calls.is_empty())
    }

    fn piece(&mut self, wire: &mut Wire, place: (u64, u64), call: &Json<'_>, function: &Json<'_>) {
        let id = call.word("id");
        let other = |piece: &Piece| id.as_ref().is_some_and(|id| !piece.id.is_empty() && piece.id != *id);
        if self.calls.get(&place).is_some_and(other) {
            // Another call in the place of the one before, which has come whole then.
            self.finish_calls(wire);
        }
        let piece = self.calls.entry(place).or_default();
        if let Some(id) = id {
            piece.id = id;
        }
        if let Some(name) = function.text("name").filter(|_| piece.name.is_empty()) {
            piece.name = name.into_owned();
        }
        if let Some(part) = function.text("arguments") {
            piece.input.push_str(&part);
        }
    }

    fn finish_calls(&mut self, wire: &mut Wire) {
        for (_, call) in std::mem::take(&mut self.calls) {
            let input = if call.input.is_empty() { "{}".to_owned() } else { call.input };
            wire.call(call.id, call.name.into(), Content::Held(input.into()));
        }
    }

    fn responses(&mut self, wire: &mut Wire, json: &Json<'_>, kind: &str) {
        let index = json.whole("output_index").unwrap_or_default();
        match kind {
            "response.created" | "response.in_progress" | "response.queued" => {
                if let Some(response) = json.nested("response") {
                    // Proxies change the id of a response while it comes; only its creation begins one.
                    if kind == "response.created" || !self.is_open {
                        self.begin(wire, &response);
                    }
                }
            }
            "response.output_item.added" => {
                let Some(item) = json.nested("item").filter(|_| !self.done.contains(&index)) else { return };
                self.items.insert(index, Piece { first: item.raw().to_owned(), ..Piece::default() });
            }
            "response.output_item.done" => {
                self.items.remove(&index);
                if let Some(item) = json.nested("item").filter(|_| !self.done.contains(&index)) {
                    self.done.insert(index);
                    wire.exchange();
                    wire.message_of_model(&item);
                }
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                let Some(response) = json.nested("response") else { return };
                if !self.is_open {
                    self.begin(wire, &response);
                }
                wire.exchange();
                if let Some(output) = response.nested("output") {
                    for (position, item) in output.items().enumerate() {
                        let position = position as u64;
                        if self.done.contains(&position) {
                            continue;
                        }
                        self.done.insert(position);
                        self.items.remove(&position);
                        if let Ok(item) = Json::parse(item.into()) {
                            wire.message_of_model(&item);
                        }
                    }
                }
                wire.times(&response);
                wire.tokens(&response);
                let error = response.nested("error").and_then(|error| error.word("message"));
                if let Some(exchange) = wire.transcript.last(&wire.agent) {
                    exchange.error = error.or(exchange.error.take());
                }
            }
            kind if kind.rsplit('.').next() == Some("delta") => {
                if let (Some(item), Some(part)) = (self.items.get_mut(&index), json.text("delta")) {
                    item.input.push_str(&part);
                }
            }
            _ => {}
        }
    }
}

/// Reads a block whose pieces have come, out of a buffer of its own.
fn finish_block(wire: &mut Wire, block: &Piece) {
    if block.first.is_empty() {
        return;
    }
    let buffer: Buffer = Arc::new(block.first.clone());
    wire.with_buffer(&buffer, |wire, buffer| {
        let Ok(json) = Json::parse(buffer.as_str().into()) else { return };
        if block.input.is_empty() {
            wire.block(&json, true);
            return;
        }
        let name = json.word("name").unwrap_or_default();
        wire.call(Arc::clone(&block.id), name, Content::Held(Text::from(block.input.as_str())));
    });
}

/// Reads an item that never came whole: what was begun, with the arguments as far as they came.
fn finish_item(wire: &mut Wire, item: &Piece) {
    let first = match item.input.as_str() {
        "" => item.first.clone(),
        input => {
            // Of equal keys the last holds.
            let open = item.first.trim_end().strip_suffix('}').unwrap_or("{");
            let input = quote(input);
            format!(r#"{open},"arguments":{input},"input":{input},"code":{input}}}"#)
        }
    };
    wire.exchange();
    wire.with_buffer(&Arc::new(first), |wire, buffer| {
        if let Ok(json) = Json::parse(buffer.as_str().into()) {
            wire.message_of_model(&json);
        }
    });
}
