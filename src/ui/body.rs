//! What an open card shows: the input and the output of its call.

use leptos::prelude::*;

use super::copy_button::CopyButton;
use super::erased::{dynamic, flag, memo};
use super::lines::LinesView;
use super::screen::{Ask, Screen};
use crate::card::{self, Part};
use crate::ledger::CallRow;
use crate::trace::{Content, Outcome};

/// The body of an open card.
#[component]
pub fn Body(row: RwSignal<CallRow>) -> impl IntoView {
    let call = memo(move || row.with(|row| row.call.clone()));
    // Each half is drawn anew only when it is another one: what was unfolded in it stays so.
    let input = memo(move || call.with(|call| call.input.clone()));
    let output = memo(move || call.with(|call| (call.output.clone(), call.outcome.clone())));
    let input_body = move || {
        Some(input.with(|input| lacking(input, "input")).unwrap_or_else(|| {
            call.with_untracked(|call| match call.input {
                Content::None => note("This call was made without input."),
                _ => parts(card::input_body(call)),
            })
        }))
    };
    let output_body = move || {
        let absent = output
            .with(|(output, outcome)| lacking(output, "output").or_else(|| pending(outcome, output.held().is_some())));
        Some(absent.unwrap_or_else(|| call.with_untracked(|call| parts(card::output_body(call)))))
    };
    let retry = move || {
        let failed = input.with(|input| matches!(input, Content::Unavailable(_)))
            || output.with(|(output, _)| matches!(output, Content::Unavailable(_)));
        failed.then(|| view! { <RetryButton row /> }.into_any())
    };
    let copy_input = move || call.with_untracked(|call| card::raw_input(call).map(|text| text.into_owned()));
    let copy_output = move || call.with_untracked(|call| card::raw_output(call).map(|text| text.into_owned()));
    view! {
        <div class="call-body">
            <div class="call-part" role="group" data-part="input" aria-label="Input">
                <header class="part-header">
                    <span class="part-name">"Input"</span>
                    <CopyButton label="Copy input" text=copy_input />
                </header>
                {dynamic(input_body)}
            </div>
            <div
                class="call-part"
                class:call-part-error=flag(move || output.with(|(_, outcome)| *outcome == Outcome::Error))
                role="group"
                data-part="output"
                aria-label="Output"
            >
                <header class="part-header">
                    <span class="part-name">"Output"</span>
                    <CopyButton label="Copy output" text=copy_output />
                </header>
                {dynamic(output_body)}
            </div>
            {dynamic(retry)}
        </div>
    }
}

/// What to show instead of a part that is not here.
fn lacking<T>(content: &Content<T>, what: &str) -> Option<AnyView> {
    match content {
        Content::Remote => {
            Some(view! { <p class="part-note" aria-busy="true">{format!("Loading the {what}…")}</p> }.into_any())
        }
        Content::Unavailable(reason) => Some(note(reason)),
        Content::Held(_) | Content::None => None,
    }
}

/// What to show for a call that has no result.
fn pending(outcome: &Outcome, has_output: bool) -> Option<AnyView> {
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

fn note(words: &str) -> AnyView {
    view! { <p class="part-note">{words.to_owned()}</p> }.into_any()
}

fn parts(parts: Vec<Part>) -> AnyView {
    parts.into_iter().map(part).collect_view().into_any()
}

fn part(part: Part) -> AnyView {
    match part {
        Part::Lines(lines) => view! { <LinesView lines /> }.into_any(),
        Part::Note(words) => note(&words),
        _ => ().into_any(),
    }
}

/// Tries again to get what could not be had.
#[component]
fn RetryButton(row: RwSignal<CallRow>) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let retry = move |_| {
        let key = row.with_untracked(|row| row.call.key.clone());
        screen.asked.set(Some(Ask::RetryCard(key)));
    };
    view! { <button class="quiet-button" type="button" on:click=retry>"Try again"</button> }
}
