//! A client for these tests, and what holds for every answer.

use std::error::Error;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use futures_util::{StreamExt, stream::BoxStream};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::Outcome;
use crate::stand_in::{EXAMPLE, Moment, Settings, StandIn, World};

/// An answer, read to its end.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> serde_json::Result<Value> {
        serde_json::from_str(&self.text)
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// The example world on a free port, with a folder for the page that holds none.
pub fn example() -> std::io::Result<StandIn> {
    serving(World::example(Moment::now()))
}

pub fn serving(world: World) -> std::io::Result<StandIn> {
    StandIn::start(Settings { page: "no/such/folder".into(), ..Settings::default() }, world)
}

pub async fn ask(
    stand_in: &StandIn,
    request: axum::http::request::Builder,
    path: &str,
) -> Result<Answer, Box<dyn Error>> {
    let request = request.uri(stand_in.url() + path).body(Body::empty())?;
    let response = Client::builder(TokioExecutor::new()).build_http().request(request).await?;
    let (parts, body) = response.into_parts();
    let text = String::from_utf8(to_bytes(Body::new(body), usize::MAX).await?.into())?;
    Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, text })
}

pub async fn get(stand_in: &StandIn, path: &str) -> Result<Answer, Box<dyn Error>> {
    ask(stand_in, Request::builder(), path).await
}

pub async fn get_json(stand_in: &StandIn, path: &str) -> Result<Value, Box<dyn Error>> {
    Ok(get(stand_in, path).await?.json()?)
}

/// An open event stream; each item is what arrived at once.
pub async fn open_stream(stand_in: &StandIn, path: &str) -> Result<Stream, Box<dyn Error>> {
    let request = Request::get(stand_in.url() + path).body(Body::empty())?;
    let response = Client::builder(TokioExecutor::new()).build_http().request(request).await?;
    let headers = response.headers().clone();
    let bytes = Body::new(response.into_body()).into_data_stream().boxed();
    Ok(Stream { headers, bytes, text: String::new() })
}

pub struct Stream {
    pub headers: HeaderMap,
    bytes: BoxStream<'static, Result<Bytes, axum::Error>>,
    text: String,
}

impl Stream {
    /// What stands before the next blank line; `None` when the stream has ended.
    pub async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some((frame, rest)) = self.text.split_once("\n\n") {
                let frame = frame.to_owned();
                self.text = rest.into();
                return Some(frame);
            }
            let bytes = self.bytes.next().await?.ok()?;
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[tokio::test]
async fn the_index_says_whose_port_it_is() -> Outcome {
    let stand_in = example()?;
    let index = get(&stand_in, "/").await?;
    assert_eq!(index.status, 200);
    assert!(index.text.contains("Session API"), "{}", index.text);
    assert_eq!(get(&stand_in, "/healthz").await?.text, "ok\n");
    Ok(())
}

#[tokio::test]
async fn a_browser_gets_the_page_and_its_files() -> Outcome {
    let page = std::env::temp_dir().join(format!("callsheet-stand-in-{}", std::process::id()));
    std::fs::create_dir_all(&page)?;
    std::fs::write(page.join("index.html"), "<title>the page</title>")?;
    std::fs::write(page.join("page.wasm"), b"\0asm")?;
    let settings = Settings { page: page.clone(), ..Settings::default() };
    let stand_in = StandIn::start(settings, World::default())?;

    let html = ask(&stand_in, Request::builder().header("Accept", "text/html,*/*;q=0.8"), "/").await?;
    assert_eq!(
        (html.header("content-type"), html.text.as_str()),
        ("text/html; charset=utf-8", "<title>the page</title>")
    );
    let wasm = get(&stand_in, "/page.wasm").await?;
    assert_eq!((wasm.header("content-type"), wasm.text.as_str()), ("application/wasm", "\0asm"));
    assert!(get(&stand_in, "/").await?.text.contains("Session API"), "what is no browser gets the index");
    std::fs::remove_dir_all(page)?;
    Ok(())
}

#[tokio::test]
async fn what_is_not_there_is_a_plain_404() -> Outcome {
    let stand_in = example()?;
    let session = format!("/v1/sessions/{EXAMPLE}");
    for path in [
        "/v1",
        "/v1/nothing",
        "/v1/sessions/nobody",
        "/v1/sessions/nobody/timeline",
        "/v1/sessions/nobody/events/1",
        &format!("{session}/events/0"),
        &format!("{session}/events/first"),
        // The session starts at 23; a neighbour is never given.
        &format!("{session}/events/22"),
        &format!("{session}/nothing"),
    ] {
        let answer = get(&stand_in, path).await?;
        assert_eq!((answer.status, answer.text.as_str()), (404, "404 page not found\n"), "{path}");
        assert!(answer.header("content-type").starts_with("text/plain"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    Ok(())
}

#[tokio::test]
async fn only_get_and_head_are_allowed() -> Outcome {
    let stand_in = example()?;
    for path in ["/", "/v1/sessions", "/v1/events", &format!("/v1/sessions/{EXAMPLE}/timeline")] {
        for method in [Method::POST, Method::PUT, Method::OPTIONS] {
            let answer = ask(&stand_in, Request::builder().method(method.clone()), path).await?;
            assert_eq!((answer.status, answer.header("allow")), (405, "GET, HEAD"), "{method} {path}");
            assert!(answer.header("content-type").starts_with("text/plain"));
        }
    }
    let head = ask(&stand_in, Request::builder().method("HEAD"), "/v1/sessions").await?;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    Ok(())
}

#[tokio::test]
async fn json_is_written_as_go_writes_it() -> Outcome {
    let stand_in = example()?;
    let timeline = get(&stand_in, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    assert_eq!(timeline.header("content-type"), "application/json");
    assert!(timeline.header("access-control-allow-origin").is_empty(), "the API knows no CORS");
    assert!(timeline.text.ends_with("}\n") && timeline.text.lines().count() == 1);
    assert!(timeline.text.contains(r"web/\u003cimg src=x onerror=alert(0)\u003e.html"));
    assert!(!timeline.text.contains(['<', '>', '&']));
    Ok(())
}

#[tokio::test]
async fn requests_are_remembered() -> Outcome {
    let stand_in = example()?;
    let path = format!("/v1/sessions/{EXAMPLE}");
    get(&stand_in, &format!("{path}?view=summary&limit=3")).await?;
    get(&stand_in, &format!("{path}/events/24")).await?;
    get(&stand_in, &format!("{path}/events/24")).await?;
    let first = &stand_in.requests()[0];
    assert_eq!(
        (first.method.as_str(), first.path.as_str(), first.query.as_str()),
        ("GET", path.as_str(), "view=summary&limit=3")
    );
    assert_eq!(stand_in.count(&path), 1);
    assert_eq!(stand_in.events_fetched(EXAMPLE), [24, 24]);
    stand_in.forget_requests();
    assert!(stand_in.requests().is_empty());
    Ok(())
}
