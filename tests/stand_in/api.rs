//! The endpoints, and the page beside them.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::handler::HandlerWithoutStateExt;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use tower_http::services::ServeDir;

use super::server::Shared;
use super::{control, fault, stream};

const DEFAULT_LIMIT: usize = 500;
const MAXIMUM_LIMIT: usize = 2_000;

const INDEX: &str = "\
Session API

GET /v1/sessions                     the sessions held
GET /v1/sessions/{id}                one session and its events
GET /v1/sessions/{id}/events/{seq}   one event in full
GET /v1/sessions/{id}/timeline       agents, tools and jobs as spans
GET /v1/events                       events as they happen
GET /healthz                         ok
";

pub(super) fn router(shared: Arc<Shared>) -> Router {
    let page = ServeDir::new(&shared.page).not_found_service(not_found.into_service());
    Router::new()
        .route("/", get(index))
        .route("/healthz", get(async || plain(StatusCode::OK, "ok\n")))
        .route("/v1/sessions", get(list))
        .route("/v1/sessions/{id}", get(session))
        .route("/v1/sessions/{id}/events/{seq}", get(event))
        .route("/v1/sessions/{id}/timeline", get(timeline))
        .route("/v1/events", get(stream::events))
        .method_not_allowed_fallback(method_not_allowed)
        .merge(control::router())
        .fallback_service(page)
        .layer(from_fn_with_state(shared.clone(), fault::misbehave))
        .layer(from_fn_with_state(shared.clone(), remember))
        .with_state(shared)
}

type Parameters = Query<HashMap<String, String>>;

async fn remember(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    shared.remember(&request);
    next.run(request).await
}

/// The page for a browser, the index of the API for everybody else.
async fn index(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if accept.contains("text/html")
        && let Ok(page) = std::fs::read(shared.page.join("index.html"))
    {
        return ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response();
    }
    plain(StatusCode::OK, INDEX)
}

async fn list(State(shared): State<Arc<Shared>>, Query(query): Parameters) -> Response {
    let archived = query.get("archived").is_some_and(|archived| archived == "true");
    json(&shared.world().list(archived))
}

async fn session(State(shared): State<Arc<Shared>>, Path(id): Path<String>, Query(query): Parameters) -> Response {
    let limit = query.get("limit").and_then(|limit| limit.parse().ok()).filter(|limit| *limit > 0);
    let limit = limit.unwrap_or(DEFAULT_LIMIT).min(MAXIMUM_LIMIT);
    let before = query.get("before").and_then(|before| before.parse().ok()).filter(|before| *before > 0);
    let summary = query.get("view").is_some_and(|view| view == "summary");
    let page = shared.world().session(&id).map(|session| session.page(limit, before, summary));
    json_or_not_found(page).await
}

async fn event(State(shared): State<Arc<Shared>>, Path((id, seq)): Path<(String, String)>) -> Response {
    let seq = seq.parse().ok();
    let event = shared.world().session(&id).zip(seq).and_then(|(session, seq)| session.event(seq));
    json_or_not_found(event).await
}

async fn timeline(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let timeline = shared.world().session(&id).map(super::Session::timeline);
    json_or_not_found(timeline).await
}

async fn json_or_not_found(document: Option<impl Serialize>) -> Response {
    match document {
        Some(document) => json(&document),
        None => not_found().await,
    }
}

fn json(document: &impl Serialize) -> Response {
    match go_json(document) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text + "\n").into_response(),
        Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error}\n")),
    }
}

/// JSON as Go's encoder writes it: these five characters stand only in strings, and escaped.
pub(super) fn go_json(document: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string(document)?;
    let escapes =
        [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026"), ('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")];
    for (character, escape) in escapes {
        if text.contains(character) {
            text = text.replace(character, escape);
        }
    }
    Ok(text)
}

/// A text answer as Go's `http.Error` writes it.
pub(super) fn plain(status: StatusCode, text: &str) -> Response {
    let headers = [("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff")];
    (status, headers, text.to_owned()).into_response()
}

pub(super) async fn not_found() -> Response {
    plain(StatusCode::NOT_FOUND, "404 page not found\n")
}

async fn method_not_allowed() -> Response {
    let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed\n");
    response.headers_mut().insert(header::ALLOW, header::HeaderValue::from_static("GET, HEAD"));
    response
}
