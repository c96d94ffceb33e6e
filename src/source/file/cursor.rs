//! Cursor's agent transcripts (specs: session-files §11): `{role, message}` by lines; calls without an id, no times.

#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Text};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    const OTHERS: [&str; 5] = ["type", "uuid", "sessionId", "timestamp", "created"];
    sample.any(|record| {
        let is_message = record.get("role").is_some()
            && record
                .nested("message")
                .is_some_and(|message| message.get("content").is_some() && message.get("role").is_none());
        is_message && OTHERS.iter().all(|key| record.get(key).is_none())
    })
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let buffer = Arc::clone(&source.buffer);
    let mut cursor = Cursor { transcript, buffer, main, waiting: VecDeque::new(), answered: HashSet::new() };
    cursor.transcript.session.host = Some("cursor".into());
    source.read_lines(&mut cursor);
    vec![source.reading(Format::Cursor, cursor.transcript.finish(false), Belongs::Alone)]
}

struct Cursor {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// Places of calls without an id that wait for their results, which come in their order.
    waiting: VecDeque<usize>,
    /// Ids of results that no call has.
    answered: HashSet<Arc<str>>,
}

impl Reader for Cursor {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let is_model = match json.text("role").as_deref() {
            Some("assistant") => true,
            Some("user") => false,
            _ => return,
        };
        if is_model {
            self.transcript.exchange(&self.main, &json.word("model").unwrap_or_default(), None);
        }
        let message = json.nested("message");
        let Some(items) = message.as_ref().and_then(|message| message.nested("content")) else { return };
        for item in items.items().filter_map(|item| Json::parse(item.into()).ok()) {
            self.item(&item, is_model);
        }
    }
}

impl Cursor {
    fn item(&mut self, item: &Json<'_>, is_model: bool) {
        match item.text("type").as_deref() {
            Some("text") if is_model => {
                let said = content::text(&self.buffer, item, "text");
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.said = exchange.said.take().or(said);
                }
            }
            Some("text") => {
                let Some(inside) = item.get("text").and_then(content::inside) else { return };
                self.transcript.prompt(&self.main, None, Text::json_within(&self.buffer, query(inside)));
                // What is open now gets no result any more.
                self.waiting.clear();
            }
            Some("tool_use" | "tool_call" | "tool-call") => {
                let id = item.word("id").or_else(|| item.word("toolCallId")).unwrap_or_default();
                let is_nameless = id.is_empty();
                let position = self.transcript.call(Asked {
                    agent: Arc::clone(&self.main),
                    id,
                    name: item.word("name").unwrap_or_default(),
                    input: content::input(&self.buffer, item.get("input").or_else(|| item.get("args"))),
                    at: None,
                });
                self.waiting.extend(position.filter(|_| is_nameless));
            }
            Some("tool_result" | "tool-result") => {
                let answer = Answer {
                    id: item.word("tool_use_id").or_else(|| item.word("toolCallId")).unwrap_or_default(),
                    output: content::blocks(&self.buffer, item.get("content").unwrap_or("null")),
                    is_error: item.is_true("is_error"),
                    ..Answer::default()
                };
                self.result(answer);
            }
            _ => {}
        }
    }

    /// A result may name an id that no call has: then it is of the call that waits longest.
    fn result(&mut self, answer: Answer) {
        if !self.transcript.calls_of(&answer.id).is_empty() && !answer.id.is_empty() {
            return self.transcript.result(answer);
        }
        let is_known = !answer.id.is_empty() && !self.answered.insert(Arc::clone(&answer.id));
        match self.waiting.pop_front() {
            Some(position) => self.transcript.result_of(position, answer),
            None if is_known => self.transcript.session.repeats += 1,
            None => self.transcript.orphan(answer),
        }
    }
}

/// A person's words without the tags around them.
fn query(inside: &str) -> &str {
    let query = inside.strip_prefix("<user_query>").and_then(|query| query.strip_suffix("</user_query>"));
    let query = query.unwrap_or(inside);
    let query = query.strip_prefix("\\n").unwrap_or(query);
    query.strip_suffix("\\n").unwrap_or(query)
}
