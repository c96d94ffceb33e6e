//! Messages as they go to the model: calls are blocks, results are blocks or, in older versions, texts that name the tool.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::content;
use super::super::source::Source;
use super::super::transcript::{Answer, Asked, Transcript};
use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Outcome, Refuser, Text, Timestamp, Tokens};

/// How many messages tell whose they are.
const MESSAGES: usize = 60;

/// Whether the messages hold what only Cline writes into them.
pub(super) fn is_history(json: &Json<'_>) -> bool {
    const MARKS: [&str; 4] = [
        "<environment_details>",
        "] Result:",
        "[TASK RESUMPTION]",
        "was not executed because a tool has already been used",
    ];
    json.is_array()
        && json.items().take(MESSAGES).any(|message| {
            MARKS.iter().any(|mark| message.contains(mark))
                && Json::parse(message.into())
                    .is_ok_and(|message| message.get("role").is_some() && message.get("content").is_some())
        })
}

pub(super) fn is_sdk(json: &Json<'_>) -> bool {
    ["sessionId", "version", "messages", "agent"].iter().all(|key| json.get(key).is_some())
}

pub(super) fn read_sdk(source: &Source, json: &Json<'_>) -> Transcript {
    let mut history = History::new(source);
    if let Some(id) = json.word("sessionId") {
        history.transcript.session.id = id;
    }
    if let Some(messages) = json.nested("messages") {
        history.messages(&messages);
    }
    history.transcript
}

pub(super) fn read(source: &Source, json: &Json<'_>) -> Transcript {
    let mut history = History::new(source);
    history.messages(json);
    history.transcript
}

struct History {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// The calls of the last message that have no result, with their tools' names.
    waiting: VecDeque<(usize, Arc<str>)>,
    /// The call that the texts that follow are a result of.
    answering: Option<(usize, Vec<Text>)>,
}

impl History {
    fn new(source: &Source) -> Self {
        let mut transcript = Transcript::new(&source.name);
        let main = transcript.agent("main", None, None);
        transcript.session.host = Some("cline".into());
        Self { transcript, buffer: Arc::clone(&source.buffer), main, waiting: VecDeque::new(), answering: None }
    }

    fn messages(&mut self, messages: &Json<'_>) {
        for (position, message) in super::objects(messages) {
            match message {
                Some(message) => self.message(&message),
                None => self.transcript.problem(format!("messages[{position}]"), "it is no object"),
            }
        }
        self.answer();
    }

    fn message(&mut self, message: &Json<'_>) {
        self.answer();
        let at = message.time("ts");
        let is_model = message.text("role").as_deref() == Some("assistant");
        if is_model {
            self.waiting.clear();
            self.exchange(message, at);
        }
        if let Some(text) = content::text(&self.buffer, message, "content") {
            self.text(text, is_model, at);
        }
        let Some(blocks) = message.nested("content") else { return };
        for block in blocks.items().filter_map(|block| Json::parse(block.into()).ok()) {
            match block.text("type").as_deref() {
                Some("text") => {
                    if let Some(text) = content::text(&self.buffer, &block, "text") {
                        self.text(text, is_model, at);
                    }
                }
                Some("tool_use") => {
                    let name = block.word("name").unwrap_or_default();
                    let position = self.transcript.call(Asked {
                        agent: Arc::clone(&self.main),
                        id: block.word("id").unwrap_or_default(),
                        name: Arc::clone(&name),
                        input: content::input(&self.buffer, block.get("input")),
                        at,
                    });
                    self.waiting.extend(position.map(|position| (position, name)));
                }
                Some("tool_result") => {
                    let content = block.get("content").unwrap_or("null");
                    self.transcript.result(Answer {
                        id: block.word("tool_use_id").unwrap_or_default(),
                        output: content::blocks(&self.buffer, content),
                        is_error: block.is_true("is_error") || has_failed(content),
                        at,
                        ..Answer::default()
                    });
                }
                _ => {}
            }
        }
    }

    fn exchange(&mut self, message: &Json<'_>, at: Option<Timestamp>) {
        let info = message.nested("modelInfo");
        let model = info.and_then(|info| info.word("id").or_else(|| info.word("modelId"))).unwrap_or_default();
        let exchange = self.transcript.response(&self.main, &model, at);
        if let Some(metrics) = message.nested("metrics") {
            let tokens = metrics.nested("tokens");
            let counts = tokens.as_ref().unwrap_or(&metrics);
            let first = |keys: [&str; 2]| keys.iter().find_map(|key| counts.whole(key));
            exchange.tokens = Tokens {
                input: first(["inputTokens", "prompt"]),
                cache_read: first(["cacheReadTokens", "cached"]),
                cache_write: counts.whole("cacheWriteTokens"),
                output: first(["outputTokens", "completion"]),
                reasoning: None,
            };
            let cost = metrics.get("cost").and_then(|cost| json::decimal(cost, 9));
            exchange.cost = cost.and_then(|cost| u64::try_from(cost).ok());
        }
    }

    fn text(&mut self, text: Text, is_model: bool, at: Option<Timestamp>) {
        if is_model {
            if let Some(exchange) = self.transcript.last(&self.main) {
                exchange.said = exchange.said.take().or(Some(text));
            }
            return;
        }
        let words = text.read();
        if let Some((tool, rest)) = result_of(&words) {
            let rest = rest.trim_ascii_start().to_owned();
            self.answer();
            if let Some(position) = self.waiting_for(tool) {
                let texts = if rest.is_empty() { Vec::new() } else { vec![rest.into()] };
                self.answering = Some((position, texts));
            }
        } else if words.starts_with("Tool [") && words.contains("] was not executed because") {
            let tool = words["Tool [".len()..].split(']').next().unwrap_or_default().to_owned();
            self.answer();
            if let Some(position) = self.waiting_for(&tool) {
                let answer = Answer {
                    output: vec![Block::Text(text.clone())],
                    outcome: Some(Outcome::Cancelled),
                    ..Answer::default()
                };
                self.transcript.result_of(position, answer);
            }
        } else if words.starts_with("<environment_details>") || words.starts_with("[TASK RESUMPTION]") {
            self.answer();
        } else if let Some((_, texts)) = &mut self.answering {
            texts.push(text.clone());
        } else {
            self.transcript.prompt(&self.main, at, text.clone());
        }
    }

    /// The call that a result is of that names only the tool: the first of that tool, else the first of all.
    fn waiting_for(&mut self, tool: &str) -> Option<usize> {
        let place = self.waiting.iter().position(|(_, name)| &**name == tool).unwrap_or(0);
        self.waiting.remove(place).map(|(position, _)| position)
    }

    /// Ends the result whose texts were read.
    fn answer(&mut self) {
        let Some((position, texts)) = self.answering.take() else { return };
        let is_refused = texts.iter().any(|text| text.read().starts_with("The user denied this operation"));
        self.transcript.result_of(
            position,
            Answer {
                output: texts.into_iter().map(Block::Text).collect(),
                outcome: is_refused.then_some(Outcome::Refused { by: Refuser::User }),
                ..Answer::default()
            },
        );
    }
}

/// The tool of `[read_file for 'a.rs'] Result:`, and what follows.
fn result_of(words: &str) -> Option<(&str, &str)> {
    let (head, rest) = words.strip_prefix('[')?.split_once("] Result:")?;
    let tool = head.split(' ').next()?;
    let is_name = !tool.is_empty() && tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !head.contains('\n')).then_some((tool, rest))
}

/// Whether the SDK's list of answers, bare or in a string, says that one of them failed.
fn has_failed(content: &str) -> bool {
    let inside = json::string(content).filter(|inside| json::is_composite(inside));
    let content = inside.as_deref().unwrap_or(content);
    let Ok(json) = Json::parse(content.into()) else { return false };
    let failed = |json: &Json<'_>| json.get("success") == Some("false");
    failed(&json) || json.items().any(|item| Json::parse(item.into()).is_ok_and(|item| failed(&item)))
}
