//! What the reader sees when the page itself fails: a message and a way on, never a dead page.

use std::panic::PanicHookInfo;

/// Shows panics in the element `#crash`, and logs them.
pub fn install() {
    std::panic::set_hook(Box::new(show));
}

fn show(info: &PanicHookInfo<'_>) {
    web_sys::console::error_1(&info.to_string().into());
    if super::guard::is_guarded() {
        return;
    }
    let Some(crash) = web_sys::window().and_then(|window| window.document()?.get_element_by_id("crash")) else {
        return;
    };
    // Nothing more can be done from inside a panic, so what fails here fails silently.
    if let Ok(Some(details)) = crash.query_selector("pre") {
        details.set_text_content(Some(&info.to_string()));
    }
    let _ = crash.remove_attribute("hidden");
}
