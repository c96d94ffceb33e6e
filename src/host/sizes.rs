//! How tall elements are, as it changes.

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver, ResizeObserverEntry};

/// Tells the sizes of the elements that it watches.
pub struct Sizes {
    observer: ResizeObserver,
    // Held for as long as the observer calls it.
    _callback: Closure<dyn FnMut(Array)>,
}

impl Sizes {
    /// Calls `on_change` with the elements whose size is new or changed.
    #[must_use]
    pub fn new(mut on_change: impl FnMut(Vec<Element>) + 'static) -> Option<Self> {
        let callback = Closure::new(move |entries: Array| {
            let entries = entries.iter().map(ResizeObserverEntry::unchecked_from_js);
            on_change(entries.map(|entry| entry.target()).collect());
        });
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
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

impl Drop for Sizes {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
