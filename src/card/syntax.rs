//! Colours for JSON and for shell commands, line by line.

use super::ansi::Span;
use super::style::{Kind, Style};

/// What is open where a line of a command begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quote {
    #[default]
    None,
    Single,
    Double,
}

/// The tokens of a line of pretty-printed JSON. Strings hold no newline there, so nothing is carried over.
pub(super) fn json(line: &str) -> Vec<Span> {
    let bytes = line.as_bytes();
    let mut spans = Spans::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'"' => {
                at = quoted_end(bytes, at + 1, b'"').unwrap_or(bytes.len());
                let rest = line[at..].trim_ascii_start();
                if rest.starts_with(':') { Kind::Key } else { Kind::String }
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                at += word_length(bytes, at);
                let word = &line[start..at];
                let is_number = word.trim_start_matches('-').starts_with(|char: char| char.is_ascii_digit());
                if is_number { Kind::Number } else { Kind::Keyword }
            }
            _ => {
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| !byte.is_ascii_alphanumeric() && !b"\"-".contains(byte))
                    .count();
                Kind::Plain
            }
        };
        spans.push(start, at, kind);
    }
    spans.0
}

fn word_length(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count()
}

/// The words of the shell that steer what is run.
const KEYWORDS: [&str; 17] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "function",
    "select", "time", "export",
];

/// The tokens of a line of a shell command, and what is still open at its end.
pub(super) fn shell(line: &str, mut open: Quote) -> (Vec<Span>, Quote) {
    let bytes = line.as_bytes();
    let mut spans = Spans::default();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match (open, bytes[at]) {
            (Quote::Single, _) => {
                at = single_end(bytes, at, &mut open);
                Kind::String
            }
            (Quote::None | Quote::Double, b'$') => {
                at += variable_length(bytes, at);
                Kind::Variable
            }
            (Quote::Double, _) => {
                at = double_end(bytes, at, &mut open);
                Kind::String
            }
            (Quote::None, b'\'') => {
                open = Quote::Single;
                at = single_end(bytes, at + 1, &mut open);
                Kind::String
            }
            (Quote::None, b'"') => {
                open = Quote::Double;
                at = double_end(bytes, at + 1, &mut open);
                Kind::String
            }
            (Quote::None, b'\\') => {
                at += 1 + line[at + 1..].chars().next().map_or(0, char::len_utf8);
                Kind::Plain
            }
            (Quote::None, b'#') if at == 0 || bytes[at - 1].is_ascii_whitespace() => {
                at = bytes.len();
                Kind::Comment
            }
            (Quote::None, _) => {
                let word = bytes[at..].iter().take_while(|byte| !b"'\"\\$ \t;|&()<>".contains(byte)).count();
                at += word.max(1);
                if KEYWORDS.contains(&&line[start..at]) { Kind::Keyword } else { Kind::Plain }
            }
        };
        spans.push(start, at, kind);
    }
    (spans.0, open)
}

/// The lines of a command that begin inside or outside of quotes other than the line before.
pub(super) fn shell_quotes(text: &str, starts: &[usize]) -> Vec<(usize, Quote)> {
    let mut changes = Vec::new();
    let mut open = Quote::None;
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    for (line, (&start, end)) in starts.iter().zip(ends).enumerate() {
        let after = shell(&text[start..end], open).1;
        if after != open {
            open = after;
            changes.push((line + 1, open));
        }
    }
    changes
}

fn quoted_end(bytes: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            _ if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

fn single_end(bytes: &[u8], at: usize, open: &mut Quote) -> usize {
    match bytes[at..].iter().position(|&byte| byte == b'\'') {
        Some(length) => {
            *open = Quote::None;
            at + length + 1
        }
        None => bytes.len(),
    }
}

/// The end of a stretch of a double-quoted string that is no variable.
fn double_end(bytes: &[u8], mut at: usize, open: &mut Quote) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                *open = Quote::None;
                return at + 1;
            }
            b'$' => return at,
            // A byte of a longer character that follows is passed over as one that is no quote.
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii) => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Bytes up to which the end of `${…}` is looked for, so that many open ones take no quadratic time.
const MAX_VARIABLE: usize = 256;

fn variable_length(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at + 1..];
    1 + match rest.first() {
        Some(b'{') => rest.iter().take(MAX_VARIABLE).position(|&byte| byte == b'}').map_or(1, |length| length + 1),
        Some(b'?' | b'#' | b'@' | b'*' | b'!' | b'$' | b'-') => 1,
        _ => rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count(),
    }
}

/// Spans one after another; neighbours of one kind are one.
#[derive(Default)]
struct Spans(Vec<Span>);

impl Spans {
    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        let style = Style::of(kind);
        match self.0.last_mut() {
            Some((last, before)) if *before == style => last.end = end,
            _ => self.0.push((start..end, style)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str, spans: &[Span]) -> Vec<(String, Kind)> {
        let spans = spans.iter().filter(|(_, style)| style.kind != Kind::Plain);
        spans.map(|(range, style)| (line[range.clone()].to_owned(), style.kind)).collect()
    }

    #[test]
    fn colours_json() {
        let line = r#"  "a\"b": "x", "n": -1.5e+3, true é"#;
        let expected = [
            (r#""a\"b""#, Kind::Key),
            (r#""x""#, Kind::String),
            (r#""n""#, Kind::Key),
            ("-1.5e+3", Kind::Number),
            ("true", Kind::Keyword),
        ];
        assert_eq!(kinds(line, &json(line)), expected.map(|(text, kind)| (text.to_owned(), kind)));
    }

    #[test]
    fn colours_a_command() {
        let line = r#"if grep -q "a $b ${c}" 'd'; then echo \' # why"#;
        let expected = [
            ("if", Kind::Keyword),
            ("\"a ", Kind::String),
            ("$b", Kind::Variable),
            (" ", Kind::String),
            ("${c}", Kind::Variable),
            ("\"", Kind::String),
            ("'d'", Kind::String),
            ("then", Kind::Keyword),
            ("# why", Kind::Comment),
        ];
        assert_eq!(kinds(line, &shell(line, Quote::None).0), expected.map(|(text, kind)| (text.to_owned(), kind)));
    }

    #[test]
    fn a_quote_holds_over_lines() {
        let text = "echo 'a\nb\nc' d\ne";
        assert_eq!(shell_quotes(text, &[0, 8, 10, 15]), [(1, Quote::Single), (3, Quote::None)]);
    }
}
