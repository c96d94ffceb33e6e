//! The search field (specs: ledger, *Search*): it counts as it goes, walks the matches, and can show them alone.

use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::Desk;
use crate::card;
use crate::ledger::{Search, View};
use crate::trace::{CallKey, ToolCall};
use crate::ui::erased::{effect, memo};
use crate::ui::form::{chosen, keep};
use crate::ui::going;
use crate::ui::list::focus;
use crate::ui::piece::{Piece, button, div, el, span, state};

/// How many calls are looked through before the browser gets its turn.
const SLICE: usize = 2_000;

/// What is looked for, and what was found.
#[derive(Clone, Copy)]
pub(super) struct Found {
    matches: RwSignal<Arc<Vec<CallKey>>>,
    at: RwSignal<Option<usize>>,
    /// Counts up with each search, which ends the one before.
    turn: StoredValue<u32>,
}

impl Found {
    pub(super) fn new() -> Self {
        Self { matches: RwSignal::new(Arc::default()), at: RwSignal::new(None), turn: StoredValue::new(0) }
    }
}

/// Looks anew whenever the words or the session changed.
pub(super) fn watch(desk: Desk) {
    let (found, view) = (desk.found, desk.screen.view);
    let needle = memo(move || view.with(|view| view.needle.clone()));
    effect(move || {
        needle.track();
        desk.screen.changed.track();
        spawn_local(look(desk));
    });
    effect(move || desk.screen.found.set(Arc::new(found.matches.with(|keys| keys.iter().cloned().collect()))));
    let only = memo(move || view.with(|view| view.only_found && !view.needle.is_empty()));
    effect(move || {
        let matches = only.get().then(|| desk.screen.found.get());
        if desk.screen.view.with_untracked(|view| view.matches != matches) {
            desk.screen.change_view(|view: &mut View| view.matches = matches);
        }
    });
}

async fn look(desk: Desk) {
    let found = desk.found;
    let Some(turn) = found.turn.try_update_value(|turn| {
        *turn = turn.wrapping_add(1);
        *turn
    }) else {
        return;
    };
    let Some(mut search) = desk.screen.view.try_with_untracked(|view| Search::new(&view.needle)) else { return };
    loop {
        // Another key may be on its way; and the browser draws meanwhile.
        TimeoutFuture::new(0).await;
        if found.turn.try_get_value() != Some(turn) {
            return;
        }
        if desk.screen.with_session(|session| search.step(&session.calls, SLICE, head)) {
            break;
        }
    }
    let matches = Arc::new(search.matches);
    let same = found.matches.try_with_untracked(|shown| *shown == matches);
    if same == Some(false) {
        found.at.set(None);
        found.matches.set(matches);
    }
}

/// What a card says of a call besides its input and output.
fn head(call: &ToolCall) -> String {
    let summary = card::summarize(call);
    format!("{}\n{}", summary.call, summary.result.unwrap_or_default())
}

/// Goes to the next match, or the one before, and opens it.
pub(super) fn step(desk: Desk, by: isize) {
    let found = desk.found;
    let count = found.matches.with_untracked(|matches| matches.len());
    if count == 0 {
        return;
    }
    let last = count - 1;
    let at = match found.at.get_untracked() {
        Some(at) => at.checked_add_signed(by).map_or(last, |at| if at > last { 0 } else { at }),
        None if by > 0 => 0,
        None => last,
    };
    found.at.set(Some(at));
    let Some(key) = found.matches.with_untracked(|matches| matches.get(at).cloned()) else { return };
    going::to_call(desk.screen, &key, going::mark);
}

pub(super) fn controls(desk: Desk) -> Piece {
    let found = desk.found;
    let count = move || {
        let count = found.matches.with(|matches| matches.len());
        match (desk.screen.view.with(|view| view.needle.is_empty()), found.at.get()) {
            (true, _) => String::new(),
            (false, at) => format!("{}/{count}", at.map_or(0, |at| at + 1)),
        }
    };
    let key = move |event: Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        match event.key().as_str() {
            "Enter" => step(desk, if event.shift_key() { -1 } else { 1 }),
            "Escape" => {
                desk.screen.seek(String::new());
                if let Ok(Some(ledger)) = document().query_selector("[data-testid=ledger] button") {
                    focus(&ledger);
                }
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let field = el("input")
        .attr("type", "search")
        .attr("class", "field field-search")
        .attr("aria-label", "Search")
        .attr("placeholder", "search …  ( / )")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .on("input", move |event| desk.screen.seek(chosen(&event).unwrap_or_default()))
        .on("keydown", key);
    let only = move || {
        (!desk.screen.view.with(|view| view.needle.is_empty())).then(|| {
            button("switch", move || desk.screen.change_view(|view| view.only_found = !view.only_found))
                .attr("title", "Shows only the calls that were found")
                .attr("aria-pressed", state(move || desk.screen.view.with(|view| view.only_found)))
                .text("Matches only")
        })
    };
    div("search")
        .with(keep(field, move || desk.screen.view.with(|view| view.needle.clone())))
        .with(span("search-count").attr("data-testid", "search-count").attr("role", "status").words(count))
        .when(only)
}
