//! What has been read of one session so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bodies::{Bodies, Index};
use super::wire::{Event, SessionPage, Timeline};
use crate::trace::{Problem, SessionSummary, Timestamp};

/// All that is known of one session: its events as summaries, its timeline, and what was read of event bodies.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The session's id on the wire.
    pub id: Arc<str>,
    pub(super) title: Option<Arc<str>>,
    pub(super) host: Option<Arc<str>>,
    pub(super) created: Option<Timestamp>,
    pub(super) events: BTreeMap<u64, Event>,
    pub(super) timeline: Timeline,
    no_timeline: bool,
    pub(super) bodies: Bodies,
    pub(super) index: Index,
    pub(super) problems: Vec<Problem>,
    /// The oldest event the proxy holds, where it says so.
    oldest: Option<u64>,
    gap: Option<Gap>,
}

/// What one refresh brought.
#[derive(Clone, Debug)]
pub struct News {
    /// The list of sessions, or nothing where it could not be had.
    pub summaries: Vec<SessionSummary>,
    /// The newest events.
    pub newest: SessionPage,
    /// The timeline; `None` where the proxy has none.
    pub timeline: Option<Timeline>,
}

/// What the newest events did to the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// They were added to what was held.
    Added,
    /// The session began anew under its old id; what was held is gone (§4.3).
    Restarted,
}

/// Events may be missing after `held` and before `first`.
#[derive(Clone, Copy, Debug)]
struct Gap {
    held: u64,
    first: u64,
}

impl Record {
    /// Nothing read yet.
    #[must_use]
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Takes what one refresh brought.
    pub fn take_news(&mut self, news: News) -> Taken {
        let summary = news.summaries.iter().find(|summary| summary.id == self.id);
        let reborn = summary.is_some_and(|summary| self.take_summary(summary));
        let taken = self.take_newest(news.newest);
        match news.timeline {
            Some(timeline) => self.take_timeline(timeline),
            None => self.take_no_timeline(),
        }
        if reborn { Taken::Restarted } else { taken }
    }

    /// Takes what the list of sessions says of this one. `true` when it began anew, and all was dropped.
    fn take_summary(&mut self, summary: &SessionSummary) -> bool {
        let restarted = self.created.is_some() && summary.created.is_some() && self.created != summary.created;
        if restarted {
            *self = Self::new(Arc::clone(&self.id));
        }
        self.title.clone_from(&summary.title);
        self.host.clone_from(&summary.host);
        self.created = summary.created.or(self.created);
        restarted
    }

    /// Takes the newest page of the session's events.
    pub(super) fn take_newest(&mut self, page: SessionPage) -> Taken {
        let held = self.events.last_key_value().map(|(&seq, _)| seq);
        let numbered = numbered(&page);
        let newest = numbered.last().map(|&(seq, _)| seq);
        let restarted = held.is_some_and(|held| newest.is_none_or(|newest| newest < held));
        if restarted {
            *self = Self { title: self.title.take(), host: self.host.take(), ..Self::new(Arc::clone(&self.id)) };
        }
        let first = numbered.first().map(|&(seq, _)| seq);
        self.keep(page);
        if restarted {
            return Taken::Restarted;
        }
        // Gaps in the count are normal, so only an event that both have shows that they meet.
        if let (Some(held), Some(first)) = (held, first)
            && first > held
        {
            self.gap = Some(Gap { held: self.gap.map_or(held, |gap| gap.held), first });
        }
        Taken::Added
    }

    /// Before which event others may be missing that happened after those held.
    #[must_use]
    pub fn gap_before(&self) -> Option<u64> {
        self.gap.map(|gap| gap.first)
    }

    /// Takes a page of events before those held, or between them.
    pub fn take_older(&mut self, page: SessionPage) {
        let first = numbered(&page).first().map(|&(seq, _)| seq);
        match (first, &mut self.gap) {
            (Some(first), Some(gap)) if first < gap.first && first > gap.held => gap.first = first,
            (Some(_), _) => self.gap = None,
            // Whatever was before is gone.
            (None, _) => (self.gap, self.oldest) = (None, None),
        }
        self.keep(page);
    }

    fn keep(&mut self, page: SessionPage) {
        self.oldest = page.oldest_seq.or(self.oldest);
        self.note_skipped("event", &page.events.skipped);
        let numbered = numbered(&page).into_iter().map(|(seq, _)| seq).collect::<Vec<_>>();
        for (seq, event) in numbered.into_iter().zip(page.events.items) {
            self.events.entry(seq).or_insert(event);
        }
    }

    /// Takes the timeline as it is now.
    pub(super) fn take_timeline(&mut self, timeline: Timeline) {
        self.problems.retain(|problem| !problem.place.starts_with("timeline"));
        self.note_skipped("timeline agent", &timeline.agents.skipped);
        self.note_skipped("timeline tool", &timeline.tools.skipped);
        self.note_skipped("timeline job", &timeline.jobs.skipped);
        self.timeline = timeline;
        self.no_timeline = false;
    }

    /// Takes that the proxy has no timelines.
    pub(super) fn take_no_timeline(&mut self) {
        self.timeline = Timeline::default();
        self.no_timeline = true;
    }

    /// Whether the calls are told by a timeline, and need not be read from the responses.
    #[must_use]
    pub fn has_timeline(&self) -> bool {
        !self.no_timeline
    }

    fn note_skipped(&mut self, what: &str, skipped: &[(usize, String)]) {
        for (position, reason) in skipped {
            let problem = Problem { place: format!("{what} {}", position + 1), reason: reason.clone() };
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    /// Where the next older page begins, when there is one.
    #[must_use]
    pub fn older_than(&self) -> Option<u64> {
        let (&first, _) = self.events.first_key_value()?;
        self.oldest.filter(|&oldest| oldest < first).map(|_| first)
    }

    /// Whether anything has been read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.timeline.tools.items.is_empty()
    }

    /// When the session was created, where the list said so.
    #[must_use]
    pub fn created(&self) -> Option<Timestamp> {
        self.created
    }
}

/// The events of a page with their `seq`; proxies of before September 2026 do not count, so their position stands in.
fn numbered(page: &SessionPage) -> Vec<(u64, &Event)> {
    (1..).zip(&page.events.items).map(|(position, event)| (event.seq.unwrap_or(position), event)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::cortex::wire::read;

    fn page(seqs: std::ops::Range<u64>, oldest: Option<u64>) -> SessionPage {
        let events: Vec<_> = seqs.map(|seq| format!(r#"{{"seq":{seq},"phase":"request"}}"#)).collect();
        let oldest = oldest.map(|seq| format!(r#","oldestSeq":{seq}"#)).unwrap_or_default();
        read(&format!(r#"{{"events":[{}]{oldest}}}"#, events.join(","))).unwrap()
    }

    #[test]
    fn what_happened_between_two_pages_is_loaded_until_they_meet() {
        let mut record = Record::new("s");
        record.take_newest(page(1..6, None));
        record.take_newest(page(5..10, None));
        assert_eq!(record.gap_before(), None);
        record.take_newest(page(30..40, None));
        assert_eq!(record.gap_before(), Some(30));
        record.take_older(page(20..30, None));
        assert_eq!(record.gap_before(), Some(20));
        record.take_older(page(8..20, None));
        assert_eq!(record.gap_before(), None);
        assert_eq!(record.events.len(), 39);
    }

    #[test]
    fn a_count_that_goes_down_is_a_new_life() {
        let mut record = Record::new("s");
        record.take_newest(page(1..51, None));
        assert_eq!(record.take_newest(page(1..4, None)), Taken::Restarted);
        assert_eq!(record.events.len(), 3);
        assert_eq!(record.take_newest(page(1..1, None)), Taken::Restarted);
    }

    #[test]
    fn another_creation_is_a_new_life() {
        let mut record = Record::new("s");
        let born = |at: &str| SessionSummary { created: Timestamp::parse(at), ..SessionSummary::default() };
        assert!(!record.take_summary(&born("2026-01-01T00:00:00Z")));
        record.take_newest(page(1..6, None));
        assert!(!record.take_summary(&born("2026-01-01T00:00:00Z")));
        assert!(record.take_summary(&born("2026-01-02T00:00:00Z")));
        assert!(record.is_empty());
    }

    #[test]
    fn older_pages_are_wanted_until_the_oldest_is_held() {
        let mut record = Record::new("s");
        record.take_newest(page(100..201, Some(1)));
        assert_eq!(record.older_than(), Some(100));
        record.take_older(page(1..100, Some(1)));
        assert_eq!(record.older_than(), None);

        let mut evicted = Record::new("s");
        evicted.take_newest(page(100..201, Some(1)));
        evicted.take_older(SessionPage::default());
        assert_eq!(evicted.older_than(), None);
    }

    #[test]
    fn what_cannot_be_read_is_told_once() {
        let mut record = Record::new("s");
        for _ in 0..2 {
            record.take_newest(read(r#"{"events":[{"seq":1},7]}"#).unwrap());
            record.take_timeline(read(r#"{"tools":[null,{"id":"a"}]}"#).unwrap());
        }
        let places: Vec<_> = record.problems.iter().map(|problem| problem.place.as_str()).collect();
        assert_eq!(places, ["event 2", "timeline tool 1"]);
    }
}
