//! The list of sessions.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;

use super::erased::{dynamic, memo, perhaps, state, words};
use crate::address::Address;
use crate::card::{one_line, visible};
use crate::host::{clock, visibility};
use crate::ledger::{cost_text, running_text, tokens_text};
use crate::source::cortex::client::{self, ClientError};
use crate::source::demo;
use crate::trace::{SessionSummary, Timestamp};

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
    let ids = move || listed.with(|listed| listed.sessions.iter().map(id_of).collect::<Vec<_>>());
    view! {
        <main class="sessions-page">
            <h1>"Sessions"</h1>
            <SessionsProblem listed />
            <ul class="sessions" data-testid="sessions" aria-busy=state(move || listed.with(|listed| !listed.answered))>
                <For each=ids key=Clone::clone children=move |id| view! { <SessionItem id listed /> } />
                <li>
                    <a class="session session-demo" href=Address::Session { id: demo::ID.to_owned(), call: None }.hash()>
                        <span class="session-name">"Demo session"</span>
                        <span class="session-detail">"An invented session that ships with this page and grows by itself"</span>
                    </a>
                </li>
            </ul>
        </main>
    }
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

fn id_of(summary: &SessionSummary) -> String {
    summary.id.to_string()
}

#[component]
fn SessionsProblem(listed: RwSignal<Listed>) -> impl IntoView {
    let failure = memo(move || listed.with(|listed| listed.failure.as_ref().map(ToString::to_string)));
    let empty =
        memo(move || listed.with(|listed| listed.answered && listed.failure.is_none() && listed.sessions.is_empty()));
    let failed = move || {
        failure.get().map(|words| {
            view! { <p class="problem" role="alert">{words} " It is tried again every 2 seconds."</p> }.into_any()
        })
    };
    let none = move || {
        empty.get().then(|| {
            view! {
                <p class="empty">
                    "The proxy answers and holds no sessions yet. Run an agent through it, and its session appears here."
                </p>
            }
            .into_any()
        })
    };
    view! { {dynamic(failed)} {dynamic(none)} }
}

#[component]
fn SessionItem(id: String, listed: RwSignal<Listed>) -> impl IntoView {
    let find = {
        let id = id.clone();
        move |listed: &Listed| {
            let found = listed.sessions.iter().find(|summary| summary.id.as_ref() == id);
            (found.cloned().unwrap_or_default(), listed.at)
        }
    };
    let summary = memo(move || listed.with(&find));
    let href = Address::Session { id: id.clone(), call: None }.hash();
    let name = move || summary.with(|(summary, _)| one_line(summary.title.as_deref().unwrap_or(&id), 200));
    let agent = move || summary.with(|(summary, _)| summary.host.as_deref().map(|agent| visible(agent).into_owned()));
    let age = memo(move || summary.with(|(summary, at)| age(summary, *at)));
    let live = memo(move || age.get().is_some_and(|age| age < LIVE_NANOS));
    view! {
        <li>
            <a class="session" href=href>
                <span class="session-name">{words(name)}</span>
                <span class="session-live">{words(move || if live.get() { "● live" } else { "" }.to_owned())}</span>
                <span class="session-agent">{perhaps(agent)}</span>
                <span class="session-updated">{perhaps(move || age.get().map(|age| format!("{} ago", running_text(age))))}</span>
                <span class="session-events">{words(move || summary.with(|(summary, _)| events(summary)))}</span>
                <span class="session-tokens">{words(move || summary.with(|(summary, _)| tokens(summary)))}</span>
                <span class="session-cost">{words(move || summary.with(|(summary, _)| cost(summary)))}</span>
            </a>
        </li>
    }
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
