//! What the reader wants to see, and in which order.

use std::collections::HashSet;
use std::sync::Arc;

use super::Filter;
use crate::trace::{AgentId, CallKey};

/// What the reader wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Leaves out exchanges without calls and traffic that is no model call.
    pub quiet: bool,
    /// Leaves out exchanges.
    pub cards_only: bool,
    /// The sub-agents whose blocks are open.
    pub open_agents: HashSet<AgentId>,
    /// What the rows are ordered by.
    pub sort: Sort,
    /// Which end comes first.
    pub direction: Direction,
    /// Which calls are shown.
    pub filter: Filter,
    /// What is looked for, as it was typed.
    pub needle: String,
    /// Only the calls that were found are shown.
    pub only_found: bool,
    /// The calls that are shown, when only those that were found are.
    pub matches: Option<Arc<HashSet<CallKey>>>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            quiet: true,
            cards_only: false,
            open_agents: HashSet::new(),
            sort: Sort::Time,
            direction: Direction::Ascending,
            filter: Filter::default(),
            needle: String::new(),
            only_found: false,
            matches: None,
        }
    }
}

impl View {
    /// Whether rows stand as they came, blocks and places included.
    #[must_use]
    pub fn in_time(&self) -> bool {
        (self.sort, self.direction) == (Sort::Time, Direction::Ascending)
    }
}

/// What rows are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// When they began.
    #[default]
    Time,
    /// How long they took.
    Duration,
    /// The tool's name.
    Tool,
    /// The bytes of the result that are held.
    ResultSize,
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// The smallest.
    #[default]
    Ascending,
    /// The largest.
    Descending,
}

impl Sort {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Time, Self::Duration, Self::Tool, Self::ResultSize];

    /// Its name for the reader and in links (specs: design §4).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Tool => "tool",
            Self::ResultSize => "result size",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.name() == name)
    }

    /// The direction that is mostly wanted: what is long or large first.
    #[must_use]
    pub fn direction(self) -> Direction {
        match self {
            Self::Time | Self::Tool => Direction::Ascending,
            Self::Duration | Self::ResultSize => Direction::Descending,
        }
    }

    /// The next one, and after the last the first.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }
}

impl Direction {
    /// The other one.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }

    /// A key that sorts upwards into this direction. `!` turns the order and, unlike `-`, never overflows.
    pub(super) fn key(self, key: i64) -> i64 {
        match self {
            Self::Ascending => key,
            Self::Descending => !key,
        }
    }
}
