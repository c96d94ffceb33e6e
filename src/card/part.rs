//! The bodies of an open card.

use std::borrow::Cow;

use super::diff::Diff;
use super::facts::Facts;
use super::image::Image;
use super::lines::{Language, Lines};
use super::summary::refused;
use super::tools::{self, Family, Shown};
use super::visible::visible;
use crate::json;
use crate::trace::{Block, Content, Outcome, Text, ToolCall};

/// One part of a body.
#[derive(Clone, Debug)]
pub enum Part {
    /// A text.
    Lines(Lines),
    /// What changed in a file.
    Diff(Diff),
    /// Keys and values.
    Fields(Vec<Field>),
    /// A to-do board.
    ToDo(Vec<ToDoItem>),
    /// Questions with their options and answers.
    Questions(Vec<Question>),
    /// An image.
    Image(Image),
    /// The name of something that stands elsewhere: a path, a URL, a tool.
    Reference(String),
    /// A word of the card's own, no text of the session.
    Note(String),
}

/// A key of an input and its value.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key as written.
    pub key: String,
    /// A text as it stands; any other value as JSON, pretty-printed. More than one line is a block.
    pub value: Lines,
}

/// An item of a to-do board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToDoItem {
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub state: ToDoState,
}

/// How far an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToDoState {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Done,
    /// Given up.
    Cancelled,
}

/// A question that an agent asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// A word above it.
    pub header: Option<String>,
    /// The question.
    pub text: String,
    /// What can be chosen.
    pub options: Vec<Choice>,
    /// The answer, when it is none of the options.
    pub answer: Option<String>,
}

/// An answer that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its words.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
    /// Whether it was chosen.
    pub chosen: bool,
}

/// What a call was given, for an open card.
#[must_use]
pub fn input_body(call: &ToolCall) -> Vec<Part> {
    match &call.input {
        Content::Held(_) => {}
        Content::Remote => return Vec::new(),
        Content::None if call.name.is_empty() => return vec![note("the call of this result is not here")],
        Content::None => return vec![note("no input")],
        Content::Unavailable(reason) => return vec![note(visible(reason))],
    }
    let facts = Facts::of(call);
    let family = tools::family(&call.name, facts.given());
    let mut parts = (family.input)(&facts).unwrap_or_else(|| tools::fallback::input(&facts));
    parts.iter_mut().for_each(make_visible);
    parts
}

/// What a call gave back, for an open card.
#[must_use]
pub fn output_body(call: &ToolCall) -> Vec<Part> {
    let state = match &call.outcome {
        Outcome::Running => Some("running…"),
        Outcome::AwaitingApproval => Some("waiting for approval"),
        Outcome::Lost => Some("no result came"),
        Outcome::EndsRun => Some("this call ends the run"),
        Outcome::Cancelled => Some("cancelled"),
        Outcome::Refused { by } => return vec![note(refused(by))],
        Outcome::Ok | Outcome::Error => None,
    };
    let mut parts: Vec<Part> = state.map(note).into_iter().collect();
    match &call.output {
        Content::Held(_) => {
            let facts = Facts::of(call);
            let family = tools::family(&call.name, facts.given());
            let body = (family.output)(&facts).unwrap_or_else(|| blocks(&facts, family));
            if body.is_empty() && parts.is_empty() {
                parts.push(note("no output"));
            }
            parts.extend(body);
        }
        Content::None if parts.is_empty() => parts.push(note("no output")),
        Content::Remote | Content::None => {}
        Content::Unavailable(reason) => parts.push(note(reason)),
    }
    parts.iter_mut().for_each(make_visible);
    parts
}

/// Writes out hidden characters in all short texts of a part; [`Lines`] and [`Diff`] do so line by line.
fn make_visible(part: &mut Part) {
    let shown = |text: &mut String| {
        if let Cow::Owned(shown) = visible(text) {
            *text = shown;
        }
    };
    match part {
        Part::Lines(_) | Part::Image(_) => {}
        Part::Diff(diff) => diff.path.iter_mut().chain(&mut diff.notes).for_each(shown),
        Part::Fields(fields) => fields.iter_mut().for_each(|field| shown(&mut field.key)),
        Part::ToDo(items) => items.iter_mut().for_each(|item| shown(&mut item.text)),
        Part::Questions(questions) => {
            for Question { header, text, options, answer } in questions {
                header.iter_mut().chain([text]).chain(answer).for_each(shown);
                for choice in options {
                    shown(&mut choice.label);
                    choice.description.iter_mut().for_each(shown);
                }
            }
        }
        Part::Reference(text) | Part::Note(text) => shown(text),
    }
}

/// The blocks of an output one after another, texts as the family shows them.
fn blocks(facts: &Facts, family: &Family) -> Vec<Part> {
    let mut parts = Vec::new();
    if let [Block::Text(text)] = facts.blocks() {
        let envelope = facts.envelope();
        if !envelope.is_bare(facts.text()) {
            parts.extend(envelope.note.as_deref().map(note));
            text_part(&Text::from(facts.body()), family.shown, &mut parts);
            return parts;
        }
        text_part(text, family.shown, &mut parts);
        return parts;
    }
    for block in facts.blocks() {
        match block {
            Block::Text(text) => text_part(text, family.shown, &mut parts),
            Block::Json(text) => parts.push(Part::Lines(Lines::new(json::pretty(&text.read()), Language::Json))),
            Block::Image { media_type, data } => parts.push(Part::Image(Image::read(media_type, data))),
            Block::Reference(text) => parts.push(Part::Reference(text.read().into_owned())),
        }
    }
    parts
}

fn text_part(text: &Text, shown: Shown, parts: &mut Vec<Part>) {
    let language = match shown {
        Shown::Terminal => Language::Terminal,
        Shown::Verbatim => Language::Plain,
        Shown::Read => {
            let text = text.read();
            if json::is_composite(&text) {
                parts.push(Part::Lines(Lines::new(json::pretty(&text), Language::Json)));
                return;
            }
            Language::Plain
        }
    };
    let lines = Lines::shared(text, language);
    if !lines.is_empty() {
        parts.extend(spilled(&lines.raw()).map(|path| Part::Reference(path.to_owned())));
        parts.push(Part::Lines(lines));
    }
}

/// The file that holds what was too long for the output, as Claude Code and opencode name it near the beginning or end.
fn spilled(text: &str) -> Option<&str> {
    const NEAR: usize = 600;
    let start = &text[..text.floor_char_boundary(NEAR)];
    let end = &text[text.floor_char_boundary(text.len().saturating_sub(NEAR))..];
    let named = |part: &'_ str| part.split_once("Full output saved to: ").map(|(_, rest)| rest.len());
    let rest = named(start).map(|left| &text[start.len() - left..]);
    let rest = rest.or_else(|| named(end).map(|left| &text[text.len() - left..]))?;
    let path = rest.lines().next()?.trim_ascii();
    (!path.is_empty()).then_some(path)
}

/// A word of the card's own.
pub(super) fn note(text: impl AsRef<str>) -> Part {
    Part::Note(text.as_ref().to_owned())
}
