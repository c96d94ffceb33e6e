//! A scroll pane over any number of lines, of which only those in view are on the page.

use std::sync::Arc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::{Held, Line, grouped};
use crate::ledger::{Length, PIXEL, Scale};
use crate::ui::piece::{Piece, div, el};

/// The height of a line; lines of a pane do not wrap. The style sheet says the same.
const LINE: Length = 20 * PIXEL;
/// Lines above and below those in view.
const OVERSCAN: usize = 20;
/// The window moves by so many lines at once.
const STEP: usize = 10;

#[derive(Clone, Copy)]
pub struct Pane {
    total: usize,
    element: Held,
    /// The first line on the page, and how far below the top of the pane's content it stands, in pixels.
    window: RwSignal<(usize, i64)>,
    /// Where the lines and the element are scrolled to: two things where there are more than a browser can lay out.
    scroll: StoredValue<(Length, Length)>,
}

impl Pane {
    pub fn new(total: usize) -> Self {
        Self { total, element: StoredValue::new(None), window: RwSignal::new((0, 0)), scroll: StoredValue::new((0, 0)) }
    }

    fn height(&self) -> Length {
        let held = self.element.with_value(|element| element.as_ref().map(|element| element.client_height()));
        Length::from(held.filter(|height| *height > 0).unwrap_or(600)) * PIXEL
    }

    fn scale(&self) -> Scale {
        Scale::new(i64::try_from(self.total).map_or(Length::MAX, |total| total.saturating_mul(LINE)), self.height())
    }

    /// The pane with its lines.
    pub fn view(self, line: &Line) -> Piece {
        let line = Arc::clone(line);
        let (total, shown) = (self.total, usize::try_from(self.height() / LINE).unwrap_or(0) + STEP + 2 * OVERSCAN);
        let lines = move || {
            let (first, top) = self.window.get();
            let lines = (first..(first + shown).min(total)).map(|at| line(at));
            Some(
                el("pre")
                    .attr("class", "lines lines-window")
                    .style("transform", format!("translateY({top}px)"))
                    .with_all(lines),
            )
        };
        let space = div("lines-space")
            .style("overflow", "hidden")
            .style("height", format!("{}px", self.scale().height() / PIXEL))
            .when(lines);
        // What the window reckons with is no matter of taste, and stands here.
        div("lines-pane")
            .style("max-height", "min(70vh, 60rem)")
            .style("overflow", "auto")
            .attr("role", "region")
            .attr("tabindex", "0")
            .attr("aria-label", format!("All {} lines", grouped(total)))
            .on("scroll", move |_| self.scrolled())
            .on("keydown", |event| {
                let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key).unwrap_or_default();
                // These scroll the pane, and must not move on to another row as they do elsewhere.
                if key.starts_with("Arrow") {
                    event.stop_propagation();
                }
            })
            .on_mount(move |element| {
                self.element.set_value(Some(SendWrapper::new(element.clone())));
                // Only where a line was asked for: the reader may scroll before the frame comes.
                let wanted = self.scroll.get_value().0;
                if wanted > 0 {
                    request_animation_frame(move || self.go(wanted));
                }
            })
            .with(space)
    }

    fn scrolled(&self) {
        let Some(now) = self.element.with_value(|element| element.as_ref().map(|element| element.scroll_top())) else {
            return;
        };
        let (list, from) = self.scroll.get_value();
        let to = Length::from(now) * PIXEL;
        self.place(self.scale().scrolled(list, from, to), to);
    }

    /// Brings a line into the middle of the pane.
    pub fn show(&self, at: usize) {
        let top = i64::try_from(at).unwrap_or(0) * LINE;
        self.scroll.update_value(|scroll| scroll.0 = (top - self.height() / 2).max(0));
        let (pane, wanted) = (*self, self.scroll.get_value().0);
        request_animation_frame(move || pane.go(wanted));
    }

    fn go(&self, list: Length) {
        // The card may have been closed meanwhile.
        let Some(Some(element)) = self.element.try_with_value(|element| element.as_deref().cloned()) else { return };
        let to = self.scale().to_element(list);
        self.place(list, to);
        scroll_to(&element, to);
    }

    /// Puts the lines in view onto the page when the lines are scrolled to `list` and the element to `element`.
    fn place(&self, list: Length, element: Length) {
        self.scroll.set_value((list, element));
        let first = usize::try_from(list / LINE).unwrap_or(0).saturating_sub(OVERSCAN) / STEP * STEP;
        let top = (i64::try_from(first).unwrap_or(0) * LINE - list + element) / PIXEL;
        if self.window.get_untracked() != (first, top) {
            self.window.set((first, top));
        }
    }
}

fn scroll_to(element: &Element, to: Length) {
    element.set_scroll_top(i32::try_from(to / PIXEL).unwrap_or(i32::MAX));
}
