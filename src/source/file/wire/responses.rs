//! Items of ``OpenAI``'s Responses API: calls, their outputs, and hosted tools that hold their own result.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::content;
use super::super::transcript::Answer;
use super::{Wire, arguments};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Block, Content, Input, Outcome, Refuser, Text};

/// Whether a type is that of an item that may be read here.
pub(super) fn is_item(kind: &str) -> bool {
    kind.ends_with("_call")
        || kind.ends_with("_output")
        || matches!(kind, "program" | "mcp_approval_request" | "mcp_approval_response")
}

impl Wire {
    /// Takes in an item that is no message.
    pub(super) fn item(&mut self, json: &Json<'_>) {
        let kind = json.word("type").unwrap_or_default();
        match &*kind {
            "mcp_call" => self.mcp_call(json),
            "mcp_approval_request" => {
                let id = json.word("id").unwrap_or_default();
                let input = arguments(&self.buffer, json.get("arguments"));
                self.call(Arc::clone(&id), json.word("name").unwrap_or_default(), input);
                self.awaits_approval(&id);
            }
            "mcp_approval_response" => self.approval(json),
            kind if kind.ends_with("_output") => self.item_output(json, kind),
            kind => self.item_call(json, kind),
        }
    }

    fn item_call(&mut self, json: &Json<'_>, kind: &str) {
        let buffer = Arc::clone(&self.buffer);
        let written = |key: &str| match json.get(key) {
            None | Some("null") => Content::None,
            raw => content::input(&buffer, raw),
        };
        let tool = kind.strip_suffix("_call").unwrap_or(kind);
        let (name, input): (Arc<str>, Input) = match kind {
            "function_call" => (json.word("name").unwrap_or_default(), arguments(&buffer, json.get("arguments"))),
            "custom_tool_call" => (json.word("name").unwrap_or_default(), written("input")),
            "apply_patch_call" => (tool.into(), written("operation")),
            "tool_search_call" => (tool.into(), written("arguments")),
            "program" | "code_interpreter_call" => (tool.into(), written("code")),
            "file_search_call" => (tool.into(), written("queries")),
            "image_generation_call" => (tool.into(), written("revised_prompt")),
            _ => {
                let own = ["action", "arguments", "input"].into_iter().find(|key| json.get(key).is_some());
                let whole = || Content::Held(Text::within(&buffer, json.raw()));
                (json.word("name").unwrap_or_else(|| tool.into()), own.map_or_else(whole, written))
            }
        };
        // A search that the provider runs has no call id; its item's id names it.
        let id = json.word("call_id").or_else(|| json.word("id")).unwrap_or_default();
        let Some(position) = self.call(Arc::clone(&id), name, input) else { return };
        if json.get("call_id") == Some("null") {
            self.unnamed.entry(tool.into()).or_default().push_back(position);
        }
        if let Some(answer) = self.hosted(json, kind, id)
            && self.is_open(position)
        {
            self.transcript.result_of(position, answer);
        }
    }

    /// The result that a hosted tool's item holds.
    fn hosted(&self, json: &Json<'_>, kind: &str, id: Arc<str>) -> Option<Answer> {
        let blocks = |key: &str| content::blocks(&self.buffer, json.get(key).unwrap_or("null"));
        let output = match kind {
            "web_search_call" => {
                let action = json.nested("action");
                let sources = action.as_ref().and_then(|action| action.get("sources"));
                sources.map(|raw| Block::Json(Text::within(&self.buffer, raw))).into_iter().collect()
            }
            "file_search_call" => blocks("results"),
            "code_interpreter_call" => self.logs(json),
            "image_generation_call" => self.picture(json).into_iter().collect(),
            _ if json.get("call_id").is_none() && json.get("output").is_some() => blocks("output"),
            _ => return None,
        };
        let status = json.text("status").unwrap_or_default();
        let has_ended = matches!(&*status, "completed" | "failed" | "incomplete" | "");
        has_ended.then(|| Answer { id, output, is_error: status == "failed", ..Answer::default() })
    }

    fn logs(&self, json: &Json<'_>) -> Vec<Block> {
        let Some(outputs) = json.nested("outputs") else { return Vec::new() };
        let outputs = outputs.items().filter_map(|raw| {
            let output = Json::parse(raw.into()).ok()?;
            let logs = content::text(&self.buffer, &output, "logs").map(Block::Text);
            logs.or_else(|| content::image_at(&self.buffer, output.get("url")?))
                .or_else(|| Some(Block::Json(Text::within(&self.buffer, raw))))
        });
        outputs.collect()
    }

    fn picture(&self, json: &Json<'_>) -> Option<Block> {
        let format = json.text("output_format").unwrap_or("png".into());
        let data = content::text(&self.buffer, json, "result")?;
        Some(Block::Image { media_type: format!("image/{format}").into(), data })
    }

    fn mcp_call(&mut self, json: &Json<'_>) {
        let id = json.word("id").unwrap_or_default();
        // A call that had to be allowed goes on under the id of its request.
        let asked = json.word("approval_request_id").and_then(|request| self.of_id(&request));
        let position = if let Some(position) = asked {
            Some(position)
        } else {
            let input = arguments(&self.buffer, json.get("arguments"));
            self.call(Arc::clone(&id), json.word("name").unwrap_or_default(), input)
        };
        let error = json.get("error").filter(|raw| *raw != "null");
        let output = json.get("output").filter(|raw| *raw != "null");
        let Some(raw) = error.or(output) else { return };
        if let Some(position) = position.filter(|&position| self.is_open(position)) {
            let output = content::blocks(&self.buffer, raw);
            self.transcript.result_of(position, Answer { id, output, is_error: error.is_some(), ..Answer::default() });
        }
    }

    fn approval(&mut self, json: &Json<'_>) {
        let Some(position) = json.word("approval_request_id").and_then(|id| self.of_id(&id)) else { return };
        let outcome = if json.flag("approve") { Outcome::Running } else { Outcome::Refused { by: Refuser::User } };
        if let Some(call) = self.transcript.call_at(position).filter(|call| call.outcome == Outcome::AwaitingApproval) {
            call.outcome = outcome;
        }
    }

    fn item_output(&mut self, json: &Json<'_>, kind: &str) {
        let tool = kind.strip_suffix("_output").unwrap_or(kind);
        let key = if kind == "tool_search_output" { "tools" } else { "output" };
        let raw = json.get(key).unwrap_or("null");
        let (output, has_failed) = match kind {
            "shell_call_output" => self.shell(raw),
            "tool_search_output" => (vec![Block::Json(Text::within(&self.buffer, raw))], false),
            _ => (content::blocks(&self.buffer, raw), false),
        };
        let is_error = has_failed || json.text("status").as_deref() == Some("failed");
        let answer = Answer { output, is_error, ..Answer::default() };
        if let Some(id) = json.word("call_id") {
            self.result("", Answer { id, ..answer });
            return;
        }
        // Without a call id it answers the oldest call of its tool without one.
        let name = tool.strip_suffix("_call").unwrap_or(tool);
        match self.unnamed.get_mut(name).and_then(VecDeque::pop_front) {
            Some(position) if self.is_open(position) => self.transcript.result_of(position, answer),
            Some(_) => {}
            None => self.result(name, Answer { id: json.word("id").unwrap_or_default(), ..answer }),
        }
    }

    /// What each command of a shell call wrote, and whether one failed.
    fn shell(&self, raw: &str) -> (Vec<Block>, bool) {
        let Ok(list) = Json::parse(raw.into()) else { return (Vec::new(), false) };
        if !list.is_array() {
            return (content::blocks(&self.buffer, raw), false);
        }
        let (mut blocks, mut has_failed) = (Vec::new(), false);
        for part in list.items().filter_map(|part| Json::parse(part.into()).ok()) {
            for key in ["stdout", "stderr"] {
                let text = content::text(&self.buffer, &part, key).filter(|text| !text.read().is_empty());
                blocks.extend(text.map(Block::Text));
            }
            if let Some(outcome) = part.nested("outcome") {
                has_failed |= outcome.text("type").as_deref() == Some("timeout")
                    || outcome.integer("exit_code").is_some_and(|code| code != 0);
            }
        }
        (blocks, has_failed)
    }
}
