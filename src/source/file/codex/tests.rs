use super::super::check::{calls, input, laws_of_lines, one, output, seconds};
use super::*;
use crate::json::quote;
use crate::trace::Span;

const HEAD: &str = r#"{"timestamp":"2026-01-02T00:00:00.000Z","type":"session_meta","payload":{"id":"thread-1","timestamp":"2026-01-02T00:00:00.000Z","cwd":"/w","originator":"codex-tui","cli_version":"0.142.4","source":"cli"}}"#;

/// A line at a second of the day.
fn line(second: u32, kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-02T00:00:{second:02}.000Z","type":"{kind}","payload":{payload}}}"#)
}

fn item(second: u32, payload: &str) -> String {
    line(second, "response_item", payload)
}

fn event(second: u32, payload: &str) -> String {
    line(second, "event_msg", payload)
}

fn call(second: u32, id: &str, name: &str, arguments: &str) -> String {
    item(
        second,
        &format!(r#"{{"type":"function_call","name":"{name}","arguments":{},"call_id":"{id}"}}"#, quote(arguments)),
    )
}

fn custom(second: u32, id: &str, name: &str, input: &str) -> String {
    item(
        second,
        &format!(
            r#"{{"type":"custom_tool_call","status":"completed","name":"{name}","input":{},"call_id":"{id}"}}"#,
            quote(input)
        ),
    )
}

/// `output` is JSON.
fn answer(second: u32, id: &str, output: &str) -> String {
    item(second, &format!(r#"{{"type":"function_call_output","call_id":"{id}","output":{output}}}"#))
}

fn file(lines: &[String]) -> String {
    let mut all = vec![HEAD.to_owned(), line(0, "turn_context", r#"{"model":"m-1","cwd":"/w"}"#)];
    all.extend_from_slice(lines);
    all.join("\n")
}

#[test]
fn reads_every_kind_of_call_and_every_form_of_output() {
    let reading = one(&file(&[
        event(1, r#"{"type":"user_message","message":"go on"}"#),
        item(1, r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}"#),
        item(3, r#"{"type":"reasoning","summary":[],"encrypted_content":"x"}"#),
        item(3, r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]}"#),
        call(4, "old", "shell", r#"{"command":["bash","-lc","ls"]}"#),
        call(4, "win", "shell_command", r#"{"command":"dir"}"#),
        call(4, "new", "exec_command", r#"{"cmd":"ls"}"#),
        call(4, "long", "exec_command", r#"{"cmd":"top"}"#),
        custom(4, "patch", "apply_patch", "*** Begin Patch\n*** End Patch"),
        custom(4, "code", "exec", "await tools.exec_command({})"),
        item(
            4,
            r#"{"type":"local_shell_call","call_id":"local","status":"completed","action":{"type":"exec","command":["pwd"]}}"#,
        ),
        item(4, r#"{"type":"tool_search_call","call_id":"tools","execution":"client","arguments":{"query":"q"}}"#),
        item(4, r#"{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}"#),
        item(
            4,
            r#"{"type":"image_generation_call","id":"ig","status":"completed","revised_prompt":"a cat","result":"QUJD"}"#,
        ),
        call(4, "seen", "view_image", r#"{"path":"/a.png"}"#),
        call(4, "mcp", "create", "{}").replace(r#""name""#, r#""namespace":"mcp__files__","name""#),
        answer(5, "old", &quote(r#"{"output":"a\n","metadata":{"exit_code":2,"duration_seconds":0.5}}"#)),
        answer(6, "win", &quote("Exit code: 0\nWall time: 1 seconds\nOutput:\na\r\n")),
        answer(
            7,
            "new",
            &quote(
                "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 1\nOutput:\nno\n",
            ),
        ),
        answer(8, "long", &quote("Chunk ID: 2\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n")),
        answer(9, "patch", &quote("apply_patch verification failed: no such file")),
        item(
            9,
            r#"{"type":"custom_tool_call_output","call_id":"code","output":[{"type":"input_text","text":"Script completed\nWall time 2.0 seconds\nOutput:\n"},{"type":"input_text","text":"{}"}]}"#,
        ),
        answer(9, "local", r#""/w\n""#),
        item(9, r#"{"type":"tool_search_output","call_id":"tools","tools":[{"name":"t"}]}"#),
        answer(9, "seen", r#"[{"type":"input_image","image_url":"data:image/png;base64,QQ=="}]"#),
        answer(9, "mcp", r#"{"type":"input_text","text":"made"}"#),
        item(9, r#"{"type":"ghost_snapshot","ghost_commit":{}}"#),
    ]));
    assert_eq!(
        calls(&reading.session),
        [
            r#"old shell @0 error "{\"output\":\"a\\n\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.5}}""#,
            r#"win shell_command @0 ok "Exit code: 0\nWall time: 1 seconds\nOutput:\na\r\n""#,
            r#"new exec_command @0 error "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 1\nOutput:\nno\n""#,
            r#"long exec_command @0 ok "Chunk ID: 2\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n""#,
            r#"patch apply_patch @0 ok "apply_patch verification failed: no such file""#,
            r#"code exec @0 ok "Script completed\nWall time 2.0 seconds\nOutput:\n" + "{}""#,
            r#"local local_shell @0 ok "/w\n""#,
            r#"tools tool_search @0 ok {"name":"t"}"#,
            " web_search @0 ok unavailable",
            "ig image_generation @0 ok image/png(QUJD)",
            "seen view_image @0 ok image/png(QQ==)",
            r#"mcp mcp__files__create @0 ok "made""#,
        ]
    );
    let session = &reading.session;
    assert_eq!((&*session.id, session.host.as_deref()), ("thread-1", Some("codex-tui/0.142.4")));
    assert_eq!((reading.orphans, session.repeats, session.problems.len()), (0, 0, 0));
    let inputs: Vec<_> = session.calls.iter().map(|call| input(call)).collect();
    assert_eq!(inputs[0], r#"{"command":["bash","-lc","ls"]}"#);
    assert_eq!(inputs[4], "*** Begin Patch\n*** End Patch");
    assert_eq!(inputs[6], r#"{"type":"exec","command":["pwd"]}"#);
    assert_eq!(inputs[8], r#"{"type":"search","query":"q"}"#);
    // Run times are told in words: waiting for an approval is not in them.
    assert_eq!(seconds(session)[..3], [(Some(4), Some(5)), (Some(5), Some(6)), (Some(6), Some(7))]);
    assert!(session.calls[1].approximate && !session.calls[6].approximate);
    assert_eq!(session.prompts.len(), 1, "a person's words stand there twice");
    let exchange = &session.exchanges[0];
    assert_eq!(
        (&*exchange.name, exchange.said.as_ref().map(|text| text.read().into_owned())),
        ("m-1", Some("I look.".into()))
    );
}

#[test]
fn events_add_to_calls_and_are_none() {
    let reading = one(&file(&[
        call(1, "run", "exec_command", r#"{"cmd":"ls"}"#),
        event(
            9,
            r#"{"type":"exec_command_end","call_id":"run","command":["ls"],"stdout":"","stderr":"no","exit_code":2,"duration":{"secs":1,"nanos":500000000},"status":"failed"}"#,
        ),
        answer(9, "run", r#""no""#),
        custom(10, "patch", "apply_patch", "*** Begin Patch"),
        event(
            11,
            r#"{"type":"patch_apply_end","call_id":"patch","success":false,"stdout":"","stderr":"x","changes":{}}"#,
        ),
        answer(11, "patch", r#""x""#),
        call(12, "mcp", "make", "{}"),
        event(
            13,
            r#"{"type":"mcp_tool_call_end","call_id":"mcp","invocation":{"server":"s","tool":"make","arguments":{}},"duration":{"secs":0,"nanos":5},"result":{"Ok":{"content":[],"isError":true,"structuredContent":{"n":1}}}}"#,
        ),
        answer(13, "mcp", r#""""#),
        call(14, "err", "make", "{}"),
        event(15, r#"{"type":"mcp_tool_call_end","call_id":"err","invocation":{},"result":{"Err":"down"}}"#),
        answer(15, "err", r#""down""#),
        event(16, r#"{"type":"exec_command_end","call_id":"unknown","exit_code":0}"#),
    ]));
    let outcomes: Vec<_> = reading.session.calls.iter().map(|call| call.outcome.name()).collect();
    assert_eq!(outcomes, ["error"; 4]);
    let run = &reading.session.calls[0];
    assert_eq!(run.span.nanos(), Some(1_500_000_000));
    assert!(!run.approximate, "the event tells the run time exactly");
    assert!(run.structured.as_ref().unwrap().read().contains(r#""exit_code":2"#));
    assert_eq!(reading.session.calls[2].structured.as_ref().unwrap().read(), r#"{"n":1}"#);
}

#[test]
fn searches_are_paired_with_what_they_found_in_their_order() {
    let search = |second, query: &str| {
        item(
            second,
            &format!(
                r#"{{"type":"web_search_call","status":"completed","action":{{"type":"search","query":"{query}"}}}}"#
            ),
        )
    };
    let found = |second, title: &str| {
        event(
            second,
            &format!(r#"{{"type":"web_search_end","call_id":"ws","query":"q","results":[{{"title":"{title}"}}]}}"#),
        )
    };
    let reading = one(&file(&[search(1, "a"), found(2, "A"), found(3, "B"), search(3, "b"), search(4, "c")]));
    let outputs: Vec<_> = reading.session.calls.iter().map(|call| output(call)).collect();
    assert_eq!(outputs, [r#"[{"title":"A"}]"#, r#"[{"title":"B"}]"#, "unavailable"]);
    assert_eq!(reading.session.calls[2].key.nth, 2);
}

#[test]
fn refusals_and_broken_off_turns_are_no_errors() {
    let reading = one(&file(&[
        call(1, "no", "shell", "{}"),
        answer(2, "no", r#""exec command rejected by user""#),
        call(3, "stop", "shell", "{}"),
        answer(4, "stop", r#""aborted by user after 1.0s""#),
        call(5, "open", "shell", "{}"),
        event(6, r#"{"type":"turn_aborted","reason":"interrupted"}"#),
        call(7, "last", "shell", "{}"),
    ]));
    assert_eq!(
        calls(&reading.session),
        [
            r#"no shell @0 refused by User "exec command rejected by user""#,
            r#"stop shell @1 cancelled "aborted by user after 1.0s""#,
            "open shell @2 cancelled ·",
            "last shell @3 lost ·",
        ]
    );
}

#[test]
fn threads_and_the_threads_they_spawned_know_each_other() {
    let parent = one(&file(&[
        call(1, "spawn", "spawn_agent", r#"{"message":"look"}"#),
        answer(2, "spawn", &quote(r#"{"agent_id":"thread-2","nickname":"Ada"}"#)),
        call(3, "more", "spawn_agent", "{}"),
        event(
            4,
            r#"{"type":"collab_agent_spawn_end","call_id":"more","new_thread_id":"thread-3","new_agent_nickname":"Bo"}"#,
        ),
    ]));
    let agents: Vec<_> = parent
        .session
        .agents
        .iter()
        .map(|agent| (&*agent.id, agent.label.as_deref(), agent.spawned_by.as_deref()))
        .collect();
    assert_eq!(
        agents,
        [("main", None, None), ("thread-2", Some("Ada"), Some("spawn")), ("thread-3", Some("Bo"), Some("more"))]
    );
    let head = r#"{"id":"thread-2","source":{"subagent":{"thread_spawn":{"parent_thread_id":"thread-1","depth":1,"agent_nickname":"Ada"}}}}"#;
    let child = one(&[line(0, "session_meta", head), call(1, "a", "shell", "{}")].join("\n"));
    assert_eq!(child.belongs, Belongs::Child { parent: "thread-1".into() });
}

#[test]
fn a_resumed_session_keeps_its_first_head_and_a_compaction_repeats_nothing() {
    let other = line(1, "session_meta", r#"{"id":"thread-0","originator":"other"}"#);
    let compacted = r#"{"message":"","replacement_history":[{"type":"function_call","name":"shell","call_id":"a","arguments":"{}"}]}"#;
    let reading = one(&file(&[
        other,
        call(2, "a", "shell", "{}"),
        answer(3, "a", r#""1""#),
        line(4, "compacted", compacted),
        call(2, "a", "shell", "{}"),
        call(5, "a", "shell", "{}"),
    ]));
    assert_eq!(&*reading.session.id, "thread-1");
    assert_eq!(calls(&reading.session), [r#"a shell @0 ok "1""#, "a#1 shell @1 lost ·"]);
    assert_eq!(reading.session.repeats, 1, "the same call at the same instant is a repeat");
}

#[test]
fn tokens_are_told_before_or_after_their_exchange() {
    let tokens = |second, last: u32, total: u32| {
        event(
            second,
            &format!(
                r#"{{"type":"token_count","info":{{"last_token_usage":{{"input_tokens":{last},"cached_input_tokens":1,"output_tokens":2}},"total_token_usage":{{"input_tokens":{total}}}}}}}"#
            ),
        )
    };
    let input = |reading: &Reading| -> Vec<_> {
        reading.session.exchanges.iter().map(|exchange| exchange.tokens.total_input()).collect()
    };
    let one_turn = |id: &str| [call(1, id, "shell", "{}"), answer(2, id, r#""1""#)];
    let after =
        [&one_turn("a")[..], &[tokens(3, 10, 10), tokens(3, 10, 10)], &one_turn("b"), &[tokens(4, 20, 30)]].concat();
    assert_eq!(input(&one(&file(&after))), [Some(10), Some(20)]);
    let before = [&[tokens(1, 10, 10)], &one_turn("a")[..], &[tokens(3, 20, 30)], &one_turn("b")].concat();
    assert_eq!(input(&one(&file(&before))), [Some(10), Some(20)]);
}

#[test]
fn reads_rollouts_without_an_envelope() {
    let reading = one(concat!(
        r#"{"id":"thread-0","timestamp":"2025-07-01T00:00:00.000Z","instructions":null,"git":{}}"#,
        "\n",
        r#"{"record_type":"state"}"#,
        "\n",
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}"#,
        "\n",
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}"#,
        "\n",
        r#"{"type":"function_call","id":"fc","name":"shell","arguments":"{}","call_id":"a"}"#,
        "\n",
        r#"{"type":"function_call_output","call_id":"a","output":"1"}"#,
        "\n",
        r#"{"type":"local_shell_call","id":"lsh","call_id":null,"status":"completed","action":{"type":"exec"}}"#,
    ));
    assert_eq!(calls(&reading.session), [r#"a shell @0 ok "1""#, "lsh local_shell @1 lost ·"]);
    assert_eq!(reading.session.prompts.len(), 1);
    assert_eq!(reading.session.calls[0].span, Span::default());
    assert_eq!(&*reading.session.id, "thread-0");
}

#[test]
fn an_output_without_its_call_is_drawn_and_one_before_it_finds_it() {
    let reading =
        one(&file(&[answer(1, "lost", r#""1""#), answer(2, "early", r#""2""#), call(3, "early", "shell", "{}")]));
    assert_eq!(calls(&reading.session), [r#"lost  @- ok "1""#, r#"early shell @0 ok "2""#]);
    assert_eq!(reading.orphans, 1);
}

#[test]
fn the_laws_hold() {
    let text = file(&[
        event(1, r#"{"type":"user_message","message":"go 😀"}"#),
        call(2, "a", "shell", r#"{"command":["ls"]}"#),
        call(2, "b", "exec_command", r#"{"cmd":"ls"}"#),
        answer(3, "b", &quote("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nно\n")),
        answer(4, "a", &quote(r#"{"output":"a\n","metadata":{"exit_code":0,"duration_seconds":0.5}}"#)),
        event(5, r#"{"type":"turn_aborted","reason":"interrupted"}"#),
        custom(6, "c", "apply_patch", "*** Begin Patch"),
        answer(7, "c", r#""Done""#),
    ]);
    laws_of_lines(&text, read);
}
