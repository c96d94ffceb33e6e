use super::super::check::{calls, laws_of_lines, one, seconds};
use super::*;

const SESSION: &str = concat!(
    r#"{"id":"g1","working_dir":"/w","description":"Weather"}"#,
    "\n",
    r#"{"role":"user","created":1767312000,"content":[{"type":"text","text":"weather?"}]}"#,
    "\n",
    r#"{"role":"assistant","created":1767312001,"content":[{"type":"text","text":"I ask."},{"type":"toolRequest","id":"t1","toolCall":{"status":"success","value":{"name":"sky__weather","arguments":{"city":"Rome"}}}},{"type":"toolRequest","id":"t2","toolCall":{"status":"error","error":"bad arguments"}},{"type":"toolRequest","id":"t3","toolCall":{"status":"success","value":{"name":"sky__map","arguments":{}}}}]}"#,
    "\n",
    r#"{"role":"user","created":1767312002,"content":[{"type":"toolResponse","id":"t1","toolResult":{"status":"success","value":[{"type":"text","text":"sunny"}]}},{"type":"toolResponse","id":"t2","toolResult":{"status":"error","error":"-32602: bad arguments"}}]}"#,
    "\n",
    r#"{"role":"user","created":1767312003,"content":[{"type":"toolResponse","id":"t3","toolResult":{"status":"success","value":{"content":[{"type":"image","data":"QQ==","mimeType":"image/png"}],"isError":true}}}]}"#,
);

#[test]
fn reads_a_session() {
    let reading = one(SESSION);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"t1 sky__weather @0 ok "sunny""#,
            r#"t2  @0 error "-32602: bad arguments""#,
            "t3 sky__map @0 error image/png(QQ==)"
        ]
    );
    assert!(matches!(session.calls[1].input, Content::Unavailable(_)));
    assert_eq!(seconds(session)[0], (Some(1), Some(2)));
    assert_eq!(session.exchanges[0].span.nanos(), Some(1_000_000_000), "from what was given to the answer");
    assert_eq!((&*session.id, session.title.as_deref(), session.prompts.len()), ("g1", Some("Weather"), 1));
}

#[test]
fn reads_an_export() {
    let messages: Vec<_> = SESSION.lines().skip(1).collect();
    let reading = one(&format!(r#"{{"id":"g1","name":"Weather","conversation":[{},7]}}"#, messages.join(",")));
    assert_eq!(calls(&reading.session), calls(&one(SESSION).session));
    assert_eq!(reading.session.problems[0].place, "conversation[4]");
}

#[test]
fn recordings_repeat_their_messages() {
    let messages: Vec<_> = SESSION.lines().skip(1).collect();
    let recording = format!(
        r#"{{"aa":{{"input":{{"system":"","messages":[{}],"tools":[]}},"output":{{"message":{{"role":"assistant","created":9,"content":[{{"type":"text","text":"done"}}]}}}}}},"bb":{{"input":{{"messages":[{}]}},"output":{{"message":{}}}}}}}"#,
        messages.join(","),
        messages[0],
        messages[1].replace("I ask.", "I ask you."),
    );
    let reading = one(&recording);
    assert_eq!(calls(&reading.session), calls(&one(SESSION).session));
    assert_eq!((reading.session.repeats, reading.session.prompts.len()), (3, 1));
}

#[test]
fn the_laws_hold() {
    laws_of_lines(SESSION, read);
}
