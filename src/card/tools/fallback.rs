//! Tools that no family names, MCP tools among them.

use super::super::facts::Facts;
use super::super::given::Given;
use super::super::lines::{Language, Lines};
use super::super::part::{Field, Part, note};
use super::{COMMON, Family};
use crate::json::{self, Json};

pub(in super::super) static FAMILY: Family = COMMON;

/// What is most telling, in this order.
const TELLING: [&str; 11] =
    ["command", "path", "file_path", "query", "url", "pattern", "name", "question", "title", "task", "message"];

/// The first telling argument, else the whole input.
pub(in super::super) fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    given.text(&TELLING).or_else(|| given.text(&["conversationId"])).or_else(|| match given {
        Given::Absent => None,
        Given::Json(json) => Some(json.raw().to_owned()),
        Given::Text(text) => Some(text.to_string()),
    })
}

/// Keys and values, or the text that it is.
pub(in super::super) fn input(facts: &Facts) -> Vec<Part> {
    match facts.given() {
        Given::Absent => Vec::new(),
        Given::Text(text) if text.is_empty() => vec![note("empty input")],
        Given::Text(text) => vec![Part::Lines(Lines::plain(text.as_ref()))],
        Given::Json(json) => fields(json, &[]),
    }
}

/// An object as keys and values, without those that are shown elsewhere; any other value as JSON.
pub(super) fn fields(json: &Json, shown: &[&str]) -> Vec<Part> {
    if !json.is_object() {
        return vec![Part::Lines(value(json.raw()))];
    }
    let fields = json.fields().filter(|(key, _)| !shown.contains(&&**key));
    let fields: Vec<_> = fields.map(|(key, raw)| Field { key: key.into_owned(), value: value(raw) }).collect();
    match (fields.is_empty(), shown.is_empty()) {
        (false, _) => vec![Part::Fields(fields)],
        (true, true) => vec![note("no arguments")],
        (true, false) => Vec::new(),
    }
}

/// A text as it stands, anything else as JSON. An empty text shows its quotes, or nothing would be seen.
fn value(raw: &str) -> Lines {
    match json::string(raw) {
        Some(text) if !text.is_empty() => Lines::plain(text),
        _ => Lines::new(json::pretty(raw), Language::Json),
    }
}
