//! Finding files by name, and listing folders.

use super::super::facts::Facts;
use super::super::summary::counted;
use super::search::found;
use super::{COMMON, Family, PATH, Shown};

pub(super) static FAMILY: Family = Family {
    names: &[
        "glob",
        "find",
        "list",
        "ls",
        "list_dir",
        "list_directory",
        "list_files",
        "listFilesTopLevel",
        "listFilesRecursive",
        "file_search",
        "find_by_name",
        "find_file",
    ],
    call,
    result: |facts| Some(result(facts)),
    shown: Shown::Verbatim,
    ..COMMON
};

/// The pattern, and where when both are given.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    let pattern = given.text(&["pattern", "glob_pattern", "query", "Pattern", "glob"]);
    let path = given.text(&PATH).or_else(|| given.text(&["SearchDirectory", "directory", "dir"]));
    match (pattern, path) {
        (Some(pattern), Some(path)) => Some(format!("{pattern} in {path}")),
        (pattern, path) => pattern.or(path),
    }
}

fn result(facts: &Facts) -> String {
    let structured = facts.structured();
    let told = structured.and_then(|json| json.integer("numFiles")).and_then(|count| usize::try_from(count).ok());
    let text = facts.body();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_ascii();
    let says_none = ["No files", "No matches", "No entries", "none found", "no files", "(empty"];
    let count = told.or_else(|| found(first).map(|(number, _)| number)).unwrap_or_else(|| {
        if says_none.iter().any(|none| first.starts_with(none)) {
            return 0;
        }
        text.lines().filter(|line| is_entry(line)).count()
    });
    if count == 0 { "none found".to_owned() } else { counted(count, "file", "files") }
}

/// A line that names something, and does not tell about the list as `total 12` and a closing remark in brackets do.
fn is_entry(line: &str) -> bool {
    let line = line.trim();
    let is_total = line.strip_prefix("total ").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let is_remark = line.starts_with('(') && line.ends_with(')');
    !line.is_empty() && !is_total && !is_remark
}
