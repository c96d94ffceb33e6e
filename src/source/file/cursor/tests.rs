use super::super::check::{calls, input, laws_of_lines, one};
use super::*;

const TRANSCRIPT: &str = concat!(
    r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nlook\n</user_query>"}]}}"#,
    "\n",
    r#"{"role":"assistant","message":{"content":[{"type":"text","text":"I look."},{"type":"tool_use","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","name":"Read","input":{"path":"a"}}]}}"#,
    "\n",
    r#"{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"a"}]},{"type":"tool_result","tool_use_id":"t2","content":"b"}]}}"#,
    "\n",
    r#"{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Lost","input":{}},{"type":"tool_use","id":"own","name":"Own","input":{}}]}}"#,
    "\n",
    r#"{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"own","content":"c","is_error":true}]}}"#,
    "\n",
    r#"{"role":"user","message":{"content":[{"type":"text","text":"and?"}]}}"#,
    "\n",
    r#"{"role":"user","message":{"content":[{"type":"tool-result","name":"read_file","content":"late"}]}}"#,
    "\n",
    r#"{"role":"assistant","message":{"content":[{"type":"tool_call","name":"read_file","input":{}},{"type":"novelty"}]},"model":"m-1"}"#,
    "\n",
    r#"{"role":"user","message":{"content":[{"type":"tool-result","content":"d"}]}}"#,
    "\n",
    r#"{"type":"turn_ended","status":"success"}"#,
);

#[test]
fn calls_without_ids_are_paired_in_their_order() {
    let reading = one(TRANSCRIPT);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#" Bash @0 ok "a""#,
            r#"#1 Read @0 ok "b""#,
            "#2 Lost @1 lost ·",
            r#"own Own @1 error "c""#,
            r#"#3  @- ok "late""#,
            r#"#4 read_file @2 ok "d""#,
        ]
    );
    assert_eq!(reading.orphans, 1);
    assert_eq!(input(&session.calls[0]), r#"{"command":"ls"}"#);
    let prompts: Vec<_> = session.prompts.iter().map(|prompt| prompt.text.read().into_owned()).collect();
    assert_eq!(prompts, ["look", "and?"]);
    assert_eq!(&*session.exchanges[2].name, "m-1");
}

#[test]
fn the_laws_hold() {
    laws_of_lines(TRANSCRIPT, read);
}
