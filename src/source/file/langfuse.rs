//! Exports of a Langfuse trace: observations of tools are calls, those of generations exchanges (specs: session-files §16).

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::content;
use super::source::{Sample, Source};
use super::transcript::{Answer, Asked, Transcript};
use super::{Belongs, Format, Reading};
use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Span, Tokens};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| json.nested("observations").is_some_and(|list| list.is_array()))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let Some(json) = source.document() else { return Vec::new() };
    let trace = json.nested("trace");
    let trace = trace.as_ref().unwrap_or(&json);
    let mut transcript = Transcript::new(&trace.word("id").unwrap_or_else(|| Arc::clone(&source.name)));
    transcript.session.title = trace.word("name");
    let main = transcript.agent("main", None, None);
    let mut observations = Vec::new();
    if let Some(list) = json.nested("observations") {
        for (position, raw) in list.items().enumerate() {
            match Json::parse(raw.into()) {
                Ok(json) if json.is_object() => observations.push((json.time("startTime"), raw)),
                _ => transcript.problem(format!("observations[{position}]"), "it is no object"),
            }
        }
        observations.sort_by_key(|(start, _)| *start);
        let observations: Vec<_> = observations.iter().filter_map(|(_, raw)| Json::parse((*raw).into()).ok()).collect();
        let mut langfuse = Langfuse { transcript, source, main, agents: HashMap::new() };
        langfuse.agents(&observations);
        for observation in &observations {
            langfuse.observation(observation);
        }
        transcript = langfuse.transcript;
    }
    vec![source.reading(Format::Langfuse, transcript.finish(false), Belongs::Alone)]
}

struct Langfuse<'a> {
    transcript: Transcript,
    source: &'a Source,
    main: AgentId,
    /// Whose each observation is.
    agents: HashMap<Arc<str>, AgentId>,
}

impl Langfuse<'_> {
    /// An agent that runs below a tool is its sub-agent; what runs below an agent is that agent's.
    fn agents(&mut self, observations: &[Json<'_>]) {
        // In the order of their beginning parents come first.
        let mut tools: HashMap<Arc<str>, Arc<str>> = HashMap::new();
        for json in observations {
            let Some(id) = json.word("id") else { continue };
            let parent = json.word("parentObservationId").unwrap_or_default();
            let mut agent = self.agents.get(&parent).unwrap_or(&self.main).clone();
            let tool = tools.get(&parent).cloned();
            if is_tool(json) {
                tools.insert(Arc::clone(&id), call_id(json));
            } else if let (Some("AGENT"), Some(tool)) = (json.text("type").as_deref(), &tool) {
                agent = self.transcript.agent(&id, json.word("name").as_deref(), Some(tool));
            } else if let Some(tool) = tool {
                tools.insert(Arc::clone(&id), tool);
            }
            self.agents.insert(id, agent);
        }
    }

    fn observation(&mut self, json: &Json<'_>) {
        let agent =
            json.word("id").and_then(|id| self.agents.get(&id).cloned()).unwrap_or_else(|| Arc::clone(&self.main));
        let span = Span { start: json.time("startTime"), end: json.time("endTime") };
        let is_error = json.text("level").as_deref() == Some("ERROR");
        let message = json.word("statusMessage");
        if is_tool(json) {
            let buffer = &self.source.buffer;
            let input = content::input(buffer, json.get("input"));
            let asked = Asked { agent, id: call_id(json), name: tool_name(json), input, at: span.start };
            let position = self.transcript.call_anew(asked);
            if span.end.is_some() {
                let mut output = content::blocks(buffer, json.get("output").unwrap_or("null"));
                if output.is_empty() {
                    output.extend(message.map(|message| Block::Text((*message).into())));
                }
                self.transcript.result_of(position, Answer { output, is_error, at: span.end, ..Answer::default() });
            }
        } else if json.text("type").as_deref() == Some("GENERATION") {
            let usage = json.nested("usageDetails");
            let tokens = |key: &str| usage.as_ref().and_then(|usage| usage.whole(key));
            let exchange = self.transcript.exchange(&agent, &json.word("model").unwrap_or_default(), span.start);
            exchange.span.end = span.end;
            exchange.tokens = Tokens { input: tokens("input"), output: tokens("output"), ..Tokens::default() };
            exchange.error = message.filter(|_| is_error);
        }
    }
}

fn is_tool(json: &Json<'_>) -> bool {
    json.text("type").as_deref() == Some("TOOL")
        || attribute(json, "gen_ai.operation.name").as_deref() == Some("execute_tool")
}

/// An attribute of the span that the observation was made of; older exports hold them as text.
fn attribute(json: &Json<'_>, name: &str) -> Option<Arc<str>> {
    let raw = json.get("metadata")?;
    let metadata = json::string(raw).unwrap_or(raw.into());
    Json::parse(metadata).ok()?.nested("attributes")?.word(name)
}

fn tool_name(json: &Json<'_>) -> Arc<str> {
    let name = json.word("name").unwrap_or_default();
    attribute(json, "gen_ai.tool.name").unwrap_or_else(|| {
        let bare = ["execute_tool ", "running tool: "].iter().find_map(|before| name.strip_prefix(before));
        bare.map_or_else(|| Arc::clone(&name), Into::into)
    })
}

/// The id of the call; the observation's own where the span kept none.
fn call_id(json: &Json<'_>) -> Arc<str> {
    attribute(json, "gen_ai.tool.call.id").or_else(|| json.word("id")).unwrap_or_default()
}
