use super::super::check::{calls, laws_of_lines, one, seconds};
use super::super::join;
use super::*;

/// A line of a session at a second of the day.
fn line(second: u32, more: &str, kind: &str, message: &str) -> String {
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"sessionId":"s1","version":"2.1.30","type":"{kind}","uuid":"u{second}","timestamp":"2026-01-02T00:00:{second:02}.000Z"{more},"message":{message}}}"#
    )
}

fn call(second: u32, more: &str, message: &str, id: &str, name: &str, input: &str) -> String {
    let content = format!(
        r#"{{"id":"{message}","role":"assistant","model":"m-1","usage":{{"input_tokens":5,"output_tokens":2}},"content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}"#
    );
    line(second, more, "assistant", &content)
}

/// `content` is JSON.
fn answer(second: u32, more: &str, id: &str, content: &str, is_error: bool) -> String {
    let content = format!(
        r#"{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":{content},"is_error":{is_error}}}]}}"#
    );
    line(second, more, "user", &content)
}

#[test]
fn reads_calls_results_and_how_they_ended() {
    let reading = one(&[
        r#"{"type":"summary","summary":"Tables","leafUuid":"x"}"#.to_owned(),
        line(1, "", "user", r#"{"role":"user","content":"go"}"#),
        line(1, r#","isMeta":true"#, "user", r#"{"role":"user","content":"meta"}"#),
        call(3, "", "m1", "a", "Bash", r#"{"command":"ls"}"#),
        call(3, "", "m1", "b", "Read", "{}"),
        answer(4, r#","toolUseResult":{"stdout":"x","interrupted":false}"#, "a", r#""x""#, false),
        answer(
            5,
            "",
            "b",
            r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]"#,
            false,
        ),
        call(6, "", "m2", "c", "Bash", "{}"),
        call(6, "", "m2", "d", "Bash", "{}"),
        call(6, "", "m2", "e", "Bash", "{}"),
        answer(
            7,
            r#","toolUseResult":"User rejected tool use""#,
            "c",
            r#""The user doesn't want to proceed with this tool use. The tool use was rejected""#,
            true,
        ),
        answer(7, "", "d", r#""<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>""#, true),
        answer(7, "", "e", r#""Exit code 2\nno""#, true),
        call(8, "", "m3", "f", "Bash", "{}"),
        line(
            9,
            "",
            "user",
            r#"{"role":"user","content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}"#,
        ),
        call(10, "", "m4", "g", "StructuredOutput", "{}"),
        call(11, "", "m5", "h", "Bash", "{}"),
        answer(12, "", "z", r#""?""#, false),
    ]
    .join("\n"));
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"a Bash @0 ok "x""#,
            "b Read @0 ok image/png(QQ==)",
            r#"c Bash @1 refused by User "The user doesn't want to proceed with this tool use. The tool use was rejected""#,
            r#"d Bash @1 cancelled "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>""#,
            r#"e Bash @1 error "Exit code 2\nno""#,
            "f Bash @2 cancelled ·",
            "g StructuredOutput @3 ends-run ·",
            "h Bash @4 lost ·",
            r#"z  @- ok "?""#,
        ]
    );
    assert_eq!(reading.orphans, 1);
    assert_eq!(seconds(session)[..2], [(Some(3), Some(4)), (Some(3), Some(5))]);
    assert_eq!(session.calls[0].structured.as_ref().unwrap().read(), r#"{"stdout":"x","interrupted":false}"#);
    assert_eq!(
        (session.prompts.len(), session.title.as_deref(), session.host.as_deref()),
        (1, Some("Tables"), Some("claude-code/2.1.30"))
    );
    assert_eq!(session.exchanges[0].span.nanos(), Some(2_000_000_000));
}

#[test]
fn side_chains_in_the_file_stand_under_the_call_with_their_prompt() {
    let side = |second: u32, parent: &str, kind: &str, message: &str| {
        format!(
            r#"{{"parentUuid":{parent},"isSidechain":true,"sessionId":"s1","type":"{kind}","uuid":"c{second}","timestamp":"2026-01-02T00:00:{second:02}.000Z","message":{message}}}"#
        )
    };
    let use_of = |id: &str| {
        format!(r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"Read","input":{{}}}}]}}"#)
    };
    let reading = one(&[
        call(1, "", "m1", "t1", "Task", r#"{"prompt":"first","subagent_type":"Explore"}"#),
        call(
            1,
            "",
            "m1",
            "t2",
            "Task",
            r#"{"prompt":"second","subagent_type":"Explore","description":"Count the rows"}"#,
        ),
        side(2, "null", "user", r#"{"role":"user","content":"second"}"#),
        side(3, "\"c2\"", "assistant", &use_of("x")),
        side(4, "null", "user", r#"{"role":"user","content":"reworded"}"#),
        side(5, "\"c4\"", "assistant", &use_of("y")),
    ]
    .join("\n"));
    assert_eq!(calls(&reading.session)[2..], ["c2/x Read @1 lost ·", "c4/y Read @2 lost ·"]);
    let agents: Vec<_> = reading.session.agents.iter().map(|agent| (&*agent.id, agent.spawned_by.as_deref())).collect();
    assert_eq!(agents, [("main", None), ("c2", Some("t2")), ("c4", Some("t1"))]);
    let labels: Vec<_> = reading.session.agents.iter().map(|agent| agent.label.as_deref()).collect();
    assert_eq!(labels, [None, Some("Count the rows"), Some("Explore")], "what it is to do, else what kind it is");
    assert_eq!(reading.session.agents[1].run.nanos(), Some(1_000_000_000), "from its prompt to the last that is known");
    assert_eq!(reading.session.prompts.len(), 0);
}

#[test]
fn a_sub_agents_file_is_joined_and_its_progress_is_not_doubled() {
    let inner = r#"{"type":"assistant","timestamp":"2026-01-02T00:00:03.000Z","message":{"id":"n1","role":"assistant","content":[{"type":"tool_use","id":"x","name":"Read","input":{}}]}}"#;
    let progress = format!(
        r#"{{"parentUuid":"u1","isSidechain":false,"sessionId":"s1","type":"progress","uuid":"p","timestamp":"2026-01-02T00:00:04.000Z","parentToolUseID":"t1","toolUseID":"agent_1","data":{{"type":"agent_progress","agentId":"a1","message":{inner}}}}}"#
    );
    let main = [
        call(1, "", "m1", "t1", "Agent", r#"{"prompt":"look","subagent_type":"Explore"}"#),
        progress,
        answer(9, r#","toolUseResult":{"status":"completed","agentId":"a1"}"#, "t1", r#""done""#, false),
    ]
    .join("\n");
    let alone = one(&main);
    assert_eq!(calls(&alone.session), [r#"t1 Agent @0 ok "done""#, "a1/x Read @1 lost ·"]);
    let own = r#","agentId":"a1""#;
    let child = [
        call(3, own, "n1", "x", "Read", "{}"),
        answer(4, own, "x", r#""text""#, false),
        call(5, own, "n2", "y", "Bash", "{}"),
    ]
    .join("\n")
    .replace(r#""isSidechain":false"#, r#""isSidechain":true"#);
    let child = one(&child);
    assert_eq!((&*child.session.id, &child.belongs), ("a1", &Belongs::Child { parent: "s1".into() }));
    assert_eq!(
        join(vec![alone.clone(), child.clone()])[0].session,
        join(vec![child.clone(), alone.clone()])[0].session
    );
    let joined = join(vec![child, alone]);
    assert_eq!(joined.len(), 1);
    assert_eq!(
        calls(&joined[0].session),
        [r#"t1 Agent @0 ok "done""#, r#"a1/x Read @1 ok "text""#, "a1/y Bash @2 lost ·"]
    );
    let agent = &joined[0].session.agents[1];
    assert_eq!((agent.label.as_deref(), agent.spawned_by.as_deref()), (Some("Explore"), Some("t1")));
}

#[test]
fn resumed_sessions_repeat_their_calls() {
    let first = [call(1, "", "m1", "a", "Bash", "{}"), answer(2, "", "a", r#""1""#, false)];
    let again = first.clone().map(|line| line.replace(r#""uuid":"u"#, r#""uuid":"v"#));
    let later = call(30, "", "m9", "a", "Bash", "{}");
    let reading = one(&[&first[..], &again, &[later]].concat().join("\n"));
    assert_eq!(calls(&reading.session), [r#"a Bash @0 ok "1""#, "a#1 Bash @1 lost ·"]);
    assert_eq!(reading.session.repeats, 2);
}

#[test]
fn background_shells_are_jobs_until_they_are_told_to_be_over() {
    let note = r#"{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-02T00:00:09.000Z","sessionId":"s1","content":"<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>"}"#;
    let reading = one(&[
        call(1, "", "m1", "a", "Bash", r#"{"run_in_background":true}"#),
        answer(
            2,
            r#","toolUseResult":{"stdout":"","backgroundTaskId":"b1"}"#,
            "a",
            r#""Command running in background with ID: b1""#,
            false,
        ),
        note.to_owned(),
    ]
    .join("\n"));
    let job = &reading.session.jobs[0];
    assert_eq!(job.span.nanos(), Some(7_000_000_000));
    assert_eq!(job.span.start, reading.session.calls[0].span.end);
}

const STREAM: &str = concat!(
    r#"{"type":"system","subtype":"init","session_id":"s1","model":"m-1","claude_code_version":"2.1.41","tools":[]}"#,
    "\n",
    r#"{"type":"assistant","message":{"id":"m1","role":"assistant","model":"m-1","content":[{"type":"tool_use","id":"t1","name":"Task","input":{}}]},"parent_tool_use_id":null,"session_id":"s1"}"#,
    "\n",
    r#"{"type":"assistant","message":{"id":"n1","role":"assistant","content":[{"type":"tool_use","id":"x","name":"Read","input":{}}]},"parent_tool_use_id":"t1","session_id":"s1"}"#,
    "\n",
    r#"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"x","type":"tool_result","content":"text"}]},"parent_tool_use_id":"t1","session_id":"s1","timestamp":"2026-01-02T00:00:05.000Z","tool_use_result":{"type":"text"}}"#,
    "\n",
    r#"{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":[{"type":"text","text":"done"}]}]},"parent_tool_use_id":null,"session_id":"s1"}"#,
    "\n",
    r#"{"type":"assistant","message":{"id":"m2","role":"assistant","model":"m-1","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{}}]},"parent_tool_use_id":null,"session_id":"s1"}"#,
    "\n",
    r#"{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":2,"session_id":"s1"}"#,
);

#[test]
fn reads_stream_json() {
    let reading = one(STREAM);
    let session = &reading.session;
    assert_eq!(calls(session), [r#"t1 Task @0 ok "done""#, r#"t1/x Read @1 ok "text""#, "t2 Bash @2 lost ·"]);
    assert_eq!((reading.format, session.host.as_deref()), (Format::ClaudeStream, Some("claude-code/2.1.41")));
    assert_eq!(session.exchanges[2].error.as_deref(), Some("error_max_turns"));
    assert_eq!(session.agents[1].spawned_by.as_deref(), Some("t1"));
    assert_eq!(session.calls[1].structured.as_ref().unwrap().read(), r#"{"type":"text"}"#);
}

#[test]
fn the_laws_hold() {
    laws_of_lines(STREAM, read);
    let session = [
        line(1, "", "user", r#"{"role":"user","content":"go"}"#),
        call(3, "", "m1", "a", "Bash", r#"{"command":"ls"}"#),
        call(3, "", "m1", "b", "Read", "{}"),
        answer(4, r#","toolUseResult":{"stdout":"x"}"#, "b", r#""x😀""#, false),
        answer(5, "", "a", r#""Exit code 1""#, true),
        call(6, "", "m2", "c", "Bash", "{}"),
    ];
    laws_of_lines(&session.join("\n"), read);
}
