//! Whole cards: every family, every odd input, every outcome.

use super::*;
use crate::trace::{Block, CallKey, Content, Outcome, Refuser, Span, Text, ToolCall};
use proptest::prelude::*;

#[cfg(not(target_arch = "wasm32"))]
mod bodies;
mod families;

/// A call that went well, with an input and an output as written.
fn call(name: &str, input: &str, output: &str) -> ToolCall {
    ToolCall {
        key: CallKey { agent: "main".into(), id: "call-1".into(), nth: 0 },
        name: name.into(),
        asked_by: None,
        span: Span::default(),
        approximate: false,
        outcome: Outcome::Ok,
        preview: None,
        input: Content::Held(Text::from(input)),
        output: Content::Held(vec![Block::Text(Text::from(output))]),
        structured: None,
    }
}

fn with(mut call: ToolCall, change: impl FnOnce(&mut ToolCall)) -> ToolCall {
    change(&mut call);
    call
}

fn failed(call: ToolCall) -> ToolCall {
    with(call, |call| call.outcome = Outcome::Error)
}

fn structured(call: ToolCall, json: &str) -> ToolCall {
    with(call, |call| call.structured = Some(Text::from(json)))
}

/// `call [badge] → result`.
fn words(call: &ToolCall) -> String {
    let Summary { call, badges, result } = summarize(call);
    let badges: String = badges.iter().flat_map(|badge| [" [", &badge.text, "]"]).collect();
    let result = result.map(|result| format!(" → {result}")).unwrap_or_default();
    format!("{call}{badges}{result}")
}

#[test]
fn odd_inputs_are_shown_as_what_they_are() {
    for (input, expected) in [
        (r#"{"command":"ls -l","path":"x"}"#, "ls -l"),
        (r#""{\"path\":\"src/a.rs\"}""#, "src/a.rs"),
        (r#""\"{\\\"query\\\":\\\"twice\\\"}\"""#, "twice"),
        (r#"{"zeta":1.0,"alpha":[1, 2]}"#, r#"{"zeta":1.0,"alpha":[1, 2]}"#),
        ("free text\nwith a second line", "free text with a second line"),
        ("[1, 2]", "[1, 2]"),
        ("42", "42"),
        ("true", "true"),
        ("null", "null"),
        (r#""""#, ""),
        ("", ""),
        ("{}", "{}"),
        (r#"{"command":"cargo te"#, r#"{"command":"cargo te"#),
        (r#"{"city": bad json"#, r#"{"city": bad json"#),
        (r#"{"command":"","path":"p"}"#, "p"),
        (r#"{"command":["a"],"url":"https://example.invalid"}"#, "https://example.invalid"),
        (r#"{"conversationId":"c-7"}"#, "c-7"),
        ("{\"path\":\"a\\u202eb\"}", "a⟨U+202E⟩b"),
    ] {
        let call = call("mcp__any__tool", input, "");
        assert_eq!(summarize(&call).call, expected, "{input}");
        assert!(!input_body(&call).is_empty(), "{input}");
        assert_eq!(raw_input(&call).as_deref(), Some(input));
    }
}

#[test]
fn a_call_that_is_not_here_says_what_its_source_says() {
    let remote = |preview: Option<&str>| {
        with(call("Bash", "", ""), |call| {
            call.input = Content::Remote;
            call.preview = preview.map(Into::into);
        })
    };
    assert_eq!(summarize(&remote(Some("git status\n"))).call, "git status");
    assert_eq!(summarize(&remote(Some(" "))).call, "");
    assert_eq!(summarize(&remote(None)).call, "");
    let held = with(call("Bash", r#"{"command":"ls"}"#, ""), |call| call.preview = Some("other words".into()));
    assert_eq!(summarize(&held).call, "ls");
}

#[test]
fn the_result_waits_for_the_outcome() {
    let result = |outcome: Outcome, output: crate::trace::Output| {
        summarize(&with(call("mcp__a__b", "{}", ""), |call| (call.outcome, call.output) = (outcome, output))).result
    };
    let held = |text: &str| Content::Held(vec![Block::Text(Text::from(text))]);
    let refused = |by: Refuser| Outcome::Refused { by };
    for (outcome, output, expected) in [
        (Outcome::Running, Content::None, None),
        (Outcome::Running, held("partial"), None),
        (Outcome::AwaitingApproval, Content::None, None),
        (Outcome::Ok, Content::None, Some("no output")),
        (Outcome::Ok, Content::Remote, None),
        (Outcome::Ok, Content::Held(Vec::new()), Some("no output")),
        (Outcome::Ok, held(""), Some("no output")),
        (Outcome::Ok, held("one"), Some("one")),
        (Outcome::Ok, held("one\ntwo\n"), Some("2 lines")),
        (Outcome::Ok, Content::Held(vec![Block::Json(Text::from("false"))]), Some("false")),
        (Outcome::Ok, Content::Held(vec![Block::Json(Text::from("0"))]), Some("0")),
        (Outcome::Ok, Content::Unavailable("evicted".into()), Some("evicted")),
        (Outcome::Error, Content::Remote, Some("failed")),
        (Outcome::Error, Content::None, Some("failed")),
        (Outcome::Error, held("Error: no such thing\nat all"), Some("failed · no such thing")),
        (Outcome::Error, held("<tool_use_error>Not read yet</tool_use_error>"), Some("failed · Not read yet")),
        (Outcome::Error, held(""), Some("failed")),
        (Outcome::Lost, Content::None, None),
        (Outcome::EndsRun, Content::None, None),
        (Outcome::Cancelled, Content::None, None),
        (refused(Refuser::User), held("any words"), Some("refused by the user")),
        (refused(Refuser::Policy), Content::None, Some("refused by a rule")),
        (refused(Refuser::Unknown), Content::None, Some("refused")),
    ] {
        assert_eq!(result(outcome.clone(), output.clone()).as_deref(), expected, "{outcome:?} {output:?}");
    }
}

#[test]
fn a_result_without_a_call_is_a_card() {
    let orphan = with(call("", "", "late\nresult"), |call| call.input = Content::None);
    assert_eq!(words(&orphan), " → 2 lines");
    assert!(matches!(&input_body(&orphan)[..], [Part::Note(_)]));
    assert!(matches!(&output_body(&orphan)[..], [Part::Lines(_)]));
}

const NAMES: [&str; 18] = [
    "Bash",
    "read_file",
    "edit",
    "apply_patch",
    "Write",
    "Grep",
    "Glob",
    "web_search",
    "WebFetch",
    "lsp",
    "TodoWrite",
    "Skill",
    "view_image",
    "youtube_transcript",
    "Task",
    "AskUserQuestion",
    "ExitPlanMode",
    "mcp__a__b",
];

/// Text with the words that cards look for in it.
fn telling_text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "\\",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\x1b[31m",
        "\x1b]0;",
        "é",
        "👩‍👩‍👧",
        "漢",
        "\u{202e}",
        "\u{301}",
        "Exit code 1\n",
        "Exit code: 1\n",
        "Output:\n",
        "Found 3 files",
        "@@ -1,2 +1 @@\n",
        "+++ b/x\n",
        "--- a/x\n",
        "*** Begin Patch\n",
        "*** Update File: x\n",
        "+",
        "-",
        " ",
        "1→",
        "12",
        "Replaced 2 occurrences",
        " bytes",
        "(empty file",
        "\"path\":",
        "\"command\":",
        "\"old_string\":\"a\"",
        "\"new_string\":\"b\"",
        "\"todos\":",
        "\"questions\":",
        "null",
        "true",
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "\"=\"",
        "Full output saved to: ",
        "[Output truncated: ",
        " entries)",
    ]);
    prop::collection::vec(prop_oneof![3 => words.prop_map(str::to_owned), 1 => any::<String>()], 0..14)
        .prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_makes_a_card(
        name in prop::sample::select(NAMES.to_vec()),
        input in telling_text(),
        output in telling_text(),
        beside in telling_text(),
        fails in any::<bool>(),
    ) {
        let call = structured(call(name, &input, &output), &beside);
        let call = if fails { failed(call) } else { call };
        let summary = summarize(&call);
        for line in [Some(&summary.call), summary.result.as_ref()].into_iter().flatten() {
            prop_assert!(!line.contains(['\n', '\r', '\u{202e}', '\x1b']), "{line:?}");
        }
        for part in input_body(&call).into_iter().chain(output_body(&call)) {
            match part {
                Part::Lines(lines) => assert!((0..lines.len()).all(|line| lines.short_line(line).hidden < usize::MAX)),
                Part::Diff(diff) => assert!((0..diff.len()).all(|line| diff.short_line(line).is_some())),
                Part::Fields(fields) => assert!(fields.iter().all(|field| !field.value.line(0).is_empty())),
                _ => {}
            }
        }
        let copied = raw_output(&call);
        prop_assert_eq!(copied.as_deref(), Some(output.as_str()));
        let as_json: serde_json::Value = serde_json::from_str(&json(&call)).unwrap();
        prop_assert_eq!(&as_json["output"], &serde_json::Value::from(output.clone()));
        prop_assert!(markdown(&call).contains(output.as_str()));
    }
}
