//! A long text line by line: 6 + 6 shown first, the rest on demand (specs: cards, *Elision*).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr_iter;
use unicode_segmentation::GraphemeCursor;

use super::ansi;
use super::style::{Kind, Run, Style};
use super::syntax::{self, Quote};
use super::visible::visible_between;
use crate::trace::Text;

/// Lines shown at each end of a text that is not shown whole.
const EDGE: usize = 6;

/// Characters of a line that are shown first.
pub const LINE_LIMIT: usize = 2_000;

/// How the lines of a text are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// As they stand; what a file contains is never interpreted.
    #[default]
    Plain,
    /// As a terminal shows them.
    Terminal,
    /// As pretty-printed JSON.
    Json,
    /// As a shell command; the first line begins with a prompt, a run of [`Kind::Prompt`].
    Shell,
}

/// A text and where its lines begin.
///
/// Made in one pass over the bytes. A line is read when it is asked for, and then only its own bytes are: what a
/// terminal's colours or a shell's quotes carry over from the lines before is noted down for those lines where it changes.
#[derive(Clone, Debug)]
pub struct Lines {
    text: Source,
    language: Language,
    /// First bytes of the lines: 4 bytes each in the browser.
    starts: Vec<usize>,
    carried: Carried,
}

#[derive(Clone, Debug)]
enum Source {
    /// A piece of the buffer that was read; no copy.
    Shared(Text),
    Owned(String),
}

impl Source {
    fn read(&self) -> Cow<'_, str> {
        match self {
            Self::Shared(text) => text.read(),
            Self::Owned(text) => Cow::Borrowed(text),
        }
    }
}

/// Lines from which on another state holds, in order.
#[derive(Clone, Debug)]
enum Carried {
    Nothing,
    Styles(Vec<(usize, Style)>),
    Quotes(Vec<(usize, Quote)>),
}

/// How a text is shown at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elision {
    /// Lines shown from the first.
    pub head: usize,
    /// Lines not shown; 0 when there is nothing to toggle.
    pub hidden: usize,
    /// Lines shown up to the last.
    pub tail: usize,
}

impl Elision {
    /// More than 12 lines are shown as the first and the last 6.
    #[must_use]
    pub fn of(lines: usize) -> Self {
        match lines.checked_sub(2 * EDGE) {
            None | Some(0) => Self { head: lines, hidden: 0, tail: 0 },
            Some(hidden) => Self { head: EDGE, hidden, tail: EDGE },
        }
    }
}

/// A line of which the end may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// What is shown.
    pub runs: Vec<Run>,
    /// How many characters are not.
    pub hidden: usize,
}

impl Lines {
    /// A text in a language.
    #[must_use]
    pub fn new(text: impl Into<String>, language: Language) -> Self {
        Self::of(Source::Owned(text.into()), language)
    }

    /// A text as it stands.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Language::Plain)
    }

    /// A text of the session; not copied unless it holds escapes of JSON.
    #[must_use]
    pub fn shared(text: &Text, language: Language) -> Self {
        let source = match text.read() {
            Cow::Borrowed(_) => Source::Shared(text.clone()),
            Cow::Owned(text) => Source::Owned(text),
        };
        Self::of(source, language)
    }

    fn of(source: Source, language: Language) -> Self {
        let mut starts = Vec::new();
        let text = source.read();
        if !text.is_empty() {
            starts.push(0);
            starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
            // A newline at the end makes no line.
            starts.pop_if(|start| *start == text.len());
        }
        let carried = match language {
            Language::Plain | Language::Json => Carried::Nothing,
            Language::Terminal => Carried::Styles(ansi::carried(&text, &starts)),
            Language::Shell => Carried::Quotes(syntax::shell_quotes(&text, &starts)),
        };
        drop(text);
        Self { text: source, language, starts, carried }
    }

    /// The same text in another language, as a switch between the shown and the raw text wants it.
    #[must_use]
    pub fn in_language(&self, language: Language) -> Self {
        Self::of(self.text.clone(), language)
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// How the lines are read.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The whole text as it stands.
    #[must_use]
    pub fn raw(&self) -> Cow<'_, str> {
        self.text.read()
    }

    /// How the text is shown at first.
    #[must_use]
    pub fn elision(&self) -> Elision {
        Elision::of(self.len())
    }

    /// A whole line; empty when there is none of that number.
    #[must_use]
    pub fn line(&self, index: usize) -> Vec<Run> {
        self.line_within(index, usize::MAX).runs
    }

    /// A line of no more than [`LINE_LIMIT`] characters.
    #[must_use]
    pub fn short_line(&self, index: usize) -> Cut {
        self.line_within(index, LINE_LIMIT)
    }

    /// A line of no more than `limit` characters, cut between characters as a reader counts them.
    #[must_use]
    pub fn line_within(&self, index: usize, limit: usize) -> Cut {
        let text = self.raw();
        let line = &text[self.range(&text, index)];
        let mut cut = cut(line, &self.spans(line, index), limit);
        if self.language == Language::Shell && index == 0 {
            cut.runs.insert(0, Run { text: "$ ".to_owned(), style: Style::of(Kind::Prompt) });
        }
        cut
    }

    /// A line as it is shown, without its styles.
    pub(super) fn shown(&self, index: usize) -> String {
        self.line(index).into_iter().map(|run| run.text).collect()
    }

    /// The bytes of a line without its end.
    pub(super) fn range(&self, text: &str, index: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(index) else { return 0..0 };
        let end = self.starts.get(index + 1).copied().unwrap_or(text.len());
        let line = &text[start..end];
        let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        start..start + line.len()
    }

    fn spans(&self, line: &str, index: usize) -> Vec<ansi::Span> {
        match (self.language, &self.carried) {
            (Language::Terminal, Carried::Styles(styles)) => ansi::spans(line, carried(styles, index)).0,
            (Language::Shell, Carried::Quotes(quotes)) => syntax::shell(line, carried(quotes, index)).0,
            (Language::Json, _) => syntax::json(line),
            _ => vec![(0..line.len(), Style::default())],
        }
    }
}

fn carried<T: Copy + Default>(states: &[(usize, T)], line: usize) -> T {
    let before = states.partition_point(|&(from, _)| from <= line);
    before.checked_sub(1).map(|at| states[at].1).unwrap_or_default()
}

/// The first `limit` characters of the spans of a line.
pub(super) fn cut(line: &str, spans: &[ansi::Span], limit: usize) -> Cut {
    let mut runs = Vec::with_capacity(spans.len());
    let mut room = limit;
    let mut hidden = 0;
    for (range, style) in spans {
        let text = &line[range.clone()];
        let mut shown = text;
        // A text of so few bytes has no more characters.
        if text.len() > room {
            if let Some((at, _)) = text.char_indices().nth(room) {
                shown = &text[..boundary(text, at)];
                hidden += text[shown.len()..].chars().count();
                room = 0;
            } else {
                room -= text.chars().count();
            }
        } else {
            room -= text.chars().count();
        }
        if !shown.is_empty() {
            let before = line[..range.start].chars().next_back();
            let after = line[range.start + shown.len()..].chars().next();
            runs.push(Run { text: visible_between(before, shown, after).into_owned(), style: *style });
        }
    }
    Cut { runs, hidden }
}

/// The last place up to `at` where a character as a reader counts them ends. One that is longer than a line is cut.
fn boundary(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.prev_boundary(text, 0).ok().flatten().filter(|&before| before > 0).unwrap_or(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::style::{Attributes, Color};
    use crate::card::visible::visible;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn shown(lines: &Lines) -> Vec<String> {
        (0..lines.len()).map(|line| lines.shown(line)).collect()
    }

    #[test]
    fn six_and_six_to_the_letter() {
        for (lines, head, hidden, tail) in
            [(0, 0, 0, 0), (1, 1, 0, 0), (12, 12, 0, 0), (13, 6, 1, 6), (14, 6, 2, 6), (1_000_000, 6, 999_988, 6)]
        {
            assert_eq!(Elision::of(lines), Elision { head, hidden, tail }, "{lines}");
        }
    }

    #[test]
    fn lines_end_at_newlines() {
        for (text, expected) in [
            ("", &[] as &[&str]),
            ("a", &["a"]),
            ("a\n", &["a"]),
            ("\n", &[""]),
            ("a\r\nb\r\n", &["a", "b"]),
            ("a\n\nb", &["a", "", "b"]),
            ("a\rb", &["a⟨U+000D⟩b"]),
            ("a\r", &["a⟨U+000D⟩"]),
        ] {
            assert_eq!(shown(&Lines::plain(text)), expected, "{text:?}");
        }
    }

    #[test]
    fn a_terminal_shows_the_end_of_a_progress_bar() {
        for (text, expected) in [
            ("10%\r50%\r100%\ndone", &["100%", "done"] as &[&str]),
            ("10%\r100%\r\n", &["100%"]),
            ("10%\r100%\r\r\n", &["100%"]),
            ("\x1b[2K\x1b[1Gone\x1b[2K\x1b[1Gtwo\x1b[?25h", &["two"]),
            ("\x1b]0;a title\x07text", &["text"]),
            ("\x1b]0;✜ a title ✳\x1b\\text", &["text"]),
            ("a\x1b[1", &["a"]),
            ("a\x1b]0;open\nb", &["a", "b"]),
            ("bell\x07 and\tstop\x08", &["bell and\tstop"]),
            ("é\x1b[31m漢字", &["é漢字"]),
            ("\u{202e}\x1b[0m", &["⟨U+202E⟩"]),
        ] {
            assert_eq!(shown(&Lines::new(text, Language::Terminal)), expected, "{text:?}");
        }
    }

    #[test]
    fn colours_of_a_terminal() {
        let style = |codes: &str| {
            let line = Lines::new(format!("\x1b[{codes}mx"), Language::Terminal).line(0);
            line[0].style
        };
        assert_eq!(style("31").foreground, Color::Named(1));
        assert_eq!(style("97;104").foreground, Color::Named(15));
        assert_eq!(style("97;104").background, Color::Named(12));
        assert_eq!(style("38;5;9").foreground, Color::Named(9));
        assert_eq!(style("38;5;196").foreground, Color::Rgb(255, 0, 0));
        assert_eq!(style("48;5;244").background, Color::Rgb(128, 128, 128));
        assert_eq!(style("38;2;1;2;3").foreground, Color::Rgb(1, 2, 3));
        assert_eq!(style("38:2::1:2:3").foreground, Color::Rgb(1, 2, 3));
        assert_eq!(style("38;2;1;2;3;1").attributes, Attributes::BOLD);
        assert_eq!(style("38;2;999;2;3").foreground, Color::Default);
        assert!(style("1;2;3;4").attributes.contains(Attributes::UNDERLINE));
        assert_eq!(style("1;31;0"), Style::default());
        assert_eq!(style("1;22"), Style::default());
        assert_eq!(style(""), Style::default());
    }

    #[test]
    fn a_colour_holds_over_lines() {
        let lines = Lines::new("a\x1b[32m\nb\nc\x1b[0md\ne", Language::Terminal);
        let first = |line: usize| lines.line(line)[0].style.foreground;
        assert_eq!([0, 1, 2, 3].map(first), [Color::Default, Color::Named(2), Color::Named(2), Color::Default]);
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let line = format!("{}{}", "x".repeat(1_999), "👩‍👩‍👧".repeat(10));
        let cut = Lines::plain(line).short_line(0);
        assert_eq!(cut.runs[0].text, "x".repeat(1_999));
        assert_eq!(cut.hidden, 50);
        let whole = Lines::plain("é".repeat(2_000)).short_line(0);
        assert_eq!(whole.hidden, 0);
        assert_eq!(Lines::plain("é".repeat(67_000)).short_line(0).hidden, 65_000);
        assert_eq!(Lines::plain("\u{301}".repeat(5_000)).short_line(0).hidden, 3_000);
        let coloured = format!("\x1b[31m{}\x1b[0m{}", "a".repeat(1_500), "b".repeat(1_500));
        let cut = Lines::new(coloured, Language::Terminal).short_line(0);
        assert_eq!((cut.runs.len(), cut.runs[1].text.len(), cut.hidden), (2, 500, 1_000));
    }

    #[test]
    fn a_million_lines_are_read_where_they_are_looked_at() {
        let text = format!("\x1b[31m{}", "a line of some length\n".repeat(1_000_000));
        let lines = Lines::shared(&Text::from(text), Language::Terminal);
        assert_eq!(lines.len(), 1_000_000);
        assert_eq!(lines.shown(999_999), "a line of some length");
        assert_eq!(lines.line(999_999)[0].style.foreground, Color::Named(1));
        assert_eq!(lines.elision().hidden, 999_988);
        assert!(lines.line(1_000_000).is_empty());
    }

    #[test]
    fn a_held_text_is_not_copied() {
        let buffer = Arc::new("a\nb".to_owned());
        let lines = Lines::shared(&Text::json_string(&buffer, 0, 3), Language::Plain);
        assert!(matches!(lines.text, Source::Shared(_)));
    }

    const LANGUAGES: [Language; 4] = [Language::Plain, Language::Terminal, Language::Json, Language::Shell];

    proptest! {
        #[test]
        fn head_hidden_and_tail_are_the_text(text in "(.|\n|\r\n){0,60}") {
            let lines = Lines::plain(text.clone());
            let Elision { head, hidden, tail } = lines.elision();
            prop_assert_eq!(head + hidden + tail, lines.len());
            let parts = (0..head).chain(head..head + hidden).chain(lines.len() - tail..lines.len());
            let again: Vec<_> = parts.map(|line| text[lines.range(&text, line)].to_owned()).collect();
            prop_assert_eq!(again, text.lines().map(str::to_owned).collect::<Vec<_>>());
        }

        #[test]
        fn every_language_takes_any_text(text in "([\\x00-\\x1f\\[\\]0-9;m\"'$#{}:,é漢👩‍\u{202e}]|.|\n){0,80}", limit in 0..20usize) {
            for language in LANGUAGES {
                let lines = Lines::new(text.clone(), language);
                for line in 0..lines.len() {
                    let whole = lines.line_within(line, usize::MAX);
                    prop_assert_eq!(whole.hidden, 0);
                    let cut = lines.line_within(line, limit);
                    if language != Language::Terminal {
                        let raw = &text[lines.range(&text, line)];
                        let own = whole.runs.iter().filter(|run| run.style.kind != Kind::Prompt);
                        prop_assert_eq!(own.map(|run| run.text.as_str()).collect::<String>(), visible(raw));
                        prop_assert!(raw.chars().count() >= cut.hidden);
                    }
                }
            }
        }

        #[test]
        fn a_terminal_keeps_all_but_the_escapes(
            pieces in prop::collection::vec(
                prop_oneof![
                    ("[a-zé漢👩 \t]{1,8}", Just(true)),
                    ("\\x1b\\[[0-9;:]{0,12}[mKHJAB]", Just(false)),
                    ("\\x1b\\][0-9];[a-zé✜]{0,9}(\\x07|\\x1b\\\\)", Just(false)),
                    ("\\x1b[78=>]", Just(false)),
                    ("\n", Just(true)),
                ],
                0..20,
            ),
        ) {
            // Escapes alone are a line too, if an empty one.
            let pieces: Vec<_> = pieces.into_iter().chain([("end".to_owned(), true)]).collect();
            let text: String = pieces.iter().map(|(piece, _)| piece.as_str()).collect();
            let kept: String = pieces.iter().filter(|(_, kept)| *kept).map(|(piece, _)| piece.as_str()).collect();
            let lines = Lines::new(text, Language::Terminal);
            prop_assert_eq!(shown(&lines), kept.lines().map(str::to_owned).collect::<Vec<_>>());
        }
    }
}
