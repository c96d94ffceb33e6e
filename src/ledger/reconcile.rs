//! Old rows and a new session: what changed. The page touches only that.

use std::collections::{HashMap, HashSet};

use super::{Row, RowKey};

/// A small name for a row, the same through refreshes.
pub type RowId = u32;

/// Knows the rows that are shown.
#[derive(Debug, Default)]
pub struct Reconciler {
    ids: HashMap<RowKey, RowId>,
    shown: HashMap<RowId, Row>,
    order: Vec<RowId>,
}

/// What changed.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// The rows in their order, when it is another one.
    pub order: Option<Vec<RowId>>,
    /// Rows that are new or say something else.
    pub set: Vec<(RowId, Row)>,
    /// Rows that are no longer shown.
    pub gone: Vec<RowId>,
}

impl Reconciler {
    /// Takes the rows that are to be shown now. Of two with the same key the second is left out:
    /// a list with repeated keys would be drawn wrong.
    pub fn reconcile(&mut self, rows: Vec<Row>) -> Changes {
        let mut changes = Changes::default();
        let mut order = Vec::with_capacity(rows.len());
        let mut seen = HashSet::with_capacity(rows.len());
        for row in rows {
            let id = self.id(row.key());
            if !seen.insert(id) {
                continue;
            }
            order.push(id);
            if self.shown.get(&id) != Some(&row) {
                self.shown.insert(id, row.clone());
                changes.set.push((id, row));
            }
        }
        if order != self.order {
            changes.gone = self.order.iter().copied().filter(|id| !seen.contains(id)).collect();
            for id in &changes.gone {
                self.shown.remove(id);
            }
            self.order.clone_from(&order);
            changes.order = Some(order);
        }
        changes
    }

    /// The small name of `key`; a row that was gone comes back under its old one.
    pub fn id(&mut self, key: RowKey) -> RowId {
        let next = RowId::try_from(self.ids.len()).unwrap_or(RowId::MAX);
        *self.ids.entry(key).or_insert(next)
    }

    /// The small name of `key`, if it ever had one.
    #[must_use]
    pub fn known(&self, key: &RowKey) -> Option<RowId> {
        self.ids.get(key).copied()
    }

    /// The row that is shown under this name.
    #[must_use]
    pub fn row(&self, id: RowId) -> Option<&Row> {
        self.shown.get(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::MissingRow;
    use proptest::prelude::*;

    fn row(exchange: u64, has_older: bool) -> Row {
        Row::Missing(MissingRow { exchange, has_older, depth: 0 })
    }

    #[test]
    fn only_what_changed_is_told() {
        let mut reconciler = Reconciler::default();
        let first = reconciler.reconcile(vec![row(1, false), row(2, false)]);
        assert_eq!(first.order, Some(vec![0, 1]));
        assert_eq!(first.set.len(), 2);
        assert_eq!(reconciler.reconcile(vec![row(1, false), row(2, false)]), Changes::default());

        let grown = reconciler.reconcile(vec![row(1, false), row(2, true), row(3, false)]);
        assert_eq!(
            grown,
            Changes { order: Some(vec![0, 1, 2]), set: vec![(1, row(2, true)), (2, row(3, false))], gone: vec![] }
        );

        let shrunk = reconciler.reconcile(vec![row(3, false), row(1, false)]);
        assert_eq!(shrunk, Changes { order: Some(vec![2, 0]), set: vec![], gone: vec![1] });
    }

    #[test]
    fn a_row_that_comes_back_is_told_again_under_its_name() {
        let mut reconciler = Reconciler::default();
        reconciler.reconcile(vec![row(1, false)]);
        reconciler.reconcile(vec![]);
        assert_eq!(reconciler.reconcile(vec![row(1, false)]).set, [(0, row(1, false))]);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_what_was_wanted(steps in prop::collection::vec(prop::collection::vec((0_u64..6, any::<bool>()), 0..8), 1..6)) {
            let mut reconciler = Reconciler::default();
            let mut page: HashMap<RowId, Row> = HashMap::new();
            let mut order = Vec::new();
            for step in steps {
                let wanted: Vec<_> = step.into_iter().map(|(exchange, older)| row(exchange, older)).collect();
                let changes = reconciler.reconcile(wanted.clone());
                page.extend(changes.set);
                for id in changes.gone {
                    page.remove(&id);
                }
                order = changes.order.unwrap_or(order);
                let mut seen = HashSet::new();
                let distinct: Vec<_> = wanted.into_iter().filter(|row| seen.insert(row.key())).collect();
                prop_assert_eq!(order.iter().map(|id| page[id].clone()).collect::<Vec<_>>(), distinct);
                prop_assert_eq!(page.len(), order.len());
            }
        }
    }
}
