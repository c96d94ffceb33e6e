//! Reading of files and folders.

use super::super::facts::Facts;
use super::super::image;
use super::super::summary::{count_lines, counted};
use super::{COMMON, Family, PATH, Shown};

pub(super) static FAMILY: Family = Family {
    names: &[
        "read",
        "read_file",
        "ReadFile",
        "read_files",
        "read_many_files",
        "view",
        "view_file",
        "NotebookRead",
        "open",
        "cat",
    ],
    call,
    result,
    shown: Shown::Verbatim,
    ..COMMON
};

/// `path:1-80`; of several files the first and how many more.
fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    if let Some(files) = given.nested(&["files", "paths", "file_paths"]).filter(crate::json::Json::is_array) {
        let paths: Vec<_> = files.items().filter_map(path_of).collect();
        return Some(first_and_more(&paths)).filter(|paths| !paths.is_empty());
    }
    let path = given.text(&PATH)?;
    let start = given.integer(&["offset", "start_line", "startLine", "StartLine", "start_line_one_indexed"]);
    let end = given.integer(&["end_line", "endLine", "EndLine", "end_line_one_indexed_inclusive"]);
    let limit = given.integer(&["limit"]).filter(|limit| *limit > 0);
    let (start, end) = match given.nested(&["view_range"]).map(|range| {
        let mut numbers = range.items().map(|item| item.parse::<i64>().ok());
        (numbers.next().flatten(), numbers.next().flatten())
    }) {
        Some(range) => range,
        None => (start, end),
    };
    let first = start.filter(|start| *start > 0).unwrap_or(1);
    let last = end.filter(|end| *end > 0).or_else(|| limit.map(|limit| first.saturating_add(limit - 1)));
    Some(match (start, last) {
        (None | Some(0), None) => path,
        (_, Some(last)) => format!("{path}:{first}-{last}"),
        (Some(start), None) => format!("{path}:{start}-"),
    })
}

fn path_of(item: &str) -> Option<String> {
    use crate::json::{Json, string};
    if let Some(path) = string(item) {
        return Some(path.into_owned());
    }
    let object = Json::parse(item.into()).ok()?;
    PATH.iter().find_map(|key| object.text(key)).map(std::borrow::Cow::into_owned)
}

/// The first, and `+2 more`.
pub(super) fn first_and_more(paths: &[String]) -> String {
    match paths {
        [] => String::new(),
        [path] => path.clone(),
        [first, more @ ..] => format!("{first} +{} more", more.len()),
    }
}

fn result(facts: &Facts) -> Option<String> {
    let structured = facts.structured();
    if let Some(images) = image::summary(facts.blocks()) {
        return Some(images);
    }
    if let Some(lines) = structured.and_then(|json| json.nested("file")?.integer("numLines")) {
        let lines = usize::try_from(lines).ok()?;
        return Some(if lines == 0 { "empty file".to_owned() } else { counted(lines, "line", "lines") });
    }
    let text = facts.body();
    if text.trim_ascii().is_empty() || text.trim_ascii_start().starts_with("(empty file") || says_empty(text) {
        return Some("empty file".to_owned());
    }
    if let Some(entries) = entries(facts, text) {
        return Some(counted(entries, "entry", "entries"));
    }
    Some(counted(file_lines(text), "line", "lines"))
}

/// Claude Code's warning in place of an empty file.
fn says_empty(text: &str) -> bool {
    text.starts_with("<system-reminder>") && text.contains("contents are empty")
}

/// Lines of the file itself: where an agent numbers them, what stands around them does not count.
fn file_lines(text: &str) -> usize {
    // A heading may stand above the first line.
    const HEADING: usize = 3;
    let Some((above, mut next)) =
        text.lines().take(HEADING).enumerate().find_map(|(at, line)| Some((at, number(line)?)))
    else {
        return count_lines(text);
    };
    let mut count = 0;
    for line in text.lines().skip(above) {
        // A line of the file that was broken has no number of its own.
        if number(line) == Some(next) {
            count += 1;
            next += 1;
        }
    }
    // Numbers that do not go on are the file's own.
    if count == 1 { count_lines(text) } else { count }
}

/// The number of `     1→text`, `1\ttext`, `00001| text`, `1: text`.
fn number(line: &str) -> Option<u64> {
    let rest = line.trim_ascii_start();
    let after = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    let is_number = after.is_empty() || after.starts_with(['→', '\t', '|', ':']);
    rest[..rest.len() - after.len()].parse().ok().filter(|_| is_number)
}

/// How many entries a folder has, when the text lists one.
fn entries(facts: &Facts, text: &str) -> Option<usize> {
    if let Some(told) = text.rfind(" entries)") {
        let number = text[..told].rsplit(|char: char| !char.is_ascii_digit()).next();
        return number.and_then(|number| number.parse().ok());
    }
    let is_folder = facts.given().text(&PATH).is_some_and(|path| path.ends_with(['/', '\\']));
    // A list of names of which some end as folders do is no file that anybody writes.
    let is_name =
        |line: &str| !line.trim_ascii_end().contains(['{', '}', '(', ')', ';', '=', '<', '>', '"', ' ', '\t']);
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let lists = || lines().all(is_name) && lines().any(|line| line.trim_ascii_end().ends_with('/'));
    (is_folder || lists()).then(|| lines().count())
}
