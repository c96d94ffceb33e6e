//! Times, durations, tokens and costs as text.

use crate::trace::{Outcome, Timestamp, ToolCall};

/// How long a call took, as far as that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Took {
    /// The source has no times, or the outcome has no duration.
    Unknown,
    /// It runs since then.
    Running(Timestamp),
    /// Nanoseconds.
    Nanos(i64),
    /// It ended before it began: clocks disagree. Shown as zero and left out of totals.
    ClocksDisagree,
}

/// What a note beside the duration tells: a span in nanoseconds, or since when it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The run of the agent that the call spawned.
    Run(Took),
    /// The job in the background that the call started.
    Job(Took),
    /// The call ends its agent's run; no result is due.
    EndsRun,
}

/// How long a call took. Lost calls and those that end a run have no duration.
#[must_use]
pub fn took(call: &ToolCall) -> Took {
    match call.outcome {
        Outcome::Lost | Outcome::EndsRun | Outcome::AwaitingApproval => Took::Unknown,
        Outcome::Running => call.span.start.map_or(Took::Unknown, Took::Running),
        Outcome::Ok | Outcome::Error | Outcome::Refused { .. } | Outcome::Cancelled => Took::of(call.span.nanos()),
    }
}

impl Took {
    /// Of a span that has ended.
    #[must_use]
    pub fn of(nanos: Option<i64>) -> Self {
        match nanos {
            None => Self::Unknown,
            Some(nanos) if nanos < 0 => Self::ClocksDisagree,
            Some(nanos) => Self::Nanos(nanos),
        }
    }

    /// The text at `now`; empty when nothing can be said.
    #[must_use]
    pub fn text(self, now: Timestamp) -> String {
        match self {
            Self::Unknown => String::new(),
            Self::Running(since) => format!("⋯ {}", running_text(now.since(since))),
            Self::Nanos(nanos) => duration_text(nanos),
            Self::ClocksDisagree => duration_text(0),
        }
    }

    /// Whether the text changes with the time.
    #[must_use]
    pub fn ticks(self) -> bool {
        matches!(self, Self::Running(_))
    }
}

impl Note {
    /// The text at `now`.
    #[must_use]
    pub fn text(self, now: Timestamp) -> String {
        match self {
            Self::Run(took) => format!("run {}", took.text(now)),
            Self::Job(took) => format!("bg {}", took.text(now)),
            Self::EndsRun => "ends run".to_owned(),
        }
    }

    /// Whether the text changes with the time.
    #[must_use]
    pub fn ticks(self) -> bool {
        match self {
            Self::Run(took) | Self::Job(took) => took.ticks(),
            Self::EndsRun => false,
        }
    }
}

/// A span of nanoseconds: `96ms`, `13.21s`, `5m48s`, `1h30m`.
#[must_use]
pub fn duration_text(nanos: i64) -> String {
    let millis = nanos.max(0) / 1_000_000;
    if millis < 1_000 {
        return format!("{millis}ms");
    }
    if millis < 59_995 {
        let hundredths = (millis + 5) / 10;
        return format!("{}.{:02}s", hundredths / 100, hundredths % 100);
    }
    let seconds = (millis + 500) / 1_000;
    if seconds < 3_600 {
        return format!("{}m{:02}s", seconds / 60, seconds % 60);
    }
    let minutes = (millis + 30_000) / 60_000;
    format!("{}h{:02}m", minutes / 60, minutes % 60)
}

/// A span that still grows: whole seconds, cut, since it ticks.
#[must_use]
pub fn running_text(nanos: i64) -> String {
    let seconds = nanos.max(0) / 1_000_000_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3_600, seconds / 60 % 60),
    }
}

/// How long ago something was: `3s ago`, `5m ago`, `7h ago`, `2d ago`.
#[must_use]
pub fn ago_text(nanos: i64) -> String {
    let seconds = nanos.max(0) / 1_000_000_000;
    match seconds {
        0..60 => format!("{seconds}s ago"),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..172_800 => format!("{}h ago", seconds / 3_600),
        _ => format!("{}d ago", seconds / 86_400),
    }
}

/// The time of day as `15:04:09.33`, `offset` minutes east of UTC.
#[must_use]
pub fn clock(at: Timestamp, offset: i32) -> String {
    let hundredths = local(at, offset).time_of_day() / 10_000_000;
    let seconds = hundredths / 100;
    format!("{:02}:{:02}:{:02}.{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60, hundredths % 100)
}

/// The whole instant with its zone: `2026-10-06 15:04:09.330000000 +02:00`.
#[must_use]
pub fn day_and_clock(at: Timestamp, offset: i32) -> String {
    let (year, month, day) = local(at, offset).date();
    let nanos = local(at, offset).time_of_day();
    let seconds = nanos / 1_000_000_000;
    let sign = if offset < 0 { '-' } else { '+' };
    let zone = offset.abs();
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}.{:09} {sign}{:02}:{:02}",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        nanos % 1_000_000_000,
        zone / 60,
        zone % 60
    )
}

fn local(at: Timestamp, offset: i32) -> Timestamp {
    Timestamp(at.0.saturating_add(i64::from(offset) * 60_000_000_000))
}

/// A number of tokens: `312`, `70.6k`, `1.2M`.
#[must_use]
pub fn tokens_text(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..999_950 => tenths(tokens, 1_000, "k"),
        _ => tenths(tokens, 1_000_000, "M"),
    }
}

/// A number of bytes; a KB is 1,024 of them: `312 bytes`, `4.1 KB`, `1.5 MB`.
#[must_use]
pub fn size_text(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..1_024 => format!("{bytes} bytes"),
        1_024..1_048_525 => tenths(bytes, 1_024, " KB"),
        _ => tenths(bytes, 1_048_576, " MB"),
    }
}

fn tenths(count: u64, unit: u64, name: &str) -> String {
    let tenths = (u128::from(count) * 10 + u128::from(unit) / 2) / u128::from(unit);
    format!("{}.{}{name}", tenths / 10, tenths % 10)
}

/// Billionths of a US dollar with `digits` decimals; what is not nothing is never shown as nothing: `<$0.01`.
#[must_use]
pub fn cost_text(nanodollars: u64, digits: u32) -> String {
    let unit = 10_u64.pow(9_u32.saturating_sub(digits));
    let rounded = nanodollars.saturating_add(unit / 2) / unit;
    let scale = 10_u64.pow(digits.min(9));
    let width = digits as usize;
    if rounded == 0 && nanodollars > 0 {
        return format!("<$0.{:0width$}", 1);
    }
    format!("${}.{:0width$}", rounded / scale, rounded % scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MILLI: i64 = 1_000_000;

    #[test]
    fn durations_change_their_unit_where_the_rule_says() {
        for (millis, text) in [
            (-5, "0ms"),
            (0, "0ms"),
            (96, "96ms"),
            (999, "999ms"),
            (1_000, "1.00s"),
            (1_204, "1.20s"),
            (13_210, "13.21s"),
            (59_994, "59.99s"),
            (59_995, "1m00s"),
            (242_000, "4m02s"),
            (348_000, "5m48s"),
            (3_599_499, "59m59s"),
            (3_599_500, "1h00m"),
            (5_400_000, "1h30m"),
        ] {
            assert_eq!(duration_text(millis * MILLI), text, "{millis}");
        }
    }

    #[test]
    fn what_runs_ticks_in_whole_seconds() {
        for (millis, text) in
            [(-1, "0s"), (999, "0s"), (38_999, "38s"), (59_999, "59s"), (130_000, "2m10s"), (5_400_000, "1h30m")]
        {
            assert_eq!(running_text(millis * MILLI), text, "{millis}");
        }
    }

    #[test]
    fn what_was_is_told_in_its_largest_unit() {
        for (seconds, text) in [
            (-1, "0s ago"),
            (3, "3s ago"),
            (60, "1m ago"),
            (7_200, "2h ago"),
            (172_799, "47h ago"),
            (172_800, "2d ago"),
        ] {
            assert_eq!(ago_text(seconds * 1_000 * MILLI), text);
        }
    }

    #[test]
    fn clocks_show_local_time() {
        let at = Timestamp::parse("2026-10-06T13:04:09.339999999Z").unwrap();
        assert_eq!(clock(at, 120), "15:04:09.33");
        assert_eq!(clock(at, -14 * 60), "23:04:09.33");
        assert_eq!(day_and_clock(at, 120), "2026-10-06 15:04:09.339999999 +02:00");
        assert_eq!(day_and_clock(at, -210), "2026-10-06 09:34:09.339999999 -03:30");
    }

    #[test]
    fn tokens_sizes_and_costs_are_short() {
        for (tokens, text) in
            [(0, "0"), (999, "999"), (70_600, "70.6k"), (999_949, "999.9k"), (999_950, "1.0M"), (214_610_000, "214.6M")]
        {
            assert_eq!(tokens_text(tokens), text);
        }
        for (bytes, text) in
            [(0, "0 bytes"), (1, "1 byte"), (1_023, "1023 bytes"), (4_198, "4.1 KB"), (1_048_576, "1.0 MB")]
        {
            assert_eq!(size_text(bytes), text);
        }
        for (nanos, digits, text) in [
            (254_600_000, 4, "$0.2546"),
            (385_900_000, 2, "$0.39"),
            (1_000_000, 2, "<$0.01"),
            (1, 4, "<$0.0001"),
            (0, 2, "$0.00"),
            (12_345_678_900_000, 2, "$12345.68"),
        ] {
            assert_eq!(cost_text(nanos, digits), text);
        }
    }

    proptest! {
        #[test]
        fn any_figure_has_a_text(nanos in any::<i64>(), count in any::<u64>(), offset in -1_000_i32..1_000) {
            let at = Timestamp(nanos);
            let texts = [
                duration_text(nanos),
                running_text(nanos),
                clock(at, offset),
                day_and_clock(at, offset),
                tokens_text(count),
                size_text(count),
                cost_text(count, 4),
            ];
            prop_assert!(texts.iter().all(|text| !text.is_empty()));
        }
    }
}
