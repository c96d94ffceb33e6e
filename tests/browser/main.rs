//! Component tests in a real browser: what a card says and does, found as readers and screen readers find it.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, reason = "a test that does not find its stage has failed")]

mod bodies;
mod card;
mod elision;
mod guard;
mod live;
mod long;
mod stage;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
