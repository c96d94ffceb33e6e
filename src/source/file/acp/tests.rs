use super::super::check::{calls, input, laws_of_lines, one};
use super::*;

fn update(fields: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s","update":{{{fields}}}}}}}"#)
}

#[test]
fn updates_make_up_a_call() {
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"go"}]}}"#.to_owned(),
        update(r#""sessionUpdate":"tool_call","toolCallId":"a","title":"Read x","kind":"read","status":"pending","rawInput":{"p":"x"},"content":[],"locations":[]"#),
        update(r#""sessionUpdate":"tool_call_update","toolCallId":"a","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"so far"}}]"#),
        update(r#""sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed""#),
        update(r#""sessionUpdate":"tool_call","toolCallId":"b","title":"Edit","kind":"other","status":"pending""#),
        update(r#""sessionUpdate":"tool_call_update","toolCallId":"b","status":"failed","content":[{"type":"diff","path":"p","oldText":"a","newText":"b"}]"#),
        update(r#""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"next"}"#),
        r#"{"jsonrpc":"2.0","id":2,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"rm x","kind":"execute","rawInput":{}},"options":[]}}"#.to_owned(),
        update(r#""sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","rawOutput":{"code":0}"#),
        update(r#""sessionUpdate":"tool_call","toolCallId":"d","title":"wait","kind":"execute","status":"in_progress""#),
    ];
    let session = one(&lines.join("\n")).session;
    assert_eq!(
        calls(&session),
        [
            r#"a read @0 ok "so far""#,
            r#"b Edit @0 error {"type":"diff","path":"p","oldText":"a","newText":"b"}"#,
            r#"c execute @1 ok {"code":0}"#,
            "d execute @1 lost ·",
        ]
    );
    assert_eq!((&*session.id, session.prompts.len(), input(&session.calls[0])), ("s", 1, r#"{"p":"x"}"#.to_owned()));
    assert_eq!(session.calls[0].preview.as_deref(), Some("Read x"));
    laws_of_lines(&lines.join("\n"), read);
}

#[test]
fn a_logger_may_stand_around_it() {
    let line = update(r#""sessionUpdate":"tool_call","toolCallId":"a","title":"t","status":"completed""#);
    let session = one(&format!("{{\"timestamp\":\"2026-01-01T00:00:01Z\",\"message\":{line}}}\n{{\"x\":1}}")).session;
    assert_eq!(calls(&session), ["a t @0 ok "]);
    assert!(session.calls[0].span.start.is_some());
}
