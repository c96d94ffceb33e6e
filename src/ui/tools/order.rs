//! In which order the rows stand.

use leptos::prelude::*;

use super::Desk;
use crate::ledger::{Direction, Sort};
use crate::ui::form::{chosen, select};
use crate::ui::piece::{Piece, button, words};

pub(super) fn controls(desk: Desk) -> [Piece; 2] {
    let screen = desk.screen;
    let options = Sort::ALL.map(|sort| (sort.name().into(), format!("sort: {}", sort.name()).into()));
    let sort = select(
        "Sort",
        move || options.to_vec(),
        move || screen.view.with(|view| view.sort.name().to_owned()),
        move |event| {
            if let Some(sort) = chosen(event).and_then(|name| Sort::named(&name)) {
                set(desk, sort);
            }
        },
    )
    .attr("class", "field field-sort");
    let up = move || screen.view.with(|view| view.direction == Direction::Ascending);
    let direction = button("icon-button", move || turn(desk))
        .attr("aria-label", "Sort direction")
        .attr("title", words(move || if up() { "Upwards" } else { "Downwards" }.to_owned()))
        .words(move || if up() { "↑" } else { "↓" }.to_owned());
    [sort, direction]
}

/// Sorts by something, in the direction that is mostly wanted.
pub(super) fn set(desk: Desk, sort: Sort) {
    desk.screen.change_view(|view| {
        view.sort = sort;
        view.direction = sort.direction();
    });
}

/// Turns the order round.
pub(super) fn turn(desk: Desk) {
    desk.screen.change_view(|view| view.direction = view.direction.turned());
}
