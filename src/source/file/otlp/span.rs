//! One span, with the attributes that matter.

use std::sync::Arc;

use super::super::content;
use super::{held, objects};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Block, Buffer, Input, Span, Text, Timestamp};

/// A span.
#[derive(Default)]
pub(super) struct Spanned {
    pub trace: Arc<str>,
    pub id: Arc<str>,
    pub parent: Option<Arc<str>>,
    pub time: Span,
    pub is_error: bool,
    pub error: Option<Arc<str>>,
    name: Arc<str>,
    operation: Arc<str>,
    pub conversation: Option<Arc<str>>,
    pub agent_name: Option<Arc<str>>,
    pub tool: Arc<str>,
    /// The id of the call.
    pub call: Arc<str>,
    pub input: Input,
    pub output: Vec<Block>,
    pub model: Arc<str>,
    /// In and out.
    pub tokens: (Option<u64>, Option<u64>),
    /// Messages to the model and from it, as JSON.
    pub asked: Option<Text>,
    pub told: Option<Text>,
}

impl Spanned {
    pub fn of(json: &Json<'_>, buffer: &Buffer) -> Self {
        let nanos = |key: &str| {
            let nanos = json.word(key)?.parse().ok()?;
            (nanos > 0).then_some(Timestamp(nanos))
        };
        let status = json.nested("status");
        let code = status.as_ref().and_then(|status| status.word("code")).unwrap_or_default();
        let message = status.as_ref().and_then(|status| status.word("message"));
        let mut span = Self {
            trace: json.word("traceId").unwrap_or_default(),
            id: json.word("spanId").unwrap_or_default(),
            parent: json.word("parentSpanId"),
            time: Span { start: nanos("startTimeUnixNano"), end: nanos("endTimeUnixNano") },
            is_error: matches!(&*code, "2" | "STATUS_CODE_ERROR"),
            name: json.word("name").unwrap_or_default(),
            ..Self::default()
        };
        if let Some(attributes) = json.nested("attributes") {
            for attribute in objects(&attributes) {
                let key = attribute.word("key").unwrap_or_default();
                if let Some(value) = attribute.nested("value") {
                    span.attribute(&key, &value, buffer);
                }
            }
        }
        if span.tool.is_empty() {
            span.tool = span.name.strip_prefix("execute_tool ").unwrap_or_default().into();
        }
        if span.is_error {
            span.error.clone_from(&message);
        }
        if let Some(words) = json.nested("events").and_then(|events| exception(&events, buffer)) {
            span.is_error = true;
            // The tool raised: what it said is all that came of it.
            if span.output.is_empty() {
                span.output.push(Block::Text(words));
            }
        } else if span.is_error && span.output.is_empty() {
            span.output.extend(message.map(|message| Block::Text((*message).into())));
        }
        span
    }

    /// A tool's span of which only the attributes were kept, under their names.
    pub fn of_attributes(json: &Json<'_>, buffer: &Buffer) -> Self {
        let mut span = Self { operation: json.word("gen_ai.operation.name").unwrap_or_default(), ..Self::default() };
        span.tool = json.word("gen_ai.tool.name").unwrap_or_default();
        span.call = json.word("gen_ai.tool.call.id").unwrap_or_default();
        let input = json.get("gen_ai.tool.call.arguments").or_else(|| json.get("input"));
        let output = json.get("gen_ai.tool.call.result").or_else(|| json.get("output"));
        span.input = content::input(buffer, input);
        span.output = output.map(|raw| content::blocks(buffer, raw)).unwrap_or_default();
        span
    }

    fn attribute(&mut self, key: &str, value: &Json<'_>, buffer: &Buffer) {
        let word = || scalar(value);
        match key {
            "gen_ai.operation.name" => self.operation = word().unwrap_or_default(),
            "gen_ai.conversation.id" => self.conversation = word(),
            "gen_ai.agent.name" | "agent_name" => self.agent_name = word(),
            "gen_ai.tool.name" => self.tool = word().unwrap_or_default(),
            "gen_ai.tool.call.id" => self.call = word().unwrap_or_default(),
            "gen_ai.request.model" | "gen_ai.response.model" => self.model = word().unwrap_or_default(),
            "gen_ai.tool.call.arguments" | "tool_arguments" | "input.value" => self.input = held(text(value, buffer)),
            "gen_ai.tool.call.result" | "tool_response" | "output.value" => {
                self.output = text(value, buffer).map(Block::Text).into_iter().collect();
            }
            "gen_ai.usage.input_tokens" => self.tokens.0 = word().and_then(|word| word.parse().ok()),
            "gen_ai.usage.output_tokens" => self.tokens.1 = word().and_then(|word| word.parse().ok()),
            "gen_ai.input.messages" => self.asked = text(value, buffer),
            "gen_ai.output.messages" => self.told = text(value, buffer),
            _ => {}
        }
    }

    pub fn is_tool(&self) -> bool {
        &*self.operation == "execute_tool" || self.operation.is_empty() && self.name.starts_with("execute_tool ")
    }

    pub fn is_agent(&self) -> bool {
        matches!(&*self.operation, "invoke_agent" | "create_agent")
            || self.operation.is_empty() && (self.name.starts_with("invoke_agent") || &*self.name == "agent run")
    }

    pub fn is_chat(&self) -> bool {
        matches!(&*self.operation, "chat" | "generate_content" | "text_completion")
            || self.operation.is_empty() && self.name.starts_with("chat ")
    }

    /// A span is written when it has ended; attributes on their own tell it by their result.
    pub fn has_ended(&self) -> bool {
        self.time.end.is_some() || self.id.is_empty() && !self.output.is_empty()
    }
}

/// The text of an attribute of a resource.
pub(super) fn attribute(json: &Json<'_>, name: &str) -> Option<Arc<str>> {
    let attributes = json.nested("attributes")?;
    let found = objects(&attributes).find(|attribute| attribute.text("key").as_deref() == Some(name))?;
    scalar(&found.nested("value")?)
}

fn scalar(value: &Json<'_>) -> Option<Arc<str>> {
    ["stringValue", "intValue", "boolValue", "doubleValue"].iter().find_map(|key| value.word(key))
}

/// A value as text; what is no text as JSON.
fn text(value: &Json<'_>, buffer: &Buffer) -> Option<Text> {
    if let Some(text) = content::text(buffer, value, "stringValue") {
        return Some(text);
    }
    value.fields().next().map(|(_, raw)| Text::within(buffer, raw))
}

/// The words of the exception among a span's events.
fn exception(events: &Json<'_>, buffer: &Buffer) -> Option<Text> {
    let event = objects(events).find(|event| event.text("name").as_deref() == Some("exception"))?;
    let attributes = event.nested("attributes");
    let message = attributes.as_ref().and_then(|attributes| {
        objects(attributes).find_map(|attribute| {
            let is_message = attribute.text("key").as_deref() == Some("exception.message");
            text(&attribute.nested("value").filter(|_| is_message)?, buffer)
        })
    });
    Some(message.unwrap_or_else(|| "".into()))
}
