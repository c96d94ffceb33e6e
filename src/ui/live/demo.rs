//! The session that ships with the page, growing by itself.

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use crate::host::{clock, visibility};
use crate::source::demo;
use crate::ui::screen::{Link, LinkState, Screen};

/// Shows the demo session as it is each second from now on.
pub fn watch(screen: Screen) {
    let opened = clock::now();
    screen.link.set(Link { state: LinkState::Demo, ..Link::default() });
    screen.show(demo::session(opened, opened));
    let hidden = visibility::hidden();
    let interval = Interval::new(1_000, move || {
        if !hidden.get_untracked() {
            screen.show(demo::session(opened, clock::now()));
        }
    });
    let interval = StoredValue::new_local(interval);
    on_cleanup(move || interval.dispose());
}
