//! Which calls are shown, and what there is to choose from (specs: ledger, *Filters*).

use std::sync::Arc;

use super::names::Names;
use super::{Took, clock, duration_text, took};
use crate::trace::{AgentId, Outcome, Session, Timestamp, ToolCall, reorder, time_order};

/// The names of outcomes, in the order in which they are offered.
const OUTCOMES: [&str; 8] = ["error", "running", "awaiting-approval", "ok", "refused", "cancelled", "lost", "ends-run"];

/// Which calls are shown: those that meet each of its parts. An empty part asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Names of outcomes, as [`Outcome::name`] gives them.
    pub outcomes: Vec<Arc<str>>,
    /// Names of tools.
    pub tools: Vec<Arc<str>>,
    /// Agents.
    pub agents: Vec<AgentId>,
    /// The shortest duration in nanoseconds.
    pub min_duration: i64,
    /// Calls that ran at some time from the first instant to the second.
    pub range: Option<(Timestamp, Timestamp)>,
}

/// A part of a filter that can be taken off by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// An outcome.
    Outcome(Arc<str>),
    /// A tool.
    Tool(Arc<str>),
    /// An agent.
    Agent(AgentId),
    /// The shortest duration.
    MinDuration,
    /// The time range.
    Range,
}

/// A value that a filter can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// What the filter holds.
    pub value: Arc<str>,
    /// Its name for the reader.
    pub label: Arc<str>,
    /// How many calls of the session have it.
    pub count: usize,
}

/// What there is to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// What needs a look first.
    pub outcomes: Vec<Facet>,
    /// The most used first.
    pub tools: Vec<Facet>,
    /// In the order in which they came up.
    pub agents: Vec<Facet>,
}

impl Filter {
    /// Whether it leaves anything out.
    #[must_use]
    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }

    /// Whether it shows a call at `now`.
    #[must_use]
    pub fn shows(&self, call: &ToolCall, now: Timestamp) -> bool {
        let asks = |wanted: &[Arc<str>], has: &str| wanted.is_empty() || wanted.iter().any(|name| **name == *has);
        asks(&self.outcomes, call.outcome.name())
            && asks(&self.tools, &call.name)
            && asks(&self.agents, &call.key.agent)
            && (self.min_duration <= 0 || length(took(call), now) >= self.min_duration)
            && self.range.is_none_or(|range| meets(call, range, now))
    }

    /// What is on, with its words for the reader; `offset` is minutes east of UTC.
    #[must_use]
    pub fn chips(&self, session: &Session, offset: i32) -> Vec<(Part, String)> {
        let mut chips = Vec::new();
        for outcome in &self.outcomes {
            chips.push((Part::Outcome(Arc::clone(outcome)), outcome.replace('-', " ")));
        }
        for tool in &self.tools {
            chips.push((Part::Tool(Arc::clone(tool)), tool_label(tool).to_string()));
        }
        for agent in &self.agents {
            chips.push((Part::Agent(Arc::clone(agent)), agent_label(session, agent).to_string()));
        }
        if self.min_duration > 0 {
            chips.push((Part::MinDuration, format!("≥ {}", duration_text(self.min_duration))));
        }
        if let Some((from, to)) = self.range {
            chips.push((Part::Range, format!("{} to {}", clock(from, offset), clock(to, offset))));
        }
        chips
    }

    /// Asks for this value too, or no longer.
    pub fn toggle(&mut self, part: &Part) {
        let (values, value) = match part {
            Part::Outcome(value) => (&mut self.outcomes, value),
            Part::Tool(value) => (&mut self.tools, value),
            Part::Agent(value) => (&mut self.agents, value),
            Part::MinDuration => {
                self.min_duration = 0;
                return;
            }
            Part::Range => {
                self.range = None;
                return;
            }
        };
        let former = values.len();
        values.retain(|other| other != value);
        if values.len() == former {
            values.push(Arc::clone(value));
        }
    }
}

impl Facets {
    /// What the calls of `session` have.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let (mut tool_names, mut agent_names) = (Names::default(), Names::default());
        let (mut tools, mut agents): (Vec<Facet>, Vec<Facet>) = (Vec::new(), Vec::new());
        let mut outcomes = [0; OUTCOMES.len()];
        for call in &session.calls {
            count(&mut tools, tool_names.number(&call.name), &call.name);
            count(&mut agents, agent_names.number(&call.key.agent), &call.key.agent);
            if let Some(at) = OUTCOMES.iter().position(|name| *name == call.outcome.name()) {
                outcomes[at] += 1;
            }
        }
        for tool in &mut tools {
            tool.label = tool_label(&tool.value);
        }
        for agent in &mut agents {
            agent.label = agent_label(session, &agent.value);
        }
        let order =
            time_order(tools.iter().map(|tool| (i64::try_from(tool.count).ok().map(|count| Timestamp(-count)), 0)));
        reorder(&mut tools, &order);
        let outcome = |(name, count): (&str, usize)| {
            (count > 0).then(|| Facet { value: name.into(), label: name.replace('-', " ").into(), count })
        };
        let outcomes = OUTCOMES.into_iter().zip(outcomes).filter_map(outcome).collect();
        Self { outcomes, tools, agents }
    }
}

fn count(facets: &mut Vec<Facet>, number: usize, value: &Arc<str>) {
    if number == facets.len() {
        facets.push(Facet { value: Arc::clone(value), label: Arc::clone(value), count: 0 });
    }
    facets[number].count += 1;
}

fn tool_label(name: &Arc<str>) -> Arc<str> {
    if name.is_empty() { "unknown tool".into() } else { Arc::clone(name) }
}

fn agent_label(session: &Session, id: &AgentId) -> Arc<str> {
    let agent = session.agents.iter().find(|agent| agent.id == *id);
    agent.and_then(|agent| agent.label.clone()).unwrap_or_else(|| Arc::clone(id))
}

/// What a call's time counts as where calls are compared: a running one's until now, and none as nothing.
pub(super) fn length(took: Took, now: Timestamp) -> i64 {
    match took {
        Took::Nanos(nanos) => nanos,
        Took::Running(since) => now.since(since).max(0),
        Took::Unknown | Took::ClocksDisagree => 0,
    }
}

fn meets(call: &ToolCall, (from, to): (Timestamp, Timestamp), now: Timestamp) -> bool {
    let Some(start) = call.span.start else { return false };
    let open = if call.outcome == Outcome::Running { now } else { start };
    start <= to && call.span.end.unwrap_or(open).max(start) >= from
}

#[cfg(test)]
mod tests;
