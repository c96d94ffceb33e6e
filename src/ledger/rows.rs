//! The rows of a session in time order (specs: ledger, *Time order* and *Figures of a card*).
//!
//! ```text
//! exchange of main
//! ┣ call
//! ┗ call that spawned a sub-agent
//!   sub-agent's block header
//!   │ exchange of the sub-agent      only while the block is open
//!   │ ┗ call
//! exchange of main
//! ```

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Note, Took, View};
use crate::trace::{
    Agent, AgentId, CallKey, Exchange, ExchangeId, ExchangeKind, Outcome, Prompt, Session, Span, Timestamp, ToolCall,
    reorder, time_order,
};

/// Names a row through refreshes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// The exchange whose first known event is this.
    Exchange(u64),
    /// The place of an exchange that is not held.
    Missing(ExchangeId),
    /// A tool call.
    Call(CallKey),
    /// The header of a sub-agent's block.
    Agent(AgentId),
    /// A person's words, by their position.
    Prompt(usize),
}

impl RowKey {
    /// The name of an exchange's row.
    #[must_use]
    pub fn of(exchange: &Exchange) -> Self {
        Self::Exchange(exchange.request.unwrap_or(exchange.id))
    }
}

/// One row of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A model call, or other traffic.
    Exchange(ExchangeRow),
    /// The place of an exchange that is not held.
    Missing(MissingRow),
    /// A tool call.
    Call(CallRow),
    /// The header of a sub-agent's block.
    Agent(AgentRow),
    /// A person's words.
    Prompt(PromptRow),
}

/// A model call, or other traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeRow {
    /// Its number among those held, from 1.
    pub number: usize,
    /// How many blocks it stands in.
    pub depth: usize,
    /// The exchange.
    pub exchange: Exchange,
}

/// The place of an exchange that is not held: tool calls whose exchange is on an older page, or evicted, stand under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRow {
    /// What its calls name it by.
    pub exchange: ExchangeId,
    /// Whether an older page may hold it.
    pub has_older: bool,
    /// How many blocks it stands in.
    pub depth: usize,
}

/// A person's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptRow {
    /// Its place among the session's prompts.
    pub position: usize,
    /// How many blocks it stands in.
    pub depth: usize,
    /// The words.
    pub prompt: Prompt,
}

/// A tool call with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRow {
    /// The call.
    pub call: Arc<ToolCall>,
    /// Where it stands among the calls of its exchange.
    pub place: Place,
    /// How many blocks it stands in.
    pub depth: usize,
    /// How long it took.
    pub took: Took,
    /// Whether another call of the same response ended at the same instant: each then shows the slowest one's time.
    pub shared: bool,
    /// What else is known of its time.
    pub notes: Vec<Note>,
}

/// Where a call stands among those of its exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `┣`
    Middle,
    /// `┗`
    Last,
    /// It has no exchange.
    Alone,
    /// Apart from its exchange, which has this number.
    Asked(usize),
}

impl Place {
    /// The mark in front of the row.
    #[must_use]
    pub fn mark(self) -> Cow<'static, str> {
        match self {
            Self::Middle => "┣".into(),
            Self::Last => "┗".into(),
            Self::Alone => "".into(),
            Self::Asked(number) => format!("↳{number}").into(),
        }
    }
}

/// The header of a sub-agent's block.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentRow {
    /// The agent.
    pub agent: Agent,
    /// How many blocks the header stands in.
    pub depth: usize,
    /// How many calls it made.
    pub calls: usize,
    /// How many of them failed.
    pub errors: usize,
    /// How long it ran.
    pub run: Took,
    /// Whether its rows are shown.
    pub open: bool,
}

impl Row {
    /// What names it.
    #[must_use]
    pub fn key(&self) -> RowKey {
        match self {
            Self::Exchange(row) => RowKey::of(&row.exchange),
            Self::Missing(row) => RowKey::Missing(row.exchange),
            Self::Call(row) => RowKey::Call(row.call.key.clone()),
            Self::Agent(row) => RowKey::Agent(Arc::clone(&row.agent.id)),
            Self::Prompt(row) => RowKey::Prompt(row.position),
        }
    }
}

/// The rows of `session` as `view` wants them.
#[must_use]
pub fn rows(session: &Session, view: &View) -> Vec<Row> {
    let tree = Tree::of(session, view);
    let mut out = Out {
        rows: Vec::with_capacity(session.calls.len() + session.exchanges.len()),
        placed: HashSet::new(),
        todo: Vec::new(),
    };
    if let Some(main) = tree.main() {
        tree.lane(main, 0, &mut out);
    }
    out.todo.reverse();
    while let Some((step, depth)) = out.todo.pop() {
        let held = out.todo.len();
        tree.take(step, depth, &mut out);
        // What a step leads to is taken next, in its order.
        out.todo[held..].reverse();
    }
    out.rows
}

struct Out<'a> {
    rows: Vec<Row>,
    /// Agents whose block was placed: a call that names itself as its agent's parent must not place it twice.
    placed: HashSet<&'a AgentId>,
    /// What is to be drawn yet and how deep it stands, the next one last: blocks may be nested deeper than the stack.
    todo: Vec<(Step<'a>, usize)>,
}

/// Something to draw.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// An item of an agent's lane.
    Item(&'a AgentId, Item<'a>),
    /// A call, by its position.
    Call(usize, Place),
    /// A sub-agent's block.
    Block(&'a AgentId),
}

/// What stands in an agent's lane, by the time it began.
#[derive(Clone, Copy)]
enum Item<'a> {
    Prompt(usize),
    Exchange(usize),
    /// Calls whose exchange is not held.
    Missing(ExchangeId),
    /// A call without an exchange, by its position.
    Call(usize),
    /// A sub-agent whose spawning call is not known.
    Orphan(&'a AgentId),
}

/// An item with its time and what decides between items of the same time.
type Placed<'a> = (Option<Timestamp>, u64, Item<'a>);

struct Tree<'a> {
    session: &'a Session,
    view: &'a View,
    agents: HashMap<&'a AgentId, &'a Agent>,
    /// The calls of each exchange, in the order in which they were asked for.
    calls: HashMap<(&'a AgentId, ExchangeId), Vec<usize>>,
    /// What each agent's lane holds.
    lanes: HashMap<&'a AgentId, Vec<Placed<'a>>>,
    /// The agents that have a lane, in the order in which they came up.
    with_lane: Vec<&'a AgentId>,
    /// The agents that each call spawned.
    spawned: HashMap<&'a str, Vec<&'a Agent>>,
    calls_of: HashMap<&'a AgentId, (usize, usize)>,
    job_of: HashMap<(&'a AgentId, Timestamp), Span>,
    ends: HashMap<(ExchangeId, Timestamp), usize>,
}

impl<'a> Tree<'a> {
    fn of(session: &'a Session, view: &'a View) -> Self {
        let mut tree = Self {
            session,
            view,
            agents: session.agents.iter().map(|agent| (&agent.id, agent)).collect(),
            calls: HashMap::new(),
            lanes: HashMap::new(),
            with_lane: Vec::new(),
            spawned: HashMap::new(),
            calls_of: HashMap::new(),
            job_of: HashMap::new(),
            ends: HashMap::new(),
        };
        for (position, prompt) in session.prompts.iter().enumerate() {
            tree.put(&prompt.agent, prompt.at, prompt.before.unwrap_or(0), Item::Prompt(position));
        }
        let held: HashSet<_> = session.exchanges.iter().map(|exchange| (&exchange.agent, exchange.id)).collect();
        for (position, exchange) in session.exchanges.iter().enumerate() {
            tree.put(&exchange.agent, exchange.span.start, exchange.id, Item::Exchange(position));
        }
        for (position, call) in session.calls.iter().enumerate() {
            tree.put_call(position, call, &held);
        }
        for job in &session.jobs {
            if let Some(start) = job.span.start {
                tree.job_of.insert((&job.agent, start), job.span);
            }
        }
        tree.put_agents();
        for lane in tree.lanes.values_mut() {
            let order = time_order(lane.iter().map(|&(at, tie, _)| (at, tie)));
            reorder(lane, &order);
        }
        tree
    }

    fn put(&mut self, agent: &'a AgentId, at: Option<Timestamp>, tie: u64, item: Item<'a>) {
        let lane = self.lanes.entry(agent).or_insert_with(|| {
            self.with_lane.push(agent);
            Vec::new()
        });
        lane.push((at, tie, item));
    }

    fn put_call(&mut self, position: usize, call: &'a ToolCall, held: &HashSet<(&AgentId, ExchangeId)>) {
        let agent = &call.key.agent;
        let (calls, errors) = self.calls_of.entry(agent).or_default();
        *calls += 1;
        *errors += usize::from(call.outcome == Outcome::Error);
        let Some(exchange) = call.asked_by else {
            return self.put(agent, call.span.start, position as u64, Item::Call(position));
        };
        if let Some(end) = call.span.end {
            *self.ends.entry((exchange, end)).or_default() += 1;
        }
        let group = self.calls.entry((agent, exchange)).or_default();
        group.push(position);
        if group.len() == 1 && !held.contains(&(agent, exchange)) {
            self.put(agent, call.span.start, exchange, Item::Missing(exchange));
        }
    }

    /// Notes which call spawned which agent; an agent that cannot be reached from the main one by such calls stands in
    /// the main lane at its time.
    fn put_agents(&mut self) {
        let spawner: HashMap<&str, &AgentId> =
            self.session.calls.iter().rev().map(|call| (call.key.id.as_ref(), &call.key.agent)).collect();
        let Some(main) = self.main() else { return };
        let mut parents: HashMap<&AgentId, &AgentId> = HashMap::new();
        for agent in self.session.agents.iter().filter(|agent| agent.id != *main) {
            let Some(spawned_by) = agent.spawned_by.as_deref().filter(|id| !id.is_empty()) else { continue };
            if let Some(parent) = spawner.get(spawned_by) {
                self.spawned.entry(spawned_by).or_default().push(agent);
                parents.insert(&agent.id, parent);
            }
        }
        let rooted = rooted(&parents);
        let orphan = |agent: &&AgentId| *agent != main && rooted.get(agent) != Some(&true);
        let orphans: Vec<_> = self.with_lane.iter().copied().filter(orphan).collect();
        for agent in orphans {
            let at = self.lanes.get(agent).and_then(|lane| lane.iter().filter_map(|(at, ..)| *at).min());
            self.put(main, at, u64::MAX, Item::Orphan(agent));
        }
    }

    /// The agent whose lane is not a block: the first that nobody spawned, else the first of all.
    fn main(&self) -> Option<&'a AgentId> {
        let told = self.session.agents.iter().find(|agent| agent.spawned_by.is_none()).map(|agent| &agent.id);
        let first = || self.session.exchanges.first().map(|exchange| &exchange.agent);
        told.or_else(first).or_else(|| self.session.calls.first().map(|call| &call.key.agent))
    }

    fn lane(&self, agent: &'a AgentId, depth: usize, out: &mut Out<'a>) {
        let items = self.lanes.get(agent).map(Vec::as_slice).unwrap_or_default();
        out.todo.extend(items.iter().map(|&(_, _, item)| (Step::Item(agent, item), depth)));
    }

    fn take(&self, step: Step<'a>, depth: usize, out: &mut Out<'a>) {
        match step {
            Step::Item(agent, item) => self.item(agent, item, depth, out),
            Step::Call(position, place) => self.call(position, place, depth, out),
            Step::Block(agent) => self.block(agent, depth, out),
        }
    }

    fn item(&self, agent: &'a AgentId, item: Item<'a>, depth: usize, out: &mut Out<'a>) {
        match item {
            Item::Prompt(position) => {
                let prompt = self.session.prompts[position].clone();
                out.rows.push(Row::Prompt(PromptRow { position, depth, prompt }));
            }
            Item::Exchange(position) => self.exchange(position, depth, out),
            Item::Missing(exchange) => {
                if !self.view.cards_only {
                    out.rows.push(Row::Missing(MissingRow { exchange, has_older: self.session.has_older, depth }));
                }
                self.group(agent, exchange, depth, out);
            }
            Item::Call(position) => self.call(position, Place::Alone, depth, out),
            Item::Orphan(agent) => self.block(agent, depth, out),
        }
    }

    fn exchange(&self, position: usize, depth: usize, out: &mut Out<'a>) {
        let exchange = &self.session.exchanges[position];
        let has_calls = exchange.wants_tools || self.calls.contains_key(&(&exchange.agent, exchange.id));
        if self.view.quiet && !(has_calls && exchange.kind == ExchangeKind::Model) {
            return;
        }
        if !self.view.cards_only {
            out.rows.push(Row::Exchange(ExchangeRow { number: position + 1, depth, exchange: exchange.clone() }));
        }
        self.group(&exchange.agent, exchange.id, depth, out);
    }

    fn group(&self, agent: &'a AgentId, exchange: ExchangeId, depth: usize, out: &mut Out<'a>) {
        let calls = self.calls.get(&(agent, exchange)).map(Vec::as_slice).unwrap_or_default();
        for (nth, &position) in calls.iter().enumerate() {
            let place = if nth + 1 == calls.len() { Place::Last } else { Place::Middle };
            out.todo.push((Step::Call(position, place), depth));
        }
    }

    fn call(&self, position: usize, place: Place, depth: usize, out: &mut Out<'a>) {
        let call = &self.session.calls[position];
        let end = call.asked_by.zip(call.span.end);
        out.rows.push(Row::Call(CallRow {
            call: Arc::clone(call),
            place,
            depth,
            took: super::took(call),
            shared: end.is_some_and(|end| self.ends[&end] > 1),
            notes: self.notes(call),
        }));
        out.todo.extend(self.spawned_by(call).map(|agent| (Step::Block(&agent.id), depth)));
    }

    fn spawned_by(&self, call: &ToolCall) -> impl Iterator<Item = &'a Agent> {
        let agents = if call.key.id.is_empty() { None } else { self.spawned.get(call.key.id.as_ref()) };
        agents.into_iter().flatten().copied()
    }

    fn block(&self, agent: &'a AgentId, depth: usize, out: &mut Out<'a>) {
        if !out.placed.insert(agent) {
            return;
        }
        let (calls, errors) = self.calls_of.get(agent).copied().unwrap_or_default();
        let unknown = || Agent { id: Arc::clone(agent), label: None, spawned_by: None, run: Span::default() };
        let agent_of = self.agents.get(agent).map_or_else(unknown, |agent| (*agent).clone());
        let open = self.view.open_agents.contains(agent);
        let run = running(agent_of.run);
        out.rows.push(Row::Agent(AgentRow { agent: agent_of, depth, calls, errors, run, open }));
        if open {
            self.lane(agent, depth + 1, out);
        }
    }

    fn notes(&self, call: &ToolCall) -> Vec<Note> {
        let mut notes: Vec<_> = self.spawned_by(call).map(|agent| Note::Run(running(agent.run))).collect();
        // Without the name, calls that ran in parallel with the one that started the job would match too.
        let job = call
            .span
            .end
            .filter(|_| call.name.as_ref() == "Bash")
            .and_then(|end| self.job_of.get(&(&call.key.agent, end)));
        notes.extend(job.map(|&span| Note::Job(running(span))));
        if call.outcome == Outcome::EndsRun {
            notes.push(Note::EndsRun);
        }
        notes
    }
}

/// A span that runs until it has an end.
fn running(span: Span) -> Took {
    match (span.start, span.end) {
        (Some(start), None) => Took::Running(start),
        _ => Took::of(span.nanos()),
    }
}

/// Whether the way up from each agent that was spawned ends, or goes round in a circle. Each is walked over once.
fn rooted<'a>(parents: &HashMap<&'a AgentId, &'a AgentId>) -> HashMap<&'a AgentId, bool> {
    let mut rooted = HashMap::with_capacity(parents.len());
    let mut way = Vec::new();
    for &agent in parents.keys() {
        let mut at = agent;
        let ends = loop {
            // Met again on the same way it is a circle, and that is what stands there so far.
            if let Some(&ends) = rooted.get(at) {
                break ends;
            }
            let Some(&parent) = parents.get(at) else { break true };
            rooted.insert(at, false);
            way.push(at);
            at = parent;
        };
        rooted.extend(way.drain(..).map(|agent| (agent, ends)));
    }
    rooted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Content, Job};

    fn at(second: i64) -> Option<Timestamp> {
        (second >= 0).then_some(Timestamp(second * 1_000_000_000))
    }

    fn exchange(agent: &str, id: ExchangeId, start: i64, end: i64) -> Exchange {
        let span = Span { start: at(start), end: at(end) };
        Exchange::begun(id, agent.into(), ExchangeKind::Model, span, "m".into())
    }

    fn call(agent: &str, id: &str, asked_by: Option<ExchangeId>, start: i64, end: i64) -> Arc<ToolCall> {
        Arc::new(ToolCall {
            key: CallKey { agent: agent.into(), id: id.into(), nth: 0 },
            name: if id.starts_with("bash") { "Bash" } else { "Read" }.into(),
            asked_by,
            span: Span { start: at(start), end: at(end) },
            approximate: false,
            outcome: if end < 0 { Outcome::Running } else { Outcome::Ok },
            preview: None,
            input: Content::None,
            output: Content::None,
            structured: None,
        })
    }

    fn agent(id: &str, spawned_by: Option<&str>, start: i64, end: i64) -> Agent {
        let run = Span { start: at(start), end: at(end) };
        Agent { id: id.into(), label: None, spawned_by: spawned_by.map(Into::into), run }
    }

    /// Parallel calls, a sub-agent spawned by the first of two, a job, and a call whose exchange is not held.
    fn session() -> Session {
        Session {
            agents: vec![agent("main", None, 0, -1), agent("a1", Some("agent1"), 22, 130)],
            exchanges: vec![
                exchange("main", 2, 0, 4),
                exchange("main", 4, 17, 20),
                exchange("a1", 90, 22, 25),
                exchange("main", 6, 30, 31),
            ],
            calls: vec![
                call("main", "bash1", Some(2), 4, 17),
                call("main", "read1", Some(2), 4, 17),
                call("main", "agent1", Some(4), 20, 30),
                call("main", "bash2", Some(4), 20, -1),
                call("a1", "read2", Some(90), 25, 26),
                call("a1", "read3", Some(95), 40, 41),
            ],
            jobs: vec![Job { agent: "main".into(), span: Span { start: at(17), end: at(259) } }],
            ..Session::default()
        }
    }

    fn drawn(session: &Session, view: &View) -> Vec<String> {
        let line = |row: &Row| match row {
            Row::Exchange(row) => format!("{}#{} {}", "│ ".repeat(row.depth), row.number, row.exchange.id),
            Row::Missing(row) => format!("{}? {}", "│ ".repeat(row.depth), row.exchange),
            Row::Prompt(row) => format!("{}> {}", "│ ".repeat(row.depth), row.position),
            Row::Agent(row) => format!("{}{} {} calls", "│ ".repeat(row.depth), row.agent.id, row.calls),
            Row::Call(row) => {
                let now = Timestamp(60_000_000_000);
                let notes: Vec<_> = row.notes.iter().map(|note| note.text(now)).collect();
                let shared = if row.shared { "∥" } else { "" };
                let text = format!(
                    "{}{} {} {shared}{}",
                    "│ ".repeat(row.depth),
                    row.place.mark(),
                    row.call.key.id,
                    row.took.text(now)
                );
                [vec![text], notes].concat().join(" · ")
            }
        };
        rows(session, view).iter().map(line).collect()
    }

    fn opened(agents: &[&str]) -> View {
        View { open_agents: agents.iter().map(|&agent| agent.into()).collect(), ..View::default() }
    }

    #[test]
    fn calls_stand_after_their_exchange_and_a_block_after_the_call_that_spawned_it() {
        let lines = [
            "#1 2",
            "┣ bash1 ∥13.00s · bg 4m02s",
            "┗ read1 ∥13.00s",
            "#2 4",
            "┣ agent1 10.00s · run 1m48s",
            "a1 2 calls",
            "┗ bash2 ⋯ 40s",
        ];
        assert_eq!(drawn(&session(), &View::default()), lines);
    }

    #[test]
    fn an_open_block_shows_the_agents_own_rows_and_what_is_not_held() {
        let drawn = drawn(&session(), &opened(&["a1"]));
        assert_eq!(
            drawn[5..],
            ["a1 2 calls", "│ #3 90", "│ ┗ read2 1.00s", "│ ? 95", "│ ┗ read3 1.00s", "┗ bash2 ⋯ 40s"]
        );
    }

    #[test]
    fn quiet_leaves_out_what_has_no_calls_and_cards_only_all_exchanges() {
        let mut session = session();
        session.exchanges.push(Exchange { kind: ExchangeKind::Other, ..exchange("main", 8, 50, 51) });
        let loud = View { quiet: false, ..View::default() };
        let drawn_loud = drawn(&session, &loud);
        assert_eq!(drawn_loud[7..], ["#4 6", "#5 8"]);
        let cards = View { cards_only: true, ..opened(&["a1"]) };
        assert!(drawn(&session, &cards).iter().all(|line| !line.contains('#') && !line.contains('?')));
    }

    #[test]
    fn an_exchange_whose_calls_are_not_read_yet_is_not_hidden() {
        let mut session = session();
        session.exchanges[3].wants_tools = true;
        assert_eq!(drawn(&session, &View::default()).last().unwrap(), "#4 6");
    }

    #[test]
    fn an_agent_whose_spawning_is_not_known_stands_at_its_time() {
        let mut session = session();
        session.agents[1].spawned_by = Some("gone".into());
        assert_eq!(drawn(&session, &View::default())[6], "a1 2 calls");
        session.agents.clear();
        assert_eq!(drawn(&session, &View::default())[6], "a1 2 calls");
    }

    #[test]
    fn agents_that_spawned_each_other_are_shown_once() {
        let mut session = session();
        session.agents = vec![agent("main", None, 0, -1), agent("a1", Some("read2"), 22, 130)];
        let drawn = drawn(&session, &opened(&["a1"]));
        assert_eq!(drawn.iter().filter(|line| line.contains("a1 2 calls")).count(), 1);
        assert_eq!(drawn.iter().filter(|line| line.contains("read2")).count(), 1);
    }

    #[test]
    fn only_a_bash_call_of_the_same_agent_started_the_job() {
        let mut session = session();
        session.jobs[0].agent = "a1".into();
        assert!(drawn(&session, &View::default()).iter().all(|line| !line.contains("bg")));
    }

    #[test]
    fn calls_without_exchanges_stand_by_their_time() {
        let session = Session {
            calls: vec![call("main", "b", None, 9, 10), call("main", "a", None, 3, 4), call("main", "c", None, -1, -1)],
            ..Session::default()
        };
        assert_eq!(drawn(&session, &View::default()), [" c ", " a 1.00s", " b 1.00s"]);
    }

    #[test]
    fn no_call_is_ever_lost() {
        let mut session = session();
        session.agents.push(agent("a2", Some("read3"), 41, 42));
        session.calls.push(call("a2", "deep", Some(99), 41, 42));
        session.calls.push(call("a3", "stray", None, 41, 42));
        let drawn = drawn(&session, &opened(&["a1", "a2", "a3"]));
        for call in &session.calls {
            assert_eq!(drawn.iter().filter(|line| line.contains(call.key.id.as_ref())).count(), 1, "{}", call.key.id);
        }
    }
}
