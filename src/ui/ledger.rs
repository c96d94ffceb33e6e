//! The ledger: the rows of a session in one list.

use leptos::html;
use leptos::prelude::*;

use super::card::Card;
use super::rows::{AgentView, ExchangeView, MissingView, PromptView};
use super::screen::{RowHandle, Screen};
use crate::ledger::RowId;

/// The rows of the session on screen.
#[component]
pub fn Ledger() -> impl IntoView {
    let screen = expect_context::<Screen>();
    let loading = move || screen.head.with(|head| !head.loaded);
    view! {
        <div class="ledger" role="feed" aria-label="Tool calls" data-testid="ledger" aria-busy=move || loading().to_string()>
            <For each=move || screen.order.get() key=|id| *id children=move |id| view! { <Row id /> } />
        </div>
    }
}

/// One row. What kind it is never changes; what it says does.
#[component]
fn Row(id: RowId) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let (handle, _) = screen.row(id)?;
    Some(match handle {
        RowHandle::Exchange(row) => view! { <ExchangeView id row=RwSignal::from(row) /> }.into_any(),
        RowHandle::Missing(row) => view! { <MissingView id row=RwSignal::from(row) /> }.into_any(),
        RowHandle::Agent(row) => view! { <AgentView id row=RwSignal::from(row) /> }.into_any(),
        RowHandle::Prompt(row) => view! { <PromptView id row=RwSignal::from(row) /> }.into_any(),
        RowHandle::Call(row, open) => {
            view! { <Card id row=RwSignal::from(row) open=RwSignal::from(open) /> }.into_any()
        }
    })
}

/// The element of a row, with what all rows have in common.
#[component]
pub fn RowElement(
    /// The small name of the row.
    id: RowId,
    /// How many blocks it stands in.
    #[prop(into)]
    depth: Signal<usize>,
    /// Its class beside `row`.
    class: &'static str,
    /// What stands in it.
    children: Children,
) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let element = NodeRef::<html::Article>::new();
    Effect::new(move |_| {
        if let Some(element) = element.get() {
            screen.watch(&element);
        }
    });
    on_cleanup(move || {
        if let Some(element) = element.try_get_untracked().flatten() {
            screen.leave(id, &element);
        }
    });
    let position = screen.row(id).map(|(_, position)| position);
    let position = move || position.as_ref().map(|position| (position.get() + 1).to_string());
    // The style sheet knows eight levels.
    let depth = move || Some(depth.get().min(8)).filter(|depth| *depth > 0).map(|depth| depth.to_string());
    view! {
        <article
            node_ref=element
            class=format!("row {class}")
            data-row-id=id.to_string()
            data-depth=depth
            aria-posinset=position
            // The session may grow at any moment, and a count in each row would touch every row.
            aria-setsize="-1"
        >
            {children()}
        </article>
    }
}
