//! A button that copies a text and says whether it did.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::erased::{dynamic, words};
use super::icon::{Icon, LuCheck, LuCopy, LuTriangleAlert};
use crate::host::clipboard::{self, CopyError};

/// How long the button says what it did, in milliseconds.
const SAID_MS: u32 = 2_000;

/// A button that copies a text.
#[component]
pub fn CopyButton(
    /// Its accessible name.
    label: &'static str,
    /// What to copy at the moment it is pressed; nothing when there is nothing.
    text: impl Fn() -> Option<String> + 'static,
) -> impl IntoView {
    let said = RwSignal::new(None::<Result<(), CopyError>>);
    let copy = move |_| {
        let Some(text) = text() else { return };
        spawn_local(async move {
            let result = clipboard::copy(&text).await;
            // The card may have been closed meanwhile.
            let _ = said.try_set(Some(result));
            TimeoutFuture::new(SAID_MS).await;
            let _ = said.try_set(None);
        });
    };
    let icon = dynamic(move || {
        let icon = match said.get() {
            None => LuCopy,
            Some(Ok(())) => LuCheck,
            Some(Err(_)) => LuTriangleAlert,
        };
        Some(view! { <Icon icon /> }.into_any())
    });
    let label_text = move || match said.get() {
        None => "copy".to_owned(),
        Some(Ok(())) => "copied".to_owned(),
        Some(Err(error)) => error.to_string(),
    };
    view! {
        <button class="copy" type="button" aria-label=label title=label on:click=copy>
            {icon}
            <span role="status">{words(label_text)}</span>
        </button>
    }
}
