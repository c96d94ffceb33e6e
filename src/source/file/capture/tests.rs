use super::super::check::{calls, input, laws_of_documents, one, seconds};
use super::*;

const CALL: &str = r#"{"type":"message","id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"x":1}}],"usage":{"input_tokens":1}}"#;
const DONE: &str = r#"{"type":"message","id":"m2","role":"assistant","model":"m","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":1}}"#;
const FIRST: &str = r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#;
const SECOND: &str = r#"{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"x": 1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}]}"#;

fn pair(request: &str, response: &str, around: &str) -> String {
    format!(
        r#"{{{around}"request":{{"method":"POST","url":"u","body":{request}}},"response":{{"status":200,"body":{response}}}}}"#
    )
}

#[test]
fn history_that_repeats_is_one_call() {
    let text = format!("[{},{},{}]", pair(FIRST, CALL, ""), pair(SECOND, DONE, ""), pair(SECOND, DONE, ""));
    let reading = one(&text);
    assert_eq!(reading.format, Format::Capture);
    assert_eq!(calls(&reading.session), [r#"a Bash @0 ok "ok""#]);
    assert_eq!((reading.session.repeats, reading.orphans, reading.session.prompts.len()), (2, 0, 1));
    assert_eq!(reading.session.exchanges[0].status, Some(200));
    laws_of_documents(&text, read);
}

#[test]
fn another_call_of_the_same_id_in_one_history_is_another() {
    let twice = SECOND.replace(
        "]}]}",
        r#"]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"x":2}}]}]}"#,
    );
    let text = format!("[{},{},{}]", pair(FIRST, CALL, ""), pair(&twice, DONE, ""), pair(&twice, DONE, ""));
    let reading = one(&text);
    assert_eq!(calls(&reading.session), [r#"a Bash @0 ok "ok""#, "a#1 Bash @1 lost ·"]);
    assert_eq!(reading.session.repeats, 3);
}

#[test]
fn a_stream_stands_in_a_text() {
    let stream = r#""data: {\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"model\":\"m\"}}\n\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"Bash\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n""#;
    let reading = one(&format!("[{},{}]", pair(FIRST, stream, ""), pair(SECOND, DONE, "")));
    assert_eq!(calls(&reading.session), [r#"a Bash @0 ok "ok""#]);
    assert_eq!(input(&reading.session.calls[0]), "{}");
}

#[test]
fn the_capture_tells_the_times() {
    let timed = |start: u32, end: u32, request: &str, response: &str| {
        format!(
            r#"{{"request":{{"timestamp":17673120{start:02}.0,"body":{request}}},"response":{{"timestamp":17673120{end:02}.5,"status_code":200,"body_raw":{response}}}}}"#
        )
    };
    let raw = crate::json::quote(CALL);
    let text =
        [timed(1, 2, FIRST, &raw), "torn {".to_owned(), timed(5, 6, SECOND, &crate::json::quote(DONE))].join("\n");
    let session = one(&text).session;
    assert_eq!(seconds(&session), [(Some(2), Some(5))]);
    assert!(session.calls[0].approximate);
    assert_eq!(session.problems[0].place, "line 2");
}

#[test]
fn reads_packets_and_turns_of_claude_tap() {
    let headers = |second: u32| format!(r#""headers":{{"date":"Thu, 01 Jan 2026 00:00:{second:02} GMT"}},"#);
    let packet = |request: &str, response: &str, second: u32| {
        format!(
            r#"{{"index":1,"request":{{"body":{request}}},"response":{{{}"status":200,"body":{response}}}}}"#,
            headers(second)
        )
    };
    let packets = format!(
        r#"{{"session":"s","agent":"claude","task":"t","packets":[{},{}]}}"#,
        packet(FIRST, CALL, 1),
        packet(SECOND, DONE, 4)
    );
    let session = one(&packets).session;
    assert_eq!((&*session.id, session.title.as_deref()), ("s", Some("t")));
    assert_eq!(calls(&session), [r#"a Bash @0 ok "ok""#]);
    assert_eq!(seconds(&session), [(Some(1), Some(4))]);

    let turn = |request: &str, response: &str, second: u32| {
        format!(
            r#"{{"turn":1,"timestamp":"2026-01-01T00:00:{second:02}Z","duration_ms":1000,{},"response":{response}}}"#,
            &request[1..request.len() - 1]
        )
    };
    let turns = format!("[{},{}]", turn(FIRST, CALL, 3), turn(SECOND, DONE, 9));
    let session = one(&turns).session;
    assert_eq!(calls(&session), [r#"a Bash @0 ok "ok""#]);
    assert_eq!(seconds(&session), [(Some(3), Some(8))]);
}

#[test]
fn references_to_blobs_are_resolved() {
    let reference = r#"{"__claude_tap_blob_ref__":{"version":1,"kind":"json","hash":"h1"}}"#;
    let item = r#"{"__claude_tap_blob_ref__":{"version":1,"kind":"json","hash":"h2"}}"#;
    let call = r#"{"object":"response","id":"r1","output":[{"type":"function_call","id":"f","call_id":"a","name":"ls","arguments":"{}"}]}"#;
    let record = |input: &str, response: &str| {
        format!(
            r#"{{"__claude_tap_compact_record__":{{"version":1}},"record":{{"timestamp":"2026-01-01T00:00:05Z","transport":"websocket","duration_ms":9000,"request":{{"method":"WEBSOCKET","path":"/v1/responses","body":{{"model":"m","input":{input}}}}},"response":{{"status":101,"body":{response}}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"__claude_tap_compact_trace__":{{"version":1,"encoding":"json-blob-ref"}},"records":[{},{},{}],"blobs":{{"h1":{{"kind":"json","payload":[{{"role":"user","content":"hi"}}]}},"h2":{{"kind":"json","payload":{{"type":"function_call_output","call_id":"a","output":"files"}}}}}}}}"#,
        record(reference, call),
        record(&format!("[{item}]"), r#"{"object":"response","id":"r2","output":[]}"#),
        record("[]", r#"{"object":"response","id":"r3","output":[]}"#),
    );
    let session = one(&text).session;
    assert_eq!(calls(&session), [r#"a ls @0 ok "files""#]);
    assert_eq!(session.prompts.len(), 1);
    assert_eq!(session.exchanges.len(), 3);
}

#[test]
fn a_response_that_is_asked_for_again_is_the_same() {
    let response = r#"{"object":"response","id":"r1","status":"completed","output":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]}"#;
    let queued = r#"{"object":"response","id":"r1","status":"queued","output":[]}"#;
    let request = r#"{"model":"m","input":"hi"}"#;
    let text = format!("[{},{},{}]", pair(request, queued, ""), pair("\"\"", response, ""), pair("\"\"", response, ""));
    let session = one(&text).session;
    assert_eq!(calls(&session), ["a f @0 lost ·"]);
    assert_eq!((session.exchanges.len(), session.repeats), (1, 1));
}

#[test]
fn reads_har_with_text_and_base64() {
    // `{"type":"message","id":"m1","content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]}`
    let packed = "eyJ0eXBlIjoibWVzc2FnZSIsImlkIjoibTEiLCJjb250ZW50IjpbeyJ0eXBlIjoidG9vbF91c2UiLCJpZCI6ImEiLCJuYW1lIjoiQmFzaCIsImlucHV0Ijp7fX1dfQ==";
    let entry = |second: u32, request: &str, content: &str| {
        format!(
            r#"{{"startedDateTime":"2026-01-01T00:00:{second:02}.000Z","time":1500.25,"request":{{"method":"POST","url":"u","postData":{{"mimeType":"application/json","text":{}}}}},"response":{{"status":200,"content":{content}}}}}"#,
            crate::json::quote(request)
        )
    };
    let page = r#"{"startedDateTime":"2026-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"u"},"response":{"status":200,"content":{"text":"<html>"}}}"#;
    let text = format!(
        r#"{{"log":{{"version":"1.2","entries":[{page},{},3,{}]}}}}"#,
        entry(2, FIRST, &format!(r#"{{"encoding":"base64","text":"{packed}"}}"#)),
        entry(7, SECOND, &format!(r#"{{"text":{}}}"#, crate::json::quote(DONE))),
    );
    let session = one(&text).session;
    assert_eq!(calls(&session), [r#"a Bash @0 ok "ok""#]);
    assert_eq!(seconds(&session), [(Some(3), Some(7))]);
    assert_eq!(session.problems[0].place, "exchange 3");
    laws_of_documents(&text, read);
}

#[test]
fn searches_without_a_call_id_repeat_too() {
    let items = r#"{"type":"tool_search_call","id":"s","call_id":null,"arguments":{}},{"type":"tool_search_output","id":"o","call_id":null,"tools":[]}"#;
    let response = format!(r#"{{"object":"response","id":"r1","output":[{items}]}}"#);
    let request = format!(r#"{{"model":"m","input":[{{"role":"user","content":"hi"}},{items}]}}"#);
    let reading = one(&format!("[{},{}]", pair(FIRST, &response, ""), pair(&request, DONE, "")));
    assert_eq!(calls(&reading.session), ["s tool_search @0 ok []"]);
    assert_eq!((reading.orphans, reading.session.repeats), (0, 1));
}
