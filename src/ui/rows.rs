//! The rows that are no cards: model calls, what is not held, sub-agents, a person's words.

use std::sync::Arc;

use leptos::prelude::*;

use super::erased::memo;
use super::going;
use super::icon::{LuChevronRight, icon};
use super::ledger::row_element;
use super::piece::{Piece, button, div, el, perhaps, span, state, words};
use super::screen::{Ask, RowOf, Screen};
use crate::card::{one_line, visible};
use crate::host::clock;
use crate::ledger::{
    AgentRow, ExchangeRow, Fact, MissingRow, PromptRow, RowId, Took, calls_of, clock as clock_text, cost_text,
    day_and_clock, exchange_facts, exchange_took, tokens_text,
};
use crate::trace::{CallKey, ExchangeKind, Text};

/// A model call, or other traffic.
pub fn exchange(screen: Screen, id: RowId, row: RowOf<ExchangeRow>, open: RwSignal<bool>) -> Piece {
    let start = move || row.with(|row| row.exchange.span.start);
    let time = move || start().map_or_else(String::new, |at| clock_text(at, clock::offset_minutes(at)));
    let whole = move || start().map(|at| day_and_clock(at, clock::offset_minutes(at)));
    let facts = move || row.with(facts);
    let number = move || row.with(|row| row.number.to_string());
    let said = memo(move || row.with(|row| row.exchange.said.clone()));
    let toggle = move || row.with_untracked(|row| screen.toggle_exchange(&row.exchange));
    let body = format!("exchange-{id}");
    let line = button("exchange-line", toggle)
        .attr("aria-expanded", state(move || open.get()))
        .attr("aria-controls", body.clone())
        .with(span("exchange-number").words(number))
        .with(el("time").attr("class", "exchange-time").attr("title", perhaps(whole)).words(time))
        .with(
            span("exchange-facts")
                .class_if("exchange-failed", move || row.with(failed))
                .attr("title", words(facts))
                .words(facts),
        )
        .with(elapsed(screen, move || row.with(|row| exchange_took(&row.exchange))))
        .with(span("call-chevron").with(icon(LuChevronRight)));
    row_element(screen, id, "row row-exchange", move || row.with(|row| row.depth))
        .attr("data-row", "exchange")
        .attr("data-n", words(number))
        .attr("data-seq", words(move || row.with(|row| row.exchange.id.to_string())))
        .with(line)
        .when(move || said.with(|said| said.as_ref().map(said_view)))
        .with(div("exchange-slot").attr("id", body).when(move || open.get().then(|| exchange_body(screen, row))))
}

/// All that is known of a model call, and the calls that it asked for.
fn exchange_body(screen: Screen, row: RowOf<ExchangeRow>) -> Piece {
    let facts = memo(move || {
        row.with(|row| {
            let is_open = row.exchange.span.end.is_none();
            let now = if is_open { screen.now.get() } else { screen.now.get_untracked() };
            let offset = clock::offset_minutes(row.exchange.span.start.unwrap_or(now));
            exchange_facts(&row.exchange, offset, now)
        })
    });
    let fact =
        |(name, value): &Fact| div("fact").with(el("dt").text(*name)).with(el("dd").text(visible(value).into_owned()));
    let list = move || {
        Some(el("dl").attr("class", "facts").with_all(facts.with(|facts| facts.iter().map(fact).collect::<Vec<_>>())))
    };
    // A memo, so that a refresh leaves a link with the focus alone.
    let calls = memo(move || {
        screen.changed.track();
        let calls = row.with(|row| screen.with_session(|session| calls_of(session, &row.exchange)));
        calls.into_iter().map(|call| (call.key.clone(), Arc::clone(&call.name))).collect::<Vec<_>>()
    });
    let calls = move || {
        let link = |(key, name): (CallKey, Arc<str>)| {
            let words = format!("{} {}", visible(&name), one_line(&key.id, 80));
            button("row-link", move || going::to_call(screen, &key, going::mark_and_focus)).text(words)
        };
        let calls = calls.get();
        let name = span("facts-name").text(if calls.is_empty() { "It asked for no tool calls." } else { "asked for" });
        Some(div("exchange-calls").with(name).with_all(calls.into_iter().map(link)))
    };
    div("exchange-body").when(list).when(calls)
}

/// How long something took, or that it still runs.
fn elapsed(screen: Screen, took: impl Fn() -> Took + Send + 'static) -> Piece {
    span("exchange-duration").words(move || {
        let took = took();
        took.text(if took.ticks() { screen.now.get() } else { screen.now.get_untracked() })
    })
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
fn said_view(text: &Text) -> Piece {
    let all = visible(text.read().trim()).into_owned();
    let first = all.lines().next().unwrap_or_default().to_owned();
    let is_whole = first.len() == all.len();
    let open = RwSignal::new(false);
    let more = move || {
        if is_whole {
            ""
        } else if open.get() {
            "less"
        } else {
            "more"
        }
        .to_owned()
    };
    button("said", move || open.update(|open| *open = !*open))
        .class_if("said-open", move || open.get())
        .attr("aria-expanded", state(move || open.get()))
        .with(span("said-text").words(move || if open.get() { all.clone() } else { first.clone() }))
        .with(span("said-more").attr("aria-hidden", "true").words(more))
}

/// The place of an exchange that is not held.
pub fn missing(screen: Screen, id: RowId, row: RowOf<MissingRow>) -> Piece {
    let text = move || {
        row.with(|row| match (row.has_older, row.exchange) {
            (true, seq) => format!("The model call of event {seq} is on an older page."),
            (false, seq) => format!("The model call of event {seq} is no longer held."),
        })
    };
    row_element(screen, id, "row row-missing", move || row.with(|row| row.depth))
        .attr("data-row", "missing")
        .with(el("span").words(text))
        .when(move || row.with(|row| row.has_older).then(|| load_older(screen)))
}

/// A button that asks for the page of events before those held.
pub fn load_older(screen: Screen) -> Piece {
    button("quiet-button", move || screen.asked.set(Some(Ask::Older))).text("Load older")
}

/// The header of a sub-agent's block.
pub fn agent(screen: Screen, id: RowId, row: RowOf<AgentRow>) -> Piece {
    let toggle = move || screen.toggle_agent(&row.with_untracked(|row| Arc::clone(&row.agent.id)));
    let name = move || row.with(|row| visible(row.agent.label.as_deref().unwrap_or(&row.agent.id)).into_owned());
    let calls = move || row.with(|row| plural(row.calls, "call"));
    let errors = move || row.with(|row| if row.errors == 0 { String::new() } else { plural(row.errors, "error") });
    let header = button("agent-header", toggle)
        .attr("data-row", "agent")
        .attr("data-agent", words(move || row.with(|row| row.agent.id.to_string())))
        .attr("aria-expanded", state(move || row.with(|row| row.open)))
        .with(span("call-chevron").with(icon(LuChevronRight)))
        .with(span("agent-name").words(name))
        .with(span("agent-counts").words(calls))
        .with(span("agent-errors").words(errors))
        .with(elapsed(screen, move || row.with(|row| row.run)));
    row_element(screen, id, "row row-agent", move || row.with(|row| row.depth)).with(header)
}

/// A count with its noun: `1 call`, `2 calls`.
pub fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A person's words.
pub fn prompt(screen: Screen, id: RowId, row: RowOf<PromptRow>) -> Piece {
    let text = memo(move || row.with(|row| Some(row.prompt.text.clone())));
    row_element(screen, id, "row row-prompt", move || row.with(|row| row.depth))
        .attr("data-row", "prompt")
        .when(move || text.with(|text| text.as_ref().map(said_view)))
}
