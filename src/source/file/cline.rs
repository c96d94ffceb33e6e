//! Cline and Roo (specs: session-files §10): what their window showed, what went to the model, and the SDK's sessions.

mod history;
#[cfg(test)]
mod tests;
mod window;

use super::source::{Sample, Source};
use super::{Belongs, Format, Reading};
use crate::json::Json;

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| window::is_window(record) || history::is_history(record) || history::is_sdk(record))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let Some(json) = source.document() else { return Vec::new() };
    let (format, transcript) = if window::is_window(&json) {
        (Format::ClineWindow, window::read(source, &json))
    } else if json.is_array() {
        (Format::ClineHistory, history::read(source, &json))
    } else {
        (Format::ClineSdk, history::read_sdk(source, &json))
    };
    vec![source.reading(format, transcript.finish(false), Belongs::Alone)]
}

/// The items of an array that are objects, with their places.
fn objects<'j>(array: &'j Json<'_>) -> impl Iterator<Item = (usize, Option<Json<'j>>)> {
    array.items().map(|item| Json::parse(item.into()).ok().filter(Json::is_object)).enumerate()
}
