use super::*;
use proptest::prelude::*;

/// Beginnings of files of every format.
const FILES: [&str; 14] = [
    r#"{"timestamp":"2026-01-02T00:00:01Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"a"}}"#,
    r#"{"type":"function_call_output","call_id":"a","output":"{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}"}"#,
    r#"{"type":"session","id":"s","cwd":"/"}"#,
    r#"{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"n","arguments":{}}]}}"#,
    r#"{"step_index":1,"source":"MODEL","status":"DONE","type":"PLANNER_RESPONSE","tool_calls":[{"name":"n","args":{"a":"\"b\""}}]}"#,
    r#"{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"n"},"timestamp":"x"}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"a","name":"n"},"time":1}"#,
    r#"{"sessionId":"s","message":{"parts":[{"functionCall":{"id":"a","name":"n"}},{"functionResponse":{"id":"a"}}]},"type":"assistant"}"#,
    r#"{"chunks":[{"seq":1,"chunk":{"type":"tool-call","toolCallId":"a"}}],"latestSeq":1}"#,
    r#"{"type":"tool_use","tool_id":"a","tool_name":"n"}"#,
    r#"{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":[]}]}}"#,
    r#"{"role":"user","created":1,"content":[{"type":"toolResponse","id":"a","toolResult":{"value":[]}}]}"#,
    r#"{"info":{"id":"s"},"messages":[{"info":{"role":"assistant"},"parts":[{"type":"tool","callID":"a","state":{"status":"completed"}}]}]}"#,
    r#"[{"ts":1,"type":"say","say":"tool","text":"{\"tool\":\"readFile\"}"},{"ts":2,"ask":"command","text":"x"}]"#,
];

#[test]
fn what_is_no_session_is_told_by_the_name_of_the_file() {
    for text in ["", "\n", "hello", "{}", "[]", "[1,2]", "{\"a\":1}\n{\"b\":2}", "null", "\u{feff}"] {
        let error = read("notes.txt", text.as_bytes().to_vec()).unwrap_err();
        assert!(error.to_string().starts_with("notes.txt holds no session"), "{text}");
    }
}

#[test]
fn marks_line_ends_and_bad_bytes_do_no_harm() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend_from_slice(FILES[0].as_bytes());
    bytes.extend_from_slice(
        b"\r\n\r\n{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"\xff\"}}\r\n",
    );
    let readings = read("a", bytes).unwrap();
    assert_eq!((readings[0].session.calls.len(), readings[0].session.problems.len()), (1, 0));
    assert_eq!(readings[0].session.prompts[0].text.read(), "\u{fffd}");
}

#[test]
fn depth_and_size_do_no_harm() {
    let deep = format!(
        r#"{{"type":"response_item","payload":{{"type":"function_call_output","call_id":"a","output":{}{}}}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(read("a", deep.into_bytes()).unwrap()[0].session.calls.len(), 1);
    let many = vec![FILES[1]; 20_000].join("\n");
    let text = format!("{}\n{many}", FILES[0]);
    assert_eq!(read("a", text.into_bytes()).unwrap()[0].session.repeats, 19_999);
}

proptest! {
    /// Lines of any formats in any order, with any bytes of them changed.
    #[test]
    fn anything_is_read_or_refused(
        lines in prop::collection::vec(0..FILES.len(), 1..6),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = lines.iter().map(|line| FILES[*line]).collect::<Vec<_>>().join("\n").into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1).max(bytes.len() / 2));
        if let Ok(readings) = read("a", bytes) {
            let _ = join(readings);
        }
    }
}
