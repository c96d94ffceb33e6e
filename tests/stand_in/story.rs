//! Tells what the agents of a session did, one exchange after another.

use std::time::Duration;

use serde_json::json;

use super::call::{Call, Fate};
use super::session::{Agent, Context, Job, Record};
use super::{Moment, Reply, ResultStyle, Session, wire};

/// Adds to one session. Agents have clocks of their own; the events are put in order when the story is told.
pub struct Story<'a> {
    pub(super) session: &'a mut Session,
    /// New events, and the places of the tools that they asked for.
    pub(super) drafts: Vec<(Record, Vec<usize>)>,
}

impl<'a> Story<'a> {
    pub(super) fn tell(session: &'a mut Session, tell: impl FnOnce(&mut Self)) -> Vec<u64> {
        let mut story = Self { session, drafts: Vec::new() };
        tell(&mut story);
        story.seal()
    }

    fn seal(mut self) -> Vec<u64> {
        self.drafts.sort_by_key(|(record, _)| record.event.at);
        let mut seqs = Vec::new();
        for (mut record, tools) in self.drafts {
            record.event.seq = self.session.next_seq;
            self.session.next_seq += 1;
            for tool in tools {
                self.session.tools[tool].seq = record.event.seq;
            }
            seqs.push(record.event.seq);
            self.session.updated = self.session.updated.max(record.event.at);
            self.session.records.push(record);
        }
        seqs
    }

    /// Brings every agent's clock up to `now`, for what happens while somebody watches.
    pub(super) fn catch_up(&mut self, now: Moment) {
        for agent in &mut self.session.agents {
            agent.now = agent.now.max(now);
        }
    }

    /// An agent that was there from the start sends its first request at this instant.
    pub(super) fn begin_at(&mut self, agent: &str, now: Moment) {
        let agent = self.agent(agent);
        let agent = &mut self.session.agents[agent];
        (agent.started, agent.now) = (now, now);
    }

    /// The person speaks to an agent.
    pub fn person_says(&mut self, agent: &str, text: &str) {
        let agent = self.agent(agent);
        self.session.agents[agent].messages.push(wire::Message {
            role: "user",
            content: text.into(),
            content_bytes: 0,
        });
    }

    /// One model call of an agent: its request ends the calls that it made before, its reply may ask for new ones.
    pub fn exchange(&mut self, agent: &str, reply: Reply) {
        let agent = self.agent(agent);
        self.end_calls(agent);
        let context = self.context(agent);
        let request_id = format!("r-{}", self.session.next_request);
        self.session.next_request += 1;

        let asked_at = self.session.agents[agent].now;
        let asked = wire::Inference {
            model: self.session.model.clone(),
            stream: self.session.style == ResultStyle::ToolResults,
            agent_role: match (self.session.style, agent) {
                (ResultStyle::ToolMessages, _) => "",
                (ResultStyle::ToolResults, 0) => "main",
                (ResultStyle::ToolResults, _) => "subagent",
            },
            ..wire::Inference::default()
        };
        let request = wire::Event { inference: Some(asked.clone()), ..self.envelope("request", &request_id, asked_at) };
        self.drafts.push((Record { event: request, context: Some(context.clone()) }, Vec::new()));
        if reply.in_flight {
            return;
        }

        let answered_at = asked_at + reply.took;
        self.session.agents[agent].now = answered_at;
        let mut response = self.envelope("response", &request_id, answered_at);
        response.status_code = reply.status;
        response.duration_ms = u64::try_from(reply.took.as_millis()).unwrap_or(u64::MAX);
        response.inference = Some(if reply.status < 400 { self.answered(asked, &reply) } else { asked });
        if reply.status >= 400 {
            response.error =
                json!({"kind": "backend_error", "code": reply.status.to_string(), "message": "overloaded"});
        }
        if let Some(dollars) = reply.dollars {
            response.plugins = json!({"cost": {
                "cost_usd": dollars, "source": "usage-fallback", "daily_total_usd": 1.91, "daily_max_usd": 0
            }});
        }
        if reply.status < 400 {
            let assistant = wire::Message { role: "assistant", content: reply.text.clone(), content_bytes: 0 };
            self.session.agents[agent].messages.push(assistant);
        }
        let tools = reply.calls.into_iter().map(|call| self.begin_call(agent, answered_at, call)).collect();
        self.drafts.push((Record { event: response, context: Some(context) }, tools));
    }

    /// Time passes until the agent's next request: its calls run meanwhile.
    pub fn wait(&mut self, agent: &str, millis: u64) {
        let agent = self.agent(agent);
        let agent = &mut self.session.agents[agent];
        agent.now = agent.now + Duration::from_millis(millis);
    }

    /// Time passes until so many milliseconds after the agent's first request.
    pub fn wait_until_age(&mut self, agent: &str, millis: u64) {
        let agent = self.agent(agent);
        let agent = &mut self.session.agents[agent];
        agent.now = agent.now.max(agent.started + Duration::from_millis(millis));
    }

    /// A sub-agent starts when the call that spawned it does.
    pub fn spawn(&mut self, id: &str, label: &str, by: &str) {
        let started = self.session.call_start(by).unwrap_or(self.session.created);
        self.session.agents.push(Agent { spawn_tool: Some(by.into()), ..Agent::starting(id, label, started) });
    }

    /// A sub-agent's run is over.
    pub fn returns(&mut self, id: &str) {
        let agent = self.agent(id);
        let agent = &mut self.session.agents[agent];
        agent.returned = Some(agent.now);
    }

    /// A call leaves a job behind that lasts so long; no time: it still runs.
    pub fn job(&mut self, call: &str, lasts_millis: Option<u64>) {
        if let Some(tool) = self.session.tools.iter().position(|tool| tool.id == call) {
            self.session.jobs.push(Job { tool, lasts_millis });
        }
    }

    /// Decides what a running call gives; the agent's next request brings it.
    pub fn settle(&mut self, call: &str, text: &str) {
        let tools = &self.session.tools;
        let pending = self.session.agents.iter_mut().flat_map(|agent| &mut agent.pending);
        for (_, fate) in pending.filter(|(tool, _)| tools[*tool].id == call) {
            *fate = Fate::Ends { text: text.into(), error: false };
        }
    }

    /// The agent's conversation is made shorter: later requests carry nothing of what went before.
    pub fn compact(&mut self, agent: &str) {
        let agent = self.agent(agent);
        let agent = &mut self.session.agents[agent];
        agent.forgotten = (agent.messages.len(), agent.results.len());
    }

    pub(super) fn agent(&mut self, id: &str) -> usize {
        let agents = &mut self.session.agents;
        agents.iter().position(|agent| agent.id == id).unwrap_or_else(|| {
            agents.push(Agent::starting(id, id, self.session.created));
            agents.len() - 1
        })
    }

    fn end_calls(&mut self, agent: usize) {
        let style = self.session.style;
        let agent = &mut self.session.agents[agent];
        let mut bytes = 0;
        for (tool, fate) in std::mem::take(&mut agent.pending) {
            let tool = &mut self.session.tools[tool];
            let Fate::Ends { text, error } = fate else {
                tool.lost = true;
                continue;
            };
            tool.end = Some(agent.now);
            tool.error = error;
            bytes += text.len();
            if style == ResultStyle::ToolMessages {
                agent.messages.push(wire::Message { role: "tool", content: text.clone(), content_bytes: 0 });
            }
            agent.results.push(wire::ToolResult { tool_use_id: tool.id.clone(), content: text, is_error: error });
        }
        if bytes > 0 && style == ResultStyle::ToolResults {
            agent.messages.push(wire::Message { role: "user", content: String::new(), content_bytes: bytes });
        }
    }

    fn begin_call(&mut self, agent: usize, start: Moment, call: Call) -> usize {
        let tool = wire::Tool {
            id: call.id,
            name: call.name,
            agent: self.session.agents[agent].id.clone(),
            seq: 0,
            start,
            end: None,
            error: false,
            lost: call.fate == Fate::Lost,
            preview: call.preview,
        };
        self.session.tools.push(tool);
        let place = self.session.tools.len() - 1;
        if call.fate != Fate::Lost {
            self.session.agents[agent].pending.push((place, call.fate));
        }
        place
    }

    fn context(&self, index: usize) -> Context {
        let agent = &self.session.agents[index];
        let (messages, results) = agent.forgotten;
        Context { agent: index, messages: messages..agent.messages.len(), results: results..agent.results.len() }
    }

    fn answered(&self, asked: wire::Inference, reply: &Reply) -> wire::Inference {
        let chat = self.session.style == ResultStyle::ToolMessages;
        let cached = if chat { 0 } else { reply.prompt_tokens / 100 * 99 };
        wire::Inference {
            streamed_response: !chat,
            completion: reply.text.clone(),
            finish_reason: match (reply.calls.is_empty(), chat) {
                (true, true) => "stop",
                (true, false) => "end_turn",
                (false, true) => "tool_calls",
                (false, false) => "tool_use",
            },
            tool_calls: reply
                .calls
                .iter()
                .map(|call| wire::ToolCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                })
                .collect(),
            total_tokens: reply.prompt_tokens + reply.output_tokens,
            input_tokens: reply.prompt_tokens - cached,
            cache_read_tokens: cached,
            output_tokens: reply.output_tokens,
            present_kinds: 15,
            ..asked
        }
    }

    fn envelope(&self, phase: &'static str, request_id: &str, at: Moment) -> wire::Event {
        wire::Event { http_path: self.session.path.clone(), ..self.other(phase, request_id, at, &self.session.host) }
    }
}

impl Agent {
    fn starting(id: &str, label: &str, started: Moment) -> Self {
        Self {
            id: id.into(),
            label: label.into(),
            spawn_tool: None,
            started,
            returned: None,
            now: started,
            messages: Vec::new(),
            results: Vec::new(),
            forgotten: (0, 0),
            pending: Vec::new(),
        }
    }
}
