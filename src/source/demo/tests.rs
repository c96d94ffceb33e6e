//! What the demo session promises, at its opening and while it grows.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::trace::{Block, CallKey, Content, ExchangeKind, Refuser};
use proptest::prelude::*;

const OPENED: Timestamp = Timestamp(1_790_000_000_000_000_000);
const SECOND: i64 = 1_000_000_000;
const FOR_LONG: i64 = 3_600;

fn after(seconds: i64) -> Session {
    session(OPENED, Timestamp(OPENED.0 + seconds * SECOND))
}

fn by_key(session: &Session) -> HashMap<&CallKey, &ToolCall> {
    session.calls.iter().map(|call| (&call.key, &**call)).collect()
}

fn lines(call: &ToolCall) -> usize {
    let blocks = call.output.held().map_or(&[][..], Vec::as_slice);
    blocks
        .iter()
        .map(|block| match block {
            Block::Text(text) => text.read().lines().count(),
            _ => 0,
        })
        .sum()
}

#[test]
fn about_forty_calls_stand_there_when_it_opens() {
    assert!((38..=50).contains(&after(0).calls.len()), "{}", after(0).calls.len());
}

#[test]
fn shows_every_outcome_when_it_opens() {
    let seen: HashSet<Outcome> = after(0).calls.iter().map(|call| call.outcome.clone()).collect();
    let [user, policy] = [Refuser::User, Refuser::Policy].map(|by| Outcome::Refused { by });
    let all = [
        Outcome::Running,
        Outcome::Ok,
        Outcome::Error,
        Outcome::Lost,
        Outcome::EndsRun,
        Outcome::AwaitingApproval,
        Outcome::Cancelled,
        user,
        policy,
    ];
    assert_eq!(seen, HashSet::from(all));
}

#[test]
fn the_newest_event_is_a_few_seconds_old_when_it_opens() {
    let opening = after(0);
    let spans =
        opening.calls.iter().map(|call| call.span).chain(opening.exchanges.iter().map(|exchange| exchange.span));
    let newest = spans.flat_map(|span| [span.start, span.end]).flatten().max().unwrap();
    assert!((SECOND..10 * SECOND).contains(&OPENED.since(newest)), "{}", OPENED.since(newest));
}

#[test]
fn keys_and_exchanges_are_unique_and_in_order() {
    let whole = after(FOR_LONG);
    assert_eq!(by_key(&whole).len(), whole.calls.len());
    assert!(whole.exchanges.is_sorted_by(|a, b| a.span.start <= b.span.start && a.id < b.id));
    assert!(whole.calls.is_sorted_by_key(|call| call.span.start));
    assert!(whole.prompts.is_sorted_by_key(|prompt| prompt.at));
}

#[test]
fn calls_begin_when_the_exchange_that_asked_for_them_ends() {
    for seconds in [0, 7, 61, FOR_LONG] {
        let session = after(seconds);
        for call in &session.calls {
            let asked = session.exchanges.iter().find(|exchange| Some(exchange.id) == call.asked_by).unwrap();
            assert_eq!((&asked.agent, asked.span.end), (&call.key.agent, call.span.start), "{call:?}");
            assert!(asked.wants_tools && asked.kind == ExchangeKind::Model);
        }
        for exchange in session.exchanges.iter().filter(|exchange| exchange.wants_tools) {
            assert!(session.calls.iter().any(|call| call.asked_by == Some(exchange.id)), "{exchange:?}");
        }
    }
}

#[test]
fn an_agent_asks_again_only_when_its_calls_have_ended() {
    let whole = after(FOR_LONG);
    for agent in &whole.agents {
        let model = |exchange: &&Exchange| exchange.agent == agent.id && exchange.kind == ExchangeKind::Model;
        let spans: Vec<_> = whole.exchanges.iter().filter(model).map(|exchange| exchange.span).collect();
        assert!(spans.is_sorted_by(|earlier, later| earlier.end <= later.start));
        assert!(spans.iter().all(|span| agent.run.start <= span.start));
        for call in whole.calls.iter().filter(|call| call.key.agent == agent.id) {
            let follows = |span: &&Span| span.start >= call.span.start;
            let next = spans.iter().find(follows).and_then(|span| span.start);
            assert!(next.is_none_or(|next| call.span.end.is_none_or(|end| end <= next)), "{call:?}");
            assert!(call.span.nanos().is_none_or(|nanos| nanos > 0));
        }
    }
}

#[test]
fn sub_agents_run_longer_than_the_calls_that_spawn_them() {
    let whole = after(FOR_LONG);
    let explorer = whole.agents.iter().find(|agent| agent.label.as_deref() == Some("Explore")).unwrap();
    let by = whole.calls.iter().find(|call| Some(&call.key.id) == explorer.spawned_by.as_ref()).unwrap();
    assert_eq!((&*by.name, by.span.start), ("Agent", explorer.run.start));
    assert!(by.span.nanos().unwrap() < 3 * SECOND);
    assert!(explorer.run.nanos().unwrap() > 120 * SECOND);
    let calls: Vec<_> = whole.calls.iter().filter(|call| call.key.agent == explorer.id).collect();
    assert!((9..=12).contains(&calls.len()));
    assert!(calls.iter().any(|call| call.outcome == Outcome::Error));
    assert_eq!(calls.last().unwrap().outcome, Outcome::EndsRun);
}

#[test]
fn jobs_begin_when_the_bash_call_that_started_them_ends() {
    let opening = after(0);
    assert_eq!(opening.jobs.len(), 2);
    for job in &opening.jobs {
        let starts = |call: &&Arc<ToolCall>| call.key.agent == job.agent && call.span.end == job.span.start;
        let call = opening.calls.iter().find(starts).unwrap();
        assert_eq!(&*call.name, "Bash");
        assert!(call.input.held().unwrap().read().contains("run_in_background"));
        let read = |call: &&Arc<ToolCall>| &*call.name == "BashOutput";
        let results = opening.calls.iter().find(read).unwrap();
        assert!(job.span.end.is_none_or(|end| Some(end) < results.span.end), "read before it was through");
    }
}

#[test]
fn has_an_example_of_everything_that_a_card_can_show() {
    let opening = after(0);
    let counts: HashSet<usize> = opening.calls.iter().map(|call| lines(call)).collect();
    for count in [0, 1, 12, 13, 128, 1_200] {
        assert!(counts.contains(&count), "{count} lines");
    }
    let outputs = format!("{:?}", opening.calls.iter().map(|call| &call.output).collect::<Vec<_>>());
    for part in [
        "\\u{1b}[31m",
        "[38;5;208m",
        "[38;2;",
        "\\r",
        "<script>",
        "\\u{202e}",
        "札幌",
        "image/png",
        "Json(\"false\")",
        "Reference(",
    ] {
        assert!(outputs.contains(part), "{part}");
    }
    let longest = opening.calls.iter().filter_map(|call| call.output.held()).flatten().map(|block| match block {
        Block::Text(text) => text.read().lines().map(|line| line.chars().count()).max().unwrap_or(0),
        _ => 0,
    });
    assert!(longest.max() > Some(5_000));
    let names: HashSet<&str> = opening.calls.iter().map(|call| &*call.name).collect();
    for name in [
        "Agent",
        "AskUserQuestion",
        "Bash",
        "BashOutput",
        "Edit",
        "Glob",
        "Grep",
        "MultiEdit",
        "Read",
        "Skill",
        "StructuredOutput",
        "TaskOutput",
        "TodoWrite",
        "WebFetch",
        "WebSearch",
        "Write",
        "mcp__weather__stations",
    ] {
        assert!(names.contains(name), "{name}");
    }
    let ends: Vec<_> = opening.calls.iter().filter_map(|call| Some((call.asked_by, call.span.end?))).collect();
    assert!(ends.len() > ends.iter().collect::<HashSet<_>>().len(), "calls in parallel");
    let exchanges = &opening.exchanges;
    assert!(exchanges.iter().any(|exchange| exchange.status == Some(529) && exchange.error.is_some()));
    assert!(exchanges.iter().any(|exchange| exchange.kind == ExchangeKind::Other));
    assert!(exchanges.iter().any(|exchange| exchange.status == Some(200)
        && exchange.said.is_some()
        && !exchange.wants_tools
        && exchange.kind == ExchangeKind::Model));
}

#[test]
fn inputs_and_structured_results_are_json() {
    for call in after(FOR_LONG).calls {
        let input = call.input.held().unwrap().read().into_owned();
        let json = call.output.held().into_iter().flatten().filter_map(|block| match block {
            Block::Json(text) => Some(text.read().into_owned()),
            _ => None,
        });
        let structured = call.structured.iter().map(|text| text.read().into_owned());
        for text in std::iter::once(input).chain(json).chain(structured) {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        }
    }
}

#[test]
fn every_prompt_is_answered() {
    let opening = after(0);
    assert!(opening.prompts.len() >= 3);
    assert!(opening.prompts.iter().all(|prompt| prompt.before.is_some()));
}

#[test]
fn grows_a_call_every_few_seconds_and_then_rests() {
    let counts: Vec<_> = (0..FOR_LONG / 15).map(|step| after(step * 15).calls.len()).collect();
    let growing = counts.windows(2).take_while(|pair| pair[1] > pair[0]).count();
    assert!(growing * 15 > 400, "grows for {} s", growing * 15);
    let more = counts.last().unwrap() - counts[0];
    assert!((100..=200).contains(&more), "{more} more");
    let rest = after(FOR_LONG);
    assert_eq!(rest, after(FOR_LONG));
    assert!(rest.calls.iter().all(|call| call.outcome != Outcome::Running));
    assert_eq!(rest.calls, after(2 * FOR_LONG).calls);
}

#[test]
fn what_has_ended_never_changes() {
    let mut earlier = after(0);
    for seconds in 1..900 {
        let later = after(seconds);
        {
            let (now, then) = (by_key(&later), by_key(&earlier));
            for (key, call) in then {
                let now = now[key];
                assert_eq!(
                    (&call.name, call.asked_by, call.span.start, &call.input),
                    (&now.name, now.asked_by, now.span.start, &now.input)
                );
                assert!(!call.outcome.has_ended() || call == now, "{call:?} became {now:?}");
            }
        }
        for (before, after) in earlier.exchanges.iter().zip(&later.exchanges) {
            assert_eq!((before.id, before.span.start), (after.id, after.span.start));
            assert!(before.span.end.is_none() || before == after);
        }
        earlier = later;
    }
}

#[test]
fn a_running_call_has_neither_end_nor_output() {
    for seconds in 0..200 {
        let session = after(seconds);
        for call in session.calls.iter().filter(|call| !call.outcome.has_ended()) {
            assert_eq!((call.span.end, &call.output, &call.structured), (None, &Content::None, &None));
        }
        let in_flight = session.exchanges.iter().filter(|exchange| exchange.span.end.is_none());
        assert!(in_flight.clone().all(|exchange| exchange.status.is_none() && exchange.said.is_none()));
        assert!(in_flight.count() <= 2);
    }
}

proptest! {
    #[test]
    fn any_two_instants_give_a_session(opened in any::<i64>(), now in any::<i64>()) {
        let (opened, now) = (Timestamp(opened), Timestamp(now));
        let seen = session(opened, now);
        prop_assert!(seen == session(opened, now));
        if now <= opened {
            prop_assert!(seen == session(opened, opened));
        }
    }
}
