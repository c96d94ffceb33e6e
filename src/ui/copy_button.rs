//! A button that copies a text and says whether it did.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icon::{LuCheck, LuCopy, LuTriangleAlert, icon};
use super::piece::{Piece, button, el};
use crate::host::clipboard::{self, CopyError};

/// How long the button says what it did, in milliseconds.
const SAID_MS: u32 = 2_000;

/// A button that copies the text that there is at the moment it is pressed; its accessible name is `label`.
pub fn copy_button(label: &'static str, text: impl Fn() -> Option<String> + Send + 'static) -> Piece {
    let said = RwSignal::new(None::<Result<(), CopyError>>);
    let copy = move || {
        let Some(text) = text() else { return };
        spawn_local(async move {
            let result = clipboard::copy(&text).await;
            // The card may have been closed meanwhile.
            let _ = said.try_set(Some(result));
            TimeoutFuture::new(SAID_MS).await;
            let _ = said.try_set(None);
        });
    };
    let mark = move || {
        Some(icon(match said.get() {
            None => LuCopy,
            Some(Ok(())) => LuCheck,
            Some(Err(_)) => LuTriangleAlert,
        }))
    };
    let words = move || match said.get() {
        None => "copy".to_owned(),
        Some(Ok(())) => "copied".to_owned(),
        Some(Err(error)) => error.to_string(),
    };
    button("copy", copy)
        .attr("aria-label", label)
        .attr("title", label)
        .when(mark)
        .with(el("span").attr("role", "status").words(words))
}
