//! Spans of OpenTelemetry with the names of its conventions for generative AI, as OTLP/JSON, and a tool span's attributes
//! on their own (specs: session-files §16).

mod span;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::span::Spanned;
use super::content;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Buffer, Content, Problem, Text, Timestamp, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| json.get("resourceSpans").is_some() || is_attributes(json))
}

/// The attributes of one span, without the span.
fn is_attributes(json: &Json<'_>) -> bool {
    json.text("gen_ai.operation.name").is_some() && json.get("gen_ai.tool.name").is_some()
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut spans = Spans {
        problems: Transcript::new(&source.name),
        found: Vec::new(),
        buffer: Arc::clone(&source.buffer),
        host: None,
    };
    match source.container {
        Container::Document => {
            if let Some(json) = source.document() {
                spans.record(&json);
            }
        }
        Container::Lines | Container::Events => source.read_lines(&mut spans),
    }
    let Spans { problems, found: mut spans, buffer, host } = spans;
    spans.sort_by_key(|span| span.time.start);
    let mut problems: Vec<Problem> = problems.session.problems;
    let mut readings = Vec::new();
    for (id, spans) in sessions(spans) {
        let (mut session, orphans) = session(&id, &spans, &buffer);
        session.host.clone_from(&host);
        session.problems = std::mem::take(&mut problems);
        readings.push(source.reading(Format::Otlp, (session, orphans), Belongs::Alone));
    }
    readings
}

/// The spans of a file, and what in it is none.
struct Spans {
    problems: Transcript,
    found: Vec<Spanned>,
    buffer: Buffer,
    host: Option<Arc<str>>,
}

impl Reader for Spans {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.problems
    }

    fn record(&mut self, json: &Json<'_>) {
        if is_attributes(json) {
            self.found.push(Spanned::of_attributes(json, &self.buffer));
            return;
        }
        let Some(resources) = json.nested("resourceSpans") else { return };
        for resource in objects(&resources) {
            let named = resource.nested("resource").and_then(|resource| span::attribute(&resource, "service.name"));
            self.host = self.host.take().or(named);
            let Some(scopes) = resource.nested("scopeSpans") else { continue };
            for scope in objects(&scopes) {
                let Some(spans) = scope.nested("spans") else { continue };
                for (position, raw) in spans.items().enumerate() {
                    match Json::parse(raw.into()) {
                        Ok(json) if json.is_object() => self.found.push(Spanned::of(&json, &self.buffer)),
                        _ => self.problems.problem(format!("spans[{position}]"), "it is no object"),
                    }
                }
            }
        }
    }
}

/// The items of an array that are objects.
pub(super) fn objects<'a>(list: &'a Json<'_>) -> impl Iterator<Item = Json<'a>> {
    list.items().filter_map(|item| Json::parse(item.into()).ok()).filter(Json::is_object)
}

/// The spans of each session: of a conversation where the root of their trace names one, else of a trace.
fn sessions(spans: Vec<Spanned>) -> Vec<(Arc<str>, Vec<Spanned>)> {
    let mut of_trace: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    for span in spans.iter().filter(|span| span.parent.is_none()) {
        if let Some(conversation) = &span.conversation {
            of_trace.insert(Arc::clone(&span.trace), Arc::clone(conversation));
        }
    }
    let mut places: HashMap<Arc<str>, usize> = HashMap::new();
    let mut sessions: Vec<(Arc<str>, Vec<Spanned>)> = Vec::new();
    for span in spans {
        let id = of_trace.get(&span.trace).unwrap_or(&span.trace).clone();
        let place = *places.entry(Arc::clone(&id)).or_insert(sessions.len());
        if place == sessions.len() {
            sessions.push((id, Vec::new()));
        }
        sessions[place].1.push(span);
    }
    sessions
}

/// Spans nest; deeper than this nobody looks for the agent.
const MOST_DEPTH: usize = 64;

fn session(id: &str, spans: &[Spanned], buffer: &Buffer) -> (crate::trace::Session, u32) {
    let mut transcript = Transcript::new(id);
    let main = transcript.agent("main", None, None);
    let by_id: HashMap<&str, &Spanned> = spans.iter().map(|span| (&*span.id, span)).collect();
    let parents = |span: &Spanned| {
        let mut parent = span.parent.clone();
        let parents = std::iter::from_fn(|| {
            let span = by_id.get(&*parent.take()?).copied()?;
            parent.clone_from(&span.parent);
            Some(span)
        });
        parents.take(MOST_DEPTH).collect::<Vec<_>>()
    };
    // A sub-agent is an agent that runs below a tool's span.
    let agent_of = |transcript: &mut Transcript, span: &Spanned| -> AgentId {
        let above = parents(span);
        let Some(agent) = above.iter().position(|span| span.is_agent()) else { return Arc::clone(&main) };
        match above[agent..].iter().find(|span| span.is_tool()) {
            Some(tool) => transcript.agent(&above[agent].id, above[agent].agent_name.as_deref(), Some(&tool.call)),
            None => transcript.agent("main", above[agent].agent_name.as_deref(), None),
        }
    };
    let has_tools = spans.iter().any(Spanned::is_tool);
    let mut seen: HashSet<&str> = HashSet::new();
    for span in spans {
        // The same span may have been written twice.
        if !span.id.is_empty() && seen.contains(&*span.id) {
            transcript.session.repeats += u32::from(span.is_tool());
            continue;
        }
        if span.is_tool() || span.is_chat() {
            seen.insert(&span.id);
        }
        let agent = agent_of(&mut transcript, span);
        if span.is_tool() {
            let asked = Asked {
                agent,
                id: Arc::clone(&span.call),
                name: Arc::clone(&span.tool),
                input: span.input.clone(),
                at: span.time.start,
            };
            let position = transcript.call_anew(asked);
            if span.has_ended() {
                let output = span.output.clone();
                let answer = Answer { is_error: span.is_error, output, at: span.time.end, ..Answer::default() };
                transcript.result_of(position, answer);
            }
        } else if span.is_chat() {
            chat(&mut transcript, &agent, span, buffer, !has_tools);
        } else if span.is_agent() && span.parent.is_none() {
            transcript.session.title = transcript.session.title.take().or_else(|| span.agent_name.clone());
        }
    }
    transcript.finish(false)
}

/// A call of a model. Where no tool has a span of its own, its messages alone tell the calls.
fn chat(transcript: &mut Transcript, agent: &AgentId, span: &Spanned, buffer: &Buffer, tells_calls: bool) {
    let exchange = transcript.exchange(agent, &span.model, span.time.start);
    exchange.span.end = span.time.end;
    exchange.tokens = Tokens { input: span.tokens.0, output: span.tokens.1, ..Tokens::default() };
    exchange.error.clone_from(&span.error);
    if !tells_calls {
        return;
    }
    for (messages, is_history) in [(&span.asked, true), (&span.told, false)] {
        let Some(text) = messages else { continue };
        let text = text.read();
        let Ok(messages) = Json::parse(text.as_ref().into()) else { continue };
        for part in objects(&messages).filter_map(|message| message.nested("parts").map(|parts| parts.raw().to_owned()))
        {
            let Ok(parts) = Json::parse(part.as_str().into()) else { continue };
            for part in objects(&parts) {
                message_part(
                    transcript,
                    agent,
                    &part,
                    buffer,
                    span.time.start.filter(|_| is_history).or(span.time.end),
                );
            }
        }
    }
}

fn message_part(transcript: &mut Transcript, agent: &AgentId, part: &Json<'_>, buffer: &Buffer, at: Option<Timestamp>) {
    let id = part.word("id").unwrap_or_default();
    let known = transcript.calls_of(&id).last().copied().filter(|_| !id.is_empty());
    match part.text("type").as_deref() {
        Some("tool_call") if known.is_none() => {
            let name = part.word("name").unwrap_or_default();
            let input = content::input(buffer, part.get("arguments"));
            transcript.call_anew(Asked { agent: Arc::clone(agent), id, name, input, at });
        }
        Some("tool_call_response") => {
            let raw = part.get("result").or_else(|| part.get("response")).unwrap_or("null");
            let output = content::blocks(buffer, raw);
            let is_open =
                known.and_then(|known| transcript.call_at(known)).is_some_and(|call| call.output == Content::None);
            if let (Some(position), true) = (known, is_open) {
                transcript.result_of(position, Answer { output, at, ..Answer::default() });
                if let Some(call) = transcript.call_at(position) {
                    call.approximate = true;
                }
            }
        }
        _ => {}
    }
}

/// A text of an attribute as the input of a call.
pub(super) fn held(text: Option<Text>) -> crate::trace::Input {
    text.map_or(Content::None, Content::Held)
}
