//! What goes to the model providers and comes back: messages, items and streams of Anthropic's and `OpenAI`'s APIs, and of
//! the SDKs that keep their shapes (specs: session-files §4, §5, §17).
//!
//! Requests repeat the history, so that a call stands in many of them: it is one call, and its repeats are counted.

mod anthropic;
mod chat;
mod response;
mod responses;
mod spoken;
mod stream;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

pub(super) use self::stream::Stream;
use super::claude::words::{ending, is_of_host};
use super::content;
use super::transcript::{Answer, Asked, Transcript};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Input, Outcome, Span, Text};

/// A session that is put together from requests and responses.
pub(super) struct Wire {
    pub transcript: Transcript,
    /// What is read now; texts are parts of it.
    pub buffer: Buffer,
    pub agent: AgentId,
    /// When what is read now was sent, where something around it tells.
    pub span: Span,
    /// Whether history is read, which stood in an earlier request too.
    is_history: bool,
    /// How often each call stood in the history that is read.
    seen: HashMap<Arc<str>, usize>,
    /// The places of the calls by their id, or by name and input where they have none.
    known: HashMap<Arc<str>, Vec<usize>>,
    /// The calls without an id of each tool, and how many of them were answered outside of history.
    nameless: HashMap<Arc<str>, (Vec<usize>, usize)>,
    /// Calls of the Responses API without a call id, by tool, which wait for their output.
    unnamed: HashMap<Arc<str>, VecDeque<usize>>,
    /// How many calls without an id of each tool the history that is read has answered.
    answered: HashMap<Arc<str>, usize>,
    /// Whether the exchange of the message that is read was begun.
    has_exchange: bool,
    model: Arc<str>,
    /// Whether each message has a time of its own.
    pub tells_times: bool,
    /// Ids of responses that were read.
    responses: HashSet<Arc<str>>,
}

impl Wire {
    pub fn new(id: &str, buffer: &Buffer) -> Self {
        let mut transcript = Transcript::new(id);
        let agent = transcript.agent("main", None, None);
        Self {
            transcript,
            buffer: Arc::clone(buffer),
            agent,
            span: Span::default(),
            is_history: false,
            seen: HashMap::new(),
            known: HashMap::new(),
            nameless: HashMap::new(),
            unnamed: HashMap::new(),
            answered: HashMap::new(),
            has_exchange: false,
            model: Arc::default(),
            tells_times: false,
            responses: HashSet::new(),
        }
    }

    /// Says which model answers, where the messages do not.
    pub fn set_model(&mut self, model: &Arc<str>) {
        self.model = Arc::clone(model);
    }

    /// Notes a call of an agent that stands outside of messages.
    pub fn add(&mut self, agent: &AgentId, id: Arc<str>, name: Arc<str>, input: Input) -> Option<usize> {
        let outer = std::mem::replace(&mut self.agent, Arc::clone(agent));
        self.has_exchange = self.transcript.last(agent).is_some();
        let position = self.call(id, name, input);
        self.has_exchange = false;
        self.agent = outer;
        position
    }

    /// Takes in one message of a role; one that goes on with the message before is a part of its exchange.
    pub fn take_message(&mut self, json: &Json<'_>, role: &str, is_new: bool) {
        self.model = json.word("model").unwrap_or_else(|| Arc::clone(&self.model));
        let is_model = role == "assistant";
        self.has_exchange = is_model && !is_new && self.transcript.last(&self.agent).is_some();
        if is_model {
            self.exchange();
            self.tokens(json);
            self.chat_calls(json);
        } else if role == "tool" {
            self.chat_result(json, role);
            return;
        }
        self.blocks(json, is_model);
        if role == "user" {
            self.prompt(json);
        }
    }

    /// Notes a call that stands alone.
    pub fn take_call(&mut self, id: Arc<str>, name: Arc<str>, input: Input) {
        self.has_exchange = false;
        self.call(id, name, input);
    }

    /// Notes a result that stands alone.
    pub fn take_result(&mut self, answer: Answer) {
        self.result("", answer);
    }

    /// Takes in a request: its history, and what is new in it.
    pub fn request(&mut self, json: &Json<'_>) {
        self.model = json.word("model").unwrap_or_default();
        // OpenHands logs the messages before it put their calls into words too.
        let keys = if json.get("raw_messages").is_some() { ["raw_messages", "input"] } else { ["messages", "input"] };
        for key in keys {
            if let Some(messages) = json.nested(key).filter(Json::is_array) {
                self.messages(&messages);
            }
        }
    }

    /// Takes in a list of messages or items.
    pub fn messages(&mut self, list: &Json<'_>) {
        self.begin_history();
        let mut was_model = false;
        for (position, item) in list.items().enumerate() {
            match Json::parse(item.into()) {
                Ok(json) if json.is_object() => {
                    self.place(&json, &mut was_model);
                    self.message(&json);
                }
                _ => self.transcript.problem(format!("messages[{position}]"), "it is no object"),
            }
        }
        self.end_history();
    }

    /// From here to [`Wire::end_history`] stands what may have been read before.
    pub fn begin_history(&mut self) {
        self.is_history = true;
        self.seen.clear();
        self.answered.clear();
    }

    pub fn end_history(&mut self) {
        self.is_history = false;
        self.has_exchange = false;
    }

    /// Items of one model turn stand one by one in the Responses API; an exchange holds all of them.
    fn place(&mut self, json: &Json<'_>, was_model: &mut bool) {
        let kind = json.text("type").unwrap_or_default();
        let is_model = match json.text("role").as_deref() {
            Some(role) => role == "assistant",
            None => kind == "reasoning" || !kind.ends_with("_output"),
        };
        // Messages are turns of their own; bare items go on with the turn.
        if !is_model || !*was_model || json.get("role").is_some() && kind != "message" {
            self.has_exchange = false;
        }
        *was_model = is_model;
    }

    /// Takes in one message or item.
    pub fn message(&mut self, json: &Json<'_>) {
        let kind = json.text("type").unwrap_or_default();
        let Some(role) = json.text("role") else {
            if responses::is_item(&kind) {
                self.item(json);
            } else {
                self.block(json, true);
            }
            return;
        };
        match &*role {
            "assistant" | "model" | "ai" => {
                self.chat_calls(json);
                self.blocks(json, true);
                self.spoken_calls(json);
            }
            "tool" | "function" if !Self::has_result_blocks(json) => self.chat_result(json, &role),
            "user" => {
                self.blocks(json, false);
                if !self.spoken_result(json) {
                    self.prompt(json);
                }
            }
            "tool" => self.blocks(json, false),
            _ => {}
        }
    }

    fn has_result_blocks(json: &Json<'_>) -> bool {
        json.nested("content").is_some_and(|content| {
            content.items().any(|item| {
                Json::parse(item.into()).is_ok_and(|block| {
                    block.text("type").is_some_and(|kind| kind.ends_with("tool_result") || kind == "tool-result")
                })
            })
        })
    }

    fn blocks(&mut self, json: &Json<'_>, is_model: bool) {
        let Some(content) = json.nested("content").filter(Json::is_array) else { return };
        for item in content.items() {
            if let Ok(block) = Json::parse(item.into()) {
                self.block(&block, is_model);
            }
        }
    }

    fn prompt(&mut self, json: &Json<'_>) {
        let raw = json.get("content").unwrap_or("null");
        // Hosts put words of their own before a person's.
        let text = content::blocks(&self.buffer, raw).into_iter().find_map(|block| match block {
            Block::Text(text) if !is_of_host(&text.read()) => Some(text),
            _ => None,
        });
        if let Some(text) = text.filter(|text| !text.read().trim().is_empty()) {
            let prompts = &mut self.transcript.session.prompts;
            if prompts.iter().rev().take(MOST_PROMPTS).any(|prompt| prompt.text == text) {
                return;
            }
            self.transcript.prompt(&self.agent, self.span.start, text);
        }
    }

    /// The exchange of the message that is read, begun when it has something to say.
    fn exchange(&mut self) {
        if !self.has_exchange {
            let at = if self.is_history { None } else { self.span.start };
            self.transcript.exchange(&self.agent, &self.model, at);
            self.has_exchange = true;
        }
    }

    /// Notes a call. One of the history that was read before is a repeat.
    fn call(&mut self, id: Arc<str>, name: Arc<str>, input: Input) -> Option<usize> {
        // The rest of it was cut off.
        if id.is_empty() && name.is_empty() {
            return None;
        }
        let key = if id.is_empty() { nameless(&name, &input) } else { Arc::clone(&id) };
        let known = self.known.get(&key).map(Vec::as_slice).unwrap_or_default();
        if self.is_history {
            let seen = self.seen.entry(Arc::clone(&key)).or_default();
            *seen += 1;
            if let Some(&position) = known.get(*seen - 1) {
                self.transcript.session.repeats += 1;
                return Some(position);
            }
        } else if !id.is_empty() {
            let last = known.last().copied();
            let same = last
                .and_then(|position| self.transcript.call_at(position))
                .is_some_and(|call| call.name == name && (call.input == input || call.input == Content::None));
            if same {
                self.transcript.session.repeats += 1;
                return last;
            }
        }
        self.exchange();
        // In history nothing tells when it was asked for.
        let at = if self.is_history { None } else { self.span.end.or(self.span.start) };
        let is_nameless = id.is_empty();
        let asked = Asked { agent: Arc::clone(&self.agent), id, name: Arc::clone(&name), input, at };
        let position = self.transcript.call_anew(asked);
        if is_nameless {
            for name in [name, Arc::default()] {
                self.nameless.entry(name).or_default().0.push(position);
            }
        }
        self.known.entry(key).or_default().push(position);
        Some(position)
    }

    /// Notes the result of the newest call of its id. One that stood in an earlier request is the same.
    fn result(&mut self, name: &str, answer: Answer) {
        // What comes back inside of a response has no time of its own.
        let at = if self.is_history || self.tells_times { self.span.start } else { None };
        let mut answer = Answer { at: answer.at.or(at), ..answer };
        if answer.outcome.is_none() {
            answer.outcome = refusal(&answer);
        }
        let position = if answer.id.is_empty() { self.unanswered(name) } else { self.of_id(&answer.id) };
        match position {
            Some(position) if self.is_open(position) => {
                self.transcript.result_of(position, answer);
                if let Some(call) = self.transcript.call_at(position) {
                    // What stood in the first history was answered before, nobody knows when.
                    call.span.end = call.span.end.filter(|_| call.span.start.is_some());
                    call.approximate = call.span.end.is_some() && !self.tells_times;
                }
            }
            Some(_) => {}
            None => {
                let key: Arc<str> = format!("result {} {name}", answer.id).into();
                if self.known.contains_key(&key) {
                    return;
                }
                self.transcript.result(answer);
                self.known.insert(key, Vec::new());
            }
        }
    }

    /// The call of an id that a result belongs to: the one that this history named last, else the newest.
    fn of_id(&self, id: &str) -> Option<usize> {
        let known = self.known.get(id)?;
        let seen = self.seen.get(id).copied().filter(|_| self.is_history).unwrap_or(known.len());
        known.get(seen.saturating_sub(1)).or(known.last()).copied()
    }

    /// The next call of a tool that has no id and no result; of any tool where the result names none.
    fn unanswered(&mut self, name: &str) -> Option<usize> {
        let (calls, answered) = self.nameless.get_mut(name)?;
        if self.is_history {
            let answered = self.answered.entry(name.into()).or_default();
            *answered += 1;
            return calls.get(*answered - 1).copied();
        }
        *answered += 1;
        calls.get(*answered - 1).copied()
    }

    fn is_open(&mut self, position: usize) -> bool {
        self.transcript.call_at(position).is_some_and(|call| !call.outcome.has_ended())
    }

    /// Reads with texts out of another buffer.
    pub fn with_buffer(&mut self, buffer: &Buffer, read: impl FnOnce(&mut Self, &Buffer)) {
        let outer = std::mem::replace(&mut self.buffer, Arc::clone(buffer));
        read(self, buffer);
        self.buffer = outer;
    }
}

/// So many of the last prompts are compared with one that history holds.
const MOST_PROMPTS: usize = 64;

/// What a call without an id is known by.
fn nameless(name: &str, input: &Input) -> Arc<str> {
    let input = input.held().map(Text::read).unwrap_or_default();
    format!("{name}\0{input}").into()
}

/// What the words of Claude Code say of a call that was not let run to its end.
fn refusal(answer: &Answer) -> Option<Outcome> {
    let text = answer.output.iter().find_map(|block| match block {
        Block::Text(text) => Some(text.read()),
        _ => None,
    });
    text.filter(|_| answer.is_error).and_then(|text| ending(&text))
}

/// An input that is JSON in a string; nothing means that there are no arguments.
fn arguments(buffer: &Buffer, raw: Option<&str>) -> Input {
    match raw {
        None | Some("null" | "\"\"") => Content::Held("{}".into()),
        raw => content::input(buffer, raw),
    }
}
