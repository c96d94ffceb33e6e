//! What was heard of a conversation so far, from its log and live.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use thiserror::Error;

use super::wire::{self, Event, Part};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Buffer, Problem, Session, Span, Timestamp};

#[cfg(test)]
mod tests;

/// A conversation, as far as it was heard of: pages of the log in any order, and live events in the order of their arrival.
///
/// What came live stands behind the log until the log holds it. A call keeps its key all the time, so that its card is
/// the same before and after.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    pub(super) id: Arc<str>,
    /// In order of `seq`.
    pub(super) log: Vec<(u64, Part)>,
    seqs: HashSet<u64>,
    latest: u64,
    /// What the log does not hold yet.
    pub(super) live: Vec<Heard>,
    pub(super) calls: HashMap<Arc<str>, Arrival>,
    /// When exchanges were under way that came live and now stand in the log, by what names them there.
    pub(super) exchanges: HashMap<Arc<str>, Span>,
    /// Why turns ended that did.
    pub(super) ended: HashMap<Arc<str>, Option<Arc<str>>>,
    /// Turns that the log holds, as a page that is asked for from now on will tell.
    sealed: Vec<Arc<str>>,
    /// The same, for the page that was asked for last.
    asked: Vec<Arc<str>>,
    pub(super) repeats: u32,
    pub(super) problems: Vec<Problem>,
}

/// A part that came live.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heard {
    pub turn: Option<Arc<str>>,
    pub at: Option<Timestamp>,
    /// When its last piece came.
    pub until: Option<Timestamp>,
    pub part: Part,
}

/// What only the live events tell of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arrival {
    pub turn: Option<Arc<str>>,
    pub span: Span,
    /// What it put out so far.
    pub partial: String,
    heard: bool,
}

/// An answer that is no page of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the answer is no history: it has no list `chunks`; check the address of the host and the id of the conversation"
)]
pub struct NoHistory;

impl Fold {
    /// A conversation of which nothing was heard.
    #[must_use]
    pub fn new(id: &str) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Where the next page of the log begins: its `sinceSeq`.
    ///
    /// What is told of sealed turns by now stands in the page that is asked for with this; so it is to be called
    /// once for every request.
    pub fn ask(&mut self) -> u64 {
        self.asked.append(&mut self.sealed);
        self.latest
    }

    /// Says that live events may have been missed: of the turns that were heard of so far the next page tells better.
    ///
    /// Their calls stay, even those that it does not tell of.
    pub fn missed(&mut self) {
        for heard in &self.live {
            let turn = heard.turn.clone().unwrap_or_default();
            if self.sealed.last() != Some(&turn) {
                self.sealed.push(turn);
            }
        }
    }

    /// Whether the log holds a turn that was not read from it.
    #[must_use]
    pub fn wants_page(&self) -> bool {
        !(self.sealed.is_empty() && self.asked.is_empty())
    }

    /// Takes in a page of the log, `{chunks, latestSeq}`; pages that overlap do no harm.
    ///
    /// # Errors
    /// When the answer is no such page. Nothing is changed then.
    pub fn page(&mut self, answer: &Buffer) -> Result<(), NoHistory> {
        let json = Json::parse(answer.as_str().into()).map_err(|_| NoHistory)?;
        let chunks = json.nested("chunks").filter(Json::is_array).ok_or(NoHistory)?;
        if !self.asked.is_empty() {
            self.exchanges.extend(self.times_of_exchanges());
        }
        for (position, chunk) in chunks.items().enumerate() {
            self.chunk(answer, chunk, &|| format!("chunks[{position}]"));
        }
        self.log.sort_by_key(|(seq, _)| *seq);
        self.latest = json.whole("latestSeq").unwrap_or(self.latest);
        self.forget_what_is_sealed();
        Ok(())
    }

    fn chunk(&mut self, buffer: &Buffer, raw: &str, place: &dyn Fn() -> String) {
        let json = Json::parse(raw.into()).ok().filter(Json::is_object);
        let chunk = json.as_ref().ok_or("it is no object").and_then(|json| wire::chunk(buffer, json));
        match chunk {
            Err(reason) => self.problem(place(), reason),
            Ok(chunk) => {
                let seq = chunk.seq.unwrap_or(self.latest);
                self.latest = self.latest.max(seq);
                // A chunk without a number stands where it was read.
                let is_new = chunk.seq.is_none_or(|seq| self.seqs.insert(seq));
                match chunk.part {
                    Some(Part::Asked { .. }) if !is_new => self.repeats += 1,
                    Some(part) if is_new => self.log.push((seq, part)),
                    _ => {}
                }
            }
        }
    }

    /// Takes in a live event that stands in `buffer`, bare or in an envelope with an `event`, and came at an instant that
    /// is not known for saved ones. An event that cannot be read, or is of another conversation, changes nothing but the
    /// problems; `place` says where it stood.
    pub fn hear(&mut self, buffer: &Buffer, event: &str, at: Option<Timestamp>, place: &dyn Fn() -> String) {
        let json = Json::parse(event.into()).ok().filter(Json::is_object);
        let inner = json.as_ref().and_then(|json| json.nested("event")).filter(Json::is_object);
        let Some(json) = inner.as_ref().or(json.as_ref()) else { return self.problem(place(), "it is no object") };
        let conversation = json.word("conversationId");
        if self.id.is_empty() {
            self.id = conversation.clone().unwrap_or_default();
        }
        if conversation.is_some_and(|conversation| conversation != self.id) {
            return;
        }
        let turn = json.word("turnId");
        match wire::event(buffer, json) {
            Err(reason) => self.problem(place(), reason),
            Ok(Event::Part(part)) => self.heard(turn, at, part),
            // The result holds all of it.
            Ok(Event::Partial { id, data }) => {
                let call = self.calls.entry(id).or_default();
                if call.span.end.is_none() {
                    call.partial.push_str(&data);
                }
            }
            Ok(Event::Done { reason }) => {
                self.ended.insert(turn.unwrap_or_default(), reason);
            }
            Ok(Event::Sealed) => {
                let turn = turn.unwrap_or_default();
                self.ended.entry(Arc::clone(&turn)).or_default();
                self.sealed.push(turn);
            }
            Ok(Event::Nothing) => {}
        }
    }

    fn heard(&mut self, turn: Option<Arc<str>>, at: Option<Timestamp>, part: Part) {
        match &part {
            Part::Asked { id, .. } if !id.is_empty() => {
                let call = self.calls.entry(Arc::clone(id)).or_default();
                if std::mem::replace(&mut call.heard, true) {
                    self.repeats += 1;
                    return;
                }
                call.turn.clone_from(&turn);
                call.span.start = at;
            }
            Part::Answered { id, .. } if !id.is_empty() => {
                let call = self.calls.entry(Arc::clone(id)).or_default();
                call.span.end = call.span.end.or(at);
                call.partial = String::new();
            }
            Part::Saying(more) => {
                if let Some(Heard { turn: same, until, part: Part::Saying(said), .. }) = self.live.last_mut()
                    && *same == turn
                {
                    said.push_str(more);
                    *until = at;
                    return;
                }
            }
            Part::Thought => {
                if let Some(Heard { turn: same, until, part: Part::Thought, .. }) = self.live.last_mut()
                    && *same == turn
                {
                    *until = at;
                    return;
                }
            }
            _ => {}
        }
        self.live.push(Heard { turn, at, until: at, part });
    }

    /// The log holds what came live of the turns that were sealed when the page was asked for.
    fn forget_what_is_sealed(&mut self) {
        let sealed: HashSet<_> = std::mem::take(&mut self.asked).into_iter().collect();
        if sealed.is_empty() {
            return;
        }
        let logged: HashSet<_> = self.log.iter().filter_map(|(_, part)| side(part)).collect();
        self.live.retain(|heard| {
            let is_sealed = sealed.contains(heard.turn.as_deref().unwrap_or_default());
            // A call that the log left out is shown all the same.
            !is_sealed || side(&heard.part).is_some_and(|side| !logged.contains(&side))
        });
    }

    /// The session as it stands. `still_runs` says whether more can come: what is open is lost otherwise.
    #[must_use]
    pub fn session(&self, still_runs: bool) -> Session {
        self.assemble(still_runs)
    }

    fn problem(&mut self, place: String, reason: &str) {
        self.problems.push(Problem { place, reason: reason.to_owned() });
    }
}

/// The call that a part is of, and whether it is its result.
fn side(part: &Part) -> Option<(&Arc<str>, bool)> {
    match part {
        Part::Asked { id, .. } if !id.is_empty() => Some((id, false)),
        Part::Answered { id, .. } if !id.is_empty() => Some((id, true)),
        _ => None,
    }
}
