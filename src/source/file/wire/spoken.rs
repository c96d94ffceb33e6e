//! Calls of models that know no tools: ``OpenHands`` asks them to write `<function=name>` with `<parameter=name>` inside, and
//! tells the result in the words of the next message.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::content;
use super::super::transcript::Answer;
use super::Wire;
use crate::json::{Json, quote};
use crate::trace::{Block, Content, Text};

const RESULT: &str = "EXECUTION RESULT of [";

impl Wire {
    /// The calls in the words of the model.
    pub(super) fn spoken_calls(&mut self, json: &Json<'_>) {
        let raw = json.get("content").unwrap_or("null");
        if !raw.contains("<function=") || json.nested("tool_calls").is_some_and(|calls| calls.items().next().is_some())
        {
            return;
        }
        let Some(text) = content::first_text(raw) else { return };
        let text: Cow<'_, str> = crate::json::unescape(&text).into();
        let mut rest = &*text;
        while let Some((name, body, after)) = function(rest) {
            self.call(Arc::default(), name.into(), Content::Held(parameters(body).into()));
            rest = after;
        }
    }

    /// Notes the result that a message tells; whether it does.
    pub(super) fn spoken_result(&mut self, json: &Json<'_>) -> bool {
        let raw = json.get("content").unwrap_or("null");
        if !raw.contains(RESULT) {
            return false;
        }
        let Some(words) = content::words(content::blocks(&self.buffer, raw)) else { return false };
        let words = words.read();
        let Some((name, output)) = words.strip_prefix(RESULT).and_then(|rest| rest.split_once("]:")) else {
            return false;
        };
        let output = output.strip_prefix('\n').unwrap_or(output);
        self.result(name, Answer { output: vec![Block::Text(Text::from(output))], ..Answer::default() });
        true
    }
}

/// The name of the first function, what stands in it, and what follows it.
fn function(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once("<function=")?.1.split_once('>')?;
    // The end is left out by models that are stopped at it.
    let (body, after) = rest.split_once("</function>").unwrap_or((rest, ""));
    Some((name, body, after))
}

/// The parameters as a JSON object of strings.
fn parameters(mut body: &str) -> String {
    let mut fields = Vec::new();
    while let Some((_, rest)) = body.split_once("<parameter=") {
        let Some((name, rest)) = rest.split_once('>') else { break };
        let (value, after) = rest.split_once("</parameter>").unwrap_or((rest, ""));
        fields.push(format!("{}:{}", quote(name), quote(value.trim_matches('\n'))));
        body = after;
    }
    format!("{{{}}}", fields.join(","))
}
