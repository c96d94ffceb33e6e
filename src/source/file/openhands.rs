//! ``OpenHands``: evaluation output with an instance a line, in two forms, and the events of its SDK (specs: session-files §13).

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::content;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Outcome, Problem, Refuser, Text, Timestamp};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| {
        is_instance(json)
            || is_event(json)
            || json.is_array()
                && json.items().take(20).any(|item| {
                    Json::parse(item.into())
                        .is_ok_and(|item| is_event(&item) || item.get("source").is_some() && is_old_event(&item))
                })
    })
}

fn is_instance(json: &Json<'_>) -> bool {
    let history = json.nested("history").filter(Json::is_array);
    history.is_some_and(|history| {
        history.items().take(20).any(|item| Json::parse(item.into()).is_ok_and(|item| is_old_event(&item)))
    })
}

fn is_old_event(json: &Json<'_>) -> bool {
    json.text("observation").is_some() || json.text("action").is_some() && json.get("role").is_none()
}

fn is_event(json: &Json<'_>) -> bool {
    json.text("kind").is_some_and(|kind| kind.ends_with("Event")) && json.get("source").is_some()
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut files = Files { source, readings: Vec::new(), events: Events::new(source), has_events: false };
    match source.container {
        Container::Document => {
            if let Some(json) = source.document() {
                if json.is_array() {
                    files.events.history(&json);
                    files.has_events = true;
                } else {
                    files.record(&json);
                }
            }
        }
        Container::Lines | Container::Events => source.read_lines(&mut files),
    }
    let Files { mut readings, events, has_events, .. } = files;
    let problems: Vec<Problem> = events.transcript.session.problems.clone();
    if has_events || readings.is_empty() {
        readings.push(source.reading(Format::Openhands, events.transcript.finish(false), Belongs::Alone));
    } else if let Some(first) = readings.first_mut() {
        first.session.problems.extend(problems);
    }
    readings
}

struct Files<'a> {
    source: &'a Source,
    readings: Vec<Reading>,
    /// Events that stand a line each, which are one session; problems of lines are told there.
    events: Events,
    has_events: bool,
}

impl Reader for Files<'_> {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.events.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        let Some(history) = json.nested("history").filter(Json::is_array) else {
            self.has_events = true;
            self.events.event(json);
            return;
        };
        let mut events = Events::new(self.source);
        let session = &mut events.transcript.session;
        let issue = json.nested("issue");
        let number = issue.as_ref().and_then(|issue| issue.word("number"));
        session.id = json
            .word("instance_id")
            .or(number)
            .unwrap_or_else(|| format!("{}/{}", self.source.name, self.readings.len() + 1).into());
        session.title = issue.and_then(|issue| issue.word("title"));
        events.history(&history);
        self.readings.push(self.source.reading(Format::Openhands, events.transcript.finish(false), Belongs::Alone));
    }
}

/// The events of a session.
struct Events {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// Calls by the id of their action.
    actions: HashMap<Arc<str>, usize>,
    /// The last call, which an observation without ids answers.
    last: Option<usize>,
    /// The response that the last exchange is of.
    response: Option<Arc<str>>,
}

/// Actions that are no tool calls.
const NO_TOOLS: [&str; 7] = ["system", "message", "recall", "change_agent_state", "null", "start", "pause"];

impl Events {
    fn new(source: &Source) -> Self {
        let mut transcript = Transcript::new(&source.name);
        let main = transcript.agent("main", None, None);
        transcript.session.host = Some("openhands".into());
        let buffer = Arc::clone(&source.buffer);
        Self { transcript, buffer, main, actions: HashMap::new(), last: None, response: None }
    }

    fn history(&mut self, history: &Json<'_>) {
        for (position, item) in history.items().enumerate() {
            match Json::parse(item.into()) {
                Ok(json) if json.is_object() => self.event(&json),
                // The oldest form keeps an action with its observation.
                Ok(pair) if pair.is_array() => self.history(&pair),
                _ => self.transcript.problem(format!("history[{position}]"), "it is no object"),
            }
        }
    }

    fn event(&mut self, json: &Json<'_>) {
        let at = time(json);
        if let Some(kind) = json.text("kind").filter(|kind| kind.ends_with("Event") || kind.starts_with("UserReject")) {
            self.sdk_event(json, &kind, at);
        } else if json.text("observation").is_some() {
            self.observation(json, at);
        } else if let Some(action) = json.word("action") {
            self.action(json, &action, at);
        }
    }

    fn exchange(&mut self, response: Option<Arc<str>>, at: Option<Timestamp>) {
        if response.is_none() || response != self.response {
            self.transcript.exchange(&self.main, &Arc::default(), at);
            self.response = response;
        }
    }

    fn action(&mut self, json: &Json<'_>, action: &str, at: Option<Timestamp>) {
        if action == "message" && json.text("source").is_none_or(|source| source == "user") {
            let args = json.nested("args");
            let text = content::text(&self.buffer, args.as_ref().unwrap_or(json), "content");
            let is_first = json.get("source").is_some() || self.transcript.session.prompts.is_empty();
            if let Some(text) = text.filter(|_| is_first) {
                self.transcript.prompt(&self.main, at, text);
            }
        }
        if NO_TOOLS.contains(&action) {
            return;
        }
        let metadata = json.nested("tool_call_metadata");
        let metadata = metadata.as_ref();
        let response = metadata.and_then(|metadata| metadata.nested("model_response"));
        self.exchange(response.as_ref().and_then(|response| response.word("id")), at);
        let model = response.and_then(|response| response.word("model"));
        if let (Some(exchange), Some(model)) = (self.transcript.last(&self.main), model) {
            exchange.name = model;
        }
        let id = metadata.and_then(|metadata| metadata.word("tool_call_id")).unwrap_or_default();
        let name = metadata.and_then(|metadata| metadata.word("function_name")).unwrap_or_else(|| action.into());
        // Without `args` the action's own fields are what the tool was given.
        let raw = json.get("args").unwrap_or(json.raw());
        let input = Content::Held(Text::within(&self.buffer, raw));
        let position = self.transcript.call_anew(Asked { agent: Arc::clone(&self.main), id, name, input, at });
        self.last = Some(position);
        if let Some(call) = self.transcript.call_at(position).filter(|_| action == "finish") {
            call.outcome = Outcome::EndsRun;
        }
        if let Some(id) = json.word("id") {
            self.actions.insert(id, position);
        }
    }

    fn observation(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        let kind = json.text("observation").unwrap_or_default();
        if matches!(&*kind, "agent_state_changed" | "null" | "recall" | "system") {
            return;
        }
        let cause = json.word("cause");
        let by_cause = cause.as_ref().and_then(|cause| self.actions.get(cause)).copied();
        let position = match cause {
            Some(_) => by_cause,
            None => self.last.take(),
        };
        let extras = json.nested("extras");
        let code = |json: &Json<'_>| {
            json.integer("exit_code")
                .or_else(|| json.nested("metadata").and_then(|metadata| metadata.integer("exit_code")))
        };
        let exit = code(json).or_else(|| extras.as_ref().and_then(code));
        let is_error = kind == "error" || json.get("success") == Some("false") || exit.is_some_and(|code| code != 0);
        let output = content::blocks(&self.buffer, json.get("content").unwrap_or("null"));
        let structured = extras.map(|extras| Text::within(&self.buffer, extras.raw()));
        let id = json.nested("tool_call_metadata").and_then(|metadata| metadata.word("tool_call_id"));
        let id = id.unwrap_or_default();
        let answer = Answer { id: Arc::clone(&id), output, is_error, at, structured, ..Answer::default() };
        match position.filter(|&position| self.is_open(position)) {
            Some(position) => self.transcript.result_of(position, answer),
            None if position.is_some() => {}
            None if id.is_empty() && json.get("cause").is_none() => {}
            None => self.transcript.result(answer),
        }
    }

    fn is_open(&mut self, position: usize) -> bool {
        self.transcript.call_at(position).is_some_and(|call| call.output == Content::None)
    }

    fn sdk_event(&mut self, json: &Json<'_>, kind: &str, at: Option<Timestamp>) {
        match kind {
            "ActionEvent" => self.sdk_action(json, at),
            "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation" => {
                self.sdk_observation(json, kind, at);
            }
            "MessageEvent" if json.text("source").as_deref() == Some("user") => {
                let message = json.nested("llm_message");
                let raw = message.as_ref().and_then(|message| message.get("content")).unwrap_or("null");
                if let Some(text) = content::words(content::blocks(&self.buffer, raw)) {
                    self.transcript.prompt(&self.main, at, text);
                }
            }
            _ => {}
        }
    }

    fn sdk_action(&mut self, json: &Json<'_>, at: Option<Timestamp>) {
        self.exchange(json.word("llm_response_id"), at);
        let call = json.nested("tool_call");
        let raw = call.as_ref().and_then(|call| call.get("arguments")).or_else(|| json.get("action"));
        let input = content::input(&self.buffer, raw);
        let id = json.word("tool_call_id").unwrap_or_default();
        let name = json.word("tool_name").unwrap_or_default();
        let event = json.word("id").unwrap_or_default();
        if !event.is_empty() && self.actions.contains_key(&event) {
            self.transcript.session.repeats += 1;
            return;
        }
        let position = self.transcript.call_anew(Asked { agent: Arc::clone(&self.main), id, name, input, at });
        self.actions.insert(event, position);
    }

    fn sdk_observation(&mut self, json: &Json<'_>, kind: &str, at: Option<Timestamp>) {
        let observation = json.nested("observation");
        let part = observation.as_ref();
        let is_error = kind == "AgentErrorEvent"
            || part.is_some_and(|part| match part.get("is_error") {
                Some(flag) => flag == "true",
                None => part.integer("exit_code").is_some_and(|code| code != 0),
            });
        let raw = part.and_then(|part| part.get("content").or_else(|| part.get("output")));
        let mut output = content::blocks(&self.buffer, raw.or_else(|| json.get("error")).unwrap_or("null"));
        if raw.is_none() && output.is_empty() {
            output.extend(part.map(|part| Block::Json(Text::within(&self.buffer, part.raw()))));
        }
        let refused = kind.starts_with("UserReject");
        let outcome = refused.then_some(Outcome::Refused { by: Refuser::User });
        let id = json.word("tool_call_id").unwrap_or_default();
        let answer = Answer { id, output, is_error, outcome, at, ..Answer::default() };
        match json.word("action_id").and_then(|action| self.actions.get(&action).copied()) {
            Some(position) if self.is_open(position) => self.transcript.result_of(position, answer),
            Some(_) => {}
            None => self.transcript.result(answer),
        }
    }
}

/// A local time without a zone is taken as UTC: where it was is not told.
fn time(json: &Json<'_>) -> Option<Timestamp> {
    json.time("timestamp").or_else(|| Timestamp::parse(&format!("{}Z", json.text("timestamp")?)))
}
