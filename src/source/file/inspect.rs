//! Inspect's logs, each sample of which is a session: messages hold the calls, events their times (specs: session-files §15).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::content;
use super::source::{Sample, Source};
use super::transcript::Answer;
use super::wire::Wire;
use super::{Belongs, Format, Reading};
use crate::json::{Json, string};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Content, Span, Text};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| {
        json.get("eval").is_some() && (json.get("samples").is_some() || json.get("plan").is_some()) || is_sample(json)
    })
}

/// A sample on its own, as it stands in an archive.
fn is_sample(json: &Json<'_>) -> bool {
    ["epoch", "messages", "target"].iter().all(|key| json.get(key).is_some())
}

/// An archive of Inspect keeps the log's head and each sample in members of their own: they are one log. Other members and
/// other archives stay as they are.
pub(super) fn assemble(mut members: Vec<(String, String)>) -> Vec<(String, String)> {
    let Some(head) = members.iter().position(|(name, _)| name == "header.json" || name == "_journal/start.json") else {
        return members;
    };
    let head = members.iter().position(|(name, _)| name == "header.json").unwrap_or(head);
    let head = members.swap_remove(head).1;
    let samples: Vec<String> = members
        .into_iter()
        .filter(|(name, _)| name.starts_with("samples/"))
        // One that is damaged stays in its place, so that it is told.
        .map(|(_, text)| if Json::parse(text.as_str().into()).is_ok() { text } else { "null".to_owned() })
        .collect();
    let open = head.trim_ascii().strip_suffix('}').filter(|_| Json::parse(head.as_str().into()).is_ok());
    let log = format!("{},\"samples\":[{}]}}", open.unwrap_or("{\"eval\":{}"), samples.join(","));
    vec![("log".to_owned(), log)]
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let Some(log) = source.document() else { return Vec::new() };
    let eval = log.nested("eval");
    let eval = eval.as_ref();
    let title = eval.and_then(|eval| eval.word("task"));
    let host =
        eval.and_then(|eval| eval.nested("packages")?.word("inspect_ai")).map(|version| format!("inspect/{version}"));
    let model = eval.and_then(|eval| eval.word("model"));
    let run = eval.and_then(|eval| eval.word("run_id")).unwrap_or_else(|| Arc::clone(&source.name));
    let mut readings = Vec::new();
    let mut add = |json: Result<&Json<'_>, usize>| {
        let mut wire = Wire::new(&run, &source.buffer);
        let session = &mut wire.transcript.session;
        session.title.clone_from(&title);
        session.host = Some(host.as_deref().unwrap_or("inspect").into());
        match json {
            Ok(json) => sample(&mut wire, json, &run, model.as_ref()),
            Err(position) => wire.transcript.problem(format!("samples[{position}]"), "it is no object"),
        }
        let still_runs = log.text("status").as_deref() == Some("started");
        readings.push(source.reading(Format::Inspect, wire.transcript.finish(still_runs), Belongs::Alone));
    };
    if is_sample(&log) {
        add(Ok(&log));
    }
    if let Some(samples) = log.nested("samples") {
        for (position, json) in samples.items().enumerate() {
            match Json::parse(json.into()) {
                Ok(json) if json.is_object() => add(Ok(&json)),
                _ => add(Err(position)),
            }
        }
    }
    readings
}

fn sample(wire: &mut Wire, json: &Json<'_>, run: &str, model: Option<&Arc<str>>) {
    let id = json.word("id").unwrap_or_default();
    let epoch = json.word("epoch").unwrap_or_default();
    wire.transcript.session.id = json.word("uuid").unwrap_or_else(|| format!("{run}/{id}/{epoch}").into());
    if let Some(model) = model {
        wire.set_model(model);
    }
    if let Some(messages) = json.nested("messages") {
        wire.messages(&messages);
    }
    let transcript = json.nested("transcript");
    let events =
        json.nested("events").or_else(|| transcript.as_ref().and_then(|transcript| transcript.nested("events")));
    let mut parts = Parts { wire, attachments: json.nested("attachments") };
    if let Some(events) = events {
        let main = Arc::clone(&parts.wire.agent);
        parts.events(&events, &main, 0);
    }
    parts.attach();
}

const MOST_COMPARED: usize = 64;

/// Agents hand on to agents; deeper than this nobody reads.
const MOST_DEPTH: usize = 16;

struct Parts<'a, 'b> {
    wire: &'a mut Wire,
    /// Long contents, by their hash.
    attachments: Option<Json<'b>>,
}

impl Parts<'_, '_> {
    fn events(&mut self, events: &Json<'_>, agent: &AgentId, depth: usize) {
        for event in events.items().filter_map(|event| Json::parse(event.into()).ok()) {
            if event.text("event").as_deref() == Some("tool") {
                self.tool(&event, agent, depth);
            }
        }
    }

    /// A tool's event, which alone tells the times.
    fn tool(&mut self, event: &Json<'_>, agent: &AgentId, depth: usize) {
        let id = event.word("id").unwrap_or_default();
        let span = Span { start: event.time("timestamp"), end: event.time("completed") };
        // An id that repeats more often than that is no name.
        let places = self.wire.transcript.calls_of(&id).iter().rev().take(MOST_COMPARED).copied();
        let is_waiting = |position: &usize| {
            let call = self.wire.transcript.calls().get(*position);
            call.is_some_and(|call| call.span == Span::default() && !call.name.is_empty())
        };
        let waiting = places.rev().find(is_waiting);
        let is_held = !self.wire.transcript.calls_of(&id).is_empty();
        let position = match waiting {
            Some(position) if !id.is_empty() => Some(position),
            _ if is_held && !id.is_empty() => None,
            _ => {
                let name = event.word("function").unwrap_or_default();
                let input = content::input(&self.wire.buffer, event.get("arguments"));
                self.wire.add(agent, Arc::clone(&id), name, input)
            }
        };
        if let Some(position) = position {
            self.tell(position, event, span);
        }
        let nested = event.nested("events").filter(|events| events.items().next().is_some());
        if let Some(nested) = nested.filter(|_| depth < MOST_DEPTH) {
            let label = event.word("agent").or_else(|| event.word("function")).unwrap_or_default();
            let name: Arc<str> = format!("{agent}/{id}").into();
            let child = self.wire.transcript.agent(&name, Some(&label), Some(&id));
            self.events(&nested, &child, depth + 1);
        }
    }

    fn tell(&mut self, position: usize, event: &Json<'_>, span: Span) {
        let is_open = self.wire.transcript.call_at(position).is_some_and(|call| !call.outcome.has_ended());
        let has_result = event.get("completed").is_some_and(|raw| raw != "null")
            || event.get("result").is_some_and(|raw| raw != "null");
        if is_open && has_result {
            let output = content::blocks(&self.wire.buffer, event.get("result").unwrap_or("null"));
            let is_error = event.nested("error").is_some();
            self.wire.transcript.result_of(position, Answer { output, is_error, ..Answer::default() });
        }
        if let Some(call) = self.wire.transcript.call_at(position) {
            call.span = span;
            call.approximate = false;
        }
    }

    /// Puts long contents in the place of their hashes.
    fn attach(&mut self) {
        let Some(attachments) = &self.attachments else { return };
        let buffer = Arc::clone(&self.wire.buffer);
        let attached = |text: &Text| {
            let text = text.read();
            let raw = attachments.get(text.strip_prefix("attachment://")?)?;
            content::inside(raw)
                .map(|inside| Text::json_within(&buffer, inside))
                .or_else(|| string(raw).map(|text| (*text).into()))
        };
        for position in 0..self.wire.transcript.calls().len() {
            let Some(call) = self.wire.transcript.call_at(position) else { continue };
            if let Content::Held(blocks) = &mut call.output {
                for block in blocks {
                    if let Block::Text(text) = block
                        && let Some(whole) = attached(text)
                    {
                        *text = whole;
                    }
                }
            }
        }
    }
}
