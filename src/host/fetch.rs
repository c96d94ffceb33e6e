//! Getting text over HTTP, with an end to the waiting.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, DomException, RequestInit, Response};

/// How long to wait for an answer, in milliseconds.
const TIMEOUT_MS: u32 = 10_000;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// Nobody listens.
    #[error("nothing answers at this address")]
    Unreachable,
    /// Somebody listens and does not answer.
    #[error("no answer within {} seconds", TIMEOUT_MS / 1_000)]
    Timeout,
    /// We called it off.
    #[error("called off")]
    Aborted,
    /// An answer that says no.
    #[error("the answer is HTTP {status}{}", header.as_deref().map(|header| format!(" ({header})")).unwrap_or_default())]
    Status {
        /// The HTTP status.
        status: u16,
        /// The header that was asked for, when it is there.
        header: Option<String>,
    },
    /// An answer whose text could not be had.
    #[error("the answer broke off")]
    BrokeOff,
}

/// An answer that says yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its text.
    pub text: String,
    /// Its `Content-Type`, empty without one.
    pub content_type: String,
}

/// Ends fetches when it is dropped.
#[derive(Debug)]
pub struct Abort(AbortController);

impl Abort {
    /// Something to abort fetches with; `None` in a browser too old for it.
    #[must_use]
    pub fn new() -> Option<Self> {
        AbortController::new().ok().map(Self)
    }

    /// What to hand to [`get`].
    #[must_use]
    pub fn signal(&self) -> AbortSignal {
        self.0.signal()
    }
}

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Gets `url`; a status that says no brings the response header `header` along.
///
/// # Errors
/// When there is no answer in time, it says no, or it breaks off.
pub async fn get(url: &str, signal: Option<&AbortSignal>, header: &str) -> Result<Answer, FetchError> {
    let signals = Array::of1(&AbortSignal::timeout_with_u32(TIMEOUT_MS));
    if let Some(signal) = signal {
        signals.push(signal);
    }
    let init = RequestInit::new();
    init.set_signal(Some(&AbortSignal::any(&signals)));
    let window = web_sys::window().ok_or(FetchError::Unreachable)?;
    let response = JsFuture::from(window.fetch_with_str_and_init(url, &init)).await.map_err(|error| cause(&error))?;
    let response: Response = response.dyn_into().map_err(|_| FetchError::Unreachable)?;
    let told = |name| response.headers().get(name).ok().flatten();
    if !response.ok() {
        return Err(FetchError::Status { status: response.status(), header: told(header) });
    }
    let text = match response.text() {
        Ok(text) => JsFuture::from(text).await,
        Err(error) => Err(error),
    };
    match text {
        Ok(text) => Ok(Answer {
            text: text.as_string().unwrap_or_default(),
            content_type: told("content-type").unwrap_or_default(),
        }),
        Err(error) => Err(match cause(&error) {
            FetchError::Unreachable => FetchError::BrokeOff,
            known => known,
        }),
    }
}

fn cause(error: &JsValue) -> FetchError {
    let name = error.dyn_ref::<DomException>().map(DomException::name);
    match name.as_deref() {
        Some("TimeoutError") => FetchError::Timeout,
        Some("AbortError") => FetchError::Aborted,
        _ => FetchError::Unreachable,
    }
}
