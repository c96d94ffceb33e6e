use super::*;
use crate::trace::{Agent, CallKey, Content, Span};

fn call(agent: &str, name: &str, outcome: Outcome, start: i64, end: Option<i64>) -> ToolCall {
    ToolCall {
        key: CallKey { agent: agent.into(), id: "".into(), nth: 0 },
        name: name.into(),
        asked_by: None,
        span: Span { start: Some(Timestamp(start)), end: end.map(Timestamp) },
        approximate: false,
        outcome,
        preview: None,
        input: Content::None,
        output: Content::None,
        structured: None,
    }
}

#[test]
fn a_call_is_shown_when_it_meets_each_part() {
    let failed = call("main", "Bash", Outcome::Error, 10, Some(40));
    let runs = call("a1", "Read", Outcome::Running, 20, None);
    let lost = call("a1", "Bash", Outcome::Lost, 30, Some(99));
    let none = Filter::default();
    for (filter, shown) in [
        (none.clone(), [true, true, true]),
        (Filter { outcomes: vec!["error".into(), "lost".into()], ..none.clone() }, [true, false, true]),
        (Filter { tools: vec!["Bash".into()], ..none.clone() }, [true, false, true]),
        (Filter { tools: vec!["Bash".into()], agents: vec!["a1".into()], ..none.clone() }, [false, false, true]),
        (Filter { min_duration: 30, ..none.clone() }, [true, true, false]),
        (Filter { min_duration: 31, ..none.clone() }, [false, true, false]),
        (Filter { range: Some((Timestamp(41), Timestamp(60))), ..none.clone() }, [false, true, true]),
        (Filter { range: Some((Timestamp(0), Timestamp(19))), ..none.clone() }, [true, false, false]),
    ] {
        let now = Timestamp(60);
        assert_eq!([&failed, &runs, &lost].map(|call| filter.shows(call, now)), shown, "{filter:?}");
        assert_eq!(filter.is_on(), filter != none);
    }
}

#[test]
fn a_chip_takes_off_what_it_names() {
    let session = Session {
        agents: vec![Agent { id: "a1".into(), label: Some("Explore".into()), spawned_by: None, run: Span::default() }],
        ..Session::default()
    };
    let mut filter = Filter {
        outcomes: vec!["ends-run".into()],
        tools: vec!["".into()],
        agents: vec!["a1".into()],
        min_duration: 2_000_000_000,
        range: Some((Timestamp(0), Timestamp(61_000_000_000))),
    };
    let chips = filter.chips(&session, 0);
    let words: Vec<_> = chips.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(words, ["ends run", "unknown tool", "Explore", "≥ 2.00s", "00:00:00.00 to 00:01:01.00"]);
    for (part, _) in &chips {
        filter.toggle(part);
    }
    assert!(!filter.is_on());
    filter.toggle(&Part::Tool("Bash".into()));
    assert_eq!(filter.tools, ["Bash".into()]);
}

#[test]
fn facets_count_what_the_calls_have() {
    let session = Session {
        calls: [("main", "Read", Outcome::Ok), ("a1", "Bash", Outcome::Error), ("main", "Bash", Outcome::Ok)]
            .map(|(agent, name, outcome)| Arc::new(call(agent, name, outcome, 0, Some(1))))
            .to_vec(),
        ..Session::default()
    };
    let facets = Facets::of(&session);
    let drawn =
        |facets: &[Facet]| facets.iter().map(|facet| format!("{} {}", facet.label, facet.count)).collect::<Vec<_>>();
    assert_eq!(drawn(&facets.outcomes), ["error 1", "ok 2"]);
    assert_eq!(drawn(&facets.tools), ["Bash 2", "Read 1"]);
    assert_eq!(drawn(&facets.agents), ["main 2", "a1 1"]);
}
