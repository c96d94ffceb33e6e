//! The list of sessions.

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use crate::address::Address;
use crate::card::{one_line, visible};
use crate::host::{clock, visibility};
use crate::ledger::{cost_text, running_text, tokens_text};
use crate::source::cortex::client::{self, ClientError};
use crate::source::cortex::wire::SessionSummary;
use crate::source::demo;
use crate::trace::Timestamp;

/// How often the list is read, in milliseconds (specs: ledger, *Live*).
const POLL_MS: u32 = 2_000;
/// A session that changed within this time is live: the proxy's own `active` only says which changed last (specs: cortex-api §1.1).
const LIVE_NANOS: i64 = 30 * 1_000_000_000;

/// The list of sessions.
#[component]
pub fn SessionsPage() -> impl IntoView {
    let polls = RwSignal::new(0_u32);
    let hidden = visibility::hidden();
    let resource = LocalResource::new(move || {
        polls.track();
        client::sessions(None)
    });
    let under_way = RwSignal::new(true);
    let interval = Interval::new(POLL_MS, move || {
        if !hidden.get_untracked() && !under_way.get_untracked() {
            under_way.set(true);
            polls.update(|count| *count = count.wrapping_add(1));
        }
    });
    let interval = StoredValue::new_local(interval);
    on_cleanup(move || interval.dispose());
    let listed = RwSignal::new(Listed::default());
    Effect::new(move |_| {
        let Some(answer) = resource.get() else { return };
        under_way.set(false);
        listed.update(|listed| listed.take(answer));
    });
    let ids = move || listed.with(|listed| listed.sessions.iter().map(id_of).collect::<Vec<_>>());
    view! {
        <main class="sessions-page">
            <h1>"Sessions"</h1>
            <SessionsProblem listed />
            <ul class="sessions" data-testid="sessions" aria-busy=move || listed.with(|listed| !listed.answered).to_string()>
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
    fn take(&mut self, answer: Result<crate::source::cortex::wire::SessionList, ClientError>) {
        self.answered = true;
        self.at = Some(clock::now());
        match answer {
            Ok(list) => {
                self.failure = None;
                self.sessions = list.sessions.items.into_iter().filter(|summary| summary.id.0.is_some()).collect();
                let mut seen = std::collections::HashSet::new();
                self.sessions.retain(|summary| seen.insert(summary.id.0.clone()));
            }
            Err(error) => self.failure = Some(error),
        }
    }
}

fn id_of(summary: &SessionSummary) -> String {
    summary.id.0.as_deref().unwrap_or_default().to_owned()
}

#[component]
fn SessionsProblem(listed: RwSignal<Listed>) -> impl IntoView {
    let failure = Memo::new(move |_| listed.with(|listed| listed.failure.as_ref().map(ToString::to_string)));
    let empty = Memo::new(move |_| {
        listed.with(|listed| listed.answered && listed.failure.is_none() && listed.sessions.is_empty())
    });
    let failed = move || {
        failure
            .get()
            .map(|words| view! { <p class="problem" role="alert">{words} " It is tried again every 2 seconds."</p> })
    };
    let none = move || {
        empty.get().then(|| {
            view! {
                <p class="empty">
                    "The proxy answers and holds no sessions yet. Run an agent through it, and its session appears here."
                </p>
            }
        })
    };
    view! { {failed} {none} }
}

#[component]
fn SessionItem(id: String, listed: RwSignal<Listed>) -> impl IntoView {
    let find = {
        let id = id.clone();
        move |listed: &Listed| {
            let found = listed.sessions.iter().find(|summary| summary.id.0.as_deref() == Some(id.as_str()));
            (found.cloned().unwrap_or_default(), listed.at)
        }
    };
    let summary = Memo::new(move |_| listed.with(&find));
    let href = Address::Session { id: id.clone(), call: None }.hash();
    let name = move || summary.with(|(summary, _)| one_line(summary.title.0.as_deref().unwrap_or(&id), 200));
    let agent =
        move || summary.with(|(summary, _)| summary.agent.0.as_deref().map(|agent| visible(agent).into_owned()));
    let age = Memo::new(move |_| summary.with(|(summary, at)| age(summary, *at)));
    let live = Memo::new(move |_| age.get().is_some_and(|age| age < LIVE_NANOS));
    view! {
        <li>
            <a class="session" href=href>
                <span class="session-name">{name}</span>
                <span class="session-live">{move || live.get().then_some("● live")}</span>
                <span class="session-agent">{agent}</span>
                <span class="session-updated">{move || age.get().map(|age| format!("{} ago", running_text(age)))}</span>
                <span class="session-events">{move || summary.with(|(summary, _)| events(summary))}</span>
                <span class="session-tokens">{move || summary.with(|(summary, _)| tokens(summary))}</span>
                <span class="session-cost">{move || summary.with(|(summary, _)| cost(summary))}</span>
            </a>
        </li>
    }
}

fn age(summary: &SessionSummary, now: Option<Timestamp>) -> Option<i64> {
    Some(now?.since(summary.updated_at.0?))
}

fn events(summary: &SessionSummary) -> String {
    match summary.event_count.0.unwrap_or(0) {
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    }
}

fn tokens(summary: &SessionSummary) -> String {
    let floor = if summary.saturated.0 { "≥ " } else { "" };
    summary.total_tokens.0.map_or_else(|| "—".to_owned(), |tokens| format!("{floor}{} tokens", tokens_text(tokens)))
}

/// A session that nobody priced has no cost; that is not the same as costing nothing.
fn cost(summary: &SessionSummary) -> String {
    summary.cost_micros.0.map_or_else(|| "—".to_owned(), |micros| cost_text(micros.saturating_mul(1_000), 2))
}
