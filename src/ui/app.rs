//! The frame of the page: which page the address names, and what stands above every one.

use leptos::prelude::*;

use super::erased::{effect, memo};
use super::icon::{LuMoon, LuSun, LuSunMoon, icon};
use super::opened::Opened;
use super::piece::{Piece, button, el, words};
use super::session_page::SessionPage;
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
        Address::Session { id, .. } => view! { <SessionPage id call /> }.into_any(),
        Address::Dispatch { host, id, .. } => view! { <SessionPage id call host /> }.into_any(),
        Address::Unknown => unknown().into_any(),
    };
    let shell = el("header")
        .attr("class", "shell")
        .with(el("a").attr("class", "brand").attr("href", "#/").text("Callsheet"))
        .with(theme_button());
    view! { {shell} {page} }
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
