//! The session that ships with the page, growing by itself.

use gloo_timers::callback::Interval;
use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;

use crate::host::{clock, visibility};
use crate::source::demo;
use crate::trace::{Session, Timestamp};
use crate::ui::chunk::chunk;
use crate::ui::erased::effect;
use crate::ui::screen::{Link, LinkState, Screen};

chunk!(
    /// The demo session as it stands at an instant.
    DEMO: fn(Timestamp, Timestamp) -> Session = demo::session, demo
);

/// Shows the demo session as it is each second from now on.
pub fn watch(screen: Screen) {
    let opened = clock::now();
    let ticking = StoredValue::new_local(None);
    on_cleanup(move || ticking.dispose());
    let hidden = visibility::hidden();
    let start = move || {
        screen.link.set(Link { state: LinkState::Demo, ..Link::default() });
        spawn_local_scoped_with_cancellation(async move {
            match DEMO.load().await {
                Ok(session) => {
                    screen.show(session(opened, clock::now()));
                    let tick = move || {
                        if !hidden.get_untracked() {
                            screen.show(session(opened, clock::now()));
                        }
                    };
                    ticking.try_set_value(Some(Interval::new(1_000, tick)));
                }
                Err(error) => {
                    let failure = Some(format!("{error}."));
                    screen.link.set(Link { state: LinkState::Offline, failure, retry_at: None });
                }
            }
        });
    };
    start();
    effect(move || {
        if screen.asked.get().is_some() {
            screen.asked.set(None);
            start();
        }
    });
}
