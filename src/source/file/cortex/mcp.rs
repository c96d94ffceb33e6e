//! Calls of MCP servers that a proxy saw pass by: a request and its response, or a request that was denied.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::content;
use crate::json::{self, Json};
use crate::source::cortex::wire::Event;
use crate::source::lenient::Fields;
use crate::trace::{
    Block, Buffer, CallKey, Content, Outcome, Refuser, Session, Span, Text, ToolCall, reorder, time_order,
};

/// The calls, in the order of their requests.
#[derive(Default)]
pub(super) struct Mcp {
    calls: Vec<ToolCall>,
    open: HashMap<String, Vec<usize>>,
}

impl Mcp {
    /// Takes in an event, if it is half of a call.
    pub fn take(&mut self, buffer: &Buffer, json: &Json<'_>, event: &Event) {
        let Some(mcp) = json.nested("mcp").filter(|mcp| mcp.text("method").as_deref() == Some("tools/call")) else {
            return;
        };
        let rpc = mcp.word("rpcId").unwrap_or_default();
        // Older proxies do not say which request a response answers.
        let half = event
            .request_id
            .as_deref()
            .map_or_else(|| format!("{} {rpc}", event.host.as_deref().unwrap_or_default()), ToOwned::to_owned);
        let open = self.open.get_mut(&half).and_then(Vec::pop);
        let phase = event.phase.as_deref().unwrap_or_default();
        if phase == "request" {
            let begun = self.begin(buffer, &mcp, event, &rpc);
            let open = self.open.entry(half).or_default();
            open.push(begun);
            return;
        }
        let position = open.unwrap_or_else(|| self.begin(buffer, &mcp, event, &rpc));
        let call = &mut self.calls[position];
        call.span.end = event.at;
        let result = mcp.nested("result");
        let failed = event.error.is_some() || mcp.nested("error").is_some();
        let is_error = failed || result.as_ref().is_some_and(|result| result.is_true("isError"));
        call.outcome = match phase {
            "denied" => Outcome::Refused { by: Refuser::Policy },
            _ if is_error => Outcome::Error,
            _ => Outcome::Ok,
        };
        let structured = result.as_ref().and_then(|result| content::written(buffer, result, "structuredContent"));
        call.structured = structured;
        call.output = output(buffer, &mcp, result.as_ref(), event);
    }

    fn begin(&mut self, buffer: &Buffer, mcp: &Json<'_>, event: &Event, rpc: &Arc<str>) -> usize {
        let params = mcp.nested("params");
        let word = |key| params.as_ref().and_then(|params| params.word(key));
        let id = event.request_id.clone().unwrap_or_else(|| Arc::clone(rpc));
        self.calls.push(ToolCall {
            key: CallKey { agent: "main".into(), id, nth: 0 },
            name: word("name").unwrap_or_default(),
            asked_by: None,
            span: Span { start: event.at, end: None },
            approximate: false,
            outcome: Outcome::Running,
            preview: None,
            input: content::input(buffer, params.as_ref().and_then(|params| params.get("arguments"))),
            output: Content::None,
            structured: None,
        });
        self.calls.len() - 1
    }

    /// Puts the calls into the session. One that a model asked for is that call, and tells when it ran and what it gave
    /// back where the model's next request does not.
    pub fn join(&mut self, session: &mut Session) {
        let main = session.agents.first().map_or_else(|| "main".into(), |agent| Arc::clone(&agent.id));
        let mut asked: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, call) in session.calls.iter().enumerate().rev() {
            asked.entry(what(call)).or_default().push(position);
        }
        let mut nth: HashMap<Arc<str>, u32> = HashMap::new();
        let held = session.calls.len();
        for mut call in self.calls.drain(..) {
            // Of several that are the same the oldest comes first.
            let same = asked.get_mut(&what(&call)).and_then(|positions| {
                let oldest = *positions.last()?;
                (session.calls[oldest].span.start <= call.span.start).then(|| positions.pop()).flatten()
            });
            if let Some(same) = same {
                fill(Arc::make_mut(&mut session.calls[same]), call);
                continue;
            }
            let nth = nth.entry(Arc::clone(&call.key.id)).or_default();
            call.key = CallKey { agent: Arc::clone(&main), nth: *nth, ..call.key };
            *nth += 1;
            session.calls.push(Arc::new(call));
        }
        if session.calls.len() > held {
            let order = time_order(session.calls.iter().map(|call| (call.span.start, 0)));
            reorder(&mut session.calls, &order);
        }
    }
}

/// What a call does: the tool, without the server that agents put before it, and what it is given.
fn what(call: &ToolCall) -> String {
    let name = call.name.rsplit("__").next().unwrap_or_default();
    let input = call.input.held().map(Text::read).unwrap_or_default();
    let Ok(json) = Json::parse(input.clone()) else { return format!("{name} {input}") };
    let mut fields: Vec<_> = json.fields().map(|(key, value)| format!("{key}: {}", json::pretty(value))).collect();
    fields.sort_unstable();
    format!("{name} {}", fields.join(", "))
}

fn fill(asked: &mut ToolCall, seen: ToolCall) {
    if asked.approximate || asked.span.end.is_none() {
        asked.span = seen.span;
        asked.approximate = false;
    }
    if seen.outcome.has_ended() && !matches!(&asked.output, Content::Held(_)) {
        asked.outcome = seen.outcome;
        asked.output = seen.output;
    }
    asked.structured = asked.structured.take().or(seen.structured);
}

fn output(buffer: &Buffer, mcp: &Json<'_>, result: Option<&Json<'_>>, event: &Event) -> Content<Vec<Block>> {
    if let Some(content) = result.and_then(|result| result.get("content")) {
        return Content::Held(content::blocks(buffer, content));
    }
    if let Some(result) = result {
        return Content::Held(vec![Block::Json(Text::within(buffer, result.raw()))]);
    }
    if let Some(error) = mcp.nested("error") {
        return Content::Held(match content::text(buffer, &error, "message") {
            Some(words) => vec![Block::Text(words)],
            None => vec![Block::Json(Text::within(buffer, error.raw()))],
        });
    }
    match event.error.as_ref().and_then(|error| error.message.clone().or_else(|| error.kind.clone())) {
        Some(words) => Content::Held(vec![Block::Text((*words).into())]),
        None => Content::Unavailable("The file does not hold the text of this result.".into()),
    }
}
