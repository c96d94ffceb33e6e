//! The Agent Trajectory Interchange Format, and kc's metadata with its two parallel lists (specs: session-files §20).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::content;
use super::otlp::objects;
use super::source::{Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Span};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| is_trajectory(json) || is_metadata(json))
}

fn is_trajectory(json: &Json<'_>) -> bool {
    json.nested("steps").is_some_and(|steps| steps.is_array())
        && (json.get("schema_version").is_some() || json.get("session_id").is_some())
}

fn is_metadata(json: &Json<'_>) -> bool {
    json.nested("tool_uses").is_some_and(|list| list.is_array()) && json.get("tool_responses").is_some()
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    let records: Vec<Json<'_>> = match source.document() {
        Some(json) => vec![json],
        None => source.lines().filter_map(|(_, line)| Json::parse(line.into()).ok()).collect(),
    };
    for json in &records {
        if is_metadata(json) {
            metadata(&mut transcript, json, &main, &source.buffer);
        } else {
            trajectory(&mut transcript, json, &main, &source.buffer);
        }
    }
    vec![source.reading(Format::Atif, transcript.finish(false), Belongs::Alone)]
}

fn trajectory(transcript: &mut Transcript, json: &Json<'_>, main: &AgentId, buffer: &Buffer) {
    let agent = json.nested("agent");
    let named = |key: &str| agent.as_ref().and_then(|agent| agent.word(key));
    let session = &mut transcript.session;
    session.id = json.word("session_id").unwrap_or_else(|| Arc::clone(&session.id));
    session.host = named("name").map(|name| match named("version") {
        Some(version) => format!("{name}/{version}").into(),
        None => name,
    });
    let model = named("model_name").unwrap_or_default();
    let Some(steps) = json.nested("steps") else { return };
    for (position, raw) in steps.items().enumerate() {
        match Json::parse(raw.into()) {
            Ok(step) if step.is_object() => self::step(transcript, &step, main, &model, buffer),
            _ => transcript.problem(format!("steps[{position}]"), "it is no object"),
        }
    }
}

fn step(transcript: &mut Transcript, step: &Json<'_>, main: &AgentId, model: &Arc<str>, buffer: &Buffer) {
    let at = step.time("timestamp");
    let text =
        content::text(buffer, step, "message").or_else(|| content::text(buffer, &step.nested("message")?, "content"));
    let source = step.text("source").unwrap_or_default();
    if source == "user" {
        if let Some(text) = text {
            transcript.prompt(main, at, text);
        }
        return;
    }
    let calls = step.nested("tool_calls").filter(|calls| calls.items().next().is_some());
    if source == "agent" || source == "assistant" || calls.is_some() {
        let model = step.word("model_name").unwrap_or_else(|| Arc::clone(model));
        let exchange = transcript.exchange(main, &model, None);
        exchange.span = Span { start: None, end: at };
        exchange.said = text;
    }
    if let Some(calls) = calls {
        for call in objects(&calls) {
            let id = call.word("tool_call_id").or_else(|| call.word("id")).unwrap_or_default();
            let name = call.word("function_name").or_else(|| call.word("name")).unwrap_or_default();
            let input = content::input(buffer, call.get("arguments"));
            let at = call.time("timestamp").or(at);
            transcript.call_anew(Asked { agent: Arc::clone(main), id, name, input, at });
        }
    }
    let observation = step.nested("observation");
    let Some(results) = observation.as_ref().and_then(|observation| observation.nested("results")) else { return };
    for result in objects(&results) {
        let Some(id) = result.word("source_call_id") else { continue };
        let output = content::blocks(buffer, result.get("content").unwrap_or("null"));
        transcript.result(Answer {
            id,
            output,
            is_error: result.is_true("is_error"),
            at: result.time("timestamp"),
            ..Answer::default()
        });
    }
}

fn metadata(transcript: &mut Transcript, json: &Json<'_>, main: &AgentId, buffer: &Buffer) {
    let responses = json.nested("tool_responses");
    let responses: Vec<Json<'_>> = responses.as_ref().map(|list| objects(list).collect()).unwrap_or_default();
    let Some(uses) = json.nested("tool_uses") else { return };
    transcript.exchange(main, &json.word("model").unwrap_or_default(), None);
    for (position, call) in objects(&uses).enumerate() {
        let name = call.word("name").unwrap_or_default();
        let input = content::input(buffer, call.get("args").or_else(|| call.get("input")));
        let place = transcript.call_anew(Asked {
            agent: Arc::clone(main),
            id: Arc::default(),
            name: Arc::clone(&name),
            input,
            at: None,
        });
        // The lists go side by side; where the names differ they do not.
        let response =
            responses.get(position).filter(|response| response.word("name").is_none_or(|other| other == name));
        if let Some(response) = response {
            let output = content::blocks(buffer, response.get("response").unwrap_or("null"));
            transcript.result_of(place, Answer { output, ..Answer::default() });
        }
    }
}
