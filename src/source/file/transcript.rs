//! A session that is put together from records, in the order in which they stand in a file.

use std::collections::HashMap;
use std::sync::Arc;

use crate::trace::{
    Agent, AgentId, Block, CallKey, Content, Exchange, ExchangeId, ExchangeKind, Input, Outcome, Problem, Prompt,
    Session, Span, Text, Timestamp, ToolCall,
};

/// Tools whose call ends its agent's run: no result is due.
const ENDS_RUN: [&str; 2] = ["StructuredOutput", "SubagentHandback"];

/// A tool call as a record tells it.
pub(super) struct Asked {
    pub agent: AgentId,
    /// Empty where the format has none.
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub input: Input,
    pub at: Option<Timestamp>,
}

/// A result as a record tells it.
#[derive(Default)]
pub(super) struct Answer {
    /// Whose call it answers, where the record says so.
    pub agent: Option<AgentId>,
    pub id: Arc<str>,
    pub output: Vec<Block>,
    pub is_error: bool,
    /// An end that is neither good nor bad.
    pub outcome: Option<Outcome>,
    pub at: Option<Timestamp>,
    pub structured: Option<Text>,
}

/// A session that is put together.
pub(super) struct Transcript {
    pub session: Session,
    calls: Vec<ToolCall>,
    /// Places of the calls of an id.
    of_id: HashMap<Arc<str>, Vec<usize>>,
    /// Those of them that have no result, the newest last.
    open: HashMap<Arc<str>, Vec<usize>>,
    /// Results whose call was not there yet.
    orphans: HashMap<Arc<str>, usize>,
    nameless_orphans: usize,
    nth: HashMap<(AgentId, Arc<str>), u32>,
    last: HashMap<AgentId, usize>,
    /// When each agent's model was last given something.
    since: HashMap<AgentId, Timestamp>,
}

impl Transcript {
    pub fn new(id: &str) -> Self {
        let session = Session { id: id.into(), ..Session::default() };
        Self {
            session,
            calls: Vec::new(),
            of_id: HashMap::new(),
            open: HashMap::new(),
            orphans: HashMap::new(),
            nameless_orphans: 0,
            nth: HashMap::new(),
            last: HashMap::new(),
            since: HashMap::new(),
        }
    }

    /// The agent of an id, which is made when it is not there yet.
    pub fn agent(&mut self, id: &str, label: Option<&str>, spawned_by: Option<&str>) -> AgentId {
        let agents = &mut self.session.agents;
        let position = agents.iter().position(|agent| &*agent.id == id).unwrap_or_else(|| {
            agents.push(Agent { id: id.into(), label: None, spawned_by: None, run: Span::default() });
            agents.len() - 1
        });
        let agent = &mut agents[position];
        agent.label = agent.label.take().or_else(|| label.map(Into::into));
        agent.spawned_by = agent.spawned_by.take().or_else(|| spawned_by.map(Into::into));
        Arc::clone(&agent.id)
    }

    /// Begins an exchange.
    pub fn exchange(&mut self, agent: &AgentId, model: &Arc<str>, at: Option<Timestamp>) -> &mut Exchange {
        let position = self.session.exchanges.len();
        let span = Span { start: at, end: None };
        let (agent, model) = (Arc::clone(agent), Arc::clone(model));
        self.last.insert(Arc::clone(&agent), position);
        let exchange = Exchange::begun(position as ExchangeId, agent, ExchangeKind::Model, span, model);
        self.session.exchanges.push(exchange);
        &mut self.session.exchanges[position]
    }

    /// Notes a response of which only the instant is told at which it was there: it began when its model was last given
    /// something.
    pub fn response(&mut self, agent: &AgentId, model: &Arc<str>, at: Option<Timestamp>) -> &mut Exchange {
        let since = self.since.get(agent).copied().filter(|since| at.is_some_and(|at| *since <= at));
        let exchange = self.exchange(agent, model, since.or(at));
        exchange.span.end = at;
        exchange
    }

    /// Notes when an agent's model was given something.
    pub fn given(&mut self, agent: &AgentId, at: Option<Timestamp>) {
        if let Some(at) = at {
            self.since.insert(Arc::clone(agent), at);
        }
    }

    /// The exchange of an agent that was begun last.
    pub fn last(&mut self, agent: &AgentId) -> Option<&mut Exchange> {
        self.last.get(agent).and_then(|&position| self.session.exchanges.get_mut(position))
    }

    /// The last exchange of an agent if it `is_open`, else a new one.
    pub fn last_or_new(
        &mut self,
        agent: &AgentId,
        is_open: bool,
        model: &Arc<str>,
        at: Option<Timestamp>,
    ) -> &mut Exchange {
        match self.last.get(agent).copied().filter(|_| is_open) {
            Some(position) => &mut self.session.exchanges[position],
            None => self.exchange(agent, model, at),
        }
    }

    /// Notes what a person said.
    pub fn prompt(&mut self, agent: &AgentId, at: Option<Timestamp>, text: Text) {
        self.given(agent, at);
        let before = Some(self.session.exchanges.len() as ExchangeId);
        self.session.prompts.push(Prompt { agent: Arc::clone(agent), at, before, text });
    }

    /// Notes a call of the last exchange of its agent and gives its place; an identical repeat is dropped and counted.
    pub fn call(&mut self, asked: Asked) -> Option<usize> {
        let is_repeat = |&position: &usize| {
            let call = &self.calls[position];
            (&call.key.agent, &call.name, call.span.start) == (&asked.agent, &asked.name, asked.at)
                && (asked.at.is_some() || call.input == asked.input)
        };
        let same = if asked.id.is_empty() { None } else { self.of_id.get(&asked.id) };
        if same.is_some_and(|same| same.iter().rev().take(MOST_COMPARED).any(is_repeat)) {
            self.session.repeats += 1;
            return None;
        }
        let asked_by = self.last(&asked.agent).map(|exchange| {
            exchange.wants_tools = true;
            exchange.id
        });
        Some(self.put_call(asked, asked_by))
    }

    /// Notes a call that its reader knows to be no repeat, and gives its place.
    pub fn call_anew(&mut self, asked: Asked) -> usize {
        let asked_by = self.last(&asked.agent).map(|exchange| {
            exchange.wants_tools = true;
            exchange.id
        });
        self.put_call(asked, asked_by)
    }

    fn put_call(&mut self, asked: Asked, asked_by: Option<ExchangeId>) -> usize {
        if let Some(position) = self.orphans.remove(&asked.id) {
            let call = &mut self.calls[position];
            call.name = asked.name;
            call.input = asked.input;
            call.asked_by = asked_by;
            call.span.start = asked.at;
            return position;
        }
        let id = Arc::clone(&asked.id);
        let position = self.put(asked.agent, asked.id, asked.name, asked.at);
        let call = &mut self.calls[position];
        call.input = asked.input;
        call.asked_by = asked_by;
        self.open.entry(id).or_default().push(position);
        position
    }

    /// Notes the result of the newest call of its id that has none. Without such a call it is a repeat of the result
    /// of one that has, or an orphan, which is drawn without its call.
    pub fn result(&mut self, answer: Answer) {
        let agent = answer.agent.as_ref();
        let is_of = |position: &usize| agent.is_none_or(|agent| *agent == self.calls[*position].key.agent);
        let position = self.open.get_mut(&answer.id).and_then(|open| {
            // Calls without an id are answered in their order.
            let place = if answer.id.is_empty() {
                open.iter().position(is_of)?
            } else {
                // An agent may be told wrongly, an id that is open is not.
                open.iter().rposition(is_of).or_else(|| open.len().checked_sub(1))?
            };
            Some(open.remove(place))
        });
        let position = match position {
            Some(position) => position,
            None if !answer.id.is_empty() && self.of_id.contains_key(&answer.id) => {
                self.session.repeats += 1;
                return;
            }
            None => return self.orphan(answer),
        };
        self.close(position, answer);
    }

    /// Notes a result whose call is not there; should it come, the result is its.
    pub fn orphan(&mut self, answer: Answer) {
        let agent = answer.agent.clone().unwrap_or_else(|| self.main());
        let position = self.put(agent, Arc::clone(&answer.id), Arc::default(), None);
        if answer.id.is_empty() {
            self.nameless_orphans += 1;
        } else {
            self.orphans.insert(Arc::clone(&answer.id), position);
        }
        self.close(position, answer);
    }

    /// Notes the result of the call at a place.
    pub fn result_of(&mut self, position: usize, answer: Answer) {
        let Some(call) = self.calls.get(position) else { return };
        if let Some(open) = self.open.get_mut(&call.key.id)
            && let Some(place) = open.iter().position(|other| *other == position)
        {
            open.remove(place);
        }
        self.close(position, answer);
    }

    fn close(&mut self, position: usize, answer: Answer) {
        let call = &mut self.calls[position];
        call.output = Content::Held(answer.output);
        call.outcome = answer.outcome.unwrap_or(if answer.is_error { Outcome::Error } else { Outcome::Ok });
        call.span.end = answer.at;
        call.structured = answer.structured.or(call.structured.take());
        let agent = Arc::clone(&call.key.agent);
        self.given(&agent, answer.at);
    }

    /// The call at a place.
    pub fn call_at(&mut self, position: usize) -> Option<&mut ToolCall> {
        self.calls.get_mut(position)
    }

    /// The calls so far, in the order in which they were asked for.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// The places of the calls of an id.
    pub fn calls_of(&self, id: &str) -> &[usize] {
        self.of_id.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn problem(&mut self, place: String, reason: &str) {
        self.session.problems.push(Problem { place, reason: reason.to_owned() });
    }

    fn main(&mut self) -> AgentId {
        match self.session.agents.first() {
            Some(agent) => Arc::clone(&agent.id),
            None => self.agent("main", None, None),
        }
    }

    fn put(&mut self, agent: AgentId, id: Arc<str>, name: Arc<str>, start: Option<Timestamp>) -> usize {
        let position = self.calls.len();
        let nth = self.nth.entry((Arc::clone(&agent), Arc::clone(&id))).or_default();
        let key = CallKey { agent, id: Arc::clone(&id), nth: *nth };
        *nth += 1;
        self.of_id.entry(id).or_default().push(position);
        self.calls.push(ToolCall {
            key,
            name,
            asked_by: None,
            span: Span { start, end: None },
            approximate: false,
            outcome: Outcome::Running,
            preview: None,
            input: Content::None,
            output: Content::None,
            structured: None,
        });
        position
    }

    /// An exchange without an end would be shown as under way. It ended when its first call was begun, at the latest.
    fn end_exchanges(&mut self) {
        let mut begun: HashMap<ExchangeId, Timestamp> = HashMap::new();
        for (id, start) in self.calls.iter().filter_map(|call| call.asked_by.zip(call.span.start)) {
            begun.entry(id).and_modify(|first| *first = start.min(*first)).or_insert(start);
        }
        for exchange in self.session.exchanges.iter_mut().filter(|exchange| exchange.span.end.is_none()) {
            let start = exchange.span.start;
            exchange.span.end = begun.get(&exchange.id).copied().filter(|_| start.is_some()).max(start);
        }
    }

    /// A sub-agent ran from the first that is known of it to the last.
    fn time_agents(&mut self) {
        let mut runs: HashMap<AgentId, Span> = HashMap::new();
        let exchanges = self.session.exchanges.iter().map(|exchange| (&exchange.agent, exchange.span));
        for (agent, span) in exchanges.chain(self.calls.iter().map(|call| (&call.key.agent, call.span))) {
            let run = runs.entry(Arc::clone(agent)).or_default();
            run.start = [run.start, span.start].into_iter().flatten().min();
            run.end = run.end.max(span.end);
        }
        for agent in self.session.agents.iter_mut().filter(|agent| agent.spawned_by.is_some()) {
            let told = runs.get(&agent.id).copied().filter(|run| run.start.is_some() && run.end.is_some());
            agent.run = told.unwrap_or(agent.run);
        }
    }

    /// The session, and how many of its results have no call. What is open is lost unless the session `still_runs`.
    pub fn finish(mut self, still_runs: bool) -> (Session, u32) {
        for call in self.calls.iter_mut().filter(|call| call.outcome == Outcome::Running) {
            if ENDS_RUN.contains(&&*call.name) {
                call.outcome = Outcome::EndsRun;
            } else if !still_runs {
                call.outcome = Outcome::Lost;
            }
        }
        if !still_runs {
            self.end_exchanges();
            self.time_agents();
        }
        self.session.calls = self.calls.into_iter().map(Arc::new).collect();
        (self.session, u32::try_from(self.orphans.len() + self.nameless_orphans).unwrap_or(u32::MAX))
    }
}

/// So many calls of one id are compared with a new one; an id that repeats more often than that is no name.
const MOST_COMPARED: usize = 64;
