//! What one card says: a tool call put into words, badges and bodies (specs: cards).
//!
//! A closed card needs [`summarize`] alone, which reads only as much of a call as its words take. [`input_body`] and
//! [`output_body`] are for the moment a card opens; the lines in them are read when they are looked at. Everything here
//! takes any text without failing: what cannot be parsed is shown as the text it is.

mod ansi;
mod copy;
mod diff;
mod facts;
mod find;
mod given;
mod image;
mod lines;
mod output;
mod part;
mod patch;
mod style;
mod summary;
mod syntax;
mod tools;
mod visible;

pub use copy::{json, markdown, raw_input, raw_output};
pub use diff::{Change, Diff, DiffLine};
pub use find::{Match, find, mark};
pub use image::Image;
pub use lines::{Cut, Elision, LINE_LIMIT, Language, Lines};
pub use part::{Choice, Field, Part, Question, ToDoItem, ToDoState, input_body, output_body};
pub use style::{Attributes, Color, Kind, Run, Style};
pub use summary::{Badge, Summary, Tone, summarize};
pub use visible::{one_line, visible};

/// Graphemes of a call summary.
const SUMMARY_LIMIT: usize = 200;

#[cfg(test)]
mod tests;
