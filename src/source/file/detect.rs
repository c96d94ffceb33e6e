//! Which format a file has, told by what stands in it and never by its name (specs: session-files §0).

use super::Reading;
use super::source::{Sample, Source};

/// A format that can be told and read.
pub(super) struct Known {
    pub recognises: fn(&Sample<'_>) -> bool,
    pub read: fn(&Source) -> Vec<Reading>,
}

/// Envelopes first, the generic shapes of `role` and `content` last.
pub(super) const KNOWN: [Known; 4] = [
    Known { recognises: super::codex::recognises, read: super::codex::read },
    Known { recognises: super::pi::recognises, read: super::pi::read },
    Known { recognises: super::gemini::recognises, read: super::gemini::read },
    Known { recognises: super::opencode::recognises, read: super::opencode::read },
];
