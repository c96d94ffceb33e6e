//! Patches: `*** Begin Patch`, unified diffs, and blocks of text to be searched and replaced.

use std::ops::Range;

use super::diff::{Change, Diff};

/// The diffs of a patch, one a file; `None` when the text is none.
pub(super) fn read(text: &str) -> Option<Vec<Diff>> {
    let has = |start: &str| text.lines().any(|line| line.starts_with(start));
    if has("*** Update File: ") || has("*** Add File: ") || has("*** Delete File: ") {
        return Some(envelope(text));
    }
    if has("<<<<<<< SEARCH") || has("------- SEARCH") {
        return Some(blocks(text));
    }
    (has("@@ ") || has("@@\n") || has("diff --git ") || has("+++ ")).then(|| unified(text))
}

/// The files that a patch names, for a closed card.
pub(super) fn paths(text: &str) -> Vec<String> {
    read(text).unwrap_or_default().into_iter().filter_map(|diff| diff.path).collect()
}

/// A diff without the name of its file.
pub(super) fn body(path: Option<String>, text: &str) -> Diff {
    let mut file = File { path, ..File::default() };
    for (line, range) in lines(text) {
        file.body_line(line, range);
    }
    file.finish(text)
}

/// A file of a patch while it is read.
#[derive(Default)]
struct File {
    path: Option<String>,
    notes: Vec<String>,
    rows: Vec<(Change, Range<usize>)>,
}

impl File {
    fn body_line(&mut self, line: &str, range: Range<usize>) {
        let change = match line.as_bytes().first() {
            Some(b'+') => Change::Added,
            Some(b'-') => Change::Removed,
            Some(b' ') => Change::Same,
            None => return self.rows.push((Change::Same, range)),
            Some(_) => return self.rows.push((Change::Place, range)),
        };
        self.rows.push((change, range.start + 1..range.end));
    }

    fn place(&mut self, range: Range<usize>) {
        self.rows.push((Change::Place, range));
    }

    fn is_empty(&self) -> bool {
        self.path.is_none() && self.rows.is_empty() && self.notes.is_empty()
    }

    fn finish(self, text: &str) -> Diff {
        // Each diff keeps only its own part of the patch.
        let start = self.rows.iter().map(|(_, range)| range.start).min().unwrap_or(0);
        let end = self.rows.iter().map(|(_, range)| range.end).max().unwrap_or(0);
        let rows = self.rows.into_iter().map(|(change, range)| (change, range.start - start..range.end - start));
        let mut diff = Diff::of_rows(self.path, text[start..end].to_owned(), rows.collect());
        diff.notes = self.notes;
        diff
    }
}

/// Lines without their ends, and where they stand.
fn lines(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |whole| {
        let line = whole.lines().next().unwrap_or_default();
        let start = at;
        at += whole.len();
        (line, start..start + line.len())
    })
}

/// `*** Begin Patch` … `*** End Patch`.
fn envelope(text: &str) -> Vec<Diff> {
    let mut diffs = Vec::new();
    let mut file = File::default();
    for (line, range) in lines(text) {
        let begins = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
        if let Some(place) = begins.iter().position(|begin| line.starts_with(begin)) {
            let path = Some(line[begins[place].len()..].trim().to_owned());
            let notes = [None, Some("added"), Some("deleted")][place].map(str::to_owned);
            let next = File { path, notes: notes.into_iter().collect(), rows: Vec::new() };
            let done = std::mem::replace(&mut file, next);
            diffs.extend((!done.is_empty()).then(|| done.finish(text)));
        } else if let Some(to) = line.strip_prefix("*** Move to: ") {
            file.notes.push(format!("moved to {}", to.trim()));
        } else if line == "*** End of File" {
            file.notes.push("up to the end of the file".to_owned());
        } else if matches!(line.trim_ascii_end(), "*** Begin Patch" | "*** End Patch")
            || (line.is_empty() && file.is_empty())
        {
        } else if line.starts_with("@@") {
            file.place(range);
        } else {
            file.body_line(line, range);
        }
    }
    diffs.extend((!file.is_empty()).then(|| file.finish(text)));
    diffs
}

/// `--- a/file`, `+++ b/file`, `@@ -1,2 +1,3 @@`.
fn unified(text: &str) -> Vec<Diff> {
    let mut diffs = Vec::new();
    let mut file = File::default();
    let mut in_hunk = false;
    // Lines of the hunk still to come: a removed line may look like a header.
    let (mut old, mut new) = (0_usize, 0_usize);
    let mut removed_path = None;
    let mut next = |file: &mut File| {
        let done = std::mem::take(file);
        diffs.extend((!done.is_empty()).then(|| done.finish(text)));
    };
    for (line, range) in lines(text) {
        let first = line.as_bytes().first();
        if (old > 0 || new > 0) && !line.starts_with("@@ -") {
            match first {
                Some(b'+') => new = new.saturating_sub(1),
                Some(b'-') => old = old.saturating_sub(1),
                Some(b'\\') => {}
                _ => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
            }
            file.body_line(line, range);
        } else if line.starts_with("diff --git ") {
            next(&mut file);
            in_hunk = false;
            removed_path = None;
        } else if let Some(path) = line.strip_prefix("--- ") {
            // Not every tool writes `diff --git` between files.
            if in_hunk {
                next(&mut file);
                in_hunk = false;
            }
            removed_path = named(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            match (named(path), removed_path.take()) {
                (Some(path), None) if file.notes.is_empty() => {
                    file.notes.push("added".to_owned());
                    file.path = Some(path);
                }
                (None, old_path) => {
                    file.notes.push("deleted".to_owned());
                    file.path = old_path;
                }
                (path, _) => file.path = path,
            }
        } else if line.starts_with("@@") {
            in_hunk = true;
            (old, new) = counts(line).unwrap_or((0, 0));
            file.place(range);
        } else if let Some(to) = line.strip_prefix("rename to ") {
            file.notes.push(format!("moved to {to}"));
        } else if in_hunk && matches!(first, Some(b'+' | b'-' | b' ') | None) {
            // Counts that a model wrote are not always right.
            file.body_line(line, range);
        } else if !line.is_empty() && !line.starts_with("===") {
            file.place(range);
        }
    }
    next(&mut file);
    diffs
}

/// A path of a header without `a/` and what follows a tab; `None` for `/dev/null`.
fn named(path: &str) -> Option<String> {
    let path = path.split('\t').next().unwrap_or_default().trim();
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    (path != "/dev/null" && !path.is_empty()).then(|| path.to_owned())
}

/// The 2 and 3 of `@@ -1,2 +1,3 @@`.
fn counts(line: &str) -> Option<(usize, usize)> {
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    let mut words = line.strip_prefix("@@ -")?.split(' ');
    let (old, new) = (count(words.next()?)?, count(words.next()?.strip_prefix('+')?)?);
    Some((old, new))
}

/// `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`, as Cline and Aider write them; also with `-` and `+`.
fn blocks(text: &str) -> Vec<Diff> {
    let mut diffs = Vec::new();
    let (mut before, mut after) = (String::new(), String::new());
    let mut side = None;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_ascii_end();
        match side {
            None if line.ends_with("SEARCH") => side = Some(false),
            Some(false) if line.len() >= 7 && line.bytes().all(|byte| byte == b'=') => side = Some(true),
            Some(true) if line.ends_with(" REPLACE") => {
                diffs.push(Diff::between(&before, &after));
                (before, after) = (String::new(), String::new());
                side = None;
            }
            Some(false) => before.push_str(whole),
            Some(true) => after.push_str(whole),
            None => {}
        }
    }
    if side.is_some() {
        diffs.push(Diff::between(&before, &after));
    }
    diffs
}
