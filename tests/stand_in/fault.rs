//! How the stand-in misbehaves when it is told to.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::api;
use super::server::Shared;

/// A part of the API that can misbehave by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    List,
    Session,
    Event,
    Timeline,
    Stream,
}

/// What a route does instead of its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The plain text 404 of a proxy that does not know the path.
    NotFound,
    /// A plain text 500.
    ServerError,
    /// What a pass-through answers whose proxy is not there: 502 and `X-Callsheet-Proxy: unreachable`.
    Unreachable,
    /// Half of the document under status 200.
    CutJson,
    /// Empty lists are `null`.
    NullArrays,
    /// An absent end is Go's zero time, 0001-01-01T00:00:00Z.
    YearOne,
    /// The answer comes late.
    Slow(Duration),
}

impl Route {
    pub const ALL: [Self; 5] = [Self::List, Self::Session, Self::Event, Self::Timeline, Self::Stream];

    fn of(path: &str) -> Option<Self> {
        let mut parts = path.strip_prefix("/v1/")?.split('/');
        match (parts.next()?, parts.next(), parts.next()) {
            ("events", None, _) => Some(Self::Stream),
            ("sessions", None, _) => Some(Self::List),
            ("sessions", Some(_), None) => Some(Self::Session),
            ("sessions", Some(_), Some("events")) => Some(Self::Event),
            ("sessions", Some(_), Some("timeline")) => Some(Self::Timeline),
            _ => None,
        }
    }
}

pub(super) async fn misbehave(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let route = Route::of(request.uri().path());
    let Some((route, fault)) = route.and_then(|route| Some((route, shared.fault(route)?))) else {
        return next.run(request).await;
    };
    match fault {
        Fault::NotFound => api::not_found().await,
        Fault::ServerError => api::plain(StatusCode::INTERNAL_SERVER_ERROR, "the ledger is on fire\n"),
        Fault::Unreachable => {
            let mut response = api::plain(StatusCode::BAD_GATEWAY, "no proxy answers\n");
            response.headers_mut().insert("X-Callsheet-Proxy", header::HeaderValue::from_static("unreachable"));
            response
        }
        Fault::Slow(delay) => {
            tokio::time::sleep(delay).await;
            next.run(request).await
        }
        Fault::CutJson | Fault::NullArrays | Fault::YearOne if route == Route::Stream => next.run(request).await,
        Fault::CutJson => rewrite(next.run(request).await, |text| text.get(..text.len() / 2).map(str::to_owned)).await,
        Fault::NullArrays => rewrite_json(next.run(request).await, empty_arrays_to_null).await,
        Fault::YearOne => rewrite_json(next.run(request).await, absent_ends_to_year_one).await,
    }
}

/// Changes the body of a good answer; where it cannot, the answer stays as it was.
async fn rewrite(response: Response, change: impl FnOnce(&str) -> Option<String>) -> Response {
    if !response.status().is_success() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let changed = std::str::from_utf8(&bytes).ok().and_then(change);
    Response::from_parts(parts, changed.map_or_else(|| Body::from(bytes), Body::from))
}

async fn rewrite_json(response: Response, change: impl FnOnce(&mut Value)) -> Response {
    rewrite(response, |text| {
        let mut document = serde_json::from_str(text).ok()?;
        change(&mut document);
        Some(document.to_string())
    })
    .await
}

fn empty_arrays_to_null(document: &mut Value) {
    match document {
        Value::Array(items) if items.is_empty() => *document = Value::Null,
        Value::Array(items) => items.iter_mut().for_each(empty_arrays_to_null),
        Value::Object(members) => members.values_mut().for_each(empty_arrays_to_null),
        _ => {}
    }
}

fn absent_ends_to_year_one(timeline: &mut Value) {
    let ends = [("tools", "end"), ("jobs", "end"), ("agents", "end"), ("agents", "returnedAt")];
    for (list, key) in ends {
        let items = timeline.get_mut(list).and_then(Value::as_array_mut);
        for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
            item.entry(key).or_insert_with(|| "0001-01-01T00:00:00Z".into());
        }
    }
}
