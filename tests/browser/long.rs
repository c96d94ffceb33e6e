//! Outputs of any length: what is on the page, scrolling, and finding.

use callsheet::trace::{Block, Content, Outcome};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, HtmlElement, HtmlInputElement};

use super::stage::{Stage, call, numbered, session};

async fn opened(text: String) -> Stage {
    let mut call = call("a", "Bash", Outcome::Ok);
    call.output = Content::Held(vec![Block::Text(text.into())]);
    let stage = Stage::with(session(vec![call])).await;
    stage.click(".call-header").await;
    stage
}

fn counted(lines: usize) -> String {
    numbered(lines) + "\n"
}

/// Waits for frames until `holds`, or until it is clear that it never will.
async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1_000 {
        if holds() {
            return;
        }
        TimeoutFuture::new(10).await;
    }
    panic!("it never came to hold: {what}");
}

fn texts(stage: &Stage) -> Vec<String> {
    stage.all("[data-part=output] .output-line").iter().filter_map(|line| line.text_content()).collect()
}

fn find(stage: &Stage, words: &str) {
    let field: HtmlInputElement = stage.one("input[aria-label='Find in output']").unchecked_into();
    field.set_value(words);
    field.dispatch_event(&Event::new("input").unwrap()).unwrap();
}

#[wasm_bindgen_test]
async fn of_a_million_lines_only_those_in_view_are_on_the_page() {
    let stage = opened(counted(1_000_000)).await;
    assert_eq!(stage.text("[data-part=output] .elision"), "⋯ 999,988 more lines");
    stage.click("[data-part=output] .elision").await;
    until("the first line shows", || texts(&stage).first().is_some_and(|line| line == "line 1")).await;
    assert!(document().query_selector_all("*").unwrap().length() < 1_500);

    let pane: HtmlElement = stage.one(".lines-pane").unchecked_into();
    assert_eq!(pane.tab_index(), 0, "it can be scrolled with keys");
    pane.set_scroll_top(pane.scroll_height());
    until("the last line shows", || texts(&stage).last().is_some_and(|line| line == "line 1000000")).await;
    assert!(document().query_selector_all("*").unwrap().length() < 1_500);

    stage.click("[data-part=output] .elision").await;
    assert_eq!(texts(&stage).len(), 12);
}

#[wasm_bindgen_test]
async fn words_are_found_in_lines_that_were_not_shown() {
    for lines in [300, 100_000] {
        let stage = opened(counted(lines)).await;
        stage.click(".find-button").await;
        find(&stage, "LINE 77");
        until("the matches are counted", || stage.text(".find-count").starts_with("1/")).await;
        until("the first match is shown", || stage.all(".line-current").len() == 1).await;
        assert_eq!(stage.text(".line-current"), "line 77");
        assert_eq!(stage.text(".line-current .found"), "line 77");
        find(&stage, "nothing of the kind");
        until("nothing is found", || stage.text(".find-count") == "0/0").await;
    }
}

#[wasm_bindgen_test]
async fn switches_show_the_raw_text_and_number_lines() {
    let stage = opened("\u{1b}[31mred\u{1b}[0m\nplain\n".to_owned()).await;
    assert_eq!(texts(&stage), ["red", "plain"]);
    let press = |label: &str| {
        let buttons = stage.all(".card-tools .switch");
        let button = buttons.into_iter().find(|button| button.text_content().as_deref() == Some(label)).unwrap();
        button.unchecked_into::<HtmlElement>().click();
    };
    press("Raw");
    until("the raw text shows", || texts(&stage).first().is_some_and(|line| line.contains("[31m"))).await;
    assert_eq!(stage.text("[data-part=input] .lines"), r#"{"command":"cargo test"}"#);
    press("Line numbers");
    until("lines are numbered", || stage.one(".call-body").class_list().contains("lines-numbered")).await;
    assert_eq!(stage.says("[data-part=output] .output-line", "data-line").as_deref(), Some("1"));
}
