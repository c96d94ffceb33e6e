//! What an open card shows: the input and the output of its call.

use leptos::prelude::*;

use super::copy_button::copy_button;
use super::erased::memo;
use super::part::part_view;
use super::piece::{Piece, button, div, el, span};
use super::screen::{Ask, RowOf, Screen};
use crate::card;
use crate::ledger::CallRow;
use crate::trace::{Content, Outcome};

/// The body of an open card.
pub fn body(screen: Screen, row: RowOf<CallRow>) -> Piece {
    let call = memo(move || row.with(|row| row.call.clone()));
    // Each half is drawn anew only when it is another one: what was unfolded in it stays so.
    let input = memo(move || call.with(|call| call.input.clone()));
    let output = memo(move || call.with(|call| (call.output.clone(), call.outcome.clone())));
    let input_body = move || {
        Some(input.with(|input| lacking(input, "input")).unwrap_or_else(|| {
            call.with_untracked(|call| match call.input {
                Content::None => note("This call was made without input."),
                _ => div("parts").with_all(card::input_body(call).into_iter().map(part_view)),
            })
        }))
    };
    let output_body = move || {
        let absent = output
            .with(|(output, outcome)| lacking(output, "output").or_else(|| pending(outcome, output.held().is_some())));
        Some(absent.unwrap_or_else(|| {
            call.with_untracked(|call| div("parts").with_all(card::output_body(call).into_iter().map(part_view)))
        }))
    };
    let retry = move || {
        let failed = input.with(|input| matches!(input, Content::Unavailable(_)))
            || output.with(|(output, _)| matches!(output, Content::Unavailable(_)));
        failed.then(|| retry_button(screen, row))
    };
    let copy_input = move || call.with_untracked(|call| card::raw_input(call).map(std::borrow::Cow::into_owned));
    let copy_output = move || call.with_untracked(|call| card::raw_output(call).map(std::borrow::Cow::into_owned));
    div("call-body")
        .with(half("input", "Input", copy_button("Copy input", copy_input)).when(input_body))
        .with(
            half("output", "Output", copy_button("Copy output", copy_output))
                .class_if("call-part-error", move || output.with(|(_, outcome)| *outcome == Outcome::Error))
                .when(output_body),
        )
        .when(retry)
}

fn half(part: &'static str, name: &'static str, copy: Piece) -> Piece {
    div("call-part")
        .attr("role", "group")
        .attr("data-part", part)
        .attr("aria-label", name)
        .with(div("part-header").with(span("part-name").text(name)).with(copy))
}

/// What to show instead of a part that is not here.
fn lacking<T>(content: &Content<T>, what: &str) -> Option<Piece> {
    match content {
        Content::Remote => Some(note(&format!("Loading the {what}…")).attr("aria-busy", "true")),
        Content::Unavailable(reason) => Some(note(reason)),
        Content::Held(_) | Content::None => None,
    }
}

/// What to show for a call that has no result.
fn pending(outcome: &Outcome, has_output: bool) -> Option<Piece> {
    let words = match outcome {
        Outcome::Running if has_output => return None,
        Outcome::Running => "running…",
        Outcome::Lost => "No result came, and none will.",
        Outcome::EndsRun => "This call ends its agent's run. No result is due.",
        Outcome::AwaitingApproval => "It waits for somebody to allow it.",
        Outcome::Cancelled if !has_output => "It was called off.",
        Outcome::Ok | Outcome::Error | Outcome::Refused { .. } | Outcome::Cancelled => return None,
    };
    Some(note(words))
}

/// A word of the page's own in place of a part.
pub fn note(words: &str) -> Piece {
    el("p").attr("class", "part-note").text(words.to_owned())
}

/// Tries again to get what could not be had.
fn retry_button(screen: Screen, row: RowOf<CallRow>) -> Piece {
    button("quiet-button", move || {
        let key = row.with_untracked(|row| row.call.key.clone());
        screen.asked.set(Some(Ask::RetryCard(key)));
    })
    .text("Try again")
}
