//! A text as lines, folded to its first and last six (specs: cards, *Elision*).

use leptos::prelude::*;

use super::piece::{Piece, button, el, span, state};
use crate::card::{Elision, Lines, Run};

/// A text as lines.
pub fn lines_view(lines: Lines) -> Piece {
    let (elision, total) = (lines.elision(), lines.len());
    let lines = StoredValue::new(lines);
    folded(elision, total, move |at| line(lines, at))
}

/// `total` lines, of which those in the middle show only when they are asked for.
pub fn folded(elision: Elision, total: usize, line: impl Fn(usize) -> Piece + Copy + Send + 'static) -> Piece {
    let pre = el("pre").attr("class", "lines");
    if elision.hidden == 0 {
        return pre.with_all((0..total).map(line));
    }
    let open = RwSignal::new(false);
    let tail = total - elision.tail;
    let middle = move || open.get().then(|| span("lines-middle").with_all((elision.head..tail).map(line)));
    let label = move || match (open.get(), elision.hidden) {
        (true, _) => "Show fewer lines".to_owned(),
        (false, 1) => "⋯ 1 more line".to_owned(),
        (false, hidden) => format!("⋯ {} more lines", grouped(hidden)),
    };
    let toggle = button("elision", move || open.update(|open| *open = !*open))
        .attr("aria-expanded", state(move || open.get()))
        .words(label);
    pre.with_all((0..elision.head).map(line)).when(middle).with(toggle).with_all((tail..total).map(line))
}

/// A number with commas between its thousands.
fn grouped(number: usize) -> String {
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
fn line(lines: StoredValue<Lines>, at: usize) -> Piece {
    let cut = lines.with_value(|lines| lines.short_line(at));
    if cut.hidden == 0 {
        return span("output-line").with_all(cut.runs.into_iter().map(run));
    }
    let whole = RwSignal::new(false);
    let shown = move || {
        let runs = lines.with_value(|lines| if whole.get() { lines.line(at) } else { lines.short_line(at).runs });
        Some(el("span").with_all(runs.into_iter().map(run)))
    };
    let label = format!("+{} characters", grouped(cut.hidden));
    let more = move || {
        let label = label.clone();
        (!whole.get()).then(|| button("elision-inline", move || whole.set(true)).text(label))
    };
    span("output-line").when(shown).when(more)
}

pub fn run(run: Run) -> Piece {
    let mut piece = el("span").text(run.text);
    let classes = run.style.classes();
    if !classes.is_empty() {
        piece = piece.attr("class", classes);
    }
    if let Some(colour) = run.style.foreground.css() {
        piece = piece.style("color", colour);
    }
    if let Some(colour) = run.style.background.css() {
        piece = piece.style("background-color", colour);
    }
    piece
}
