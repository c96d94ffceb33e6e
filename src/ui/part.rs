//! The parts of a body: texts, diffs, keys and values, to-do boards, questions, images.

use std::sync::Arc;

use super::body::note;
use super::lines::{cut_line, drawn, folded, lines_view, numbered, run, unshown};
use super::piece::{Piece, div, el, span};
use crate::card::{self, Change, Diff, Field, Image, Part, Question, ToDoItem, ToDoState};

/// A part of a body.
pub fn part_view(part: Part) -> Piece {
    match part {
        Part::Lines(lines) => lines_view(lines),
        Part::Note(words) => note(&words),
        Part::Fields(fields) => el("dl").attr("class", "fields").with_all(fields.into_iter().flat_map(field)),
        Part::ToDo(items) => el("ul").attr("class", "todo").with_all(items.into_iter().map(to_do)),
        Part::Questions(questions) => div("questions").with_all(questions.into_iter().map(question)),
        Part::Diff(diff) => diff_view(diff),
        Part::Image(image) => image_view(&image),
        Part::Reference(text) => el("p").attr("class", "part-reference").text(text),
    }
}

fn field(field: Field) -> [Piece; 2] {
    [el("dt").text(field.key), el("dd").with(lines_view(field.value))]
}

fn to_do(item: ToDoItem) -> Piece {
    let (mark, word, class) = match item.state {
        ToDoState::Pending => ("○", "pending", "todo-item"),
        ToDoState::InProgress => ("◐", "in progress", "todo-item todo-current"),
        ToDoState::Done => ("●", "done", "todo-item todo-done"),
        ToDoState::Cancelled => ("⊘", "cancelled", "todo-item todo-done"),
    };
    el("li")
        .attr("class", class)
        .with(span("todo-mark").attr("aria-hidden", "true").text(mark))
        .with(span("visually-hidden").text(word))
        .with(el("span").text(item.text))
}

fn question(question: Question) -> Piece {
    let options = question.options.into_iter().map(|choice| {
        el("li")
            .attr("class", if choice.chosen { "choice choice-chosen" } else { "choice" })
            .with(span("choice-mark").attr("aria-hidden", "true").text(if choice.chosen { "●" } else { "○" }))
            .with(span("visually-hidden").text(if choice.chosen { "chosen" } else { "not chosen" }))
            .with(span("choice-label").text(choice.label))
            .with_all(choice.description.map(|text| span("choice-description").text(text)))
    });
    div("question")
        .with_all(question.header.map(|header| span("question-header").text(header)))
        .with(el("p").text(question.text))
        .with(el("ul").with_all(options))
        .with_all(question.answer.map(|answer| el("p").attr("class", "question-answer").text(answer)))
}

fn diff_view(diff: Diff) -> Piece {
    let head = div("diff")
        .with_all(diff.path.clone().map(|path| div("diff-path").text(path)))
        .with_all(diff.notes.iter().map(|words| note(words)));
    let (elision, total) = (diff.elision(), diff.len());
    let diff = Arc::new(diff);
    head.with(folded(elision, total, Arc::new(move |at| diff_line(&diff, at)), None))
}

fn diff_line(diff: &Arc<Diff>, at: usize) -> Piece {
    let Some(Some(line)) = drawn(diff, move |diff| diff.short_line(at)) else {
        return span("output-line").with_all(unshown().into_iter().map(run));
    };
    let (class, mark) = match line.change {
        Change::Same => ("output-line diff-line", " "),
        Change::Removed => ("output-line diff-line diff-removed", "−"),
        Change::Added => ("output-line diff-line diff-added", "+"),
        Change::Place => ("output-line diff-line diff-place", " "),
    };
    let row = numbered(span(class), at).with(span("diff-mark").text(mark));
    let diff = Arc::clone(diff);
    cut_line(row, line.cut.hidden, move |whole| {
        let limit = if whole { usize::MAX } else { card::LINE_LIMIT };
        diff.line_within(at, limit).map(|line| line.cut.runs).unwrap_or_default()
    })
}

fn image_view(image: &Image) -> Piece {
    let caption = image.caption();
    let figure = el("figure").attr("class", "image");
    let figure = if image.can_be_shown {
        let source = format!("data:{};base64,{}", image.media_type, image.data.read());
        figure.with(el("img").attr("src", source).attr("alt", caption.clone()))
    } else {
        figure
    };
    figure.with(el("figcaption").text(caption))
}
