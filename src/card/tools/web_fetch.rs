//! Fetching of pages.

use super::super::facts::Facts;
use super::super::summary::bytes;
use super::{COMMON, Family};

pub(super) static FAMILY: Family = Family {
    names: &[
        "web_fetch",
        "WebFetch",
        "fetch",
        "fetch_page",
        "fetch_url",
        "FetchURL",
        "read_url",
        "read_url_content",
        "browser_navigate",
        "open_url",
    ],
    call: |facts| facts.given().text(&["url", "Url", "uri", "prompt"]),
    result,
    failure: |facts| status(facts).map(|status| format!("failed · {status}")),
    ..COMMON
};

fn result(facts: &Facts) -> Option<String> {
    if let Some(status) = facts.structured().and_then(|json| json.integer("code")).filter(|code| *code >= 400) {
        return Some(format!("failed · {status}"));
    }
    let text = facts.body();
    let told = facts.structured().and_then(|json| json.integer("bytes")).and_then(|size| usize::try_from(size).ok());
    (!text.is_empty()).then(|| bytes(told.unwrap_or(text.len())))
}

/// The status of a failed request.
fn status(facts: &Facts) -> Option<i64> {
    if let Some(status) = facts.structured().and_then(|json| json.integer("code")) {
        return Some(status);
    }
    let text = facts.first_line()?;
    let is_status = |word: &str| word.len() == 3 && matches!(word.as_bytes()[0], b'4' | b'5');
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric());
    words.find(|word| is_status(word)).and_then(|word| word.parse().ok())
}
