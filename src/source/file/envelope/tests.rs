use super::super::check::{calls, input, laws_of_lines, one, seconds};
use super::*;

#[test]
fn reads_droid() {
    let lines = [
        r#"{"type":"session_start","id":"d","title":"t","cwd":"/w","version":"0.8"}"#,
        r#"{"type":"message","id":"1","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}"#,
        r#"{"type":"message","id":"2","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Execute","input":{}}]}}"#,
        r#"{"type":"message","id":"3","timestamp":"2026-01-01T00:00:05Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}}"#,
    ];
    let session = one(&lines.join("\n")).session;
    assert_eq!(calls(&session), [r#"a Execute @0 ok "x""#]);
    assert_eq!(seconds(&session), [(Some(2), Some(5))]);
    assert!(!session.calls[0].approximate);
    assert_eq!((&*session.id, session.title.as_deref(), session.host.as_deref()), ("d", Some("t"), Some("droid/0.8")));
    laws_of_lines(&lines.join("\n"), read);
}

#[test]
fn reads_the_events_of_managed_agents() {
    let event = |kind: &str, second: u32, raw: &str| {
        format!(
            r#"{{"role":"agent","kind":"k","time":"2026-01-01T00:00:00Z","raw":{{"type":"{kind}","processed_at":"2026-01-01T00:00:{second:02}.123456Z",{raw}}}}}"#
        )
    };
    let lines = [
        event("agent.tool_use", 1, r#""id":"sevt_1","name":"bash","input":{"c":1}"#),
        event("agent.tool_use", 2, r#""id":"sevt_2","name":"bash","input":{}"#),
        event("span.model_request_start", 2, r#""id":"x""#),
        event(
            "agent.tool_result",
            3,
            r#""tool_use_id":"sevt_2","content":[{"type":"text","text":"no"}],"is_error":true"#,
        ),
        event(
            "agent.tool_result",
            4,
            r#""tool_use_id":"sevt_1","content":[{"type":"text","text":"yes"}],"is_error":false"#,
        ),
    ];
    let session = one(&lines.join("\n")).session;
    assert_eq!(calls(&session), [r#"sevt_1 bash @0 ok "yes""#, r#"sevt_2 bash @1 error "no""#]);
    assert_eq!(seconds(&session), [(Some(1), Some(4)), (Some(2), Some(3))]);
    laws_of_lines(&lines.join("\n"), read);
}

#[test]
fn reads_happy_and_sub_agents() {
    let line = |seq: u32, data: &str| {
        format!(
            r#"{{"id":"x","seq":{seq},"content":{{"role":"agent","content":{{"type":"output","data":{data}}}}},"createdAt":1767225600000}}"#
        )
    };
    let text = format!(
        r#"[{{"id":"p","seq":0,"content":{{"role":"user","content":{{"type":"text","text":"go"}}}},"createdAt":1767225600000}},{},{},{},7]"#,
        line(
            1,
            r#"{"type":"assistant","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Task","input":{}}]}}"#
        ),
        line(
            2,
            r#"{"type":"assistant","sessionId":"s","parent_tool_use_id":"t","timestamp":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"u","name":"Bash","input":{}}]}}"#
        ),
        line(
            3,
            r#"{"type":"user","sessionId":"s","timestamp":"2026-01-01T00:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#
        ),
    );
    let session = one(&text).session;
    assert_eq!(calls(&session), [r#"t Task @0 ok "ok""#, "t/u Bash @1 lost ·"]);
    assert_eq!((&*session.id, session.prompts.len(), session.problems.len()), ("s", 1, 1));
    assert_eq!(session.agents[1].spawned_by.as_deref(), Some("t"));
}

#[test]
fn reads_messages_with_the_role_outside_and_logged_ones() {
    let outside = r#"[{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}},{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}}]"#;
    assert_eq!(calls(&one(outside).session), [r#"a f @0 ok "x""#]);
    let logged = [
        r#"{"timestamp":"2026-01-01T00:00:01Z","role":"assistant","model":"m","content":[{"type":"tool_use","id":"a","name":"f","input":{"p":1}}]}"#,
        r#"{"timestamp":"2026-01-01T00:00:02Z","role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x","is_error":true}]}"#,
    ];
    let session = one(&logged.join("\n")).session;
    assert_eq!(
        (calls(&session), input(&session.calls[0])),
        (vec![r#"a f @0 error "x""#.to_owned()], r#"{"p":1}"#.to_owned())
    );
    assert_eq!(&*session.exchanges[0].name, "m");
    laws_of_lines(&logged.join("\n"), read);
}
