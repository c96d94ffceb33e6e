//! One session: its head, what is wrong with it, and its ledger.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::ledger::Ledger;
use super::live;
use super::screen::{Ask, Head, Link, LinkState, ROW_ID, Screen};
use crate::card::one_line;
use crate::source::demo;

/// One session, and perhaps one call of it.
#[component]
pub fn SessionPage(
    /// The session's id.
    id: String,
    /// The id of the call that the address names.
    #[prop(into)]
    call: Signal<Option<String>>,
) -> impl IntoView {
    let screen = Screen::new();
    provide_context(screen);
    live::tick(screen);
    if id == demo::ID {
        live::watch_demo(screen);
    } else {
        live::watch_cortex(screen, id);
    }
    let unknown = go_to(screen, call);
    view! {
        <main class="session-page">
            <SessionHead />
            <Problems unknown />
            <Ledger />
            <Empty />
        </main>
    }
}

#[component]
fn SessionHead() -> impl IntoView {
    let screen = expect_context::<Screen>();
    let title = move || screen.head.with(|head| one_line(&head.title, 200));
    let facts = move || screen.head.with(facts);
    let older = move || {
        screen.head.with(|head| head.has_older).then(|| {
            view! {
                <button class="quiet-button" type="button" on:click=move |_| screen.asked.set(Some(Ask::Older))>
                    "Load older"
                </button>
            }
        })
    };
    Effect::new(move |_| document().set_title(&format!("{} · Callsheet", title())));
    on_cleanup(|| document().set_title("Callsheet"));
    let quiet = move || screen.view.with(|view| view.quiet);
    let cards_only = move || screen.view.with(|view| view.cards_only);
    view! {
        <header class="session-head">
            <div class="session-names">
                <h1 class="session-title" title=title>{title}</h1>
                <p class="session-facts">{facts}</p>
            </div>
            <Connection />
        </header>
        <div class="toolbar" role="toolbar" aria-label="What is shown">
            {older}
            <span class="toolbar-space"></span>
            <Switch label="Quiet" title="Leaves out model calls without tool calls, and traffic that is no model call"
                on=Signal::derive(quiet) flip=move || screen.change_view(|view| view.quiet = !view.quiet) />
            <Switch label="Cards only" title="Leaves out model calls"
                on=Signal::derive(cards_only) flip=move || screen.change_view(|view| view.cards_only = !view.cards_only) />
        </div>
    }
}

fn facts(head: &Head) -> String {
    let calls = if head.calls == 1 { "1 call".to_owned() } else { format!("{} calls", head.calls) };
    let repeats = (head.repeats > 0).then(|| format!("{} repeated calls dropped", head.repeats));
    let host = head.host.as_deref().map(|host| one_line(host, 80));
    [host, head.loaded.then_some(calls), repeats].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// A button that is on or off.
#[component]
fn Switch(label: &'static str, title: &'static str, on: Signal<bool>, flip: impl Fn() + 'static) -> impl IntoView {
    view! {
        <button class="switch" type="button" title=title aria-pressed=move || on.get().to_string() on:click=move |_| flip()>
            {label}
        </button>
    }
}

/// How the source is doing.
#[component]
fn Connection() -> impl IntoView {
    let screen = expect_context::<Screen>();
    let state = move || screen.link.with(|link| link.state);
    let slug = move || match state() {
        LinkState::Live => "live",
        LinkState::Connecting | LinkState::Reconnecting => "reconnecting",
        LinkState::Offline => "offline",
        LinkState::Demo => "demo",
    };
    let word = move || match state() {
        LinkState::Connecting => "connecting",
        _ => slug(),
    };
    view! {
        <span class="connection" data-testid="connection" data-state=slug role="status">
            <span class="connection-dot" aria-hidden="true"></span>
            {word}
        </span>
    }
}

/// What is wrong, in words that say what to do.
#[component]
fn Problems(unknown: Memo<Option<String>>) -> impl IntoView {
    let screen = expect_context::<Screen>();
    let failure = Memo::new(move |_| screen.link.with(|link| link.failure.clone()));
    let retry = move || {
        let now = screen.now.get();
        screen.link.with(|link| again(link, now.millis()))
    };
    let failed = move || {
        failure.get().map(|failure| {
            view! {
                <div class="problem" role="alert">
                    <p>{failure} " " <span class="problem-retry">{retry}</span></p>
                    <button class="quiet-button" type="button" on:click=move |_| screen.asked.set(Some(Ask::Retry))>
                        "Try now"
                    </button>
                </div>
            }
        })
    };
    let skipped = Memo::new(move |_| screen.head.with(|head| head.problems.clone()));
    let skipped = move || {
        skipped.get().map(|(count, first)| {
            let records = if count == 1 { "1 record".to_owned() } else { format!("{count} records") };
            view! { <p class="problem problem-mild" role="alert">{format!("{records} could not be read. The first: {first}")}</p> }
        })
    };
    let lost = move || {
        unknown.get().map(|id| {
            let words = format!(
                "This session has no call {}. It may not have been loaded, or the link is of another session.",
                one_line(&id, 80)
            );
            view! { <p class="problem" role="alert">{words}</p> }
        })
    };
    view! { {failed} {skipped} {lost} }
}

fn again(link: &Link, now: i64) -> String {
    match link.retry_at {
        Some(at) if at > now => format!("Next try in {} s.", (at - now + 999) / 1_000),
        _ => "Trying again…".to_owned(),
    }
}

/// What stands in an empty ledger.
#[component]
fn Empty() -> impl IntoView {
    let screen = expect_context::<Screen>();
    let words = move || {
        let empty = screen.order.with(Vec::is_empty);
        let (loaded, calls) = screen.head.with(|head| (head.loaded, head.calls));
        let failed = screen.link.with(|link| link.failure.is_some());
        match (empty, loaded) {
            (false, _) => None,
            (true, false) => (!failed).then_some("Loading the session…"),
            (true, true) if calls == 0 => Some("No tool calls yet. They appear here as the agent makes them."),
            (true, true) => Some("Nothing to show."),
        }
    };
    view! { {move || words().map(|words| view! { <p class="empty">{words}</p> })} }
}

/// Opens and shows the call that the address names, once it is there; gives its id while it is not.
fn go_to(screen: Screen, call: Signal<Option<String>>) -> Memo<Option<String>> {
    let found = Memo::new(move |_| {
        let id = call.get()?;
        screen.head.track();
        screen.order.track();
        screen.find(&id)
    });
    Effect::new(move |_| {
        let Some((key, agents)) = found.get() else { return };
        screen.open_card(&key);
        screen.change_view(|view| view.open_agents.extend(agents));
        let Some(row) = screen.card_id(&key) else { return };
        // The row is drawn after this effect.
        request_animation_frame(move || mark(&row.to_string()));
    });
    Memo::new(move |_| {
        let loaded = screen.head.with(|head| head.loaded);
        call.get().filter(|_| loaded && found.with(Option::is_none))
    })
}

/// Brings a row into view, marks it and gives it the focus.
fn mark(row: &str) {
    if let Ok(Some(former)) = document().query_selector(".row-marked") {
        // A class with a plain name can always be taken away.
        let _ = former.class_list().remove_1("row-marked");
    }
    let Ok(Some(element)) = document().query_selector(&format!("[{ROW_ID}=\"{row}\"]")) else { return };
    let _ = element.class_list().add_1("row-marked");
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Center);
    element.scroll_into_view_with_scroll_into_view_options(&options);
    if let Ok(Some(button)) = element.query_selector("button") {
        focus(&button);
    }
}

fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        // An element that is gone again needs no focus.
        let _ = element.focus();
    }
}
