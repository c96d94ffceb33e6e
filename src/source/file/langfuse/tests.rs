use super::super::check::{calls, input, laws_of_cuts, one, seconds};
use super::*;

#[test]
fn observations_of_tools_are_calls() {
    let text = r#"{"trace":{"id":"t","name":"n"},"observations":[
        {"id":"5","parentObservationId":"4","type":"TOOL","name":"inner","startTime":"2026-01-01T00:00:07Z","endTime":"2026-01-01T00:00:08Z","input":{},"output":{"y":1}},
        {"id":"1","type":"GENERATION","model":"m","name":"llm","startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-01T00:00:01Z","usageDetails":{"input":3,"output":4},"output":{"tool_calls":[]}},
        {"id":"2","type":"TOOL","name":"execute_tool hello","startTime":"2026-01-01T00:00:02Z","endTime":"2026-01-01T00:00:03Z","input":"{\"a\":1}","output":"hi","metadata":"{\"attributes\":{\"gen_ai.tool.call.id\":\"c1\"}}"},
        {"id":"3","type":"SPAN","name":"running tool: move","startTime":"2026-01-01T00:00:04Z","endTime":"2026-01-01T00:00:09Z","input":{"b":2},"output":null,"level":"ERROR","statusMessage":"no","metadata":{"attributes":{"gen_ai.operation.name":"execute_tool"}}},
        {"id":"4","parentObservationId":"3","type":"AGENT","name":"helper","startTime":"2026-01-01T00:00:05Z"},
        {"id":"6","type":"TOOL","name":"open","startTime":"2026-01-01T00:00:10Z","endTime":null},
        8]}"#;
    let reading = one(text);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [r#"c1 hello @0 ok "hi""#, r#"3 move @0 error "no""#, r#"4/5 inner @- ok {"y":1}"#, "6 open @0 lost ·"]
    );
    assert_eq!(input(&session.calls[0]), r#"{"a":1}"#);
    assert_eq!(seconds(session)[0], (Some(2), Some(3)));
    assert_eq!((&*session.id, session.title.as_deref(), session.problems.len()), ("t", Some("n"), 1));
    assert_eq!(session.agents[1].spawned_by.as_deref(), Some("3"));
    laws_of_cuts(text, read);
}
