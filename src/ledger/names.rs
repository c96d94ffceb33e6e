//! Names as small numbers, so that 100,000 calls are counted and compared by number.

use std::collections::HashMap;
use std::sync::Arc;

/// Numbers names in the order in which they come up.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Arc<str>, usize>,
    /// The last one asked for: neighbours mostly have the same.
    last: Option<(Arc<str>, usize)>,
}

impl Names {
    /// The number of a name; a new one gets the next.
    pub(super) fn number(&mut self, name: &Arc<str>) -> usize {
        if let Some((_, number)) = self.last.as_ref().filter(|(last, _)| last == name) {
            return *number;
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(Arc::clone(name)).or_insert(next);
        self.last = Some((Arc::clone(name), number));
        number
    }
}

/// The place of each name in the order of the alphabet; equal names share one.
pub(super) fn ranks(names: &[&Arc<str>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_unstable_by(|&a, &b| names[a].cmp(names[b]));
    let mut ranks = vec![0; names.len()];
    let mut rank = 0;
    for (place, &position) in order.iter().enumerate() {
        if place > 0 && names[order[place - 1]] != names[position] {
            rank = place;
        }
        ranks[position] = rank;
    }
    ranks
}
