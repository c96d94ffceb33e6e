//! Where each row of the list stands (specs: ledger, *The list*).
//!
//! Lengths are whole numbers of 1/64 px, the unit in which browsers lay out: no rounding adds up over 100,000 rows.

use std::ops::Range;

use super::RowId;

/// A length in 1/64 px.
pub type Length = i64;

/// One CSS pixel.
pub const PIXEL: Length = 64;

/// The tallest element that every browser lays out: some stop at 17.9 million pixels.
const TALLEST: Length = 16_000_000 * PIXEL;

const NONE: u32 = u32::MAX;

/// The heights of all rows: fixed for closed ones, as measured for open ones. Measures outlive the row's absence.
#[derive(Clone, Debug)]
pub struct Geometry {
    closed: Length,
    order: Vec<RowId>,
    /// Where each row stands, by its name.
    positions: Vec<u32>,
    /// What was measured, by the row's name.
    measured: Vec<Option<Length>>,
    /// A Fenwick tree of the heights: each node holds the sum of the range that ends with it.
    sums: Vec<Length>,
}

/// A row that must not move under the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The row.
    pub row: RowId,
    /// How far its top stands below the top of the viewport; negative when it is cut.
    pub within: Length,
}

/// What is to be mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Positions of rows.
    pub rows: Range<usize>,
    /// The space above them.
    pub above: Length,
    /// The space below them.
    pub below: Length,
}

impl Geometry {
    /// An empty list whose closed rows are `closed` tall.
    #[must_use]
    pub fn new(closed: Length) -> Self {
        let closed = closed.max(1);
        Self { closed, order: Vec::new(), positions: Vec::new(), measured: Vec::new(), sums: Vec::new() }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Takes other rows, or another order. The anchor that comes back is the one that went in or, when its row is gone, the
    /// next row that stayed, where it stood.
    pub fn set_order(&mut self, order: &[RowId], anchor: Option<Anchor>) -> Option<Anchor> {
        let former = anchor.and_then(|anchor| Some((anchor, self.position(anchor.row)?, self.top_of(anchor.row)?)));
        let names = order.iter().max().map_or(0, |&last| last as usize + 1);
        let mut positions = vec![NONE; names.max(self.positions.len())];
        for (position, &row) in order.iter().enumerate() {
            positions[row as usize] = u32::try_from(position).unwrap_or(NONE);
        }
        let stays = |row: RowId| positions[row as usize] != NONE;
        let anchor = former.and_then(|(anchor, position, top)| {
            let after = self.order[position..].iter().copied().find(|&row| stays(row));
            let row = after.or_else(|| self.order[..position].iter().rev().copied().find(|&row| stays(row)))?;
            Some(Anchor { row, within: anchor.within + self.top_of(row)? - top })
        });
        self.positions = positions;
        order.clone_into(&mut self.order);
        self.add_up();
        anchor
    }

    /// Takes another height for closed rows, as when the font changes.
    pub fn set_closed_height(&mut self, closed: Length) {
        self.closed = closed.max(1);
        self.add_up();
    }

    /// Takes the measured height of an open row; `None` when it was closed.
    pub fn set_height(&mut self, row: RowId, height: Option<Length>) {
        let former = self.height(row);
        let name = row as usize;
        if name >= self.measured.len() {
            self.measured.resize(name + 1, None);
        }
        self.measured[name] = height.map(|height| height.max(0));
        let change = self.height(row) - former;
        let Some(position) = self.position(row).filter(|_| change != 0) else { return };
        let mut node = position + 1;
        while let Some(sum) = self.sums.get_mut(node) {
            *sum += change;
            node += lowest_bit(node);
        }
    }

    /// The height of a row.
    #[must_use]
    pub fn height(&self, row: RowId) -> Length {
        self.measured.get(row as usize).copied().flatten().unwrap_or(self.closed)
    }

    /// The height of all rows.
    #[must_use]
    pub fn total(&self) -> Length {
        self.offset(self.len())
    }

    /// Where the row at `position` begins; the end of the list for any position behind it.
    #[must_use]
    pub fn offset(&self, position: usize) -> Length {
        let mut node = position.min(self.len());
        let mut sum = 0;
        while node > 0 {
            sum += self.sums[node];
            node -= lowest_bit(node);
        }
        sum
    }

    /// Where a row stands in the order.
    #[must_use]
    pub fn position(&self, row: RowId) -> Option<usize> {
        self.positions.get(row as usize).filter(|&&position| position != NONE).map(|&position| position as usize)
    }

    /// Where a row begins.
    #[must_use]
    pub fn top_of(&self, row: RowId) -> Option<Length> {
        Some(self.offset(self.position(row)?))
    }

    /// The position of the row that covers `offset`: the last one for an offset behind the end.
    #[must_use]
    pub fn at(&self, offset: Length) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let (mut node, mut rest) = (0, offset.max(0));
        let mut step = self.len().checked_ilog2().map_or(0, |bits| 1_usize << bits);
        while step > 0 {
            if let Some(&sum) = self.sums.get(node + step).filter(|&&sum| sum <= rest) {
                node += step;
                rest -= sum;
            }
            step >>= 1;
        }
        Some(node.min(last))
    }

    /// The first row in view when the list is scrolled to `scroll`.
    #[must_use]
    pub fn anchor(&self, scroll: Length) -> Option<Anchor> {
        let position = self.at(scroll)?;
        Some(Anchor { row: self.order[position], within: self.offset(position) - scroll })
    }

    /// The scroll position at which the anchor stands where it stood; see [`Geometry::clamp`] for the ends of the list.
    #[must_use]
    pub fn scroll_for(&self, anchor: Anchor) -> Option<Length> {
        Some(self.top_of(anchor.row)? - anchor.within)
    }

    /// The nearest scroll position that a viewport of this height can take.
    #[must_use]
    pub fn clamp(&self, scroll: Length, viewport: Length) -> Length {
        scroll.clamp(0, (self.total() - viewport).max(0))
    }

    /// The rows in view and `overscan` more on either side.
    #[must_use]
    pub fn window(&self, scroll: Length, viewport: Length, overscan: usize) -> Window {
        let (Some(first), Some(last)) = (self.at(scroll), self.at(scroll.saturating_add(viewport.max(1)) - 1)) else {
            return Window { rows: 0..0, above: 0, below: 0 };
        };
        let rows = first.saturating_sub(overscan)..(last + 1).saturating_add(overscan).min(self.len());
        let (above, end) = (self.offset(rows.start), self.offset(rows.end));
        Window { rows, above, below: self.total() - end }
    }

    fn add_up(&mut self) {
        let mut sums = vec![0; self.len() + 1];
        for (position, &row) in self.order.iter().enumerate() {
            let node = position + 1;
            // Of two rows with the same name the last is the one that can be measured; both are as tall.
            sums[node] += self.height(row);
            let (sum, parent) = (sums[node], node + lowest_bit(node));
            if let Some(above) = sums.get_mut(parent) {
                *above += sum;
            }
        }
        self.sums = sums;
    }
}

fn lowest_bit(node: usize) -> usize {
    node & node.wrapping_neg()
}

/// The list's coordinates in an element that is no taller than a browser can lay out.
///
/// Below the limit both are the same. Above it the scroll bar covers the list to scale, while wheel and keys move it by
/// what they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// How far the list can be scrolled.
    list: Length,
    /// How far the element can.
    element: Length,
    viewport: Length,
}

impl Scale {
    /// For a list of this height in a viewport of this height.
    #[must_use]
    pub fn new(total: Length, viewport: Length) -> Self {
        let viewport = viewport.clamp(0, TALLEST / 2);
        let list = (total - viewport).max(0);
        Self { list, element: list.min(TALLEST - viewport), viewport }
    }

    /// How tall the element has to be.
    #[must_use]
    pub fn height(&self) -> Length {
        self.element + self.viewport
    }

    /// Where the element is scrolled to when the list is scrolled to `scroll`.
    #[must_use]
    pub fn to_element(&self, scroll: Length) -> Length {
        scaled(scroll.clamp(0, self.list), self.element, self.list)
    }

    /// Where the list is scrolled to when the element is scrolled to `scroll`.
    #[must_use]
    pub fn to_list(&self, scroll: Length) -> Length {
        scaled(scroll.clamp(0, self.element), self.list, self.element)
    }

    /// Where the list is scrolled to, from `list`, after the element was scrolled from `from` to `to`. Steps up to two
    /// viewports are taken as they are; longer ones are the scroll bar's, and are taken to scale. The ends are the ends.
    #[must_use]
    pub fn scrolled(&self, list: Length, from: Length, to: Length) -> Length {
        let step = to - from;
        if to <= 0 || to >= self.element || step.abs() > 2 * self.viewport {
            return self.to_list(to);
        }
        (list + step).clamp(0, self.list)
    }
}

/// `value × to ÷ from`, rounded.
fn scaled(value: Length, to: Length, from: Length) -> Length {
    if from == to || from == 0 {
        return value;
    }
    let (value, to, from) = (i128::from(value), i128::from(to), i128::from(from));
    i64::try_from((value * to + from / 2) / from).unwrap_or(Length::MAX)
}

#[cfg(test)]
mod tests;
