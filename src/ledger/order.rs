//! Rows in the order that the reader wants, and only those they want (specs: ledger, *Sort, search, filter, totals*).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::filter::length;
use super::names::{Names, ranks};
use super::{CallRow, Place, Row, Sort, Took, View, rows};
use crate::trace::{AgentId, ExchangeId, Session, Timestamp, reorder, time_order};

/// The rows of `session` as `view` wants them at `now`.
///
/// Any other order than that of time opens all blocks out and tells by its exchange's number where a call belongs;
/// what has no value of that kind (words, heads of blocks) is left out. Ties keep the order of time.
#[must_use]
pub fn arranged(session: &Session, view: &View, now: Timestamp) -> Vec<Row> {
    let in_time = view.in_time();
    let picks = view.filter.is_on() || view.matches.is_some();
    if in_time && !picks {
        return rows(session, view);
    }
    // What a block hides must be found and ordered too, also that of agents of which only a call or an exchange tells.
    let told = session.agents.iter().map(|agent| &agent.id);
    let seen = session.calls.iter().map(|call| &call.key.agent);
    let seen = seen.chain(session.exchanges.iter().map(|exchange| &exchange.agent));
    let agents: HashSet<&AgentId> = told.chain(seen).collect();
    let open_agents = agents.into_iter().map(Arc::clone).collect();
    let mut rows = rows(session, &View { open_agents, ..view.clone() });
    if picks {
        pick(session, view, now, &mut rows);
    }
    if !in_time {
        sort(session, view, now, &mut rows);
    }
    rows
}

/// Leaves out the calls that are not asked for, and what stands there for them alone.
fn pick(session: &Session, view: &View, now: Timestamp, rows: &mut Vec<Row>) {
    let shows = |row: &CallRow| {
        let found = view.matches.as_ref().is_none_or(|matches| matches.contains(&row.call.key));
        found && view.filter.shows(&row.call, now)
    };
    let spawners: HashMap<&str, &AgentId> =
        session.calls.iter().rev().map(|call| (call.key.id.as_ref(), &call.key.agent)).collect();
    let spawned_by: HashMap<&AgentId, &AgentId> = session
        .agents
        .iter()
        .filter_map(|agent| Some((&agent.id, *spawners.get(agent.spawned_by.as_deref()?)?)))
        .collect();
    let mut asked: HashSet<(AgentId, ExchangeId)> = HashSet::new();
    let mut agents: HashSet<AgentId> = HashSet::new();
    for row in rows.iter() {
        let Row::Call(row) = row else { continue };
        if !shows(row) {
            continue;
        }
        if let Some(exchange) = row.call.asked_by {
            asked.insert((Arc::clone(&row.call.key.agent), exchange));
        }
        let mut agent = &row.call.key.agent;
        while agents.insert(Arc::clone(agent)) {
            let Some(parent) = spawned_by.get(agent) else { break };
            agent = parent;
        }
    }
    let asked_ids: HashSet<ExchangeId> = asked.iter().map(|(_, exchange)| *exchange).collect();
    rows.retain(|row| match row {
        Row::Call(row) => shows(row),
        Row::Exchange(row) => asked.contains(&(Arc::clone(&row.exchange.agent), row.exchange.id)),
        Row::Missing(row) => asked_ids.contains(&row.exchange),
        Row::Agent(row) => agents.contains(&row.agent.id),
        Row::Prompt(_) => false,
    });
    mark_last(rows);
}

/// Gives each last call of an exchange the mark of the last, now that others were left out.
fn mark_last(rows: &mut [Row]) {
    let mut ended: HashSet<(AgentId, ExchangeId)> = HashSet::new();
    for row in rows.iter_mut().rev() {
        let Row::Call(row) = row else { continue };
        let Some(exchange) = row.call.asked_by.filter(|_| row.place != Place::Alone) else { continue };
        let is_last = ended.insert((Arc::clone(&row.call.key.agent), exchange));
        row.place = if is_last { Place::Last } else { Place::Middle };
    }
}

fn sort(session: &Session, view: &View, now: Timestamp, rows: &mut Vec<Row>) {
    let with_exchanges = matches!(view.sort, Sort::Time | Sort::Duration);
    rows.retain(|row| matches!(row, Row::Call(_)) || with_exchanges && matches!(row, Row::Exchange(_)));
    let numbers: HashMap<(&AgentId, ExchangeId), usize> = session
        .exchanges
        .iter()
        .enumerate()
        .map(|(position, exchange)| ((&exchange.agent, exchange.id), position + 1))
        .collect();
    for row in rows.iter_mut() {
        match row {
            Row::Call(row) => {
                row.depth = 0;
                let exchange = row.call.asked_by.and_then(|exchange| numbers.get(&(&row.call.key.agent, exchange)));
                row.place = exchange.map_or(Place::Alone, |&number| Place::Asked(number));
            }
            Row::Exchange(row) => row.depth = 0,
            _ => {}
        }
    }
    let mut names = Names::default();
    let mut tools: Vec<Arc<str>> = Vec::new();
    let numbers: Vec<usize> = rows
        .iter()
        .map(|row| match row {
            Row::Call(row) if view.sort == Sort::Tool => {
                let number = names.number(&row.call.name);
                if number == tools.len() {
                    tools.push(Arc::clone(&row.call.name));
                }
                number
            }
            _ => 0,
        })
        .collect();
    let ranks = ranks(&tools.iter().collect::<Vec<_>>());
    let key = |(row, &number): (&Row, &usize)| {
        let key = match (view.sort, row) {
            (Sort::Time, Row::Call(row)) => row.call.span.start.map_or(i64::MAX, |start| start.0),
            (Sort::Time, Row::Exchange(row)) => row.exchange.span.start.map_or(i64::MAX, |start| start.0),
            (Sort::Duration, Row::Call(row)) => length(row.took, now),
            (Sort::Duration, Row::Exchange(row)) => match (row.exchange.span.start, row.exchange.span.end) {
                (Some(start), None) => length(Took::Running(start), now),
                _ => length(Took::of(row.exchange.span.nanos()), now),
            },
            (Sort::Tool, _) => ranks.get(number).map_or(0, |&rank| i64::try_from(rank).unwrap_or(i64::MAX)),
            (Sort::ResultSize, Row::Call(row)) => i64::try_from(row.call.output_size()).unwrap_or(i64::MAX),
            _ => 0,
        };
        (Some(Timestamp(view.direction.key(key))), 0)
    };
    let order = time_order(rows.iter().zip(&numbers).map(key));
    reorder(rows, &order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{Direction, Filter};
    use crate::trace::{Agent, Block, CallKey, Content, Exchange, ExchangeKind, Outcome, Span, ToolCall};

    fn call(
        agent: &str,
        id: &str,
        name: &str,
        exchange: u64,
        start: i64,
        end: Option<i64>,
        output: &str,
    ) -> Arc<ToolCall> {
        Arc::new(ToolCall {
            key: CallKey { agent: agent.into(), id: id.into(), nth: 0 },
            name: name.into(),
            asked_by: Some(exchange),
            span: Span { start: Some(Timestamp(start)), end: end.map(Timestamp) },
            approximate: false,
            outcome: if end.is_none() { Outcome::Running } else { Outcome::Ok },
            preview: None,
            input: Content::None,
            output: Content::Held(vec![Block::Text(output.into())]),
            structured: None,
        })
    }

    /// Two exchanges of the main agent, the second of which spawned another agent.
    fn session() -> Session {
        let exchange = |id, agent: &str, start, end| {
            let span = Span { start: Some(Timestamp(start)), end: Some(Timestamp(end)) };
            Exchange { wants_tools: true, ..Exchange::begun(id, agent.into(), ExchangeKind::Model, span, "m".into()) }
        };
        let agent = |id: &str, spawned_by: Option<&str>| Agent {
            id: id.into(),
            label: None,
            spawned_by: spawned_by.map(Into::into),
            run: Span::default(),
        };
        Session {
            agents: vec![agent("main", None), agent("sub", Some("c"))],
            exchanges: vec![exchange(1, "main", 0, 5), exchange(2, "main", 30, 32), exchange(3, "sub", 40, 49)],
            calls: vec![
                call("main", "a", "Read", 1, 5, Some(25), "xxxx"),
                call("main", "b", "Bash", 1, 5, Some(15), "x"),
                call("main", "c", "Agent", 2, 32, None, "xx"),
                call("sub", "d", "bash", 3, 49, Some(50), "xxx"),
            ],
            ..Session::default()
        }
    }

    fn shown(view: &View) -> Vec<String> {
        let name = |row: Row| match row {
            Row::Call(row) => format!("{}{}", row.place.mark(), row.call.key.id),
            Row::Exchange(row) => row.number.to_string(),
            Row::Agent(row) => row.agent.id.to_string(),
            _ => "?".to_owned(),
        };
        arranged(&session(), view, Timestamp(60)).into_iter().map(name).collect()
    }

    #[test]
    fn in_time_order_nothing_changes() {
        assert_eq!(shown(&View::default()), ["1", "┣a", "┗b", "2", "┗c", "sub"]);
    }

    #[test]
    fn any_other_order_opens_the_blocks_and_tells_the_exchange() {
        let by = |sort, direction, cards_only| shown(&View { cards_only, sort, direction, ..View::default() });
        let (up, down) = (Direction::Ascending, Direction::Descending);
        assert_eq!(by(Sort::Time, down, false), ["↳3d", "3", "↳2c", "2", "↳1a", "↳1b", "1"]);
        assert_eq!(
            by(Sort::Duration, down, false),
            ["↳2c", "↳1a", "↳1b", "3", "1", "2", "↳3d"],
            "running counts as now"
        );
        assert_eq!(by(Sort::Duration, up, true), ["↳3d", "↳1b", "↳1a", "↳2c"]);
        assert_eq!(by(Sort::Tool, up, false), ["↳2c", "↳1b", "↳1a", "↳3d"]);
        assert_eq!(by(Sort::ResultSize, down, false), ["↳1a", "↳3d", "↳2c", "↳1b"]);
    }

    #[test]
    fn calls_of_an_agent_that_is_not_told_are_found_and_ordered_too() {
        let mut session = session();
        session.agents.clear();
        let by_tool = View { sort: Sort::Tool, ..View::default() };
        let only = View { filter: Filter { tools: vec!["bash".into()], ..Filter::default() }, ..View::default() };
        for (view, count) in [(by_tool, 4), (only, 1)] {
            let rows = arranged(&session, &view, Timestamp(60));
            assert_eq!(rows.iter().filter(|row| matches!(row, Row::Call(_))).count(), count);
        }
    }

    #[test]
    fn agents_that_spawn_each_other_deeper_than_the_stack_are_all_shown() {
        let count = 20_000;
        let agent = |nth: u64| Agent {
            id: format!("a{nth}").into(),
            label: None,
            spawned_by: nth.checked_sub(1).map(|parent| format!("c{parent}").into()),
            run: Span::default(),
        };
        let spawns = |nth: u64| call(&format!("a{nth}"), &format!("c{nth}"), "Agent", nth, 0, Some(1), "");
        let session = Session {
            agents: (0..count).map(agent).collect(),
            calls: (0..count).map(spawns).collect(),
            ..Session::default()
        };
        let view = View { sort: Sort::Tool, ..View::default() };
        assert_eq!(arranged(&session, &view, Timestamp(60)).len(), 20_000);
    }

    #[test]
    fn a_filter_leaves_only_what_its_calls_stand_under() {
        let only =
            |tool: &str| View { filter: Filter { tools: vec![tool.into()], ..Filter::default() }, ..View::default() };
        assert_eq!(shown(&only("bash")), ["sub", "3", "┗d"]);
        assert_eq!(shown(&only("Bash")), ["1", "┗b"]);
        assert_eq!(shown(&only("Read")), ["1", "┗a"]);
        assert_eq!(shown(&only("none")), Vec::<String>::new());
        let matches = HashSet::from([CallKey { agent: "main".into(), id: "c".into(), nth: 0 }]);
        assert_eq!(shown(&View { matches: Some(Arc::new(matches)), ..View::default() }), ["2", "┗c"]);
    }
}
