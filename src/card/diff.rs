//! What changed between two texts, line by line, with marks on the words.

use crate::trace::{reorder, time_order};
use std::ops::Range;

use imara_diff::{Algorithm, InternedInput};

use super::ansi::Span;
use super::lines::{Cut, Elision, LINE_LIMIT, cut};
use super::style::{Kind, Style};

/// A diff of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The file, where it is named.
    pub path: Option<String>,
    /// What lines do not show: other line ends, a file that was added or moved, a diff too large to be made.
    pub notes: Vec<String>,
    /// Lines that were added.
    pub added: usize,
    /// Lines that were removed.
    pub removed: usize,
    text: String,
    rows: Vec<(Change, Range<usize>)>,
    /// The words that changed, by row.
    words: Vec<(usize, Vec<Range<usize>>)>,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Same,
    /// The old text has it.
    Removed,
    /// The new text has it.
    Added,
    /// It is no line of the file but tells where the next ones stand.
    Place,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// What happened to it.
    pub change: Change,
    /// The line, of which the end may be missing.
    pub cut: Cut,
}

/// Changed lines of both texts together up to which they are compared. Heuristics keep the time in bounds, but nobody
/// reads a diff of that length.
const MAX_CHANGED: usize = 8_000;

/// Bytes of a line, and tokens of a diff, up to which words are marked.
const MAX_WORDS_LINE: usize = 2_000;
const MAX_TOKENS: usize = 100_000;

impl Diff {
    /// Compares two texts.
    #[must_use]
    pub fn between(before: &str, after: &str) -> Self {
        let hunks = compare(before, after);
        let mut diff = Self { notes: end_notes(before, after), text: format!("{before}{after}"), ..Self::default() };
        let old = line_ranges(before, 0);
        let new = line_ranges(after, before.len());
        let Some(hunks) = hunks else {
            diff.notes.push("too much changed to be compared line by line: the old text, then the new".to_owned());
            diff.removed = old.len();
            diff.added = new.len();
            diff.rows.extend(old.into_iter().map(|range| (Change::Removed, range)));
            diff.rows.extend(new.into_iter().map(|range| (Change::Added, range)));
            return diff;
        };
        let mut at = 0;
        for (removed, added) in hunks {
            diff.rows.extend(old[at..removed.start].iter().map(|range| (Change::Same, range.clone())));
            at = removed.end;
            diff.rows.extend(old[removed].iter().map(|range| (Change::Removed, range.clone())));
            diff.rows.extend(new[added].iter().map(|range| (Change::Added, range.clone())));
        }
        diff.rows.extend(old[at..].iter().map(|range| (Change::Same, range.clone())));
        diff.finish();
        diff
    }

    /// A diff that somebody else made: lines as ranges of a text.
    pub(super) fn of_rows(path: Option<String>, text: String, rows: Vec<(Change, Range<usize>)>) -> Self {
        let mut diff = Self { path, text, rows, ..Self::default() };
        diff.finish();
        diff
    }

    /// How many lines it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How it is shown at first.
    #[must_use]
    pub fn elision(&self) -> Elision {
        Elision::of(self.len())
    }

    /// A line of no more than [`LINE_LIMIT`] characters; `None` when there is none of that number.
    #[must_use]
    pub fn short_line(&self, index: usize) -> Option<DiffLine> {
        self.line_within(index, LINE_LIMIT)
    }

    /// A line of no more than `limit` characters; `None` when there is none of that number.
    #[must_use]
    pub fn line_within(&self, index: usize, limit: usize) -> Option<DiffLine> {
        let (change, range) = self.rows.get(index)?;
        let line = &self.text[range.clone()];
        let words = self.words.binary_search_by_key(&index, |(row, _)| *row).ok().map(|at| self.words[at].1.as_slice());
        let kind = if *change == Change::Removed { Kind::RemovedWord } else { Kind::AddedWord };
        Some(DiffLine { change: *change, cut: cut(line, &spans(line, words.unwrap_or_default(), kind), limit) })
    }

    /// Counts the lines and marks the words.
    fn finish(&mut self) {
        let count = |change| self.rows.iter().filter(|(row, _)| *row == change).count();
        (self.added, self.removed) = (count(Change::Added), count(Change::Removed));
        let mut room = MAX_TOKENS;
        let mut at = 0;
        while at < self.rows.len() {
            let removed = self.rows[at..].iter().take_while(|(change, _)| *change == Change::Removed).count();
            let middle = at + removed;
            let added = self.rows[middle..].iter().take_while(|(change, _)| *change == Change::Added).count();
            for pair in 0..removed.min(added) {
                let (old, new) = (at + pair, middle + pair);
                let line = |row: usize| &self.text[self.rows[row].1.clone()];
                if let Some((old_words, new_words)) = changed_words(line(old), line(new), &mut room) {
                    self.words.extend([(old, old_words), (new, new_words)]);
                }
            }
            at = (middle + added).max(at + 1);
        }
        let order = time_order(self.words.iter().map(|(row, _)| (None, *row as u64)));
        reorder(&mut self.words, &order);
    }
}

/// How many lines were added and removed, for a closed card.
pub(super) fn count(before: &str, after: &str) -> (usize, usize) {
    match compare(before, after) {
        Some(hunks) => {
            hunks.iter().fold((0, 0), |(all, gone), (removed, added)| (all + added.len(), gone + removed.len()))
        }
        None => (after.lines().count(), before.lines().count()),
    }
}

type Hunk = (Range<usize>, Range<usize>);

/// The lines that differ, whatever their ends; `None` when it is too much.
fn compare(before: &str, after: &str) -> Option<Vec<Hunk>> {
    let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    if old.len() + new.len() > MAX_CHANGED {
        return None;
    }
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = imara_diff::Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let lines = |range: &Range<u32>| head + range.start as usize..head + range.end as usize;
    Some(diff.hunks().map(|hunk| (lines(&hunk.before), lines(&hunk.after))).collect())
}

/// What the ends of lines have come to, which is no change of the lines.
fn end_notes(before: &str, after: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(old), Some(new)) = (line_end(before), line_end(after))
        && old != new
    {
        notes.push(format!("line ends: {old} before, {new} after"));
    }
    match (before.ends_with('\n'), after.ends_with('\n')) {
        _ if before.is_empty() || after.is_empty() => {}
        (true, false) => notes.push("newline at the end removed".to_owned()),
        (false, true) => notes.push("newline at the end added".to_owned()),
        _ => {}
    }
    notes
}

fn line_end(text: &str) -> Option<&'static str> {
    let all = memchr::memchr_iter(b'\n', text.as_bytes());
    let (mut count, mut windows) = (0, 0);
    for at in all {
        count += 1;
        windows += usize::from(at > 0 && text.as_bytes()[at - 1] == b'\r');
    }
    match (count, windows) {
        (0, _) => None,
        (_, 0) => Some("LF"),
        (count, windows) if count == windows => Some("CRLF"),
        _ => Some("mixed"),
    }
}

fn line_ranges(text: &str, offset: usize) -> Vec<Range<usize>> {
    let mut start = offset;
    let lines = text.split_inclusive('\n').map(|line| {
        let range = start..start + line.lines().next().unwrap_or_default().len();
        start += line.len();
        range
    });
    lines.collect()
}

type Words = Vec<Range<usize>>;

/// The words of two lines that the other has not; `None` when they have too little in common to be the same line.
fn changed_words(old: &str, new: &str, room: &mut usize) -> Option<(Words, Words)> {
    if old.len().max(new.len()) > MAX_WORDS_LINE {
        return None;
    }
    let (old_tokens, new_tokens) = (tokens(old), tokens(new));
    *room = room.checked_sub(old_tokens.len() + new_tokens.len())?;
    let mut input = InternedInput::default();
    input.update_before(old_tokens.iter().map(|range| &old[range.clone()]));
    input.update_after(new_tokens.iter().map(|range| &new[range.clone()]));
    let mut diff = imara_diff::Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let (mut gone, mut come) = (Words::new(), Words::new());
    for hunk in diff.hunks() {
        join(&mut gone, &old_tokens[hunk.before.start as usize..hunk.before.end as usize]);
        join(&mut come, &new_tokens[hunk.after.start as usize..hunk.after.end as usize]);
    }
    let letters = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    let changed: usize = gone.iter().map(|range| letters(&old[range.clone()])).sum();
    let all = letters(old);
    let in_common = all - changed;
    (in_common * 3 >= all.max(letters(new))).then_some((gone, come))
}

fn join(words: &mut Words, tokens: &[Range<usize>]) {
    if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
        words.push(first.start..last.end);
    }
}

/// Words, stretches of blanks, and every other character by itself.
fn tokens(line: &str) -> Vec<Range<usize>> {
    let class = |char: char| match char {
        '_' => 1,
        _ if char.is_alphanumeric() => 1,
        _ if char.is_whitespace() => 2,
        _ => 0,
    };
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut before = 0;
    for (at, char) in line.char_indices() {
        let end = at + char.len_utf8();
        let now = class(char);
        match tokens.last_mut() {
            Some(last) if now != 0 && now == before => last.end = end,
            _ => tokens.push(at..end),
        }
        before = now;
    }
    tokens
}

fn spans(line: &str, words: &[Range<usize>], kind: Kind) -> Vec<Span> {
    let mut spans = Vec::with_capacity(2 * words.len() + 1);
    let mut at = 0;
    for word in words {
        spans.push((at..word.start, Style::default()));
        spans.push((word.clone(), Style::of(kind)));
        at = word.end;
    }
    spans.push((at..line.len(), Style::default()));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rows with their marks, changed words in brackets.
    pub(in crate::card) fn as_text(diff: &Diff) -> Vec<String> {
        let lines = (0..diff.len()).map(|row| {
            let line = diff.line_within(row, usize::MAX).unwrap();
            let mark = match line.change {
                Change::Same => " ",
                Change::Removed => "-",
                Change::Added => "+",
                Change::Place => "",
            };
            let runs = line.cut.runs.iter().map(|run| {
                let is_word = matches!(run.style.kind, Kind::RemovedWord | Kind::AddedWord);
                if is_word { format!("[{}]", run.text) } else { run.text.clone() }
            });
            format!("{mark}{}", runs.collect::<String>())
        });
        lines.collect()
    }

    #[test]
    fn marks_lines_and_words() {
        let diff = Diff::between("a\nlet x = 1;\nz\n", "a\nlet y = 1;\nz\nnew\n");
        assert_eq!(as_text(&diff), [" a", "-let [x] = 1;", "+let [y] = 1;", " z", "+new"]);
        assert_eq!((diff.added, diff.removed), (2, 1));
        assert!(diff.notes.is_empty());
    }

    #[test]
    fn lines_with_little_in_common_are_not_taken_for_one() {
        assert_eq!(as_text(&Diff::between("alpha beta", "gamma delta")), ["-alpha beta", "+gamma delta"]);
    }

    #[test]
    fn line_ends_are_told_in_a_note() {
        for (before, after, notes) in [
            ("a\r\nb\r\n", "a\nb\n", &["line ends: CRLF before, LF after"] as &[&str]),
            ("a\nb\n", "a\r\nb\n", &["line ends: LF before, mixed after"]),
            ("a\n", "a", &["newline at the end removed"]),
            ("a", "a\n", &["newline at the end added"]),
            ("a", "a", &[]),
            ("", "a\n", &[]),
        ] {
            let diff = Diff::between(before, after);
            assert_eq!(diff.notes, notes, "{before:?} {after:?}");
            assert_eq!(diff.removed, 0, "{before:?} {after:?}");
        }
    }

    #[test]
    fn ten_thousand_changed_lines_are_shown_one_text_after_the_other() {
        let text =
            |name: &str| (0..10_000).flat_map(|line| [name.to_owned(), format!(" {line}\n")]).collect::<String>();
        let (before, after) = (text("old"), text("new"));
        let diff = Diff::between(&before, &after);
        assert_eq!((diff.removed, diff.added, diff.len()), (10_000, 10_000, 20_000));
        assert_eq!(diff.notes.len(), 1);
        assert_eq!(count(&before, &after), (10_000, 10_000));
        let one = Diff::between(&before, &before.replace("old 5000\n", "old five thousand\n"));
        assert_eq!((one.removed, one.added, one.notes.len()), (1, 1, 0));
    }

    #[test]
    fn words_are_cut_between_characters() {
        let diff = Diff::between("größe = 1 漢字 👩‍👩‍👧", "größer = 1 漢字 👩‍👩‍👦");
        assert_eq!(as_text(&diff), ["-[größe] = 1 漢字 👩‍👩‍[👧]", "+[größer] = 1 漢字 👩‍👩‍[👦]"]);
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(before in "([ab é\u{202e}]{0,3}\r?\n?){0,12}", after in "([ab é\u{202e}]{0,3}\r?\n?){0,12}") {
            let diff = Diff::between(&before, &after);
            let side = |gone: Change| {
                let rows = diff.rows.iter().filter(move |(change, _)| *change != gone);
                rows.map(|(_, range)| diff.text[range.clone()].to_owned()).collect::<Vec<_>>()
            };
            prop_assert_eq!(side(Change::Added), before.lines().map(str::to_owned).collect::<Vec<_>>());
            prop_assert_eq!(side(Change::Removed), after.lines().map(str::to_owned).collect::<Vec<_>>());
            prop_assert_eq!(count(&before, &after), (diff.added, diff.removed));
            for row in 0..diff.len() {
                prop_assert!(diff.short_line(row).is_some());
            }
        }
    }
}
