//! Putting text on the clipboard.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Why a text could not be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// Browsers give the clipboard to pages on https or the own machine only.
    #[error("This browser gives no clipboard to this page. Open it over https or on localhost.")]
    NoClipboard,
    /// The reader or the browser said no.
    #[error("The browser did not allow copying. Click into the page and try again.")]
    Refused,
}

/// Copies `text`.
///
/// # Errors
/// When the browser has no clipboard for this page, or refuses.
pub async fn copy(text: &str) -> Result<(), CopyError> {
    // By name: web-sys has the clipboard behind a compiler flag.
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into());
    let navigator = get(&js_sys::global(), "navigator").map_err(|_| CopyError::NoClipboard)?;
    let clipboard = get(&navigator, "clipboard").map_err(|_| CopyError::NoClipboard)?;
    let write = get(&clipboard, "writeText").map_err(|_| CopyError::NoClipboard)?;
    let write: js_sys::Function = write.dyn_into().map_err(|_| CopyError::NoClipboard)?;
    let promise = write.call1(&clipboard, &text.into()).map_err(|_| CopyError::Refused)?;
    JsFuture::from(js_sys::Promise::resolve(&promise)).await.map_err(|_| CopyError::Refused)?;
    Ok(())
}
