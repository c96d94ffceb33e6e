use super::*;
use proptest::prelude::*;

const ROW: Length = 32 * PIXEL;

fn list(rows: u32) -> Geometry {
    let mut list = Geometry::new(ROW);
    list.set_order(&(0..rows).collect::<Vec<_>>(), None);
    list
}

#[test]
fn an_empty_list_has_nothing_to_show() {
    let list = Geometry::new(ROW);
    assert_eq!((list.total(), list.at(0), list.anchor(5)), (0, None, None));
    assert_eq!(list.window(0, 600, 4), Window { rows: 0..0, above: 0, below: 0 });
}

#[test]
fn a_row_begins_where_those_before_it_end() {
    let mut list = list(5);
    list.set_height(1, Some(10 * ROW));
    assert_eq!((0..6).map(|row| list.offset(row) / ROW).collect::<Vec<_>>(), [0, 1, 11, 12, 13, 14]);
    for (offset, position) in [(-1, 0), (0, 0), (ROW - 1, 0), (ROW, 1), (11 * ROW - 1, 1), (11 * ROW, 2), (99 * ROW, 4)]
    {
        assert_eq!(list.at(offset), Some(position), "{offset}");
    }
    list.set_height(1, None);
    assert_eq!(list.total(), 5 * ROW);
}

#[test]
fn the_window_holds_what_is_in_view_and_a_little_more() {
    let list = list(100);
    let window = list.window(10 * ROW + 1, 5 * ROW, 2);
    assert_eq!(window, Window { rows: 8..18, above: 8 * ROW, below: 82 * ROW });
    assert_eq!(list.window(0, 5 * ROW, 2).rows, 0..7);
    assert_eq!(list.window(99 * ROW, 5 * ROW, 2).rows, 97..100);
}

#[test]
fn a_row_that_comes_back_is_as_tall_as_it_was() {
    let mut list = list(3);
    list.set_height(1, Some(7 * ROW));
    list.set_order(&[0, 2], None);
    assert_eq!(list.total(), 2 * ROW);
    list.set_order(&[2, 1, 0], None);
    assert_eq!(list.top_of(0), Some(8 * ROW));
}

#[test]
fn a_list_that_a_browser_can_lay_out_is_not_scaled() {
    let scale = Scale::new(100_000 * ROW, 600 * PIXEL);
    assert_eq!(scale.height(), 100_000 * ROW);
    assert_eq!(scale.to_list(12_345), 12_345);
}

#[test]
fn a_taller_list_is_scaled_and_both_ends_are_reached() {
    let (total, viewport) = (5 * TALLEST, 600 * PIXEL);
    let scale = Scale::new(total, viewport);
    assert_eq!(scale.height(), TALLEST);
    assert_eq!(scale.to_list(TALLEST - viewport), total - viewport);
    assert_eq!(scale.to_element(total - viewport), TALLEST - viewport);
    // A turn of the wheel moves the rows by what it says.
    assert_eq!(scale.scrolled(1_000_000, 200_000, 200_000 + 53 * PIXEL), 1_000_000 + 53 * PIXEL);
    // The scroll bar moves to scale.
    assert_eq!(scale.scrolled(0, 0, TALLEST / 2), scale.to_list(TALLEST / 2));
    assert_eq!(scale.scrolled(900, 300, 0), 0);
}

#[derive(Clone, Debug)]
enum Step {
    Measure(RowId, Option<Length>),
    Order(Vec<RowId>),
    Closed(Length),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..20_u32, prop::option::of(0..5_000_i64)).prop_map(|(row, height)| Step::Measure(row, height)),
        prop::sample::subsequence((0..20).collect::<Vec<RowId>>(), 0..20).prop_shuffle().prop_map(Step::Order),
        (1..3_000_i64).prop_map(Step::Closed),
    ]
}

proptest! {
    #[test]
    fn the_anchor_never_moves(start in 0..40_000_i64, steps in prop::collection::vec(step(), 1..20)) {
        let mut list = list(20);
        let mut scroll = start;
        for step in steps {
            let former = list.clone();
            let Some(mut anchor) = list.anchor(scroll) else { break };
            match step {
                Step::Measure(row, height) => list.set_height(row, height),
                Step::Closed(height) => list.set_closed_height(height),
                Step::Order(order) => {
                    if let Some(kept) = list.set_order(&order, Some(anchor)) {
                        anchor = kept;
                    } else {
                        prop_assert!(!former.order.iter().any(|row| order.contains(row)));
                        break;
                    }
                }
            }
            let stood = former.top_of(anchor.row).unwrap() - scroll;
            scroll = list.scroll_for(anchor).unwrap();
            prop_assert_eq!(list.top_of(anchor.row).unwrap() - scroll, stood);
            // It is the very row unless that is gone, and then no row that stayed stands between.
            let first = former.anchor(former.top_of(anchor.row).unwrap() - stood).unwrap().row;
            if anchor.row != first {
                prop_assert!(list.position(first).is_none());
                let (from, to) = (former.position(first).unwrap(), former.position(anchor.row).unwrap());
                let between = if from < to { from..to } else { to + 1..from };
                prop_assert!(former.order[between].iter().all(|&row| list.position(row).is_none()));
            }
        }
    }

    #[test]
    fn offsets_are_the_sums_of_heights(heights in prop::collection::vec(prop::option::of(0..900_i64), 1..70), at in -5..60_000_i64) {
        let mut list = list(u32::try_from(heights.len()).unwrap());
        for (row, &height) in (0..).zip(&heights) {
            list.set_height(row, height);
        }
        let mut sum = 0;
        let mut covers = 0;
        for (position, height) in heights.iter().enumerate() {
            prop_assert_eq!(list.offset(position), sum);
            if sum <= at.max(0) {
                covers = position;
            }
            sum += height.unwrap_or(ROW);
        }
        prop_assert_eq!(list.total(), sum);
        prop_assert_eq!(list.at(at), Some(covers));
    }

    #[test]
    fn scaling_keeps_the_order(total in 0..(9 * TALLEST), a in 0..(9 * TALLEST), b in 0..(9 * TALLEST)) {
        let scale = Scale::new(total, 600 * PIXEL);
        prop_assert!(scale.height() <= TALLEST);
        prop_assert!(scale.to_element(a.min(b)) <= scale.to_element(a.max(b)));
        let element = scale.to_element(a);
        prop_assert!((scale.to_element(scale.to_list(element)) - element).abs() <= 1);
    }
}
