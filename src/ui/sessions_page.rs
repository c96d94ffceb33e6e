//! The list of sessions.

use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;

use super::erased::memo;
use super::opened::Opened;
use super::piece::{Piece, button, div, el, span, state};
use super::rows::plural;
use crate::address::Address;
use crate::card::{one_line, visible};
use crate::host::{clock, visibility};
use crate::ledger::{ago_text, cost_text, tokens_text};
use crate::source::cortex::client::{self, ClientError};
use crate::source::demo;
use crate::source::file::Reading;
use crate::trace::{Outcome, SessionSummary, Timestamp};

/// How often the list is read, in milliseconds (specs: ledger, *Live*).
const POLL_MS: u32 = 2_000;
/// A session that changed within this time is live: the proxy's own `active` only says which changed last (specs: cortex-api §1.1).
const LIVE_NANOS: i64 = 30 * 1_000_000_000;

/// The list of sessions.
#[component]
pub fn SessionsPage() -> impl IntoView {
    let listed = RwSignal::new(Listed::default());
    let hidden = visibility::hidden();
    spawn_local_scoped_with_cancellation(async move {
        loop {
            if !hidden.get_untracked() {
                let answer = client::sessions(None).await;
                listed.update(|listed| listed.take(answer));
            }
            TimeoutFuture::new(POLL_MS).await;
        }
    });
    let ids =
        move || listed.with(|listed| listed.sessions.iter().map(|summary| summary.id.to_string()).collect::<Vec<_>>());
    let items = view! { <For each=ids key=Clone::clone children=move |id| session_item(&id, listed) /> };
    let opened = expect_context::<Opened>();
    let files = move || {
        let sessions = opened.sessions();
        (!sessions.is_empty()).then(|| {
            let items = sessions.iter().map(|reading| file_item(opened, reading));
            el("ul").attr("class", "sessions").attr("data-testid", "opened-sessions").with_all(items)
        })
    };
    let demo = Address::Session { id: demo::ID.to_owned(), call: None }.hash();
    let demo = el("a")
        .attr("class", "session session-demo")
        .attr("href", demo)
        .with(span("session-name").text("Demo session"))
        .with(span("session-detail").text("An invented session that ships with this page and grows by itself"));
    let list = el("ul")
        .attr("class", "sessions")
        .attr("data-testid", "sessions")
        .attr("aria-busy", state(move || listed.with(|listed| !listed.answered)))
        .view(items.into_any())
        .with(el("li").with(demo));
    el("main")
        .attr("class", "sessions-page")
        .with(el("h1").text("Sessions"))
        .with(opened.controls())
        .when(files)
        .with(problem(listed))
        .with(list)
}

/// What is known of the list.
#[derive(Clone, Default)]
struct Listed {
    sessions: Vec<SessionSummary>,
    failure: Option<ClientError>,
    answered: bool,
    at: Option<Timestamp>,
}

impl Listed {
    /// Keeps what was shown when the proxy does not answer.
    fn take(&mut self, answer: Result<Vec<SessionSummary>, ClientError>) {
        self.answered = true;
        self.at = Some(clock::now());
        match answer {
            Ok(sessions) => {
                self.failure = None;
                self.sessions = sessions;
            }
            Err(error) => self.failure = Some(error),
        }
    }
}

/// What is wrong with the list, or that it is empty.
fn problem(listed: RwSignal<Listed>) -> Piece {
    let failure = memo(move || listed.with(|listed| listed.failure.as_ref().map(ToString::to_string)));
    let empty =
        memo(move || listed.with(|listed| listed.answered && listed.failure.is_none() && listed.sessions.is_empty()));
    let failed = move || {
        let text = failure.get()? + " It is tried again every 2 seconds.";
        Some(el("p").attr("class", "problem").attr("role", "alert").text(text))
    };
    let none = move || {
        let text =
            "The proxy answers and holds no sessions yet. Run an agent through it, and its session appears here.";
        empty.get().then(|| el("p").attr("class", "empty").text(text))
    };
    div("problems").when(failed).when(none)
}

fn session_item(id: &str, listed: RwSignal<Listed>) -> Piece {
    let id: Arc<str> = id.into();
    let href = Address::Session { id: id.to_string(), call: None }.hash();
    let summary = memo(move || {
        listed.with(|listed| {
            let found = listed.sessions.iter().find(|summary| summary.id == id);
            (found.cloned().unwrap_or_default(), listed.at)
        })
    });
    let name = move || summary.with(|(summary, _)| one_line(summary.title.as_deref().unwrap_or(&summary.id), 200));
    let age = move || summary.with(|(summary, at)| age(summary, *at));
    let live = move || if age().is_some_and(|age| age < LIVE_NANOS) { "● live" } else { "" }.to_owned();
    let updated = move || age().map_or_else(String::new, ago_text);
    let told = move |tell: fn(&SessionSummary) -> String| move || summary.with(|(summary, _)| tell(summary));
    let link = el("a")
        .attr("class", "session")
        .attr("href", href)
        .with(span("session-name").words(name))
        .with(span("session-live").words(live))
        .with(span("session-agent").words(told(agent)))
        .with(span("session-updated").words(updated))
        .with(span("session-events").words(told(events)))
        .with(span("session-tokens").words(told(tokens)))
        .with(span("session-cost").words(told(cost)));
    el("li").with(link)
}

/// A session of an opened file.
fn file_item(opened: Opened, reading: &Reading) -> Piece {
    let session = &reading.session;
    let errors = session.calls.iter().filter(|call| call.outcome == Outcome::Error).count();
    let host = session.host.as_deref().map(|host| one_line(host, 80));
    let figures = [
        host,
        Some(plural(session.calls.len(), "call")),
        (errors > 0).then(|| plural(errors, "error")),
        (!session.problems.is_empty()).then(|| format!("{} unreadable", plural(session.problems.len(), "record"))),
    ];
    let id = session.id.to_string();
    let link = el("a")
        .attr("class", "session session-file")
        .attr("href", Address::Session { id: id.clone(), call: None }.hash())
        .with(span("session-name").text(one_line(session.title.as_deref().unwrap_or(&session.id), 200)))
        .with(span("session-live").text("file"))
        .with(span("session-agent").text(figures.into_iter().flatten().collect::<Vec<_>>().join(" · ")))
        .with(
            span("session-updated")
                .attr("title", visible(&reading.file).into_owned())
                .text(one_line(&reading.file, 200)),
        );
    let label = format!("Close {}", one_line(&reading.file, 80));
    let close =
        button("icon-button", move || opened.close(&id)).attr("aria-label", label).attr("title", "Close").text("✕");
    el("li").attr("class", "opened").with(link).with(close)
}

fn agent(summary: &SessionSummary) -> String {
    summary.host.as_deref().map_or_else(String::new, |host| visible(host).into_owned())
}

fn age(summary: &SessionSummary, now: Option<Timestamp>) -> Option<i64> {
    Some(now?.since(summary.updated?))
}

fn events(summary: &SessionSummary) -> String {
    match summary.events {
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    }
}

fn tokens(summary: &SessionSummary) -> String {
    let floor = if summary.saturated { "≥ " } else { "" };
    summary.tokens.map_or_else(|| "—".to_owned(), |tokens| format!("{floor}{} tokens", tokens_text(tokens)))
}

/// A session that nobody priced has no cost; that is not the same as costing nothing.
fn cost(summary: &SessionSummary) -> String {
    summary.cost.map_or_else(|| "—".to_owned(), |cost| cost_text(cost, 2))
}
