//! A session of what was heard of a conversation.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::fold::{Arrival, Fold, Heard};
use super::wire::Part;
use crate::trace::{
    Agent, AgentId, Block, CallKey, Content, Exchange, ExchangeKind, Outcome, Prompt, Session, Span, Text, Timestamp,
    ToolCall,
};

/// The one agent of a conversation; those that it summons have conversations of their own.
const MAIN: &str = "main";

impl Fold {
    pub(super) fn assemble(&self, still_runs: bool) -> Session {
        let mut walk = self.walk();
        let last_turn_runs = still_runs && walk.live_turn.as_ref().is_none_or(|turn| !self.ended.contains_key(turn));
        if let Some(position) = walk.current.filter(|_| last_turn_runs && walk.live_turn.is_some()) {
            // More of it may come, unless it waits for its calls.
            let exchange = &mut walk.exchanges[position].exchange;
            exchange.span.end = exchange.span.end.filter(|_| exchange.wants_tools);
        }
        let exchanges = walk.exchanges.into_iter().map(|told| told.exchange).collect();
        let last_turn = walk.turn;
        let calls = walk.calls.into_iter().map(|(mut call, turn)| {
            if call.outcome == Outcome::Running {
                let arrival = self.calls.get(&call.key.id);
                call.outcome = self.outcome_of_open(arrival, last_turn_runs && turn == last_turn);
                call.output = partial(arrival).map_or(Content::None, |text| Content::Held(vec![Block::Text(text)]));
            }
            Arc::new(call)
        });
        Session {
            id: Arc::clone(&self.id),
            host: Some("dispatch".into()),
            agents: vec![Agent { id: MAIN.into(), label: None, spawned_by: None, run: Span::default() }],
            exchanges,
            calls: calls.collect(),
            prompts: walk.prompts,
            repeats: self.repeats + walk.repeats,
            problems: self.problems.clone(),
            ..Session::default()
        }
    }

    /// What a call without a result is; `may_run` when nothing began after it that ends it.
    fn outcome_of_open(&self, arrival: Option<&Arrival>, may_run: bool) -> Outcome {
        let turn = arrival.map(|arrival| arrival.turn.as_deref().unwrap_or_default());
        match turn.and_then(|turn| self.ended.get(turn)) {
            Some(reason) if reason.as_deref().is_some_and(is_stop) => Outcome::Cancelled,
            None if may_run => Outcome::Running,
            _ => Outcome::Lost,
        }
    }

    /// The spans of the exchanges that came live, by each name that they will have in the log.
    pub(super) fn times_of_exchanges(&self) -> HashMap<Arc<str>, Span> {
        let exchanges = self.walk().exchanges;
        let timed = exchanges.into_iter().filter(|told| told.exchange.span.start.is_some() && !told.is_carried);
        timed.flat_map(|told| told.names.into_iter().map(move |name| (name, told.exchange.span))).collect()
    }

    fn walk(&self) -> Walk<'_> {
        let mut walk = Walk::new(self);
        for (_, part) in &self.log {
            walk.part(part, None);
        }
        for heard in &self.live {
            walk.live(heard);
        }
        walk.end();
        walk
    }
}

/// Whether a turn was stopped by somebody.
fn is_stop(reason: &str) -> bool {
    ["abort", "cancel", "interrupt", "stopped"].iter().any(|word| reason.contains(word))
}

fn partial(arrival: Option<&Arrival>) -> Option<Text> {
    arrival.filter(|arrival| !arrival.partial.is_empty()).map(|arrival| arrival.partial.as_str().into())
}

/// An exchange while it is put together.
struct Told {
    exchange: Exchange,
    step: Option<Arc<str>>,
    /// What names it in the log as well as live: its step, its first call, the result that it follows.
    names: Vec<Arc<str>>,
    /// Its start is that of something before it.
    is_carried: bool,
}

struct Walk<'f> {
    fold: &'f Fold,
    main: AgentId,
    exchanges: Vec<Told>,
    prompts: Vec<Prompt>,
    /// With the number of the turn that asked for it.
    calls: Vec<(ToolCall, u32)>,
    repeats: u32,
    by_id: HashMap<Arc<str>, usize>,
    /// Calls without an id that have no result.
    nameless: VecDeque<usize>,
    /// How many calls without an id there were.
    unnamed: u32,
    steps: HashMap<Arc<str>, usize>,
    /// The exchange that more may be said in.
    current: Option<usize>,
    turn: u32,
    /// The turn of what came live last.
    live_turn: Option<Arc<str>>,
    /// What the next exchange follows.
    after: Option<Arc<str>>,
    /// When the next exchange was begun, as far as that came live.
    since: Option<Timestamp>,
}

impl<'f> Walk<'f> {
    fn new(fold: &'f Fold) -> Self {
        Self {
            fold,
            main: MAIN.into(),
            exchanges: Vec::new(),
            prompts: Vec::new(),
            calls: Vec::new(),
            repeats: 0,
            by_id: HashMap::new(),
            nameless: VecDeque::new(),
            unnamed: 0,
            steps: HashMap::new(),
            current: None,
            turn: 0,
            live_turn: None,
            after: None,
            since: None,
        }
    }

    fn live(&mut self, heard: &Heard) {
        let turn = heard.turn.clone().unwrap_or_default();
        if self.live_turn.as_ref() != Some(&turn) {
            self.begin_turn();
            self.live_turn = Some(turn);
        }
        self.part(&heard.part, Some(heard));
    }

    fn part(&mut self, part: &Part, heard: Option<&Heard>) {
        let at = heard.and_then(|heard| heard.at);
        match part {
            Part::Prompt(text) => {
                self.begin_turn();
                let before = Some(self.exchanges.len() as u64);
                self.prompts.push(Prompt { agent: Arc::clone(&self.main), at: None, before, text: text.clone() });
            }
            Part::Turn => {
                self.begin_turn();
                self.since = at;
            }
            Part::Said(text) => self.say(heard, || text.clone()),
            Part::Saying(text) => self.say(heard, || text.as_str().into()),
            Part::Thought => _ = self.exchange(None, heard),
            Part::Failed(reason) => self.exchange(None, heard).exchange.error = Some(Arc::clone(reason)),
            Part::Used { model, tokens } => {
                // Usage may be told when the results are there already.
                let last = self.exchanges.last_mut().map(|told| &mut told.exchange);
                if let Some(exchange) = last {
                    exchange.tokens = *tokens;
                    if let Some(model) = model {
                        exchange.name = Arc::clone(model);
                    }
                }
            }
            Part::Asked { id, name, input, step } => {
                let known = self.by_id.get(id).copied();
                if known.is_some_and(|position| self.calls[position].0.asked_by.is_some()) {
                    // What stands in the log and came live too is no repeat.
                    self.repeats += u32::from(heard.is_none());
                    return;
                }
                let exchange = self.exchange(step.as_ref(), heard);
                exchange.exchange.wants_tools = true;
                if !id.is_empty() {
                    exchange.names.push(Arc::clone(id));
                }
                let asked_by = Some(exchange.exchange.id);
                let position = known.unwrap_or_else(|| self.put(id, name));
                if id.is_empty() {
                    self.nameless.push_back(position);
                }
                let call = &mut self.calls[position].0;
                call.asked_by = asked_by;
                call.input = input.clone();
            }
            Part::Answered { id, name, output, is_error } => {
                self.current = None;
                self.since = at;
                self.after = Some(Arc::clone(id));
                let answered = if id.is_empty() { self.nameless.pop_front() } else { self.by_id.get(id).copied() };
                let position = answered.unwrap_or_else(|| self.put(id, name));
                let call = &mut self.calls[position].0;
                // Of two results the first holds.
                if call.outcome == Outcome::Running {
                    call.outcome = if *is_error { Outcome::Error } else { Outcome::Ok };
                    call.output = output.clone();
                }
            }
        }
    }

    fn begin_turn(&mut self) {
        self.current = None;
        self.steps.clear();
        self.after = None;
        self.turn += 1;
    }

    fn say(&mut self, heard: Option<&Heard>, text: impl FnOnce() -> Text) {
        let told = self.exchange(None, heard);
        // What was said before a call tells more than a word after it.
        if told.exchange.said.is_none() {
            told.exchange.said = Some(text());
        }
    }

    /// The exchange that a part of a step, or of no step that is told, belongs to.
    fn exchange(&mut self, step: Option<&Arc<str>>, heard: Option<&Heard>) -> &mut Told {
        let of_step = step.and_then(|step| self.steps.get(step).copied());
        let fits = |position: &usize| step.is_none() || self.exchanges[*position].step.is_none();
        let position = of_step.or_else(|| self.current.filter(fits)).unwrap_or_else(|| self.begin(heard));
        self.current = Some(position);
        let told = &mut self.exchanges[position];
        if let (Some(step), None) = (step, of_step) {
            told.step = Some(Arc::clone(step));
            told.names.push(format!("step {step}").into());
            self.steps.insert(Arc::clone(step), position);
        }
        if let Some(until) = heard.and_then(|heard| heard.until) {
            told.exchange.span.end = Some(until);
        }
        told
    }

    fn begin(&mut self, heard: Option<&Heard>) -> usize {
        let position = self.exchanges.len();
        let start = self.since.take().or(heard.and_then(|heard| heard.at));
        let span = Span { start, end: None };
        let exchange =
            Exchange::begun(position as u64, Arc::clone(&self.main), ExchangeKind::Model, span, Arc::default());
        let names = self.after.take().map(|id| format!("after {id}").into()).into_iter().collect();
        self.exchanges.push(Told { exchange, step: None, names, is_carried: false });
        position
    }

    fn put(&mut self, id: &Arc<str>, name: &Arc<str>) -> usize {
        let position = self.calls.len();
        let mut nth = 0;
        if id.is_empty() {
            nth = self.unnamed;
            self.unnamed += 1;
        } else {
            self.by_id.insert(Arc::clone(id), position);
        }
        let span = self.fold.calls.get(id).map(|arrival| arrival.span).unwrap_or_default();
        let call = ToolCall {
            key: CallKey { agent: Arc::clone(&self.main), id: Arc::clone(id), nth },
            name: Arc::clone(name),
            asked_by: None,
            span,
            // The arrival of its events, which is all that is known of its times.
            approximate: span.start.is_some() || span.end.is_some(),
            outcome: Outcome::Running,
            preview: None,
            input: Content::None,
            output: Content::None,
            structured: None,
        };
        self.calls.push((call, self.turn));
        position
    }

    /// Gives exchanges that came live their times back, and what has no times a place behind what stands before it.
    fn end(&mut self) {
        let mut known = None;
        let mut prompts = self.prompts.iter_mut().peekable();
        for told in &mut self.exchanges {
            while let Some(prompt) = prompts.next_if(|prompt| prompt.before.is_some_and(|id| id <= told.exchange.id)) {
                prompt.at = known;
            }
            let span = &mut told.exchange.span;
            if span.start.is_none()
                && let Some(kept) = told.names.iter().find_map(|name| self.fold.exchanges.get(name))
            {
                *span = *kept;
            }
            if span.start.is_none() {
                span.start = known;
                told.is_carried = known.is_some();
            }
            known = known.max(span.end.or(span.start));
        }
        prompts.for_each(|prompt| prompt.at = known);
    }
}
