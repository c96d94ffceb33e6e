//! The event stream (specification `cortex-api` §1.4).

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::{Interval, MissedTickBehavior, interval_at};

use super::server::Shared;

/// Events that a slow reader may be behind; what is older is lost without a word.
pub(super) const QUEUE: usize = 64;

/// What goes to all open streams.
#[derive(Clone)]
pub(super) enum Signal {
    Event { session: Arc<str>, json: Arc<str> },
    HangUp,
}

pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let reader = Reader {
        signals: shared.signals.subscribe(),
        heartbeat: heartbeat(shared.heartbeat),
        session: query.get("session").filter(|session| !session.is_empty()).cloned(),
        greeted: false,
        sent: 0,
    };
    let frames = futures_util::stream::unfold(reader, |mut reader| async {
        let frame = reader.next().await?;
        Some((Ok::<_, Infallible>(frame), reader))
    });
    let headers = [
        ("Content-Type", "text/event-stream"),
        ("Cache-Control", "no-cache"),
        ("Connection", "keep-alive"),
        ("X-Accel-Buffering", "no"),
    ];
    (headers, Body::from_stream(frames)).into_response()
}

fn heartbeat(period: Duration) -> Interval {
    let mut heartbeat = interval_at(tokio::time::Instant::now() + period, period);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat
}

struct Reader {
    signals: Receiver<Signal>,
    heartbeat: Interval,
    session: Option<String>,
    greeted: bool,
    /// Counts the frames of this connection alone; it is no seq.
    sent: u64,
}

impl Reader {
    /// The next bytes for this reader; `None` when the connection is to be dropped.
    async fn next(&mut self) -> Option<String> {
        if !self.greeted {
            self.greeted = true;
            return Some(": ok\n\n".into());
        }
        loop {
            let signal = tokio::select! {
                _ = self.heartbeat.tick() => return Some(": heartbeat\n\n".into()),
                signal = self.signals.recv() => signal,
            };
            match signal {
                Ok(Signal::Event { session, json }) if self.wants(&session) => {
                    self.sent += 1;
                    return Some(format!("event: session-event\nid: {}\ndata: {json}\n\n", self.sent));
                }
                Ok(Signal::Event { .. }) | Err(RecvError::Lagged(_)) => {}
                Ok(Signal::HangUp) | Err(RecvError::Closed) => return None,
            }
        }
    }

    fn wants(&self, session: &str) -> bool {
        self.session.as_deref().is_none_or(|wanted| wanted == session)
    }
}
