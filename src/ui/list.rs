//! Which rows are mounted (specs: ledger, *The list*): all of them up to a limit, so that the browser's own search and
//! assistive technology see the whole session; above it those in view and a few around them. Nothing else on the page
//! knows which.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::erased::effect;
use super::screen::{ROW_ID, Screen};
use crate::host::sizes::Sizes;
use crate::ledger::{Geometry, Length, PIXEL, RowId, Scale};

/// Up to so many rows all are mounted.
const MOUNT_ALL: usize = 4_000;
/// How many rows are mounted above and below those in view.
const OVERSCAN: usize = 8;
/// What a closed row measures until one was measured.
const CLOSED: Length = 30 * PIXEL;

/// The rows of a screen that are mounted.
#[derive(Clone, Copy)]
pub struct List {
    screen: Screen,
    /// In their order.
    pub mounted: RwSignal<Vec<RowId>>,
    /// The space above and below them, in whole pixels.
    pub space: RwSignal<(i64, i64)>,
    inner: StoredValue<Inner, LocalStorage>,
}

struct Inner {
    geometry: Geometry,
    element: Option<Element>,
    sizes: Option<Sizes>,
    /// Where the list is scrolled to, and where its element was then: two things in a list too tall for a browser.
    list_scroll: Length,
    element_scroll: Length,
    /// Whether the list shows only some of its rows.
    windowed: bool,
    /// A frame was asked for.
    waiting: bool,
    /// The row that had the focus, and which of the things in it that can have it.
    focus: Option<(RowId, u32)>,
}

impl List {
    /// The rows of `screen`, owned by the component that shows them.
    #[must_use]
    pub fn new(screen: Screen) -> Self {
        let list = Self {
            screen,
            mounted: RwSignal::new(Vec::new()),
            space: RwSignal::new((0, 0)),
            inner: StoredValue::new_local(Inner {
                geometry: Geometry::new(CLOSED),
                element: None,
                sizes: None,
                list_scroll: 0,
                element_scroll: 0,
                windowed: false,
                waiting: false,
                focus: None,
            }),
        };
        let sizes = Sizes::new(move |elements| list.measure(&elements));
        list.inner.update_value(|inner| inner.sizes = sizes);
        effect(move || list.take_order());
        let scrolled = window_event_listener(ev::scroll, move |_| list.soon());
        let resized = window_event_listener(ev::resize, move |_| list.soon());
        on_cleanup(move || {
            scrolled.remove();
            resized.remove();
        });
        list
    }

    /// The element that holds the rows.
    pub fn hold(&self, element: &Element) {
        self.inner.update_value(|inner| inner.element = Some(element.clone()));
    }

    /// A row was mounted.
    pub fn enter(&self, element: &Element) {
        self.inner.with_value(|inner| {
            if let Some(sizes) = inner.sizes.as_ref().filter(|_| inner.windowed) {
                sizes.watch(element);
            }
        });
        self.give_back_focus(element);
    }

    /// A row is unmounted.
    pub fn leave(&self, element: &Element) {
        self.inner.try_update_value(|inner| {
            if let Some(sizes) = &inner.sizes {
                sizes.leave(element);
            }
        });
    }

    /// Remembers what has the focus, for when its row leaves the page and comes back.
    pub fn keep_focus(&self, target: Option<&Element>) {
        let found = target.and_then(|target| {
            let row = target.closest(&format!("[{ROW_ID}]")).ok().flatten()?;
            let buttons = row.query_selector_all("button").ok()?;
            let place = (0..buttons.length())
                .find(|&place| buttons.get(place).is_some_and(|node| node.is_same_node(Some(target))));
            Some((id_of(&row)?, place.unwrap_or(0)))
        });
        self.inner.try_update_value(|inner| inner.focus = found);
    }

    /// The row that has the focus, mounted or not.
    #[must_use]
    pub fn focused(&self) -> Option<RowId> {
        self.inner.with_value(|inner| inner.focus.map(|(row, _)| row))
    }

    /// A row is about to get the focus.
    pub fn set_focused(&self, row: RowId) {
        self.inner.update_value(|inner| inner.focus = Some((row, 0)));
    }

    fn give_back_focus(&self, element: &Element) {
        let Some((_, place)) =
            self.inner.with_value(|inner| inner.focus.filter(|(row, _)| id_of(element) == Some(*row)))
        else {
            return;
        };
        let lost = document().active_element().is_none_or(|active| active.tag_name() == "BODY");
        let buttons = element.query_selector_all("button").ok();
        if let Some(button) = buttons.and_then(|buttons| buttons.get(place)).filter(|_| lost) {
            focus(&button.unchecked_into());
        }
    }

    /// Takes the rows of the screen anew.
    fn take_order(&self) {
        self.screen.order.track();
        let at_end = self.screen.following() && at_end();
        let moved = self.screen.order.with_untracked(|order| {
            self.inner.try_update_value(|inner| {
                let was_windowed = inner.windowed;
                inner.windowed = order.len() > MOUNT_ALL;
                if !inner.windowed {
                    if was_windowed {
                        inner.geometry = Geometry::new(CLOSED);
                    }
                    return None;
                }
                let anchor = inner.geometry.anchor(inner.list_scroll);
                let anchor = inner.geometry.set_order(order, anchor)?;
                inner.geometry.scroll_for(anchor)
            })
        });
        if let Some(scroll) = moved.flatten() {
            self.scroll_list(scroll);
        }
        self.update();
        if at_end {
            request_animation_frame(move || {
                if let Some(root) = document().scrolling_element() {
                    root.set_scroll_top(root.scroll_height());
                }
            });
        }
    }

    /// Looks at the next frame which rows are in view.
    fn soon(&self) {
        let asked = self.inner.try_update_value(|inner| inner.windowed && !std::mem::replace(&mut inner.waiting, true));
        if asked == Some(true) {
            let list = *self;
            request_animation_frame(move || {
                let went = list.inner.try_update_value(|inner| {
                    inner.waiting = false;
                    inner.follow_element();
                });
                if went.is_some() {
                    list.update();
                }
            });
        }
    }

    /// Mounts the rows in view, or all.
    fn update(&self) {
        let Some((space, window)) = self.inner.try_update_value(Inner::window) else { return };
        let rows = self.screen.order.with_untracked(|order| match window {
            Some(window) => order.get(window).unwrap_or_default().to_vec(),
            None => order.clone(),
        });
        if self.space.try_get_untracked().is_some_and(|shown| shown != space) {
            self.space.set(space);
        }
        if self.mounted.try_with_untracked(|shown| *shown != rows) == Some(true) {
            self.mounted.set(rows);
        }
    }

    /// Takes the heights of rows; what is in view stays where it is.
    fn measure(&self, elements: &[Element]) {
        let moved = self.inner.try_update_value(|inner| {
            if !inner.windowed {
                return None;
            }
            let anchor = inner.geometry.anchor(inner.list_scroll)?;
            for element in elements {
                let height = pixels(element.get_bounding_client_rect().height());
                // A row that is on its way out measures nothing.
                if let Some(row) = id_of(element).filter(|_| height > 0) {
                    inner.geometry.set_height(row, Some(height));
                }
            }
            inner.geometry.scroll_for(anchor)
        });
        if let Some(Some(scroll)) = moved {
            self.scroll_list(scroll);
            self.update();
        }
    }

    /// Scrolls the list so that what was in view stays there.
    fn scroll_list(&self, to: Length) {
        let by = self.inner.try_update_value(|inner| {
            let by = to - inner.list_scroll;
            inner.list_scroll = to;
            // A list to scale is placed anew instead.
            let exact = inner.scale().to_list(inner.element_scroll + by) - inner.element_scroll == by;
            if exact { by } else { 0 }
        });
        if let Some(by) = by.filter(|by| by.abs() >= PIXEL / 2) {
            #[expect(clippy::cast_precision_loss, reason = "no list is 2^53 pixels tall")]
            window().scroll_by_with_x_and_y(0.0, by as f64 / 64.0);
            self.inner.update_value(|inner| inner.element_scroll += by);
        }
    }

    /// Brings a row into view, calls `then` with its element once it is mounted.
    pub fn reveal(&self, row: RowId, center: bool, then: impl FnOnce(&Element) + 'static) {
        let target = self.inner.try_update_value(|inner| {
            let top = inner.geometry.top_of(row).filter(|_| inner.windowed)?;
            let (from, height) = (inner.list_scroll, viewport());
            let in_view = top >= from + HEAD && top + inner.geometry.height(row) <= from + height;
            (!in_view).then(|| top - if center || top < from { height / 3 } else { height * 2 / 3 })
        });
        if let Some(Some(to)) = target {
            self.jump(to);
        }
        let list = *self;
        request_animation_frame(move || {
            let Ok(Some(element)) = document().query_selector(&format!("[{ROW_ID}=\"{row}\"]")) else { return };
            let options = ScrollIntoViewOptions::new();
            options.set_block(if center { ScrollLogicalPosition::Center } else { ScrollLogicalPosition::Nearest });
            element.scroll_into_view_with_scroll_into_view_options(&options);
            then(&element);
            list.soon();
        });
    }

    /// Scrolls far, without anything that must stay where it is.
    fn jump(&self, to: Length) {
        let by = self.inner.try_update_value(|inner| {
            let to = inner.geometry.clamp(to, viewport());
            let element = inner.scale().to_element(to);
            let by = element - inner.element_scroll;
            inner.list_scroll = to;
            inner.element_scroll = element;
            by
        });
        self.update();
        if let Some(by) = by {
            #[expect(clippy::cast_precision_loss, reason = "no element is 2^53 pixels tall")]
            window().scroll_by_with_x_and_y(0.0, by as f64 / 64.0);
        }
    }
}

/// What stands on top of the list whatever is scrolled.
const HEAD: Length = 48 * PIXEL;

impl Inner {
    fn scale(&self) -> Scale {
        Scale::new(self.geometry.total(), viewport())
    }

    /// Reads where the reader scrolled to.
    fn follow_element(&mut self) {
        let Some(element) = &self.element else { return };
        let now = pixels(-element.get_bounding_client_rect().top()).max(0);
        if (now - self.element_scroll).abs() >= PIXEL {
            self.list_scroll = self.scale().scrolled(self.list_scroll, self.element_scroll, now);
            self.element_scroll = now;
        }
    }

    /// The space above and below the mounted rows in pixels, and which they are; `None` for all.
    fn window(&mut self) -> ((i64, i64), Option<std::ops::Range<usize>>) {
        if !self.windowed {
            return ((0, 0), None);
        }
        let window = self.geometry.window(self.list_scroll, viewport(), OVERSCAN);
        let rows = self.geometry.offset(window.rows.end) - self.geometry.offset(window.rows.start);
        let above = (window.above - self.list_scroll + self.element_scroll).max(0);
        let below = (self.scale().height() - above - rows).max(0);
        ((above / PIXEL, below / PIXEL), Some(window.rows))
    }
}

/// Whether the last row is in view, and not the whole list.
fn at_end() -> bool {
    document().scrolling_element().is_some_and(|root| {
        let most = root.scroll_height() - root.client_height();
        most > 0 && root.scroll_top() >= most - 4
    })
}

fn viewport() -> Length {
    window().inner_height().ok().and_then(|height| height.as_f64()).map_or(1_000 * PIXEL, pixels)
}

#[expect(clippy::cast_possible_truncation, reason = "no page is 2^53 pixels tall")]
fn pixels(css: f64) -> Length {
    (css * 64.0) as Length
}

fn id_of(row: &Element) -> Option<RowId> {
    row.get_attribute(ROW_ID)?.parse().ok()
}

/// Gives an element the focus.
pub fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        // An element that is gone again needs no focus.
        let _ = element.focus();
    }
}
