use super::super::check::{calls, one};
use super::*;

/// A rollout of Codex with one call of its own.
fn thread(id: &str, parent: &str, lines: &[&str]) -> Reading {
    let source = if parent.is_empty() {
        "\"cli\"".to_owned()
    } else {
        format!(r#"{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{parent}","agent_role":"explorer"}}}}}}"#)
    };
    let head = format!(
        r#"{{"timestamp":"2026-01-02T00:00:00Z","type":"session_meta","payload":{{"id":"{id}","source":{source}}}}}"#
    );
    one(&[&[head.as_str()], lines].concat().join("\n"))
}

const SPAWN: [&str; 2] = [
    r#"{"timestamp":"2026-01-02T00:00:01Z","type":"response_item","payload":{"type":"function_call","name":"spawn_agent","arguments":"{}","call_id":"spawn"}}"#,
    r#"{"timestamp":"2026-01-02T00:00:02Z","type":"response_item","payload":{"type":"function_call_output","call_id":"spawn","output":"{\"agent_id\":\"child\",\"nickname\":\"Ada\"}"}}"#,
];
const RUN: [&str; 2] = [
    r#"{"timestamp":"2026-01-02T00:00:03Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"run"}}"#,
    r#"{"timestamp":"2026-01-02T00:00:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"run","output":"ok"}}"#,
];

#[test]
fn a_spawned_thread_stands_under_the_call_that_spawned_it() {
    for order in [[0, 1], [1, 0]] {
        let both = [thread("root", "", &SPAWN), thread("child", "root", &RUN)];
        let joined = join(order.map(|place| both[place].clone()).to_vec());
        assert_eq!(joined.len(), 1);
        let session = &joined[0].session;
        assert_eq!(&*session.id, "root");
        assert_eq!(calls(session)[1], r#"child/run shell @1 ok "ok""#);
        let agent = &session.agents[1];
        assert_eq!(
            (&*agent.id, agent.label.as_deref(), agent.spawned_by.as_deref()),
            ("child", Some("Ada"), Some("spawn"))
        );
        assert_eq!(agent.run.nanos(), Some(1_000_000_000));
        assert_eq!((session.exchanges[1].id, &*session.exchanges[1].agent), (1, "child"));
    }
}

#[test]
fn threads_of_threads_go_back_to_the_first() {
    let joined = join(vec![
        thread("c", "b", &RUN),
        thread("a", "", &SPAWN),
        thread("b", "a", &RUN),
        thread("d", "elsewhere", &RUN),
    ]);
    let ids: Vec<_> = joined.iter().map(|reading| (&*reading.session.id, reading.session.calls.len())).collect();
    assert_eq!(ids, [("a", 3), ("d", 1)]);
}

#[test]
fn sessions_that_name_each_other_as_parents_stand_alone() {
    assert_eq!(join(vec![thread("a", "b", &RUN), thread("b", "a", &RUN), thread("c", "c", &RUN)]).len(), 3);
}

#[test]
fn a_session_in_two_files_is_shown_once() {
    let joined = join(vec![
        thread("a", "", &RUN[..1]),
        thread("a", "", &[&SPAWN[..], &RUN[..]].concat()),
        thread("a", "", &RUN),
    ]);
    assert_eq!(joined.len(), 1);
    assert_eq!(joined[0].session.calls.len(), 2);
}

#[test]
fn the_files_of_a_storage_are_one_session() {
    let message = |id: &str, second: u32| {
        format!(
            r#"{{"id":"{id}","sessionID":"s","role":"assistant","time":{{"created":17673120{second:02}000}},"modelID":"m-{id}"}}"#
        )
    };
    let part = |id: &str, second: u32| {
        format!(
            r#"{{"id":"p{id}","sessionID":"s","messageID":"m","type":"tool","callID":"{id}","tool":"bash","state":{{"status":"completed","input":{{}},"output":"","time":{{"start":17673120{second:02}000,"end":17673120{second:02}500}}}}}}"#
        )
    };
    let head = r#"{"id":"s","version":"1.2.3","projectID":"p","directory":"/w","title":"Tables","time":{"created":1767312000000}}"#;
    let files = [part("late", 30), message("two", 20), part("early", 11), head.to_owned(), message("one", 10)];
    let joined = join(files.iter().map(|text| one(text)).collect());
    assert_eq!(joined.len(), 1);
    let session = &joined[0].session;
    assert_eq!(session.title.as_deref(), Some("Tables"));
    let asked: Vec<_> = session
        .calls
        .iter()
        .map(|call| {
            let by = session.exchanges.iter().find(|exchange| Some(exchange.id) == call.asked_by).unwrap();
            format!("{} {}", call.key.id, by.name)
        })
        .collect();
    assert_eq!(asked, ["early m-one", "late m-two"]);
}
