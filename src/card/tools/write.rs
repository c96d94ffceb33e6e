//! Writing of whole files.

use super::super::facts::Facts;
use super::super::lines::Lines;
use super::super::part::{Field, Part};
use super::super::summary::bytes;
use super::{COMMON, Family, PATH, Shown};

pub(super) static FAMILY: Family = Family {
    names: &[
        "write",
        "write_file",
        "WriteFile",
        "create_file",
        "create",
        "write_to_file",
        "newFileCreated",
        "insert_content",
    ],
    call: |facts| facts.given().text(&PATH),
    result,
    input,
    shown: Shown::Verbatim,
    ..COMMON
};

const CONTENT: [&str; 6] = ["content", "contents", "file_text", "CodeContent", "text", "code_edit"];

fn result(facts: &Facts) -> Option<String> {
    let text = facts.body();
    let kind = facts.structured().and_then(|json| json.text("type"));
    let created = text.starts_with("Created") || text.contains(" created") || kind.as_deref() == Some("create");
    let overwrote = text.contains("verwrote") || text.contains("has been updated") || kind.as_deref() == Some("update");
    let verb = match (overwrote, created) {
        (true, _) => "overwrote",
        (_, true) => "created",
        _ if text.contains("rote ") => "wrote",
        _ => return None,
    };
    let told = told_bytes(text);
    let size = told.or_else(|| facts.given().content(&CONTENT).map(|content| content.len()));
    Some(size.map_or_else(|| verb.to_owned(), |size| format!("{verb} · {}", bytes(size))))
}

/// The N of `(N bytes)` or `wrote N bytes`.
fn told_bytes(text: &str) -> Option<usize> {
    let before = &text[..text.find(" bytes")?];
    before.rsplit(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
}

fn input(facts: &Facts) -> Option<Vec<Part>> {
    let given = facts.given();
    let content = given.content(&CONTENT)?;
    let mut parts = super::fallback::fields(given.object()?, &CONTENT);
    parts.push(Part::Fields(vec![Field { key: "content".to_owned(), value: Lines::plain(content) }]));
    Some(parts)
}
