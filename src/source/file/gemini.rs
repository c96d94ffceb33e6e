//! Gemini CLI (specs: session-files §7): saved chats as one JSON or by lines, and what `--output-format stream-json` prints.

mod chat;
mod stream;

#[cfg(test)]
mod tests;

pub(super) use self::chat::block;
use super::source::{Container, Sample, Source};
use super::{Format, Reading};

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    let is_chat = |json: &crate::json::Json<'_>| {
        json.get("projectHash").is_some() && (json.get("messages").is_some() || json.get("sessionId").is_some())
    };
    sample.any(|record| is_chat(record) || chat::is_message(record) || stream::is_event(record))
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let is_stream = source.container == Container::Lines && source.sample().any(stream::is_event);
    let (format, transcript) =
        if is_stream { (Format::GeminiStream, stream::read(source)) } else { (Format::GeminiChat, chat::read(source)) };
    vec![source.reading(format, transcript.finish(false), super::Belongs::Alone)]
}
