//! Characters that cannot be seen, or look like others, are shown as what they are: `⟨U+202E⟩` (specs: design §6).

use std::borrow::Cow;
use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;

/// The text with every hidden or misleading character written out; tabs and newlines stay.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_between(None, text, None)
}

/// The same for a part of a text, between the characters before and after it.
pub(super) fn visible_between(mut before: Option<char>, text: &str, next: Option<char>) -> Cow<'_, str> {
    if plainly_visible(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut shown = None;
    let mut copied = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let after = chars.peek().map(|&(_, char)| char).or(next);
        if !matches!(char, '\t' | '\n') && is_hidden(before, char, after) {
            let shown = shown.get_or_insert_with(|| String::with_capacity(text.len() + 16));
            shown.push_str(&text[copied..at]);
            push_escape(shown, char);
            copied = at + char.len_utf8();
        }
        before = Some(char);
    }
    match shown {
        None => Cow::Borrowed(text),
        Some(mut shown) => {
            shown.push_str(&text[copied..]);
            Cow::Owned(shown)
        }
    }
}

/// One line of at most `max_graphemes` characters as a reader counts them: white space collapsed, hidden characters
/// written out, `…` at the end when something is missing.
///
/// Only so much of the text is looked at as is needed.
#[must_use]
pub fn one_line(text: &str, max_graphemes: usize) -> String {
    // A character with a thousand accents is not read to its end.
    let enough = max_graphemes.saturating_mul(32).saturating_add(64);
    let mut line = String::new();
    let mut before = None;
    let mut chars = text.trim_ascii().chars().peekable();
    while let Some(char) = chars.next() {
        if is_space(char) {
            if before.is_none_or(|before| !is_space(before)) {
                line.push(' ');
            }
        } else if is_hidden(before, char, chars.peek().copied()) {
            push_escape(&mut line, char);
        } else {
            line.push(char);
        }
        before = Some(char);
        if line.len() > enough {
            break;
        }
    }
    let whole = chars.peek().is_none();
    // The byte after which no more than the last character stands.
    let mut last = 0;
    for (count, (at, _)) in line.grapheme_indices(true).enumerate() {
        if count + 1 == max_graphemes {
            last = at;
        }
        if count == max_graphemes {
            line.truncate(last);
            return finish(line);
        }
    }
    if !whole {
        let cut = line.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
        line.truncate(cut);
        return finish(line);
    }
    line
}

fn finish(mut line: String) -> String {
    line.truncate(line.trim_ascii_end().len());
    line.push('…');
    line
}

fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

fn push_escape(text: &mut String, char: char) {
    // Writing to a string cannot fail.
    let _ = write!(text, "⟨U+{:04X}⟩", u32::from(char));
}

/// Whether the bytes are printable ASCII, tabs and newlines.
pub(super) fn plainly_visible(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n'))
}

/// Whether a character would not be seen for what it is between its neighbours.
fn is_hidden(before: Option<char>, char: char, after: Option<char>) -> bool {
    match char {
        // Controls, the soft hyphen, and spaces that are none or look like one.
        '\0'..='\x1f' | '\x7f'..='\u{a0}' | '\u{ad}' | '\u{1680}' | '\u{2000}'..='\u{200b}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}'
        // Bidi controls: `char::is_control` knows none of them.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Joiners, fillers and tags without a shape.
        | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{3164}' | '\u{ffa0}'
        | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => true,
        // An ideographic space is at home among ideographs.
        '\u{3000}' => before.is_none_or(|before| before < '\u{2e80}'),
        // Emoji, Arabic and Indic scripts are written with joiners.
        '\u{200c}' | '\u{200d}' => !(before.is_some_and(joins) && after.is_some_and(joins)),
        // One selector says how the character before it looks; more of them carry hidden text.
        '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            !before.is_some_and(|before| can_vary(before) || (after == Some('\u{20e3}') && before.is_ascii()))
        }
        _ => false,
    }
}

fn joins(char: char) -> bool {
    matches!(char,
        '\u{600}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{2190}'..='\u{2bff}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe0f}' | '\u{fe70}'..='\u{fefc}' | '\u{1f000}'..='\u{1faff}')
}

fn can_vary(char: char) -> bool {
    !char.is_ascii() && !matches!(char, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn writes_out_what_char_is_control_misses() {
        for (text, shown) in [
            ("plain\tand\nso on", "plain\tand\nso on"),
            ("a\u{202e}b", "a⟨U+202E⟩b"),
            ("\u{2066}x\u{2069}", "⟨U+2066⟩x⟨U+2069⟩"),
            ("\u{200f}", "⟨U+200F⟩"),
            ("a\u{ad}b\u{200b}c\u{feff}", "a⟨U+00AD⟩b⟨U+200B⟩c⟨U+FEFF⟩"),
            ("rm -rf\u{a0}/", "rm -rf⟨U+00A0⟩/"),
            ("\x1b[0m\r", "⟨U+001B⟩[0m⟨U+000D⟩"),
            ("\u{9b}", "⟨U+009B⟩"),
            ("a\u{e0041}", "a⟨U+E0041⟩"),
            ("日本\u{3000}語", "日本\u{3000}語"),
            ("ls\u{3000}-l", "ls⟨U+3000⟩-l"),
            ("👩‍👩‍👧", "👩‍👩‍👧"),
            ("❤️", "❤️"),
            ("1\u{fe0f}\u{20e3}", "1\u{fe0f}\u{20e3}"),
            ("a\u{200d}b", "a⟨U+200D⟩b"),
            ("👍\u{fe01}\u{fe02}", "👍\u{fe01}⟨U+FE02⟩"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("e\u{301}", "e\u{301}"),
        ] {
            assert_eq!(visible(text), shown, "{text:?}");
        }
    }

    #[test]
    fn cuts_between_characters_as_a_reader_counts_them() {
        for (text, max, line) in [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2, "👩‍👩‍👧…"),
            ("漢字仮名", 3, "漢字…"),
            ("مَرْحَبًا", 2, "مَ…"),
            (" \n a \t\r\n  b ", 9, "a b"),
            ("a\u{202e}b", 20, "a⟨U+202E⟩b"),
            ("ab cd", 4, "ab…"),
            ("abc", 0, "…"),
        ] {
            assert_eq!(one_line(text, max), line, "{text:?}");
        }
    }

    #[test]
    fn reads_no_more_of_a_long_text_than_it_needs() {
        let accents = format!("a{}", "\u{301}".repeat(5_000_000));
        assert!(one_line(&accents, 200).len() < 20_000);
        assert_eq!(one_line(&"x".repeat(10_000_000), 200), format!("{}…", "x".repeat(199)));
    }

    proptest! {
        #[test]
        fn a_line_is_never_longer_than_asked_for(text in any::<String>(), max in 1..40usize) {
            let line = one_line(&text, max);
            prop_assert!(line.graphemes(true).count() <= max);
            prop_assert!(!line.contains(['\n', '\r', '\t']));
        }

        #[test]
        fn nothing_visible_is_lost(text in any::<String>()) {
            let shown = visible(&text);
            let mut rest = &*shown;
            for char in text.chars() {
                let escape = format!("⟨U+{:04X}⟩", u32::from(char));
                let escaped = rest.strip_prefix(escape.as_str());
                rest = escaped.or_else(|| rest.strip_prefix(char)).unwrap();
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn shown_text_hides_nothing_more(text in any::<String>()) {
            let shown = visible(&text).into_owned();
            prop_assert_eq!(visible(&shown), shown.as_str());
        }
    }
}
