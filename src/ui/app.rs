//! The frame of the page: which page the address names, and what stands above every one.

use leptos::prelude::*;

use super::erased::{dynamic, effect, memo, words};
use super::icon::{Icon, LuMoon, LuSun, LuSunMoon};
use super::session_page::SessionPage;
use super::sessions_page::SessionsPage;
use crate::address::Address;
use crate::host::location;
use crate::host::theme::Theme;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let hash = location::hash();
    let address = memo(move || hash.with(|hash| Address::parse(hash)));
    // Another call of the same session is no other page.
    let session = memo(move || match address.get() {
        Address::Session { id, .. } => Some(Ok(id)),
        Address::Sessions => None,
        Address::Unknown => Some(Err(())),
    });
    let call = Signal::derive(move || match address.get() {
        Address::Session { call, .. } => call,
        Address::Sessions | Address::Unknown => None,
    });
    view! {
        <header class="shell">
            <a class="brand" href="#/">"Callsheet"</a>
            <ThemeButton />
        </header>
        {dynamic(move || {
            Some(match session.get() {
                None => view! { <SessionsPage /> }.into_any(),
                Some(Ok(id)) => view! { <SessionPage id call /> }.into_any(),
                Some(Err(())) => view! { <Unknown /> }.into_any(),
            })
        })}
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let theme = RwSignal::new(Theme::stored());
    effect(move || theme.get().apply());
    let icon = dynamic(move || {
        let icon = match theme.get() {
            Theme::System => LuSunMoon,
            Theme::Light => LuSun,
            Theme::Dark => LuMoon,
        };
        Some(view! { <Icon icon /> }.into_any())
    });
    let label = move || format!("Colours: {}", theme.get().name());
    view! {
        <button
            class="icon-button"
            type="button"
            aria-label=words(label)
            title=words(label)
            on:click=move |_| theme.update(|theme| *theme = theme.next())
        >
            {icon}
        </button>
    }
}

#[component]
fn Unknown() -> impl IntoView {
    view! {
        <main class="sessions-page">
            <p class="problem" role="alert">
                "There is no such page. " <a href="#/">"The list of sessions"</a> " leads on."
            </p>
        </main>
    }
}
