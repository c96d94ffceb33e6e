//! The address bar.

use leptos::ev::hashchange;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// The part of the address from `#` on, as it changes.
#[must_use]
pub fn hash() -> ReadSignal<String> {
    let (hash, set_hash) = signal(read());
    let handle = window_event_listener(hashchange, move |_| set_hash.set(read()));
    on_cleanup(move || handle.remove());
    hash
}

/// The part of the address from `#` on, as it is now.
#[must_use]
pub fn read() -> String {
    window().location().hash().unwrap_or_default()
}

/// Goes to `hash` without a new entry in the history.
pub fn replace(hash: &str) {
    // The one way to fail is a browser that limits how often; the old address then stays, and does no harm.
    let _ = window().location().replace(hash);
}

/// Says `hash` without going anywhere: nobody is told of it. With an entry of its own in the history, the way back leads
/// to what stood there before.
pub fn say(hash: &str, entry: bool) {
    // A browser may limit how often; the old address then stays, and does no harm.
    let _ = window().history().and_then(|history| {
        if entry {
            history.push_state_with_url(&JsValue::NULL, "", Some(hash))
        } else {
            history.replace_state_with_url(&JsValue::NULL, "", Some(hash))
        }
    });
}

/// Goes to `hash`; the way back leads here.
pub fn go(hash: &str) {
    // A fragment can always be set.
    let _ = window().location().set_hash(hash);
}

/// The whole address of the page with another part from `#` on.
#[must_use]
pub fn link(hash: &str) -> String {
    let href = window().location().href().unwrap_or_default();
    format!("{}{hash}", href.split('#').next().unwrap_or_default())
}
