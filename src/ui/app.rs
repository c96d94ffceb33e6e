//! The frame of the page: which page the address names, and what stands above every one.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::erased::{effect, memo};
use super::icon::{LuMoon, LuSun, LuSunMoon, icon};
use super::opened::Opened;
use super::piece::{Piece, button, div, el, words};
use super::session_page::{SESSION, Shown};
use super::sessions_page::SessionsPage;
use crate::address::Address;
use crate::host::location;
use crate::host::theme::Theme;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let hash = location::hash();
    provide_context(Opened::new());
    let address = memo(move || hash.with(|hash| Address::parse(hash)));
    // Another call of the same session is no other page.
    let page = memo(move || match address.get() {
        Address::Session { id, .. } => Address::Session { id, call: None },
        Address::Dispatch { host, id, .. } => Address::Dispatch { host, id, call: None },
        other => other,
    });
    let call = Signal::derive(move || match address.get() {
        Address::Session { call, .. } | Address::Dispatch { call, .. } => call,
        Address::Sessions | Address::Unknown => None,
    });
    let page = move || match page.get() {
        Address::Sessions => view! { <SessionsPage /> }.into_any(),
        Address::Session { id, .. } => session(id, None, call).into_any(),
        Address::Dispatch { host, id, .. } => session(id, Some(host), call).into_any(),
        Address::Unknown => unknown().into_any(),
    };
    let shell = el("header")
        .attr("class", "shell")
        .with(el("a").attr("class", "brand").attr("href", "#/").text("Callsheet"))
        .with(theme_button());
    view! { {shell} {page} }
}

/// The page of a session, as soon as that part of the page is there.
fn session(id: String, host: Option<String>, call: Signal<Option<String>>) -> Piece {
    let make = RwSignal::new(SESSION.get());
    let failed = RwSignal::new(None);
    if make.with_untracked(Option::is_none) {
        spawn_local(async move {
            // Nobody waits any more when the reader has gone elsewhere meanwhile.
            match SESSION.load().await {
                Ok(page) => _ = make.try_set(Some(page)),
                Err(error) => _ = failed.try_set(Some(error)),
            }
        });
    }
    let page = move || {
        let make = make.get()?;
        Some(untrack(|| make(Shown { id: id.clone(), host: host.clone(), call })))
    };
    let problem = move || {
        let words = format!("{}. Then reload the page.", failed.get()?);
        Some(el("p").attr("class", "problem").attr("role", "alert").text(words))
    };
    div("page").when(page).when(problem)
}

fn theme_button() -> Piece {
    let theme = RwSignal::new(Theme::stored());
    effect(move || theme.get().apply());
    let mark = move || {
        Some(icon(match theme.get() {
            Theme::System => LuSunMoon,
            Theme::Light => LuSun,
            Theme::Dark => LuMoon,
        }))
    };
    let label = move || format!("Colours: {}", theme.get().name());
    button("icon-button", move || theme.update(|theme| *theme = theme.next()))
        .attr("aria-label", words(label))
        .attr("title", words(label))
        .when(mark)
}

fn unknown() -> Piece {
    let text = el("p").attr("class", "problem").attr("role", "alert").text("There is no such page. ");
    let way = el("a").attr("href", "#/").text("The list of sessions leads on.");
    el("main").attr("class", "sessions-page").with(text.with(way))
}
