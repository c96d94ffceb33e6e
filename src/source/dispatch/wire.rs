//! Records of the wire: chunks of the log and live events.

use std::sync::Arc;

use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{Block, Buffer, Content, Input, Output, Text, Tokens};

/// What a chunk or an event tells of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// What a person said.
    Prompt(Text),
    /// What the model said.
    Said(Text),
    /// What the model says, a piece more of it.
    Saying(String),
    /// That the model thinks.
    Thought,
    /// A tool call.
    Asked { id: Arc<str>, name: Arc<str>, input: Input, step: Option<Arc<str>> },
    /// Its result.
    Answered { id: Arc<str>, name: Arc<str>, output: Output, is_error: bool },
    /// What failed.
    Failed(Arc<str>),
    /// What a step took in and gave out.
    Used { model: Option<Arc<str>>, tokens: Tokens },
    /// A turn begins.
    Turn,
}

/// What came over the wire live.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// Something that the log will hold.
    Part(Part),
    /// A piece of the output of a call that runs.
    Partial { id: Arc<str>, data: String },
    /// The turn is over.
    Done { reason: Option<Arc<str>> },
    /// The log now holds the turn.
    Sealed,
    /// Nothing that is shown.
    Nothing,
}

/// A record of the log.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chunk {
    pub seq: Option<u64>,
    /// Absent for what is not shown, such as a system's words.
    pub part: Option<Part>,
}

/// Reads a chunk of the log; `json` stands in `buffer`.
pub(super) fn chunk(buffer: &Buffer, json: &Json<'_>) -> Result<Chunk, &'static str> {
    let seq = json.whole("seq");
    let Some(chunk) = json.nested("chunk").filter(Json::is_object) else { return Err("it has no chunk") };
    let kind = chunk.text("type").ok_or("its chunk has no type")?;
    let part = match &*kind {
        "text" => {
            let words = text(buffer, chunk.get("text"));
            match json.text("role").as_deref() {
                Some("user") => words.map(Part::Prompt),
                Some("system") => None,
                _ => words.map(Part::Said),
            }
        }
        "thinking" => Some(Part::Thought),
        "tool-call" => Some(asked(buffer, &chunk)),
        "tool-result" => Some(answered(buffer, &chunk)),
        "error" => Some(failed(&chunk)),
        // A newer host's kinds are no damage.
        _ => None,
    };
    Ok(Chunk { seq, part })
}

/// Reads a live event; `json` stands in `buffer`.
pub(super) fn event(buffer: &Buffer, json: &Json<'_>) -> Result<Event, &'static str> {
    let kind = json.text("type").ok_or("it has no type")?;
    let piece = || ["text", "delta", "content"].iter().find_map(|key| json.text(key));
    Ok(match &*kind {
        "turn-start" => Event::Part(Part::Turn),
        "text-delta" => Event::Part(Part::Saying(piece().unwrap_or_default().into_owned())),
        "reasoning-delta" => Event::Part(Part::Thought),
        "tool-call" => Event::Part(asked(buffer, json)),
        "tool-result" => Event::Part(answered(buffer, json)),
        "tool-output" => Event::Partial {
            id: json.word("toolCallId").unwrap_or_default(),
            data: json.text("data").unwrap_or_default().into_owned(),
        },
        "usage" => Event::Part(used(json)),
        "error" => Event::Part(failed(json)),
        "done" => Event::Done { reason: json.word("reason") },
        "turn-sealed" => Event::Sealed,
        _ => Event::Nothing,
    })
}

fn asked(buffer: &Buffer, json: &Json<'_>) -> Part {
    let input = json.get("input").filter(|input| *input != "null");
    Part::Asked {
        id: json.word("toolCallId").unwrap_or_default(),
        name: json.word("toolName").unwrap_or_default(),
        input: input.map_or(Content::None, |input| Content::Held(Text::within(buffer, input))),
        step: json.word("stepId"),
    }
}

fn answered(buffer: &Buffer, json: &Json<'_>) -> Part {
    let block = json.get("content").map(|content| match text(buffer, Some(content)) {
        Some(text) => Block::Text(text),
        None => Block::Json(Text::within(buffer, content)),
    });
    Part::Answered {
        id: json.word("toolCallId").unwrap_or_default(),
        name: json.word("toolName").unwrap_or_default(),
        output: Content::Held(block.into_iter().collect()),
        is_error: json.flag("isError"),
    }
}

fn failed(json: &Json<'_>) -> Part {
    let words = [json.word("message"), json.word("error"), json.word("code")].into_iter().flatten().next();
    Part::Failed(words.unwrap_or_else(|| "the host tells no reason".into()))
}

/// The spec names no fields of `usage`; these are the ones that hosts of this kind write, bare or in a `usage` of their own.
fn used(json: &Json<'_>) -> Part {
    let nested = json.nested("usage");
    let usage = nested.as_ref().unwrap_or(json);
    let first = |keys: [&str; 2]| keys.iter().find_map(|key| usage.whole(key));
    let tokens = Tokens {
        input: first(["inputTokens", "promptTokens"]),
        cache_read: first(["cacheReadTokens", "cachedInputTokens"]),
        cache_write: first(["cacheWriteTokens", "cacheCreationTokens"]),
        output: first(["outputTokens", "completionTokens"]),
        reasoning: usage.whole("reasoningTokens"),
    };
    Part::Used { model: json.word("model").or_else(|| usage.word("model")), tokens }
}

/// The text of a JSON string in `buffer`, without a copy.
fn text(buffer: &Buffer, raw: Option<&str>) -> Option<Text> {
    let inside = raw?.strip_prefix('"')?.strip_suffix('"')?;
    debug_assert!(json::string(raw?).is_some(), "what has quotes is a string");
    Some(Text::json_within(buffer, inside))
}
