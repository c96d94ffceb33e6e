//! The rules of the spec, one test each, and what all tests of the room share.

use super::*;
use crate::trace::{CallKey, Content, Outcome, Span, Text, ToolCall};

mod documents;
mod rules;

/// A call that went well.
pub(super) fn call(name: &str, input: &str) -> ToolCall {
    ToolCall {
        key: CallKey { agent: "main".into(), id: "call-1".into(), nth: 0 },
        name: name.into(),
        asked_by: None,
        span: Span::default(),
        approximate: false,
        outcome: Outcome::Ok,
        preview: None,
        input: Content::Held(Text::from(input)),
        output: Content::None,
        structured: None,
    }
}

/// A stand-in for the browser's regular expressions that knows `^`, `$`, `|`, `(?:)` and the flag `i`.
pub(super) struct Globs;

impl Patterns for Globs {
    fn check(&self, pattern: &Pattern) -> Result<(), String> {
        if pattern.source().contains('[') { Err("unclosed [".to_owned()) } else { Ok(()) }
    }

    fn is_found(&self, pattern: &Pattern, name: &str) -> bool {
        let fold = |text: &str| if pattern.flags().contains('i') { text.to_lowercase() } else { text.to_owned() };
        let name = fold(name);
        self.check(pattern).is_ok()
            && fold(pattern.source()).replace("(?:)", "").split('|').any(|part| {
                match (part.strip_prefix('^'), part.strip_suffix('$')) {
                    (Some(_), Some(_)) => name == part[1..part.len() - 1],
                    (Some(start), None) => name.starts_with(start),
                    (None, Some(end)) => name.ends_with(end),
                    (None, None) => name.contains(part),
                }
            })
    }
}

/// A host whose function 0 throws, 1 gives the empty text, 2 the name of the call or `formatted` for an input, 3 two lines.
pub(super) struct Host;

impl Functions for Host {
    fn of_call(&self, function: FunctionId, call: &ToolCall) -> Option<String> {
        match function.0 {
            1 => Some(String::new()),
            2 => Some(format!("of {}", call.name)),
            3 => Some("two\nlines \u{202e}".to_owned()),
            _ => None,
        }
    }

    fn of_input(&self, function: FunctionId, _: &ToolCall) -> Option<String> {
        (function.0 == 2).then(|| "formatted".to_owned())
    }
}
