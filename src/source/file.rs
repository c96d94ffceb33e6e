//! Files that a person opened: the sessions in them, whatever agent wrote them (specs: session-files).

mod acp;
mod antigravity;
mod aparte;
mod api;
mod atif;
mod capture;
#[cfg(test)]
mod check;
mod claude;
mod cline;
mod codex;
mod container;
mod content;
mod copilot;
mod cursor;
mod detect;
mod dispatch;
mod envelope;
mod gemini;
mod goose;
mod inspect;
mod join;
mod kimi;
mod langfuse;
mod opencode;
mod openhands;
mod otlp;
mod pi;
mod qwen;
mod source;
mod sse;
mod swe_agent;
#[cfg(test)]
mod tests;
mod transcript;
mod vercel;
mod wire;

use std::sync::Arc;

use thiserror::Error;

pub use self::join::join;
use self::source::Source;
use crate::trace::{Problem, Session};

/// What wrote a file, and in which of its forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Messages of the Agent Client Protocol.
    Acp,
    /// Steps of Antigravity.
    Antigravity,
    /// A conversation, request or stream of aparté.
    Aparte,
    /// Messages, requests, responses or streams of a model provider's API.
    Api,
    /// A trajectory in the Agent Trajectory Interchange Format, or kc's metadata.
    Atif,
    /// Requests and responses between an agent and a model provider.
    Capture,
    /// A session of Claude Code.
    ClaudeCode,
    /// What Claude Code printed as stream-json.
    ClaudeStream,
    /// What Cline or Roo sent to the model.
    ClineHistory,
    /// A session of Cline's SDK.
    ClineSdk,
    /// What Cline's or Roo's window showed.
    ClineWindow,
    /// A rollout of Codex.
    Codex,
    /// Events of Copilot CLI.
    Copilot,
    /// A transcript of Cursor's agent.
    Cursor,
    /// A log or the events of Dispatch.
    Dispatch,
    /// Anthropic's messages in the records of a host: Happy, Droid, managed agents and others.
    Envelope,
    /// A chat of Gemini CLI.
    GeminiChat,
    /// What Gemini CLI printed as stream-json.
    GeminiStream,
    /// A session or recording of Goose.
    Goose,
    /// A log of Inspect.
    Inspect,
    /// A wire log of Kimi.
    Kimi,
    /// An export of a Langfuse trace.
    Langfuse,
    /// An export, storage file or printed run of opencode.
    Opencode,
    /// Output or events of `OpenHands`.
    Openhands,
    /// Spans of `OpenTelemetry`.
    Otlp,
    /// A session of pi, oh-my-pi or `OpenClaw`.
    Pi,
    /// A session of Qwen Code.
    Qwen,
    /// A trajectory of SWE-agent or mini-swe-agent.
    SweAgent,
    /// Messages or stream of the AI SDK's user interfaces.
    Vercel,
}

/// A session that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What wrote the file.
    pub format: Format,
    /// The file's name.
    pub file: Arc<str>,
    /// The session.
    pub session: Session,
    /// How many of its results stand there without their call.
    pub orphans: u32,
    /// What it is a part of.
    pub belongs: Belongs,
}

/// What a session is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Belongs {
    /// Nothing else.
    Alone,
    /// It is the run of a sub-agent: that of the same id in the session that spawned it.
    Child {
        /// The id of the session that spawned it.
        parent: Arc<str>,
    },
    /// It is a piece of the session of the same id, whose other pieces stand in files of their own.
    Part,
}

/// A file in which no session was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file} holds no session that Callsheet knows: {why}")]
pub struct Unreadable {
    /// The file's name.
    pub file: Arc<str>,
    /// What was looked for, or why the file could not be unpacked.
    pub why: String,
}

const LOOKED_FOR: &str = "it looked for the session files of agents, for requests, responses and messages of models' APIs, \
     and for spans, told by what stands in them";

/// Reads the sessions of a file, which may be packed and then be several. Bytes that are no UTF-8 become U+FFFD.
///
/// # Errors
/// When nothing in it is known, or it cannot be unpacked.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<Vec<Reading>, Unreadable> {
    let mut damaged = Vec::new();
    let mut texts = Vec::new();
    for member in container::unpack(name, bytes) {
        match member.bytes {
            Ok(bytes) => texts.push((member.name, text(bytes))),
            Err(damage) => damaged.push(Problem { place: member.name, reason: damage.to_string() }),
        }
    }
    let mut readings = Vec::new();
    for (member, text) in inspect::assemble(texts) {
        // What an archive holds is told by both names.
        let name = if member == name { member } else { format!("{name}/{member}") };
        let source = Source::new(&name, text);
        let sample = source.sample();
        let known = detect::KNOWN.iter().find(|known| (known.recognises)(&sample));
        readings.extend(known.map(|known| (known.read)(&source)).unwrap_or_default());
    }
    if let Some(first) = readings.first_mut() {
        first.session.problems.extend(damaged);
        return Ok(readings);
    }
    let why = damaged.first().map_or_else(|| LOOKED_FOR.to_owned(), |problem| problem.reason.clone());
    Err(Unreadable { file: name.into(), why })
}

fn text(bytes: Vec<u8>) -> String {
    let mut text =
        String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    text
}
