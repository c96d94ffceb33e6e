//! The server as a browser meets it: real sockets on loopback, with a proxy of our own behind it.

use std::convert::Infallible;
use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::{StreamExt, stream};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

use crate::site::site;
use crate::upstream::{PROXY_STATE, Upstream};

/// Long enough for any machine: reached only if something never comes.
const PATIENCE: Duration = Duration::from_secs(30);

async fn listen(app: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

fn dist() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("serve/testdata")
}

/// A site in front of `proxies`.
async fn serve(proxies: &[SocketAddr]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let proxies = proxies.iter().map(|proxy| format!("http://{proxy}").parse::<Uri>().unwrap()).collect();
    let app = site(address, &dist(), Upstream::new(proxies));
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// An address where nobody listens, ours for as long as the socket is held.
fn nobody() -> (SocketAddr, TcpSocket) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    (socket.local_addr().unwrap(), socket)
}

fn get(address: SocketAddr, path: &str) -> Request {
    Request::builder().uri(format!("http://{address}{path}")).body(Body::empty()).unwrap()
}

async fn send(request: Request) -> Response {
    let client: Client<HttpConnector, Body> = Client::builder(TokioExecutor::new()).build(HttpConnector::new());
    timeout(PATIENCE, client.request(request)).await.unwrap().unwrap().map(Body::new)
}

async fn text(response: Response) -> String {
    String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap()
}

/// A proxy that answers with the request it got: its method, path and headers, a line each.
async fn echo() -> SocketAddr {
    let answer = |request: Request| async move {
        let mut words = format!("{} {}\n", request.method(), request.uri());
        for (name, value) in request.headers() {
            writeln!(words, "{name}: {}", value.to_str().unwrap()).unwrap();
        }
        ([(header::SET_COOKIE, "a=b"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], words)
    };
    listen(Router::new().fallback(any(answer))).await
}

#[tokio::test]
async fn the_page_is_served_with_its_headers() {
    let address = serve(&[]).await;
    for path in ["/", "/index.html", "/boot.js", "/not/there"] {
        let response = send(get(address, path)).await;
        let there = if path == "/not/there" { StatusCode::NOT_FOUND } else { StatusCode::OK };
        assert_eq!(response.status(), there, "{path}");
        let header = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap());
        assert_eq!(header("cache-control"), "no-cache", "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
        assert!(header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert!(header("content-security-policy").contains("default-src 'none'"), "{path}");
    }
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let address = serve(&[]).await;
    for path in ["/../site.rs", "/%2e%2e/site.rs", "/..%2fsite.rs", "/%2fetc/hostname"] {
        assert_eq!(send(get(address, path)).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_foreign_host_is_refused_everywhere() {
    let address = serve(&[echo().await]).await;
    for path in ["/", "/v1/sessions"] {
        let mut request = get(address, path);
        request.headers_mut().insert(header::HOST, format!("evil.example:{}", address.port()).parse().unwrap());
        let response = send(request).await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{path}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert!(text(response).await.contains(&format!("http://{address}/")));
    }
}

#[tokio::test]
async fn only_get_and_head_pass() {
    let address = serve(&[echo().await]).await;
    for path in ["/", "/v1/sessions"] {
        for method in [Method::POST, Method::DELETE, Method::PUT, Method::PATCH, Method::OPTIONS] {
            let mut request = get(address, path);
            *request.method_mut() = method.clone();
            let response = send(request).await;
            assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            assert_eq!(response.headers()[header::ALLOW], "GET, HEAD", "{method} {path}");
        }
        let mut request = get(address, path);
        *request.method_mut() = Method::HEAD;
        let response = send(request).await;
        assert_eq!(response.status(), StatusCode::OK, "HEAD {path}");
        assert_eq!(text(response).await, "", "HEAD {path}");
    }
}

#[tokio::test]
async fn the_proxy_hears_the_question_and_not_who_asks() {
    let proxy = echo().await;
    let address = serve(&[proxy]).await;
    let mut request = get(address, "/v1/sessions/a%3Ab/events/7?view=summary&limit=2");
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("referer", "http://evil.example/page"),
        ("cookie", "token=secret"),
        ("authorization", "Bearer secret"),
        ("accept", "application/json"),
        ("accept-encoding", "identity"),
    ] {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let response = send(request).await;
    assert!(!response.headers().contains_key(header::SET_COOKIE));
    assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    let mut heard: Vec<String> = text(response).await.lines().map(str::to_owned).collect();
    heard[1..].sort();
    let host = format!("host: {proxy}");
    assert_eq!(heard, ["GET /v1/sessions/a%3Ab/events/7?view=summary&limit=2", "accept: application/json", &host]);
}

#[tokio::test]
async fn an_answer_of_the_proxy_stays_as_it_is() {
    let gone = || async { (StatusCode::NOT_FOUND, "404 page not found\n") };
    let address = serve(&[listen(Router::new().fallback(any(gone))).await]).await;
    let response = send(get(address, "/v1/sessions/x")).await;
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert!(!response.headers().contains_key(PROXY_STATE));
    assert_eq!(text(response).await, "404 page not found\n");
}

#[tokio::test]
async fn no_proxy_is_told_apart_from_one_that_fails() {
    let (nobody, _held) = nobody();
    let address = serve(&[nobody]).await;
    let response = send(get(address, "/v1/sessions")).await;
    assert_eq!(response.status(), StatusCode::BAD_GATEWAY);
    assert_eq!(response.headers()[PROXY_STATE], "unreachable");
    assert!(text(response).await.contains(&nobody.to_string()));
}

#[tokio::test]
async fn the_next_proxy_is_asked_when_the_first_is_not_there() {
    let (nobody, _held) = nobody();
    let address = serve(&[nobody, echo().await]).await;
    let response = send(get(address, "/v1/sessions")).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(text(response).await.starts_with("GET /v1/sessions\n"));
}

#[tokio::test]
async fn text_and_json_are_compressed_for_who_asks_for_it() {
    let json = || async { ([(header::CONTENT_TYPE, "application/json")], format!("[{}0]", "0,".repeat(5000))) };
    let address = serve(&[listen(Router::new().fallback(any(json))).await]).await;
    for path in ["/", "/boot.js", "/v1/sessions"] {
        let mut request = get(address, path);
        request.headers_mut().insert(header::ACCEPT_ENCODING, "gzip".parse().unwrap());
        assert_eq!(send(request).await.headers()[header::CONTENT_ENCODING], "gzip", "{path}");
        let plain = send(get(address, path)).await;
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING), "{path}");
    }
}

/// What a proxy of ours sends as events, until nobody reads them any more.
type Told = Arc<Mutex<Option<mpsc::Receiver<&'static str>>>>;

async fn tick(State(told): State<Told>) -> Response {
    let told = told.lock().await.take().unwrap();
    let events = stream::unfold(told, |mut told| async move {
        let event = told.recv().await?;
        Some((Ok::<_, Infallible>(Bytes::from(event)), told))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
}

#[tokio::test]
async fn each_event_arrives_before_the_next_is_sent() {
    let (tell, told) = mpsc::channel(1);
    let told: Told = Arc::new(Mutex::new(Some(told)));
    let address = serve(&[listen(Router::new().route("/v1/events", any(tick)).with_state(told)).await]).await;

    let mut request = get(address, "/v1/events?session=s");
    request.headers_mut().insert(header::ACCEPT_ENCODING, "gzip".parse().unwrap());
    let response = send(request).await;
    assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
    let mut events = response.into_body().into_data_stream();
    // The next event is sent only once this one has come: a server that gathers them would wait for ever.
    for event in [": ok\n\n", "event: session-event\nid: 1\ndata: {}\n\n", "event: session-event\nid: 2\ndata: {}\n\n"]
    {
        tell.send(event).await.unwrap();
        let came = timeout(PATIENCE, events.next()).await.expect("the event comes by itself").unwrap();
        assert_eq!(came.unwrap(), event);
    }

    // A reader who leaves must not leave a stream open at the proxy.
    drop(events);
    timeout(PATIENCE, tell.closed()).await.expect("the proxy's stream ends with its reader");
}
