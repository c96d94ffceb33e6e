//! Finding words in the output of an open card, in lines that are shown and in those that are not (specs: cards).

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::erased::effect;
use super::form::{chosen, keep};
use super::lines::grouped;
use super::list::focus;
use super::piece::{Piece, button, div, el, span};
use crate::card::{self, Lines, Match, Run};

/// What is looked for in a card, and what was found.
#[derive(Clone, Copy)]
pub struct Find {
    open: RwSignal<bool>,
    needle: RwSignal<String>,
    /// Each match with the text that it stands in.
    found: RwSignal<Arc<Vec<(usize, Match)>>>,
    /// The match that the reader is at.
    at: RwSignal<usize>,
    texts: StoredValue<Vec<Arc<Lines>>>,
    card: StoredValue<Option<web_sys::Element>, LocalStorage>,
}

/// The matches in one of the card's texts.
#[derive(Clone, Copy)]
pub struct Marks {
    find: Find,
    text: usize,
}

impl Find {
    pub fn new() -> Self {
        let find = Self {
            open: RwSignal::new(false),
            needle: RwSignal::new(String::new()),
            found: RwSignal::new(Arc::default()),
            at: RwSignal::new(0),
            texts: StoredValue::new(Vec::new()),
            card: StoredValue::new_local(None),
        };
        effect(move || {
            let needle = find.needle.get();
            find.search(&needle);
        });
        find
    }

    /// Takes the texts of the output, when it is drawn.
    pub fn clear(&self) {
        self.texts.update_value(Vec::clear);
    }

    /// Another text of the output.
    pub fn add(&self, lines: &Arc<Lines>) -> Marks {
        self.texts.update_value(|texts| texts.push(Arc::clone(lines)));
        Marks { find: *self, text: self.texts.with_value(Vec::len) - 1 }
    }

    /// Looks again, after the texts changed.
    pub fn again(&self) {
        let needle = self.needle.get_untracked();
        if !needle.is_empty() {
            self.search(&needle);
        }
    }

    fn search(&self, needle: &str) {
        let mut found = Vec::new();
        self.texts.with_value(|texts| {
            for (text, lines) in texts.iter().enumerate() {
                found.extend(card::find(lines, needle).into_iter().map(|one| (text, one)));
            }
        });
        self.at.set(0);
        self.found.set(Arc::new(found));
    }

    /// Listens for the key that opens it, while something in the card has the focus.
    pub fn listen(self, card: Piece) -> Piece {
        card.on_mount(move |element| self.card.set_value(Some(element.clone()))).on("keydown", move |event: Event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            let is_field = event.target().is_some_and(|target| target.has_type::<web_sys::HtmlInputElement>());
            if event.key() == "/" && !is_field && !event.ctrl_key() && !event.meta_key() && !event.alt_key() {
                event.prevent_default();
                event.stop_propagation();
                self.show();
            }
        })
    }

    /// Opens the field and gives it the focus.
    pub fn show(self) {
        self.open.set(true);
        request_animation_frame(move || self.focus("input[type=search]"));
    }

    fn focus(&self, css: &str) {
        let found = self.card.try_with_value(|card| card.as_ref()?.query_selector(css).ok().flatten()).flatten();
        if let Some(element) = found {
            focus(&element);
        }
    }

    fn close(self) {
        self.open.set(false);
        self.needle.set(String::new());
        self.focus(".find-button");
    }

    fn step(self, by: isize) {
        let count = self.found.with_untracked(|found| found.len());
        if count > 0 {
            self.at
                .update(|at| *at = at.checked_add_signed(by).map_or(count - 1, |at| if at >= count { 0 } else { at }));
        }
    }

    /// The button that opens the field, and the field.
    pub fn controls(self) -> Piece {
        let count = move || {
            let found = self.found.with(|found| found.len());
            match (self.needle.with(String::is_empty), found) {
                (true, _) => String::new(),
                (false, 0) => "0/0".to_owned(),
                (false, found) => format!("{}/{}", grouped(self.at.get() + 1), grouped(found)),
            }
        };
        let key = move |event: Event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            match event.key().as_str() {
                "Enter" => self.step(if event.shift_key() { -1 } else { 1 }),
                "Escape" => self.close(),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        };
        let field = move || {
            let input = el("input")
                .attr("type", "search")
                .attr("class", "field field-find")
                .attr("aria-label", "Find in output")
                .attr("placeholder", "find in output")
                .on("input", move |event| self.needle.set(chosen(&event).unwrap_or_default()))
                .on("keydown", key);
            let input = keep(input, move || self.needle.get());
            let step = |label: &'static str, mark: &'static str, by| {
                button("icon-button", move || self.step(by)).attr("aria-label", label).text(mark)
            };
            self.open.get().then(|| {
                div("find")
                    .with(input)
                    .with(span("find-count").attr("role", "status").words(count))
                    .with(step("Previous match", "↑", -1))
                    .with(step("Next match", "↓", 1))
            })
        };
        div("find-slot")
            .with(
                button("switch find-button", move || self.show()).attr("title", "Find in the output (/)").text("Find"),
            )
            .when(field)
    }
}

impl Marks {
    /// The runs of a line with the matches in it marked.
    pub fn on(&self, line: usize, runs: Vec<Run>) -> Vec<Run> {
        let Some(found) = self.find.found.try_get() else { return runs };
        let first = found.partition_point(|(text, one)| (*text, one.line) < (self.text, line));
        let matches: Vec<_> = found[first..]
            .iter()
            .take_while(|(text, one)| (*text, one.line) == (self.text, line))
            .map(|(_, one)| *one)
            .collect();
        if matches.is_empty() { runs } else { card::mark(runs, &matches) }
    }

    /// Whether the reader is at a match in this line.
    pub fn is_at(&self, line: usize) -> bool {
        self.wanted() == Some(line)
    }

    /// The line of this text that the reader wants to see.
    pub fn wanted(&self) -> Option<usize> {
        let at = self.find.at.try_get()?;
        self.find.found.with(|found| found.get(at).filter(|(text, _)| *text == self.text).map(|(_, one)| one.line))
    }

    /// Brings the line with the match into view.
    pub fn show(&self) {
        let card = self.find.card.try_with_value(|card| card.as_ref()?.query_selector(".line-current").ok().flatten());
        if let Some(line) = card.flatten() {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Center);
            line.scroll_into_view_with_scroll_into_view_options(&options);
        }
    }
}
