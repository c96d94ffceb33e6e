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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(diff: &Diff) -> Vec<(Change, String)> {
        let lines = (0..diff.len()).filter_map(|row| diff.line_within(row, usize::MAX));
        lines.map(|line| (line.change, line.cut.runs.into_iter().map(|run| run.text).collect())).collect()
    }

    #[test]
    fn knows_a_patch_from_other_text() {
        for text in ["", "no patch", "--- a line\n", "*** Begin Patch\n*** End Patch", "a\n+b\n-c"] {
            assert!(read(text).is_none_or(|diffs| diffs.is_empty()), "{text}");
        }
        assert_eq!(paths("*** Add File: a b.rs \n+x"), ["a b.rs"]);
        assert_eq!(
            paths(
                "--- a/x\t2026-01-01\n+++ b/y\t2026-01-01\n@@ -1 +1 @@\n-a\n+b\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-a"
            ),
            ["y", "z"]
        );
    }

    #[test]
    fn a_removed_line_that_looks_like_a_header_is_a_line() {
        let diffs = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- y\n+++ z\n same\n").unwrap();
        assert_eq!(diffs.len(), 1);
        let expected = [
            (Change::Place, "@@ -1,2 +1,2 @@"),
            (Change::Removed, "-- y"),
            (Change::Added, "++ z"),
            (Change::Same, "same"),
        ];
        assert_eq!(rows(&diffs[0]), expected.map(|(change, text)| (change, text.to_owned())));
    }

    #[test]
    fn wrong_counts_lose_no_line() {
        let diffs = read("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n d\n").unwrap();
        assert_eq!((diffs[0].added, diffs[0].removed, diffs[0].len()), (2, 1, 5));
    }

    #[test]
    fn a_block_that_was_cut_off_is_shown() {
        let diffs = read("<<<<<<< SEARCH\nold\n=======\nne").unwrap();
        assert_eq!((diffs[0].added, diffs[0].removed), (1, 1));
    }

    fn lines_of_a_patch() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            Just("*** Begin Patch".to_owned()),
            Just("*** Update File: é".to_owned()),
            Just("*** Delete File: b".to_owned()),
            Just("*** Move to: c".to_owned()),
            Just("diff --git a/x b/x".to_owned()),
            Just("--- a/x".to_owned()),
            Just("+++ b/x".to_owned()),
            Just("@@ -1,2 +1 @@".to_owned()),
            Just("@@ -99999999999999999999,2 +1 @@".to_owned()),
            Just("<<<<<<< SEARCH".to_owned()),
            Just("=======".to_owned()),
            Just(">>>>>>> REPLACE".to_owned()),
            "[ +\\-\\\\@é]?[a-c漢]{0,3}\\r?",
        ];
        prop::collection::vec(line, 0..16).prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #[test]
        fn any_patch_is_read(text in lines_of_a_patch()) {
            let diffs = read(&text).unwrap_or_default();
            let shown: String = diffs.iter().flat_map(rows).map(|(_, text)| text + "\n").collect();
            // What stands in a file's lines is not lost, whatever the headers are.
            for line in text.lines().filter(|line| line.starts_with(['+', ' ']) && !line.starts_with("+++") && !diffs.is_empty()) {
                let is_before_any_file = text.starts_with(line) || text.contains("SEARCH");
                prop_assert!(is_before_any_file || shown.contains(&*crate::card::visible(&line[1..])), "{line:?}");
            }
        }
    }
}
