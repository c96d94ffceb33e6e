//! Blocks of Anthropic's messages and of the AI SDK's model messages.

use std::sync::Arc;

use super::super::content;
use super::super::transcript::Answer;
use super::{Wire, arguments};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Block, Content, Outcome, Refuser, Text};

impl Wire {
    /// Takes in a block of a message.
    pub(super) fn block(&mut self, json: &Json<'_>, is_model: bool) {
        let Some(kind) = json.text("type") else { return };
        match &*kind {
            "text" if is_model => {
                if let Some(text) = content::text(&self.buffer, json, "text")
                    && (!self.is_history || self.has_exchange)
                {
                    self.say(text);
                }
            }
            "tool-call" => self.sdk_call(json),
            "tool-result" => self.sdk_result(json),
            "tool-approval-request" => self.sdk_approval(json),
            kind if kind.ends_with("tool_use") => {
                let input = content::input(&self.buffer, json.get("input"));
                let id = json.word("id").unwrap_or_default();
                self.call(id, json.word("name").unwrap_or_default(), input);
            }
            kind if kind.ends_with("tool_result") => {
                let raw = json.get("content").unwrap_or("null");
                let answer = Answer {
                    id: json.word("tool_use_id").unwrap_or_default(),
                    output: self.output(raw),
                    is_error: json.is_true("is_error") || is_error(raw),
                    ..Answer::default()
                };
                self.result("", answer);
            }
            _ => {}
        }
    }

    /// The content of a result; what a hosted tool gives is a value.
    fn output(&self, raw: &str) -> Vec<Block> {
        let is_text = content::inside(raw).is_some();
        let is_list = raw.starts_with('[');
        if is_text || is_list || raw == "null" {
            return content::blocks(&self.buffer, raw);
        }
        vec![Block::Json(Text::within(&self.buffer, raw))]
    }

    fn sdk_call(&mut self, json: &Json<'_>) {
        let raw = json.get("input").or_else(|| json.get("args"));
        let input = raw.map_or(Content::None, |raw| arguments(&self.buffer, Some(raw)));
        let id = json.word("toolCallId").unwrap_or_default();
        self.call(id, json.word("toolName").unwrap_or_default(), input);
    }

    fn sdk_result(&mut self, json: &Json<'_>) {
        let mut answer = Answer { id: json.word("toolCallId").unwrap_or_default(), ..Answer::default() };
        // In version 4 the result stands there bare.
        let raw = json.get("output").or_else(|| json.get("result")).unwrap_or("null");
        let output = Json::parse(raw.into()).ok().filter(|output| output.get("type").is_some());
        let kind = output.as_ref().and_then(|output| output.word("type")).unwrap_or_default();
        answer.is_error = kind.starts_with("error") || json.is_true("isError");
        if &*kind == "execution-denied" {
            answer.outcome = Some(Outcome::Refused { by: Refuser::User });
        }
        let value = output.as_ref().and_then(|output| output.get("value").or_else(|| output.get("reason")));
        answer.output = match (value, &*kind) {
            (None, "execution-denied") => Vec::new(),
            (value, _) => content::blocks(&self.buffer, value.unwrap_or(raw)),
        };
        self.result("", answer);
    }

    fn sdk_approval(&mut self, json: &Json<'_>) {
        let id = json.word("toolCallId").unwrap_or_default();
        let Some(&position) = self.transcript.calls_of(&id).last() else { return };
        if let Some(call) = self.transcript.call_at(position)
            && call.outcome == Outcome::Running
        {
            call.outcome = Outcome::AwaitingApproval;
        }
    }

    /// Marks the newest call of an id as one that somebody has to allow.
    pub(in super::super) fn awaits_approval(&mut self, id: &Arc<str>) {
        if let Some(position) = self.transcript.calls_of(id).last().copied()
            && let Some(call) = self.transcript.call_at(position)
        {
            call.outcome = Outcome::AwaitingApproval;
        }
    }
}

/// Whether the content of a hosted tool's result is an error object.
fn is_error(raw: &str) -> bool {
    raw.starts_with('{')
        && Json::parse(raw.into())
            .is_ok_and(|content| content.text("type").is_some_and(|kind| kind.ends_with("_error")))
}
