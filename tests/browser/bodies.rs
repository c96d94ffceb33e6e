//! Each kind of body in an open card.

use callsheet::trace::{Block, Content, Outcome, Refuser};
use wasm_bindgen_test::wasm_bindgen_test;

use super::stage::{Stage, call, session};

/// A dot.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async fn opened(name: &str, input: &str, output: Content<Vec<Block>>, outcome: Outcome) -> Stage {
    let mut call = call("a", name, outcome);
    call.input = Content::Held(input.into());
    call.output = output;
    let stage = Stage::with(session(vec![call])).await;
    stage.click(".call-header").await;
    stage
}

fn says(text: &str) -> Content<Vec<Block>> {
    Content::Held(vec![Block::Text(text.into())])
}

#[wasm_bindgen_test]
async fn each_family_has_its_body() {
    for (name, input, output, css, text) in [
        ("Bash", r#"{"command":"ls"}"#, says("a"), "[data-part=input] .output-line", "$ ls"),
        ("Bash", "{}", says("\u{1b}[1mbold\u{1b}[0m"), "[data-part=output] .ansi-bold", "bold"),
        ("Edit", r#"{"file_path":"p","old_string":"one","new_string":"two"}"#, says("ok"), ".diff-removed", "−one"),
        ("Edit", r#"{"file_path":"p","old_string":"one","new_string":"two"}"#, says("ok"), ".diff-path", "p"),
        ("apply_patch", "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch", says("ok"), ".diff-added", "+x"),
        ("Write", r#"{"file_path":"p","content":"hello"}"#, says("ok"), ".fields + .fields dd", "hello"),
        ("mcp__a__b", r#"{"key":{"n":1}}"#, says("ok"), "[data-part=input] .syntax-number", "1"),
        ("mcp__a__b", "{}", says(r#"{"a":true}"#), "[data-part=output] .syntax-key", r#""a""#),
        (
            "TodoWrite",
            r#"{"todos":[{"content":"first","status":"completed"},{"content":"then","status":"in_progress"}]}"#,
            says("ok"),
            ".todo-current",
            "◐in progressthen",
        ),
        (
            "AskUserQuestion",
            r#"{"questions":[{"question":"Which?","header":"h","options":[{"label":"this"},{"label":"that"}]}]}"#,
            says("User has answered your questions: \"Which?\"=\"that\"."),
            ".choice-chosen .choice-label",
            "that",
        ),
        ("ExitPlanMode", r#"{"plan":"Do it well."}"#, says("ok"), "[data-part=input] .output-line", "Do it well."),
    ] {
        let stage = opened(name, input, output, Outcome::Ok).await;
        assert_eq!(stage.text(css), text, "{name} {css}");
    }
}

#[wasm_bindgen_test]
async fn images_and_references_are_no_text() {
    let image = Block::Image { media_type: "image/png".into(), data: PNG.into() };
    let stage = opened("view_image", "{}", Content::Held(vec![image]), Outcome::Ok).await;
    assert!(stage.says(".image img", "src").is_some_and(|source| source.starts_with("data:image/png;base64,")));
    assert!(stage.text("figcaption").contains("1 × 1"), "{}", stage.text("figcaption"));
    let reference = Content::Held(vec![Block::Reference("/tmp/spilled-output.txt".into())]);
    let stage = opened("Bash", "{}", reference, Outcome::Ok).await;
    assert!(stage.text(".part-reference").contains("/tmp/spilled-output.txt"));
}

#[wasm_bindgen_test]
async fn a_call_without_a_result_says_how_it_stands() {
    let refused = Outcome::Refused { by: Refuser::User };
    for (outcome, output, text) in [
        (Outcome::Running, Content::None, "running…"),
        (Outcome::AwaitingApproval, Content::None, "It waits for somebody to allow it."),
        (Outcome::Lost, Content::None, "No result came, and none will."),
        (refused, says("not shown"), "refused"),
    ] {
        let stage = opened("Bash", r#"{"command":"ls"}"#, output, outcome.clone()).await;
        let shown = stage.text("[data-part=output] .part-note");
        assert!(shown.contains(text), "{outcome:?}: {shown}");
        assert!(!stage.text("[data-part=output]").contains("not shown"));
    }
    let stage = opened("Bash", r#"{"command":"ls"}"#, says("so far"), Outcome::Running).await;
    assert_eq!(stage.text("[data-part=output] .output-line"), "so far");
}
