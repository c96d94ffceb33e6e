//! What an open card shows: the input and the output of its call.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::chunk::chunk;
use super::copy_button::copy_button;
use super::erased::memo;
use super::find::Find;
use super::going;
use super::lines::{lines_view, marked_lines};
use super::part::part_view;
use super::piece::{Piece, button, div, el, span, state};
use super::screen::{Ask, Look, RowOf, Screen};
use crate::address;
use crate::card::{self, Language, Lines, Part};
use crate::host::guard::guarded;
use crate::host::location;
use crate::ledger::{CallRow, answered_in, asked_by};
use crate::trace::{Content, Exchange, Outcome, ToolCall};

chunk!(
    /// What makes the body of a card.
    pub BODY: fn(Screen, RowOf<CallRow>) -> Piece = make, body
);

/// The body of an open card, as soon as that part of the page is there.
pub fn body(screen: Screen, row: RowOf<CallRow>) -> Piece {
    if let Some(body) = BODY.get() {
        return body(screen, row);
    }
    let loaded = RwSignal::new(None);
    let load = move || {
        loaded.set(None);
        spawn_local(async move {
            // The card may have been closed meanwhile.
            let _ = loaded.try_set(Some(BODY.load().await));
        });
    };
    load();
    div("call-body-loading").when(move || match loaded.get()? {
        Ok(body) => Some(body(screen, row)),
        Err(error) => {
            let again = button("quiet-button", load).text("Try again");
            Some(div("problem").attr("role", "alert").with(el("p").text(format!("{error}."))).with(again))
        }
    })
}

fn make(screen: Screen, row: RowOf<CallRow>) -> Piece {
    let call = memo(move || row.with(|row| row.call.clone()));
    // Each half is drawn anew only when it is another one: what was unfolded in it stays so.
    let input = memo(move || call.with(|call| call.input.clone()));
    let output = memo(move || call.with(|call| (call.output.clone(), call.outcome.clone())));
    let find = Find::new();
    let look = screen.look;
    let raw = memo(move || look.with(|look| look.raw));
    let input_body = move || {
        let raw = raw.get();
        Some(input.with(|input| lacking(input, "input")).unwrap_or_else(|| {
            let call = call.get_untracked();
            match (&call.input, card::raw_input(&call)) {
                (Content::None, _) => note("This call was made without input."),
                (_, Some(text)) if raw => lines_view(Lines::plain(text.into_owned())),
                _ => parts(&call, card::input_body, part_view),
            }
        }))
    };
    let output_body = move || {
        let raw = raw.get();
        find.clear();
        let absent = output
            .with(|(output, outcome)| lacking(output, "output").or_else(|| pending(outcome, output.held().is_some())));
        let body = absent.unwrap_or_else(|| {
            let call = call.get_untracked();
            parts(&call, card::output_body, move |part| match part {
                Part::Lines(lines) => {
                    let lines = Arc::new(if raw { lines.in_language(Language::Plain) } else { lines });
                    marked_lines(Arc::clone(&lines), Some(find.add(&lines)))
                }
                part => part_view(part),
            })
        });
        find.again();
        Some(body)
    };
    let retry = move || {
        let failed = input.with(|input| matches!(input, Content::Unavailable(_)))
            || output.with(|(output, _)| matches!(output, Content::Unavailable(_)));
        failed.then(|| retry_button(screen, row))
    };
    let copy_input = move || call.with_untracked(|call| card::raw_input(call).map(std::borrow::Cow::into_owned));
    let copy_output = move || call.with_untracked(|call| card::raw_output(call).map(std::borrow::Cow::into_owned));
    let body = div("call-body")
        .class_if("lines-numbered", move || look.with(|look| look.numbers))
        .class_if("lines-unwrapped", move || look.with(|look| look.unwrapped))
        .with(half("input", "Input", copy_button("Copy input", copy_input)).when(input_body))
        .with(
            half("output", "Output", copy_button("Copy output", copy_output))
                .class_if("call-part-error", move || output.with(|(_, outcome)| *outcome == Outcome::Error))
                .when(output_body),
        )
        .when(retry)
        .with(
            div("card-tools")
                .with(find.controls())
                .with(span("toolbar-space"))
                .with_all(switches(screen))
                .with(named_copy("Markdown", "Copy as Markdown", move || {
                    call.with_untracked(|call| card::markdown(call))
                }))
                .with(named_copy("JSON", "Copy as JSON", move || call.with_untracked(|call| card::json(call))))
                .with(named_copy("Link", "Copy a link to this call", move || {
                    call.with_untracked(|call| location::link(&address::here_at_call(&location::read(), &call.key.id)))
                })),
        )
        .when(places(screen, call));
    find.listen(body)
}

/// The parts of a half, or a word in their place when they cannot be made.
fn parts(call: &Arc<ToolCall>, make: fn(&ToolCall) -> Vec<Part>, view: impl Fn(Part) -> Piece + 'static) -> Piece {
    let call = Arc::clone(call);
    match guarded(move || make(&call)) {
        Some(parts) => div("parts").with_all(parts.into_iter().map(view)),
        None => {
            note("This could not be shown. The copy button still gives all of it as it stands.").attr("role", "alert")
        }
    }
}

/// The model calls that asked for the call and that got its result.
fn places(screen: Screen, call: Memo<Arc<ToolCall>>) -> impl Fn() -> Option<Piece> + Send + 'static {
    // A memo, so that a refresh leaves a link with the focus alone.
    let places = memo(move || {
        screen.changed.track();
        let held = |(number, exchange): (usize, &Exchange)| (number, exchange.clone());
        screen.with_session(|session| {
            call.with(|call| [asked_by(session, call).map(held), answered_in(session, call).map(held)])
        })
    });
    let link = move |words: &str, (number, exchange): (usize, Exchange)| {
        button("row-link", move || going::to_exchange(screen, &exchange)).text(format!("{words} {number}"))
    };
    move || {
        let words = ["asked by model call", "answered in model call"];
        let links = places.get().into_iter().zip(words).filter_map(|(place, words)| Some(link(words, place?)));
        let links: Vec<_> = links.collect();
        (!links.is_empty()).then(|| div("call-places").with_all(links))
    }
}

/// How texts are shown, in all cards of the session.
fn switches(screen: Screen) -> [Piece; 3] {
    let look = screen.look;
    let switch = |label: &'static str, title: &'static str, of: fn(&mut Look) -> &mut bool| {
        let on = move || {
            let mut look = look.get();
            *of(&mut look)
        };
        button("switch", move || look.update(|look| *of(look) = !*of(look)))
            .attr("title", title)
            .attr("aria-pressed", state(on))
            .text(label)
    };
    [
        switch("Raw", "Shows the input as it stood on the wire, and the output without colours", |look| &mut look.raw),
        switch("Line numbers", "Numbers the lines", |look| &mut look.numbers),
        switch("No wrap", "Lets long lines run on", |look| &mut look.unwrapped),
    ]
}

fn named_copy(name: &'static str, label: &'static str, text: impl Fn() -> String + Send + 'static) -> Piece {
    copy_button(label, move || Some(text())).with(span("copy-name").text(name))
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
