//! What time it is, here.

use crate::trace::Timestamp;

/// Now, to the millisecond.
#[must_use]
pub fn now() -> Timestamp {
    Timestamp::from_millis(now_millis()).unwrap_or(Timestamp(0))
}

/// Milliseconds since the epoch.
#[must_use]
pub fn now_millis() -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds of any date fit")]
    let millis = js_sys::Date::now() as i64;
    millis
}

/// Minutes that the reader's clock stands east of UTC at that instant.
#[must_use]
pub fn offset_minutes(at: Timestamp) -> i32 {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of any date are exact in an f64")]
    let date = js_sys::Date::new(&(at.millis() as f64).into());
    #[expect(clippy::cast_possible_truncation, reason = "a day has 1,440 minutes")]
    let west = date.get_timezone_offset() as i32;
    -west
}
