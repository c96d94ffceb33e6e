//! Requests, responses, message lists and streams of the model providers' APIs, as they were saved (specs: session-files
//! §4, §5), the AI SDK's model messages, and logs that hold a request with its response.

#[cfg(test)]
mod tests;

use super::source::{Container, Reader, Sample, Source};
use super::transcript::Transcript;
use super::wire::{Stream, Wire};
use super::{Belongs, Format, Reading};
use crate::json::Json;

const ANTHROPIC_EVENTS: [&str; 6] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
];

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    match sample.container {
        Container::Document => {
            sample.any(|json| is_list(json) || is_request(json) || is_response(json) || is_event(json))
        }
        Container::Lines | Container::Events => sample.any(is_event),
    }
}

fn is_event(json: &Json<'_>) -> bool {
    let kind = json.text("type").unwrap_or_default();
    ANTHROPIC_EVENTS.contains(&&*kind)
        || kind.starts_with("response.")
        || json.text("object").as_deref() == Some("chat.completion.chunk")
}

fn is_request(json: &Json<'_>) -> bool {
    ["messages", "input"].iter().any(|key| json.nested(key).is_some_and(|list| is_list(&list)))
}

fn is_response(json: &Json<'_>) -> bool {
    let object = json.text("object").unwrap_or_default();
    object == "response"
        || object == "chat.completion"
        || json.text("type").as_deref() == Some("message") && json.get("content").is_some()
        || json.nested("output").is_some_and(|output| output.is_array()) && json.get("model").is_some()
        || json.nested("choices").is_some_and(|choices| choices.is_array())
        || json.nested("error").is_some_and(|error| error.get("message").is_some() && error.get("type").is_some())
}

/// Whether an array holds messages or items.
fn is_list(json: &Json<'_>) -> bool {
    let is_message = |json: &Json<'_>| {
        json.get("role").is_some()
            && ["content", "tool_calls", "function_call"].iter().any(|key| json.get(key).is_some())
            || json.get("call_id").is_some() && json.get("type").is_some()
    };
    json.is_array() && json.items().take(60).any(|item| Json::parse(item.into()).is_ok_and(|item| is_message(&item)))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut wire = Wire::new(&source.name, &source.buffer);
    let document = source.document().filter(|json| source.container == Container::Document && !is_event(json));
    if let Some(json) = document {
        self::document(&mut wire, &json);
    } else {
        let mut events = Events { wire, stream: Stream::default() };
        source.read_lines(&mut events);
        events.stream.end(&mut events.wire);
        wire = events.wire;
    }
    vec![source.reading(Format::Api, wire.transcript.finish(false), Belongs::Alone)]
}

fn document(wire: &mut Wire, json: &Json<'_>) {
    if json.is_array() {
        wire.messages(json);
        return;
    }
    if is_request(json) {
        wire.request(json);
    }
    if let Some(response) = json.nested("response") {
        wire.response(&response);
    } else if is_response(json) {
        wire.response(json);
    }
}

struct Events {
    wire: Wire,
    stream: Stream,
}

impl Reader for Events {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.wire.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        self.stream.event(&mut self.wire, json);
    }
}
