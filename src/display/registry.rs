//! What was registered, by three ways in, and which display a tool has by it.

use super::entry::{Entry, Field, FunctionId};
use super::matcher::{Matcher, Patterns, Specificity};
use super::tool::ToolDisplay;

/// What came in by one way: a `displays.json`, the host's calls, or the viewer's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Displays {
    /// Whether cards start open, over what each display says.
    pub open: Option<bool>,
    /// One entry a matcher, in the order in which they were first registered.
    pub(super) entries: Vec<(Matcher, Entry)>,
}

impl Displays {
    /// Every matcher with its entry, in the order in which they were first registered.
    pub fn entries(&self) -> impl Iterator<Item = (&Matcher, &Entry)> {
        self.entries.iter().map(|(matcher, entry)| (matcher, entry))
    }

    /// The entry of a matcher.
    #[must_use]
    pub fn get(&self, matcher: &Matcher) -> Option<&Entry> {
        self.entries().find_map(|(own, entry)| (own == matcher).then_some(entry))
    }

    /// The entry of a matcher, made when there is none.
    pub fn entry(&mut self, matcher: &Matcher) -> &mut Entry {
        let at = self.entries.iter().position(|(own, _)| own == matcher).unwrap_or_else(|| {
            self.entries.push((matcher.clone(), Entry::default()));
            self.entries.len() - 1
        });
        &mut self.entries[at].1
    }

    /// Takes the entry of a matcher away.
    pub fn remove(&mut self, matcher: &Matcher) {
        self.entries.retain(|(own, _)| own != matcher);
    }

    /// Takes one field of a matcher's entry away, and the entry when it was its last: one that says nothing would still
    /// keep a less specific one from applying.
    pub fn remove_field(&mut self, matcher: &Matcher, field: Field) {
        self.entries.retain_mut(|(own, entry)| {
            if own != matcher || entry.is_empty() {
                return true;
            }
            entry.remove(field);
            !entry.is_empty()
        });
    }
}

/// One registry, three ways in, later ones merged over earlier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    /// From `displays.json`. It may arrive after the host's calls; the order of the three stays.
    pub file: Displays,
    /// From the host's calls.
    pub host: Displays,
    /// From the viewer's settings.
    pub viewer: Displays,
    /// The host's renderers, one a matcher.
    pub(super) renderers: Vec<(Matcher, FunctionId)>,
}

impl Registry {
    /// Merges a display into what the host registered for the matcher (specs: displays, rule 2).
    pub fn register(&mut self, matcher: &Matcher, display: &Entry) {
        self.host.entry(matcher).merge(display);
    }

    /// Takes a display away, that of `displays.json` too, which is the host's as well. The viewer's own settings stay.
    pub fn unregister(&mut self, matcher: &Matcher) {
        self.file.remove(matcher);
        self.host.remove(matcher);
    }

    /// Takes one field of a display away, as [`Self::unregister`] does all of it.
    pub fn unregister_field(&mut self, matcher: &Matcher, field: Field) {
        self.file.remove_field(matcher, field);
        self.host.remove_field(matcher, field);
    }

    /// Sets what draws the calls of a matcher.
    pub fn register_renderer(&mut self, matcher: &Matcher, renderer: FunctionId) {
        match self.renderers.iter_mut().find(|(own, _)| own == matcher) {
            Some((_, own)) => *own = renderer,
            None => self.renderers.push((matcher.clone(), renderer)),
        }
    }

    /// Takes the renderer of a matcher away.
    pub fn unregister_renderer(&mut self, matcher: &Matcher) {
        self.renderers.retain(|(own, _)| own != matcher);
    }

    /// Every matcher that has a display, in the order in which they were first registered.
    pub fn matchers(&self) -> impl Iterator<Item = &Matcher> {
        self.layers().into_iter().flat_map(|layer| layer.entries.iter().map(|(matcher, _)| matcher))
    }

    /// The matcher whose display a tool has.
    #[must_use]
    pub fn applying(&self, name: &str, patterns: &dyn Patterns) -> Option<&Matcher> {
        applying(self.matchers(), name, patterns)
    }

    /// How the calls of a tool are shown. It asks every pattern until one is found: ask once a tool, not once a row.
    #[must_use]
    pub fn display(&self, name: &str, patterns: &dyn Patterns) -> ToolDisplay {
        let matcher = self.applying(name, patterns);
        let entry = matcher.map(|matcher| self.merged(matcher));
        let renderer = applying(self.renderers.iter().map(|(matcher, _)| matcher), name, patterns);

        let hides = entry.as_ref().is_some_and(|entry| entry.hidden == Some(true));
        let specificity = matcher.map(Matcher::specificity);
        let outdoes = |renderer: &&Matcher| !hides || Some(renderer.specificity()) > specificity;
        let renderer = renderer.filter(outdoes).and_then(|matcher| self.renderer(matcher));

        let hidden = hides && renderer.is_none();
        let open = self.starts_open(matcher, entry.as_ref());
        ToolDisplay { entry, renderer, hidden, open }
    }

    /// Whether the screen leaves the calls of a tool out.
    #[must_use]
    pub fn is_hidden(&self, name: &str, patterns: &dyn Patterns) -> bool {
        self.display(name, patterns).hidden
    }

    /// The viewer's entry for one tool. A new one begins as a copy of the display that applies: an entry is used whole, so
    /// that who only hides a tool would else lose its label.
    pub fn viewers_entry(&mut self, name: &str, patterns: &dyn Patterns) -> &mut Entry {
        let own = Matcher::Name(name.to_owned());
        if self.viewer.get(&own).is_none() {
            let applying = self.applying(name, patterns);
            let borrowed = applying.filter(|applying| **applying != own).map(|applying| self.merged(applying));
            *self.viewer.entry(&own) = borrowed.unwrap_or_default();
        }
        self.viewer.entry(&own)
    }

    fn layers(&self) -> [&Displays; 3] {
        [&self.file, &self.host, &self.viewer]
    }

    /// The entry of a matcher over all ways in.
    fn merged(&self, matcher: &Matcher) -> Entry {
        let mut merged = Entry::default();
        for entry in self.layers().into_iter().filter_map(|layer| layer.get(matcher)) {
            merged.merge(entry);
        }
        merged
    }

    fn renderer(&self, matcher: &Matcher) -> Option<FunctionId> {
        self.renderers.iter().find_map(|(own, renderer)| (own == matcher).then_some(*renderer))
    }

    /// Whether cards start open, but for those that the reader toggled (specs: displays, rule 8). What the viewer's
    /// settings say of the tool is the reader's own choice too.
    fn starts_open(&self, matcher: Option<&Matcher>, entry: Option<&Entry>) -> bool {
        let viewers = matcher.and_then(|matcher| self.viewer.get(matcher)).and_then(|entry| entry.open);
        let defaults = || self.layers().into_iter().rev().find_map(|layer| layer.open);
        viewers.or_else(defaults).or_else(|| entry?.open).unwrap_or(false)
    }
}

/// The matcher that applies to a name: the name itself, else the first pattern that is found in it, else `*` (specs:
/// displays, rule 1).
fn applying<'a>(
    matchers: impl Iterator<Item = &'a Matcher>,
    name: &str,
    patterns: &dyn Patterns,
) -> Option<&'a Matcher> {
    let mut best: Option<&Matcher> = None;
    for matcher in matchers {
        let is_better = best.is_none_or(|best| best.specificity() < matcher.specificity());
        if is_better && matcher.matches(name, patterns) {
            best = Some(matcher);
        }
        if best.is_some_and(|best| best.specificity() == Specificity::Name) {
            break;
        }
    }
    best
}
