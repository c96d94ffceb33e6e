//! Asking a host, from a browser.

use web_sys::AbortSignal;

use super::{Endpoint, NoHistory};
use crate::address::encode;
use crate::host::fetch::{self, FetchError};
use crate::host::socket::{Socket, Told};
use crate::trace::Buffer;

/// Why a page of the log cannot be had, in words that say what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens, or who does lets no page of another origin in.
    #[error("No Dispatch host answers at {0}. Start it, or correct the host and port in the address.")]
    NoHost(String),
    /// The host does not know the conversation.
    #[error("The host holds no conversation of this id. Correct the id in the address.")]
    NotFound,
    /// It takes too long.
    #[error("The host did not answer within 10 seconds.")]
    Timeout,
    /// We called it off.
    #[error("Called off.")]
    Aborted,
    /// The host says no.
    #[error("The host answered with HTTP {0}. Its log says why.")]
    Status(u16),
    /// The answer stopped half way.
    #[error("The host's answer broke off.")]
    BrokeOff,
    /// What answers is no host, or a much newer one.
    #[error("What answers at {host} is no Dispatch host: {reason}.")]
    Answer {
        /// Where.
        host: String,
        /// What is wrong with what it says.
        reason: NoHistory,
    },
}

/// The log of a conversation behind `since`.
///
/// # Errors
/// When it cannot be had. What was had may still be no page of a log.
pub async fn history(
    endpoint: &Endpoint,
    id: &str,
    since: u64,
    signal: Option<&AbortSignal>,
) -> Result<Buffer, ClientError> {
    let url = format!("{}/conversations/{}?sinceSeq={since}", endpoint.http(), encode(id));
    match fetch::get(&url, signal, "content-type").await {
        Ok(answer) => Ok(answer.text.into()),
        Err(error) => Err(match error {
            FetchError::Unreachable => ClientError::NoHost(endpoint.http()),
            FetchError::Timeout => ClientError::Timeout,
            FetchError::Aborted => ClientError::Aborted,
            FetchError::Status { status: 404, .. } => ClientError::NotFound,
            FetchError::Status { status, .. } => ClientError::Status(status),
            FetchError::BrokeOff => ClientError::BrokeOff,
        }),
    }
}

/// The live events of a host, of all its conversations, until it is dropped.
#[must_use]
pub fn events(endpoint: &Endpoint, on_told: impl FnMut(Told) + 'static) -> Option<Socket> {
    Socket::open(&endpoint.socket(), on_told)
}
