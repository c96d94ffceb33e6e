//! The ledger: the rows of a session in one list.

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::card::card;
use super::erased::effect;
use super::list::List;
use super::piece::{Piece, div, el, perhaps, state};
use super::rows::{agent, exchange, missing, prompt};
use super::screen::{ROW_ID, RowOf, Screen};
use crate::ledger::{Row, RowId};

/// The rows of the session on screen.
#[component]
pub fn Ledger() -> impl IntoView {
    let screen = expect_context::<Screen>();
    let list = List::new(screen);
    provide_context(list);
    screen.set_list(list);
    let rows = view! { <For each=move || list.mounted.get() key=|id| *id children=move |id| row(screen, id) /> };
    let space = |height: i64| format!("{height}px");
    let above = move || space(list.space.get().0);
    let below = move || space(list.space.get().1);
    div("ledger")
        .on_mount(move |element| {
            list.hold(element);
            if let Some(style) = element.dyn_ref::<HtmlElement>().map(HtmlElement::style) {
                let style = SendWrapper::new(style);
                effect(move || {
                    // Lengths are always values of a padding.
                    let _ = style.set_property("padding-top", &above());
                    let _ = style.set_property("padding-bottom", &below());
                });
            }
        })
        .on("focusin", move |event| list.keep_focus(event.target().as_ref().and_then(JsCast::dyn_ref)))
        .class_if("ledger-windowed", move || list.space.get() != (0, 0))
        .class_if("ledger-sorted", move || screen.view.with(|view| !view.in_time()))
        .attr("role", "feed")
        .attr("aria-label", "Tool calls")
        .attr("data-testid", "ledger")
        .attr("aria-busy", state(move || screen.head.with(|head| !head.loaded)))
        .view(rows.into_any())
}

/// One row. What kind it is never changes; what it says does.
fn row(screen: Screen, id: RowId) -> Option<Piece> {
    let handle = screen.row(id)?;
    let (row, open) = (RwSignal::from(handle.row), RwSignal::from(handle.open));
    // The kinds are told apart here alone; each component is given its own.
    Some(row.with_untracked(|kind| match kind {
        Row::Exchange(_) => exchange(
            screen,
            id,
            RowOf::new(row, |row| if let Row::Exchange(row) = row { Some(row) } else { None }),
            open,
        ),
        Row::Missing(_) => {
            missing(screen, id, RowOf::new(row, |row| if let Row::Missing(row) = row { Some(row) } else { None }))
        }
        Row::Agent(_) => {
            agent(screen, id, RowOf::new(row, |row| if let Row::Agent(row) = row { Some(row) } else { None }))
        }
        Row::Prompt(_) => {
            prompt(screen, id, RowOf::new(row, |row| if let Row::Prompt(row) = row { Some(row) } else { None }))
        }
        Row::Call(_) => {
            card(screen, id, RowOf::new(row, |row| if let Row::Call(row) = row { Some(row) } else { None }), open)
        }
    }))
}

/// The element of a row, with what all rows have in common.
pub fn row_element(
    screen: Screen,
    id: RowId,
    class: &'static str,
    depth: impl Fn() -> usize + Send + 'static,
) -> Piece {
    let position = screen.row(id).map(|handle| handle.position);
    let list = use_context::<List>();
    // The style sheet knows eight levels.
    let depth = move || Some(depth().min(8)).filter(|depth| *depth > 0).map(|depth| depth.to_string());
    el("article")
        .attr("class", class)
        .attr("tabindex", "-1")
        .attr(ROW_ID, id.to_string())
        .attr("data-depth", perhaps(depth))
        .attr("aria-posinset", perhaps(move || position.as_ref().map(|position| (position.get() + 1).to_string())))
        // The session may grow at any moment, and a count in each row would touch every row.
        .attr("aria-setsize", "-1")
        .on_mount(move |element| {
            screen.watch(element);
            let element = SendWrapper::new(element.clone());
            if let Some(list) = list {
                list.enter(&element);
            }
            on_cleanup(move || {
                screen.leave(id, &element);
                if let Some(list) = list {
                    list.leave(&element);
                }
            });
        })
}
