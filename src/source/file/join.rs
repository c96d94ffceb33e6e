//! Sessions of several files that belong together: sub-agents under the session that spawned them, pieces of one session
//! into one, and a session that stands in two files once.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Belongs, Format, Reading};
use crate::trace::{Agent, AgentId, ExchangeId, Session, Span, ToolCall, reorder, time_order};

#[cfg(test)]
mod tests;

/// Joins what belongs together; what is left keeps its order.
#[must_use]
pub fn join(readings: Vec<Reading>) -> Vec<Reading> {
    adopt_children(drop_doubles(join_parts(readings)))
}

/// What names the session of a reading among all that were read.
type Name = (Format, Arc<str>);

fn name(reading: &Reading) -> Name {
    (reading.format, Arc::clone(&reading.session.id))
}

/// Of two files with one session the one that holds more calls is kept.
fn drop_doubles(readings: Vec<Reading>) -> Vec<Reading> {
    let mut places: HashMap<Name, usize> = HashMap::new();
    let mut kept: Vec<Reading> = Vec::with_capacity(readings.len());
    for reading in readings {
        if let Some(&place) = places.get(&name(&reading)) {
            if reading.session.calls.len() > kept[place].session.calls.len() {
                kept[place] = reading;
            }
        } else {
            places.insert(name(&reading), kept.len());
            kept.push(reading);
        }
    }
    kept
}

/// The pieces of a session that stand in files of their own, put into the order of their times.
fn join_parts(readings: Vec<Reading>) -> Vec<Reading> {
    let mut places: HashMap<Name, usize> = HashMap::new();
    let mut joined: Vec<Reading> = Vec::with_capacity(readings.len());
    for reading in readings {
        let place = places.get(&name(&reading)).copied().filter(|_| reading.belongs == Belongs::Part);
        let Some(place) = place else {
            if reading.belongs == Belongs::Part {
                places.insert(name(&reading), joined.len());
            }
            joined.push(reading);
            continue;
        };
        let whole = &mut joined[place];
        whole.orphans += reading.orphans;
        take_in(&mut whole.session, reading.session, &reading.file, None);
    }
    for place in places.into_values() {
        order(&mut joined[place].session);
    }
    joined
}

/// Orders what came from several files, and gives each call without an exchange the last one that began before it.
fn order(session: &mut Session) {
    let keys = session.exchanges.iter().map(|exchange| (exchange.span.start, exchange.id));
    let exchanges = time_order(keys);
    reorder(&mut session.exchanges, &exchanges);
    let calls = time_order(session.calls.iter().map(|call| (call.span.start, 0)));
    reorder(&mut session.calls, &calls);
    for call in session.calls.iter_mut().filter(|call| call.asked_by.is_none()) {
        let Some(start) = call.span.start else { continue };
        let began = session.exchanges.partition_point(|exchange| exchange.span.start.is_none_or(|at| at <= start));
        let asked_by = began.checked_sub(1).map(|place| session.exchanges[place].id);
        Arc::make_mut(call).asked_by = asked_by;
    }
}

/// Puts sessions of sub-agents into the session that they go back to, where that was read too.
fn adopt_children(readings: Vec<Reading>) -> Vec<Reading> {
    let parents: HashMap<Name, Name> =
        readings.iter().filter_map(|reading| Some((name(reading), parent(reading)?))).collect();
    let there: HashMap<Name, usize> =
        readings.iter().enumerate().map(|(place, reading)| (name(reading), place)).collect();
    let root = |reading: &Reading| {
        let mut at = name(reading);
        // Sessions that name each other as their parents belong nowhere.
        for _ in 0..=parents.len() {
            match parents.get(&at).filter(|parent| there.contains_key(*parent)) {
                Some(parent) => at = parent.clone(),
                None => return there.get(&at).copied(),
            }
        }
        None
    };
    let roots: Vec<_> = readings.iter().map(root).collect();
    let mut slots: Vec<_> = readings.into_iter().map(Some).collect();
    for (place, root) in roots.into_iter().enumerate() {
        let Some(root) = root.filter(|root| *root != place) else { continue };
        let Some(child) = slots[place].take() else { continue };
        if let Some(parent) = &mut slots[root] {
            parent.orphans += child.orphans;
            let lane = Arc::clone(&child.session.id);
            // What the parent told of the child's run as it went on stands in the child's own file.
            parent.session.calls.retain(|call| call.key.agent != lane);
            parent.session.exchanges.retain(|exchange| exchange.agent != lane);
            take_in(&mut parent.session, child.session, &child.file, Some(&lane));
            let keys = parent.session.exchanges.iter().map(|exchange| (exchange.span.start, exchange.id));
            let exchanges = time_order(keys);
            reorder(&mut parent.session.exchanges, &exchanges);
        }
    }
    slots.into_iter().flatten().collect()
}

fn parent(reading: &Reading) -> Option<Name> {
    match &reading.belongs {
        Belongs::Child { parent } => Some((reading.format, Arc::clone(parent))),
        Belongs::Alone | Belongs::Part => None,
    }
}

/// Takes all of a session into another. What its main agent did stands under `lane`, if that is given.
fn take_in(session: &mut Session, other: Session, file: &str, lane: Option<&AgentId>) {
    let main = other.agents.first().map(|agent| Arc::clone(&agent.id));
    let renamed = |agent: &AgentId| match lane {
        Some(lane) if main.as_ref() == Some(agent) => Arc::clone(lane),
        _ => Arc::clone(agent),
    };
    let run = lane.map_or_else(Span::default, |_| span(&other));
    for agent in &other.agents {
        let id = renamed(&agent.id);
        let run = if main.as_ref() == Some(&agent.id) { run } else { agent.run };
        take_agent(session, Agent { id, run, ..agent.clone() });
    }
    let next = session.exchanges.iter().map(|exchange| exchange.id + 1).max().unwrap_or(0);
    session.exchanges.extend(other.exchanges.into_iter().map(|mut exchange| {
        exchange.id += next;
        exchange.agent = renamed(&exchange.agent);
        exchange
    }));
    session.calls.extend(other.calls.into_iter().map(|call| Arc::new(moved(&call, next, renamed(&call.key.agent)))));
    session.prompts.extend(other.prompts.into_iter().map(|mut prompt| {
        prompt.agent = renamed(&prompt.agent);
        prompt.before = prompt.before.map(|before| before + next);
        prompt
    }));
    session.jobs.extend(other.jobs);
    session.repeats += other.repeats;
    session.problems.extend(other.problems.into_iter().map(|mut problem| {
        problem.place = format!("{file}, {}", problem.place);
        problem
    }));
    session.title = session.title.take().or(other.title);
    session.host = session.host.take().or(other.host);
}

fn moved(call: &ToolCall, next: ExchangeId, agent: AgentId) -> ToolCall {
    let mut call = call.clone();
    call.asked_by = call.asked_by.map(|asked_by| asked_by + next);
    call.key.agent = agent;
    call
}

/// The session that spawned an agent knows by which call; the agent's own knows the rest.
fn take_agent(session: &mut Session, agent: Agent) {
    match session.agents.iter_mut().find(|known| known.id == agent.id) {
        Some(known) => {
            known.label = known.label.take().or(agent.label);
            known.spawned_by = known.spawned_by.take().or(agent.spawned_by);
            known.run = if known.run == Span::default() { agent.run } else { known.run };
        }
        None => session.agents.push(agent),
    }
}

/// From the first instant that a session tells to the last.
fn span(session: &Session) -> Span {
    let spans =
        session.exchanges.iter().map(|exchange| exchange.span).chain(session.calls.iter().map(|call| call.span));
    let instants: Vec<_> = spans.flat_map(|span| [span.start, span.end]).flatten().collect();
    Span { start: instants.iter().min().copied(), end: instants.iter().max().copied() }
}
