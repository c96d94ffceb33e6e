//! The way to the proxy: `/v1/*` as it is, read only, each piece of an answer passed on as soon as it is there.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;

/// Set to `unreachable` on answers that come from here because no proxy could be asked.
pub const PROXY_STATE: HeaderName = HeaderName::from_static("x-callsheet-proxy");

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// What a reader may tell the proxy. All else stays here: cookies, and `Origin` and `Referer`, by which it would take
/// the request for one from a foreign page. `Host` follows from the address.
const PASSED_ON: [HeaderName; 4] =
    [header::ACCEPT, header::CACHE_CONTROL, header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE];

/// What an answer may not bring along: what holds for one connection only (RFC 9110, section 7.6.1), and rights for others.
const KEPT_BACK: [HeaderName; 11] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::SET_COOKIE,
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
    PROXY_STATE,
];

#[derive(Clone)]
pub struct Upstream {
    client: Client<HttpConnector, Body>,
    proxies: Vec<Uri>,
}

/// None of the proxies accepted the request; says what the last one tried did.
#[derive(Debug, thiserror::Error)]
#[error("no proxy answers at {asked} ({reason})")]
pub struct Unreachable {
    asked: String,
    reason: String,
}

impl Upstream {
    pub fn new(proxies: Vec<Uri>) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
        connector.set_nodelay(true);
        Self { client: Client::builder(TokioExecutor::new()).build(connector), proxies }
    }

    /// Asks the proxies one after the other until one accepts a connection.
    async fn ask(&self, head: &Request<()>) -> Result<Response, Unreachable> {
        let mut reason = "none was named".to_owned();
        for proxy in &self.proxies {
            match self.client.request(forwarded(head, proxy)).await {
                Ok(answer) => return Ok(answer.map(Body::new)),
                Err(error) => {
                    reason = cause(&error);
                    // A proxy that took the request and then failed is there: another one would only confuse.
                    if !error.is_connect() {
                        break;
                    }
                }
            }
        }
        let asked = self.proxies.iter().map(address).collect::<Vec<_>>().join(" or ");
        Err(Unreachable { asked, reason })
    }

    /// Whether a proxy answers now, and with which status: for a word at the start.
    pub async fn probe(&self) -> Result<StatusCode, Unreachable> {
        let mut head = Request::new(());
        *head.uri_mut() = Uri::from_static("/v1/sessions");
        self.ask(&head).await.map(|answer| answer.status())
    }
}

pub async fn pass_through(State(upstream): State<Upstream>, request: Request) -> Response {
    match upstream.ask(&request.map(|_| ())).await {
        Ok(mut answer) => {
            for name in &KEPT_BACK {
                answer.headers_mut().remove(name);
            }
            // What an agent read and wrote has no place in a cache on disk.
            answer.headers_mut().entry(header::CACHE_CONTROL).or_insert(NO_STORE);
            answer
        }
        Err(error) => {
            let words = format!(
                "The page is here, but {error}. Start it, or name another: CALLSHEET_PROXY=http://host:port make serve\n"
            );
            let headers = [(PROXY_STATE, UNREACHABLE), (header::CACHE_CONTROL, NO_STORE)];
            (StatusCode::BAD_GATEWAY, headers, words).into_response()
        }
    }
}

const NO_STORE: header::HeaderValue = header::HeaderValue::from_static("no-store");
const UNREACHABLE: header::HeaderValue = header::HeaderValue::from_static("unreachable");

fn forwarded(head: &Request<()>, proxy: &Uri) -> Request {
    let path = head.uri().path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::new(Body::empty());
    *request.method_mut() = head.method().clone();
    *request.uri_mut() = format!("{}{path}", address(proxy)).parse().expect("two parts of addresses make an address");
    *request.headers_mut() = passed_on(head.headers());
    request
}

fn passed_on(headers: &HeaderMap) -> HeaderMap {
    PASSED_ON.iter().flat_map(|name| headers.get_all(name).iter().map(|value| (name.clone(), value.clone()))).collect()
}

fn address(proxy: &Uri) -> String {
    proxy.to_string().trim_end_matches('/').to_owned()
}

/// The innermost cause alone: the outer ones only say that a request failed.
fn cause(error: &Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
