use super::super::check::{calls, input, laws_of_documents, one, seconds};
use super::*;

const HISTORY: &str = r#"[
 {"role":"user","content":[{"type":"text","text":"<task>go</task>"},{"type":"text","text":"<environment_details>x</environment_details>"}]},
 {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"read_file","input":{"path":"a"}},{"type":"tool_use","id":"t2","name":"write_to_file","input":{}}],"modelInfo":{"modelId":"m-1"},"metrics":{"tokens":{"prompt":5,"completion":2,"cached":3},"cost":0.25}},
 {"role":"user","content":[{"type":"text","text":"[read_file for 'a'] Result:\ntext"},{"type":"text","text":"Tool [write_to_file] was not executed because a tool has already been used in this message."},{"type":"text","text":"<environment_details>y</environment_details>"}]},
 {"role":"assistant","content":[{"type":"tool_use","id":"t3","name":"execute_command","input":{}}]},
 {"role":"user","content":[{"type":"text","text":"[execute_command for 'rm'] Result:"},{"type":"text","text":"The user denied this operation."}]},
 {"role":"assistant","content":[{"type":"tool_use","id":"t4","name":"list_files","input":{}}]},
 {"role":"user","content":[{"type":"text","text":"[TASK RESUMPTION] The task was interrupted."}]},
 {"role":"assistant","content":[{"type":"tool_use","id":"t5","name":"read_file","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"t5","content":"[ERROR]","is_error":true}]}]"#;

#[test]
fn results_in_texts_are_paired_by_their_tool_in_order() {
    let reading = one(HISTORY);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"t1 read_file @0 ok "text""#,
            r#"t2 write_to_file @0 cancelled "Tool [write_to_file] was not executed because a tool has already been used in this message.""#,
            r#"t3 execute_command @1 refused by User "The user denied this operation.""#,
            "t4 list_files @2 lost ·",
            r#"t5 read_file @3 error "[ERROR]""#,
        ]
    );
    assert_eq!((session.exchanges[0].tokens.output, session.exchanges[0].cost), (Some(2), Some(250_000_000)));
    assert_eq!((session.prompts.len(), reading.format), (1, Format::ClineHistory));
}

#[test]
fn reads_a_session_of_the_sdk() {
    let reading = one(r#"{"version":1,"agent":"lead","sessionId":"s1","updated_at":"x","messages":[
        {"id":"m1","role":"user","content":"go","ts":1767312000000},
        {"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"editor","input":{}},{"type":"tool_use","id":"t2","name":"read_files","input":{}}],"ts":1767312001000,"modelInfo":{"id":"m-1"},"metrics":{"inputTokens":4}},
        {"id":"m3","role":"user","content":[{"type":"tool_result","tool_use_id":"t1","name":"editor","content":"{\"query\":\"q\",\"result\":\"done\",\"success\":true}"}],"ts":1767312002000},
        {"id":"m4","role":"user","content":[{"type":"tool_result","tool_use_id":"t2","name":"read_files","content":[{"query":"a","error":"no","success":false}]}],"ts":1767312003000}]}"#);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"t1 editor @0 ok "{\"query\":\"q\",\"result\":\"done\",\"success\":true}""#,
            r#"t2 read_files @0 error {"query":"a","error":"no","success":false}"#,
        ]
    );
    assert_eq!(seconds(session), [(Some(1), Some(2)), (Some(1), Some(3))]);
    assert_eq!((&*session.id, session.prompts.len()), ("s1", 1));
}

const WINDOW: &str = r#"[
 {"ts":1767312000000,"type":"say","say":"text","text":"go"},
 {"ts":1767312001000,"type":"say","say":"api_req_started","text":"{\"request\":\"r\",\"tokensIn\":5,\"tokensOut\":2,\"cost\":0.5}","modelInfo":{"modelId":"m-1"}},
 {"ts":1767312002000,"type":"say","say":"text","text":"I look."},
 {"ts":1767312003000,"type":"say","say":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a\",\"content\":\"text\"}"},
 {"ts":1767312004000,"type":"ask","ask":"tool","text":"{\"tool\":\"editedExistingFile\",\"path\":\"a\",\"diff\":\"d\"}"},
 {"ts":1767312005000,"type":"ask","ask":"command","text":"ls \"x\""},
 {"ts":1767312006000,"type":"say","say":"command_output","text":"a"},
 {"ts":1767312007000,"type":"say","say":"command_output","text":"b"},
 {"ts":1767312008000,"type":"ask","ask":"use_mcp_server","text":"{\"type\":\"use_mcp_tool\",\"serverName\":\"s\",\"toolName\":\"make\",\"arguments\":\"{\\\"n\\\":1}\"}"},
 {"ts":1767312009000,"type":"say","say":"mcp_server_request_started"},
 {"ts":1767312010000,"type":"say","say":"mcp_server_response","text":"made"},
 {"ts":1767312011000,"type":"ask","ask":"tool","text":"no json"},
 {"ts":1767312012000,"type":"say","say":"command","text":"top"},
 {"ts":1767312013000,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\"}","partial":true}]"#;

#[test]
fn reads_what_the_window_showed() {
    let reading = one(WINDOW);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#" readFile @0 ok "text""#,
            "#1 editedExistingFile @0 ok ",
            r#"#2 execute_command @0 ok "a" + "b""#,
            r#"#3 make @0 ok "made""#,
            "#4 execute_command @0 lost ·",
            "#5 readFile @0 lost ·",
        ]
    );
    assert_eq!(input(&session.calls[0]), r#"{"path":"a"}"#);
    assert_eq!(input(&session.calls[1]), r#"{"path":"a","diff":"d"}"#);
    assert_eq!(input(&session.calls[2]), r#"{"command":"ls \"x\""}"#);
    assert_eq!(input(&session.calls[3]), r#"{"n":1}"#);
    assert_eq!(seconds(session)[2], (Some(5), Some(7)));
    assert_eq!(session.problems[0].place, "ts 1767312011000");
    assert_eq!((session.prompts.len(), session.exchanges[0].tokens.input), (1, Some(5)));
}

#[test]
fn the_laws_hold() {
    laws_of_documents(HISTORY, read);
    laws_of_documents(WINDOW, read);
}
