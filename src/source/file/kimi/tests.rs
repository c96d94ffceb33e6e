use super::super::check::{calls, laws_of_lines, one, seconds};
use super::*;

const LOG: &str = concat!(
    r#"{"type":"metadata","protocol_version":"1.4","created_at":1767312000000}"#,
    "\n",
    r#"{"type":"config.update","modelAlias":"k-1","time":1767312000000}"#,
    "\n",
    r#"{"type":"turn.prompt","input":[{"type":"text","text":"go"}],"time":1767312001000}"#,
    "\n",
    r#"{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"go"}],"toolCalls":[]},"time":1767312001000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"step.begin","step":1},"time":1767312001000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"think","think":"hm"}},"time":1767312002000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"Bash_0","name":"Bash","args":{"command":"ls"},"description":"List"},"time":1767312003000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"Bash_0","result":{"output":"a"}},"time":1767312004000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"Bash_1","name":"Bash","args":{}},"time":1767312005000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"Bash_1","result":{"output":[{"type":"text","text":"no"}],"isError":true}},"time":1767312006000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"Edit_2","name":"Edit","args":{}},"time":1767312007000}"#,
    "\n",
    r#"{"type":"permission.record_approval_result","toolCallId":"Edit_2","result":{"decision":"rejected"},"time":1767312008000}"#,
    "\n",
    r#"{"type":"context.append_loop_event","event":{"type":"step.end","step":1,"usage":{"inputOther":5,"output":2,"inputCacheRead":3,"inputCacheCreation":1}},"time":1767312009000}"#,
);

#[test]
fn reads_a_wire_log() {
    let reading = one(LOG);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [r#"Bash_0 Bash @0 ok "a""#, r#"Bash_1 Bash @0 error "no""#, "Edit_2 Edit @0 refused by User ·"]
    );
    assert_eq!(seconds(session)[0], (Some(3), Some(4)));
    assert_eq!(session.calls[0].preview.as_deref(), Some("List"));
    assert_eq!((&*session.exchanges[0].name, session.exchanges[0].tokens.total_input()), ("k-1", Some(9)));
    assert_eq!(session.prompts.len(), 1);
}

#[test]
fn a_counter_that_begins_anew_names_another_call() {
    let again = LOG.lines().nth(6).unwrap().replace("1767312003000", "1767312020000");
    let reading = one(&format!("{LOG}\n{again}"));
    assert_eq!(calls(&reading.session)[3], "Bash_0#1 Bash @0 lost ·");
    assert_eq!(reading.session.repeats, 0);
}

#[test]
fn the_laws_hold() {
    laws_of_lines(LOG, read);
}
