use super::super::check::{calls, input, laws_of_documents, one, seconds};
use super::*;

#[test]
fn reads_both_versions_of_a_trajectory() {
    let new = r#"{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"n","version":"1","model_name":"m"},"steps":[
        {"step_id":1,"source":"user","message":"go"},
        {"step_id":2,"timestamp":"2026-01-01T00:00:01Z","source":"agent","message":"I look.","tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{"x":1}},{"tool_call_id":"b","function_name":"g","arguments":{}}],"observation":{"results":[{"source_call_id":"b","content":"2"},{"source_call_id":"a","content":"1"},{"source_call_id":"z","content":"?"}]}},9]}"#;
    let reading = one(new);
    assert_eq!(calls(&reading.session), [r#"a f @0 ok "1""#, r#"b g @0 ok "2""#, r#"z  @- ok "?""#]);
    assert_eq!((reading.orphans, reading.session.problems.len(), reading.session.prompts.len()), (1, 1, 1));
    assert_eq!((reading.session.host.as_deref(), seconds(&reading.session)[0]), (Some("n/1"), (Some(1), None)));
    laws_of_documents(new, read);
    let old = r#"{"schema_version":"1.5","session_id":"s","steps":[{"source":"agent","message":{"role":"assistant","content":"c"},"tool_calls":[{"id":"a","name":"f","arguments":"{}","timestamp":"2026-01-01T00:00:02Z"}]}]}"#;
    let session = one(old).session;
    assert_eq!((calls(&session), seconds(&session)), (vec!["a f @0 lost ·".to_owned()], vec![(Some(2), None)]));
}

#[test]
fn parallel_lists_pair_by_place() {
    let session = one(r#"{"tool_uses":[{"name":"f","args":{"x":1}},{"name":"g","args":{}},{"name":"h","args":{}}],"tool_responses":[{"name":"f","response":"1"},{"name":"other","response":"2"}]}"#).session;
    assert_eq!(
        calls(&session).iter().map(|call| call.split_once(' ').unwrap().1.to_owned()).collect::<Vec<_>>(),
        [r#"f @0 ok "1""#, "g @0 lost ·", "h @0 lost ·"]
    );
    assert_eq!(input(&session.calls[0]), r#"{"x":1}"#);
}
