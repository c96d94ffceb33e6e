//! Events, timeline and bodies into one session (specs: cortex-api §7, ledger *Figures of a card*).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::bodies::Index;
use super::wire::{TimelineAgent, TimelineTool};
use super::{Record, exchanges};
use crate::trace::{
    Agent, AgentId, CallKey, Content, Exchange, ExchangeKind, Job, Outcome, Session, Span, Timestamp, ToolCall,
    reorder, time_order,
};

/// Tools whose call ends its agent's run: no result is due. These two names and no others.
const ENDS_RUN: [&str; 2] = ["StructuredOutput", "SubagentHandback"];
/// A tool's end is the start of the next request of its agent; clocks of the proxy may round it by this much.
const NEAR: i64 = 5_000_000;
/// The lane of sub-agents that cannot be told apart, where the proxy has no timeline.
const SUB_AGENTS: &str = "sub-agents";

impl Record {
    /// The session that was read so far.
    pub fn session(&mut self) -> Session {
        let main = self.main_agent();
        let agents = self.agents(&main);
        let mut exchanges = exchanges::fold(&self.events, &main);
        self.give_exchanges_their_agents(&mut exchanges, &agents, &main);
        let keys = exchanges.iter().map(|exchange| (exchange.span.start, exchange.request.unwrap_or(exchange.id)));
        let order = time_order(keys);
        reorder(&mut exchanges, &order);
        let lanes = Lanes::of(&exchanges);
        self.index = lanes.index(&exchanges);
        let (calls, repeats) = if self.has_timeline() {
            self.calls_of_timeline(&lanes, &main)
        } else {
            (self.calls_of_events(&exchanges, &lanes), 0)
        };
        let jobs = self.timeline.jobs.items.iter().map(|job| Job {
            agent: job.agent.clone().or_else(|| job.agent_id.clone()).unwrap_or_else(|| Arc::clone(&main)),
            span: Span { start: job.start, end: job.end },
        });
        Session {
            id: Arc::clone(&self.id),
            title: self.title.clone(),
            host: self.host.clone(),
            agents,
            jobs: jobs.collect(),
            exchanges,
            calls: calls.into_iter().map(Arc::new).collect(),
            prompts: Vec::new(),
            repeats,
            problems: self.problems.clone(),
            has_older: self.older_than().is_some(),
        }
    }

    /// What the main agent is called; tools may leave their agent out when they mean it.
    pub(super) fn main_agent(&self) -> AgentId {
        let mut mains = self.timeline.agents.items.iter().filter(|agent| spawn_tool(agent).is_none());
        mains.find_map(agent_id).unwrap_or_else(|| "main".into())
    }

    fn agents(&self, main: &AgentId) -> Vec<Agent> {
        let mut seen = HashSet::new();
        let told = self.timeline.agents.items.iter().filter_map(|agent| {
            Some(Agent {
                id: agent_id(agent).or_else(|| spawn_tool(agent).is_none().then(|| Arc::clone(main)))?,
                label: [&agent.label, &agent.name, &agent.kind].into_iter().find_map(std::clone::Clone::clone),
                spawned_by: spawn_tool(agent),
                run: Span { start: agent.spawned_at.or(agent.start), end: run_end(agent) },
            })
        });
        told.filter(|agent| seen.insert(Arc::clone(&agent.id))).collect()
    }

    /// Events do not name their agent. The calls of a response do; a request that begins when a call ends is of that
    /// call's agent; a sub-agent's other requests lie within its run.
    fn give_exchanges_their_agents(&self, exchanges: &mut [Exchange], agents: &[Agent], main: &AgentId) {
        let mut by_response: HashMap<u64, AgentId> = HashMap::new();
        let mut by_start: HashMap<Timestamp, AgentId> = HashMap::new();
        for tool in &self.timeline.tools.items {
            let agent = tool_agent(tool, main);
            if let Some(end) = tool.end {
                by_start.entry(end).or_insert_with(|| Arc::clone(&agent));
            }
            if let Some(seq) = tool.seq {
                by_response.entry(seq).or_insert(agent);
            }
        }
        let within = |at: Timestamp| {
            let runs = agents.iter().filter(|agent| agent.spawned_by.is_some());
            runs.filter(|agent| {
                agent.run.start.is_some_and(|start| start <= at) && agent.run.end.is_none_or(|end| at <= end)
            })
            .max_by_key(|agent| agent.run.start)
            .map(|agent| Arc::clone(&agent.id))
        };
        for exchange in exchanges.iter_mut().filter(|exchange| exchange.kind == ExchangeKind::Model) {
            let start = exchange.span.start;
            let known = by_response.get(&exchange.id).or_else(|| by_start.get(&start?)).cloned();
            let by_run =
                || self.is_sub_agents(exchange).then(|| start.and_then(within).unwrap_or_else(|| SUB_AGENTS.into()));
            if let Some(agent) = known.or_else(by_run) {
                exchange.agent = agent;
            }
        }
    }

    fn is_sub_agents(&self, exchange: &Exchange) -> bool {
        let event = self.events.get(&exchange.request.unwrap_or(exchange.id));
        let role = event.and_then(|event| event.inference.as_ref()?.agent_role.as_deref());
        role == Some("subagent")
    }

    fn calls_of_timeline(&mut self, lanes: &Lanes, main: &AgentId) -> (Vec<ToolCall>, u32) {
        let tools = &self.timeline.tools.items;
        let mut of_response: HashMap<Option<u64>, usize> = HashMap::new();
        for tool in tools {
            *of_response.entry(tool.seq).or_default() += 1;
        }
        let mut calls: Vec<ToolCall> = Vec::with_capacity(tools.len());
        let mut nth: Numbers<(AgentId, Arc<str>)> = Numbers::default();
        let mut named: Numbers<(Option<u64>, Arc<str>)> = Numbers::default();
        let mut placed: Numbers<Option<u64>> = Numbers::default();
        let mut seen: HashSet<(CallKey, Option<u64>, Option<Timestamp>)> = HashSet::new();
        let mut repeats = 0;
        for tool in tools {
            let name = tool.name.clone().unwrap_or_default();
            let mut key = CallKey { agent: tool_agent(tool, main), id: tool.id.clone().unwrap_or_default(), nth: 0 };
            if !key.id.is_empty() && !seen.insert((key.clone(), tool.seq, tool.start)) {
                repeats += 1;
                continue;
            }
            key.nth = nth.take((Arc::clone(&key.agent), Arc::clone(&key.id)));
            let namesake = named.take((tool.seq, Arc::clone(&name)));
            let place = placed.take(tool.seq);
            let outcome = outcome(tool);
            let carrier = tool.end.and_then(|end| lanes.carrier(&key.agent, end, tool.seq));
            let input = tool.seq.map_or(Content::None, |seq| self.bodies.input(seq, &key.id, &name, namesake as usize));
            let output = match outcome {
                Outcome::Ok | Outcome::Error => {
                    self.bodies.output(&key, carrier, place as usize, of_response[&tool.seq])
                }
                _ => Content::None,
            };
            self.index.events.insert(key.clone(), (tool.seq, carrier));
            calls.push(ToolCall {
                key,
                name,
                asked_by: tool.seq,
                span: Span { start: tool.start, end: tool.end },
                approximate: false,
                outcome,
                preview: tool.preview.clone().or_else(|| tool.summary.clone()),
                input,
                output,
                structured: None,
            });
        }
        (calls, repeats)
    }

    /// Where the proxy has no timeline, the calls of the responses that were read, each until the next request of
    /// its agent (specs: ledger, *Live*).
    fn calls_of_events(&mut self, exchanges: &[Exchange], lanes: &Lanes) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        let mut nth: Numbers<(AgentId, Arc<str>)> = Numbers::default();
        for exchange in exchanges {
            let asked = self.bodies.asked(exchange.id).unwrap_or_default().to_vec();
            let start = exchange.span.end;
            let next = start.and_then(|start| lanes.next(&exchange.agent, start, exchange.id));
            for (place, call) in asked.iter().enumerate() {
                let mut key =
                    CallKey { agent: Arc::clone(&exchange.agent), id: call.id.clone().unwrap_or_default(), nth: 0 };
                key.nth = nth.take((Arc::clone(&key.agent), Arc::clone(&key.id)));
                let carrier = next.map(|(_, seq)| seq);
                let outcome = match (next, self.bodies.is_error(&key)) {
                    (None, _) => Outcome::Running,
                    (Some(_), Some(true)) => Outcome::Error,
                    (Some(_), _) => Outcome::Ok,
                };
                let output =
                    if next.is_some() { self.bodies.output(&key, carrier, place, asked.len()) } else { Content::None };
                self.index.events.insert(key.clone(), (Some(exchange.id), carrier));
                calls.push(ToolCall {
                    key,
                    name: call.name.clone().unwrap_or_default(),
                    asked_by: Some(exchange.id),
                    span: Span { start, end: next.map(|(at, _)| at) },
                    approximate: true,
                    outcome,
                    preview: None,
                    input: call.arguments.as_deref().map_or(Content::None, |input| Content::Held(input.into())),
                    output,
                    structured: None,
                });
            }
        }
        calls
    }
}

/// Counts how often each key was seen.
struct Numbers<K>(HashMap<K, u32>);

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: std::hash::Hash + Eq> Numbers<K> {
    fn take(&mut self, key: K) -> u32 {
        let count = self.0.entry(key).or_default();
        *count += 1;
        *count - 1
    }
}

/// The requests of each agent, by the time they began.
struct Lanes(HashMap<AgentId, Vec<(Timestamp, u64)>>);

impl Lanes {
    /// `exchanges` stand in order of their start.
    fn of(exchanges: &[Exchange]) -> Self {
        let mut lanes: HashMap<AgentId, Vec<(Timestamp, u64)>> = HashMap::new();
        for exchange in exchanges.iter().filter(|exchange| exchange.kind == ExchangeKind::Model) {
            if let Some(start) = exchange.span.start {
                // A response repeats the messages of its request, which may not be held.
                lanes
                    .entry(Arc::clone(&exchange.agent))
                    .or_default()
                    .push((start, exchange.request.unwrap_or(exchange.id)));
            }
        }
        Self(lanes)
    }

    fn index(&self, exchanges: &[Exchange]) -> Index {
        let both = exchanges
            .iter()
            .flat_map(|exchange| [Some(exchange.id), exchange.request].map(|seq| (seq, &exchange.agent)));
        Index {
            agent_of: both.filter_map(|(seq, agent)| Some((seq?, Arc::clone(agent)))).collect(),
            newest: self.0.iter().filter_map(|(agent, lane)| Some((Arc::clone(agent), lane.last()?.1))).collect(),
            events: HashMap::new(),
        }
    }

    /// The request that first carries the result of a call of `agent` that ended at `end` and was asked for by `seq`.
    fn carrier(&self, agent: &AgentId, end: Timestamp, seq: Option<u64>) -> Option<u64> {
        let lane = self.0.get(agent)?;
        let later = &lane[lane.partition_point(|&(at, _)| at < Timestamp(end.0.saturating_sub(NEAR)))..];
        let mut later = later.iter().filter(|&&(_, request)| seq.is_none_or(|seq| request > seq));
        let near = later.clone().take_while(|&&(at, _)| at.since(end) <= NEAR);
        near.min_by_key(|&&(at, _)| at.since(end).abs()).or_else(|| later.next()).map(|&(_, request)| request)
    }

    /// The first request of `agent` after the response `seq` of the instant `at`.
    fn next(&self, agent: &AgentId, at: Timestamp, seq: u64) -> Option<(Timestamp, u64)> {
        let lane = self.0.get(agent)?;
        lane[lane.partition_point(|&(start, _)| start < at)..].iter().find(|&&(_, request)| request > seq).copied()
    }
}

fn agent_id(agent: &TimelineAgent) -> Option<AgentId> {
    [&agent.id, &agent.key, &agent.name].into_iter().find_map(std::clone::Clone::clone)
}

fn spawn_tool(agent: &TimelineAgent) -> Option<Arc<str>> {
    agent.spawn_tool.clone().or_else(|| agent.spawn_tool_id.clone())
}

/// A spawned agent ends when it returns; only where its spawning is not told does its own end count.
fn run_end(agent: &TimelineAgent) -> Option<Timestamp> {
    agent.returned_at.or_else(|| if agent.spawned_at.is_none() { agent.end } else { None })
}

fn tool_agent(tool: &TimelineTool, main: &AgentId) -> AgentId {
    tool.agent.clone().or_else(|| tool.agent_id.clone()).unwrap_or_else(|| Arc::clone(main))
}

/// How a tool of the timeline ended; the first rule that matches decides.
fn outcome(tool: &TimelineTool) -> Outcome {
    let ends_run = tool.name.as_deref().is_some_and(|name| ENDS_RUN.contains(&name));
    match (tool.lost, tool.end) {
        (true, _) if ends_run => Outcome::EndsRun,
        (true, _) => Outcome::Lost,
        (false, None) => Outcome::Running,
        (false, Some(_)) if tool.error => Outcome::Error,
        (false, Some(_)) => Outcome::Ok,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::cortex::fixture::{self, key};
    use crate::source::cortex::wire::{Timeline, read};

    fn timeline(json: &str) -> Timeline {
        read(json).unwrap()
    }

    #[test]
    fn the_first_rule_that_matches_decides_the_outcome() {
        for (json, expected) in [
            (r#"{"name":"StructuredOutput","lost":true}"#, Outcome::EndsRun),
            (r#"{"name":"SubagentHandback","lost":true,"end":"2026-01-01T00:00:00Z"}"#, Outcome::EndsRun),
            (r#"{"name":"structuredoutput","lost":true}"#, Outcome::Lost),
            (r#"{"name":"Bash","lost":true,"error":true}"#, Outcome::Lost),
            (r#"{"name":"StructuredOutput"}"#, Outcome::Running),
            (r#"{"name":"Bash","end":"0001-01-01T00:00:00Z"}"#, Outcome::Running),
            (r#"{"name":"Bash","end":null}"#, Outcome::Running),
            (r#"{"name":"Bash","end":"2026-01-01T00:00:00Z","error":true}"#, Outcome::Error),
            (r#"{"name":"Bash","end":"2026-01-01T00:00:00Z"}"#, Outcome::Ok),
        ] {
            assert_eq!(outcome(&read(json).unwrap()), expected, "{json}");
        }
    }

    #[test]
    fn exchanges_find_their_agent() {
        let session = fixture::record().session();
        let of: HashMap<_, _> =
            session.exchanges.iter().map(|exchange| (exchange.id, exchange.agent.as_ref())).collect();
        assert_eq!(of[&24], "main", "no one else");
        assert_eq!(of[&190], "a1", "by the calls of its response");
        assert_eq!(of[&201], "a1", "by the end of a call that it answers");
        assert_eq!(of[&203], "a1", "by its role and its time");
    }

    #[test]
    fn a_call_is_answered_by_the_request_that_begins_when_it_ends() {
        let mut record = fixture::record();
        record.session();
        assert_eq!(record.index.events[&key("main", "toolu_01A")], (Some(24), Some(25)));
        assert_eq!(
            record.index.events[&key("main", "toolu_01C")],
            (Some(26), Some(27)),
            "the next one where none is near"
        );
        assert_eq!(record.index.events[&key("main", "toolu_01F")], (Some(32), None), "it still runs");
        assert_eq!(record.index.newest[&AgentId::from("main")], 31);
    }

    #[test]
    fn ids_may_repeat() {
        let mut record = Record::new("s");
        record.take_timeline(timeline(
            r#"{"tools":[{"id":"a","seq":1,"start":"2026-01-01T00:00:00Z"},{"id":"a","seq":1,"start":"2026-01-01T00:00:00Z"},
                {"id":"a","seq":5,"start":"2026-01-01T00:00:09Z"},{"id":"a","agent":"b","seq":5},{},{}]}"#,
        ));
        let session = record.session();
        let keys: Vec<_> =
            session.calls.iter().map(|call| (call.key.agent.as_ref(), call.key.id.as_ref(), call.key.nth)).collect();
        assert_eq!(keys, [("main", "a", 0), ("main", "a", 1), ("b", "a", 0), ("main", "", 0), ("main", "", 1)]);
        assert_eq!(session.repeats, 1);
    }

    #[test]
    fn the_main_agent_may_go_by_any_name() {
        let mut record = Record::new("s");
        record.take_timeline(timeline(
            r#"{"agents":[{"id":"x","spawnTool":"t"},{"key":"boss","label":"Boss"}],"tools":[{"id":"t"}],"jobs":[{"start":1}]}"#,
        ));
        let session = record.session();
        assert_eq!(session.calls[0].key.agent.as_ref(), "boss");
        assert_eq!(session.jobs[0].agent.as_ref(), "boss");
    }

    #[test]
    fn null_lists_are_empty_ones() {
        let mut record = Record::new("s");
        record.take_timeline(timeline(r#"{"agents":null,"tools":null,"jobs":null}"#));
        assert!(record.session().calls.is_empty());
    }

    #[test]
    fn without_a_timeline_the_responses_tell_the_calls() {
        let mut record = fixture::record();
        record.take_no_timeline();
        assert!(record.session().calls.is_empty());
        let asked = r#"{"inference":{"toolCalls":[{"id":"toolu_01A","name":"Bash","arguments":"{}"},{"id":"toolu_01B","name":"Read"}]}}"#;
        record.take_event(24, &fixture::event(asked));
        let session = record.session();
        let calls: Vec<_> =
            session.calls.iter().map(|call| (call.name.as_ref(), call.span.nanos(), call.approximate)).collect();
        assert_eq!(calls, [("Bash", Some(13_210_000_000), true), ("Read", Some(13_210_000_000), true)]);
        assert_eq!(session.calls[0].output, Content::Remote);
    }
}
