//! A duration as a reader types it.

/// Reads `500ms`, `2s`, `1.5m`, `1h` or a plain number of seconds as nanoseconds.
#[must_use]
pub fn read_duration(text: &str) -> Option<i64> {
    let text = text.trim().trim_start_matches('≥').trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit: i64 = match unit.trim() {
        "ms" => 1_000_000,
        "" | "s" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && part.is_empty() || part.contains('.') {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut nanos = whole.checked_mul(unit)?;
    let mut place = unit;
    for digit in part.bytes() {
        place /= 10;
        nanos = nanos.checked_add(i64::from(digit - b'0') * place)?;
    }
    Some(nanos)
}

#[cfg(test)]
mod tests {
    use super::read_duration;

    #[test]
    fn durations_are_read() {
        for (text, nanos) in [
            ("500ms", Some(500_000_000)),
            ("2", Some(2_000_000_000)),
            (" 2.5 s ", Some(2_500_000_000)),
            ("≥ 1m", Some(60_000_000_000)),
            (".5h", Some(1_800_000_000_000)),
            ("", None),
            (".", None),
            ("1.2.3", None),
            ("fast", None),
            ("99999999999999h", None),
            ("2µs", None),
        ] {
            assert_eq!(read_duration(text), nanos, "{text}");
        }
    }
}
