//! What events say of calls beside the response items: exit codes, run times, structured results. They repeat the items,
//! so that none of them is a call of its own.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Block, Buffer, Outcome, Session, Span, Text, Timestamp};

/// What the events of a rollout said, by call.
#[derive(Debug, Default)]
pub(super) struct Events(HashMap<Arc<str>, Told>);

#[derive(Debug, Default)]
struct Told {
    failed: bool,
    span: Option<Span>,
    structured: Option<Text>,
    /// How long it ran, as the text of its output says.
    ran: Option<i64>,
}

impl Events {
    /// Takes in an event, if it tells of a call's end.
    pub fn take(&mut self, kind: &str, event: &Json<'_>, at: Option<Timestamp>, buffer: &Buffer) {
        let id = event.word("call_id").or_else(|| event.word("callId"));
        let result = event.nested("result");
        let mut told = Told { span: at.and_then(|at| span(event, at)), ..Told::default() };
        match kind {
            "exec_command_end" => {
                told.failed = event.integer("exit_code").is_some_and(|code| code != 0);
                told.structured = Some(Text::within(buffer, event.raw()));
            }
            "patch_apply_end" => {
                told.failed = event.get("success") == Some("false");
                told.structured = Some(Text::within(buffer, event.raw()));
            }
            "dynamic_tool_call_response" => told.failed = event.get("success") == Some("false"),
            "mcp_tool_call_end" => {
                let result = result.as_ref();
                let ok = result.and_then(|result| result.nested("Ok"));
                told.failed = match &ok {
                    Some(ok) => ok.is_true("isError"),
                    None => result.is_some_and(|result| result.get("Err").is_some()),
                };
                let structured = ok.as_ref().and_then(|ok| ok.get("structuredContent")).filter(|raw| *raw != "null");
                told.structured = structured.map(|raw| Text::within(buffer, raw));
            }
            _ => return,
        }
        if let Some(id) = id {
            self.0.insert(id, told);
        }
    }

    /// Notes how long a call ran, as the text of its output says.
    pub fn ran(&mut self, id: &Arc<str>, nanos: i64) {
        self.0.entry(Arc::clone(id)).or_default().ran = Some(nanos);
    }

    /// Adds what was said to the calls of a session.
    pub fn add_to(mut self, session: &mut Session) {
        for call in &mut session.calls {
            let Some(told) = self.0.remove(&call.key.id) else { continue };
            let call = Arc::make_mut(call);
            if call.outcome == Outcome::Ok && told.failed {
                call.outcome = Outcome::Error;
            }
            if let Some(span) = told.span {
                call.span = span;
            } else if let (Some(end), Some(ran)) = (call.span.end, told.ran) {
                // Waiting for an approval is not run time, and some versions write call and output at one instant.
                call.span.start = end.0.checked_sub(ran).map(Timestamp);
                call.approximate = true;
            }
            call.structured = told.structured.or(call.structured.take());
        }
    }
}

/// Searches have no id: their calls and what they found are paired in their order, whichever comes first.
#[derive(Debug, Default)]
pub(super) struct Searches {
    calls: VecDeque<usize>,
    found: VecDeque<Vec<Block>>,
}

impl Searches {
    /// What the search found whose call stands at a place, if that is told already.
    pub fn called(&mut self, position: usize) -> Option<Vec<Block>> {
        let found = self.found.pop_front();
        if found.is_none() {
            self.calls.push_back(position);
        }
        found
    }

    /// The call that found something, if it is there already.
    pub fn ended(&mut self, found: Vec<Block>) -> Option<(usize, Vec<Block>)> {
        let Some(position) = self.calls.pop_front() else {
            self.found.push_back(found);
            return None;
        };
        Some((position, found))
    }
}

/// The run time that an event tells when it comes: `{secs, nanos}`.
fn span(event: &Json<'_>, at: Timestamp) -> Option<Span> {
    let duration = event.nested("duration")?;
    let nanos = duration.integer("secs")?.checked_mul(1_000_000_000)?.checked_add(duration.integer("nanos")?)?;
    Some(Span { start: Some(Timestamp(at.0.checked_sub(nanos)?)), end: Some(at) })
}
