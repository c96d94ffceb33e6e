//! A session of a file that the reader opened.

use leptos::prelude::*;

use crate::ui::erased::effect;
use crate::ui::opened::Opened;
use crate::ui::screen::{Link, LinkState, Screen};

/// Shows the session `id` of the opened files, and again when another file was joined with it.
pub fn watch(screen: Screen, opened: Opened, id: String) {
    effect(move || {
        let Some(reading) = opened.session(&id) else { return };
        screen.link.set(Link { state: LinkState::File, ..Link::default() });
        screen.show(reading.session.clone());
    });
}
