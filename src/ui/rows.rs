//! The rows that are no cards: model calls, what is not held, sub-agents, a person's words.

use std::sync::Arc;

use leptos::prelude::*;

use super::icon::{Icon, LuChevronRight};
use super::ledger::RowElement;
use super::screen::{Ask, Screen};
use crate::card::{one_line, visible};
use crate::host::clock;
use crate::ledger::{
    AgentRow, ExchangeRow, MissingRow, PromptRow, RowId, Took, clock as clock_text, cost_text, day_and_clock,
    tokens_text,
};
use crate::trace::{ExchangeKind, Text};

/// A model call, or other traffic.
#[component]
pub fn ExchangeView(id: RowId, row: RwSignal<ExchangeRow>) -> impl IntoView {
    let start = Memo::new(move |_| row.with(|row| row.exchange.span.start));
    let time = move || start.get().map_or_else(String::new, |at| clock_text(at, clock::offset_minutes(at)));
    let whole = move || start.get().map(|at| day_and_clock(at, clock::offset_minutes(at)));
    let facts = move || row.with(facts);
    let failed = move || row.with(|row| failed(row));
    let took = Memo::new(move |_| row.with(took));
    let said = Memo::new(move |_| row.with(|row| row.exchange.said.clone()));
    view! {
        <RowElement
            id
            depth=Signal::derive(move || row.with(|row| row.depth))
            class="row-exchange"
            attr:data-row="exchange"
            attr:data-n=move || row.with(|row| row.number.to_string())
            attr:data-seq=move || row.with(|row| row.exchange.id.to_string())
        >
            <div class="exchange-line">
                <span class="exchange-number">{move || row.with(|row| row.number.to_string())}</span>
                <time class="exchange-time" title=whole>{time}</time>
                <span class="exchange-facts" class:exchange-failed=failed title=facts>{facts}</span>
                <Elapsed took />
            </div>
            {move || said.get().map(|said| view! { <Said text=said /> })}
        </RowElement>
    }
}

/// How long it took, or that it still does.
#[component]
fn Elapsed(took: Memo<Took>) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let text = move || {
        let took = took.get();
        took.text(if took.ticks() { screen.now.get() } else { screen.now.get_untracked() })
    };
    view! { <span class="exchange-duration">{text}</span> }
}

fn took(row: &ExchangeRow) -> Took {
    let span = row.exchange.span;
    match (span.start, span.end) {
        (Some(start), None) => Took::Running(start),
        _ => Took::of(span.nanos()),
    }
}

fn failed(row: &ExchangeRow) -> bool {
    row.exchange.error.is_some() || row.exchange.status.is_some_and(|status| status >= 400)
}

/// Model, status, tokens and cost in one line.
fn facts(row: &ExchangeRow) -> String {
    let exchange = &row.exchange;
    let mut facts = vec![visible(&exchange.name).into_owned()];
    facts.extend(exchange.status.map(|status| status.to_string()));
    facts.extend(exchange.error.as_deref().map(|error| one_line(error, 200)));
    if let (Some(input), Some(output)) = (exchange.tokens.total_input(), exchange.tokens.output) {
        facts.push(format!("{}→{}", tokens_text(input), tokens_text(output)));
    }
    if exchange.kind == ExchangeKind::Model && exchange.span.end.is_some() {
        facts.push(exchange.cost.map_or_else(|| "—".to_owned(), |cost| cost_text(cost, 4)));
    }
    facts.join(" · ")
}

/// What was said: its first line, which opens to all of it.
#[component]
fn Said(text: Text) -> impl IntoView {
    let all = visible(text.read().trim()).into_owned();
    let first = all.lines().next().unwrap_or_default().to_owned();
    let is_whole = first.len() == all.len();
    let open = RwSignal::new(false);
    let shown = move || if open.get() { all.clone() } else { first.clone() };
    view! {
        <button
            class="said"
            class:said-open=move || open.get()
            type="button"
            aria-expanded=move || open.get().to_string()
            on:click=move |_| open.update(|open| *open = !*open)
        >
            <span class="said-text">{shown}</span>
            <span class="said-more" aria-hidden="true">{(!is_whole).then_some(move || if open.get() { "less" } else { "more" })}</span>
        </button>
    }
}

/// The place of an exchange that is not held.
#[component]
pub fn MissingView(id: RowId, row: RwSignal<MissingRow>) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let words = move || {
        row.with(|row| match (row.has_older, row.exchange) {
            (true, seq) => format!("The model call of event {seq} is on an older page."),
            (false, seq) => format!("The model call of event {seq} is no longer held."),
        })
    };
    let load = move || {
        row.with(|row| row.has_older).then(|| {
            view! {
                <button class="quiet-button" type="button" on:click=move |_| screen.asked.set(Some(Ask::Older))>
                    "Load older"
                </button>
            }
        })
    };
    view! {
        <RowElement
            id
            depth=Signal::derive(move || row.with(|row| row.depth))
            class="row-missing"
            attr:data-row="missing"
        >
            <span>{words}</span>
            {load}
        </RowElement>
    }
}

/// The header of a sub-agent's block.
#[component]
pub fn AgentView(id: RowId, row: RwSignal<AgentRow>) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let toggle = move |_| screen.toggle_agent(&row.with_untracked(|row| Arc::clone(&row.agent.id)));
    let name = move || row.with(|row| visible(row.agent.label.as_deref().unwrap_or(&row.agent.id)).into_owned());
    let run = Memo::new(move |_| row.with(|row| row.run));
    let counts = move || {
        row.with(|row| {
            let calls = plural(row.calls, "call");
            if row.errors == 0 { calls } else { format!("{calls} · {}", plural(row.errors, "error")) }
        })
    };
    view! {
        <RowElement id depth=Signal::derive(move || row.with(|row| row.depth)) class="row-agent">
            <button
                class="agent-header"
                type="button"
                data-row="agent"
                data-agent=move || row.with(|row| row.agent.id.to_string())
                aria-expanded=move || row.with(|row| row.open.to_string())
                on:click=toggle
            >
                <span class="call-chevron"><Icon icon=LuChevronRight /></span>
                <span class="agent-name">{name}</span>
                <span class="agent-counts" class:agent-errors=move || row.with(|row| row.errors > 0)>{counts}</span>
                <Elapsed took=run />
            </button>
        </RowElement>
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A person's words.
#[component]
pub fn PromptView(id: RowId, row: RwSignal<PromptRow>) -> impl IntoView {
    let text = Memo::new(move |_| row.with(|row| row.prompt.text.clone()));
    view! {
        <RowElement
            id
            depth=Signal::derive(move || row.with(|row| row.depth))
            class="row-prompt"
            attr:data-row="prompt"
        >
            {move || view! { <Said text=text.get() /> }}
        </RowElement>
    }
}
