//! Keeps what the reader wants to see and the address in step, so that a link shows what its sender saw, and the way back
//! leads to what was seen before (specs: design §3).

use leptos::ev;
use leptos::prelude::*;

use super::erased::effect;
use super::screen::Screen;
use crate::address::{query, with_query};
use crate::host::location;
use crate::ledger::{View, goes_on};

/// Begins with what the address says, and keeps both in step from then on.
pub fn keep(screen: Screen) {
    let follow = move || {
        let view = screen.view.with_untracked(|view| asked(view, &location::read()));
        if screen.view.with_untracked(|held| *held != view) {
            screen.change_view(|held| *held = view);
        }
    };
    follow();
    let handle = window_event_listener(ev::hashchange, move |_| follow());
    on_cleanup(move || handle.remove());
    effect(move || {
        let pairs = screen.view.with(View::pairs);
        let hash = location::read();
        let former = asked(&View::default(), &hash).pairs();
        if pairs != former {
            location::say(&with_query(&hash, &pairs), !goes_on(&former, &pairs));
        }
    });
}

/// A view as an address wants it.
fn asked(view: &View, hash: &str) -> View {
    let pairs = query(hash);
    view.told(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}
