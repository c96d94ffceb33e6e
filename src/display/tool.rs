//! How the calls of one tool are shown: what its display makes of each.

use super::entry::{Entry, FunctionId, Words};
use super::template::{Facts, fill};
use crate::card::one_line;
use crate::trace::{Outcome, ToolCall};

/// The icon of a tool whose display names none, or one that nobody knows.
pub const DEFAULT_ICON: &str = "wrench";

/// Characters of a label; a header is one line.
const LABEL_LIMIT: usize = 80;

/// Characters of a summary (specs: cards, *Header*).
const SUMMARY_LIMIT: usize = 200;

/// Calls the host's functions. The browser's edge does it, catches what they throw, and names each fault once in the console.
pub trait Functions {
    /// What the function makes of the call; `None` when it threw or gave no string.
    fn of_call(&self, function: FunctionId, call: &ToolCall) -> Option<String>;

    /// What the function makes of the call's input alone.
    fn of_input(&self, function: FunctionId, call: &ToolCall) -> Option<String>;
}

/// How the calls of one tool are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolDisplay {
    /// The entry that applies, whole (specs: displays, rule 3).
    pub entry: Option<Entry>,
    /// What draws the calls in the card's place; absent where `hidden` outdoes it.
    pub renderer: Option<FunctionId>,
    /// Whether the screen leaves the calls out.
    pub hidden: bool,
    /// Whether a card starts open that the reader has not toggled. Read it when the card is drawn, not when it changes.
    pub open: bool,
}

/// What the screen shows of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Its card.
    Card,
    /// It is hidden but waits for an approval: the question, with label and summary.
    Approval,
    /// Nothing.
    Nothing,
}

/// What cards on screen have to do when a display has changed (specs: displays, rule 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing.
    None,
    /// Say their words anew, in place; what is open stays open.
    Relabel,
    /// Be drawn anew.
    Redraw,
}

impl ToolDisplay {
    /// What the card is called. `None` leaves it to the identifier, which stands in the code font; a label stands in the
    /// font of the page (specs: displays, rules 4 and 5).
    #[must_use]
    pub fn label(&self, facts: &Facts, functions: &dyn Functions) -> Option<String> {
        let words = self.entry.as_ref()?.label.as_ref()?;
        let label = said(words, facts, |function| functions.of_call(function, facts.call))?;
        Some(one_line(&label, LABEL_LIMIT)).filter(|label| !label.is_empty())
    }

    /// The call in one line. `None` leaves it to the card's own words, as does a template of which nothing is left once
    /// it is filled in: the input may be still to come.
    #[must_use]
    pub fn summary(&self, facts: &Facts, functions: &dyn Functions) -> Option<String> {
        let words = self.entry.as_ref()?.summary.as_ref()?;
        let text = said(words, facts, |function| functions.of_call(function, facts.call))?;
        Some(one_line(&text, SUMMARY_LIMIT))
    }

    /// What the open card shows as the input, as text. `None` leaves it to the card's own way.
    #[must_use]
    pub fn input(&self, facts: &Facts, functions: &dyn Functions) -> Option<String> {
        let words = self.entry.as_ref()?.format_input.as_ref()?;
        said(words, facts, |function| functions.of_input(function, facts.call))
    }

    /// The key of its icon; the wrench where none is named, or one that is not known.
    #[must_use]
    pub fn icon(&self, is_known: impl FnOnce(&str) -> bool) -> &str {
        let icon = self.entry.as_ref().and_then(|entry| entry.icon.as_deref());
        icon.filter(|icon| is_known(icon)).unwrap_or(DEFAULT_ICON)
    }

    /// What the screen shows of a call that stands so. Search, totals and copies know of every call (specs: displays, rule 6).
    #[must_use]
    pub fn shows(&self, outcome: &Outcome) -> Shown {
        match (self.hidden, outcome) {
            (false, _) => Shown::Card,
            (true, Outcome::AwaitingApproval) => Shown::Approval,
            (true, _) => Shown::Nothing,
        }
    }

    /// What cards drawn by `self` have to do to be shown by `later`.
    #[must_use]
    pub fn change_to(&self, later: &Self) -> Change {
        if (self.hidden, self.open, self.renderer) != (later.hidden, later.open, later.renderer) {
            Change::Redraw
        } else if self.entry != later.entry {
            Change::Relabel
        } else {
            Change::None
        }
    }
}

fn said(words: &Words, facts: &Facts, function: impl FnOnce(FunctionId) -> Option<String>) -> Option<String> {
    match words {
        Words::Constant(text) => Some(text.clone()),
        Words::Template(template) => {
            let text = fill(template, facts);
            (template.is_empty() || !text.trim_ascii().is_empty()).then_some(text)
        }
        Words::Function(id) => function(*id),
    }
}

/// Whether a model call shows no row: it asked for calls, and nothing is shown of any (specs: displays, rule 6).
#[must_use]
pub fn hides_exchange(calls: impl IntoIterator<Item = Shown>) -> bool {
    let mut calls = calls.into_iter().peekable();
    calls.peek().is_some() && calls.all(|shown| shown == Shown::Nothing)
}
