//! Closures behind one type each. A view is compiled anew for every closure type in it, at about a kilobyte each; behind
//! a pointer they share one copy, and the page loads in half the time.

use leptos::prelude::*;

/// A text that changes.
pub type Words = Box<dyn Fn() -> String + Send + Sync>;

/// A text that changes.
pub fn words(text: impl Fn() -> String + Send + Sync + 'static) -> Words {
    Box::new(text)
}

/// A text that may be absent; an attribute is then absent too.
pub fn perhaps(
    text: impl Fn() -> Option<String> + Send + Sync + 'static,
) -> Box<dyn Fn() -> Option<String> + Send + Sync> {
    Box::new(text)
}

/// A yes or no that changes, as the text of an ARIA state.
pub fn state(on: impl Fn() -> bool + Send + Sync + 'static) -> Words {
    Box::new(move || if on() { "true" } else { "false" }.to_owned())
}

/// A yes or no that changes.
pub fn flag(on: impl Fn() -> bool + Send + Sync + 'static) -> Box<dyn Fn() -> bool + Send + Sync> {
    Box::new(on)
}

/// A view that changes as a whole; `None` draws nothing.
pub fn dynamic(
    view: impl Fn() -> Option<AnyView> + Send + Sync + 'static,
) -> Box<dyn Fn() -> Option<AnyView> + Send + Sync> {
    Box::new(view)
}

/// A value that is worked out once for all who read it, and told on only when it is another one.
pub fn memo<T: PartialEq + Send + Sync + 'static>(value: impl Fn() -> T + Send + Sync + 'static) -> Memo<T> {
    let value: Box<dyn Fn() -> T + Send + Sync> = Box::new(value);
    Memo::new(move |_| value())
}

/// Something to do now and whenever what it reads changes.
pub fn effect(run: impl Fn() + 'static) {
    let run: Box<dyn Fn()> = Box::new(run);
    Effect::new(move |_| run());
}
