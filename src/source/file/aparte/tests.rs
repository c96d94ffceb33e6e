use super::super::check::{calls, laws_of_documents, laws_of_lines, one};
use super::*;

const CONVERSATION: &str = r#"{"id":"c1","title":"Files","createdAt":1767312000000,"updatedAt":1767312009000,"schemaVersion":2,"messages":[
 {"id":"u1","role":"user","content":"go","timestamp":1767312000000},
 {"id":"a1","role":"assistant","content":"","timestamp":1767312001000,"status":"complete","usage":{"inputTokens":5,"outputTokens":2},"segments":[
  {"id":"s0","type":"text","content":"I look."},
  {"id":"s1","type":"tool_call","toolCall":{"id":"t1","name":"ls","input":{"path":"."}},"status":"resolved","result":"a"},
  {"id":"s2","type":"tool_call","toolCall":{"id":"t2","name":"rm","input":{}},"status":"rejected"},
  {"id":"s3","type":"tool_call","toolCall":{"id":"t3","name":"get","input":{}},"status":"aborted","result":"half"},
  {"id":"s4","type":"tool_call","toolCall":{"id":"t4","name":"put","input":{}},"status":"awaiting-approval"},
  {"id":"s5","type":"tool_call","toolCall":{"id":"t5","name":"put","input":{}},"status":"pending"},
  {"id":"s6","type":"tool_call","toolCall":{"id":"t6","name":"say","input":{}},"status":"resolved","result":""}]}],
 "tree":{"headId":"a1","messages":[
  {"message":{"id":"a1","role":"assistant","timestamp":1767312001000,"segments":[{"id":"s1","type":"tool_call","toolCall":{"id":"t1","name":"ls","input":{}},"status":"resolved"}]},"parentId":"u1"},
  {"message":{"id":"a2","role":"assistant","timestamp":1767312002000,"segments":[{"id":"s7","type":"tool_call","toolCall":{"id":"t7","name":"ls","input":{}},"status":"resolved","result":"b"}]},"parentId":"u1"}]}}"#;

#[test]
fn reads_a_conversation_with_its_branches() {
    let reading = one(CONVERSATION);
    assert_eq!(
        calls(&reading.session),
        [
            r#"t1 ls @0 ok "a""#,
            "t2 rm @0 refused by User ·",
            r#"t3 get @0 cancelled "half""#,
            "t4 put @0 awaiting-approval ·",
            "t5 put @0 lost ·",
            r#"t6 say @0 ok """#,
            r#"t7 ls @1 ok "b""#,
        ]
    );
    let is_under_way = |exchange: &Exchange| exchange.span.start.is_some() && exchange.span.end.is_none();
    assert!(!reading.session.exchanges.iter().any(is_under_way), "a saved conversation is over");
    assert_eq!(reading.session.repeats, 0, "the tree holds the conversation again by design");
    assert_eq!(reading.session.exchanges[0].said.as_ref().unwrap().read(), "I look.");
    assert_eq!((&*reading.session.id, reading.session.title.as_deref()), ("c1", Some("Files")));
}

#[test]
fn reads_the_messages_of_a_request() {
    let messages = r#"[{"role":"user","content":"go"},{"role":"tool_call","content":"","precedingText":"I look.","toolCalls":[{"id":"t1","name":"ls","input":{}},{"id":"t2","name":"rm","input":{}}]},{"role":"tool_result","toolCallId":"t2","content":"no"},{"role":"tool_result","toolCallId":"t9","content":"?"}]"#;
    for text in [messages.to_owned(), format!(r#"{{"modelId":"m","messages":{messages}}}"#)] {
        let reading = one(&text);
        assert_eq!(calls(&reading.session), ["t1 ls @0 lost ·", r#"t2 rm @0 ok "no""#, r#"t9  @- ok "?""#]);
        assert_eq!(reading.orphans, 1);
    }
}

const STREAM: &str = concat!(
    r#"{"type":"thinking","delta":"hm"}"#,
    "\n",
    r#"{"type":"text","delta":"I look."}"#,
    "\n",
    r#"{"type":"tool_use","id":"t1","name":"ls","input":{}}"#,
    "\n",
    "\nnonsense\n",
    r#"{"type":"done","usage":{"inputTokens":5,"outputTokens":2}}"#,
    "\n",
    r#"{"type":"tool_use","id":"t2","name":"rm","input":{}}"#,
    "\n",
    r#"{"type":"error","message":"overloaded"}"#,
);

#[test]
fn reads_a_stream() {
    let reading = one(STREAM);
    assert_eq!(calls(&reading.session), ["t1 ls @0 lost ·", "t2 rm @1 lost ·"]);
    assert_eq!(reading.session.exchanges[0].tokens.input, Some(5));
    assert_eq!(reading.session.exchanges[1].error.as_deref(), Some("overloaded"));
    assert_eq!(reading.session.problems[0].place, "line 5");
}

#[test]
fn the_laws_hold() {
    laws_of_documents(CONVERSATION, read);
    laws_of_lines(STREAM, read);
}
