//! Changes of files: text replaced by text, and patches.

use super::super::diff::{self, Diff};
use super::super::facts::Facts;
use super::super::given::Given;
use super::super::lines::Lines;
use super::super::part::Part;
use super::super::patch;
use super::super::summary::{Badge, Tone, counted};
use super::read::first_and_more;
use super::{COMMON, Family, PATH, Shown, fallback, read, write};
use crate::json::Json;

pub(super) static FAMILY: Family = Family {
    names: &[
        "edit",
        "edit_file",
        "MultiEdit",
        "str_replace_editor",
        "str_replace_based_edit_tool",
        "str_replace",
        "text_editor",
        "text_editor_code_execution",
        "developer__text_editor",
        "file_editor",
        "editor",
        "replace",
        "StrReplaceFile",
        "search_replace",
        "search_and_replace",
        "replace_in_file",
        "replace_file_content",
        "multi_replace_file_content",
        "editedExistingFile",
        "apply_patch",
        "ApplyPatch",
        "apply_patch_call",
        "apply_diff",
        "patch",
        "NotebookEdit",
    ],
    really: |given| match given.text(&["command"])?.as_str() {
        "view" => Some(&read::FAMILY),
        "create" | "write" => Some(&write::FAMILY),
        _ => None,
    },
    call,
    badges,
    result,
    input,
    shown: Shown::Verbatim,
    ..COMMON
};

const BEFORE: [&str; 8] =
    ["old_string", "oldString", "old_text", "oldText", "old_str", "oldStr", "TargetContent", "search"];
const AFTER: [&str; 10] = [
    "new_string",
    "newString",
    "new_text",
    "newText",
    "new_str",
    "newStr",
    "ReplacementContent",
    "replace",
    "new_source",
    "insert_text",
];
const LISTS: [&str; 2] = ["edits", "ReplacementChunks"];
const PATCH: [&str; 7] = ["patch", "patchText", "patch_text", "input", "diff", "unified_diff", "patch_content"];

/// The texts that are replaced and what replaces them.
fn edits(given: &Given) -> Vec<(String, String)> {
    let edit = |json: &Json| {
        let text = |keys: &[&str]| keys.iter().find_map(|key| json.text(key)).map(std::borrow::Cow::into_owned);
        let after = text(&AFTER)?;
        // A text without one that it replaces is put in.
        Some((text(&BEFORE).unwrap_or_default(), after))
    };
    if let Some(list) = given.nested(&LISTS) {
        return list.items().filter_map(|item| edit(&Json::parse(item.into()).ok()?)).collect();
    }
    given.object().and_then(edit).into_iter().collect()
}

/// The text of a patch.
fn patch_text(given: &Given) -> Option<String> {
    given.free_text().map(str::to_owned).or_else(|| given.content(&PATCH))
}

/// One file of a patch, as the hosted tool `apply_patch_call` has it.
fn operation(given: &Given) -> Option<Diff> {
    let operation = given.nested(&["operation"])?;
    let path = operation.text("path").map(std::borrow::Cow::into_owned);
    Some(patch::body(path, &operation.text("diff").unwrap_or_default()))
}

fn call(facts: &Facts) -> Option<String> {
    let given = facts.given();
    let named = given.text(&PATH).or_else(|| operation(given)?.path);
    named.or_else(|| {
        let paths = patch::paths(&patch_text(given)?);
        Some(first_and_more(&paths)).filter(|paths| !paths.is_empty())
    })
}

fn badges(facts: &Facts) -> Vec<Badge> {
    let given = facts.given();
    let mut badges = Vec::new();
    let counted = told_counts(facts).or_else(|| {
        let edits = edits(given);
        let diffs = if edits.is_empty() { diffs(given) } else { Vec::new() };
        let counts = edits.iter().map(|(before, after)| diff::count(before, after));
        let counts = counts.chain(diffs.iter().map(|diff| (diff.added, diff.removed)));
        counts.reduce(|(added, removed), (more, less)| (added + more, removed + less))
    });
    if let Some((added, removed)) = counted.filter(|counts| *counts != (0, 0)) {
        badges.push(Badge::plain(format!("+{added} −{removed}")));
    }
    if has_diagnostics(facts) {
        badges.push(Badge { text: "diagnostics".to_owned(), tone: Tone::Warn });
    }
    badges
}

/// The lines of the patch that Claude Code keeps beside the text: a text may have been replaced at many places.
fn told_counts(facts: &Facts) -> Option<(usize, usize)> {
    let patch = facts.structured()?.nested("structuredPatch")?;
    let mut counts = (0, 0);
    for hunk in patch.items() {
        let hunk = Json::parse(hunk.into()).ok()?;
        let lines = hunk.nested("lines")?;
        for line in lines.items() {
            counts.0 += usize::from(line.starts_with("\"+"));
            counts.1 += usize::from(line.starts_with("\"-"));
        }
    }
    Some(counts)
}

/// Whether diagnostics follow the word of success.
fn has_diagnostics(facts: &Facts) -> bool {
    let text = facts.body();
    let says_so =
        text.contains("<diagnostics") || text.contains("<file_diagnostics") || text.contains("LSP errors detected");
    says_so || (text.starts_with("Replaced ") && text.lines().skip(1).any(|line| !line.trim().is_empty()))
}

fn result(facts: &Facts) -> Option<String> {
    let text = facts.body();
    if facts.envelope().exit.is_some_and(|exit| exit != 0) {
        return Some(format!("failed · {}", facts.first_line().unwrap_or_default()));
    }
    if let Some(number) = replaced(text) {
        return Some(counted(number, "replacement", "replacements"));
    }
    let given = facts.given();
    if given.nested(&LISTS).is_some() {
        return Some(counted(edits(given).len(), "edit", "edits"));
    }
    if !edits(given).is_empty() {
        let everywhere = given.is_true(&["replace_all", "replaceAll", "allow_multiple"]);
        return (!everywhere).then(|| "1 replacement".to_owned());
    }
    let files = diffs(given).len();
    (files > 0).then(|| counted(files, "file", "files"))
}

/// The N of `Replaced N occurrence(s)`, `(N replacements)` and the like.
fn replaced(text: &str) -> Option<usize> {
    let at = text.find(" occurrence").or_else(|| text.find(" replacement"))?;
    text[..at].rsplit(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
}

fn diffs(given: &Given) -> Vec<Diff> {
    if let Some(diff) = operation(given) {
        return vec![diff];
    }
    patch_text(given).and_then(|text| patch::read(&text)).unwrap_or_default()
}

fn input(facts: &Facts) -> Option<Vec<Part>> {
    let given = facts.given();
    let path = given.text(&PATH);
    let edits = edits(given);
    let (mut diffs, mut shown) = if edits.is_empty() {
        (diffs(given), [&PATCH as &[&str], &["operation"]].concat())
    } else {
        let diffs = edits.iter().map(|(before, after)| Diff::between(before, after));
        (diffs.collect(), [&BEFORE as &[&str], &AFTER, &LISTS].concat())
    };
    if diffs.is_empty() {
        // Free text that is no patch.
        return given.free_text().filter(|text| !text.is_empty()).map(|text| vec![Part::Lines(Lines::plain(text))]);
    }
    for diff in &mut diffs {
        diff.path = diff.path.take().or_else(|| path.clone());
    }
    // The head of each diff names the file.
    if path.is_some() && diffs.iter().all(|diff| diff.path == path) {
        shown.extend(PATH);
    }
    let mut parts = given.object().map(|object| fallback::fields(object, &shown)).unwrap_or_default();
    parts.extend(diffs.into_iter().map(Part::Diff));
    Some(parts)
}
