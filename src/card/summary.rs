//! The words of a closed card.

use super::SUMMARY_LIMIT;
use unicode_segmentation::UnicodeSegmentation;

use super::facts::Facts;
use super::image;
use super::lines::{Language, Lines};
use super::tools::{self, Family, Shown};
use super::visible::one_line;
use crate::json;
use crate::trace::{Content, Outcome, Refuser, ToolCall};

/// The words of a closed card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The most telling argument, one line of at most 200 graphemes.
    pub call: String,
    /// Short facts beside it.
    pub badges: Vec<Badge>,
    /// A short fact on the result; absent while it is pending.
    pub result: Option<String>,
}

/// A short fact beside the call summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// Its words.
    pub text: String,
    /// Whether it is good or bad news.
    pub tone: Tone,
}

/// What kind of news a badge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Neither.
    Plain,
    /// All is done.
    Good,
    /// Something failed.
    Bad,
    /// Worth a look.
    Warn,
}

impl Badge {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), tone: Tone::Plain }
    }
}

/// Characters of an output that is its own summary.
const OWN_SUMMARY: usize = 60;

/// What a closed card says.
#[must_use]
pub fn summarize(call: &ToolCall) -> Summary {
    let facts = Facts::of(call);
    let family = tools::family(&call.name, facts.given());
    Summary {
        call: call_summary(&facts, family),
        badges: (family.badges)(&facts),
        result: result_summary(&facts, family),
    }
}

fn call_summary(facts: &Facts, family: &Family) -> String {
    let preview = || facts.call.preview.as_deref().filter(|preview| !preview.trim_ascii().is_empty());
    let text = match &facts.call.input {
        Content::Held(_) => (family.call)(facts).or_else(|| tools::fallback::call(facts)),
        Content::Remote | Content::None | Content::Unavailable(_) => preview().map(str::to_owned),
    };
    one_line(&text.unwrap_or_default(), SUMMARY_LIMIT)
}

fn result_summary(facts: &Facts, family: &Family) -> Option<String> {
    match (&facts.call.outcome, &facts.call.output) {
        (outcome, _) if !outcome.has_ended() => None,
        (Outcome::Refused { by }, _) => Some(refused(by).to_owned()),
        (Outcome::Error, Content::Remote | Content::None) => Some("failed".to_owned()),
        (_, Content::Unavailable(reason)) => Some(one_line(reason, OWN_SUMMARY)),
        (Outcome::Ok, Content::None) => Some("no output".to_owned()),
        (_, Content::Remote | Content::None) => None,
        (Outcome::Error, Content::Held(_)) => (family.failure)(facts).or_else(|| Some(failure(facts))),
        (_, Content::Held(_)) => {
            let result = (family.result)(facts).unwrap_or_else(|| size(facts, family));
            Some(result).filter(|result| !result.is_empty())
        }
    }
}

/// Who did not allow a call.
pub(super) fn refused(by: &Refuser) -> &'static str {
    match by {
        Refuser::User => "refused by the user",
        Refuser::Policy => "refused by a rule",
        Refuser::Unknown => "refused",
    }
}

/// `failed` and the first line of what went wrong.
fn failure(facts: &Facts) -> String {
    match facts.first_line() {
        Some(line) => format!("failed · {line}"),
        None => "failed".to_owned(),
    }
}

/// The output itself when it is one short line, else how much of it there is.
fn size(facts: &Facts, family: &Family) -> String {
    let text = facts.body();
    let images = image::summary(facts.blocks());
    if let (Some(images), true) = (images, text.trim_ascii().is_empty()) {
        return images;
    }
    short_line(text).unwrap_or_else(|| {
        if family.shown == Shown::Read && json::is_composite(text) {
            return line_count(&json::pretty(text));
        }
        line_count(text)
    })
}

/// The output itself when it is one line of at most 60 characters.
pub(super) fn short_line(text: &str) -> Option<String> {
    let text = text.trim_ascii_end();
    // So short a line has no more bytes, escapes of a terminal among them.
    if text.is_empty() || text.len() > 40 * OWN_SUMMARY || count_lines(text) != 1 {
        return None;
    }
    let shown = if text.contains('\x1b') { Lines::new(text, Language::Terminal).shown(0) } else { text.to_owned() };
    let line = one_line(&shown, usize::MAX);
    (!line.is_empty() && line.graphemes(true).count() <= OWN_SUMMARY).then_some(line)
}

/// `12 lines`, or `no output`.
pub(super) fn line_count(text: &str) -> String {
    match count_lines(text) {
        0 => "no output".to_owned(),
        lines => counted(lines, "line", "lines"),
    }
}

/// Lines as [`Lines`] counts them.
pub(super) fn count_lines(text: &str) -> usize {
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    newlines + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// `1 file`, `2 files`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A size in units of 1,024 bytes with one decimal: `512 B`, `4.1 KB`, `32 KB`.
pub(super) fn bytes(bytes: usize) -> String {
    let (unit, name) = match bytes {
        0..1024 => return format!("{bytes} B"),
        1024..1_048_576 => (1024, "KB"),
        _ => (1_048_576, "MB"),
    };
    // In integers: printing a float costs the page more than it is worth.
    let tenths = (bytes / unit * 10) + (bytes % unit * 10 + unit / 2) / unit;
    match tenths % 10 {
        0 => format!("{} {name}", tenths / 10),
        tenth => format!("{}.{tenth} {name}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_decimal() {
        for (size, text) in [
            (0, "0 B"),
            (1_023, "1023 B"),
            (1_024, "1 KB"),
            (4_198, "4.1 KB"),
            (32_768, "32 KB"),
            (1_048_575, "1024 KB"),
            (1_572_864, "1.5 MB"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }

    #[test]
    fn sixty_characters_are_their_own_summary() {
        assert_eq!(short_line(&"é".repeat(60)), Some("é".repeat(60)));
        assert_eq!(short_line(&"é".repeat(61)), None);
        assert_eq!(short_line("a\n").as_deref(), Some("a"));
        assert_eq!(short_line("\x1b[1mok\x1b[0m\n").as_deref(), Some("ok"));
        assert_eq!(short_line("a\nb"), None);
        assert_eq!(short_line("\n"), None);
        assert_eq!(short_line("false").as_deref(), Some("false"));
    }
}
