//! The ledger: the rows of a session in one list.

use leptos::prelude::*;

use super::card::card;
use super::piece::{Piece, div, el, perhaps, state};
use super::rows::{agent, exchange, missing, prompt};
use super::screen::{ROW_ID, RowOf, Screen};
use crate::ledger::{Row, RowId};

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
    let handle = screen.row(id)?;
    let (row, open) = (RwSignal::from(handle.row), RwSignal::from(handle.open));
    // The kinds are told apart here alone; each component is given its own.
    Some(row.with_untracked(|kind| match kind {
        Row::Exchange(_) => {
            exchange(screen, id, RowOf::new(row, |row| if let Row::Exchange(row) = row { Some(row) } else { None }))
        }
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
