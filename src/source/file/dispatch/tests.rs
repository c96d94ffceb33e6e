use super::super::check::{calls, laws_of_documents, laws_of_lines, one};
use super::*;

const PAGE: &str = r#"{"chunks":[
 {"seq":1,"role":"user","chunk":{"type":"text","text":"go"}},
 {"seq":2,"role":"assistant","chunk":{"type":"tool-call","toolCallId":"a","toolName":"run_shell","input":{"command":"ls"}}},
 {"seq":3,"role":"tool","chunk":{"type":"tool-result","toolCallId":"a","toolName":"run_shell","content":"x","isError":true}},
 {"seq":4,"role":"tool","chunk":{"type":"tool-result","toolCallId":"z","toolName":"run_shell","content":"y","isError":false}},
 {"seq":5,"role":"assistant","chunk":{"type":"tool-call","toolCallId":"b","toolName":"lsp","input":{}}}],"latestSeq":5}"#;

#[test]
fn reads_a_saved_page() {
    let reading = one(PAGE);
    assert_eq!(calls(&reading.session), [r#"a run_shell @0 error "x""#, r#"z run_shell @- ok "y""#, "b lsp @1 lost ·"]);
    assert_eq!((&*reading.session.id, reading.orphans, reading.format), ("a file", 1, Format::Dispatch));
}

const EVENTS_OF_A_CHAT: &str = concat!(
    r#"{"type":"turn-start","conversationId":"c","turnId":"t"}"#,
    "\n",
    r#"{"type":"text-delta","conversationId":"c","turnId":"t","text":"I "}"#,
    "\n",
    r#"{"type":"tool-call","conversationId":"c","turnId":"t","toolCallId":"a","toolName":"run_shell","input":{"command":"ls"},"stepId":"s1"}"#,
    "\n",
    r#"{"type":"tool-call","conversationId":"c","turnId":"t","toolCallId":"b","toolName":"run_shell","input":{"command":"top"},"stepId":"s1"}"#,
    "\n",
    r#"{"type":"tool-output","conversationId":"c","turnId":"t","toolCallId":"b","data":"half","stream":"stdout"}"#,
    "\n",
    r#"{"type":"tool-result","conversationId":"c","turnId":"t","toolCallId":"a","toolName":"run_shell","content":"x","isError":false,"stepId":"s1"}"#,
    "\n",
    r#"{"type":"done","conversationId":"c","turnId":"t","reason":"aborted"}"#,
);

#[test]
fn reads_saved_events() {
    let reading = one(EVENTS_OF_A_CHAT);
    assert_eq!(calls(&reading.session), [r#"a run_shell @0 ok "x""#, r#"b run_shell @0 cancelled "half""#]);
    assert_eq!((&*reading.session.id, reading.orphans), ("c", 0));
    assert!(reading.session.calls.iter().all(|call| call.span.start.is_none()), "when they came is not saved");
}

#[test]
fn the_laws_hold() {
    laws_of_documents(PAGE, read);
    // A piece of an output has no number, so that a doubled one cannot be told from one that came twice.
    let numbered: Vec<_> = EVENTS_OF_A_CHAT.lines().filter(|line| !line.contains("tool-output")).collect();
    laws_of_lines(&numbered.join("\n"), read);
}
