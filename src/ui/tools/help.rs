//! The help: keys, marks, and what a duration means (specs: design §5, ledger).

use super::{Desk, Panel};
use crate::ui::piece::{Piece, button, div, el};

const KEYS: [(&str, &str); 16] = [
    ("j k ↓ ↑", "next and previous row"),
    ("Enter Space", "open or close"),
    ("h", "close"),
    ("[ ]", "previous and next model call"),
    ("e E", "next and previous error"),
    ("/", "search; within an open card: find in its output"),
    ("n N", "next and previous match"),
    ("s", "next order"),
    ("r", "turn the order round"),
    ("x", "open or close all that is shown"),
    ("g G", "first and last row"),
    ("f", "follow new rows"),
    ("t", "totals"),
    ("y", "copy a link to the call"),
    ("?", "this help"),
    ("Esc", "back"),
];

const MEANING: [&str; 3] = [
    "A duration is the time from the reply that asked for the tool call to the next request of the same agent, seen from outside.",
    "It holds the client's own delay, so it is an upper bound; it can miss a tool that started while the reply still streamed.",
    "Parallel calls share one end (∥), so each shows the slowest one's time. ≈ marks times that were worked out and not told. Files tell times of their own where their format has them.",
];

pub(super) fn panel(desk: Desk) -> Piece {
    let key = |(keys, does): &(&'static str, &'static str)| {
        let keys = keys.split(' ').map(|key| el("kbd").text(key));
        div("help-key").with(el("dt").with_all(keys)).with(el("dd").text(*does))
    };
    el("section")
        .attr("class", "panel help")
        .attr("aria-label", "Help")
        .with(el("h2").text("Keys"))
        .with(el("dl").with_all(KEYS.iter().map(key)))
        .with(el("h2").text("What a duration means"))
        .with_all(MEANING.iter().map(|text| el("p").text(*text)))
        .with(button("quiet-button", move || desk.toggle(Panel::Help)).text("Close"))
}
