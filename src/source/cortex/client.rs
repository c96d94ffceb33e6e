//! Asking the proxy, from a browser. Addresses are relative: the page is served with `/v1` passed through to the proxy.

use gloo_net::eventsource::futures::{EventSource, EventSourceSubscription};
use web_sys::AbortSignal;

use futures_util::future::join3;

use super::News;
use super::wire::{self, Event, SessionList, SessionPage, Timeline, Wire, WireError};
use crate::address::encode;
use crate::host::fetch::{self, FetchError};
use crate::trace::SessionSummary;

/// Set by our own pass-through when the proxy behind it does not answer.
const PROXY_HEADER: &str = "x-callsheet-proxy";

/// Why the proxy's answer cannot be had, in words that say what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The page's own server is gone.
    #[error("The server of this page does not answer. Start it again with `make serve`.")]
    NoServer,
    /// The page's server answers, the proxy behind it does not.
    #[error(
        "No Cortex proxy answers. Start it, or say where it listens: \
         `CALLSHEET_PROXY=http://127.0.0.1:47601 make serve`."
    )]
    NoProxy,
    /// Something answers that is no session API.
    #[error(
        "What answers here has no session API. Point CALLSHEET_PROXY at the proxy's session API, by default port 47601."
    )]
    NoApi,
    /// The session, or an event of it, is not there.
    #[error("The proxy does not hold this any more.")]
    NotFound,
    /// It takes too long.
    #[error("The proxy did not answer within 10 seconds.")]
    Timeout,
    /// We called it off.
    #[error("Called off.")]
    Aborted,
    /// The proxy says no.
    #[error("The proxy answered with HTTP {0}. Its log says why.")]
    Status(u16),
    /// The answer broke off half way, or is no JSON.
    #[error("The proxy's answer could not be read: {0}.")]
    Answer(String),
}

impl From<FetchError> for ClientError {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Unreachable => Self::NoServer,
            FetchError::Timeout => Self::Timeout,
            FetchError::Aborted => Self::Aborted,
            FetchError::Status { header: Some(header), .. } if header == "unreachable" => Self::NoProxy,
            FetchError::Status { status: 404, .. } => Self::NotFound,
            FetchError::Status { status, .. } => Self::Status(status),
            FetchError::BrokeOff => Self::Answer("it broke off".to_owned()),
        }
    }
}

impl From<WireError> for ClientError {
    fn from(error: WireError) -> Self {
        Self::Answer(error.to_string())
    }
}

/// The list of sessions.
///
/// # Errors
/// When it cannot be had; a server without the API counts as [`ClientError::NoApi`].
pub async fn sessions(signal: Option<&AbortSignal>) -> Result<Vec<SessionSummary>, ClientError> {
    match get::<SessionList>("v1/sessions?archived=true", signal).await {
        Ok(list) => Ok(list.summaries()),
        Err(ClientError::NotFound) => Err(ClientError::NoApi),
        Err(error) => Err(error),
    }
}

/// What is new in a session: its newest `limit` events as summaries, its timeline, and what the list says of it.
///
/// # Errors
/// When the events or the timeline cannot be had; a proxy without timelines is no error.
pub async fn news(session: &str, limit: u32, signal: Option<&AbortSignal>) -> Result<News, ClientError> {
    let id = encode(session);
    let page = format!("v1/sessions/{id}?view=summary&limit={limit}");
    let timeline = format!("v1/sessions/{id}/timeline");
    let (newest, timeline, summaries) =
        join3(get::<SessionPage>(&page, signal), get::<Timeline>(&timeline, signal), sessions(signal)).await;
    let timeline = match timeline {
        Ok(timeline) => Some(timeline),
        Err(ClientError::NotFound) => None,
        Err(error) => return Err(error),
    };
    // The list only names the session, which shows without it too.
    Ok(News { newest: newest?, timeline, summaries: summaries.unwrap_or_default() })
}

/// The 2,000 events before `seq`, as summaries.
///
/// # Errors
/// When they cannot be had.
pub async fn before(session: &str, seq: u64, signal: Option<&AbortSignal>) -> Result<SessionPage, ClientError> {
    get(&format!("v1/sessions/{}?view=summary&limit=2000&before={seq}", encode(session)), signal).await
}

/// One whole event.
///
/// # Errors
/// When it cannot be had.
pub async fn event(session: &str, seq: u64, signal: Option<&AbortSignal>) -> Result<Event, ClientError> {
    get(&format!("v1/sessions/{}/events/{seq}", encode(session)), signal).await
}

async fn get<T: Wire>(url: &str, signal: Option<&AbortSignal>) -> Result<T, ClientError> {
    let answer = fetch::get(url, signal, PROXY_HEADER).await?;
    if answer.content_type.contains("html") {
        // A file server that answers every path with its start page.
        return Err(ClientError::NoApi);
    }
    Ok(wire::read(&answer.text)?)
}

/// The events of a session as they happen; each only tells that something changed, for it may be large and may be lost.
/// Dropping either ends it.
#[must_use]
pub fn events(session: &str) -> Option<(EventSource, EventSourceSubscription)> {
    let mut source = EventSource::new(&format!("v1/events?session={}", encode(session))).ok()?;
    let subscription = source.subscribe("session-event").ok()?;
    Some((source, subscription))
}
