//! What the environment says about how to serve.

use std::net::SocketAddr;
use std::path::PathBuf;

use axum::http::Uri;
use axum::http::uri::Scheme;

/// Where Cortex listens for its session API: as a service on a laptop, then in a cluster. Its own tool tries the same two.
const USUAL_PROXIES: [&str; 2] = ["http://127.0.0.1:47601", "http://127.0.0.1:9094"];
const USUAL_ADDRESS: &str = "127.0.0.1:8080";

#[derive(Debug, Clone)]
pub struct Settings {
    pub address: SocketAddr,
    pub dist: PathBuf,
    /// Tried in this order until one accepts a connection.
    pub proxies: Vec<Uri>,
    pub open_browser: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("CALLSHEET_ADDR={0} is no address. Write it as {USUAL_ADDRESS}.")]
    Address(String),
    #[error(
        "CALLSHEET_PROXY={0} is no address of a proxy. Write it as http://127.0.0.1:47601; only plain http is understood."
    )]
    Proxy(String),
}

impl Settings {
    /// Reads the settings through `get`, which gives the value of an environment variable. An empty one counts as unset.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let get = |name: &str| get(name).filter(|value| !value.is_empty());
        let address = get("CALLSHEET_ADDR").unwrap_or_else(|| USUAL_ADDRESS.to_owned());
        let proxies = match get("CALLSHEET_PROXY") {
            Some(named) => vec![proxy(&named)?],
            None => USUAL_PROXIES.iter().map(|usual| Uri::from_static(usual)).collect(),
        };
        Ok(Self {
            address: address.parse().map_err(|_| SettingsError::Address(address))?,
            dist: get("CALLSHEET_DIST").unwrap_or_else(|| "dist".to_owned()).into(),
            proxies,
            open_browser: get("OPEN").is_some_and(|value| value != "0"),
        })
    }
}

fn proxy(text: &str) -> Result<Uri, SettingsError> {
    let refused = || SettingsError::Proxy(text.to_owned());
    let uri: Uri = text.parse().map_err(|_| refused())?;
    let plain = uri.scheme() == Some(&Scheme::HTTP) && uri.path() == "/" && uri.query().is_none();
    let bare = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    if plain && bare { Ok(uri) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(set: &[(&str, &str)]) -> Result<Settings, String> {
        let get = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Settings::read(get).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_set_is_loopback_and_both_usual_proxies() {
        let settings = read(&[("CALLSHEET_PROXY", "")]).unwrap();
        assert!(settings.address.ip().is_loopback());
        assert_eq!(settings.address.port(), 8080);
        assert_eq!(settings.proxies, ["http://127.0.0.1:47601/", "http://127.0.0.1:9094/"]);
        assert!(!settings.open_browser);
    }

    #[test]
    fn a_named_proxy_is_the_only_one() {
        for (text, proxies) in
            [("http://127.0.0.1:9137", "http://127.0.0.1:9137/"), ("http://cortex:1/", "http://cortex:1/")]
        {
            assert_eq!(read(&[("CALLSHEET_PROXY", text)]).unwrap().proxies, [proxies]);
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        for (name, value) in [
            ("CALLSHEET_ADDR", "8080"),
            ("CALLSHEET_ADDR", "localhost"),
            ("CALLSHEET_PROXY", "127.0.0.1:47601"),
            ("CALLSHEET_PROXY", "https://cortex"),
            ("CALLSHEET_PROXY", "http://user:secret@cortex"),
            ("CALLSHEET_PROXY", "http://cortex/v1"),
            ("CALLSHEET_PROXY", "http://"),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert!(error.starts_with(&format!("{name}={value} ")), "{error}");
        }
    }

    #[test]
    fn open_is_a_switch() {
        for (value, open) in [("1", true), ("yes", true), ("0", false), ("", false)] {
            assert_eq!(read(&[("OPEN", value)]).unwrap().open_browser, open, "{value:?}");
        }
    }
}
