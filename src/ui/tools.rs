//! What a reader works on the ledger with: search, filters, order, totals, keys and help. A part of the page that is
//! loaded once the first rows stand.

mod filters;
mod help;
mod keys;
mod order;
mod totals;

use leptos::prelude::*;

use super::chunk::chunk;
use super::piece::{Piece, button, div, span, state};
use super::screen::Screen;

chunk!(
    /// Makes the tools of a screen.
    pub TOOLS: fn(Screen) -> Piece = make, tools
);

/// What the tools share.
#[derive(Clone, Copy)]
struct Desk {
    screen: Screen,
    panel: RwSignal<Option<Panel>>,
}

/// What stands below the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Panel {
    Totals,
    Help,
}

impl Desk {
    /// Shows a panel, or closes it when it is shown.
    fn toggle(&self, panel: Panel) {
        self.panel.update(|shown| *shown = if *shown == Some(panel) { None } else { Some(panel) });
    }
}

fn make(screen: Screen) -> Piece {
    let desk = Desk { screen, panel: RwSignal::new(None) };
    keys::listen(desk);
    let panel = move || match desk.panel.get()? {
        Panel::Totals => Some(totals::panel(desk)),
        Panel::Help => Some(help::panel(desk)),
    };
    let view = screen.view;
    let row = div("toolbar")
        .attr("role", "toolbar")
        .attr("aria-label", "What is shown")
        .with_all(filters::controls(desk))
        .with_all(order::controls(desk))
        .with(span("toolbar-space"))
        .with(switch(
            "Quiet",
            "Leaves out model calls without tool calls, and traffic that is no model call",
            move || view.with(|view| view.quiet),
            move || screen.change_view(|view| view.quiet = !view.quiet),
        ))
        .with(switch(
            "Cards only",
            "Leaves out model calls",
            move || view.with(|view| view.cards_only),
            move || screen.change_view(|view| view.cards_only = !view.cards_only),
        ))
        .with(switch(
            "Follow",
            "Scrolls to new rows while the last one is in view (f)",
            move || screen.follow.get(),
            move || screen.follow.update(|on| *on = !*on),
        ))
        .with(switch(
            "Totals",
            "Counts and times of each tool (t)",
            move || desk.panel.get() == Some(Panel::Totals),
            move || desk.toggle(Panel::Totals),
        ))
        .with(switch(
            "?",
            "Keys, and what a duration means (?)",
            move || desk.panel.get() == Some(Panel::Help),
            move || desk.toggle(Panel::Help),
        ));
    div("tools").with(row).when(move || filters::chips(desk)).when(panel)
}

/// A button that is on or off.
fn switch(
    label: &'static str,
    title: &'static str,
    on: impl Fn() -> bool + Send + 'static,
    flip: impl Fn() + Send + 'static,
) -> Piece {
    button("switch", flip).attr("title", title).attr("aria-pressed", state(on)).text(label)
}
