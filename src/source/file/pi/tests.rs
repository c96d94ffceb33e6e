use super::super::check::{calls, laws_of_lines, one, seconds};
use super::*;

const SESSION: &str = concat!(
    r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T00:00:00.000Z","cwd":"/w"}"#,
    "\n",
    r#"{"type":"model_change","id":"00000001","parentId":null,"timestamp":"2026-01-02T00:00:00.500Z","provider":"p","modelId":"m-1"}"#,
    "\n",
    r#"{"type":"message","id":"00000002","parentId":"00000001","timestamp":"2026-01-02T00:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"look"}],"timestamp":1767312001000}}"#,
    "\n",
    r#"{"type":"message","id":"00000003","parentId":"00000002","timestamp":"2026-01-02T00:00:05.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look."},{"type":"toolCall","id":"t1","name":"read","arguments":{"path":"a.png"}},{"type":"toolCall","id":"t2","name":"bash","arguments":{"command":"false"}}],"model":"m-2","usage":{"input":7,"output":3,"cacheRead":2,"cacheWrite":1,"cost":{"total":0.25}},"stopReason":"toolUse","timestamp":1767312002000}}"#,
    "\n",
    r#"{"type":"message","id":"00000004","parentId":"00000003","timestamp":"2026-01-02T00:00:06.000Z","message":{"role":"toolResult","toolCallId":"t1","toolName":"read","content":[{"type":"text","text":"an image"},{"type":"image","data":"QQ==","mimeType":"image/png"}],"isError":false}}"#,
    "\n",
    r#"{"type":"message","id":"00000005","parentId":"00000004","timestamp":"2026-01-02T00:00:07.000Z","message":{"role":"toolResult","toolCallId":"t2","toolName":"bash","content":"Command exited with code 1","details":{"n":1},"isError":true}}"#,
    "\n",
    r#"{"type":"message","id":"00000006","parentId":"00000005","timestamp":"2026-01-02T00:00:08.000Z","message":{"role":"bashExecution","command":"ls","output":"x","exitCode":0,"cancelled":false}}"#,
    "\n",
    r#"{"type":"compaction","id":"00000007","parentId":"00000006","timestamp":"2026-01-02T00:00:09.000Z","summary":"s","firstKeptEntryId":"00000002"}"#,
    "\n",
    r#"{"type":"message","id":"00000008","parentId":"00000007","timestamp":"2026-01-02T00:00:10.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"t3","name":"bash","arguments":{}}],"stopReason":"aborted","errorMessage":"aborted by user"}}"#,
    "\n",
    r#"{"type":"message","id":"00000009","parentId":"00000008","timestamp":"2026-01-02T00:00:11.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"t4","name":"bash","arguments":{}}],"stopReason":"toolUse"}}"#,
);

#[test]
fn reads_a_session() {
    let reading = one(SESSION);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"t1 read @0 ok "an image" + image/png(QQ==)"#,
            r#"t2 bash @0 error "Command exited with code 1""#,
            "t3 bash @1 cancelled ·",
            "t4 bash @2 lost ·",
        ]
    );
    assert_eq!(seconds(session)[..2], [(Some(5), Some(6)), (Some(5), Some(7))]);
    assert_eq!(session.calls[1].structured.as_ref().unwrap().read(), r#"{"n":1}"#);
    let exchange = &session.exchanges[0];
    assert_eq!((&*exchange.name, exchange.cost, exchange.tokens.total_input()), ("m-2", Some(250_000_000), Some(10)));
    assert_eq!(exchange.span.nanos(), Some(3_000_000_000));
    assert_eq!(session.exchanges[1].error.as_deref(), Some("aborted by user"));
    assert_eq!(&*session.exchanges[1].name, "m-1");
    let prompts: Vec<_> = session.prompts.iter().map(|prompt| prompt.text.read().into_owned()).collect();
    assert_eq!(prompts, ["look", "!ls"], "what a person ran is no call of the agent");
}

#[test]
fn a_file_may_begin_in_the_middle_and_an_escape_may_be_broken() {
    let middle: Vec<_> = SESSION.lines().skip(3).collect();
    let broken = [&middle[..], &[r#"{"type":"message","message":{"role":"user","content":"\***@***"}}"#, "{\"torn"]]
        .concat()
        .join("\n");
    let reading = one(&broken);
    assert_eq!(reading.session.calls.len(), 4);
    // Json is read leniently, so that only the torn line is lost.
    assert_eq!(reading.session.problems.iter().map(|problem| problem.place.as_str()).collect::<Vec<_>>(), ["line 9"]);
}

#[test]
fn old_entries_have_no_ids() {
    let reading = one(concat!(
        r#"{"type":"session","id":"s0","timestamp":"2025-12-01T00:00:00Z","cwd":"/w","provider":"p","modelId":"m-0"}"#,
        "\n",
        r#"{"type":"message","timestamp":"2025-12-01T00:00:01Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"bash","arguments":{}}]}}"#,
        "\n",
        r#"{"type":"message","timestamp":"2025-12-01T00:00:02Z","message":{"role":"toolResult","toolCallId":"t9","content":[],"isError":false}}"#,
    ));
    assert_eq!(calls(&reading.session), ["t1 bash @0 lost ·", "t9  @- ok "]);
    assert_eq!((reading.orphans, &*reading.session.exchanges[0].name), (1, "m-0"));
}

#[test]
fn the_laws_hold() {
    laws_of_lines(SESSION, read);
}
