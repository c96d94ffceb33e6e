//! The whole site: the built page, the way to the proxy, and what stands around both.

use std::net::SocketAddr;
use std::path::Path;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware;
use axum::routing::any;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::guard::guard;
use crate::upstream::{Upstream, pass_through};

const INDEX: &str = include_str!("../index.html");

/// The site as it is served at `address`.
pub fn site(address: SocketAddr, dist: &Path, upstream: Upstream) -> Router {
    // No name in dist/ carries a hash: a browser must ask whether what it holds still stands.
    let page = Router::new()
        .fallback_service(ServeDir::new(dist))
        .layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-cache")));
    let site = Router::new()
        .route("/v1", any(pass_through))
        .route("/v1/{*path}", any(pass_through))
        .with_state(upstream)
        .fallback_service(page)
        // Passes over event streams and images, so that each event goes out as it comes.
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(address, guard));
    security_headers()
        .into_iter()
        .fold(site, |site, (name, value)| site.layer(SetResponseHeaderLayer::overriding(name, value)))
}

fn security_headers() -> [(HeaderName, HeaderValue); 5] {
    let policy = format!("{}; frame-ancestors 'none'", policy(INDEX).unwrap_or("default-src 'none'"));
    let policy = HeaderValue::try_from(policy).expect("the policy in index.html is plain ASCII");
    [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    ]
}

/// The content security policy that stands in the page, so that it is written once.
fn policy(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once(r#"http-equiv="Content-Security-Policy" content=""#)?;
    rest.split_once('"').map(|(policy, _)| policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_states_a_strict_policy() {
        let policy = policy(INDEX).unwrap();
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in
            ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "base-uri 'none'"]
        {
            assert!(directives.contains(&directive), "{policy}");
        }
        assert!(!policy.contains("unsafe-inline"), "{policy}");
    }

    #[test]
    fn the_page_has_nothing_inline() {
        for tag in INDEX.split("<script").skip(1) {
            assert!(tag.split_once("</script>").unwrap().0.ends_with('>'), "{tag}");
        }
        assert!(!INDEX.contains("<style") && !INDEX.contains(" style=") && !INDEX.contains(" onclick="));
    }
}
