//! Brings a call or a model call before the reader: what hides it gives way, its row is marked and has the focus.

use leptos::prelude::*;
use web_sys::Element;

use super::list::focus;
use super::screen::Screen;
use crate::ledger::{Filter, RowId, RowKey, View};
use crate::trace::{AgentId, CallKey, Exchange};

/// Opens a card and goes to it.
pub fn to_call(screen: Screen, key: &CallKey, then: fn(&Element)) {
    screen.open_card(key);
    to_row(screen, RowKey::Call(key.clone()), &key.agent, then);
}

/// Goes to a model call.
pub fn to_exchange(screen: Screen, exchange: &Exchange) {
    to_row(screen, RowKey::of(exchange), &exchange.agent, mark_and_focus);
}

fn to_row(screen: Screen, key: RowKey, agent: &AgentId, then: fn(&Element)) {
    let Some(row) = screen.row_id(key) else { return };
    show(screen, row, agent);
    // The row is drawn after what called this.
    request_animation_frame(move || {
        if let Some(list) = screen.list() {
            list.reveal(row, true, then);
        }
    });
}

/// Has a row shown: opens the blocks around it, and takes back of the view what leaves it out, no more than is needed.
fn show(screen: Screen, row: RowId, agent: &AgentId) {
    let around = screen.blocks_around(agent);
    let is_open = screen.view.with_untracked(|view| around.is_subset(&view.open_agents));
    if !is_open {
        screen.change_view(|view| view.open_agents.extend(around));
    }
    let loosen: [fn(&mut View); 3] = [
        |view| {
            view.only_found = false;
            view.matches = None;
            view.filter = Filter::default();
        },
        |view| view.cards_only = false,
        |view| view.quiet = false,
    ];
    for loosen in loosen {
        if screen.shows(row) {
            return;
        }
        screen.change_view(loosen);
    }
}

/// Marks a row.
pub fn mark(element: &Element) {
    if let Ok(Some(former)) = document().query_selector(".row-marked") {
        // A class with a plain name can always be taken away.
        let _ = former.class_list().remove_1("row-marked");
    }
    let _ = element.class_list().add_1("row-marked");
}

/// Marks a row and gives it the focus.
pub fn mark_and_focus(element: &Element) {
    mark(element);
    if let Ok(Some(button)) = element.query_selector("button") {
        focus(&button);
    }
}
