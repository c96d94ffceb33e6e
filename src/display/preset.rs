//! Settings for two kinds of viewers, each one click (specs: displays).

use super::entry::{Entry, Words};
use super::matcher::Matcher;
use super::registry::{Displays, Registry};

/// For who watches agents work: every card starts open, the duration in its summary. Displays that were registered keep
/// their labels and icons; what is hidden stays so.
#[must_use]
pub fn developer(registry: &Registry) -> Displays {
    let mut displays = Displays { open: Some(true), ..Displays::default() };
    let registered = registry.file.entries().chain(registry.host.entries()).map(|(matcher, _)| matcher);
    for matcher in registered.chain([&Matcher::Any]) {
        // The duration first: while there is none, no dot is left over.
        let summary = Some(Words::Template("{duration} {summary}".to_owned()));
        *displays.entry(matcher) = Entry { summary, ..Entry::default() };
    }
    displays
}

/// For who reads what was done: all is hidden but tools with a display of their own.
#[must_use]
pub fn reader() -> Displays {
    let mut displays = Displays::default();
    displays.entry(&Matcher::Any).hidden = Some(true);
    displays
}
