//! The ledger: the rows of a session in one list.

use leptos::prelude::*;

use super::card::card;
use super::piece::{Piece, div, el, perhaps, state};
use super::rows::{agent, exchange, missing, prompt};
use super::screen::{ROW_ID, RowHandle, Screen};
use crate::ledger::RowId;

/// The rows of the session on screen.
#[component]
pub fn Ledger() -> impl IntoView {
    let screen = expect_context::<Screen>();
    let rows = view! { <For each=move || screen.order.get() key=|id| *id children=move |id| row(screen, id) /> };
    div("ledger")
        .attr("role", "feed")
        .attr("aria-label", "Tool calls")
        .attr("data-testid", "ledger")
        .attr("aria-busy", state(move || screen.head.with(|head| !head.loaded)))
        .view(rows.into_any())
}

/// One row. What kind it is never changes; what it says does.
fn row(screen: Screen, id: RowId) -> Option<Piece> {
    let (handle, _) = screen.row(id)?;
    Some(match handle {
        RowHandle::Exchange(row) => exchange(screen, id, RwSignal::from(row)),
        RowHandle::Missing(row) => missing(screen, id, RwSignal::from(row)),
        RowHandle::Agent(row) => agent(screen, id, RwSignal::from(row)),
        RowHandle::Prompt(row) => prompt(screen, id, RwSignal::from(row)),
        RowHandle::Call(row, open) => card(screen, id, RwSignal::from(row), RwSignal::from(open)),
    })
}

/// The element of a row, with what all rows have in common.
pub fn row_element(
    screen: Screen,
    id: RowId,
    class: &'static str,
    depth: impl Fn() -> usize + Send + 'static,
) -> Piece {
    let position = screen.row(id).map(|(_, position)| position);
    // The style sheet knows eight levels.
    let depth = move || Some(depth().min(8)).filter(|depth| *depth > 0).map(|depth| depth.to_string());
    el("article")
        .attr("class", class)
        .attr(ROW_ID, id.to_string())
        .attr("data-depth", perhaps(depth))
        .attr("aria-posinset", perhaps(move || position.as_ref().map(|position| (position.get() + 1).to_string())))
        // The session may grow at any moment, and a count in each row would touch every row.
        .attr("aria-setsize", "-1")
        .on_mount(move |element| {
            screen.watch(element);
            let element = send_wrapper::SendWrapper::new(element.clone());
            on_cleanup(move || screen.leave(id, &element));
        })
}
