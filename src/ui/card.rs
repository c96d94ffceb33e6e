//! A tool call as a card: a header of one line, and a body while it is open (specs: design §4, cards).

use leptos::prelude::*;

use super::body::Body;
use super::icon::{Icon, LuChevronRight, LuWrench};
use super::ledger::RowElement;
use super::screen::Screen;
use super::status;
use crate::card::{self, Summary, Tone};
use crate::host::clock;
use crate::ledger::{CallRow, RowId, Took, clock as clock_text, day_and_clock};

/// A tool call as a card.
#[component]
pub fn Card(
    /// The small name of its row.
    id: RowId,
    /// What it shows.
    row: RwSignal<CallRow>,
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let summary = Memo::new(move |_| row.with(|row| card::summarize(&row.call)));
    let toggle = move |_| screen.toggle_card(&row.with_untracked(|row| row.call.key.clone()));
    let part = move |name: &str| format!("card-{id}-{name}");
    let name = move || row.with(name_of);
    let status = Memo::new(move |_| row.with(|row| row.call.outcome.clone()));
    let described_by = ["status", "call", "result", "duration"].map(part).join(" ");
    let described = move || row.with(|row| format!("{}, {}", name_of(row), status::word(&row.call.outcome)));
    view! {
        <RowElement
            id
            depth=Signal::derive(move || row.with(|row| row.depth))
            class="row-call"
            attr:data-row="call"
            attr:data-tool-name=move || row.with(|row| row.call.name.to_string())
            attr:data-call-id=move || row.with(|row| row.call.key.id.to_string())
            attr:data-agent=move || row.with(|row| row.call.key.agent.to_string())
            attr:data-status=move || status.with(status::slug)
            attr:aria-label=described
        >
        <button
            class="call-header"
            type="button"
            aria-expanded=move || open.get().to_string()
            aria-controls=part("body")
            aria-label=move || format!("Toggle tool call {}", name())
            aria-describedby=described_by
            on:click=toggle
        >
            <span class="call-place" aria-hidden="true">{move || row.with(|row| row.place.mark())}</span>
            <span class="call-status" id=part("status")>
                <Icon icon=Signal::derive(move || status.with(status::icon)) />
                <span class="visually-hidden">{move || status.with(status::word)}</span>
            </span>
            <span class="call-icon"><Icon icon=LuWrench /></span>
            <code class="call-name">{name}</code>
            <CallSummary summary id=part("call") />
            <ResultSummary summary id=part("result") />
            <Notes row />
            <Start row />
            <Duration row id=part("duration") />
            <span class="call-chevron"><Icon icon=LuChevronRight /></span>
        </button>
        <div id=part("body") class="call-body-slot">
            <Show when=move || open.get()>
                <Body row />
            </Show>
        </div>
        </RowElement>
    }
}

fn name_of(row: &CallRow) -> String {
    if row.call.name.is_empty() { "unknown call".to_owned() } else { card::visible(&row.call.name).into_owned() }
}

/// The call in one line, with its badges.
#[component]
fn CallSummary(summary: Memo<Summary>, id: String) -> impl IntoView {
    let text = move || summary.with(|summary| summary.call.clone());
    let badges = move || {
        let badges = summary.with(|summary| summary.badges.clone());
        badges.into_iter().map(|badge| view! { <span class=tone(badge.tone)>{badge.text}</span> }).collect_view()
    };
    view! {
        <span class="call-summary" id=id title=text>
            {text}
        </span>
        <span class="call-badges">{badges}</span>
    }
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "badge",
        Tone::Good => "badge badge-good",
        Tone::Bad => "badge badge-bad",
        Tone::Warn => "badge badge-warn",
    }
}

/// What came back, in a few words.
#[component]
fn ResultSummary(summary: Memo<Summary>, id: String) -> impl IntoView {
    let text = move || summary.with(|summary| summary.result.as_ref().map(|result| format!("→ {result}")));
    view! {
        <span class="result-summary" id=id title=text>
            {text}
        </span>
    }
}

/// What else is known of its time: the run it began, the job it started.
#[component]
fn Notes(row: RwSignal<CallRow>) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let notes = Memo::new(move |_| row.with(|row| row.notes.clone()));
    let text = move || {
        notes.with(|notes| {
            let now = if notes.iter().any(|note| note.ticks()) { screen.now.get() } else { screen.now.get_untracked() };
            notes.iter().map(|note| note.text(now)).collect::<Vec<_>>().join(" · ")
        })
    };
    view! { <span class="call-note" title=text>{text}</span> }
}

/// When it began, in the reader's own time.
#[component]
fn Start(row: RwSignal<CallRow>) -> impl IntoView {
    let start = Memo::new(move |_| row.with(|row| row.call.span.start));
    let text = move || start.get().map_or_else(String::new, |at| clock_text(at, clock::offset_minutes(at)));
    let whole = move || match start.get() {
        Some(at) => day_and_clock(at, clock::offset_minutes(at)),
        None => "This source does not say when the call began.".to_owned(),
    };
    view! { <time class="call-start" title=whole>{text}</time> }
}

/// How long it took; the one text that ticks while it runs.
#[component]
fn Duration(row: RwSignal<CallRow>, id: String) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let took = Memo::new(move |_| row.with(|row| (row.took, row.shared, row.call.approximate)));
    let text = move || {
        let (took, shared, approximate) = took.get();
        let now = if took.ticks() { screen.now.get() } else { screen.now.get_untracked() };
        let text = took.text(now);
        let mark = if shared && matches!(took, Took::Nanos(_)) { "∥" } else { "" };
        let about = if approximate && !text.is_empty() { "≈" } else { "" };
        format!("{about}{mark}{text}")
    };
    let meaning = move || {
        let (took, shared, approximate) = took.get();
        meaning(took, shared, approximate)
    };
    view! { <span class="call-duration" id=id title=meaning>{text}</span> }
}

/// What a duration means (specs: ledger, *Figures of a card*).
fn meaning(took: Took, shared: bool, approximate: bool) -> String {
    let mut words = match took {
        Took::Unknown => return "This call has no duration.".to_owned(),
        Took::ClocksDisagree => {
            return "It ended before it began: two clocks disagree. It counts in no total.".to_owned();
        }
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
