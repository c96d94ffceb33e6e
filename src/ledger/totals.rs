//! Totals for each tool (specs: ledger, *Totals*).

use std::sync::Arc;

use super::names::Names;
use super::{Direction, Took, took};
use crate::trace::{Outcome, Timestamp, ToolCall, reorder, time_order};

/// The totals of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Of all tools together.
    pub all: Total,
    /// Of each tool, in the order in which they came up until they are sorted.
    pub tools: Vec<Total>,
}

/// Figures of one tool. Times are nanoseconds over calls that ended and whose clocks agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The tool; empty for all together, and for calls whose name is not known.
    pub tool: Arc<str>,
    /// How many calls.
    pub calls: usize,
    /// How many of them failed.
    pub errors: usize,
    /// The sum of their times.
    pub total: i64,
    /// Half of the calls took no longer; absent when no call has a time.
    pub p50: Option<i64>,
    /// 95 of 100 calls took no longer.
    pub p95: Option<i64>,
    /// The longest.
    pub max: Option<i64>,
    /// Its share of the time of all tools, in thousandths.
    pub share: u32,
}

/// What the totals can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The tool's name.
    Tool,
    /// How many calls.
    Calls,
    /// How many errors.
    Errors,
    /// The sum of times, and so the share too.
    Total,
    /// The median.
    P50,
    /// The 95th percentile.
    P95,
    /// The longest.
    Max,
}

impl Totals {
    /// The totals of these calls.
    #[must_use]
    pub fn of(calls: &[Arc<ToolCall>]) -> Self {
        let mut names = Names::default();
        let mut tools: Vec<Total> = Vec::new();
        let mut all = Total::default();
        let mut times = Vec::with_capacity(calls.len());
        for call in calls {
            let tool = names.number(&call.name);
            if tool == tools.len() {
                tools.push(Total { tool: Arc::clone(&call.name), ..Total::default() });
            }
            for total in [&mut tools[tool], &mut all] {
                total.calls += 1;
                total.errors += usize::from(call.outcome == Outcome::Error);
            }
            if let Took::Nanos(nanos) = took(call) {
                times.push((tool, nanos));
            }
        }
        // Sorted by time, each tool's times fall into its own list in order.
        let order = time_order(times.iter().map(|&(_, nanos)| (Some(Timestamp(nanos)), 0)));
        let mut sorted: Vec<Vec<i64>> = vec![Vec::new(); tools.len()];
        let mut sorted_all = Vec::with_capacity(times.len());
        for position in order {
            let (tool, nanos) = times[position];
            sorted[tool].push(nanos);
            sorted_all.push(nanos);
        }
        all.take(&sorted_all);
        for (tool, times) in tools.iter_mut().zip(&sorted) {
            tool.take(times);
            tool.share = share(tool.total, all.total);
        }
        all.share = share(all.total, all.total);
        Self { all, tools }
    }

    /// Sorts the tools; ties keep their order, and what has no such figure stands last either way.
    pub fn sort(&mut self, by: Column, direction: Direction) {
        let names: Vec<_> = self.tools.iter().map(|tool| &tool.tool).collect();
        let ranks = if by == Column::Tool { super::names::ranks(&names) } else { Vec::new() };
        let count = |count: usize| i64::try_from(count).ok();
        let figure = |(position, tool): (usize, &Total)| match by {
            Column::Tool => ranks.get(position).copied().and_then(count),
            Column::Calls => count(tool.calls),
            Column::Errors => count(tool.errors),
            Column::Total => Some(tool.total),
            Column::P50 => tool.p50,
            Column::P95 => tool.p95,
            Column::Max => tool.max,
        };
        let key = |figure: Option<i64>| (figure.is_none(), figure.map_or(0, |figure| direction.key(figure)));
        let keys = self.tools.iter().enumerate().map(figure).map(key);
        let order = time_order(keys.map(|(missing, key)| (Some(Timestamp(if missing { i64::MAX } else { key })), 0)));
        reorder(&mut self.tools, &order);
    }
}

impl Total {
    /// Takes the times of its calls, sorted.
    fn take(&mut self, times: &[i64]) {
        self.total = times.iter().fold(0, |sum, &nanos| sum.saturating_add(nanos));
        self.p50 = nearest_rank(times, 50);
        self.p95 = nearest_rank(times, 95);
        self.max = times.last().copied();
    }
}

/// The smallest of the sorted values that at least `percent` of 100 of them do not exceed.
fn nearest_rank(sorted: &[i64], percent: usize) -> Option<i64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

/// `part` of `whole` in thousandths, rounded.
fn share(part: i64, whole: i64) -> u32 {
    let (part, whole) = (i128::from(part), i128::from(whole));
    if whole == 0 { 0 } else { u32::try_from((part * 1_000 + whole / 2) / whole).unwrap_or(1_000).min(1_000) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{CallKey, Content, Span};
    use proptest::prelude::*;

    fn call(name: &str, outcome: Outcome, start: Option<i64>, end: Option<i64>) -> Arc<ToolCall> {
        Arc::new(ToolCall {
            key: CallKey { agent: "main".into(), id: "".into(), nth: 0 },
            name: name.into(),
            asked_by: None,
            span: Span { start: start.map(Timestamp), end: end.map(Timestamp) },
            approximate: false,
            outcome,
            preview: None,
            input: Content::None,
            output: Content::None,
            structured: None,
        })
    }

    fn took(name: &str, nanos: i64) -> Arc<ToolCall> {
        call(name, Outcome::Ok, Some(100), Some(100 + nanos))
    }

    #[test]
    fn each_tool_has_its_figures_and_all_together_have_theirs() {
        let calls = [
            took("Bash", 10),
            took("Read", 30),
            call("Bash", Outcome::Error, Some(0), Some(50)),
            call("Bash", Outcome::Running, Some(0), None),
            call("Bash", Outcome::Lost, Some(0), Some(900)),
            call("Bash", Outcome::Ok, Some(9), Some(0)),
            call("Read", Outcome::Ok, None, Some(7)),
            call("Web", Outcome::Running, Some(0), None),
        ];
        let totals = Totals::of(&calls);
        let bash = Total {
            tool: "Bash".into(),
            calls: 5,
            errors: 1,
            total: 60,
            p50: Some(10),
            p95: Some(50),
            max: Some(50),
            share: 667,
        };
        assert_eq!(totals.tools[0], bash);
        assert_eq!(totals.tools[1].share, 333);
        assert_eq!(totals.tools[2], Total { tool: "Web".into(), calls: 1, ..Total::default() });
        let all = &totals.all;
        assert_eq!((all.calls, all.errors, all.total, all.p50, all.max), (8, 1, 90, Some(30), Some(50)));
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let times: Vec<i64> = (1..=20).collect();
        assert_eq!(nearest_rank(&times, 50), Some(10));
        assert_eq!(nearest_rank(&times, 95), Some(19));
        assert_eq!(nearest_rank(&times[..1], 95), Some(1));
        assert_eq!(nearest_rank(&times[..3], 50), Some(2));
        assert_eq!(nearest_rank(&[], 50), None);
    }

    #[test]
    fn each_column_sorts_both_ways_and_what_has_no_figure_stands_last() {
        let calls = [took("b", 5), call("x", Outcome::Running, Some(0), None), took("a", 9), took("b", 7)];
        for (column, direction, names) in [
            (Column::Tool, Direction::Ascending, "a b x"),
            (Column::Tool, Direction::Descending, "x b a"),
            (Column::Calls, Direction::Descending, "b x a"),
            (Column::Errors, Direction::Descending, "b x a"),
            (Column::Total, Direction::Ascending, "x a b"),
            (Column::P50, Direction::Descending, "a b x"),
            (Column::P50, Direction::Ascending, "b a x"),
            (Column::Max, Direction::Descending, "a b x"),
        ] {
            let mut totals = Totals::of(&calls);
            totals.sort(column, direction);
            let sorted: Vec<_> = totals.tools.iter().map(|tool| tool.tool.to_string()).collect();
            assert_eq!(sorted.join(" "), names, "{column:?} {direction:?}");
        }
    }

    proptest! {
        #[test]
        fn figures_of_any_times_hold(times in prop::collection::vec((0..3_usize, any::<i64>(), any::<i64>()), 0..30)) {
            let calls: Vec<_> = times
                .iter()
                .map(|&(name, start, end)| call(["a", "b", "c"][name], Outcome::Ok, Some(start), Some(end)))
                .collect();
            let totals = Totals::of(&calls);
            prop_assert_eq!(totals.tools.iter().map(|tool| tool.calls).sum::<usize>(), calls.len());
            for total in totals.tools.iter().chain([&totals.all]) {
                prop_assert!(total.p50 <= total.p95 && total.p95 <= total.max && total.share <= 1_000);
            }
        }
    }
}
