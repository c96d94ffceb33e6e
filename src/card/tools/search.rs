//! Search in the contents of files.

use super::super::facts::Facts;
use super::super::summary::counted;
use super::{COMMON, Family, Shown};

pub(super) static FAMILY: Family = Family {
    names: &[
        "grep",
        "search",
        "rg",
        "codebase_search",
        "grep_search",
        "search_file_content",
        "search_files",
        "searchFiles",
        "search_dir",
        "search_file",
        "codesearch",
        "code_search",
        "file_search_call",
    ],
    call,
    result: |facts| Some(result(facts)),
    shown: Shown::Verbatim,
    ..COMMON
};

/// The pattern in quotes, where and in which files.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    let mut call = format!("`{}`", given.text(&["pattern", "query", "regex", "Query", "search_term", "search"])?);
    if let Some(path) = given.text(&["path", "dir_path", "SearchPath", "directory", "dir", "cwd"]) {
        call.push_str(" in ");
        call.push_str(&path);
    }
    if let Some(glob) = given.text(&["glob", "include", "file_pattern", "include_pattern", "type", "Includes"]) {
        call.push_str(", ");
        call.push_str(&glob);
    }
    Some(call)
}

fn result(facts: &Facts) -> String {
    if let Some(json) = facts.structured() {
        let mode = json.text("mode");
        let count = |key: &str| json.integer(key).and_then(|count| usize::try_from(count).ok());
        let (number, one, many) = match mode.as_deref() {
            Some("files_with_matches") => (count("numFiles"), "file", "files"),
            _ => (count("numMatches").or_else(|| count("numLines")).or_else(|| count("matches")), "match", "matches"),
        };
        match number {
            Some(0) => return "no matches".to_owned(),
            Some(number) => return counted(number, one, many),
            None => {}
        }
    }
    let text = facts.body();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_ascii();
    let says_none = ["No matches", "No files", "No results", "no matches", "Found 0 "];
    if first.is_empty() || says_none.iter().any(|none| first.starts_with(none)) {
        return "no matches".to_owned();
    }
    if let Some((number, what)) = found(first) {
        let (one, many) = if what.starts_with("file") { ("file", "files") } else { ("match", "matches") };
        return counted(number, one, many);
    }
    let hits = text.lines().filter(|line| !line.trim().is_empty() && line.trim() != "--");
    let lists_files = facts.given().text(&["output_mode"]).is_some_and(|mode| mode == "files_with_matches");
    let (one, many) = if lists_files { ("file", "files") } else { ("match", "matches") };
    counted(hits.count(), one, many)
}

/// The number and what follows it in `Found 12 matches`.
pub(super) fn found(line: &str) -> Option<(usize, &str)> {
    let (number, what) = line.strip_prefix("Found ")?.split_once(' ')?;
    Some((number.parse().ok()?, what))
}
