//! A tool call as a card: a header of one line, and a body while it is open (specs: design §4, cards).

use leptos::prelude::*;

use super::body::body;
use super::erased::memo;
use super::icon::{LuChevronRight, LuWrench, icon};
use super::ledger::row_element;
use super::piece::{Piece, button, div, el, span, state, words};
use super::screen::{RowOf, Screen};
use super::status;
use crate::card::{self, Badge, Summary, Tone};
use crate::host::clock;
use crate::host::guard::guarded;
use crate::ledger::{CallRow, RowId, Took, clock as clock_text, day_and_clock};

/// A tool call as a card.
pub fn card(screen: Screen, id: RowId, row: RowOf<CallRow>, open: RwSignal<bool>) -> Piece {
    let summary = memo(move || {
        let call = row.with(|row| row.call.clone());
        guarded(move || card::summarize(&call)).unwrap_or_else(|| Summary {
            result: Some("this card could not be summed up".to_owned()),
            ..Summary::default()
        })
    });
    let part = move |name: &str| format!("card-{id}-{name}");
    let slug = memo(move || row.with(|row| row.call.outcome.name().to_owned()));
    let word = move || row.with(|row| status::word(&row.call.outcome).to_owned());
    let toggle = move || screen.toggle_card(&row.with_untracked(|row| row.call.key.clone()));
    let header = button("call-header", toggle)
        .attr("aria-expanded", state(move || open.get()))
        .attr("aria-controls", part("body"))
        .attr("aria-label", words(move || format!("Toggle tool call {}", row.with(name))))
        .attr("aria-describedby", ["status", "call", "result", "duration"].map(part).join(" "))
        .with(
            span("call-place").attr("aria-hidden", "true").words(move || row.with(|row| row.place.mark().into_owned())),
        )
        .with(
            span("call-status")
                .attr("id", part("status"))
                .when(move || {
                    // A row that says the same keeps its mark, which may be turning.
                    slug.track();
                    Some(icon(row.with_untracked(|row| status::icon(&row.call.outcome))))
                })
                .with(span("visually-hidden").words(word)),
        )
        .with(span("call-icon").with(icon(LuWrench)))
        .with(el("code").attr("class", "call-name").words(move || row.with(name)))
        .with(call_summary(summary).attr("id", part("call")))
        .with(span("call-badges").when(move || summary.with(|summary| badges(&summary.badges))))
        .with(result_summary(summary).attr("id", part("result")))
        .with(notes(screen, row))
        .with(start(row))
        .with(duration(screen, row).attr("id", part("duration")))
        .with(span("call-chevron").with(icon(LuChevronRight)));
    let is_found = move || screen.found.with(|found| row.with(|row| found.contains(&row.call.key)));
    row_element(screen, id, "row row-call", move || row.with(|row| row.depth))
        .class_if("row-found", is_found)
        .attr("data-row", "call")
        .attr("data-tool-name", words(move || row.with(|row| row.call.name.to_string())))
        .attr("data-call-id", words(move || row.with(|row| row.call.key.id.to_string())))
        .attr("data-agent", words(move || row.with(|row| row.call.key.agent.to_string())))
        .attr("data-status", words(move || slug.get()))
        .attr("aria-label", words(move || format!("{}, {}", row.with(name), word())))
        .with(header)
        .with(div("call-body-slot").attr("id", part("body")).when(move || open.get().then(|| body(screen, row))))
}

fn name(row: &CallRow) -> String {
    if row.call.name.is_empty() { "unknown call".to_owned() } else { card::visible(&row.call.name).into_owned() }
}

/// The call in one line.
fn call_summary(summary: Memo<Summary>) -> Piece {
    let text = move || summary.with(|summary| summary.call.clone());
    span("call-summary").attr("title", words(text)).words(text)
}

fn badges(badges: &[Badge]) -> Option<Piece> {
    let badge = |badge: &Badge| {
        span(match badge.tone {
            Tone::Plain => "badge",
            Tone::Good => "badge badge-good",
            Tone::Bad => "badge badge-bad",
            Tone::Warn => "badge badge-warn",
        })
        .text(badge.text.clone())
    };
    (!badges.is_empty()).then(|| span("badges").with_all(badges.iter().map(badge)))
}

/// What came back, in a few words.
fn result_summary(summary: Memo<Summary>) -> Piece {
    let text = move || {
        summary.with(|summary| summary.result.as_ref().map_or_else(String::new, |result| format!("→ {result}")))
    };
    span("result-summary").attr("title", words(text)).words(text)
}

/// What else is known of its time: the run it began, the job it started.
fn notes(screen: Screen, row: RowOf<CallRow>) -> Piece {
    let text = move || {
        row.with(|row| {
            let ticks = row.notes.iter().any(|note| note.ticks());
            let now = if ticks { screen.now.get() } else { screen.now.get_untracked() };
            row.notes.iter().map(|note| note.text(now)).collect::<Vec<_>>().join(" · ")
        })
    };
    span("call-note").attr("title", words(text)).words(text)
}

/// When it began, in the reader's own time.
fn start(row: RowOf<CallRow>) -> Piece {
    let start = move || row.with(|row| row.call.span.start);
    let text = move || start().map_or_else(String::new, |at| clock_text(at, clock::offset_minutes(at)));
    let whole = move || match start() {
        Some(at) => day_and_clock(at, clock::offset_minutes(at)),
        None => "This source does not say when the call began.".to_owned(),
    };
    el("time").attr("class", "call-start").attr("title", words(whole)).words(text)
}

/// How long it took; the one text that ticks while it runs.
fn duration(screen: Screen, row: RowOf<CallRow>) -> Piece {
    let took = move || row.with(|row| (row.took, row.shared, row.call.approximate));
    let text = move || {
        let (took, shared, approximate) = took();
        let text = took.text(if took.ticks() { screen.now.get() } else { screen.now.get_untracked() });
        let mark = if shared && matches!(took, Took::Nanos(_)) { "∥" } else { "" };
        let about = if approximate && !text.is_empty() { "≈" } else { "" };
        format!("{about}{mark}{text}")
    };
    let meaning = move || {
        let (took, shared, approximate) = took();
        meaning(took, shared, approximate)
    };
    span("call-duration").attr("title", words(meaning)).words(text)
}

/// What a duration means (specs: ledger, *Figures of a card*).
fn meaning(took: Took, shared: bool, approximate: bool) -> String {
    let mut words = match took {
        Took::Unknown => return "This call has no duration.".to_owned(),
        Took::ClocksDisagree => return "It ended before it began: clocks disagree. It counts in no total.".to_owned(),
        Took::Running(_) => "It still runs.".to_owned(),
        Took::Nanos(_) => {
            "From the reply that asked for it to the next request of the same agent: an upper bound.".to_owned()
        }
    };
    if shared {
        words.push_str(" Calls of the same reply ended together (∥): each shows the slowest one's time.");
    }
    if approximate {
        words.push_str(" The source does not tell the times; these were worked out (≈).");
    }
    words
}
