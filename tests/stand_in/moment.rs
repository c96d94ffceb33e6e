//! Instants, written as Go writes them.

use std::ops::{Add, Sub};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer, ser::Error};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Nanoseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub i64);

impl Moment {
    /// The computer's clock.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
    }

    /// This instant without its fraction of a second.
    pub fn whole_second(self) -> Self {
        Self(self.0 - self.0.rem_euclid(1_000_000_000))
    }

    /// Whole milliseconds from `earlier` to this instant.
    pub fn millis_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0) / 1_000_000
    }

    /// The time of day in UTC, as the page writes it for a reader in UTC: `15:04:09.33`.
    pub fn time_of_day(self) -> String {
        let centis = self.0.div_euclid(10_000_000).rem_euclid(24 * 360_000);
        let (seconds, centis) = (centis / 100, centis % 100);
        format!("{:02}:{:02}:{:02}.{centis:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_nanos()).unwrap_or(i64::MAX)))
    }
}

impl Sub<Duration> for Moment {
    type Output = Self;

    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_nanos()).unwrap_or(i64::MAX)))
    }
}

/// RFC 3339 in UTC with up to nine fractional digits, trailing zeros cut.
impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let instant = OffsetDateTime::from_unix_timestamp_nanos(self.0.into()).map_err(S::Error::custom)?;
        serializer.serialize_str(&instant.format(&Rfc3339).map_err(S::Error::custom)?)
    }
}
