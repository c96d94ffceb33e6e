use super::super::check::{calls, input, laws_of_documents, one};
use super::*;

#[test]
fn a_step_is_a_call_with_its_result() {
    let text = r#"{"environment":"e","trajectory":[
        {"action":"open \"a b\" 3\n","observation":"text\r\n","thought":"look","execution_time":0.116,"state":"{}","messages":[{"role":"assistant","tool_calls":[{"id":"x"}]}]},
        {"action":"","observation":null,"thought":"hm"},
        {"action":"submit","observation":""},4],"history":[],"info":{}}"#;
    let session = one(text).session;
    assert_eq!(
        calls(&session).iter().map(|call| call.replace("#1", "")).collect::<Vec<_>>(),
        [" open @0 ok \"text\\r\\n\"", " submit @2 ok \"\""]
    );
    assert_eq!(input(&session.calls[0]), "open \"a b\" 3\n");
    assert_eq!((session.exchanges.len(), session.problems.len()), (3, 1));
    laws_of_documents(text, read);
}

#[test]
fn a_history_alone_pairs_by_lists_of_ids() {
    let text = r#"{"history":[{"role":"system","content":"s","message_type":"system_prompt"},
        {"role":"assistant","content":"c","action":"find_file x","message_type":"action","tool_calls":[{"id":"a","type":"function","function":{"name":"find_file","arguments":"{\"n\":\"x\"}"}}]},
        {"role":"tool","content":"found","message_type":"observation","tool_call_ids":["a"]}]}"#;
    let session = one(text).session;
    assert_eq!(calls(&session), [r#"a find_file @0 ok "found""#]);
    assert_eq!(input(&session.calls[0]), r#"{"n":"x"}"#);
}

#[test]
fn without_functions_an_action_is_answered_by_the_next_message() {
    let text = r#"{"history":[{"role":"user","content":"demo","is_demo":true},
        {"role":"assistant","content":"c","action":"ls\n"},{"role":"user","content":"files"},
        {"role":"assistant","content":"c","action":"submit"}]}"#;
    let session = one(text).session;
    assert_eq!(
        calls(&session).iter().map(|call| call.replace("#1", "")).collect::<Vec<_>>(),
        [r#" ls @0 ok "files""#, " submit @1 lost ·"]
    );
}

#[test]
fn mini_calls_in_its_words() {
    let told = "Reply with one block:\\n```mswea_bash_command\\nyour_command\\n```";
    let text = format!(
        r#"[{{"role":"system","content":"s"}},{{"role":"user","content":"{told}"}},
        {{"role":"assistant","content":"I look.\n\n```mswea_bash_command\nls\ncat x\n```"}},{{"role":"user","content":"<returncode>2</returncode>\n<output>\nno\n</output>"}},
        {{"role":"assistant","content":"```mswea_bash_command\na\n```\n```mswea_bash_command\nb\n```"}},{{"role":"user","content":"one block, please"}},
        {{"role":"assistant","content":"```mswea_bash_command\necho DONE\n```"}},{{"role":"user","content":""}}]"#
    );
    let session = one(&text).session;
    assert_eq!(session.calls.len(), 2);
    assert_eq!(input(&session.calls[0]), "ls\ncat x");
    assert_eq!(session.calls.iter().map(|call| call.outcome.name()).collect::<Vec<_>>(), ["error", "ok"]);
    assert_eq!((session.prompts.len(), session.exchanges.len()), (1, 3));
}
