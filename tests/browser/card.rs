//! The card: its header for each outcome, its names for screen readers, its body.

use callsheet::trace::{Block, Content, Outcome, Refuser};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use super::stage::{Stage, call, session};

#[wasm_bindgen_test]
async fn each_outcome_has_a_mark_a_word_and_a_state() {
    for (outcome, slug, word, duration) in [
        (Outcome::Ok, "ok", "ok", "2.00s"),
        (Outcome::Error, "error", "error", "2.00s"),
        (Outcome::Lost, "lost", "lost", ""),
        (Outcome::EndsRun, "ends-run", "ends run", ""),
        (Outcome::AwaitingApproval, "awaiting-approval", "awaiting approval", ""),
        (Outcome::Refused { by: Refuser::User }, "refused", "refused", "2.00s"),
        (Outcome::Cancelled, "cancelled", "cancelled", "2.00s"),
    ] {
        let stage = Stage::with(session(vec![call("a", "Bash", outcome)])).await;
        assert_eq!(stage.says("[data-row=call]", "data-status").as_deref(), Some(slug));
        assert_eq!(stage.text(".call-status"), word);
        assert_eq!(stage.all(".call-status svg[aria-hidden=true]").len(), 1, "{slug}");
        assert_eq!(stage.text(".call-duration"), duration, "{slug}");
        assert_eq!(stage.says("[data-row=call]", "aria-label"), Some(format!("Bash, {word}")));
    }
}

#[wasm_bindgen_test]
async fn what_runs_tells_since_when() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Running)])).await;
    assert_eq!(stage.says("[data-row=call]", "data-status").as_deref(), Some("running"));
    assert!(stage.text(".call-duration").starts_with("⋯ "), "{}", stage.text(".call-duration"));
    assert_eq!(stage.text(".result-summary"), "", "nothing came back yet");
}

#[wasm_bindgen_test]
async fn the_header_says_call_and_result_in_one_line() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Ok), call("b", "Bash", Outcome::Ok)])).await;
    let rows = stage.all("article[data-row=call]");
    assert_eq!(rows.len(), 2);
    assert_eq!(stage.text(".call-name"), "Bash");
    assert_eq!(stage.text(".call-summary"), "cargo test");
    assert_eq!(stage.says(".call-summary", "title").as_deref(), Some("cargo test"));
    assert_eq!(stage.text(".result-summary"), "→ 2 lines");
    assert_eq!(stage.text(".call-duration"), "∥2.00s", "they ended together");
    let places: Vec<_> = stage.all(".call-place").iter().map(|place| place.text_content().unwrap()).collect();
    assert_eq!(places, ["┣", "┗"]);
    assert_eq!(stage.says("[data-row=call]", "data-tool-name").as_deref(), Some("Bash"));
    assert_eq!(stage.says("[data-row=call]", "data-call-id").as_deref(), Some("a"));
    assert_eq!(stage.says("[data-row=call]", "data-agent").as_deref(), Some("main"));
    assert_eq!(stage.says("[data-row=call]", "aria-posinset").as_deref(), Some("2"));
}

#[wasm_bindgen_test]
async fn a_model_call_tells_its_figures_and_what_it_said() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Ok)])).await;
    assert_eq!(stage.text(".exchange-facts"), "model · 200 · 70.6k→312 · $0.2546");
    assert_eq!(stage.text(".said-text"), "Let me look.");
    assert_eq!(stage.says("[data-row=exchange]", "data-n").as_deref(), Some("1"));
    assert_eq!(stage.says("[data-row=exchange]", "data-seq").as_deref(), Some("1"));
}

#[wasm_bindgen_test]
async fn a_card_opens_and_closes_and_says_so() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Ok)])).await;
    let header = ".call-header";
    assert_eq!(stage.says(header, "aria-label").as_deref(), Some("Toggle tool call Bash"));
    assert_eq!(stage.says(header, "aria-expanded").as_deref(), Some("false"));
    assert!(stage.all("[data-part]").is_empty(), "a closed card has no body");
    stage.click(header).await;
    assert_eq!(stage.says(header, "aria-expanded").as_deref(), Some("true"));
    let body = stage.says(header, "aria-controls").unwrap();
    assert!(!stage.all(&format!("#{body} [data-part=input]")).is_empty());
    assert!(stage.text("[data-part=input]").contains("$ cargo test"));
    assert_eq!(stage.all("[data-part=output] .output-line").len(), 2);
    for part in ["input", "output"] {
        let copy = stage.says(&format!("[data-part={part}] button"), "aria-label");
        assert_eq!(copy, Some(format!("Copy {part}")));
    }
    stage.click(header).await;
    assert_eq!(stage.says(header, "aria-expanded").as_deref(), Some("false"));
    assert!(stage.all("[data-part]").is_empty());
}

#[wasm_bindgen_test]
async fn a_card_is_a_button_that_takes_the_focus_and_is_described() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Error)])).await;
    let header = stage.one(".call-header");
    assert_eq!(header.tag_name(), "BUTTON", "Enter and Space press it");
    header.clone().unchecked_into::<HtmlElement>().focus().unwrap();
    assert!(leptos::prelude::document().active_element().unwrap().is_same_node(Some(&header)));
    let described = header.get_attribute("aria-describedby").unwrap();
    let words: Vec<_> = described.split(' ').map(|id| stage.text(&format!("#{id}"))).collect();
    assert_eq!(words[..2], ["error", "cargo test"]);
    assert!(words[2].contains("failed"), "{words:?}");
    assert_eq!(words[3], "2.00s");
}

#[wasm_bindgen_test]
async fn what_is_not_here_says_so() {
    let mut remote = call("a", "Bash", Outcome::Ok);
    remote.input = Content::Remote;
    remote.output = Content::Unavailable("It was evicted.".into());
    let stage = Stage::with(session(vec![remote])).await;
    stage.click(".call-header").await;
    assert!(stage.text("[data-part=input]").contains("Loading the input…"));
    assert!(stage.text("[data-part=output]").contains("It was evicted."));
    assert!(stage.text(".call-body").contains("Try again"));

    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Running)])).await;
    stage.click(".call-header").await;
    assert!(stage.text("[data-part=output]").contains("running…"));
}

#[wasm_bindgen_test]
async fn text_of_a_session_is_text() {
    let hostile = "<img src=x onerror=alert(1)>\u{202e}";
    let mut call = call("a", hostile, Outcome::Ok);
    call.output = Content::Held(vec![Block::Text(hostile.into())]);
    let stage = Stage::with(session(vec![call])).await;
    stage.click(".call-header").await;
    assert!(stage.all("img").is_empty());
    assert!(stage.text("[data-part=output] .output-line").contains("<img src=x onerror=alert(1)>"));
    assert!(!stage.text("[data-part=output] .output-line").contains('\u{202e}'), "bidi controls are made visible");
    assert!(!stage.text(".call-name").contains('\u{202e}'));
}
