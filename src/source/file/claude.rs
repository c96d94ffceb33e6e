//! Claude Code (specs: session-files §1 and §2): sessions with their three layouts of sub-agents, and stream-json.

#[cfg(test)]
mod tests;
pub(super) mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::words::{ending, is_interruption, is_of_host, notified};
use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Exchange, Job, Outcome, Span, Text, Timestamp, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| is_session(record) || is_stream(record))
}

fn is_session(record: &Json<'_>) -> bool {
    let has = |key| record.get(key).is_some();
    has("sessionId") && (has("parentUuid") || has("isSidechain"))
        || record.text("type").as_deref() == Some("summary") && has("leafUuid")
}

fn is_stream(record: &Json<'_>) -> bool {
    record.get("session_id").is_some()
        && (record.get("parent_tool_use_id").is_some() || record.text("subtype").as_deref() == Some("init"))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let is_stream = !source.sample().any(is_session);
    let mut claude = Claude::new(source, is_stream);
    source.read_lines(&mut claude);
    let format = if is_stream { Format::ClaudeStream } else { Format::ClaudeCode };
    let belongs = claude.parent.take().map_or(Belongs::Alone, |parent| Belongs::Child { parent });
    let (mut session, orphans) = claude.transcript.finish(false);
    let called_off = claude.called_off;
    for call in
        session.calls.iter_mut().filter(|call| call.outcome == Outcome::Lost && called_off.contains(&call.key.id))
    {
        Arc::make_mut(call).outcome = Outcome::Cancelled;
    }
    vec![source.reading(format, (session, orphans), belongs)]
}

struct Claude {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    is_stream: bool,
    has_head: bool,
    /// The session whose sub-agent's file this is.
    parent: Option<Arc<str>>,
    /// The API message and the time of what was said last, by agent: a message takes several lines.
    message: HashMap<AgentId, Arc<str>>,
    /// When each agent's model was last given something.
    since: HashMap<AgentId, Timestamp>,
    /// Whose the lines of side chains are, by `uuid`, where they do not say so.
    chains: HashMap<Arc<str>, AgentId>,
    /// Calls that spawn agents whose chain was not seen, with the prompts.
    spawning: Vec<(Arc<str>, Option<Text>)>,
    /// Calls without a result, by agent.
    open: HashMap<AgentId, Vec<Arc<str>>>,
    called_off: HashSet<Arc<str>>,
    /// Places of the jobs that go on, by the id of their task.
    jobs: HashMap<Arc<str>, usize>,
}

impl Reader for Claude {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp");
        let kind = json.text("type").unwrap_or_default();
        if matches!(&*kind, "user" | "assistant" | "system" | "attachment") {
            self.head(json);
        }
        match &*kind {
            "assistant" | "user" => {
                let agent = self.agent(json);
                if let Some(message) = json.nested("message") {
                    self.message(json, &message, &agent, at);
                }
            }
            "progress" => self.progress(json, at),
            "system" => self.system(json, at),
            "summary" => {
                let session = &mut self.transcript.session;
                session.title = session.title.take().or_else(|| json.word("summary"));
            }
            "custom-title" | "ai-title" => {
                self.transcript.session.title = json.word("customTitle").or_else(|| json.word("aiTitle"));
            }
            "queue-operation" => self.notified(&json.text("content").unwrap_or_default(), at),
            "result" if json.is_true("is_error") => {
                let error = json.word("result").or_else(|| json.word("subtype"));
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.error = error;
                }
            }
            _ => {}
        }
    }
}

impl Claude {
    fn new(source: &Source, is_stream: bool) -> Self {
        let mut transcript = Transcript::new(&source.name);
        let main = transcript.agent("main", None, None);
        Self {
            transcript,
            buffer: Arc::clone(&source.buffer),
            main,
            is_stream,
            has_head: false,
            parent: None,
            message: HashMap::new(),
            since: HashMap::new(),
            chains: HashMap::new(),
            spawning: Vec::new(),
            open: HashMap::new(),
            called_off: HashSet::new(),
            jobs: HashMap::new(),
        }
    }

    /// The first line that names the session names it; a resumed one holds lines of others.
    fn head(&mut self, json: &Json<'_>) {
        let session = &mut self.transcript.session;
        if let Some(version) = json.word("version").or_else(|| json.word("claude_code_version")) {
            session.host = Some(format!("claude-code/{version}").into());
        }
        let id = json.word("sessionId").or_else(|| json.word("session_id"));
        let Some(id) = id.filter(|_| !std::mem::replace(&mut self.has_head, true)) else { return };
        match json.word("agentId").filter(|_| json.is_true("isSidechain")) {
            // The whole file is a sub-agent's.
            Some(agent) => {
                session.id = agent;
                self.parent = Some(id);
            }
            None => session.id = id,
        }
    }

    /// Whose a line is.
    fn agent(&mut self, json: &Json<'_>) -> AgentId {
        if let Some(call) = json.word("parent_tool_use_id") {
            return self.transcript.agent(&call, None, Some(&call));
        }
        if self.parent.is_some() || !json.is_true("isSidechain") {
            return Arc::clone(&self.main);
        }
        if let Some(agent) = json.word("agentId") {
            return self.transcript.agent(&agent, None, None);
        }
        let uuid = json.word("uuid").unwrap_or_default();
        let known = json.word("parentUuid").and_then(|parent| self.chains.get(&parent).cloned());
        let agent = known.unwrap_or_else(|| {
            let call = self.spawner(json);
            self.transcript.agent(&uuid, None, call.as_deref())
        });
        self.chains.insert(uuid, Arc::clone(&agent));
        agent
    }

    /// The call that began a chain: the one with the same prompt, else the oldest.
    fn spawner(&mut self, root: &Json<'_>) -> Option<Arc<str>> {
        let message = root.nested("message");
        let prompt = message.as_ref().and_then(|message| content::text(&self.buffer, message, "content"));
        let same = self.spawning.iter().position(|(_, text)| text.is_some() && *text == prompt);
        let place = same.or_else(|| (!self.spawning.is_empty()).then_some(0))?;
        Some(self.spawning.remove(place).0)
    }

    fn message(&mut self, json: &Json<'_>, message: &Json<'_>, agent: &AgentId, at: Option<Timestamp>) {
        let is_model =
            message.text("role").as_deref() == Some("assistant") || json.text("type").as_deref() == Some("assistant");
        if is_model {
            self.exchange(message, agent, at);
        } else if let Some(at) = at {
            self.since.insert(Arc::clone(agent), at);
        }
        if let Some(text) = content::text(&self.buffer, message, "content") {
            return self.text(json, text, is_model, agent, at);
        }
        let Some(blocks) = message.nested("content") else { return };
        for block in blocks.values() {
            match block.text("type").as_deref() {
                Some("text") => {
                    if let Some(text) = content::text(&self.buffer, &block, "text") {
                        self.text(json, text, is_model, agent, at);
                    }
                }
                Some("tool_use" | "server_tool_use" | "mcp_tool_use") => self.call(&block, agent, at),
                Some("tool_result") => self.result(json, &block, agent, at),
                _ => {}
            }
        }
        if is_model
            && json.is_true("isApiErrorMessage")
            && let Some(exchange) = self.transcript.last(agent)
        {
            exchange.error = exchange.said.take().map(|said| said.read().into());
        }
    }

    fn exchange(&mut self, message: &Json<'_>, agent: &AgentId, at: Option<Timestamp>) {
        let id = message.word("id");
        let is_open = id.is_some() && self.message.get(agent) == id.as_ref();
        if let Some(id) = id {
            self.message.insert(Arc::clone(agent), id);
        } else {
            self.message.remove(agent);
        }
        // A stream tells the times of some lines only, and an exchange without one would stand before all others.
        let since = self.since.get(agent).copied().or(at).filter(|_| !self.is_stream);
        let model = message.word("model").unwrap_or_default();
        let exchange = self.transcript.last_or_new(agent, is_open, &model, since);
        exchange.span.end = at.or(exchange.span.end).filter(|_| since.is_some() || exchange.span.start.is_some());
        used(message, exchange);
    }

    fn text(&mut self, json: &Json<'_>, text: Text, is_model: bool, agent: &AgentId, at: Option<Timestamp>) {
        if is_model {
            if let Some(exchange) = self.transcript.last(agent) {
                exchange.said = exchange.said.take().or(Some(text));
            }
            return;
        }
        let words = text.read().into_owned();
        if is_interruption(&words) {
            self.called_off.extend(self.open.remove(agent).unwrap_or_default());
            return;
        }
        self.notified(&words, at);
        let is_own = ["isMeta", "isCompactSummary", "isSynthetic"].iter().any(|key| json.is_true(key));
        if *agent == self.main && self.parent.is_none() && !is_own && !is_of_host(&words) {
            self.transcript.prompt(agent, at, text);
        }
    }

    fn call(&mut self, block: &Json<'_>, agent: &AgentId, at: Option<Timestamp>) {
        let id = block.word("id").unwrap_or_default();
        let name = block.word("name").unwrap_or_default();
        let position = self.transcript.call(Asked {
            agent: Arc::clone(agent),
            id: Arc::clone(&id),
            name: Arc::clone(&name),
            input: content::input(&self.buffer, block.get("input")),
            at,
        });
        if position.is_none() {
            return;
        }
        if matches!(&*name, "Task" | "Agent") {
            let prompt = block.nested("input").and_then(|input| content::text(&self.buffer, &input, "prompt"));
            self.spawning.push((Arc::clone(&id), prompt));
        }
        self.open.entry(Arc::clone(agent)).or_default().push(id);
    }

    fn result(&mut self, json: &Json<'_>, block: &Json<'_>, agent: &AgentId, at: Option<Timestamp>) {
        let id = block.word("tool_use_id").unwrap_or_default();
        if let Some(open) = self.open.get_mut(agent) {
            open.retain(|other| *other != id);
        }
        let key = if json.get("toolUseResult").is_some() { "toolUseResult" } else { "tool_use_result" };
        let structured = json.nested(key);
        if let Some(structured) = &structured {
            self.spawned(structured, &id);
            if let (Some(task), Some(at)) = (structured.word("backgroundTaskId"), at) {
                let jobs = &mut self.transcript.session.jobs;
                self.jobs.insert(task, jobs.len());
                jobs.push(Job { agent: Arc::clone(agent), span: Span { start: Some(at), end: None } });
            }
        }
        let raw = block.get("content").unwrap_or("null");
        let is_error = block.is_true("is_error");
        let outcome = content::first_text(raw).filter(|_| is_error).and_then(|text| ending(&text));
        self.transcript.result(Answer {
            agent: (!self.is_stream).then(|| Arc::clone(agent)),
            id,
            output: content::blocks(&self.buffer, raw),
            is_error,
            outcome,
            at,
            structured: structured.map(|structured| Text::within(&self.buffer, structured.raw())),
        });
    }

    /// The result of a call that spawned an agent names it: its lines stand in a file of its own.
    fn spawned(&mut self, structured: &Json<'_>, call: &Arc<str>) {
        let Some(agent) = structured.word("agentId") else { return };
        let label = self.transcript.told_of_agent(call).or_else(|| structured.word("agentType"));
        self.transcript.agent(&agent, label.as_deref(), Some(call));
        self.spawning.retain(|(id, _)| id != call);
    }

    /// Messages of a sub-agent that its file holds too.
    fn progress(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        let Some(data) = json.nested("data").filter(|data| data.text("type").as_deref() == Some("agent_progress"))
        else {
            return;
        };
        let call = json.word("parentToolUseID");
        let Some(id) = data.word("agentId").or_else(|| call.clone()) else { return };
        let agent = self.transcript.agent(&id, None, call.as_deref());
        let Some(line) = data.nested("message") else { return };
        if let Some(message) = line.nested("message") {
            let at = line.time("timestamp").or(at);
            self.message(&line, &message, &agent, at);
        }
    }

    fn system(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        match json.text("subtype").as_deref() {
            Some("api_error") => {
                let error = json.nested("error");
                let words = error.as_ref().and_then(|error| error.word("formatted").or_else(|| error.word("message")));
                let agent = self.agent(json);
                if let Some(exchange) = self.transcript.last(&agent) {
                    exchange.error = words.or_else(|| Some("the API failed".into()));
                }
            }
            Some("task_notification") => {
                let task = json.word("task_id").unwrap_or_default();
                self.end_job(&task, at);
            }
            _ => {}
        }
    }

    /// A background task that ended is told in words.
    fn notified(&mut self, words: &str, at: Option<Timestamp>) {
        if let Some(task) = notified(words) {
            self.end_job(task, at);
        }
    }

    fn end_job(&mut self, task: &str, at: Option<Timestamp>) {
        if let Some(place) = self.jobs.remove(task) {
            self.transcript.session.jobs[place].span.end = at;
        }
    }
}

/// Each line of a message repeats its usage; the last is whole.
fn used(message: &Json<'_>, exchange: &mut Exchange) {
    let Some(usage) = message.nested("usage") else { return };
    exchange.tokens = Tokens {
        input: usage.whole("input_tokens"),
        cache_read: usage.whole("cache_read_input_tokens"),
        cache_write: usage.whole("cache_creation_input_tokens"),
        output: usage.whole("output_tokens"),
        reasoning: None,
    };
}
