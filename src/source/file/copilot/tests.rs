use super::super::check::{calls, laws_of_lines, one, seconds};
use super::*;

const EVENTS: &str = concat!(
    r#"{"type":"session.start","data":{"sessionId":"s1","copilotVersion":"1.0.7","selectedModel":"m-1"},"id":"e1","timestamp":"2026-01-02T00:00:00.000Z","parentId":null}"#,
    "\n",
    r#"{"type":"user.message","data":{"content":"go"},"id":"e2","timestamp":"2026-01-02T00:00:01.000Z","parentId":"e1"}"#,
    "\n",
    r#"{"type":"assistant.message","data":{"content":"I look.","toolRequests":[{"toolCallId":"t1","name":"shell","arguments":"{\"command\":\"ls\"}","type":"function"},{"toolCallId":"t2","name":"task","arguments":{}}],"outputTokens":7},"id":"e3","timestamp":"2026-01-02T00:00:02.000Z","parentId":"e2"}"#,
    "\n",
    r#"{"type":"tool.execution_start","data":{"toolCallId":"t1","toolName":"shell","arguments":{"command":"ls"}},"id":"e4","timestamp":"2026-01-02T00:00:05.000Z","parentId":"e3"}"#,
    "\n",
    r#"{"type":"tool.execution_complete","data":{"toolCallId":"t1","success":true,"result":{"content":"a"}},"id":"e5","timestamp":"2026-01-02T00:00:06.000Z","parentId":"e4"}"#,
    "\n",
    r#"{"type":"subagent.started","data":{"toolCallId":"t2","agentName":"explore","agentDisplayName":"Explore"},"id":"e6","timestamp":"2026-01-02T00:00:07.000Z","parentId":"e5"}"#,
    "\n",
    r#"{"type":"tool.execution_start","data":{"parentToolCallId":"t2","toolCallId":"t3","toolName":"view","arguments":{}},"id":"e7","timestamp":"2026-01-02T00:00:08.000Z","parentId":"e6"}"#,
    "\n",
    r#"{"type":"assistant.message","data":{"parentToolCallId":"t2","content":"","toolRequests":[{"toolCallId":"t3","name":"view","arguments":{}}]},"id":"e8","timestamp":"2026-01-02T00:00:08.000Z","parentId":"e7"}"#,
    "\n",
    r#"{"type":"tool.execution_complete","data":{"parentToolCallId":"t2","toolCallId":"t3","success":false,"error":{"message":"no","code":"x"}},"id":"e9","timestamp":"2026-01-02T00:00:09.000Z","parentId":"e8"}"#,
    "\n",
    r#"{"type":"abort","data":{"reason":"user"},"id":"e10","timestamp":"2026-01-02T00:00:10.000Z","parentId":"e9"}"#,
);

#[test]
fn reads_events() {
    let reading = one(EVENTS);
    let session = &reading.session;
    assert_eq!(calls(session), [r#"t1 shell @0 ok "a""#, "t2 task @0 cancelled ·", r#"t2/t3 view @- error "no""#]);
    assert_eq!(seconds(session)[0], (Some(5), Some(6)), "waiting for an approval is no run time");
    let agents: Vec<_> =
        session.agents.iter().map(|agent| (&*agent.id, agent.label.as_deref(), agent.spawned_by.as_deref())).collect();
    assert_eq!(agents, [("main", None, None), ("t2", Some("Explore"), Some("t2"))]);
    assert_eq!((&*session.id, session.host.as_deref()), ("s1", Some("copilot/1.0.7")));
    assert_eq!((session.repeats, reading.orphans), (0, 0));
}

#[test]
fn the_laws_hold() {
    laws_of_lines(EVENTS, read);
}
