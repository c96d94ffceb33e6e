use super::super::check::{calls, input, laws_of_cuts, laws_of_lines, one, seconds};
use super::super::join;
use super::*;

/// An event of the session `s` at a second of the day.
fn event(seq: u32, phase: &str, more: &str) -> String {
    format!(
        r#"{{"sessionId":"s","seq":{seq},"at":"2026-01-02T00:00:{seq:02}Z","direction":"outbound","phase":"{phase}",{more}}}"#
    )
}

/// A model's exchange: `results` are what the request brings, `asked` what the response asks for, both JSON.
fn model(seq: u32, results: &str, asked: &str) -> [String; 2] {
    let id = format!(r#""requestId":"r{seq}","inference""#);
    [
        event(seq, "request", &format!(r#"{id}:{{"model":"m","agentRole":"main","toolResults":[{results}]}}"#)),
        event(seq + 1, "response", &format!(r#"{id}:{{"model":"m","finishReason":"tool_use","toolCalls":[{asked}]}}"#)),
    ]
}

fn asked(id: &str, name: &str, arguments: &str) -> String {
    format!(r#"{{"id":"{id}","name":"{name}","arguments":{}}}"#, crate::json::quote(arguments))
}

fn mcp(seq: u32, phase: &str, request: &str, more: &str) -> String {
    event(
        seq,
        phase,
        &format!(r#""requestId":"{request}","host":"h","mcp":{{"method":"tools/call","rpcId":7,{more}}}"#),
    )
}

/// Two exchanges of a model and what MCP servers answered.
fn events() -> Vec<String> {
    let params = |name: &str, arguments: &str| format!(r#""params":{{"name":"{name}","arguments":{arguments}}}"#);
    let first = [asked("a", "Bash", "{\"c\":1}"), asked("b", "mcp__web__look", r#"{"x":1,"y":[2]}"#)].join(",");
    let [one, two] = model(1, "", &first);
    let look = mcp(3, "request", "q1", &params("look", r#"{ "y": [2], "x": 1 }"#));
    let looked = mcp(5, "response", "q1", r#""result":{"content":[{"type":"text","text":"seen"}],"isError":false}"#);
    let [three, four] = model(6, r#"{"toolUseId":"a","content":"done","isError":true}"#, &asked("c", "Bash", "{}"));
    let wipe = mcp(8, "request", "q2", &params("wipe", "{}"));
    let wiped = mcp(9, "response", "q2", r#""error":{"code":-32602,"message":"unknown tool"}"#);
    let denied = mcp(10, "denied", "q3", &params("erase", "{}"));
    let denied = denied.replace(r#""phase""#, r#""error":{"kind":"policy","message":"not here"},"phase""#);
    let open = mcp(11, "request", "q4", &params("wait", "{}"));
    vec![one, two, look, looked, three, four, wipe, wiped, denied, open]
}

const CALLS: [&str; 6] = [
    r#"a Bash @2 error "done""#,
    r#"b mcp__web__look @2 ok "seen""#,
    "c Bash @7 lost ·",
    r#"q2 wipe @- error "unknown tool""#,
    r#"q3 erase @- refused by Policy "not here""#,
    "q4 wait @- lost ·",
];

#[test]
fn a_view_a_stream_and_lines_tell_the_same_session() {
    let events = events();
    let stream: Vec<_> =
        events.iter().map(|event| format!("event: session-event\nid: 1\ndata: {event}\n\n: heartbeat\n")).collect();
    let view = format!("{{\"id\":\"s\",\n\"events\":[{}]}}", events.join(",\n"));
    for text in [view.clone(), view.replace('\n', ""), format!(": ok\n\n{}", stream.join("\n")), events.join("\n")] {
        let reading = one(&text);
        assert_eq!((reading.format, &*reading.session.id), (Format::Cortex, "s"));
        assert_eq!(calls(&reading.session), CALLS);
        assert_eq!(reading.session.problems, []);
        assert_eq!(input(&reading.session.calls[0]), r#"{"c":1}"#);
        assert_eq!(seconds(&reading.session)[..2], [(Some(2), Some(6)), (Some(3), Some(5))]);
        assert!(!reading.session.calls[1].approximate, "the request to the server tells when it ran");
        assert!(reading.session.exchanges.iter().all(|exchange| exchange.span.end.is_some()), "nothing is under way");
    }
    assert_eq!(join(vec![one(&view), one(&events.join("\n"))]).len(), 1);
}

#[test]
fn a_timeline_tells_its_calls_and_what_the_file_lacks() {
    let timeline = r#"{"agents":[{"id":"main"},{"id":"x","label":"Look","spawnTool":"a","spawnedAt":"2026-01-02T00:00:01Z"}],
        "tools":[{"id":"a","name":"Agent","agent":"main","seq":2,"start":"2026-01-02T00:00:01Z","end":"2026-01-02T00:00:02Z"},
        {"id":"b","name":"Read","agent":"x","seq":4,"start":"2026-01-02T00:00:03Z"}],"jobs":[]}"#;
    let reading = one(timeline);
    assert_eq!(calls(&reading.session), ["a Agent @2 ok unavailable", "x/b Read @4 lost ·"]);
    assert_eq!(reading.session.agents[1].run.nanos(), Some(2_000_000_000));
    // With the events of the session in the same file the calls have their inputs.
    let [_, response] = model(1, "", &asked("a", "Agent", "{\"d\":1}"));
    let both = one(&format!("{response}\n{}", timeline.replace('\n', "")));
    assert_eq!(input(&both.session.calls[0]), "{\"d\":1}");
    assert_eq!(both.session.calls.len(), 2);
}

#[test]
fn a_list_of_sessions_is_no_session() {
    let list = r#"{"sessions":[{"id":"s","createdAt":"2026-01-02T00:00:00Z","eventCount":8}]}"#;
    let words = super::super::read("list.json", list.into()).unwrap_err().to_string();
    assert!(words.contains("list.json") && words.contains("list of sessions"), "{words}");
}

#[test]
fn a_stream_of_several_sessions_is_several() {
    let [one, two] = model(1, "", &asked("a", "Bash", "{}"));
    let lines = [one.clone(), two.clone(), one.replace(r#""s""#, r#""t""#), two.replace(r#""s""#, r#""t""#)];
    let readings = super::super::read("a", lines.join("\n").into_bytes()).unwrap();
    let ids: Vec<_> = readings.iter().map(|reading| (&*reading.session.id, reading.session.calls.len())).collect();
    assert_eq!(ids, [("s", 1), ("t", 1)]);
}

#[test]
fn events_that_come_again_are_dropped_and_those_that_count_anew_are_not() {
    let [one_, two] = model(1, "", &asked("a", "Bash", "{}"));
    let again = one(&[one_.clone(), two.clone(), one_.clone(), two.clone()].join("\n"));
    assert_eq!((again.session.calls.len(), again.session.repeats), (1, 1));
    let anew = [one_.clone(), two.clone()].map(|line| line.replace("00:00:0", "00:01:0").replace(r#""a""#, r#""b""#));
    let both = one(&[one_, two, anew[0].clone(), anew[1].clone()].join("\n"));
    assert_eq!(calls(&both.session), ["a Bash @2 ok unavailable", "b Bash @4 lost ·"]);
}

#[test]
fn what_is_no_event_and_what_the_proxy_still_held_is_told() {
    let text = format!(r#"{{"id":"s","oldestSeq":1,"events":[{},7,{{}}]}}"#, events()[4]);
    let places: Vec<_> = one(&text).session.problems.into_iter().map(|problem| problem.place).collect();
    assert_eq!(places, ["event 2", "event 3", "the first event"]);
    assert!(!one(&text).session.has_older, "a file cannot give more");
}

#[test]
fn the_laws_hold() {
    // What ends a call must name it, or the line is also that call's.
    let (whole, named) = (r#"[{"toolUseId":"a""#, r#"[{"toolUseId":"b","content":""},{"toolUseId":"a""#);
    let mut lines: Vec<_> = events().iter().map(|line| line.replace(whole, named)).collect();
    lines.drain(2..4);
    laws_of_lines(&lines.join("\n"), read);
    laws_of_cuts(&format!("{{\"id\":\"s\",\n\"events\":[{}]}}", events().join(",\n")), read);
}
