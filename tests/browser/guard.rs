//! One thing that fails does not take the page with it.

use callsheet::host::guard::{guarded, is_guarded};
use callsheet::trace::Outcome;
use wasm_bindgen_test::wasm_bindgen_test;

use super::stage::{Stage, call, session};

#[wasm_bindgen_test]
async fn what_fails_gives_nothing_and_the_rest_lives_on() {
    let stage = Stage::with(session(vec![call("a", "Bash", Outcome::Ok)])).await;
    let text = "ä".to_owned();
    for _ in 0..3 {
        let cut = text.clone();
        assert_eq!(guarded(move || cut[..1].to_owned()), None, "slicing inside a character panics");
        assert!(!is_guarded());
    }
    assert_eq!(guarded(|| 2 + 2), Some(4));
    stage.click(".call-header").await;
    assert_eq!(stage.all(".call-body").len(), 1);
}
