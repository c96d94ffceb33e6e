//! The session that ships with the page: invented, with every outcome, and growing while somebody looks on.
//!
//! It is told once, with instants counted from when the reader opened it; a moment of it is that whole, cut off.

mod call;
mod later;
mod script;
mod story;
mod subagents;
mod texts;
mod tools;
mod weather;

use std::sync::{Arc, LazyLock};

use crate::trace::{Agent, Exchange, ExchangeId, Job, Outcome, Output, Prompt, Session, Span, Timestamp, ToolCall};
use script::Script;

/// The session's id.
pub const ID: &str = "demo";

static WHOLE: LazyLock<Session> = LazyLock::new(|| {
    let (mut script, main) = Script::new(ID, "Demo: the frost point is off below freezing", "claude-code/2.1.30");
    story::tell(&mut script, main);
    script.opens(3_000);
    later::tell(&mut script, main);
    script.finish()
});

/// The session as it stands at `now`, for a reader who opened it at `opened`.
///
/// The first part lies before `opened` and has about 40 calls; after that a call comes every few seconds for some
/// ten minutes. A `now` before `opened` counts as `opened`.
#[must_use]
pub fn session(opened: Timestamp, now: Timestamp) -> Session {
    let moment = Moment { opened, now: now.max(opened) };
    let whole = &*WHOLE;
    let exchanges: Vec<_> = whole.exchanges.iter().filter_map(|exchange| moment.exchange(exchange)).collect();
    let last = exchanges.last().map(|exchange| exchange.id);
    Session {
        id: whole.id.clone(),
        title: whole.title.clone(),
        host: whole.host.clone(),
        agents: whole.agents.iter().filter_map(|agent| moment.agent(agent)).collect(),
        calls: whole.calls.iter().filter_map(|call| moment.call(call)).map(Arc::new).collect(),
        jobs: whole.jobs.iter().filter_map(|job| moment.job(job)).collect(),
        prompts: whole.prompts.iter().filter_map(|prompt| moment.prompt(prompt, last)).collect(),
        exchanges,
        ..Session::default()
    }
}

/// What can be seen of the whole at an instant.
struct Moment {
    opened: Timestamp,
    now: Timestamp,
}

impl Moment {
    /// The instant on the reader's clock.
    fn at(&self, offset: Timestamp) -> Timestamp {
        Timestamp(self.opened.0.saturating_add(offset.0))
    }

    /// The part of a span that has passed, if any; and whether its end is still to come.
    fn span(&self, span: Span) -> Option<(Span, bool)> {
        let start = span.start.map(|at| self.at(at)).filter(|start| *start <= self.now)?;
        let end = span.end.map(|at| self.at(at));
        let passed = end.filter(|end| *end <= self.now);
        Some((Span { start: Some(start), end: passed }, end != passed))
    }

    fn agent(&self, agent: &Agent) -> Option<Agent> {
        let (run, _) = self.span(agent.run)?;
        Some(Agent { run, ..agent.clone() })
    }

    fn job(&self, job: &Job) -> Option<Job> {
        let (span, _) = self.span(job.span)?;
        Some(Job { span, ..job.clone() })
    }

    fn prompt(&self, prompt: &Prompt, last: Option<ExchangeId>) -> Option<Prompt> {
        let at = prompt.at.map(|at| self.at(at)).filter(|at| *at <= self.now)?;
        let before = prompt.before.filter(|id| Some(*id) <= last);
        Some(Prompt { at: Some(at), before, ..prompt.clone() })
    }

    fn exchange(&self, exchange: &Exchange) -> Option<Exchange> {
        let (span, in_flight) = self.span(exchange.span)?;
        let seen = Exchange { span, ..exchange.clone() };
        Some(if in_flight { Exchange::begun(seen.id, seen.agent, seen.kind, span, seen.name) } else { seen })
    }

    fn call(&self, call: &ToolCall) -> Option<ToolCall> {
        let (span, runs) = self.span(call.span)?;
        let seen = ToolCall { span, ..call.clone() };
        if !runs {
            return Some(seen);
        }
        Some(ToolCall { outcome: Outcome::Running, output: Output::None, structured: None, ..seen })
    }
}

#[cfg(test)]
mod tests;
