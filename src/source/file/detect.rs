//! Which format a file has, told by what stands in it and never by its name (specs: session-files §0).

use super::Reading;
use super::source::{Sample, Source};

/// A format that can be told and read.
pub(super) struct Known {
    pub recognises: fn(&Sample<'_>) -> bool,
    pub read: fn(&Source) -> Vec<Reading>,
}

/// Envelopes first, the generic shapes of `role` and `content` last.
pub(super) const KNOWN: [Known; 25] = [
    Known { recognises: super::inspect::recognises, read: super::inspect::read },
    Known { recognises: super::otlp::recognises, read: super::otlp::read },
    Known { recognises: super::langfuse::recognises, read: super::langfuse::read },
    Known { recognises: super::capture::recognises, read: super::capture::read },
    Known { recognises: super::acp::recognises, read: super::acp::read },
    Known { recognises: super::openhands::recognises, read: super::openhands::read },
    Known { recognises: super::atif::recognises, read: super::atif::read },
    Known { recognises: super::codex::recognises, read: super::codex::read },
    Known { recognises: super::pi::recognises, read: super::pi::read },
    Known { recognises: super::antigravity::recognises, read: super::antigravity::read },
    Known { recognises: super::copilot::recognises, read: super::copilot::read },
    Known { recognises: super::kimi::recognises, read: super::kimi::read },
    Known { recognises: super::qwen::recognises, read: super::qwen::read },
    Known { recognises: super::claude::recognises, read: super::claude::read },
    Known { recognises: super::dispatch::recognises, read: super::dispatch::read },
    Known { recognises: super::gemini::recognises, read: super::gemini::read },
    Known { recognises: super::cursor::recognises, read: super::cursor::read },
    Known { recognises: super::goose::recognises, read: super::goose::read },
    Known { recognises: super::opencode::recognises, read: super::opencode::read },
    Known { recognises: super::cline::recognises, read: super::cline::read },
    Known { recognises: super::aparte::recognises, read: super::aparte::read },
    Known { recognises: super::swe_agent::recognises, read: super::swe_agent::read },
    Known { recognises: super::vercel::recognises, read: super::vercel::read },
    Known { recognises: super::envelope::recognises, read: super::envelope::read },
    Known { recognises: super::api::recognises, read: super::api::read },
];
