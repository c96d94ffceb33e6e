use super::super::check::{calls, input, laws_of_cuts, laws_of_lines, one, seconds};
use super::*;

fn attributes(fields: &[(&str, &str)]) -> String {
    let fields: Vec<_> = fields
        .iter()
        .map(|(key, value)| format!(r#"{{"key":"{key}","value":{{"stringValue":{}}}}}"#, crate::json::quote(value)))
        .collect();
    fields.join(",")
}

fn span(id: &str, parent: &str, name: &str, seconds: (u32, u32), fields: &[(&str, &str)], more: &str) -> String {
    let (start, end) = seconds;
    format!(
        r#"{{"traceId":"t","spanId":"{id}","parentSpanId":"{parent}","name":"{name}","startTimeUnixNano":"17672256{start:02}000000001","endTimeUnixNano":"17672256{end:02}000000000","attributes":[{}]{more}}}"#,
        attributes(fields)
    )
}

fn envelope(spans: &str) -> String {
    format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"app"}}}}]}},"scopeSpans":[{{"spans":[{spans}]}}]}}]}}"#
    )
}

fn tool(id: &str, parent: &str, at: (u32, u32), call: &str, more: &str) -> String {
    let fields = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "bash"),
        ("gen_ai.tool.call.id", call),
        ("gen_ai.tool.call.arguments", r#"{"c":1}"#),
        ("gen_ai.tool.call.result", "out"),
    ];
    span(id, parent, "execute_tool bash", at, &fields, more)
}

#[test]
fn a_span_is_a_call_with_its_result() {
    let chat = span(
        "c",
        "r",
        "chat m",
        (1, 2),
        &[
            ("gen_ai.operation.name", "chat"),
            ("gen_ai.request.model", "m"),
            ("gen_ai.output.messages", r#"[{"parts":[{"type":"tool_call","id":"a","name":"bash"}]}]"#),
        ],
        "",
    );
    let root = span(
        "r",
        "",
        "invoke_agent main",
        (0, 30),
        &[
            ("gen_ai.operation.name", "invoke_agent"),
            ("gen_ai.agent.name", "main_agent"),
            ("gen_ai.conversation.id", "conv"),
        ],
        "",
    );
    // Agents run below the tool that handed on to them, and spans come in the order of their ends.
    let inner = span("i", "b", "agent run", (11, 19), &[("gen_ai.agent.name", "researcher")], "");
    let old = span(
        "o",
        "i",
        "running tool",
        (12, 13),
        &[
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "look"),
            ("gen_ai.tool.call.id", "s"),
            ("tool_arguments", "{}"),
            ("tool_response", ""),
        ],
        "",
    );
    let raised = span(
        "e",
        "r",
        "execute_tool boom",
        (21, 22),
        &[("gen_ai.operation.name", "execute_tool"), ("gen_ai.tool.name", "boom"), ("gen_ai.tool.call.id", "e")],
        r#","status":{"code":"STATUS_CODE_ERROR"},"events":[{"name":"exception","attributes":[{"key":"exception.message","value":{"stringValue":"disk on fire"}}]}]"#,
    );
    let failed = tool("f", "r", (23, 24), "f", r#","status":{"code":2,"message":"no"}"#);
    let spans =
        [old, inner, chat, tool("a", "r", (3, 9), "a", ""), tool("b", "r", (10, 20), "b", ""), raised, failed, root];
    let expected = [
        r#"a bash @0 ok "out""#,
        r#"b bash @0 ok "out""#,
        r#"i/s look @- ok """#,
        r#"e boom @0 error "disk on fire""#,
        r#"f bash @0 error "out""#,
    ];
    let document = envelope(&spans.join(","));
    let lines: Vec<_> = spans.iter().map(|span| envelope(span)).collect();
    for text in [document.clone(), lines.join("\n")] {
        let session = one(&text).session;
        assert_eq!(calls(&session), expected);
        assert_eq!(input(&session.calls[0]), r#"{"c":1}"#);
        assert_eq!(seconds(&session)[0], (Some(3), Some(9)));
        assert_eq!(
            (&*session.id, session.host.as_deref(), session.title.as_deref()),
            ("conv", Some("app"), Some("main_agent"))
        );
        let sub = &session.agents[1];
        assert_eq!((&*sub.id, sub.label.as_deref(), sub.spawned_by.as_deref()), ("i", Some("researcher"), Some("b")));
    }
    laws_of_cuts(&document, read);
    laws_of_lines(
        &[tool("x", "", (1, 2), "x", ""), tool("y", "", (3, 4), "y", "")].map(|span| envelope(&span)).join("\n"),
        read,
    );
}

#[test]
fn each_trace_is_a_session_unless_a_conversation_holds_them() {
    let other = |span: String, trace: &str| span.replace(r#""traceId":"t""#, &format!(r#""traceId":"{trace}""#));
    let text = envelope(&[tool("x", "", (1, 2), "x", ""), other(tool("y", "", (3, 4), "y", ""), "u")].join(","));
    assert_eq!(super::super::read("f", text.into_bytes()).unwrap().len(), 2);
}

#[test]
fn without_spans_of_tools_the_messages_tell_the_calls() {
    let chat = |id: &str, at: (u32, u32), asked: &str, told: &str| {
        span(
            id,
            "",
            "chat m",
            at,
            &[("gen_ai.operation.name", "chat"), ("gen_ai.input.messages", asked), ("gen_ai.output.messages", told)],
            "",
        )
    };
    let told = r#"[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{"x":1}}]}]"#;
    let asked = r#"[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{"x":1}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","result":"y"}]}]"#;
    let session = one(&envelope(&[chat("1", (1, 2), "[]", told), chat("2", (5, 6), asked, "[]")].join(","))).session;
    assert_eq!(calls(&session), [r#"a f @0 ok "y""#]);
    assert_eq!(seconds(&session), [(Some(2), Some(5))]);
    assert!(session.calls[0].approximate);
}

#[test]
fn attributes_alone_are_a_call() {
    let session = one(r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"w","gen_ai.tool.call.id":"1","input":"{\"c\":1}","output":"sunny"}"#).session;
    assert_eq!(calls(&session), [r#"1 w @- ok "sunny""#]);
    assert_eq!(input(&session.calls[0]), r#"{"c":1}"#);
}
