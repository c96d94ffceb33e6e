//! What is in view, and whether anybody looks.

use js_sys::Array;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// Tells which of the watched elements come into view and leave it.
pub struct Watcher {
    observer: IntersectionObserver,
    // Held for as long as the observer calls it.
    _callback: Closure<dyn FnMut(Array)>,
}

impl Watcher {
    /// Calls `on_change` with elements and whether they are in view or within half a screen of it.
    #[must_use]
    pub fn new(mut on_change: impl FnMut(Vec<(Element, bool)>) + 'static) -> Option<Self> {
        let callback = Closure::new(move |entries: Array| {
            let entries = entries.iter().map(IntersectionObserverEntry::unchecked_from_js);
            on_change(entries.map(|entry| (entry.target(), entry.is_intersecting())).collect());
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin("50% 0px");
        let observer = IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), &options).ok()?;
        Some(Self { observer, _callback: callback })
    }

    /// Watches `element`.
    pub fn watch(&self, element: &Element) {
        self.observer.observe(element);
    }

    /// No longer watches `element`.
    pub fn leave(&self, element: &Element) {
        self.observer.unobserve(element);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Whether the page is hidden, as it changes.
#[must_use]
pub fn hidden() -> ReadSignal<bool> {
    let (hidden, set_hidden) = signal(document().hidden());
    let handle = window_event_listener(ev::Custom::<web_sys::Event>::new("visibilitychange"), move |_| {
        set_hidden.set(document().hidden());
    });
    on_cleanup(move || handle.remove());
    hidden
}
