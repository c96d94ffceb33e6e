//! Lets one thing fail without the page failing with it.
//!
//! A panic ends in a WebAssembly trap, which unwinds nothing; JavaScript can catch it though, as long as the call goes
//! through JavaScript. What runs here must therefore hold no borrow and change nothing that outlives it.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether what runs now may fail.
#[must_use]
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What `run` gives, or `None` when it panics.
pub fn guarded<T: 'static>(run: impl FnOnce() -> T + 'static) -> Option<T> {
    let result = Rc::new(Cell::new(None));
    let slot = Rc::clone(&result);
    let closure = Closure::once(move || slot.set(Some(run())));
    let function: &js_sys::Function = closure.as_ref().unchecked_ref();
    let outside = GUARDED.replace(true);
    let called = function.call0(&JsValue::NULL);
    GUARDED.set(outside);
    if called.is_err() {
        // It counts as running for ever; freeing it would fail too.
        closure.forget();
    }
    result.take()
}
