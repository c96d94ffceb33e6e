//! The second hand: everything that shows a running time depends on one signal.

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use crate::host::{clock, visibility};
use crate::ui::screen::Screen;

/// Moves the screen's clock on once a second, while somebody looks.
pub fn tick(screen: Screen) {
    let hidden = visibility::hidden();
    let interval = Interval::new(1_000, move || {
        if !hidden.get_untracked() {
            screen.now.set(clock::now());
        }
    });
    let interval = StoredValue::new_local(interval);
    on_cleanup(move || interval.dispose());
}
