//! Calls and results of ``OpenAI``'s Chat Completions, in the old form without ids too, and in SWE-agent's with a list of ids.

use std::sync::Arc;

use super::super::content;
use super::super::transcript::Answer;
use super::{Wire, arguments};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::Content;

impl Wire {
    /// The calls of a message of the model.
    pub(super) fn chat_calls(&mut self, json: &Json<'_>) {
        if let Some(calls) = json.nested("tool_calls") {
            for (position, call) in calls.items().enumerate() {
                match Json::parse(call.into()) {
                    Ok(call) if call.is_object() => self.chat_call(&call),
                    _ => self.transcript.problem(format!("tool_calls[{position}]"), "it is no object"),
                }
            }
        }
        if let Some(call) = json.nested("function_call") {
            let input = arguments(&self.buffer, call.get("arguments"));
            self.call(Arc::default(), call.word("name").unwrap_or_default(), input);
        }
    }

    fn chat_call(&mut self, json: &Json<'_>) {
        let part = json.nested("function").or_else(|| json.nested("custom"));
        // Inspect and others write name and arguments without the part between.
        let part = part.as_ref().unwrap_or(json);
        let name = part.word("name").or_else(|| part.word("function")).unwrap_or_default();
        let input = match part.get("input").or_else(|| part.get("arguments")) {
            None => Content::None,
            raw => arguments(&self.buffer, raw),
        };
        self.call(json.word("id").unwrap_or_default(), name, input);
    }

    /// A message of a tool, or of a function in the old form.
    pub(super) fn chat_result(&mut self, json: &Json<'_>, role: &str) {
        let ids = json.nested("tool_call_ids");
        let listed = ids.as_ref().and_then(|ids| ids.items().next()).and_then(crate::json::string);
        let id = json.word("tool_call_id").or_else(|| listed.map(Into::into)).unwrap_or_default();
        let raw = json.get("content").unwrap_or("null");
        let output = content::blocks(&self.buffer, raw);
        let name = if role == "function" { json.word("name").unwrap_or_default() } else { Arc::default() };
        // Inspect says what went wrong beside the content.
        let is_error = json.nested("error").is_some();
        self.result(&name, Answer { id, output, is_error, ..Answer::default() });
    }
}
