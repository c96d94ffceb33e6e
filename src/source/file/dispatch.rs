//! What was saved of Dispatch (specs: dispatch-api): a page of the log, or the events of a chat by lines.

#[cfg(test)]
mod tests;

use super::source::{Container, Sample, Source};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::dispatch::Fold;
use crate::trace::Content;

const EVENTS: [&str; 10] = [
    "status",
    "turn-start",
    "text-delta",
    "reasoning-delta",
    "tool-call",
    "tool-result",
    "tool-output",
    "usage",
    "done",
    "turn-sealed",
];

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        is_page(record) || is_event(record) || record.nested("event").is_some_and(|event| is_event(&event))
    })
}

fn is_page(json: &Json<'_>) -> bool {
    // `latestSeq` stands at the end, which may be cut off.
    json.nested("chunks").is_some_and(|chunks| {
        chunks.is_array()
            && (json.get("latestSeq").is_some()
                || chunks.items().next().is_some_and(|chunk| chunk.contains(r#""seq""#)))
    })
}

fn is_event(json: &Json<'_>) -> bool {
    json.get("conversationId").is_some()
        && json.get("turnId").is_some()
        && json.text("type").is_some_and(|kind| EVENTS.contains(&&*kind))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut fold = Fold::new("");
    let is_page = source.container == Container::Document && source.document().is_some_and(|json| is_page(&json));
    if !is_page || fold.page(&source.buffer).is_err() {
        for (number, line) in source.lines() {
            // When the events came is not saved.
            fold.hear(&source.buffer, line, None, &|| format!("line {number}"));
        }
    }
    let mut session = fold.session(false);
    if session.id.is_empty() {
        session.id = source.name.clone();
    }
    let orphans = session.calls.iter().filter(|call| call.asked_by.is_none() && call.input == Content::None).count();
    vec![source.reading(Format::Dispatch, (session, u32::try_from(orphans).unwrap_or(u32::MAX)), Belongs::Alone)]
}
