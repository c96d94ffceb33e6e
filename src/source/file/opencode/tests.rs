use super::super::check::{calls, laws_of_documents, laws_of_lines, one, seconds};
use super::*;

const EXPORT: &str = r#"{
 "info":{"id":"ses_1","parentID":"ses_0","title":"Tables","version":"1.2.3","directory":"/w","time":{"created":1767312000000,"updated":1767312009000}},
 "messages":[
  {"info":{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767312000000}},
   "parts":[{"type":"text","text":"go","id":"p0"},{"type":"text","text":"the host's","synthetic":true,"id":"p1"}]},
  {"info":{"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":1767312001000,"completed":1767312008000},"modelID":"m-1","providerID":"p","cost":0.5,"tokens":{"input":5,"output":3,"reasoning":1,"cache":{"read":4,"write":2}},"error":{"name":"MessageAbortedError","data":{"message":"aborted"}}},
   "parts":[
    {"type":"step-start","id":"p2"},
    {"type":"text","text":"I look.","id":"p3"},
    {"type":"tool","tool":"bash","callID":"call_1","id":"p4","state":{"status":"completed","input":{"command":"ls"},"output":"a\n","title":"List","metadata":{"exit":1,"output":"a\n"},"time":{"start":1767312002000,"end":1767312003000}}},
    {"type":"tool","tool":"read","callID":"call_2","id":"p5","state":{"status":"error","input":{"filePath":"x"},"error":"no such file","time":{"start":1767312003000,"end":1767312004000}}},
    {"type":"tool","tool":"edit","callID":"call_3","id":"p6","state":{"status":"error","input":{},"error":"The user rejected permission to use this specific tool call.","time":{"start":1767312003000,"end":1767312004000}}},
    {"type":"tool","tool":"shot","callID":"call_4","id":"p7","state":{"status":"completed","input":{},"output":"","attachments":[{"mime":"image/png","url":"data:image/png;base64,QQ=="}],"time":{"start":1767312004000,"end":1767312005000}}},
    {"type":"tool","tool":"task","callID":"call_5","id":"p8","state":{"status":"completed","input":{"prompt":"p"},"output":"done","metadata":{"sessionId":"ses_2","parentSessionId":"ses_1"},"time":{"start":1767312005000,"end":1767312006000}}},
    {"type":"tool","tool":"bash","callID":"call_6","id":"p9","state":{"status":"running","input":{"command":"top"},"metadata":{"output":"so far"},"time":{"start":1767312006000}}},
    {"type":"tool","tool":"bash","callID":"call_7","id":"p10","state":{"status":"pending","input":{}}},
    {"type":"step-finish","id":"p11","reason":"stop"}]}
 ]}"#;

#[test]
fn reads_an_export() {
    let reading = one(EXPORT);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"call_1 bash @0 ok "a\n""#,
            r#"call_2 read @0 error "no such file""#,
            r#"call_3 edit @0 refused by User "The user rejected permission to use this specific tool call.""#,
            r#"call_4 shot @0 ok "" + image/png(QQ==)"#,
            r#"call_5 task @0 ok "done""#,
            r#"call_6 bash @0 lost "so far""#,
            "call_7 bash @0 lost ·",
        ]
    );
    assert_eq!(seconds(session)[..2], [(Some(2), Some(3)), (Some(3), Some(4))]);
    assert_eq!(session.calls[0].preview.as_deref(), Some("List"));
    assert!(session.calls[0].structured.as_ref().unwrap().read().contains(r#""exit":1"#));
    assert_eq!(
        (&*session.id, session.title.as_deref(), session.host.as_deref()),
        ("ses_1", Some("Tables"), Some("opencode/1.2.3"))
    );
    let exchange = &session.exchanges[0];
    assert_eq!(
        (&*exchange.name, exchange.cost, exchange.error.as_deref()),
        ("m-1", Some(500_000_000), Some("aborted"))
    );
    assert_eq!(exchange.tokens.total_input(), Some(11));
    assert_eq!(session.prompts.len(), 1);
    assert_eq!(reading.belongs, Belongs::Child { parent: "ses_0".into() });
    let agents: Vec<_> = session.agents.iter().map(|agent| (&*agent.id, agent.spawned_by.as_deref())).collect();
    assert_eq!(agents, [("main", None), ("ses_2", Some("call_5"))]);
}

#[test]
fn one_bad_part_is_lost_alone() {
    let reading = one(&EXPORT
        .replace(r#"{"type":"step-start","id":"p2"}"#, "7")
        .replace(r#""status":"pending","input":{}"#, r#""input":{}"#));
    assert_eq!(reading.session.calls.len(), 7);
    assert_eq!(reading.session.problems[0].place, "messages[1].parts[0]");
}

#[test]
fn reads_single_files_of_the_storage() {
    let part = r#"{"id":"p1","sessionID":"ses_1","messageID":"msg_1","type":"tool","callID":"call_1","tool":"bash","state":{"status":"completed","input":{},"output":"a","time":{"start":1767312002000,"end":1767312003000}}}"#;
    let message =
        r#"{"id":"msg_1","sessionID":"ses_1","role":"assistant","time":{"created":1767312001000},"modelID":"m-1"}"#;
    let session = r#"{"id":"ses_1","version":"1.2.3","projectID":"p","directory":"/w","title":"Tables","time":{"created":1767312000000}}"#;
    for (text, drawn) in [(part, vec![r#"call_1 bash @- ok "a""#]), (message, vec![]), (session, vec![])] {
        let reading = one(text);
        assert_eq!(calls(&reading.session), drawn);
        assert_eq!((&*reading.session.id, reading.belongs, reading.orphans), ("ses_1", Belongs::Part, 0));
    }
}

const PRINTED: &str = concat!(
    r#"{"type":"step_start","timestamp":1767312001000,"sessionID":"ses_1","part":{"type":"step-start"}}"#,
    "\n",
    r#"{"type":"text","timestamp":1767312002000,"sessionID":"ses_1","part":{"type":"text","text":"I look."}}"#,
    "\n",
    r#"{"type":"tool_use","timestamp":1767312004000,"sessionID":"ses_1","part":{"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","input":{"command":"ls"},"output":"a","time":{"start":1767312003000,"end":1767312004000}}}}"#,
    "\n",
    r#"{"type":"step_finish","timestamp":1767312005000,"sessionID":"ses_1","part":{"type":"step-finish","reason":"tool-calls","cost":0.1,"tokens":{"input":5,"output":1}}}"#,
    "\n",
    r#"{"type":"step_start","timestamp":1767312006000,"sessionID":"ses_1","part":{"type":"step-start"}}"#,
    "\n",
    r#"{"type":"tool_use","timestamp":1767312007000,"sessionID":"ses_1","part":{"type":"tool","tool":"read","callID":"c2","state":{"status":"error","input":{},"error":"no","time":{"start":1767312006000,"end":1767312007000}}}}"#,
);

#[test]
fn reads_what_a_run_printed() {
    let reading = one(PRINTED);
    assert_eq!(calls(&reading.session), [r#"c1 bash @0 ok "a""#, r#"c2 read @1 error "no""#]);
    assert_eq!(&*reading.session.id, "ses_1");
    assert_eq!(reading.session.exchanges[0].tokens.input, Some(5));
}

#[test]
fn the_laws_hold() {
    laws_of_lines(PRINTED, read);
    laws_of_documents(EXPORT, read);
}
