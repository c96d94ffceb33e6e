//! Turns turns of a told story into trace values, with a clock, tokens and costs running along.

use std::sync::Arc;

use super::call::Call;
use crate::trace::{
    Agent, AgentId, Block, CallKey, Content, Exchange, ExchangeKind, Job, Outcome, Output, Prompt, Session, Span,
    Timestamp, Tokens, ToolCall, reorder, time_order,
};

const MODEL: &str = "claude-sonnet-demo";
const NANOS_PER_MILLI: i64 = 1_000_000;

/// Billionths of a dollar for one token.
const PRICE_INPUT: u64 = 3_000;
const PRICE_CACHE_WRITE: u64 = 3_750;
const PRICE_CACHE_READ: u64 = 300;
const PRICE_OUTPUT: u64 = 15_000;

/// A session while it is being told. Each agent has a clock of its own.
pub struct Script {
    session: Session,
    actors: Vec<Actor>,
    opening: i64,
}

/// An agent of the script.
#[derive(Clone, Copy)]
pub struct Who(usize);

struct Actor {
    id: AgentId,
    /// Nanoseconds from the start of the script.
    clock: i64,
    /// Tokens that the next request reads from the cache, and those that it adds.
    cached: u64,
    fresh: u64,
}

impl Script {
    /// An empty session with its main agent.
    pub fn new(id: &str, title: &str, host: &str) -> (Self, Who) {
        let session =
            Session { id: id.into(), title: Some(title.into()), host: Some(host.into()), ..Session::default() };
        let mut script = Self { session, actors: Vec::new(), opening: 0 };
        let main = script.agent("main", "main", None, 0, 17_930);
        (script, main)
    }

    fn agent(&mut self, id: &str, label: &str, spawned_by: Option<Arc<str>>, start: i64, cached: u64) -> Who {
        let id: AgentId = id.into();
        let run = Span { start: Some(Timestamp(start)), end: None };
        self.session.agents.push(Agent { id: Arc::clone(&id), label: Some(label.into()), spawned_by, run });
        self.actors.push(Actor { id, clock: start, cached, fresh: 900 });
        Who(self.actors.len() - 1)
    }

    /// A sub-agent that the last call spawned.
    pub fn spawn(&mut self, id: &str, label: &str) -> Who {
        let (by, start) = self.last_call();
        self.agent(id, label, by, start, 11_240)
    }

    /// The sub-agent is back.
    pub fn hand_back(&mut self, who: Who) {
        self.session.agents[who.0].run.end = Some(Timestamp(self.actors[who.0].clock));
    }

    /// A person speaks to the agent, some time after it fell silent.
    pub fn prompt(&mut self, who: Who, after_ms: i64, text: &str) {
        let at = self.pass(who, after_ms);
        let actor = &mut self.actors[who.0];
        actor.fresh += tokens(text.len());
        let agent = Arc::clone(&actor.id);
        // Its exchange follows, and `finish` names it.
        self.session.prompts.push(Prompt { agent, at: Some(at), before: None, text: text.into() });
        self.pass(who, 12);
    }

    /// The model says something and calls tools, which all end together: at the agent's next request.
    pub fn turn(&mut self, who: Who, said: &str, calls: Vec<Call>) {
        let written: usize = calls.iter().map(|call| call.told().input.len()).sum();
        let output = 38 + tokens(said.len() + written);
        let asked = self.exchange(who, said, output, !calls.is_empty());
        let start = self.actors[who.0].clock;
        let end = self.pass(who, calls.iter().map(|call| call.told().takes).max().unwrap_or(0));
        for call in calls {
            self.call(who, asked, Span { start: Some(Timestamp(start)), end: Some(end) }, call);
        }
    }

    /// As [`Self::turn`], with one call that ends when the other agent is back.
    pub fn turn_until(&mut self, who: Who, other: Who, said: &str, call: Call) {
        let asked = self.exchange(who, said, 60 + tokens(said.len()), true);
        let start = self.actors[who.0].clock;
        let end = start.max(self.actors[other.0].clock) + 180 * NANOS_PER_MILLI;
        self.actors[who.0].clock = end;
        self.call(who, asked, Span { start: Some(Timestamp(start)), end: Some(Timestamp(end)) }, call);
    }

    /// The model's host has no room; the agent tries again a little later.
    pub fn overloaded(&mut self, who: Who) {
        let start = self.actors[who.0].clock;
        let end = self.pass(who, 640);
        self.push_exchange(who, Span { start: Some(Timestamp(start)), end: Some(end) }, |exchange| {
            exchange.status = Some(529);
            exchange.error = Some("Overloaded".into());
        });
        self.pass(who, 2_300);
    }

    /// The traffic of the last call with its MCP server.
    pub fn mcp(&mut self, who: Who) {
        let Some(span) = self.session.calls.last().map(|call| call.span) else { return };
        let inside = |at: Option<Timestamp>, ms: i64| at.map(|at| Timestamp(at.0 + ms * NANOS_PER_MILLI));
        let span = Span { start: inside(span.start, 21), end: inside(span.end, -34) };
        self.push_exchange(who, span, |exchange| {
            exchange.kind = ExchangeKind::Other;
            exchange.name = "tools/call".into();
            exchange.status = Some(200);
        });
    }

    /// The reader opens the page this long after the last call began.
    pub fn opens(&mut self, after_ms: i64) {
        self.opening = self.last_call().1 + after_ms * NANOS_PER_MILLI;
    }

    /// The session, with instants counted from when the reader opened it.
    pub fn finish(self) -> Session {
        let Self { mut session, opening, .. } = self;
        shift(&mut session, -opening);
        let order = time_order(session.calls.iter().map(|call| (call.span.start, 0)));
        reorder(&mut session.calls, &order);
        number(&mut session);
        session
    }

    fn last_call(&self) -> (Option<Arc<str>>, i64) {
        let call = self.session.calls.last();
        let start = call.and_then(|call| call.span.start).map_or(0, |at| at.0);
        (call.map(|call| Arc::clone(&call.key.id)), start)
    }

    /// Lets time pass for an agent: about as long as told, and no two instants alike by chance.
    fn pass(&mut self, who: Who, ms: i64) -> Timestamp {
        let length = self.session.calls.len() + self.session.exchanges.len();
        let actor = &mut self.actors[who.0];
        let told = ms * NANOS_PER_MILLI;
        actor.clock += told + i64::from(noise(length)) % (told / 8 + NANOS_PER_MILLI);
        Timestamp(actor.clock)
    }

    fn exchange(&mut self, who: Who, said: &str, output: u64, wants_tools: bool) -> u64 {
        let actor = &self.actors[who.0];
        let start = actor.clock;
        let input = 2 + u64::from(noise(self.session.exchanges.len()) % 9);
        let (read, write) = (actor.cached, actor.fresh);
        let millis = 1_150 + i64::try_from(output * 13).unwrap_or(0);
        let end = self.pass(who, millis);
        let actor = &mut self.actors[who.0];
        actor.cached += actor.fresh;
        actor.fresh = output;
        self.push_exchange(who, Span { start: Some(Timestamp(start)), end: Some(end) }, |exchange| {
            exchange.status = Some(200);
            exchange.tokens = Tokens {
                input: Some(input),
                cache_read: Some(read),
                cache_write: Some(write),
                output: Some(output),
                reasoning: None,
            };
            exchange.cost =
                Some(input * PRICE_INPUT + read * PRICE_CACHE_READ + write * PRICE_CACHE_WRITE + output * PRICE_OUTPUT);
            exchange.said = (!said.is_empty()).then(|| said.into());
            exchange.wants_tools = wants_tools;
        })
    }

    /// Adds an exchange of a model that `fill` completes; gives its provisional id.
    fn push_exchange(&mut self, who: Who, span: Span, fill: impl FnOnce(&mut Exchange)) -> u64 {
        let id = self.session.exchanges.len() as u64;
        let agent = Arc::clone(&self.actors[who.0].id);
        let mut exchange = Exchange::begun(id, agent, ExchangeKind::Model, span, MODEL.into());
        fill(&mut exchange);
        self.session.exchanges.push(exchange);
        id
    }

    fn call(&mut self, who: Who, asked: u64, span: Span, call: Call) {
        let call = call.into_told();
        let actor = &mut self.actors[who.0];
        actor.fresh += call.output.held().map_or(0, |blocks| blocks.iter().map(weight).sum());
        let agent = &actor.id;
        if let Some(job) = call.job {
            let end = span.end.zip(job.ms).map(|(start, ms)| Timestamp(start.0 + ms * NANOS_PER_MILLI));
            self.session.jobs.push(Job { agent: Arc::clone(agent), span: Span { start: span.end, end } });
        }
        let returns = !matches!(call.outcome, Outcome::Lost | Outcome::EndsRun | Outcome::AwaitingApproval);
        self.session.calls.push(Arc::new(ToolCall {
            key: CallKey { agent: Arc::clone(agent), id: call_id(self.session.calls.len()), nth: 0 },
            name: call.name.into(),
            asked_by: Some(asked),
            span: if returns { span } else { Span { end: None, ..span } },
            approximate: false,
            outcome: call.outcome,
            preview: None,
            input: Content::Held(call.input.into()),
            output: if returns { call.output } else { Output::None },
            structured: call.structured,
        }));
    }
}

fn shift(session: &mut Session, by: i64) {
    let agents = session.agents.iter_mut().map(|agent| &mut agent.run);
    let exchanges = session.exchanges.iter_mut().map(|exchange| &mut exchange.span);
    let calls = session.calls.iter_mut().map(|call| &mut Arc::make_mut(call).span);
    let jobs = session.jobs.iter_mut().map(|job| &mut job.span);
    let spans = agents.chain(exchanges).chain(calls).chain(jobs);
    let instants = spans.flat_map(|span| [&mut span.start, &mut span.end]);
    for at in instants.chain(session.prompts.iter_mut().map(|prompt| &mut prompt.at)).flatten() {
        at.0 += by;
    }
}

/// Puts the exchanges of all agents into time order, numbers them from 1 and tells calls and prompts.
fn number(session: &mut Session) {
    let order = time_order(session.exchanges.iter().map(|exchange| (exchange.span.start, 0)));
    reorder(&mut session.exchanges, &order);
    let mut numbers = vec![0; session.exchanges.len()];
    for (number, exchange) in (1..).zip(&mut session.exchanges) {
        if let Some(known) = usize::try_from(exchange.id).ok().and_then(|id| numbers.get_mut(id)) {
            *known = number;
        }
        exchange.id = number;
    }
    for asked in session.calls.iter_mut().filter_map(|call| Arc::make_mut(call).asked_by.as_mut()) {
        *asked = usize::try_from(*asked).ok().and_then(|id| numbers.get(id).copied()).unwrap_or_default();
    }
    for prompt in &mut session.prompts {
        let answers = |exchange: &&Exchange| exchange.agent == prompt.agent && exchange.span.start >= prompt.at;
        prompt.before = session.exchanges.iter().find(answers).map(|exchange| exchange.id);
    }
}

/// About how many tokens a text has.
fn tokens(bytes: usize) -> u64 {
    bytes as u64 * 2 / 7
}

fn weight(block: &Block) -> u64 {
    match block {
        // What a model takes in of a long output is cut by its host.
        Block::Text(text) | Block::Json(text) | Block::Reference(text) => tokens(text.read().len()).min(7_500),
        Block::Image { .. } => 68,
    }
}

fn call_id(nth: usize) -> Arc<str> {
    const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefgh";
    let letters = (0..18).map(|place| {
        let letter = noise(nth * 18 + place) % 32;
        char::from(LETTERS[letter as usize])
    });
    "toolu_01".chars().chain(letters).collect::<String>().into()
}

/// A number that looks thrown and is always the same (splitmix64, its upper half).
fn noise(of: usize) -> u32 {
    let mut bits = (of as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (bits >> 33) as u32
}
