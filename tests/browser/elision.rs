//! Six lines, a toggle, six lines.

use callsheet::trace::{Block, Content, Outcome};
use wasm_bindgen_test::wasm_bindgen_test;

use super::stage::{Stage, call, numbered, session};

async fn opened(lines: usize) -> Stage {
    let mut call = call("a", "Bash", Outcome::Ok);
    call.output = Content::Held(vec![Block::Text(numbered(lines).into())]);
    let stage = Stage::with(session(vec![call])).await;
    stage.click(".call-header").await;
    stage
}

fn shown(stage: &Stage) -> Vec<String> {
    stage.all("[data-part=output] .output-line").iter().map(|line| line.text_content().unwrap()).collect()
}

#[wasm_bindgen_test]
async fn up_to_twelve_lines_are_all_there() {
    for lines in [1, 12] {
        let stage = opened(lines).await;
        assert_eq!(shown(&stage).len(), lines);
        assert!(stage.all("[data-part=output] .elision").is_empty());
    }
}

#[wasm_bindgen_test]
async fn of_more_the_middle_opens_and_closes() {
    for (lines, label) in [(13, "⋯ 1 more line"), (14, "⋯ 2 more lines"), (400, "⋯ 388 more lines")] {
        let stage = opened(lines).await;
        let toggle = "[data-part=output] .elision";
        assert_eq!(stage.text(toggle), label);
        assert_eq!(stage.says(toggle, "aria-expanded").as_deref(), Some("false"));
        let folded = shown(&stage);
        assert_eq!(folded.len(), 12);
        assert_eq!((folded[5].as_str(), folded[6].clone()), ("line 6", format!("line {}", lines - 5)));

        stage.click(toggle).await;
        assert_eq!(stage.text(toggle), "Show fewer lines");
        assert_eq!(stage.says(toggle, "aria-expanded").as_deref(), Some("true"));
        let all: Vec<_> = (1..=lines).map(|line| format!("line {line}")).collect();
        assert_eq!(shown(&stage), all, "in their order");

        stage.click(toggle).await;
        assert_eq!(shown(&stage), folded);
    }
}

#[wasm_bindgen_test]
async fn a_very_long_line_is_cut_and_can_be_had() {
    let mut call = call("a", "Bash", Outcome::Ok);
    call.output = Content::Held(vec![Block::Text("x".repeat(5_000).into())]);
    let stage = Stage::with(session(vec![call])).await;
    stage.click(".call-header").await;
    assert_eq!(stage.text(".elision-inline"), "+3,000 characters");
    stage.click(".elision-inline").await;
    assert_eq!(stage.text("[data-part=output] .output-line"), "x".repeat(5_000));
}
