//! A session that changes: only what changed is changed on the page, and what the reader did stays.

use callsheet::trace::{Agent, Outcome, Session, Span};
use wasm_bindgen_test::wasm_bindgen_test;

use super::stage::{Stage, at, call, numbered, session};

#[wasm_bindgen_test]
async fn a_new_call_leaves_the_elements_of_the_others_alone() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Ok)])).await;
    stage.click(".call-header").await;
    let (row, line) = (stage.one("[data-call-id=a]"), stage.one("[data-part=output] .output-line"));
    stage.show(session(vec![call("a", "Bash", Outcome::Ok), call("b", "Read", Outcome::Running)])).await;
    assert_eq!(stage.all("[data-row=call]").len(), 2);
    assert!(stage.one("[data-call-id=a]").is_same_node(Some(&row)));
    assert!(stage.one("[data-part=output] .output-line").is_same_node(Some(&line)), "an open body is not drawn anew");
    assert_eq!(stage.text("[data-call-id=a] .call-place"), "┣", "it is no longer the last");
}

#[wasm_bindgen_test]
async fn a_running_call_ends_in_its_own_card() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Running)])).await;
    stage.click(".call-header").await;
    let row = stage.one("[data-call-id=a]");
    stage.show(session(vec![call("a", "Bash", Outcome::Ok)])).await;
    assert!(stage.one("[data-call-id=a]").is_same_node(Some(&row)));
    assert_eq!(stage.says("[data-row=call]", "data-status").as_deref(), Some("ok"));
    assert_eq!(stage.says(".call-header", "aria-expanded").as_deref(), Some("true"), "it stays open");
    assert_eq!(stage.text(".call-duration"), "2.00s");
    assert_eq!(stage.all("[data-part=output] .output-line").len(), 2);
}

#[wasm_bindgen_test]
async fn what_was_unfolded_stays_so_through_a_refresh() {
    let long = |outcome| {
        let mut call = call("a", "Bash", outcome);
        call.output = callsheet::trace::Content::Held(vec![callsheet::trace::Block::Text(numbered(20).into())]);
        call
    };
    let stage = Stage::with(session(vec![long(Outcome::Ok)])).await;
    stage.click(".call-header").await;
    stage.click(".elision").await;
    stage.show(session(vec![long(Outcome::Ok), call("b", "Read", Outcome::Ok)])).await;
    assert_eq!(stage.all("[data-call-id=a] [data-part=output] .output-line").len(), 20);
}

fn with_sub_agent() -> Session {
    let mut session = session(vec![call("spawn", "Agent", Outcome::Ok)]);
    let mut inner = call("inner", "Grep", Outcome::Error);
    inner.key.agent = "a1".into();
    inner.asked_by = None;
    session.calls.push(std::sync::Arc::new(inner));
    let agent = |id: &str, spawned_by: Option<&str>| Agent {
        id: id.into(),
        label: spawned_by.map(|_| "Explore".into()),
        spawned_by: spawned_by.map(Into::into),
        run: Span { start: Some(at(10)), end: Some(at(358)) },
    };
    session.agents = vec![agent("main", None), agent("a1", Some("spawn"))];
    session
}

#[wasm_bindgen_test]
async fn a_sub_agents_block_is_closed_at_first_and_keeps_open_cards() {
    let stage = Stage::with(with_sub_agent()).await;
    let block = "button[data-row=agent]";
    assert_eq!(stage.says(block, "aria-expanded").as_deref(), Some("false"));
    assert_eq!((stage.text(".agent-counts"), stage.text(".agent-errors")), ("1 call".into(), "1 error".into()));
    assert_eq!(stage.text(".call-note"), "run 5m48s");
    assert!(stage.all("[data-call-id=inner]").is_empty());
    stage.click(block).await;
    assert_eq!(stage.says("[data-call-id=inner]", "data-depth").as_deref(), Some("1"));
    stage.click("[data-call-id=inner] .call-header").await;
    stage.click(block).await;
    assert!(stage.all("[data-call-id=inner]").is_empty());
    stage.click(block).await;
    assert_eq!(stage.says("[data-call-id=inner] .call-header", "aria-expanded").as_deref(), Some("true"));
}
