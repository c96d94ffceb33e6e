use super::super::check::{calls, input, laws_of_documents, one};
use super::*;

#[test]
fn each_part_is_a_call_in_its_state() {
    let text = r#"[{"id":"u","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"m","role":"assistant","parts":[
        {"type":"step-start"},{"type":"text","text":"I look."},
        {"type":"tool-weather","toolCallId":"a","state":"output-available","input":{"c":1},"output":{"t":2}},
        {"type":"dynamic-tool","toolName":"dyn","toolCallId":"b","state":"output-error","rawInput":"{bad","errorText":"no"},
        {"type":"step-start"},
        {"type":"tool-rm","toolCallId":"c","state":"approval-requested","input":{},"approval":{"id":"x"}},
        {"type":"tool-rm","toolCallId":"d","state":"output-denied","input":{},"approval":{"id":"y","approved":false}},
        {"type":"tool-rm","toolCallId":"e","state":"approval-responded","input":{},"approval":{"id":"z","approved":false}},
        {"type":"tool-rm","toolCallId":"f","state":"input-available","input":{}}]},5]"#;
    let session = one(text).session;
    assert_eq!(
        calls(&session),
        [
            r#"a weather @0 ok {"t":2}"#,
            r#"b dyn @0 error "no""#,
            "c rm @1 awaiting-approval ·",
            "d rm @1 refused by User ·",
            "e rm @1 refused by User ·",
            "f rm @1 lost ·",
        ]
    );
    assert_eq!((input(&session.calls[0]), input(&session.calls[1])), (r#"{"c":1}"#.to_owned(), "{bad".to_owned()));
    assert_eq!((session.prompts.len(), session.problems.len()), (1, 1));
    laws_of_documents(text, read);
}

#[test]
fn reads_the_form_of_version_4() {
    let call = r#"{"state":"result","toolCallId":"a","toolName":"w","args":{"c":1},"result":"sun"}"#;
    let open = r#"{"state":"call","toolCallId":"b","toolName":"w","args":{}}"#;
    let old = format!(r#"[{{"role":"assistant","content":"","toolInvocations":[{call},{open}]}}]"#);
    let new = format!(
        r#"[{{"role":"assistant","content":"","toolInvocations":[{call}],"parts":[{{"type":"tool-invocation","toolInvocation":{call}}},{{"type":"tool-invocation","toolInvocation":{open}}}]}}]"#
    );
    for text in [old, new] {
        assert_eq!(calls(&one(&text).session), [r#"a w @0 ok "sun""#, "b w @0 lost ·"]);
    }
}

const CHUNKS: [&str; 14] = [
    r#"{"type":"start","messageId":"m"}"#,
    r#"{"type":"start-step"}"#,
    r#"{"type":"tool-input-start","toolCallId":"a","toolName":"w"}"#,
    r#"{"type":"tool-input-delta","toolCallId":"a","inputTextDelta":"{\"c\":"}"#,
    r#"{"type":"tool-input-available","toolCallId":"a","toolName":"w","input":{"c":1}}"#,
    r#"{"type":"tool-input-available","toolCallId":"b","toolName":"w","input":{}}"#,
    r#"{"type":"tool-output-error","toolCallId":"b","errorText":"no"}"#,
    r#"{"type":"tool-output-available","toolCallId":"a","output":{"t":2}}"#,
    r#"{"type":"tool-input-available","toolCallId":"c","toolName":"rm","input":{}}"#,
    r#"{"type":"tool-approval-request","approvalId":"x","toolCallId":"c"}"#,
    r#"{"type":"tool-input-error","toolCallId":"d","toolName":"w","input":"{bad","errorText":"unreadable"}"#,
    r#"{"type":"tool-output-error","toolCallId":"d","errorText":"unreadable"}"#,
    r#"{"type":"tool-input-start","toolCallId":"e","toolName":"v"}"#,
    r#"{"type":"tool-output-available","toolCallId":"z","output":1}"#,
];

#[test]
fn a_stream_is_put_together() {
    let events = CHUNKS.map(|data| format!("data: {data}\n\n")).concat();
    for text in [events, CHUNKS.join("\n"), format!("[{}]", CHUNKS.join(","))] {
        let reading = one(&text);
        assert_eq!(
            calls(&reading.session),
            [
                r#"a w @0 ok {"t":2}"#,
                r#"b w @0 error "no""#,
                "c rm @0 awaiting-approval ·",
                r#"d w @0 error "unreadable""#,
                "z  @- ok 1",
                "e v @0 lost ·",
            ]
        );
        assert_eq!(reading.orphans, 1);
        assert_eq!(input(&reading.session.calls[3]), "{bad");
    }
}

#[test]
fn a_line_lost_or_doubled_costs_its_call_alone() {
    let whole = calls(&one(&CHUNKS.join("\n")).session);
    for (position, line) in CHUNKS.iter().enumerate() {
        let mut lines = CHUNKS.to_vec();
        lines.insert(position, line);
        let doubled = calls(&one(&lines.join("\n")).session);
        assert!(whole[..4].iter().all(|call| doubled.contains(call)), "{line}: {doubled:?}");
        lines.drain(position..position + 2);
        let lost = calls(&one(&lines.join("\n")).session);
        let id = |call: &str| format!(r#""toolCallId":"{}""#, &call[..1]);
        let kept = whole.iter().filter(|call| !line.contains(&id(call)));
        for call in kept {
            assert!(lost.contains(call), "{line}: {call} {lost:?}");
        }
    }
}
