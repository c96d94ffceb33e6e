//! Where a host listens.

use thiserror::Error;

/// The port of the live events stands this much above that of the history.
const LIVE_ABOVE: u16 = 2;

/// The two doors of a host on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    name: &'static str,
    port: u16,
}

/// An address that names no host that this page may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "The address names no host that this page may ask. Write it as `#/dispatch/127.0.0.1:24203/<conversation id>`: \
     the host has to run on this machine, and its port is the one that it serves HTTP on."
)]
pub struct NoEndpoint;

impl Endpoint {
    /// Reads `host:port`.
    ///
    /// # Errors
    /// When it is not a name of this machine, which is all that the page's policy lets it ask, and a port.
    pub fn parse(address: &str) -> Result<Self, NoEndpoint> {
        let (name, port) = address.rsplit_once(':').ok_or(NoEndpoint)?;
        let name = ["127.0.0.1", "localhost"].into_iter().find(|known| known.eq_ignore_ascii_case(name));
        let digits = Some(port).filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let port =
            digits.and_then(|digits| digits.parse().ok()).filter(|port| (1..=u16::MAX - LIVE_ABOVE).contains(port));
        Ok(Self { name: name.ok_or(NoEndpoint)?, port: port.ok_or(NoEndpoint)? })
    }

    /// The address of its log of conversations, without a slash at its end.
    #[must_use]
    pub fn http(&self) -> String {
        format!("http://{}:{}", self.name, self.port)
    }

    /// The address of its live events.
    #[must_use]
    pub fn socket(&self) -> String {
        format!("ws://{}:{}/", self.name, self.port + LIVE_ABOVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_live_events_come_two_ports_above() {
        let endpoint = Endpoint::parse("LocalHost:24203").unwrap();
        assert_eq!((&*endpoint.http(), &*endpoint.socket()), ("http://localhost:24203", "ws://localhost:24205/"));
        assert_eq!(
            Endpoint::parse("127.0.0.1:65533").map(|endpoint| endpoint.socket()).as_deref(),
            Ok("ws://127.0.0.1:65535/")
        );
    }

    #[test]
    fn only_this_machine_is_asked() {
        for address in [
            "",
            ":",
            "localhost",
            "localhost:",
            "localhost:0",
            "localhost:65534",
            "localhost:65536",
            "localhost:+1",
            "127.0.0.1:1@elsewhere:80",
            "elsewhere:24203",
            "127.0.0.1.elsewhere:80",
            "localhost:80/path",
            "::1:24203",
        ] {
            assert_eq!(Endpoint::parse(address), Err(NoEndpoint), "{address}");
        }
    }
}
