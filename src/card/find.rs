//! Finding words in an output, in the lines that are shown and in those that are not.

use super::lines::{Language, Lines};
use super::style::{Attributes, Run};
use super::visible::plainly_visible;

/// A place where the words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The line.
    pub line: usize,
    /// The first byte in the line as it is shown, all runs one after another.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Every place where `needle` stands in a line as it is shown, whatever its case; places do not overlap.
#[must_use]
pub fn find(lines: &Lines, needle: &str) -> Vec<Match> {
    let needle: String = needle.chars().flat_map(folded).collect();
    if needle.is_empty() {
        return Vec::new();
    }
    let text = lines.raw();
    let mut matches = Vec::new();
    let mut fold = Folded::default();
    for line in 0..lines.len() {
        let raw = &text[lines.range(&text, line)];
        // Most lines are shown as they stand, and need not be taken apart.
        let is_bare = lines.language() != Language::Shell && plainly_visible(raw.as_bytes());
        if is_bare {
            fold.read(raw);
        } else {
            fold.read(&lines.shown(line));
        }
        fold.find(&needle, |start, end| matches.push(Match { line, start, end }));
    }
    matches
}

/// The runs of a line with the matches in it marked; `matches` are those of this line, in order.
#[must_use]
pub fn mark(runs: Vec<Run>, matches: &[Match]) -> Vec<Run> {
    let mut marked = Vec::with_capacity(runs.len() + 2 * matches.len());
    let mut start = 0;
    for Run { text, style } in runs {
        let end = start + text.len();
        let mut at = start;
        let mut push = |to: usize, is_found: bool| {
            let mut style = style;
            if is_found {
                style.attributes.set(Attributes::FOUND);
            }
            // Matches begin and end between characters of the line that they were found in.
            if let Some(part) = text.get(at - start..to - start).filter(|part| !part.is_empty()) {
                marked.push(Run { text: part.to_owned(), style });
                at = to;
            }
        };
        for found in matches.iter().filter(|found| found.start < end && found.end > start) {
            push(found.start.max(start), false);
            push(found.end.min(end), true);
        }
        push(end, false);
        start = end;
    }
    marked
}

/// A character without its case. By way of upper case, which brings `ς` and `σ` together.
fn folded(char: char) -> impl Iterator<Item = char> {
    char.to_uppercase().flat_map(char::to_lowercase)
}

/// A line without case, and where its bytes come from.
#[derive(Default)]
struct Folded {
    text: String,
    /// For every byte of `text` the first byte of the character that it comes from, and one for the end; empty when
    /// the places are the same.
    places: Vec<usize>,
}

impl Folded {
    fn read(&mut self, line: &str) {
        self.text.clear();
        self.places.clear();
        if line.is_ascii() {
            self.text.push_str(line);
            self.text.make_ascii_lowercase();
            return;
        }
        for (at, char) in line.char_indices() {
            self.text.extend(folded(char));
            self.places.resize(self.text.len(), at);
        }
        self.places.push(line.len());
    }

    fn find(&self, needle: &str, mut found: impl FnMut(usize, usize)) {
        let mut free = 0;
        for (start, _) in self.text.match_indices(needle) {
            let end = start + needle.len();
            if self.places.is_empty() {
                found(start, end);
                continue;
            }
            // One character can become two that both match.
            if self.places[start] < free {
                continue;
            }
            let mut last = end;
            // A match that ends inside what one character became takes the whole character.
            while last < self.text.len() && self.places[last] == self.places[end - 1] {
                last += 1;
            }
            free = self.places[last];
            found(self.places[start], free);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(text: &str, language: Language, needle: &str) -> Vec<(usize, usize, usize)> {
        find(&Lines::new(text, language), needle).iter().map(|found| (found.line, found.start, found.end)).collect()
    }

    #[test]
    fn finds_whatever_the_case() {
        type Case = (&'static str, &'static str, &'static [(usize, usize, usize)]);
        let cases: [Case; 9] = [
            ("Error\nno error, ERROR", "error", &[(0, 0, 5), (1, 3, 8), (1, 10, 15)]),
            ("Straße", "STRASSE", &[(0, 0, 7)]),
            ("ΟΔΟΣ οδος", "οδος", &[(0, 0, 8), (0, 9, 17)]),
            ("İx", "x", &[(0, 2, 3)]),
            ("aß", "s", &[(0, 1, 3)]),
            ("aaa", "aa", &[(0, 0, 2)]),
            ("a\u{202e}b", "⟨u+202e⟩", &[(0, 1, 13)]),
            ("abc", "", &[]),
            ("abc", "abcd", &[]),
        ];
        for (text, needle, expected) in cases {
            assert_eq!(places(text, Language::Plain, needle), expected, "{text}");
        }
    }

    #[test]
    fn finds_what_a_terminal_shows() {
        assert_eq!(places("\x1b[1mer\x1b[0mror", Language::Terminal, "error"), [(0, 0, 5)]);
        assert_eq!(places("old\rnew", Language::Terminal, "old"), []);
        assert_eq!(places("ls", Language::Shell, "ls"), [(0, 2, 4)]);
    }

    #[test]
    fn marks_matches_across_runs() {
        let lines = Lines::new("an \x1b[1mer\x1b[0mror, é Error", Language::Terminal);
        let marked = mark(lines.line(0), &find(&lines, "error"));
        let found = |run: &Run| run.style.attributes.contains(Attributes::FOUND);
        let texts: Vec<_> = marked.iter().map(|run| (run.text.as_str(), found(run))).collect();
        assert_eq!(texts, [("an ", false), ("er", true), ("ror", true), (", é ", false), ("Error", true)]);
    }

    #[test]
    fn none_is_missed_between_the_ends() {
        let text = "x\n".repeat(100_000);
        assert_eq!(places(&text, Language::Plain, "X").len(), 100_000);
    }

    proptest! {
        #[test]
        fn finds_every_ascii_match(text in "[aAbB\né]{0,60}") {
            let expected: usize = text.lines().map(|line| line.to_ascii_lowercase().matches("ab").count()).sum();
            let lines = Lines::plain(text.clone());
            let found = find(&lines, "aB");
            prop_assert_eq!(found.len(), expected);
            for place in found {
                prop_assert!(lines.shown(place.line)[place.start..place.end].eq_ignore_ascii_case("ab"));
            }
        }

        #[test]
        fn marking_keeps_the_text(text in "[ab\\x1b\\[0-9mé]{0,30}", needle in "[abé]{1,2}") {
            let lines = Lines::new(text, Language::Terminal);
            let matches = find(&lines, &needle);
            if !lines.is_empty() {
                let marked = mark(lines.line(0), &matches);
                prop_assert_eq!(marked.iter().map(|run| run.text.as_str()).collect::<String>(), lines.shown(0));
            }
        }

        #[test]
        fn any_needle_is_looked_for(text in any::<String>(), needle in any::<String>()) {
            for place in find(&Lines::plain(text.clone()), &needle) {
                prop_assert!(Lines::plain(text.clone()).shown(place.line).get(place.start..place.end).is_some());
            }
        }
    }
}
