//! Instants and spans in nanoseconds.

use crate::json::decimal;

/// Nanoseconds since 1970-01-01T00:00:00Z.
///
/// Kept whole from the text of the wire to every comparison: whether calls ran in parallel and which job a
/// call started are decided by equal instants (specs: ledger, *Figures of a card*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

const NANOS_PER_SECOND: i64 = 1_000_000_000;

impl Timestamp {
    /// Reads an RFC 3339 instant with any number of fractional digits; digits past the ninth are cut.
    ///
    /// `None` for anything else, for instants that do not fit (before 1677 or after 2262), and so for the
    /// year-1 instant that Go writes for "no time".
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.trim().as_bytes();
        let (date, rest) = bytes.split_at_checked(10)?;
        let (&separator, rest) = rest.split_first()?;
        if !matches!(separator, b'T' | b't' | b' ') || date[4] != b'-' || date[7] != b'-' {
            return None;
        }
        let (clock, rest) = rest.split_at_checked(8)?;
        if clock[2] != b':' || clock[5] != b':' {
            return None;
        }
        let (year, month, day) = (digits(&date[..4])?, digits(&date[5..7])?, digits(&date[8..])?);
        let (hour, minute, second) = (digits(&clock[..2])?, digits(&clock[3..5])?, digits(&clock[6..])?);
        // 60 is a leap second.
        if !(1..=12).contains(&month)
            || !(1..=days_in_month(year, month)).contains(&day)
            || hour > 23
            || minute > 59
            || second > 60
        {
            return None;
        }
        let (nanos, rest) = fraction(rest)?;
        let offset = offset_seconds(rest)?;
        let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
        seconds.checked_mul(NANOS_PER_SECOND)?.checked_add(nanos).map(Self)
    }

    /// An instant from milliseconds since the epoch; `None` when it does not fit.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        millis.checked_mul(1_000_000).map(Self)
    }

    /// An instant from a bare JSON number: milliseconds above 1e11, else seconds (specs: cortex-api §7).
    #[must_use]
    pub fn from_number(number: &str) -> Option<Self> {
        let whole = decimal(number, 0)?;
        let nanos = decimal(number, if whole > 100_000_000_000 { 6 } else { 9 })?;
        (nanos > 0).then_some(Self(nanos))
    }

    /// Whole milliseconds since the epoch, rounded down.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Nanoseconds from `earlier` to `self`; negative when the clocks disagree.
    #[must_use]
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Year, month (1 to 12) and day of the month, in UTC.
    #[must_use]
    pub fn date(self) -> (i64, i64, i64) {
        civil_from_days(self.0.div_euclid(86_400 * NANOS_PER_SECOND))
    }

    /// Nanoseconds since midnight, in UTC.
    #[must_use]
    pub fn time_of_day(self) -> i64 {
        self.0.rem_euclid(86_400 * NANOS_PER_SECOND)
    }
}

/// The order of things by their times and, among equals, by a number; things of the same key keep their order.
///
/// One sort for all that is ordered by time: the standard library's is compiled anew for every type, at 4 kB each.
#[must_use]
pub fn time_order(keys: impl Iterator<Item = (Option<Timestamp>, u64)>) -> Vec<usize> {
    let mut keys: Vec<_> = keys.enumerate().map(|(position, (at, tie))| (at, tie, position)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, _, position)| position).collect()
}

/// Puts `items` into the order that [`time_order`] gave.
pub fn reorder<T: Clone>(items: &mut Vec<T>, order: &[usize]) {
    *items = order.iter().filter_map(|&position| items.get(position).cloned()).collect();
}

/// When something began and ended, as far as the source knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first instant.
    pub start: Option<Timestamp>,
    /// The last instant; absent while it runs, and where the source has no times.
    pub end: Option<Timestamp>,
}

impl Span {
    /// Nanoseconds from start to end; negative when the clocks disagree.
    #[must_use]
    pub fn nanos(self) -> Option<i64> {
        Some(self.end?.since(self.start?))
    }
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

/// Nanoseconds of a leading `.123`, and what follows it.
fn fraction(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let Some((b'.' | b',', rest)) = bytes.split_first() else {
        return Some((0, bytes));
    };
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 {
        return None;
    }
    let nanos = rest[..length].iter().chain(std::iter::repeat(&b'0')).take(9);
    Some((nanos.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')), &rest[length..]))
}

fn offset_seconds(zone: &[u8]) -> Option<i64> {
    match zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), hour @ .., b':', m1, m2] if hour.len() == 2 => signed(*sign, hour, &[*m1, *m2]),
        [sign @ (b'+' | b'-'), rest @ ..] if rest.len() == 4 => signed(*sign, &rest[..2], &rest[2..]),
        _ => None,
    }
}

fn signed(sign: u8, hour: &[u8], minute: &[u8]) -> Option<i64> {
    let seconds = digits(hour)? * 3_600 + digits(minute)? * 60;
    Some(if sign == b'-' { -seconds } else { seconds })
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar (years of 400-year eras that begin in March).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_instants_to_the_nanosecond() {
        for (text, nanos) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1970-01-01T00:00:00.000000001Z", Some(1)),
            ("1970-01-01T00:00:00.1234567899Z", Some(123_456_789)),
            ("1970-01-01T02:00:00+02:00", Some(0)),
            ("1970-01-01T00:00:00-0130", Some(5_400_000_000_000)),
            ("1969-12-31T23:59:59.5Z", Some(-500_000_000)),
            ("2026-10-06T13:04:09.33Z", Some(1_791_291_849_330_000_000)),
            ("2024-02-29T00:00:00Z", Some(1_709_164_800_000_000_000)),
            ("2023-02-29T00:00:00Z", None),
            ("0001-01-01T00:00:00Z", None),
            ("2026-10-06T13:04:09.Z", None),
            ("2026-10-06T13:04:09", None),
            ("2026-10-06", None),
            ("é026-10-06T13:04:09Z", None),
            ("", None),
        ] {
            assert_eq!(Timestamp::parse(text), nanos.map(Timestamp), "{text}");
        }
    }

    #[test]
    fn equal_keys_keep_their_order() {
        let keys = [
            (Some(Timestamp(2)), 0),
            (None, 9),
            (Some(Timestamp(1)), 5),
            (Some(Timestamp(1)), 5),
            (Some(Timestamp(1)), 4),
        ];
        let order = time_order(keys.into_iter());
        assert_eq!(order, [1, 4, 2, 3, 0]);
        let mut items = vec!['a', 'b', 'c', 'd', 'e'];
        reorder(&mut items, &order);
        assert_eq!(items, ['b', 'e', 'c', 'd', 'a']);
    }

    #[test]
    fn reads_bare_numbers_as_milliseconds_or_seconds() {
        let at = Timestamp::parse("2026-10-06T13:04:09.33Z");
        assert_eq!(Timestamp::from_number("1791291849330"), at);
        assert_eq!(Timestamp::from_number("1791291849330.0"), at);
        assert_eq!(Timestamp::from_number("1791291849.33"), at);
        assert_eq!(Timestamp::from_number("0"), None);
        assert_eq!(Timestamp::from_number("-5"), None);
        assert_eq!(Timestamp::from_number("1e300"), None);
        assert_eq!(Timestamp::from_number("soon"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = Timestamp::parse(&text);
        }

        #[test]
        fn what_is_written_is_read_back(nanos in any::<i64>()) {
            let at = Timestamp(nanos);
            let (year, month, day) = at.date();
            let (second, fraction) = (at.time_of_day() / NANOS_PER_SECOND, at.time_of_day() % NANOS_PER_SECOND);
            let text = format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{fraction:09}Z", second / 3600, second / 60 % 60, second % 60);
            // The very first second that fits begins before it.
            prop_assume!(nanos > i64::MIN + NANOS_PER_SECOND);
            prop_assert_eq!(Timestamp::parse(&text), Some(at));
        }
    }
}
