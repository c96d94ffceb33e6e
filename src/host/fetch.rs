//! Getting text over HTTP, with an end to the waiting.

use gloo_net::http::Request;
use js_sys::Array;
use web_sys::{AbortController, AbortSignal};

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
    #[error("the answer broke off: {0}")]
    Body(String),
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
    let either = AbortSignal::any(&signals);
    let response = Request::get(url).abort_signal(Some(&either)).send().await.map_err(|error| cause(&error))?;
    if !response.ok() {
        return Err(FetchError::Status { status: response.status(), header: response.headers().get(header) });
    }
    let content_type = response.headers().get("content-type").unwrap_or_default();
    match response.text().await {
        Ok(text) => Ok(Answer { text, content_type }),
        Err(error) => Err(match cause(&error) {
            FetchError::Unreachable => FetchError::Body(error.to_string()),
            known => known,
        }),
    }
}

fn cause(error: &gloo_net::Error) -> FetchError {
    match error {
        gloo_net::Error::JsError(error) if error.name == "TimeoutError" => FetchError::Timeout,
        gloo_net::Error::JsError(error) if error.name == "AbortError" => FetchError::Aborted,
        _ => FetchError::Unreachable,
    }
}
