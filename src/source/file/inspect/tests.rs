use super::super::check::{calls, laws_of_documents, seconds};
use super::*;

const SAMPLE: &str = r#"{"id":1,"epoch":2,"input":"x","target":"y","messages":[
    {"role":"user","content":"go"},
    {"role":"assistant","content":"","tool_calls":[{"id":"a","function":"bash","arguments":{"cmd":"ls"},"type":"function"},{"id":"b","function":"py","arguments":{},"parse_error":"bad"}]},
    {"role":"tool","tool_call_id":"a","function":"bash","content":"attachment://h1"},
    {"role":"tool","tool_call_id":"b","function":"py","content":"","error":{"type":"parsing","message":"bad"}}],
    "attachments":{"h1":"long text"},
    "events":[{"event":"model"},
    {"event":"tool","id":"a","function":"bash","arguments":{"cmd":"ls"},"result":"long text","timestamp":"2026-01-01T00:00:01Z","completed":"2026-01-01T00:00:04Z"},
    {"event":"tool","id":"c","function":"handoff","agent":"helper","arguments":{},"result":"done","timestamp":"2026-01-01T00:00:05Z","completed":"2026-01-01T00:00:09Z","events":[
        {"event":"tool","id":"d","function":"bash","arguments":{},"result":"","error":{"type":"timeout","message":"t"},"timestamp":"2026-01-01T00:00:06Z","completed":"2026-01-01T00:00:07Z"}]}]}"#;

fn log(samples: &str) -> String {
    format!(
        r#"{{"version":2,"status":"success","eval":{{"run_id":"r","task":"t","model":"m","packages":{{"inspect_ai":"0.3"}}}},"plan":{{}},"samples":[{samples}]}}"#
    )
}

fn sessions(text: &str) -> Vec<Reading> {
    super::super::read("f", text.as_bytes().to_vec()).unwrap()
}

#[test]
fn each_sample_is_a_session() {
    let readings = sessions(&log(&format!("{SAMPLE},7,{}", SAMPLE.replace(r#""epoch":2"#, r#""epoch":3"#))));
    assert_eq!(readings.len(), 3);
    assert_eq!(readings[1].session.problems[0].place, "samples[1]");
    let session = &readings[0].session;
    assert_eq!(
        (&*session.id, session.title.as_deref(), session.host.as_deref()),
        ("r/1/2", Some("t"), Some("inspect/0.3"))
    );
    assert_eq!(
        calls(session),
        [
            r#"a bash @0 ok "long text""#,
            r#"b py @0 error """#,
            r#"c handoff @0 ok "done""#,
            r#"main/c/d bash @1 error """#
        ]
    );
    assert_eq!(seconds(session), [(Some(1), Some(4)), (None, None), (Some(5), Some(9)), (Some(6), Some(7))]);
    assert!(!session.calls[0].approximate);
    assert_eq!(session.agents[1].spawned_by.as_deref(), Some("c"));
    assert_eq!(session.agents[1].label.as_deref(), Some("helper"));
    laws_of_documents(&log(SAMPLE), read);
}

#[test]
fn an_archive_is_put_together() {
    let head = log("").replace(r#","samples":[]"#, "");
    let member = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let log = assemble(vec![
        member("_journal/start.json", "{}"),
        member("samples/1_epoch_2.json", SAMPLE),
        member("summaries.json", "[]"),
        member("samples/2_epoch_1.json", "{torn"),
        member("header.json", &head),
    ]);
    assert_eq!(log.len(), 1);
    let readings = sessions(&log[0].1);
    assert_eq!(readings.iter().map(|reading| reading.session.calls.len()).collect::<Vec<_>>(), [4, 0]);
    assert_eq!(readings[1].session.problems.len(), 1);
    // Other archives stay as they are.
    assert_eq!(assemble(vec![member("a.jsonl", "x"), member("b.jsonl", "y")]).len(), 2);
    // Without its head the samples are still there.
    let torn = assemble(vec![member("header.json", "{"), member("samples/1.json", SAMPLE)]);
    assert_eq!(sessions(&torn[0].1).len(), 1);
}

#[test]
fn results_without_calls_are_orphans() {
    let text = log(
        r#"{"id":1,"epoch":1,"messages":[{"role":"tool","tool_call_id":"x","function":"f","content":"1"},{"role":"tool","tool_call_id":"y","content":"2","error":{"type":"limit","message":"m"}}]}"#,
    );
    assert_eq!(sessions(&text)[0].orphans, 2);
}
