//! The keyboard (specs: design §5). No key acts while a field has the focus, and none overrides a browser's chord.

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::{Desk, Panel, order, search};
use crate::address::here_at_call;
use crate::host::{clipboard, location};
use crate::ledger::{Row, RowId};
use crate::trace::Outcome;
use crate::ui::list::focus;

pub(super) fn listen(desk: Desk) {
    let handle = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
        let chord = event.ctrl_key() || event.meta_key() || event.alt_key();
        if chord || event.default_prevented() || event.is_composing() {
            return;
        }
        let key = event.key();
        if in_field(&event) && key != "Escape" {
            return;
        }
        if press(desk, &key) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

/// Whether the event is a field's, which then has the key to itself.
fn in_field(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|target| {
        matches!(target.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT") || target.is_content_editable()
    })
}

/// Does what a key stands for; whether it stands for anything.
fn press(desk: Desk, key: &str) -> bool {
    let screen = desk.screen;
    let any = |_: &Row| true;
    let exchange = |row: &Row| matches!(row, Row::Exchange(_));
    let error = |row: &Row| matches!(row, Row::Call(row) if row.call.outcome == Outcome::Error);
    match key {
        "j" | "ArrowDown" => step(desk, 1, any),
        "k" | "ArrowUp" => step(desk, -1, any),
        "]" => step(desk, 1, exchange),
        "[" => step(desk, -1, exchange),
        "e" => step(desk, 1, error),
        "E" => step(desk, -1, error),
        "g" => go(desk, screen.order.with_untracked(|order| order.first().copied())),
        "G" => go(desk, screen.order.with_untracked(|order| order.last().copied())),
        "h" => {
            if let Some(key) =
                screen.list().and_then(|list| list.focused()).and_then(|row| screen.with_row(row, Row::key))
            {
                screen.close(key);
            }
        }
        "x" => screen.toggle_all(),
        "s" => order::set(desk, screen.view.with_untracked(|view| view.sort).next()),
        "r" => order::turn(desk),
        "f" => screen.follow.update(|on| *on = !*on),
        "t" => desk.toggle(Panel::Totals),
        "?" => desk.toggle(Panel::Help),
        "y" => copy_link(desk),
        "/" => focus_search(),
        "n" => search::step(desk, 1),
        "N" => search::step(desk, -1),
        "Escape" => return desk.panel.try_update(Option::take).flatten().is_some(),
        _ => return false,
    }
    true
}

/// Goes to the next row in a direction that is one of those wanted.
fn step(desk: Desk, by: isize, wanted: fn(&Row) -> bool) {
    let screen = desk.screen;
    let Some(list) = screen.list() else { return };
    let found = screen.order.with_untracked(|order| {
        let here = list.focused().and_then(|row| screen.position(row)).filter(|&at| at < order.len());
        let mut at = match here {
            Some(at) => at.checked_add_signed(by)?,
            None if by > 0 => screen.first_in_view().unwrap_or(0),
            None => order.len().checked_sub(1)?,
        };
        loop {
            let row = *order.get(at)?;
            if screen.with_row(row, wanted) == Some(true) {
                return Some(row);
            }
            at = at.checked_add_signed(by)?;
        }
    });
    go(desk, found);
}

/// Brings a row into view and gives it the focus.
fn go(desk: Desk, row: Option<RowId>) {
    if let (Some(row), Some(list)) = (row, desk.screen.list()) {
        list.set_focused(row);
        list.reveal(row, false, focus_row);
    }
}

fn focus_row(element: &Element) {
    match element.query_selector("button") {
        Ok(Some(button)) => focus(&button),
        _ => focus(element),
    }
}

fn current_call(desk: Desk) -> Option<crate::trace::CallKey> {
    let row = desk.screen.list()?.focused()?;
    desk.screen.with_row(row, |row| match row {
        Row::Call(row) => Some(row.call.key.clone()),
        _ => None,
    })?
}

/// Copies a link to the call that has the focus.
fn copy_link(desk: Desk) {
    let Some(key) = current_call(desk) else { return };
    let link = location::link(&here_at_call(&location::read(), &key.id));
    spawn_local(async move {
        // The card's own button says why when the browser refuses.
        let _ = clipboard::copy(&link).await;
    });
}

/// Looks within the open card that has the focus, else through the session.
fn focus_search() {
    let card = document().active_element().and_then(|active| active.closest("[data-row=call]").ok().flatten());
    let find = card.and_then(|card| card.query_selector(".find-button").ok().flatten());
    if let Some(find) = find.as_ref().and_then(JsCast::dyn_ref::<HtmlElement>) {
        find.click();
        return;
    }
    if let Ok(Some(field)) = document().query_selector("input[type=search][aria-label=Search]") {
        focus(&field);
    }
}
