//! When to read a session again (specs: ledger, *Live*). Times are milliseconds of any steady clock.

/// A stale timeline is fetched at most once in this time.
const STALE_MS: i64 = 1_000;
/// One that nothing was heard of is fetched this often.
const IDLE_MS: i64 = 10_000;
/// How long to wait after the first, second, … failure in a row.
const BACK_OFF_MS: [i64; 6] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/// After this many failures in a row the source counts as gone, though it is still tried.
const OFFLINE_AFTER: usize = 4;

/// The policy as a state machine: [`Refresh::on`] tells it what happened, [`Refresh::due`] says when to fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refresh {
    in_flight: bool,
    hidden: bool,
    stale: bool,
    started: Option<i64>,
    ended: Option<i64>,
    failures: usize,
}

/// What can happen to a session that is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Something of the session changed.
    Stale,
    /// A fetch began.
    Started,
    /// It brought an answer.
    Succeeded,
    /// It did not.
    Failed,
    /// Nobody looks at the page.
    Hidden,
    /// Somebody does again.
    Shown,
    /// The reader asked for a fetch now.
    Retry,
}

/// How well the source can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// The last fetch brought an answer.
    Live,
    /// It did not, or none has yet; it is tried again.
    #[default]
    Reconnecting,
    /// Several in a row did not; it is tried again, seldom.
    Offline,
}

impl Refresh {
    /// Takes what happened at `now`.
    pub fn on(&mut self, signal: Signal, now: i64) {
        match signal {
            Signal::Stale => self.stale = true,
            Signal::Started => {
                self.in_flight = true;
                // What changes from here on is not in the answer.
                self.stale = false;
                self.started = Some(now);
            }
            Signal::Succeeded => self.end(now, 0),
            Signal::Failed => self.end(now, self.failures + 1),
            Signal::Hidden => self.hidden = true,
            Signal::Shown => self.hidden = false,
            Signal::Retry => {
                self.stale = true;
                self.started = None;
                self.ended = None;
            }
        }
    }

    fn end(&mut self, now: i64, failures: usize) {
        self.in_flight = false;
        self.ended = Some(now);
        self.failures = failures;
    }

    /// When the next fetch is to begin, which may be in the past. `None` while one is under way or nobody looks.
    #[must_use]
    pub fn due(&self) -> Option<i64> {
        if self.in_flight || self.hidden {
            return None;
        }
        let (Some(started), Some(ended)) = (self.started, self.ended) else { return Some(i64::MIN) };
        Some(match self.failures {
            0 if self.stale => started + STALE_MS,
            0 => ended + IDLE_MS,
            failures => ended + BACK_OFF_MS[failures.min(BACK_OFF_MS.len()) - 1],
        })
    }

    /// How well the source can be reached.
    #[must_use]
    pub fn connection(&self) -> Connection {
        match (self.failures, self.ended) {
            (0, Some(_)) => Connection::Live,
            (failures, _) if failures >= OFFLINE_AFTER => Connection::Offline,
            _ => Connection::Reconnecting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Signal::*;
    use super::*;

    fn after(signals: &[(Signal, i64)]) -> Refresh {
        let mut refresh = Refresh::default();
        for &(signal, now) in signals {
            refresh.on(signal, now);
        }
        refresh
    }

    #[test]
    fn the_first_fetch_is_due_at_once() {
        assert_eq!(Refresh::default().due(), Some(i64::MIN));
    }

    #[test]
    fn one_fetch_is_under_way_at_a_time() {
        assert_eq!(after(&[(Started, 0), (Stale, 5)]).due(), None);
    }

    #[test]
    fn a_stale_session_is_fetched_once_a_second_and_an_idle_one_every_ten() {
        assert_eq!(after(&[(Started, 0), (Succeeded, 300)]).due(), Some(10_300));
        assert_eq!(after(&[(Started, 0), (Succeeded, 300), (Stale, 400), (Stale, 500)]).due(), Some(1_000));
    }

    #[test]
    fn a_change_during_a_fetch_is_not_lost() {
        assert_eq!(after(&[(Started, 0), (Stale, 100), (Succeeded, 2_500)]).due(), Some(1_000));
    }

    #[test]
    fn failures_in_a_row_are_tried_ever_more_seldom() {
        let mut refresh = Refresh::default();
        let waits: Vec<_> = (0..8)
            .map(|_| {
                refresh.on(Started, 0);
                refresh.on(Failed, 100);
                refresh.on(Stale, 150);
                refresh.due().unwrap() - 100
            })
            .collect();
        assert_eq!(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
        refresh.on(Started, 0);
        refresh.on(Succeeded, 100);
        assert_eq!(refresh.due(), Some(10_100));
    }

    #[test]
    fn a_hidden_page_rests_and_catches_up() {
        assert_eq!(after(&[(Started, 0), (Succeeded, 1), (Hidden, 2), (Stale, 3)]).due(), None);
        assert_eq!(after(&[(Started, 0), (Succeeded, 1), (Hidden, 2), (Stale, 3), (Shown, 60_000)]).due(), Some(1_000));
    }

    #[test]
    fn a_reader_who_asks_does_not_wait() {
        assert_eq!(after(&[(Started, 0), (Failed, 1), (Retry, 2)]).due(), Some(i64::MIN));
    }

    #[test]
    fn the_connection_tells_how_the_last_fetches_went() {
        let mut refresh = Refresh::default();
        assert_eq!(refresh.connection(), Connection::Reconnecting);
        refresh.on(Succeeded, 0);
        assert_eq!(refresh.connection(), Connection::Live);
        for expected in
            [Connection::Reconnecting, Connection::Reconnecting, Connection::Reconnecting, Connection::Offline]
        {
            refresh.on(Failed, 0);
            assert_eq!(refresh.connection(), expected);
        }
        refresh.on(Started, 0);
        assert_eq!(refresh.connection(), Connection::Offline, "trying does not make it better");
    }
}
