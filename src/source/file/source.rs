//! What is read: the text of a file, whole or by lines.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr_iter;

use super::sse;
use super::transcript::Transcript;
use super::{Belongs, Format, Reading};
use crate::json::{Index, Json};
use crate::trace::{Buffer, Problem, Session};

/// How the records of a file stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// One JSON value a line.
    Lines,
    /// One JSON value.
    Document,
    /// Server-sent events, each of them with one JSON value.
    Events,
}

/// A file that is read.
pub(super) struct Source {
    /// Its name.
    pub name: Arc<str>,
    /// Its text; of a document that was cut off what can be read.
    pub buffer: Buffer,
    pub container: Container,
    /// Whether the document was cut off.
    pub is_cut: bool,
}

/// What a format is told by: the records of the beginning of a file.
pub(super) struct Sample<'a> {
    pub container: Container,
    pub records: Vec<Json<'a>>,
}

/// What reads the records of a file one by one.
pub(super) trait Reader {
    fn transcript(&mut self) -> &mut Transcript;
    /// Takes in a record, which is an object.
    fn record(&mut self, json: &Json<'_>);
}

/// A format shows itself in so many records.
const RECORDS: usize = 60;

impl Source {
    pub fn new(name: &str, text: String) -> Self {
        if sse::is_stream(&text) {
            return Self { name: name.into(), buffer: Arc::new(text), container: Container::Events, is_cut: false };
        }
        let trimmed = text.trim_ascii();
        let first = trimmed.lines().next().unwrap_or_default();
        let (mut container, mut is_cut) = (Container::Lines, false);
        let mut buffer = None;
        if first.len() == trimmed.len() || Json::parse(first.into()).is_err() {
            if Json::parse(trimmed.into()).is_ok() {
                container = Container::Document;
            } else if let Some(closed) = close(trimmed).filter(|_| !holds_lines(trimmed)) {
                (container, is_cut, buffer) = (Container::Document, true, Some(closed));
            }
        }
        Self { name: name.into(), buffer: Arc::new(buffer.unwrap_or(text)), container, is_cut }
    }

    pub fn sample(&self) -> Sample<'_> {
        let records = match self.container {
            Container::Document => self.document().into_iter().collect(),
            Container::Events => {
                let events = sse::events(&self.buffer).filter_map(|(_, data)| Json::parse(data).ok());
                events.filter(Json::is_object).take(RECORDS).collect()
            }
            Container::Lines => {
                let lines = self.lines().filter_map(|(_, line)| Json::parse(line.into()).ok());
                lines.filter(Json::is_object).take(RECORDS).collect()
            }
        };
        Sample { container: self.container, records }
    }

    /// The one value of a document.
    pub fn document(&self) -> Option<Json<'_>> {
        Json::parse(self.buffer.as_str().into()).ok()
    }

    /// A session that was read from this file, with the number of its orphans.
    pub fn reading(&self, format: Format, (mut session, orphans): (Session, u32), belongs: Belongs) -> Reading {
        if self.is_cut {
            let reason = "the file is cut off there; what stands before it is shown".to_owned();
            session.problems.push(Problem { place: "the end".to_owned(), reason });
        }
        Reading { format, file: Arc::clone(&self.name), session, orphans, belongs }
    }

    /// Hands each line that is an object to `reader`; any other is a problem of that line alone.
    pub fn read_lines(&self, reader: &mut impl Reader) {
        let mut memory = Index::default();
        for (number, line) in self.records() {
            match Json::record(&line, &mut memory) {
                Some(json) if json.is_object() => reader.record(&json),
                Some(_) => reader.transcript().problem(format!("line {number}"), "it is no JSON object"),
                None => reader.transcript().problem(format!("line {number}"), "it is no JSON"),
            }
        }
    }

    /// The records with the numbers of their lines, from 1.
    pub fn records(&self) -> Box<dyn Iterator<Item = (usize, Cow<'_, str>)> + '_> {
        match self.container {
            Container::Events => Box::new(sse::events(&self.buffer)),
            Container::Lines | Container::Document => {
                Box::new(self.lines().map(|(number, line)| (number, line.into())))
            }
        }
    }

    /// The lines with their numbers, from 1; empty ones are left out.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let text = self.buffer.as_str();
        let ends = memchr_iter(b'\n', text.as_bytes()).chain(std::iter::once(text.len()));
        let mut start = 0;
        let lines = ends.map(move |end| {
            let line = text[start.min(end)..end].trim_ascii();
            start = end + 1;
            line
        });
        lines.enumerate().filter(|(_, line)| !line.is_empty()).map(|(number, line)| (number + 1, line))
    }
}

impl Sample<'_> {
    /// Whether any record fulfils the test.
    pub fn any(&self, test: impl FnMut(&Json<'_>) -> bool) -> bool {
        self.records.iter().any(test)
    }
}

/// Whether one of the first lines is an object of its own.
fn holds_lines(text: &str) -> bool {
    text.lines()
        .take(RECORDS)
        .any(|line| line.starts_with('{') && Json::parse(line.into()).is_ok_and(|json| json.is_object()))
}

/// A document that was cut off, without its last value, and closed.
fn close(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut open = Vec::new();
    // Where the last whole value ended, and what was open there.
    let mut whole: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop().filter(|close| *close == byte)?;
                whole = Some((at + 1, open.len()));
            }
            b',' => whole = Some((at, open.len())),
            b'"' => loop {
                at += 1;
                at += match memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
                    Some(more) => more,
                    None => bytes.len().saturating_sub(at),
                };
                match bytes.get(at) {
                    Some(b'\\') => at += 1,
                    _ => break,
                }
            },
            _ => {}
        }
        at += 1;
    }
    let (end, depth) = whole?;
    // Brackets that were opened after the last whole value are left out with what stands in them.
    let mut closed = text[..end].to_owned();
    closed.extend(open.get(..depth)?.iter().rev().map(|&close| char::from(close)));
    Json::parse(closed.as_str().into()).is_ok().then_some(closed)
}
