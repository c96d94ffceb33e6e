//! Which calls are shown (specs: ledger, *Filters*).

use std::sync::Arc;

use leptos::prelude::*;

use super::Desk;
use crate::card::visible;
use crate::host::clock;
use crate::ledger::{Facet, Facets, Part, read_duration};
use crate::ui::erased::memo;
use crate::ui::form::{chosen, keep, select};
use crate::ui::piece::{Piece, button, div, el};

pub(super) fn controls(desk: Desk) -> [Piece; 4] {
    let screen = desk.screen;
    let facets = memo(move || {
        screen.changed.track();
        screen.with_session(Facets::of)
    });
    [
        choice(desk, facets, "status", "filter-status", |facets| &facets.outcomes, Part::Outcome),
        choice(desk, facets, "tool", "filter-tool", |facets| &facets.tools, Part::Tool),
        choice(desk, facets, "agent", "filter-agent", |facets| &facets.agents, Part::Agent),
        shortest(desk),
    ]
}

/// A list whose choice is added to the filter, or taken off it.
fn choice(
    desk: Desk,
    facets: Memo<Facets>,
    label: &'static str,
    test_id: &'static str,
    of: fn(&Facets) -> &Vec<Facet>,
    part: fn(Arc<str>) -> Part,
) -> Piece {
    let options = move || {
        let name = |facet: &Facet| {
            let label = if facet.label.is_empty() { "unknown" } else { &facet.label };
            (Arc::clone(&facet.value), format!("{} ({})", visible(label), facet.count).into())
        };
        let first = (Arc::from("\u{0}"), Arc::from(label));
        facets.with(|facets| [first].into_iter().chain(of(facets).iter().map(name)).collect())
    };
    let change = move |event: &web_sys::Event| {
        if let Some(value) = chosen(event).filter(|value| value != "\u{0}") {
            let part = part(value.into());
            desk.screen.change_view(|view| view.filter.toggle(&part));
        }
    };
    // What is on stands in the chips; the list itself says what it is for.
    let value = move || {
        desk.screen.view.track();
        "\u{0}".to_owned()
    };
    select(label, options, value, change).attr("data-testid", test_id)
}

/// A field for the shortest duration.
fn shortest(desk: Desk) -> Piece {
    let take = move |event: web_sys::Event| {
        let Some(text) = chosen(&event) else { return };
        let nanos = if text.trim().is_empty() { Some(0) } else { read_duration(&text) };
        if let Some(nanos) = nanos {
            desk.screen.change_view(|view| view.filter.min_duration = nanos);
        }
    };
    let field = el("input")
        .attr("type", "text")
        .attr("class", "field field-duration")
        .attr("aria-label", "Minimum duration")
        .attr("title", "The shortest duration, such as 500ms, 2s or 1m")
        .attr("placeholder", "≥ duration")
        .attr("data-testid", "filter-min-duration")
        .on("change", take);
    keep(field, move || {
        let nanos = desk.screen.view.with(|view| view.filter.min_duration);
        if nanos > 0 { crate::ledger::duration_text(nanos) } else { String::new() }
    })
}

/// What is on; a click takes it off.
pub(super) fn chips(desk: Desk) -> Option<Piece> {
    let screen = desk.screen;
    let chips = screen.view.with(|view| {
        let offset = clock::offset_minutes(clock::now());
        screen.with_session(|session| view.filter.chips(session, offset))
    });
    if chips.is_empty() {
        return None;
    }
    let chip = |(part, label): (Part, String)| {
        let label = visible(&label).into_owned();
        button("chip", move || screen.change_view(|view| view.filter.toggle(&part)))
            .attr("aria-label", format!("No longer filter by {label}"))
            .text(label + " ✕")
    };
    let all = button("quiet-button", move || screen.change_view(|view| view.filter = crate::ledger::Filter::default()));
    Some(div("chips").with_all(chips.into_iter().map(chip)).with(all.text("Clear filters")))
}
