use super::*;
use crate::json::quote;
use crate::trace::{Content, Outcome, ToolCall};
use proptest::prelude::*;

const SEC: i64 = 1_000_000_000;

#[expect(clippy::unnecessary_wraps, reason = "times of spans are optional")]
fn at(second: i64) -> Option<Timestamp> {
    Some(Timestamp(second * SEC))
}

fn text(seq: u64, role: &str, text: &str) -> String {
    format!(r#"{{"seq":{seq},"role":"{role}","chunk":{{"type":"text","text":{}}}}}"#, quote(text))
}

fn asked(seq: u64, id: &str, step: &str) -> String {
    format!(
        r#"{{"seq":{seq},"role":"assistant","chunk":{{"type":"tool-call","toolCallId":"{id}","toolName":"run_shell","input":{{"command":"ls {id}"}}{}}}}}"#,
        of_step(step)
    )
}

fn answered(seq: u64, id: &str, content: &str, is_error: bool) -> String {
    format!(
        r#"{{"seq":{seq},"role":"tool","chunk":{{"type":"tool-result","toolCallId":"{id}","toolName":"run_shell","content":{},"isError":{is_error}}}}}"#,
        quote(content)
    )
}

fn of_step(step: &str) -> String {
    if step.is_empty() { String::new() } else { format!(r#","stepId":"{step}""#) }
}

fn page(fold: &mut Fold, chunks: &[String], latest: u64) {
    let answer = format!(r#"{{"chunks":[{}],"latestSeq":{latest}}}"#, chunks.join(","));
    fold.page(&Arc::new(answer)).unwrap();
}

/// Hears an event of turn `turn` of conversation `c`.
fn hear(fold: &mut Fold, turn: &str, kind: &str, fields: &str, second: i64) {
    let comma = if fields.is_empty() { "" } else { "," };
    let event = format!(
        r#"{{"type":"chat.delta","event":{{"type":"{kind}","conversationId":"c","turnId":"{turn}"{comma}{fields}}}}}"#
    );
    let event: Buffer = Arc::new(event);
    fold.hear(&event, &event, at(second), &|| "live".to_owned());
}

fn ask_live(fold: &mut Fold, turn: &str, id: &str, second: i64) {
    let fields = format!(r#""toolCallId":"{id}","toolName":"run_shell","input":{{"command":"ls {id}"}}"#);
    hear(fold, turn, "tool-call", &fields, second);
}

fn answer_live(fold: &mut Fold, turn: &str, id: &str, content: &str, second: i64) {
    let fields = format!(r#""toolCallId":"{id}","toolName":"run_shell","content":{},"isError":false"#, quote(content));
    hear(fold, turn, "tool-result", &fields, second);
}

fn output(call: &ToolCall) -> Option<String> {
    Some(call.output.held()?.iter().map(|block| format!("{block:?}")).collect::<Vec<_>>().concat())
}

/// The calls in their order, each as `id exchange outcome`.
fn drawn(session: &Session) -> Vec<String> {
    let calls = session.calls.iter();
    calls
        .map(|call| {
            let by = call.asked_by.map_or("-".to_owned(), |id| id.to_string());
            format!("{} {by} {}", call.key.id, call.outcome.name())
        })
        .collect()
}

#[test]
fn the_log_gives_calls_with_their_steps() {
    let mut fold = Fold::new("c");
    page(
        &mut fold,
        &[
            text(1, "system", "be kind"),
            text(2, "user", "go"),
            text(3, "assistant", "I look"),
            asked(4, "a", ""),
            asked(5, "b", ""),
            answered(6, "a", "", false),
            answered(7, "b", "no such file", true),
            text(8, "assistant", "done"),
            text(9, "user", "again"),
            asked(10, "d", "s1"),
            answered(11, "d", "x", false),
            asked(12, "e", "s1"),
            asked(13, "f", "s2"),
        ],
        13,
    );
    let session = fold.session(false);
    assert_eq!(drawn(&session), ["a 0 ok", "b 0 error", "d 2 ok", "e 2 lost", "f 3 lost"]);
    assert_eq!(session.exchanges.len(), 4);
    assert_eq!(session.exchanges[0].said.as_ref().unwrap().read(), "I look");
    let prompts: Vec<_> =
        session.prompts.iter().map(|prompt| (prompt.text.read().into_owned(), prompt.before)).collect();
    assert_eq!(prompts, [("go".to_owned(), Some(0)), ("again".to_owned(), Some(2))]);
    // Nothing was seen to arrive, so there are no times.
    assert!(session.calls.iter().all(|call| call.span == Span::default() && !call.approximate));
    assert_eq!(output(&session.calls[0]).as_deref(), Some(r#"Text("")"#), "an empty result is one");
    assert_eq!(session.calls[0].input.held().unwrap().read(), r#"{"command":"ls a"}"#);
    assert_eq!(fold.latest, 13);
}

#[test]
fn first_call_and_first_result_win_and_results_may_stand_anywhere() {
    let mut fold = Fold::new("c");
    page(
        &mut fold,
        &[
            answered(1, "early", "1", false),
            answered(2, "orphan", "2", false),
            asked(3, "early", ""),
            asked(4, "early", ""),
            answered(5, "early", "other", true),
        ],
        5,
    );
    let session = fold.session(false);
    assert_eq!(drawn(&session), ["early 0 ok", "orphan - ok"]);
    assert_eq!(&*session.calls[1].name, "run_shell");
    assert_eq!(session.calls[1].input, Content::None);
    assert_eq!(session.repeats, 1);
}

#[test]
fn calls_without_an_id_pair_in_their_order() {
    let mut fold = Fold::new("c");
    page(&mut fold, &[asked(1, "", ""), asked(2, "", ""), answered(3, "", "1", false), answered(4, "", "2", true)], 4);
    assert_eq!(drawn(&fold.session(false)), [" 0 ok", " 0 error"]);
    assert_eq!(fold.session(false).calls[1].key.nth, 1);
}

#[test]
fn pages_may_overlap_and_come_in_any_order() {
    let chunks = [text(1, "user", "go"), asked(2, "a", ""), answered(3, "a", "1", false), asked(4, "b", "")];
    let mut whole = Fold::new("c");
    page(&mut whole, &chunks, 4);
    let mut parts = Fold::new("c");
    page(&mut parts, &chunks[2..], 4);
    page(&mut parts, &chunks[..3], 4);
    assert_eq!(parts.session(true).calls, whole.session(true).calls);
    assert_eq!(parts.ask(), 4);
    page(&mut parts, &[], 4);
    assert_eq!(parts.session(true).exchanges, whole.session(true).exchanges);
}

#[test]
fn what_is_no_history_is_refused_and_one_bad_chunk_is_told() {
    let mut fold = Fold::new("c");
    for answer in ["", "[]", "{}", r#"{"chunks":{}}"#, r#"{"error":"no such conversation"}"#] {
        assert_eq!(fold.page(&Arc::new(answer.to_owned())), Err(NoHistory), "{answer}");
    }
    let bad = ["3".to_owned(), r#"{"seq":2}"#.to_owned(), r#"{"seq":3,"chunk":{"type":"novelty"}}"#.to_owned()];
    page(&mut fold, &[&bad[..], &[asked(4, "a", "")]].concat(), 4);
    let session = fold.session(true);
    assert_eq!(drawn(&session), ["a 0 running"]);
    let places: Vec<_> = session.problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["chunks[0]", "chunks[1]"]);
}

#[test]
fn a_live_call_keeps_its_key_and_times_when_its_turn_is_sealed() {
    let mut fold = Fold::new("c");
    page(&mut fold, &[text(1, "user", "go")], 1);
    hear(&mut fold, "t", "turn-start", "", 10);
    hear(&mut fold, "t", "text-delta", r#""text":"I ""#, 11);
    hear(&mut fold, "t", "text-delta", r#""text":"look""#, 12);
    ask_live(&mut fold, "t", "a", 13);
    let live = fold.session(true);
    assert_eq!(drawn(&live), ["a 0 running"]);
    assert_eq!(live.exchanges[0].said.as_ref().unwrap().read(), "I look");
    assert_eq!(live.exchanges[0].span, Span { start: at(10), end: at(13) });
    assert_eq!(drawn(&fold.session(false)), ["a 0 lost"]);

    hear(&mut fold, "t", "tool-output", r#""toolCallId":"a","data":"one\n","stream":"stdout""#, 14);
    hear(&mut fold, "t", "tool-output", r#""toolCallId":"a","data":"tw","stream":"stderr""#, 14);
    assert_eq!(output(&fold.session(true).calls[0]).as_deref(), Some(r#"Text("one\ntw")"#));

    answer_live(&mut fold, "t", "a", "one\ntwo", 15);
    hear(&mut fold, "t", "text-delta", r#""text":"done""#, 16);
    let live = fold.session(true);
    assert_eq!(live.exchanges[1].span, Span { start: at(15), end: None }, "more of it may come");
    hear(&mut fold, "t", "done", r#""reason":"stop""#, 17);
    let live = fold.session(true);
    assert_eq!(live.exchanges[1].span, Span { start: at(15), end: at(16) });
    assert!(!fold.wants_page());

    hear(&mut fold, "t", "turn-sealed", "", 18);
    assert!(fold.wants_page());
    assert_eq!(fold.ask(), 1);
    let sealed = [
        text(2, "assistant", "I look"),
        asked(3, "a", ""),
        answered(4, "a", "one\ntwo", false),
        text(5, "assistant", "done"),
    ];
    page(&mut fold, &sealed, 5);
    assert!(!fold.wants_page());
    assert!(fold.live.is_empty());
    let now = fold.session(true);
    assert_eq!(now.calls, live.calls);
    assert_eq!(now.calls[0].span, Span { start: at(13), end: at(15) });
    assert!(now.calls[0].approximate);
    assert_eq!(now.exchanges, live.exchanges);
    assert_eq!((now.repeats, now.problems.len()), (0, 0));
}

#[test]
fn a_turn_sealed_while_a_page_is_under_way_is_kept_until_the_next() {
    let mut fold = Fold::new("c");
    ask_live(&mut fold, "t", "a", 1);
    let since = fold.ask();
    hear(&mut fold, "t", "turn-sealed", "", 2);
    // This answer was written before the turn was sealed.
    page(&mut fold, &[], since);
    assert_eq!(drawn(&fold.session(true)), ["a 0 lost"]);
    assert!(fold.wants_page());
    fold.ask();
    page(&mut fold, &[asked(1, "a", "")], 1);
    assert!(!fold.wants_page() && fold.live.is_empty());
    assert_eq!(drawn(&fold.session(true)), ["a 0 lost"]);
}

#[test]
fn what_the_log_holds_and_is_heard_too_is_drawn_once() {
    let mut fold = Fold::new("c");
    page(&mut fold, &[text(1, "user", "go"), asked(2, "a", "")], 2);
    ask_live(&mut fold, "t", "a", 5);
    answer_live(&mut fold, "t", "a", "1", 6);
    let session = fold.session(true);
    assert_eq!(drawn(&session), ["a 0 ok"]);
    assert_eq!((session.repeats, session.exchanges.len()), (0, 1));
    assert_eq!(session.calls[0].span, Span { start: at(5), end: at(6) });
    // A result that is told twice changes nothing.
    answer_live(&mut fold, "t", "a", "2", 9);
    assert_eq!(fold.session(true).calls, session.calls);
}

#[test]
fn after_a_gap_the_log_tells_what_was_missed_and_calls_stay() {
    let mut fold = Fold::new("c");
    hear(&mut fold, "t1", "text-delta", r#""text":"I look""#, 1);
    ask_live(&mut fold, "t1", "a", 2);
    ask_live(&mut fold, "t1", "b", 2);
    assert!(!fold.wants_page());
    fold.missed();
    assert!(fold.wants_page());
    assert_eq!(fold.ask(), 0);
    page(
        &mut fold,
        &[text(1, "user", "Look"), text(2, "assistant", "I look"), asked(3, "a", ""), answered(4, "a", "x", false)],
        4,
    );
    let session = fold.session(true);
    let told: Vec<_> = session.calls.iter().map(|call| (&*call.key.id, call.outcome.clone())).collect();
    assert_eq!(told, [("a", Outcome::Ok), ("b", Outcome::Running)]);
    let said = session.exchanges.iter().filter(|exchange| exchange.said.is_some()).count();
    assert_eq!((said, session.repeats, fold.wants_page()), (1, 0, false));
    assert_eq!(session.calls[0].span.start, at(2), "the arrival is still known");
}

#[test]
fn how_open_calls_end() {
    for (event, fields, outcome) in [
        ("done", r#""reason":"aborted""#, "cancelled"),
        ("done", r#""reason":"stop""#, "lost"),
        ("turn-sealed", "", "lost"),
        ("status", r#""status":"busy""#, "running"),
        ("novelty", "", "running"),
    ] {
        let mut fold = Fold::new("c");
        ask_live(&mut fold, "t", "a", 1);
        hear(&mut fold, "t", event, fields, 2);
        assert_eq!(fold.session(true).calls[0].outcome.name(), outcome, "{event}");
    }
    let mut fold = Fold::new("c");
    page(&mut fold, &[asked(1, "a", ""), text(2, "user", "and?"), asked(3, "b", "")], 3);
    assert_eq!(drawn(&fold.session(true)), ["a 0 lost", "b 1 running"]);
    ask_live(&mut fold, "t", "d", 9);
    assert_eq!(drawn(&fold.session(true)), ["a 0 lost", "b 1 lost", "d 2 running"]);
}

#[test]
fn failures_and_usage_stand_at_their_exchange() {
    let mut fold = Fold::new("");
    hear(&mut fold, "t", "turn-start", "", 1);
    hear(&mut fold, "t", "reasoning-delta", r#""text":"hm""#, 2);
    hear(&mut fold, "t", "usage", r#""model":"m","usage":{"inputTokens":12,"outputTokens":3}"#, 3);
    hear(&mut fold, "t", "error", r#""message":"overloaded","code":"529""#, 4);
    let session = fold.session(true);
    assert_eq!(&*session.id, "c");
    let exchange = &session.exchanges[0];
    assert_eq!((&*exchange.name, exchange.error.as_deref()), ("m", Some("overloaded")));
    assert_eq!((exchange.tokens.input, exchange.tokens.output), (Some(12), Some(3)));
}

#[test]
fn other_conversations_and_damage_are_left_alone() {
    let mut fold = Fold::new("c");
    for event in
        [r#"{"type":"tool-call","conversationId":"other","toolCallId":"a"}"#, "{", "[1]", r#"{"conversationId":"c"}"#]
    {
        let event: Buffer = Arc::new(event.to_owned());
        fold.hear(&event, &event, None, &|| "line 1".to_owned());
    }
    let session = fold.session(true);
    assert!(session.calls.is_empty());
    assert_eq!(session.problems.len(), 3);
}

#[test]
fn what_comes_after_timed_exchanges_stands_behind_them() {
    let mut fold = Fold::new("c");
    ask_live(&mut fold, "t", "a", 5);
    answer_live(&mut fold, "t", "a", "1", 6);
    hear(&mut fold, "t", "turn-sealed", "", 7);
    fold.ask();
    page(
        &mut fold,
        &[
            text(1, "user", "go"),
            asked(2, "a", ""),
            answered(3, "a", "1", false),
            text(4, "user", "b"),
            asked(5, "b", ""),
        ],
        5,
    );
    let session = fold.session(true);
    let starts: Vec<_> = session.exchanges.iter().map(|exchange| exchange.span.start).collect();
    assert_eq!(starts, [at(5), at(5)]);
    assert_eq!(session.prompts.iter().map(|prompt| prompt.at).collect::<Vec<_>>(), [None, at(5)]);
}

/// A log of three turns and the same as live events.
fn story() -> (Vec<String>, Vec<(&'static str, &'static str, String)>) {
    let mut chunks = Vec::new();
    let mut events = Vec::new();
    let mut seq = 0;
    for turn in ["t1", "t2", "t3"] {
        let mut next = || {
            seq += 1;
            seq
        };
        chunks.push(text(next(), "user", turn));
        events.push((turn, "turn-start", String::new()));
        for place in ["x", "y"] {
            let id = format!("{turn}{place}");
            chunks.push(asked(next(), &id, ""));
            events.push((
                turn,
                "tool-call",
                format!(r#""toolCallId":"{id}","toolName":"run_shell","input":{{"command":"ls {id}"}}"#),
            ));
            chunks.push(answered(next(), &id, "ok", false));
            events.push((
                turn,
                "tool-result",
                format!(r#""toolCallId":"{id}","toolName":"run_shell","content":"ok","isError":false"#),
            ));
        }
        chunks.push(text(next(), "assistant", "done"));
        events.push((turn, "text-delta", r#""text":"done""#.to_owned()));
        events.push((turn, "turn-sealed", String::new()));
    }
    (chunks, events)
}

proptest! {
    /// However much was read from the log before the rest came live, and whenever it is read again, each call is drawn once.
    #[test]
    fn every_call_is_drawn_once(read in 0_usize..19, from in 0_usize..24, syncs in prop::collection::vec(0_usize..24, 0..4)) {
        let (chunks, events) = story();
        let mut fold = Fold::new("c");
        page(&mut fold, &chunks[..read.min(chunks.len())], read as u64);
        for (position, (turn, kind, fields)) in events.iter().enumerate().skip(from) {
            hear(&mut fold, turn, kind, fields, i64::try_from(position).unwrap() + 1);
            if syncs.contains(&position) {
                let since = usize::try_from(fold.ask()).unwrap();
                let sealed = events[..=position].iter().filter(|(_, kind, _)| *kind == "turn-sealed").count();
                let held = (sealed * 6).max(since);
                page(&mut fold, &chunks[since.min(held)..held], held as u64);
            }
        }
        fold.ask();
        page(&mut fold, &chunks, chunks.len() as u64);
        let session = fold.session(true);
        let ids: Vec<_> = session.calls.iter().map(|call| call.key.id.to_string()).collect();
        prop_assert_eq!(ids, ["t1x", "t1y", "t2x", "t2y", "t3x", "t3y"]);
        prop_assert!(session.calls.iter().all(|call| call.outcome == Outcome::Ok));
        prop_assert!(session.calls.iter().all(|call| call.asked_by.is_some()));
    }

    #[test]
    fn anything_is_taken(text in ".{0,60}", event in ".{0,60}") {
        let mut fold = Fold::new("c");
        let _ = fold.page(&Arc::new(text));
        let event: Buffer = Arc::new(event);
        fold.hear(&event, &event, None, &|| String::new());
        let _ = fold.session(true);
    }
}
