//! The stream of a message: inputs come in pieces or whole, results in any order.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::content;
use super::super::transcript::{Answer, Asked};
use super::Vercel;
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Content, Input, Outcome, Refuser};

/// What has come of a stream so far.
#[derive(Default)]
pub(super) struct Chunks {
    /// Inputs that come in pieces, in the order of their beginning.
    begun: Vec<Option<Begun>>,
    /// Where each of them stands.
    begun_at: HashMap<Arc<str>, usize>,
    places: HashMap<Arc<str>, usize>,
    has_exchange: bool,
}

struct Begun {
    id: Arc<str>,
    name: Arc<str>,
    input: String,
}

/// Whether a record is a part of such a stream, by what no other stream has.
pub(super) fn is_chunk(json: &Json<'_>) -> bool {
    json.get("toolCallId").is_some() && json.text("type").is_some_and(|kind| kind.starts_with("tool-"))
        || json.get("role").is_none()
            && json.text("type").is_some_and(|kind| matches!(&*kind, "start-step" | "finish-step" | "tool-input-start"))
}

impl Vercel {
    pub(super) fn chunk(&mut self, json: &Json<'_>) {
        let kind = json.text("type").unwrap_or_default();
        let id = json.word("toolCallId").unwrap_or_default();
        let name = json.word("toolName").unwrap_or_default();
        match &*kind {
            "start-step" => self.chunks.has_exchange = false,
            "tool-input-start" if !self.chunks.begun_at.contains_key(&id) => {
                self.chunks.begun_at.insert(Arc::clone(&id), self.chunks.begun.len());
                self.chunks.begun.push(Some(Begun { id, name, input: String::new() }));
            }
            "tool-input-delta" => {
                let part = json.text("inputTextDelta").unwrap_or_default();
                let place = self.chunks.begun_at.get(&id).and_then(|&place| self.chunks.begun.get_mut(place)?.as_mut());
                if let Some(begun) = place {
                    begun.input.push_str(&part);
                }
            }
            "tool-input-available" | "tool-input-error" => {
                let input = content::input(&self.buffer, json.get("input"));
                let position = self.chunk_call(&id, name, input);
                if &*kind == "tool-input-error" {
                    self.answer(position, json.get("errorText"), true);
                }
            }
            "tool-approval-request" => {
                if let Some(position) = self.called(&id) {
                    self.ends(position, Outcome::AwaitingApproval);
                }
            }
            "tool-output-denied" => {
                if let Some(position) = self.called(&id) {
                    self.ends(position, Outcome::Refused { by: Refuser::User });
                }
            }
            "tool-output-available" => self.chunk_result(&id, json.get("output"), false),
            "tool-output-error" => self.chunk_result(&id, json.get("errorText"), true),
            _ => {}
        }
    }

    fn chunk_result(&mut self, id: &Arc<str>, raw: Option<&str>, is_error: bool) {
        if let Some(position) = self.called(id) {
            self.answer(position, raw, is_error);
        } else {
            let output = content::blocks(&self.buffer, raw.unwrap_or("null"));
            self.transcript.result(Answer { id: Arc::clone(id), output, is_error, ..Answer::default() });
        }
    }

    /// The place of a call; one that was begun is taken as far as its input came.
    fn called(&mut self, id: &Arc<str>) -> Option<usize> {
        if let Some(&position) = self.chunks.places.get(id) {
            return Some(position);
        }
        let is_begun = self.chunks.begun_at.contains_key(id);
        is_begun.then(|| self.chunk_call(id, Arc::default(), Content::None))
    }

    fn chunk_call(&mut self, id: &Arc<str>, name: Arc<str>, input: Input) -> usize {
        let begun = self.chunks.begun_at.remove(id).and_then(|place| self.chunks.begun.get_mut(place)?.take());
        if let Some(&position) = self.chunks.places.get(id) {
            if let Some(call) = self.transcript.call_at(position) {
                if call.name.is_empty() {
                    call.name = name;
                }
                if call.input == Content::None {
                    call.input = input;
                }
            }
            return position;
        }
        if !self.chunks.has_exchange {
            self.transcript.exchange(&self.agent, &Arc::default(), None);
            self.chunks.has_exchange = true;
        }
        let (name, input) = match begun {
            Some(begun) => (
                if name.is_empty() { begun.name } else { name },
                if input == Content::None && !begun.input.is_empty() {
                    Content::Held(begun.input.into())
                } else {
                    input
                },
            ),
            None => (name, input),
        };
        let asked = Asked { agent: Arc::clone(&self.agent), id: Arc::clone(id), name, input, at: None };
        let position = self.transcript.call_anew(asked);
        self.chunks.places.insert(Arc::clone(id), position);
        position
    }

    /// Keeps what was begun and never came whole.
    pub(super) fn end_of_chunks(&mut self) {
        for begun in std::mem::take(&mut self.chunks.begun).into_iter().flatten() {
            let input = Content::Held(begun.input.into());
            self.chunk_call(&begun.id, begun.name, input);
        }
    }
}
