//! Codex rollouts (specs: session-files §3): a line is `{timestamp, type, payload}`, and was the bare item until mid-2025.
//!
//! The calls are response items; what events say of them is added to them (`events`), and how they ended stands in the
//! text of their outputs (`ending`).

mod ending;
mod events;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use memchr::memmem;

use self::ending::Ending;
use self::events::{Events, Searches};
use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Exchange, Outcome, Session, Text, Timestamp, Tokens};

const ENVELOPES: [&str; 7] = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "world_state",
    "inter_agent_communication_metadata",
];

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| {
        let is_enveloped =
            || record.get("payload").is_some() && record.text("type").is_some_and(|kind| ENVELOPES.contains(&&*kind));
        record.text("record_type").as_deref() == Some("state") || is_enveloped()
    })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut rollout = Rollout::new(source);
    source.read_lines(&mut rollout);
    vec![rollout.finish(source)]
}

struct Rollout {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// Whether a session's head was read: a forked session repeats that of the one it comes from.
    has_head: bool,
    parent: Option<Arc<str>>,
    model: Arc<str>,
    /// Whether what comes next from the model is said in the exchange that is open.
    open: bool,
    /// When the model was last given something.
    since: Option<Timestamp>,
    /// Tokens that were told before their exchange.
    tokens: Option<Tokens>,
    /// The sum of tokens that was told last; told again it is no news.
    total: Option<Arc<str>>,
    /// Whether a person's words stand in events, and not only among the items, where the host's own words stand too.
    has_words: bool,
    unanswered: HashSet<Arc<str>>,
    /// Calls that stood open when their turn was broken off.
    broken_off: HashSet<Arc<str>>,
    events: Events,
    searches: Searches,
}

impl Reader for Rollout {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp");
        let kind = json.text("type").unwrap_or_default();
        match json.nested("payload") {
            Some(payload) => match &*kind {
                "session_meta" => self.head(&payload),
                "turn_context" => self.model = payload.word("model").unwrap_or_else(|| Arc::clone(&self.model)),
                "response_item" => self.item(&payload, at),
                "event_msg" => self.event(&payload, at),
                // A compaction repeats what stands above it.
                _ => {}
            },
            None if kind.is_empty() => self.head(json),
            None => self.item(json, at),
        }
    }
}

impl Rollout {
    fn new(source: &Source) -> Self {
        let mut transcript = Transcript::new(&source.name);
        let main = transcript.agent("main", None, None);
        let has_words = memmem::find(source.buffer.as_bytes(), br#""user_message""#).is_some();
        Self {
            transcript,
            buffer: Arc::clone(&source.buffer),
            main,
            has_head: false,
            parent: None,
            model: Arc::default(),
            open: false,
            since: None,
            tokens: None,
            total: None,
            has_words,
            unanswered: HashSet::new(),
            broken_off: HashSet::new(),
            events: Events::default(),
            searches: Searches::default(),
        }
    }

    fn head(&mut self, head: &Json<'_>) {
        let Some(id) = head.word("id").filter(|_| !self.has_head) else { return };
        self.has_head = true;
        self.transcript.session.id = id;
        if let Some(program) = head.word("originator") {
            let version = head.word("cli_version").map(|version| format!("/{version}"));
            self.transcript.session.host = Some(format!("{program}{}", version.unwrap_or_default()).into());
        }
        let source = head.nested("source");
        let sub_agent = source.as_ref().and_then(|source| source.nested("subagent"));
        let spawn = sub_agent.as_ref().and_then(|sub_agent| sub_agent.nested("thread_spawn"));
        let parent = spawn.as_ref().and_then(|spawn| spawn.word("parent_thread_id"));
        self.parent = parent.or_else(|| head.word("parent_thread_id"));
        let label = spawn.as_ref().and_then(|spawn| spawn.word("agent_nickname").or_else(|| spawn.word("agent_role")));
        self.transcript.agent(&self.main, label.as_deref(), None);
    }

    fn item(&mut self, item: &Json<'_>, at: Option<Timestamp>) {
        let kind = item.text("type").unwrap_or_default();
        match &*kind {
            "message" => self.message(item, at),
            "reasoning" => {
                self.exchange(at);
            }
            "function_call" => self.asked(item, name(item), item.get("arguments"), at),
            "custom_tool_call" => self.asked(item, name(item), item.get("input"), at),
            "local_shell_call" => self.asked(item, "local_shell".into(), item.get("action"), at),
            "tool_search_call" => self.asked(item, "tool_search".into(), item.get("arguments"), at),
            "web_search_call" => self.web_search(item, at),
            "image_generation_call" => self.image_generation(item, at),
            "function_call_output" | "custom_tool_call_output" => self.answered(item, item.get("output"), at),
            "tool_search_output" => self.answered(item, item.get("tools"), at),
            _ => {}
        }
    }

    fn message(&mut self, item: &Json<'_>, at: Option<Timestamp>) {
        let blocks = item.get("content").map(|raw| content::blocks(&self.buffer, raw)).unwrap_or_default();
        match item.text("role").as_deref() {
            Some("assistant") => {
                let exchange = self.exchange(at);
                exchange.said = exchange.said.take().or_else(|| content::words(blocks));
            }
            Some("user") if !self.has_words => {
                let is_of_person = |block: &Block| matches!(block, Block::Text(text) if !is_of_host(&text.read()));
                if let Some(text) = content::words(blocks.into_iter().filter(is_of_person).collect()) {
                    self.prompt(text, at);
                }
            }
            _ => {}
        }
    }

    fn prompt(&mut self, text: Text, at: Option<Timestamp>) {
        self.transcript.prompt(&self.main, at, text);
        self.open = false;
        self.since = at;
    }

    /// The exchange that an item of the model belongs to.
    fn exchange(&mut self, at: Option<Timestamp>) -> &mut Exchange {
        let is_open = std::mem::replace(&mut self.open, true);
        let exchange = self.transcript.last_or_new(&self.main, is_open, &self.model, self.since.or(at));
        exchange.tokens = self.tokens.take().unwrap_or(exchange.tokens);
        exchange.span.end = at.or(exchange.span.end);
        exchange
    }

    fn asked(&mut self, item: &Json<'_>, name: Arc<str>, input: Option<&str>, at: Option<Timestamp>) {
        self.exchange(at);
        let id =
            item.word("call_id").or_else(|| item.word("id").filter(|_| &*name == "local_shell")).unwrap_or_default();
        self.unanswered.insert(Arc::clone(&id));
        let input = content::input(&self.buffer, input);
        self.transcript.call(Asked { agent: Arc::clone(&self.main), id, name, input, at });
    }

    fn answered(&mut self, item: &Json<'_>, output: Option<&str>, at: Option<Timestamp>) {
        self.open = false;
        self.since = at;
        let id = item.word("call_id").unwrap_or_default();
        self.unanswered.remove(&id);
        let output = output.unwrap_or("null");
        let ending = content::first_text(output).map(|text| Ending::read(&text)).unwrap_or_default();
        if let Some(ran) = ending.ran {
            self.events.ran(&id, ran);
        }
        self.spawned(&id, output);
        self.transcript.result(Answer {
            output: content::blocks(&self.buffer, output),
            is_error: ending.failed || ending.exit.is_some_and(|code| code != 0) || is_marked_failed(output),
            outcome: ending.outcome,
            id,
            at,
            ..Answer::default()
        });
    }

    /// The answer of `spawn_agent` names the thread of the agent, which has a rollout of its own.
    fn spawned(&mut self, call: &Arc<str>, output: &str) {
        if !output.starts_with(r#""{\"agent_id\""#) {
            return;
        }
        let Some(text) = crate::json::string(output) else { return };
        let Ok(json) = Json::parse(text) else { return };
        if let Some(agent) = json.word("agent_id") {
            self.transcript.agent(&agent, json.word("nickname").as_deref(), Some(call));
        }
    }

    /// A search has no id and no output; an event tells what it found, not in every version.
    fn web_search(&mut self, item: &Json<'_>, at: Option<Timestamp>) {
        self.exchange(at);
        let input = content::input(&self.buffer, item.get("action"));
        let asked = Asked { agent: Arc::clone(&self.main), id: Arc::default(), name: "web_search".into(), input, at };
        let Some(position) = self.transcript.call(asked) else { return };
        let answer = Answer { is_error: is_failed(item), ..Answer::default() };
        if item.text("status").as_deref() == Some("in_progress") {
            return;
        }
        self.transcript.result_of(position, answer);
        match self.searches.called(position) {
            Some(found) => self.found(position, found),
            None => {
                if let Some(call) = self.transcript.call_at(position) {
                    call.output = Content::Unavailable("the rollout does not hold what the search found".into());
                }
            }
        }
    }

    fn found(&mut self, position: usize, found: Vec<Block>) {
        if let Some(call) = self.transcript.call_at(position) {
            call.output = Content::Held(found);
        }
    }

    fn image_generation(&mut self, item: &Json<'_>, at: Option<Timestamp>) {
        self.exchange(at);
        let input = content::input(&self.buffer, item.get("revised_prompt"));
        let asked = Asked {
            agent: Arc::clone(&self.main),
            id: item.word("id").unwrap_or_default(),
            name: "image_generation".into(),
            input,
            at,
        };
        let Some(position) = self.transcript.call(asked) else { return };
        let data = content::text(&self.buffer, item, "result");
        if data.is_none() && !is_failed(item) {
            return;
        }
        let output = data.map(|data| Block::Image { media_type: "image/png".into(), data });
        self.transcript.result_of(
            position,
            Answer { output: output.into_iter().collect(), is_error: is_failed(item), ..Answer::default() },
        );
    }

    fn event(&mut self, event: &Json<'_>, at: Option<Timestamp>) {
        let kind = event.text("type").unwrap_or_default();
        match &*kind {
            "user_message" => {
                if let Some(text) = content::text(&self.buffer, event, "message") {
                    self.prompt(text, at);
                }
            }
            "task_started" => self.since = self.since.or(at),
            "token_count" => self.count_tokens(event),
            "error" | "stream_error" => {
                let message = event.word("message");
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.error = message.or_else(|| Some(kind.as_ref().into()));
                }
            }
            "turn_aborted" => {
                self.broken_off.extend(self.unanswered.drain());
                self.open = false;
            }
            "thread_name_updated" => self.transcript.session.title = event.word("thread_name"),
            "web_search_end" => {
                let found = event.get("results").filter(|raw| *raw != "null");
                if let Some(found) = found.map(|raw| vec![Block::Json(Text::within(&self.buffer, raw))])
                    && let Some((position, found)) = self.searches.ended(found)
                {
                    self.found(position, found);
                }
            }
            "collab_agent_spawn_end" => {
                if let Some(agent) = event.word("new_thread_id") {
                    let label = event.word("new_agent_nickname").or_else(|| event.word("new_agent_role"));
                    self.transcript.agent(&agent, label.as_deref(), event.word("call_id").as_deref());
                }
            }
            _ => self.events.take(&kind, event, at, &self.buffer),
        }
    }

    /// Tokens are told after an exchange or, by versions that write all of it at its end, before.
    fn count_tokens(&mut self, event: &Json<'_>) {
        let Some(info) = event.nested("info") else { return };
        let total = info.written("total_token_usage");
        if total.is_some() && total == self.total {
            return;
        }
        self.total = total;
        let Some(usage) = info.nested("last_token_usage") else { return };
        let cached = usage.whole("cached_input_tokens");
        let tokens = Tokens {
            input: usage.whole("input_tokens").map(|all| all.saturating_sub(cached.unwrap_or(0))),
            cache_read: cached,
            cache_write: usage.whole("cache_write_input_tokens"),
            output: usage.whole("output_tokens"),
            reasoning: usage.whole("reasoning_output_tokens"),
        };
        match self.transcript.last(&self.main) {
            Some(exchange) if exchange.tokens == Tokens::default() => exchange.tokens = tokens,
            _ => self.tokens = Some(tokens),
        }
    }

    fn finish(self, source: &Source) -> Reading {
        let (mut session, orphans) = self.transcript.finish(false);
        self.events.add_to(&mut session);
        mark_broken_off(&mut session, &self.broken_off);
        let belongs = self.parent.map_or(Belongs::Alone, |parent| Belongs::Child { parent });
        source.reading(Format::Codex, (session, orphans), belongs)
    }
}

/// Calls that stood open when their turn was broken off were called off.
fn mark_broken_off(session: &mut Session, broken_off: &HashSet<Arc<str>>) {
    let open =
        session.calls.iter_mut().filter(|call| call.outcome == Outcome::Lost && broken_off.contains(&call.key.id));
    for call in open {
        Arc::make_mut(call).outcome = Outcome::Cancelled;
    }
}

/// A tool of an MCP server has its server in a field of its own.
fn name(item: &Json<'_>) -> Arc<str> {
    let name = item.word("name").unwrap_or_default();
    match item.word("namespace").filter(|namespace| namespace.starts_with("mcp__")) {
        Some(namespace) if !name.starts_with(&*namespace) => format!("{namespace}{name}").into(),
        _ => name,
    }
}

fn is_failed(item: &Json<'_>) -> bool {
    item.text("status").as_deref() == Some("failed")
}

/// `{content, success: false}`
fn is_marked_failed(output: &str) -> bool {
    output.starts_with('{') && Json::parse(output.into()).is_ok_and(|json| json.get("success") == Some("false"))
}

/// Whether words under the user's role are the host's.
fn is_of_host(text: &str) -> bool {
    const BEGINNINGS: [&str; 5] =
        ["<environment_context>", "<user_instructions>", "<permissions", "<turn_aborted>", "# AGENTS.md instructions"];
    BEGINNINGS.iter().any(|beginning| text.trim_start().starts_with(beginning))
}
