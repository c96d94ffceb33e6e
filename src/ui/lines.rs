//! A text as lines, folded to its first and last six (specs: cards, *Elision*).

mod pane;

use std::sync::Arc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use web_sys::{Element, ScrollIntoViewOptions, ScrollLogicalPosition};

use self::pane::Pane;
use super::erased::effect;
use super::find::Marks;
use super::piece::{Piece, button, div, el, span, state};
use crate::card::{Elision, LINE_LIMIT, Lines, Run, Style};
use crate::host::guard::guarded;

/// Up to so many lines are all put onto the page when they are asked for; of more only those in view.
const WHOLE: usize = 400;

/// Draws the line of a number.
type Line = Arc<dyn Fn(usize) -> Piece + Send + Sync>;

/// A text as lines.
pub fn lines_view(lines: Lines) -> Piece {
    marked_lines(Arc::new(lines), None)
}

/// A text as lines in which words can be found.
pub fn marked_lines(lines: Arc<Lines>, marks: Option<Marks>) -> Piece {
    let (elision, total) = (lines.elision(), lines.len());
    folded(elision, total, Arc::new(move |at| line(&lines, at, marks)), marks)
}

/// `total` lines, of which those in the middle show only when they are asked for.
pub fn folded(elision: Elision, total: usize, line: Line, marks: Option<Marks>) -> Piece {
    let some = {
        let line = Arc::clone(&line);
        move |range: std::ops::Range<usize>| span("lines-some").with_all(range.map(|at| line(at)))
    };
    let pre = el("pre").attr("class", "lines");
    if elision.hidden == 0 {
        return pre.when(move || Some(some(0..total)));
    }
    let open = RwSignal::new(false);
    let (head, tail) = (elision.head, total - elision.tail);
    let label = move || match (open.get(), elision.hidden) {
        (true, _) => "Show fewer lines".to_owned(),
        (false, 1) => "⋯ 1 more line".to_owned(),
        (false, hidden) => format!("⋯ {} more lines", grouped(hidden)),
    };
    let itself = StoredValue::new_local(None::<Element>);
    let press = move || {
        open.update(|open| *open = !*open);
        if !open.get_untracked() {
            // What was read is gone; the eye goes back to where it was opened.
            request_animation_frame(move || itself.with_value(|toggle| toggle.iter().for_each(bring_into_view)));
        }
    };
    let toggle = button("elision", press)
        .attr("aria-expanded", state(move || open.get()))
        .words(label)
        .on_mount(move |element| itself.set_value(Some(element.clone())));
    let pane = (total > WHOLE).then(|| Pane::new(total));
    if let Some(marks) = marks {
        effect(move || {
            let Some(at) = marks.wanted() else { return };
            if (head..tail).contains(&at) {
                open.set(true);
            }
            match &pane {
                Some(pane) if open.get_untracked() => pane.show(at),
                _ => request_animation_frame(move || marks.show()),
            }
        });
    }
    let (first, last) = (some.clone(), some.clone());
    let Some(pane) = pane else {
        return pre
            .when(move || Some(first(0..head)))
            .when(move || open.get().then(|| some(head..tail)))
            .with(toggle)
            .when(move || Some(last(tail..total)));
    };
    // The window holds all lines, so the ends step aside for it.
    let closed = move || !open.get();
    let part = |lines: Piece| el("pre").attr("class", "lines").with(lines);
    div("folded")
        .when(move || closed().then(|| part(first(0..head))))
        .when(move || open.get().then(|| pane.view(&line)))
        .with(toggle)
        .when(move || closed().then(|| part(last(tail..total))))
}

fn bring_into_view(element: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// A number with commas between its thousands.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One line, cut where it is very long.
fn line(lines: &Arc<Lines>, at: usize, marks: Option<Marks>) -> Piece {
    let marked = move |runs: Vec<Run>| match marks {
        Some(marks) => marks.on(at, runs),
        None => runs,
    };
    let is_current = marks.is_some_and(|marks| marks.is_at(at));
    let row = numbered(span(if is_current { "output-line line-current" } else { "output-line" }), at);
    let lines = Arc::clone(lines);
    let hidden = drawn(&lines, move |lines| lines.short_line(at).hidden).unwrap_or_default();
    cut_line(row, hidden, move |whole| {
        let limit = if whole { usize::MAX } else { LINE_LIMIT };
        let runs = drawn(&lines, move |lines| lines.line_within(at, limit).runs);
        marked(runs.unwrap_or_else(unshown))
    })
}

/// What `draw` makes of a text; nothing when it fails, which then costs that line alone.
pub fn drawn<L: Send + Sync + 'static, T: 'static>(text: &Arc<L>, draw: impl FnOnce(&L) -> T + 'static) -> Option<T> {
    let text = Arc::clone(text);
    guarded(move || draw(&text))
}

/// What stands in place of a line that could not be drawn.
pub fn unshown() -> Vec<Run> {
    vec![Run { text: "[this line could not be shown; copy gives it]".to_owned(), style: Style::default() }]
}

/// The element of a line, with its number for when numbers are shown.
pub fn numbered(row: Piece, at: usize) -> Piece {
    row.attr("data-line", (at + 1).to_string())
}

/// Puts runs into a line, and a way to the `hidden` characters that are not shown at first.
pub fn cut_line(row: Piece, hidden: usize, runs: impl Fn(bool) -> Vec<Run> + Send + 'static) -> Piece {
    if hidden == 0 {
        return row.with_all(runs(false).into_iter().map(run));
    }
    let whole = RwSignal::new(false);
    let shown = move || Some(el("span").with_all(runs(whole.get()).into_iter().map(run)));
    let label = format!("+{} characters", grouped(hidden));
    let more = move || {
        let label = label.clone();
        (!whole.get()).then(|| button("elision-inline", move || whole.set(true)).text(label))
    };
    row.when(shown).when(more)
}

pub fn run(run: Run) -> Piece {
    let mut piece = el("span").text(run.text);
    let classes = run.style.classes();
    if !classes.is_empty() {
        piece = piece.attr("class", classes);
    }
    if let Some(colour) = run.style.foreground.css() {
        piece = piece.attr("data-colour", "").style("--colour", colour);
    }
    if let Some(colour) = run.style.background.css() {
        piece = piece.attr("data-ground", "").style("background-color", colour);
    }
    piece
}

/// An element that closures of a piece may hold.
type Held = StoredValue<Option<SendWrapper<Element>>>;
