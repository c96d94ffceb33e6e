use super::super::check::{calls, laws_of_documents, laws_of_lines, one, seconds};
use super::*;

const CHAT: &str = r#"{"sessionId":"s1","projectHash":"00ff","startTime":"2026-01-02T00:00:00.000Z","lastUpdated":"2026-01-02T00:00:09.000Z","messages":[
 {"id":"m1","timestamp":"2026-01-02T00:00:01.000Z","type":"user","content":"go"},
 {"id":"m2","timestamp":"2026-01-02T00:00:02.000Z","type":"gemini","model":"g-1","content":"I look.","tokens":{"input":10,"output":2,"cached":4,"thoughts":1},"toolCalls":[
  {"id":"t1","name":"run_shell_command","args":{"command":"ls"},"result":[{"functionResponse":{"id":"t1","name":"run_shell_command","response":{"output":"Output: a"}}}],"status":"success","timestamp":"2026-01-02T00:00:03.000Z","resultDisplay":"a","description":"List"},
  {"id":"t2","name":"write_file","args":{},"result":[{"functionResponse":{"id":"t2","name":"write_file","response":{"error":"no"}}}],"status":"error","timestamp":"2026-01-02T00:00:04.000Z","resultDisplay":{"fileDiff":"x"}},
  {"id":"t3","name":"shot","args":{},"result":[{"functionResponse":{"response":{"n":1}}},{"inlineData":{"mimeType":"image/png","data":"QQ=="}}],"status":"success","timestamp":"2026-01-02T00:00:05.000Z"},
  {"id":"t4","name":"rm","args":{},"result":[],"status":"cancelled","timestamp":"2026-01-02T00:00:06.000Z"},
  {"id":"t5","name":"rm","args":{},"status":"awaiting_approval","timestamp":"2026-01-02T00:00:06.000Z"},
  {"id":"t6","name":"rm","args":{},"status":"executing"}]},
 {"id":"m3","timestamp":"2026-01-02T00:00:07.000Z","type":"info","content":"cancelled"},
 {"id":"m4","timestamp":"2026-01-02T00:00:08.000Z","type":"model","parts":[{"text":"done"}]}]}"#;

const CALLS: [&str; 6] = [
    r#"t1 run_shell_command @0 ok "Output: a""#,
    r#"t2 write_file @0 error "no""#,
    r#"t3 shot @0 ok {"n":1} + image/png(QQ==)"#,
    "t4 rm @0 cancelled ",
    "t5 rm @0 awaiting-approval ·",
    "t6 rm @0 lost ·",
];

#[test]
fn reads_a_chat() {
    let reading = one(CHAT);
    let session = &reading.session;
    assert_eq!(calls(session), CALLS);
    assert_eq!(seconds(session)[0], (None, Some(3)), "only the end of a call is told");
    assert_eq!(session.calls[1].structured.as_ref().unwrap().read(), r#"{"fileDiff":"x"}"#);
    assert_eq!(session.exchanges[0].tokens.total_input(), Some(10));
    assert_eq!(session.exchanges[1].said.as_ref().unwrap().read(), "done");
    assert_eq!((&*session.id, reading.format), ("s1", Format::GeminiChat));
}

#[test]
fn by_lines_the_last_form_of_a_message_holds() {
    let lines = concat!(
        r#"{"sessionId":"s1","projectHash":"00ff","startTime":"2026-01-02T00:00:00.000Z","kind":"main"}"#,
        "\n",
        r#"{"id":"m1","timestamp":"2026-01-02T00:00:01.000Z","type":"user","content":[{"text":"go"}]}"#,
        "\n",
        r#"{"$set":{"lastUpdated":"2026-01-02T00:00:01.500Z"}}"#,
        "\n",
        r#"{"id":"m2","timestamp":"2026-01-02T00:00:02.000Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"ls","args":{},"status":"executing"}]}"#,
        "\n",
        r#"{"id":"m3","timestamp":"2026-01-02T00:00:04.000Z","type":"gemini","content":"done","model":"g-1"}"#,
        "\n",
        r#"{"id":"m2","timestamp":"2026-01-02T00:00:02.000Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"response":{"output":"a"}}}]}]}"#,
    );
    let reading = one(lines);
    assert_eq!(calls(&reading.session), [r#"t1 ls @0 ok "a""#]);
    assert_eq!((reading.session.exchanges.len(), reading.session.prompts.len()), (2, 1));
    assert_eq!(&*reading.session.id, "s1");
}

const STREAM: &str = concat!(
    r#"{"type":"init","timestamp":"2026-01-02T00:00:00.000Z","session_id":"s1","model":"g-1"}"#,
    "\n",
    r#"{"type":"message","timestamp":"2026-01-02T00:00:01.000Z","role":"user","content":"go"}"#,
    "\n",
    r#"{"type":"message","timestamp":"2026-01-02T00:00:02.000Z","role":"assistant","content":"I look.","delta":true}"#,
    "\n",
    r#"{"type":"tool_use","timestamp":"2026-01-02T00:00:03.000Z","tool_name":"ls","tool_id":"ls-1-a","parameters":{"path":"."}}"#,
    "\n",
    r#"{"type":"tool_use","timestamp":"2026-01-02T00:00:03.000Z","tool_name":"rm","tool_id":"rm-1-b","parameters":{}}"#,
    "\n",
    r#"{"type":"tool_result","timestamp":"2026-01-02T00:00:04.000Z","tool_id":"rm-1-b","status":"error","output":"","error":{"type":"t","message":"no"}}"#,
    "\n",
    r#"{"type":"tool_result","timestamp":"2026-01-02T00:00:05.000Z","tool_id":"ls-1-a","status":"success"}"#,
    "\n",
    r#"{"type":"init","timestamp":"2026-01-02T00:00:06.000Z","session_id":"s1","model":"g-2"}"#,
    "\n",
    r#"{"type":"tool_use","timestamp":"2026-01-02T00:00:07.000Z","tool_name":"ls","tool_id":"ls-2-c","parameters":{}}"#,
    "\n",
    r#"{"type":"result","timestamp":"2026-01-02T00:00:08.000Z","status":"success","stats":{}}"#,
);

#[test]
fn reads_a_stream() {
    let reading = one(STREAM);
    let session = &reading.session;
    assert_eq!(calls(session), ["ls-1-a ls @0 ok ", r#"rm-1-b rm @0 error "no""#, "ls-2-c ls @1 lost ·"]);
    assert_eq!(seconds(session)[..2], [(Some(3), Some(5)), (Some(3), Some(4))]);
    assert_eq!(session.exchanges.iter().map(|exchange| &*exchange.name).collect::<Vec<_>>(), ["g-1", "g-2"]);
    assert_eq!(reading.format, Format::GeminiStream);
}

#[test]
fn the_laws_hold() {
    laws_of_documents(CHAT, read);
    laws_of_lines(STREAM, read);
}
