//! Closures behind one type each: Leptos compiles a memo or an effect anew for every closure type.

use leptos::prelude::*;

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
