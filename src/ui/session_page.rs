//! One session: its head, what is wrong with it, and its ledger.

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;

use super::body::BODY;
use super::chunk::chunk;
use super::erased::{effect, memo};
use super::going;
use super::ledger::Ledger;
use super::live;
use super::opened::Opened;
use super::piece::{Piece, button, div, el, span, words};
use super::rows::{load_older, plural};
use super::screen::{Ask, Head, Link, LinkState, Screen};
use super::seen;
use super::tools::TOOLS;
use crate::card::one_line;
use crate::source::demo;

chunk!(
    /// Makes the page of a session.
    pub SESSION: fn(Shown) -> Piece = page, session
);

/// Which session a page shows.
pub struct Shown {
    /// Its id.
    pub id: String,
    /// The Dispatch host whose conversation it is.
    pub host: Option<String>,
    /// The id of the call that the address names.
    pub call: Signal<Option<String>>,
}

fn page(Shown { id, host, call }: Shown) -> Piece {
    let screen = Screen::new();
    provide_context(screen);
    seen::keep(screen);
    live::tick(screen);
    let opened = expect_context::<Opened>();
    if let Some(host) = host {
        live::watch_dispatch(screen, host, id);
    } else if id == demo::ID {
        live::watch_demo(screen);
    } else if opened.session(&id).is_some() {
        live::watch_file(screen, opened, id);
    } else {
        live::watch_cortex(screen, id);
    }
    let unknown = go_to(screen, call);
    el("main")
        .attr("class", "session-page")
        .with(head(screen))
        .with(tools(screen))
        .with(problems(screen, unknown))
        .view(view! { <Ledger /> }.into_any())
        .when(move || empty(screen))
}

/// Title, figures and connection, which stay on top, and what can be switched.
fn head(screen: Screen) -> Piece {
    let title = move || screen.head.with(|head| one_line(&head.title, 200));
    effect(move || document().set_title(&format!("{} · Callsheet", title())));
    on_cleanup(|| document().set_title("Callsheet"));
    let names = div("session-names")
        .with(el("h1").attr("class", "session-title").attr("title", words(title)).words(title))
        .with(el("p").attr("class", "session-facts").words(move || screen.head.with(facts)));
    el("header").attr("class", "session-head").with(names).with(connection(screen))
}

fn facts(head: &Head) -> String {
    let repeats = (head.repeats > 0).then(|| format!("{} repeated calls dropped", head.repeats));
    let host = head.host.as_deref().map(|host| one_line(host, 80));
    let calls = head.loaded.then(|| plural(head.calls, "call"));
    [host, calls, repeats].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What can be done with the rows, as soon as that part of the page is there.
fn tools(screen: Screen) -> Piece {
    let ready = RwSignal::new(TOOLS.get());
    let failed = RwSignal::new(false);
    spawn_local_scoped_with_cancellation(async move {
        match TOOLS.load().await {
            Ok(tools) => ready.set(Some(tools)),
            Err(_) => failed.set(true),
        }
        // Ahead of the first card that is opened, which says so itself when it cannot be had.
        let _ = BODY.load().await;
    });
    div("tools-slot")
        .when(move || screen.head.with(|head| head.has_older).then(|| load_older(screen)))
        .when(move || ready.get().map(|tools| tools(screen)))
        .when(move || {
            let words = "Search, filters and totals could not be loaded. Reload the page to try again.";
            failed.get().then(|| el("p").attr("class", "problem problem-mild").attr("role", "alert").text(words))
        })
}

/// How the source is doing.
fn connection(screen: Screen) -> Piece {
    let slug = move || match screen.link.with(|link| link.state) {
        LinkState::Live => "live",
        LinkState::Connecting | LinkState::Reconnecting => "reconnecting",
        LinkState::Offline => "offline",
        LinkState::Demo => "demo",
        LinkState::File => "file",
    };
    let word = move || match screen.link.with(|link| link.state) {
        LinkState::Connecting => "connecting",
        _ => slug(),
    };
    span("connection")
        .attr("data-testid", "connection")
        .attr("data-state", words(move || slug().to_owned()))
        .attr("role", "status")
        .with(span("connection-dot").attr("aria-hidden", "true"))
        .with(el("span").words(move || word().to_owned()))
}

/// What is wrong, in words that say what to do.
fn problems(screen: Screen, unknown: Memo<Option<String>>) -> Piece {
    let failure = memo(move || screen.link.with(|link| link.failure.clone()));
    let retry = move || {
        let now = screen.now.get();
        screen.link.with(|link| again(link, now.millis()))
    };
    let failed = move || {
        let text = el("p").text(failure.get()? + " ").with(span("problem-retry").words(retry));
        let now = button("quiet-button", move || screen.asked.set(Some(Ask::Retry))).text("Try now");
        Some(div("problem").attr("role", "alert").with(text).with(now))
    };
    let skipped = memo(move || screen.head.with(|head| head.problems.clone()));
    let skipped =
        move || Some(el("p").attr("class", "problem problem-mild").attr("role", "alert").text(skipped.get()?));
    let lost = move || {
        let id = one_line(&unknown.get()?, 80);
        let text =
            format!("This session has no call {id}. It may not have been loaded, or the link is of another session.");
        Some(el("p").attr("class", "problem").attr("role", "alert").text(text))
    };
    div("problems").when(failed).when(skipped).when(lost)
}

fn again(link: &Link, now: i64) -> String {
    match link.retry_at {
        Some(at) if at > now => format!("Next try in {} s.", (at - now + 999) / 1_000),
        _ => "Trying again…".to_owned(),
    }
}

/// What stands in an empty ledger.
fn empty(screen: Screen) -> Option<Piece> {
    let empty = screen.order.with(Vec::is_empty);
    let (loaded, calls) = screen.head.with(|head| (head.loaded, head.calls));
    let failed = screen.link.with(|link| link.failure.is_some());
    let text = match (empty, loaded) {
        (false, _) => return None,
        (true, false) if failed => return None,
        (true, false) => "Loading the session…",
        (true, true) if calls == 0 => "No tool calls yet. They appear here as the agent makes them.",
        (true, true) => "Nothing to show.",
    };
    Some(el("p").attr("class", "empty").text(text))
}

/// Opens and shows the call that the address names, once it is there; gives its id while it is not.
fn go_to(screen: Screen, call: Signal<Option<String>>) -> Memo<Option<String>> {
    let found = memo(move || {
        let id = call.get()?;
        screen.head.track();
        screen.order.track();
        screen.find(&id)
    });
    effect(move || {
        if let Some(key) = found.get() {
            going::to_call(screen, &key, going::mark_and_focus);
        }
    });
    memo(move || {
        let loaded = screen.head.with(|head| head.loaded);
        call.get().filter(|_| loaded && found.with(Option::is_none))
    })
}
