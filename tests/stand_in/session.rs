//! One session as the proxy holds it, and what it answers of it.

use std::ops::Range;

use serde_json::{Value, json};

use super::call::Fate;
use super::{Moment, wire};

/// How results travel in a session's requests (specification `cortex-api` §2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultStyle {
    /// `toolResults` by id; the messages hold only the number of bytes.
    ToolResults,
    /// Messages of role `tool` with the text and no id.
    ToolMessages,
}

/// A session: its events in order of arrival, and the spans that the timeline tells of it.
pub struct Session {
    pub id: String,
    pub title: Option<String>,
    pub client: Option<String>,
    pub created: Moment,
    pub updated: Moment,
    pub(super) style: ResultStyle,
    pub(super) model: String,
    pub(super) host: String,
    pub(super) path: String,
    pub(super) next_seq: u64,
    pub(super) next_request: u64,
    pub(super) records: Vec<Record>,
    pub(super) agents: Vec<Agent>,
    pub(super) tools: Vec<wire::Tool>,
    pub(super) jobs: Vec<Job>,
}

/// An event without what its request carries of the past; that is put in when it is asked for.
pub(super) struct Record {
    pub event: wire::Event,
    pub context: Option<Context>,
}

/// How much of its agent's past a request carried: every request sends all of it again.
#[derive(Clone)]
pub(super) struct Context {
    pub agent: usize,
    pub messages: Range<usize>,
    pub results: Range<usize>,
}

pub(super) struct Agent {
    pub id: String,
    pub label: String,
    pub spawn_tool: Option<String>,
    pub started: Moment,
    pub returned: Option<Moment>,
    /// When its next request goes out.
    pub now: Moment,
    pub messages: Vec<wire::Message>,
    pub results: Vec<wire::ToolResult>,
    /// Where its memory begins: what stands before was dropped when the conversation was made shorter.
    pub forgotten: (usize, usize),
    /// Calls without an end: the place in the session's tools, and what will become of them.
    pub pending: Vec<(usize, Fate)>,
}

/// Work that a tool call left behind; it starts where the call ends.
pub(super) struct Job {
    pub tool: usize,
    pub lasts_millis: Option<u64>,
}

impl Session {
    /// A session of Claude Code that nobody has spoken in yet.
    pub fn new(id: &str, created: Moment) -> Self {
        Self {
            id: id.into(),
            title: None,
            client: Some("claude-code/2.1.30".into()),
            created,
            updated: created,
            style: ResultStyle::ToolResults,
            model: "claude-opus-5-5".into(),
            host: "api.anthropic.com".into(),
            path: "/v1/messages".into(),
            next_seq: 1,
            next_request: 1,
            records: Vec::new(),
            agents: Vec::new(),
            tools: Vec::new(),
            jobs: Vec::new(),
        }
    }

    pub fn titled(mut self, title: &str) -> Self {
        self.title = Some(title.into());
        self
    }

    /// A session over the chat-completions API, whose results stand only as messages of role `tool`.
    pub fn over_chat(mut self, model: &str, host: &str) -> Self {
        self.style = ResultStyle::ToolMessages;
        self.client = None;
        self.model = model.into();
        self.host = host.into();
        self.path = "/v1/chat/completions".into();
        self
    }

    /// Forgets everything and counts from 1 again, as after an eviction.
    pub(super) fn begin_again(&mut self, created: Moment) {
        self.created = created;
        self.updated = created;
        self.next_seq = 1;
        self.records.clear();
        self.agents.clear();
        self.tools.clear();
        self.jobs.clear();
    }

    /// The sequence numbers held, ascending.
    pub fn seqs(&self) -> Vec<u64> {
        self.records.iter().map(|record| record.event.seq).collect()
    }

    /// The seq of the response that asked for this call.
    pub fn response_seq(&self, call: &str) -> Option<u64> {
        self.tool(call).map(|tool| tool.seq)
    }

    /// The seq of the first request that carries this call's result.
    pub fn result_seq(&self, call: &str) -> Option<u64> {
        let end = self.tool(call)?.end?;
        let tool_seq = self.tool(call)?.seq;
        self.records
            .iter()
            .map(|record| &record.event)
            .find(|event| {
                event.seq > tool_seq && event.at == end && event.phase == "request" && event.inference.is_some()
            })
            .map(|event| event.seq)
    }

    /// What the call gave back, as it was printed.
    pub fn output(&self, call: &str) -> Option<&str> {
        let mut results = self.agents.iter().flat_map(|agent| &agent.results);
        results.find(|result| result.tool_use_id == call).map(|result| result.content.as_str())
    }

    /// When the call started.
    pub fn call_start(&self, call: &str) -> Option<Moment> {
        self.tool(call).map(|tool| tool.start)
    }

    /// The ids of this agent's calls, in the timeline's order.
    pub fn calls_of(&self, agent: &str) -> Vec<String> {
        self.timeline_tools().into_iter().filter(|tool| tool.agent == agent).map(|tool| tool.id).collect()
    }

    fn tool(&self, call: &str) -> Option<&wire::Tool> {
        self.tools.iter().find(|tool| tool.id == call)
    }

    pub(super) fn listed(&self, resident: Option<bool>, active: bool) -> wire::ListedSession {
        let (mut tokens, mut micros) = (0, 0);
        for event in self.records.iter().map(|record| &record.event) {
            tokens += event.inference.as_ref().map_or(0, |inference| inference.total_tokens);
            micros += micros_of(&event.plugins);
        }
        wire::ListedSession {
            id: self.id.clone(),
            created_at: self.created,
            updated_at: self.updated,
            event_count: self.records.len(),
            title: self.title.clone(),
            agent: self.client.clone(),
            total_tokens: tokens,
            cost_micros: micros,
            resident,
            active,
        }
    }

    /// The newest `limit` events older than `before`.
    pub(super) fn page(&self, limit: usize, before: Option<u64>, summary: bool) -> wire::SessionPage {
        let end = before
            .map_or(self.records.len(), |before| self.records.partition_point(|record| record.event.seq < before));
        let start = end.saturating_sub(limit);
        let whole = end - start == self.records.len();
        let oldest = self.records.first().map_or(0, |record| record.event.seq);
        wire::SessionPage {
            id: self.id.clone(),
            events: self.records[start..end]
                .iter()
                .map(|record| if summary { self.summary(record) } else { self.full(record) })
                .collect(),
            total_events: if whole { 0 } else { self.records.len() },
            oldest_seq: if whole { 0 } else { oldest },
            view: summary.then_some("summary"),
        }
    }

    pub(super) fn event(&self, seq: u64) -> Option<wire::Event> {
        let place = self.records.binary_search_by_key(&seq, |record| record.event.seq).ok()?;
        self.records.get(place).map(|record| self.full(record))
    }

    fn summary(&self, record: &Record) -> wire::Event {
        let mut event = record.event.clone();
        event.session_id.clone_from(&self.id);
        if let (Some(inference), Some(context)) = (&mut event.inference, &record.context) {
            inference.tool_calls.clear();
            inference.message_count = context.messages.len();
            inference.tool_count = tool_definitions().len();
        }
        if let Some(mcp) = &mut event.mcp {
            mcp.params = Value::Null;
            mcp.result = Value::Null;
        }
        event
    }

    fn full(&self, record: &Record) -> wire::Event {
        let mut event = record.event.clone();
        event.session_id.clone_from(&self.id);
        if let (Some(inference), Some(context)) = (&mut event.inference, &record.context) {
            let agent = &self.agents[context.agent];
            inference.messages = agent.messages[context.messages.clone()].to_vec();
            inference.tools = Value::Array(tool_definitions());
            if event.phase == "request" && self.style == ResultStyle::ToolResults {
                inference.tool_results = agent.results[context.results.clone()].to_vec();
            }
        }
        event
    }

    pub(super) fn timeline(&self) -> wire::Timeline {
        let agents = self.agents.iter().map(|agent| wire::Agent {
            id: agent.id.clone(),
            label: agent.label.clone(),
            spawn_tool: agent.spawn_tool.clone(),
            spawned_at: agent.spawn_tool.as_ref().map(|_| agent.started),
            returned_at: agent.returned,
            start: agent.started,
            end: agent.returned.or(Some(agent.now)),
        });
        let jobs = self.jobs.iter().filter_map(|job| {
            let tool = &self.tools[job.tool];
            let start = tool.end?;
            let end = job.lasts_millis.map(|millis| start + std::time::Duration::from_millis(millis));
            Some(wire::Job { agent: tool.agent.clone(), start, end })
        });
        wire::Timeline { agents: agents.collect(), tools: self.timeline_tools(), jobs: jobs.collect() }
    }

    fn timeline_tools(&self) -> Vec<wire::Tool> {
        let mut tools = self.tools.clone();
        tools.sort_by_key(|tool| tool.seq);
        tools
    }
}

fn micros_of(plugins: &Value) -> u64 {
    let dollars = plugins.pointer("/cost/cost_usd").and_then(Value::as_f64).unwrap_or_default();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "prices of our own, small and positive"
    )]
    let micros = (dollars * 1e6).round() as u64;
    micros
}

/// The tools that every request of an agent offers again.
fn tool_definitions() -> Vec<Value> {
    const NAMES: [&str; 19] = [
        "Agent",
        "AskUserQuestion",
        "Bash",
        "BashOutput",
        "Edit",
        "Glob",
        "Grep",
        "KillShell",
        "MultiEdit",
        "NotebookEdit",
        "Read",
        "Skill",
        "StructuredOutput",
        "SubagentHandback",
        "Task",
        "TodoWrite",
        "WebFetch",
        "WebSearch",
        "Write",
    ];
    let definition = |name: &&str| {
        let description =
            format!("{name}: one of the tools that the agent may call, told to the model at some length. ");
        json!({
            "name": name,
            "description": description.repeat(6),
            "parameters": {"type": "object", "properties": {"input": {"type": "string"}}, "additionalProperties": true},
        })
    };
    NAMES.iter().map(definition).collect()
}
