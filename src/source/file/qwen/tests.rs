use super::super::check::{calls, laws_of_lines, one, seconds};
use super::*;

const SESSION: &str = concat!(
    r#"{"uuid":"u1","parentUuid":null,"sessionId":"s1","timestamp":"2026-01-02T00:00:00.000Z","type":"user","version":"0.2.1","message":{"role":"user","parts":[{"text":"go"}]}}"#,
    "\n",
    r#"{"uuid":"u2","parentUuid":"u1","sessionId":"s1","timestamp":"2026-01-02T00:00:01.000Z","type":"assistant","version":"0.2.1","model":"q-1","usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"cachedContentTokenCount":4},"message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look."},{"functionCall":{"id":"t1","name":"read_file","args":{"path":"a"}}},{"functionCall":{"id":"t2","name":"edit","args":{}}},{"functionCall":{"id":"t3","name":"edit","args":{}}}]}}"#,
    "\n",
    r#"{"uuid":"u3","parentUuid":"u2","sessionId":"s1","timestamp":"2026-01-02T00:00:02.000Z","type":"tool_result","version":"0.2.1","message":{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"read_file","response":{"output":"text"}}}]},"toolCallResult":{"callId":"t1","status":"success"}}"#,
    "\n",
    r#"{"uuid":"u4","parentUuid":"u3","sessionId":"s1","timestamp":"2026-01-02T00:00:03.000Z","type":"tool_result","version":"0.2.1","message":{"role":"user","parts":[{"functionResponse":{"id":"t2","name":"edit","response":{"error":"no"}}}]},"toolCallResult":{"callId":"t2","status":"error"}}"#,
    "\n",
    r#"{"uuid":"u5","parentUuid":"u4","sessionId":"s1","timestamp":"2026-01-02T00:00:04.000Z","type":"system","subtype":"custom_title","systemPayload":{"customTitle":"Files"}}"#,
);

#[test]
fn reads_a_session() {
    let reading = one(SESSION);
    let session = &reading.session;
    assert_eq!(calls(session), [r#"t1 read_file @0 ok "text""#, r#"t2 edit @0 error "no""#, "t3 edit @0 lost ·"]);
    assert_eq!(seconds(session)[0], (Some(1), Some(2)));
    assert_eq!(
        (&*session.id, session.title.as_deref(), session.host.as_deref()),
        ("s1", Some("Files"), Some("qwen-code/0.2.1"))
    );
    assert_eq!(session.exchanges[0].said.as_ref().unwrap().read(), "I look.");
    assert_eq!(session.exchanges[0].tokens.total_input(), Some(9));
    assert_eq!(session.prompts.len(), 1);
}

#[test]
fn the_laws_hold() {
    laws_of_lines(SESSION, read);
}
