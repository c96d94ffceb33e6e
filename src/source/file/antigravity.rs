//! Antigravity's transcripts (specs: session-files §8): steps by lines; calls have no id and their results follow in order.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Input, Timestamp};

/// Kinds of steps that are no result of a tool, though they are the model's.
const NO_RESULTS: [&str; 2] = ["PLANNER_RESPONSE", "CHECKPOINT"];

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|record| ["step_index", "source", "status"].iter().all(|key| record.get(key).is_some()))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    transcript.session.host = Some("antigravity".into());
    let mut steps = Steps { transcript, buffer: Arc::clone(&source.buffer), main, waiting: VecDeque::new() };
    source.read_lines(&mut steps);
    vec![source.reading(Format::Antigravity, steps.transcript.finish(false), Belongs::Alone)]
}

struct Steps {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// Places of the last response's calls that wait for their results.
    waiting: VecDeque<usize>,
}

impl Reader for Steps {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("created_at");
        let kind = json.text("type").unwrap_or_default();
        match (json.text("source").as_deref(), &*kind) {
            (Some("MODEL"), "PLANNER_RESPONSE") => self.response(json, at),
            (Some("USER_EXPLICIT"), _) => {
                if let Some(text) = content::text(&self.buffer, json, "content") {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            (_, "ERROR_MESSAGE") if !self.waiting.is_empty() => self.result(json),
            (_, "ERROR_MESSAGE") => {
                let error = json.word("error").or_else(|| json.word("content"));
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.error = error;
                }
            }
            (Some("MODEL"), kind) if !NO_RESULTS.contains(&kind) => {
                self.result(json);
                self.transcript.given(&self.main, at);
            }
            _ => {}
        }
    }
}

impl Steps {
    fn response(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        // What the response before it asked for and did not get by now is lost.
        self.waiting.clear();
        let said = content::text(&self.buffer, json, "content");
        let exchange = self.transcript.response(&self.main, &Arc::default(), at);
        exchange.said = said;
        exchange.error = json.word("error");
        let Some(calls) = json.nested("tool_calls") else { return };
        for call in calls.items().filter_map(|call| Json::parse(call.into()).ok()) {
            let position = self.transcript.call(Asked {
                agent: Arc::clone(&self.main),
                id: Arc::default(),
                name: call.word("name").unwrap_or_default(),
                input: input(&call),
                at,
            });
            if let Some(call_at) = position.and_then(|position| self.transcript.call_at(position)) {
                call_at.preview = call.nested("args").and_then(|args| {
                    let summary = args.word("toolSummary").or_else(|| args.word("toolAction"))?;
                    Some(json::string(&summary).map_or_else(|| Arc::clone(&summary), Into::into))
                });
            }
            self.waiting.extend(position);
        }
    }

    fn result(&mut self, json: &Json<'_>) {
        let is_error =
            json.text("status").as_deref() == Some("ERROR") || json.text("type").as_deref() == Some("ERROR_MESSAGE");
        let text = content::text(&self.buffer, json, "content").filter(|text| !is_error || !text.read().is_empty());
        let text = text.or_else(|| content::text(&self.buffer, json, "error"));
        let answer = Answer { output: text.map(Block::Text).into_iter().collect(), is_error, ..Answer::default() };
        match self.waiting.pop_front() {
            Some(position) => self.transcript.result_of(position, answer),
            None => self.transcript.orphan(answer),
        }
    }
}

/// The arguments; each stands there as JSON in a string.
fn input(call: &Json<'_>) -> Input {
    let Some(args) = call.nested("args").filter(Json::is_object) else { return Content::None };
    let fields = args.fields().map(|(key, value)| {
        let inside = json::string(value).filter(|inside| Json::parse(Cow::Borrowed(inside)).is_ok());
        format!("{}:{}", json::quote(&key), inside.as_deref().unwrap_or(value))
    });
    Content::Held(format!("{{{}}}", fields.collect::<Vec<_>>().join(",")).into())
}
