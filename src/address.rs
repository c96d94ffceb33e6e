//! What the address bar says: the page that is shown, as the part of the address after `#`.
//!
//! `#/` lists sessions, `#/sessions/<id>` shows one, `#/sessions/<id>/calls/<call id>` one call of it, `#/dispatch/<host:port>/<id>` and
//! `#/dispatch/<host:port>/<id>/calls/<call id>` a conversation of a Dispatch host and one call of it. Behind a `?` stands what the reader
//! looks for and how the rows are arranged (specs: design §3).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is left as it stands in a part of a path, as `encodeURIComponent` leaves it.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// The list of sessions.
    Sessions,
    /// One session, and perhaps one call of it.
    Session {
        /// The session's id.
        id: String,
        /// The id of the call that the link leads to.
        call: Option<String>,
    },
    /// A conversation of a Dispatch host, and perhaps one call of it.
    Dispatch {
        /// The host and its port, as the address says them.
        host: String,
        /// The conversation's id.
        id: String,
        /// The id of the call that the link leads to.
        call: Option<String>,
    },
    /// Nothing that this page knows.
    Unknown,
}

impl Address {
    /// Reads the part of an address from `#` on; the empty one is the list.
    #[must_use]
    pub fn parse(hash: &str) -> Self {
        let path = hash.strip_prefix('#').unwrap_or(hash).split('?').next().unwrap_or_default();
        let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts[..] {
            [] => Self::Sessions,
            ["sessions", id] => Self::Session { id: decode(id), call: None },
            ["sessions", id, "calls", call] => Self::Session { id: decode(id), call: Some(decode(call)) },
            ["dispatch", host, id] => Self::Dispatch { host: decode(host), id: decode(id), call: None },
            ["dispatch", host, id, "calls", call] => {
                Self::Dispatch { host: decode(host), id: decode(id), call: Some(decode(call)) }
            }
            _ => Self::Unknown,
        }
    }

    /// The same page with a link to one call, where it has calls.
    #[must_use]
    pub fn at_call(mut self, id: &str) -> Self {
        if let Self::Session { call, .. } | Self::Dispatch { call, .. } = &mut self {
            *call = Some(id.to_owned());
        }
        self
    }

    /// The address as a link.
    #[must_use]
    pub fn hash(&self) -> String {
        match self {
            Self::Sessions | Self::Unknown => "#/".to_owned(),
            Self::Session { id, call: None } => format!("#/sessions/{}", encode(id)),
            Self::Session { id, call: Some(call) } => format!("#/sessions/{}/calls/{}", encode(id), encode(call)),
            Self::Dispatch { host, id, call } => {
                // A port is easier to read as it is.
                let conversation = format!("#/dispatch/{}/{}", encode(host).replace("%3A", ":"), encode(id));
                match call {
                    None => conversation,
                    Some(call) => format!("{conversation}/calls/{}", encode(call)),
                }
            }
        }
    }
}

/// The pairs of an address's query, in their order.
#[must_use]
pub fn query(hash: &str) -> Vec<(String, String)> {
    let Some((_, query)) = hash.split_once('?') else { return Vec::new() };
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name), decode(value))
    };
    query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect()
}

/// An address with this query.
#[must_use]
pub fn with_query<Name: AsRef<str>>(hash: &str, pairs: &[(Name, String)]) -> String {
    let pair = |(name, value): &(Name, String)| format!("{}={}", encode(name.as_ref()), encode(value));
    let pairs: Vec<_> = pairs.iter().map(pair).collect();
    let path = hash.split('?').next().unwrap_or_default();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// A link to a call of the page that `hash` shows, as it shows it.
#[must_use]
pub fn here_at_call(hash: &str, id: &str) -> String {
    with_query(&Address::parse(hash).at_call(id).hash(), &query(hash))
}

/// A part of a path, percent-encoded.
#[must_use]
pub fn encode(part: &str) -> String {
    utf8_percent_encode(part, PLAIN).to_string()
}

fn decode(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_are_read() {
        let session = |id: &str, call: Option<&str>| Address::Session { id: id.into(), call: call.map(Into::into) };
        let dispatch = |host: &str, id: &str, call: Option<&str>| Address::Dispatch {
            host: host.into(),
            id: id.into(),
            call: call.map(Into::into),
        };
        for (hash, address) in [
            ("", Address::Sessions),
            ("#", Address::Sessions),
            ("#/", Address::Sessions),
            ("#/sessions/demo", session("demo", None)),
            ("#/sessions/demo?sort=time", session("demo", None)),
            ("#/sessions/pending%3Acodex%404211.17", session("pending:codex@4211.17", None)),
            ("#/sessions/a%2Fb/calls/toolu_1", session("a/b", Some("toolu_1"))),
            ("#/sessions/%ff%zz", session("\u{FFFD}%zz", None)),
            ("#/dispatch/127.0.0.1:24203/c%2F1", dispatch("127.0.0.1:24203", "c/1", None)),
            ("#/dispatch/localhost%3A24203/c/calls/t1", dispatch("localhost:24203", "c", Some("t1"))),
            ("#/dispatch/localhost:24203", Address::Unknown),
            ("#/sessions", Address::Unknown),
            ("#/elsewhere/x", Address::Unknown),
        ] {
            assert_eq!(Address::parse(hash), address, "{hash}");
        }
    }

    #[test]
    fn a_link_to_a_call_stays_on_its_page() {
        for (page, link) in [
            ("#/sessions/a", "#/sessions/a/calls/t%2F1"),
            ("#/dispatch/localhost:24203/c/calls/t0", "#/dispatch/localhost:24203/c/calls/t%2F1"),
            ("#/", "#/"),
        ] {
            assert_eq!(Address::parse(page).at_call("t/1").hash(), link);
        }
    }

    #[test]
    fn a_query_is_read_as_it_stands() {
        let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        for (hash, read) in [
            ("#/sessions/a", pairs(&[])),
            ("#/sessions/a?", pairs(&[])),
            ("#/sessions/a?q=1%2B1%3D2&&only", pairs(&[("q", "1+1=2"), ("only", "")])),
            ("#/sessions/a?tool=Bash&tool=Read&x=a=b?", pairs(&[("tool", "Bash"), ("tool", "Read"), ("x", "a=b?")])),
            ("#/sessions/a?q=%ff%", pairs(&[("q", "\u{FFFD}%")])),
        ] {
            let read: Vec<(String, String)> = read;
            assert_eq!(query(hash), read, "{hash}");
        }
        assert_eq!(here_at_call("#/sessions/a?q=1%262", "t/1"), "#/sessions/a/calls/t%2F1?q=1%262");
        assert_eq!(with_query("#/sessions/a?q=1", &[("q", "a b&c".to_owned())]), "#/sessions/a?q=a%20b%26c");
        assert_eq!(with_query::<&str>("#/sessions/a?q=1", &[]), "#/sessions/a");
    }

    proptest! {
        #[test]
        fn a_query_is_read_back(name in ".+", value in ".*") {
            let hash = with_query("#/sessions/a", &[(&name, value.clone())]);
            prop_assert_eq!(query(&hash), vec![(name, value)]);
        }

        #[test]
        fn what_is_written_is_read_back(host in ".+", id in ".+", call in prop::option::of(".+")) {
            let session = Address::Session { id: id.clone(), call: call.clone() };
            prop_assert_eq!(Address::parse(&session.hash()), session);
            let dispatch = Address::Dispatch { host, id, call };
            prop_assert_eq!(Address::parse(&dispatch.hash()), dispatch);
        }
    }
}
