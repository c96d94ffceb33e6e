//! Events of Copilot CLI (specs: session-files §20): what the model asked for, when it was begun, and what came of it.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::content;
use super::source::{Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Outcome, Text, Timestamp};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    const KINDS: [&str; 5] =
        ["session.start", "user.message", "assistant.message", "tool.execution_start", "tool.execution_complete"];
    sample.any(|record| record.get("data").is_some() && record.text("type").is_some_and(|kind| KINDS.contains(&&*kind)))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let buffer = Arc::clone(&source.buffer);
    let mut copilot =
        Copilot { transcript, buffer, main, model: Arc::default(), begun: HashMap::new(), is_broken_off: false };
    source.read_lines(&mut copilot);
    let is_broken_off = copilot.is_broken_off;
    let (mut session, orphans) = copilot.transcript.finish(false);
    if is_broken_off {
        for call in session.calls.iter_mut().filter(|call| call.outcome == Outcome::Lost) {
            Arc::make_mut(call).outcome = Outcome::Cancelled;
        }
    }
    vec![source.reading(Format::Copilot, (session, orphans), Belongs::Alone)]
}

struct Copilot {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    model: Arc<str>,
    /// When calls were begun: waiting for an approval stands before it.
    begun: HashMap<Arc<str>, Option<Timestamp>>,
    is_broken_off: bool,
}

impl Reader for Copilot {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let at = json.time("timestamp");
        let Some(data) = json.nested("data") else { return };
        let kind = json.text("type").unwrap_or_default();
        match &*kind {
            "session.start" => {
                let session = &mut self.transcript.session;
                session.id = data.word("sessionId").unwrap_or_else(|| Arc::clone(&session.id));
                session.host = data.word("copilotVersion").map(|version| format!("copilot/{version}").into());
                self.model = data.word("selectedModel").unwrap_or_default();
            }
            "session.model_change" => self.model = data.word("newModel").unwrap_or_default(),
            "user.message" => {
                if let Some(text) = content::text(&self.buffer, &data, "content") {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            "assistant.message" => self.message(&data, at),
            "tool.execution_start" => self.begun(&data, at),
            "tool.execution_complete" => self.ended(&data, at),
            "subagent.started" => {
                if let Some(id) = data.word("toolCallId") {
                    let label = data.word("agentDisplayName").or_else(|| data.word("agentName"));
                    self.transcript.agent(&id, label.as_deref(), Some(&id));
                }
            }
            "session.error" => {
                let error = data.word("message");
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.error = error;
                }
            }
            "abort" => self.is_broken_off = true,
            _ => {}
        }
    }
}

impl Copilot {
    /// The main agent, or the one that a call of it spawned.
    fn agent(&mut self, data: &Json<'_>) -> AgentId {
        match data.word("parentToolCallId") {
            Some(call) => self.transcript.agent(&call, None, Some(&call)),
            None => Arc::clone(&self.main),
        }
    }

    fn message(&mut self, data: &Json<'_>, at: Option<Timestamp>) {
        let agent = self.agent(data);
        let model = data.word("model").unwrap_or_else(|| Arc::clone(&self.model));
        let said = content::text(&self.buffer, data, "content").filter(|text| !text.read().is_empty());
        let exchange = self.transcript.response(&agent, &model, at);
        exchange.said = said;
        exchange.tokens.output = data.whole("outputTokens");
        let Some(calls) = data.nested("toolRequests") else { return };
        for call in calls.items().filter_map(|call| Json::parse(call.into()).ok()) {
            let id = call.word("toolCallId").unwrap_or_default();
            let start = self.begun.get(&id).copied().flatten().or(at);
            self.call(&agent, id, call.word("name"), call.get("arguments"), start);
            // A message in chunks tells its calls in each of them.
        }
    }

    fn call(
        &mut self,
        agent: &AgentId,
        id: Arc<str>,
        name: Option<Arc<str>>,
        input: Option<&str>,
        at: Option<Timestamp>,
    ) {
        let known = self.transcript.calls_of(&id).to_vec();
        let is_asked = |transcript: &mut Transcript, position: usize| {
            transcript.call_at(position).is_some_and(|call| call.asked_by.is_some() || !call.name.is_empty())
        };
        if !id.is_empty() && known.into_iter().any(|position| is_asked(&mut self.transcript, position)) {
            return;
        }
        let input = content::input(&self.buffer, input);
        self.transcript.call(Asked { agent: Arc::clone(agent), id, name: name.unwrap_or_default(), input, at });
    }

    fn begun(&mut self, data: &Json<'_>, at: Option<Timestamp>) {
        let Some(id) = data.word("toolCallId") else { return };
        let agent = self.agent(data);
        self.call(&agent, Arc::clone(&id), data.word("toolName"), data.get("arguments"), at);
        let newest = self.transcript.calls_of(&id).last().copied();
        if let Some(call) = newest.and_then(|position| self.transcript.call_at(position)).filter(|_| at.is_some()) {
            call.span.start = at;
        }
        self.begun.insert(id, at);
    }

    fn ended(&mut self, data: &Json<'_>, at: Option<Timestamp>) {
        let result = data.nested("result");
        let error = data.nested("error");
        let text = |json: &Option<Json<'_>>, key: &str| -> Option<Text> {
            json.as_ref().and_then(|json| content::text(&self.buffer, json, key))
        };
        let text = text(&result, "content").or_else(|| text(&error, "message"));
        self.transcript.result(Answer {
            id: data.word("toolCallId").unwrap_or_default(),
            output: text.map(Block::Text).into_iter().collect(),
            is_error: data.get("success") == Some("false"),
            at,
            ..Answer::default()
        });
    }
}
