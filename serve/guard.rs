//! Who may ask, and what. The session API has no authentication of its own, so a name that someone else made resolve
//! to this machine (DNS rebinding) must not get to it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Lets GET and HEAD with a `Host` of ours through; answers 405 or 403 to the rest.
pub async fn guard(State(address): State<SocketAddr>, request: Request, next: Next) -> Response {
    if !is_ours(request.headers(), address) {
        let words = format!("Callsheet answers to its own address only. Open http://{address}/ instead.\n");
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")], "Callsheet only reads.\n")
            .into_response();
    }
    next.run(request).await
}

fn is_ours(headers: &HeaderMap, address: SocketAddr) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    host.to_str().is_ok_and(|host| host_is_ours(host, address))
}

/// Whether `host`, the text of a `Host` header, names the server that listens at `address`. A number cannot be made to
/// resolve to something else, so who opened the server to a network may use any number for it; names are ours alone.
fn host_is_ours(host: &str, address: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    if port != Some(address.port()) {
        return false;
    }
    if name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let number = match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(v6) => v6.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => name.parse().ok().filter(IpAddr::is_ipv4),
    };
    number.is_some_and(|number| number.is_loopback() || number == address.ip() || address.ip().is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let loopback = "127.0.0.1:8080";
        for (host, address, ours) in [
            ("127.0.0.1:8080", loopback, true),
            ("localhost:8080", loopback, true),
            ("LocalHost:8080", loopback, true),
            ("[::1]:8080", loopback, true),
            ("localhost", "127.0.0.1:80", true),
            ("[::1]", "[::1]:80", true),
            ("localhost", loopback, false),
            ("localhost:8081", loopback, false),
            ("localhost:", loopback, false),
            ("localhost:8080:8080", loopback, false),
            ("", loopback, false),
            (":8080", loopback, false),
            ("evil.example:8080", loopback, false),
            ("localhost.evil.example:8080", loopback, false),
            ("127.0.0.1.evil.example:8080", loopback, false),
            ("user@localhost:8080", loopback, false),
            ("::1:8080", loopback, false),
            ("[127.0.0.1]:8080", loopback, false),
            ("192.168.1.5:8080", loopback, false),
            ("192.168.1.5:8080", "192.168.1.5:8080", true),
            ("192.168.1.6:8080", "192.168.1.5:8080", false),
            ("192.168.1.6:8080", "0.0.0.0:8080", true),
            ("evil.example:8080", "0.0.0.0:8080", false),
        ] {
            assert_eq!(host_is_ours(host, address.parse().unwrap()), ours, "{host:?} at {address}");
        }
    }

    #[test]
    fn one_host_header_and_no_more() {
        let address = "127.0.0.1:8080".parse().unwrap();
        let mut headers = HeaderMap::new();
        assert!(!is_ours(&headers, address));
        headers.append(header::HOST, "localhost:8080".parse().unwrap());
        assert!(is_ours(&headers, address));
        headers.append(header::HOST, "evil.example:8080".parse().unwrap());
        assert!(!is_ours(&headers, address));
    }
}
