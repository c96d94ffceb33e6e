//! What a Cortex proxy answered, saved (specs: cortex-api, session-files §19): a session's events as one view, as a
//! stream or one a line, and its timeline. Its sessions are told as they are while they are read from the proxy.

mod mcp;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::mcp::Mcp;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::Transcript;
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::cortex::wire::{Event, SessionPage, Timeline, Wire};
use crate::source::cortex::{News, Record};
use crate::source::lenient::{Fields, List};
use crate::trace::{Buffer, Content, Outcome, Problem, Session, Timestamp};

/// Why a list of sessions is not read.
pub(super) const IS_LIST: &str = "it is a proxy's list of sessions, which holds none of them; save one of them, \
     which the proxy gives at /v1/sessions/ and its id";

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| is_event(record) || is_view(record) || is_timeline(record))
}

/// Whether the records are the proxy's list of sessions.
pub(super) fn is_list(sample: &Sample<'_>) -> bool {
    sample.any(|record| first(record, "sessions", |session| has(session, &["id", "createdAt", "eventCount"])))
}

fn is_event(record: &Json<'_>) -> bool {
    let is = |key, words: &[&str]| record.text(key).is_some_and(|text| words.contains(&&*text));
    is("direction", &["inbound", "outbound"]) && is("phase", &["request", "response", "denied"])
}

fn is_view(record: &Json<'_>) -> bool {
    first(record, "events", is_event)
}

fn is_timeline(record: &Json<'_>) -> bool {
    let is_tool = |tool: &Json<'_>| has(tool, &["name", "start"]) && tool.get("seq").or(tool.get("agent")).is_some();
    record.get("agents").is_some() && first(record, "tools", is_tool)
}

fn has(json: &Json<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| json.get(key).is_some())
}

/// Whether the first object of a list fulfils the test.
fn first(record: &Json<'_>, key: &str, test: impl Fn(&Json<'_>) -> bool) -> bool {
    let list = record.nested(key);
    let mut items = list.iter().flat_map(Json::items).filter_map(|item| Json::parse(item.into()).ok());
    items.find(Json::is_object).is_some_and(|item| test(&item))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut saved = Saved {
        buffer: Arc::clone(&source.buffer),
        problems: Transcript::new(&source.name),
        runs: Vec::new(),
        of_id: HashMap::new(),
    };
    match source.document().filter(|_| source.container == Container::Document) {
        Some(document) => saved.record(&document),
        None => source.read_lines(&mut saved),
    }
    let mut problems = saved.problems.session.problems;
    let readings = saved.runs.into_iter().map(|run| {
        let mut session = run.session(&source.name);
        session.problems.append(&mut problems);
        source.reading(Format::Cortex, (session, 0), Belongs::Alone)
    });
    readings.collect()
}

/// What the file holds, by session: a stream tells all sessions of its proxy.
struct Saved {
    buffer: Buffer,
    problems: Transcript,
    runs: Vec<Run>,
    of_id: HashMap<Option<Arc<str>>, usize>,
}

/// What the file holds of one session.
#[derive(Default)]
struct Run {
    id: Option<Arc<str>>,
    events: Vec<Event>,
    seen: HashSet<(u64, Option<Timestamp>, Option<Arc<str>>)>,
    seqs: HashSet<u64>,
    /// Whether it counts its events anew somewhere, as a proxy does that forgot the older ones.
    counts_anew: bool,
    repeats: usize,
    /// The oldest event that the proxy holds, where it says so.
    oldest: Option<u64>,
    timeline: Option<Timeline>,
    mcp: Mcp,
    skipped: Vec<(usize, String)>,
}

impl Reader for Saved {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.problems
    }

    fn record(&mut self, json: &Json<'_>) {
        if is_event(json) {
            let run = self.place(json.word("sessionId"));
            self.runs[run].take(&self.buffer, json);
        } else if let Some(events) = json.nested("events").filter(|_| is_view(json)) {
            let run = self.place(json.word("id"));
            for (position, item) in events.items().enumerate() {
                match Json::parse(item.into()).ok().filter(is_event) {
                    Some(event) => self.runs[run].take(&self.buffer, &event),
                    None => self.runs[run].skipped.push((position, "it is no event".to_owned())),
                }
            }
            self.runs[run].oldest = json.whole("oldestSeq");
        } else if is_timeline(json) {
            let id = json.word("id").or_else(|| json.word("sessionId"));
            // A timeline that does not say whose it is, is that of the session before it.
            let run = match self.runs.len().checked_sub(1).filter(|_| id.is_none()) {
                Some(last) => last,
                None => self.place(id),
            };
            self.runs[run].timeline = Some(Timeline::read(json));
        }
    }
}

impl Saved {
    fn place(&mut self, id: Option<Arc<str>>) -> usize {
        *self.of_id.entry(id).or_insert_with_key(|id| {
            self.runs.push(Run { id: id.clone(), ..Run::default() });
            self.runs.len() - 1
        })
    }
}

impl Run {
    /// Takes in an event; one that was there before, as a stream sends it after a pause, is dropped.
    fn take(&mut self, buffer: &Buffer, json: &Json<'_>) {
        let event = Event::read(json);
        if let Some(seq) = event.seq {
            let asked = event.inference.as_ref().map_or(0, |inference| inference.tool_calls.items.len());
            if !self.seen.insert((seq, event.at, event.phase.clone())) {
                self.repeats += asked;
                return;
            }
            self.counts_anew |= !self.seqs.insert(seq);
        }
        self.mcp.take(buffer, json, &event);
        self.events.push(event);
    }

    fn session(self, file: &str) -> Session {
        let Self { id, mut events, oldest, timeline, mut mcp, skipped, counts_anew, repeats, .. } = self;
        // Events are then told by their places, which are those of their times.
        if counts_anew {
            for event in &mut events {
                event.seq = None;
            }
        }
        let mut record = Record::new(id.unwrap_or_else(|| file.into()));
        let held = List { items: events.iter().map(summary).collect(), skipped };
        let newest = SessionPage { id: None, events: held, oldest_seq: oldest.filter(|_| !counts_anew) };
        record.take_news(News { summaries: Vec::new(), newest, timeline });
        // Whose an event is must be known before its body can be read.
        record.session();
        for (position, event) in (1..).zip(&events).filter(|(_, event)| has_body(event)) {
            record.take_event(event.seq.unwrap_or(position), event);
        }
        drop(events);
        let mut session = record.session();
        session.repeats += u32::try_from(repeats).unwrap_or(u32::MAX);
        mcp.join(&mut session);
        end(&mut session);
        session
    }
}

/// An event without its body, which takes most of it.
fn summary(event: &Event) -> Event {
    let mut event = event.clone();
    if let Some(inference) = &mut event.inference {
        (inference.messages, inference.tool_calls, inference.tool_results) = Default::default();
    }
    event
}

fn has_body(event: &Event) -> bool {
    event.inference.as_ref().is_some_and(|inference| {
        let calls = inference.tool_calls.items.len() + inference.tool_results.items.len();
        calls + inference.messages.items.len() > 0
    })
}

/// Nothing more will come of what a file holds: what is open is lost, and what the file lacks cannot be had.
fn end(session: &mut Session) {
    let spans = session.exchanges.iter().map(|exchange| exchange.span);
    let spans = spans.chain(session.calls.iter().map(|call| call.span));
    let last = spans.flat_map(|span| [span.start, span.end]).flatten().max();
    for call in &mut session.calls {
        let call = Arc::make_mut(call);
        if call.outcome == Outcome::Running {
            call.outcome = Outcome::Lost;
        }
        if matches!(call.input, Content::Remote) {
            call.input = Content::Unavailable("The file does not hold the input of this call.".into());
        }
        if matches!(call.output, Content::Remote) {
            call.output = Content::Unavailable("The file does not hold the text of this result.".into());
        }
    }
    for exchange in session.exchanges.iter_mut().filter(|exchange| exchange.span.end.is_none()) {
        exchange.span.end = exchange.span.start;
    }
    for agent in session.agents.iter_mut().filter(|agent| agent.run.start.is_some()) {
        agent.run.end = agent.run.end.or(last);
    }
    if session.has_older {
        session.has_older = false;
        let reason = "the file does not hold the events before it".to_owned();
        session.problems.push(Problem { place: "the first event".to_owned(), reason });
    }
}
