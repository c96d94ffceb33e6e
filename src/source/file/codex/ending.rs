//! How a call of Codex ended: the text of its output says so, there is no flag (specs: session-files §3).

use crate::json::{self, Json, unescape};
use crate::trace::{Outcome, Refuser};

/// What the text of an output says beside what the tool put out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ending {
    /// The exit code.
    pub exit: Option<i64>,
    /// How long it ran, in nanoseconds; waiting for an approval is not in it.
    pub ran: Option<i64>,
    /// An end that is neither good nor bad.
    pub outcome: Option<Outcome>,
    /// Whether it is said in so many words that it failed.
    pub failed: bool,
}

/// Headers stand in so many bytes at the most; the rest may be megabytes.
const HEAD: usize = 800;

impl Ending {
    /// Reads the inside of a JSON string as it stands in the file.
    pub fn read(raw: &str) -> Self {
        let head = &raw[..raw.floor_char_boundary(HEAD)];
        let head = unescape(head);
        if head.starts_with('{') {
            return Self::of_json(raw).unwrap_or_default();
        }
        let by = |by| Self { outcome: Some(Outcome::Refused { by }), ..Self::default() };
        if ["exec command rejected", "patch rejected"].iter().any(|words| head.starts_with(words)) {
            return by(if head.contains("by user") { Refuser::User } else { Refuser::Policy });
        }
        if head.starts_with("aborted by user") || head.trim() == "aborted" {
            return Self { outcome: Some(Outcome::Cancelled), ..Self::default() };
        }
        Self::of_headers(&head).unwrap_or_default()
    }

    /// `{"output":…,"metadata":{"exit_code":0,"duration_seconds":0.1}}`, written into a string.
    fn of_json(raw: &str) -> Option<Self> {
        // The output inside is escaped once more, so that these quotes cannot stand in it.
        const METADATA: &str = r#"\"metadata\":{"#;
        if let Some(at) = raw.rfind(METADATA).filter(|_| raw.starts_with(r#"{\"output\""#)) {
            let tail = &raw[at + METADATA.len() - 1..];
            let metadata = unescape(&tail[..=tail.find('}')?]);
            return Json::parse(metadata.into()).ok().map(|metadata| Self::of_metadata(&metadata));
        }
        let whole = Json::parse(unescape(raw).into()).ok()?;
        if whole.is_true("isError") || whole.get("success") == Some("false") {
            return Some(Self { failed: true, ..Self::default() });
        }
        Some(Self::of_metadata(&whole.nested("metadata")?))
    }

    fn of_metadata(metadata: &Json<'_>) -> Self {
        let ran = metadata.get("duration_seconds").and_then(|seconds| json::decimal(seconds, 9));
        Self { exit: metadata.integer("exit_code"), ran, ..Self::default() }
    }

    /// Lines until `Output:`, the first of which is one of a few.
    fn of_headers(head: &str) -> Option<Self> {
        const FIRST: [&str; 6] = ["Command: ", "Exit code: ", "Chunk ID: ", "Wall time", "Process ", "Script "];
        if !FIRST.iter().any(|first| head.starts_with(first)) {
            return None;
        }
        let mut ending = Self::default();
        for line in head.lines() {
            let line = line.trim_end();
            if line == "Output:" {
                return Some(ending);
            }
            if let Some(code) =
                line.strip_prefix("Exit code: ").or_else(|| line.strip_prefix("Process exited with code "))
            {
                ending.exit = code.parse().ok();
            } else if let Some(time) = line.strip_prefix("Wall time") {
                let seconds = time.trim_start_matches([':', ' ']).split(' ').next()?;
                ending.ran = json::decimal(seconds, 9);
            }
            ending.failed |= line == "Script failed";
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As it stands in a file, without its quotes.
    fn raw(text: &str) -> String {
        let quoted = json::quote(text);
        quoted[1..quoted.len() - 1].to_owned()
    }

    #[test]
    fn reads_every_form() {
        let long = format!("Exit code: 3\nWall time: 2 seconds\nOutput:\n{}", "é".repeat(2_000));
        for (text, exit, ran) in [
            (
                r#"{"output":"a \"metadata\":{\"exit_code\":9}","metadata":{"exit_code":1,"duration_seconds":0.25}}"#,
                Some(1),
                Some(250_000_000),
            ),
            (r#"{"metadata":{"exit_code":2},"output":"\"metadata\":{}"}"#, Some(2), None),
            (r#"{ "output": "a", "metadata": { "exit_code": -1 } }"#, Some(-1), None),
            (r#"{"answers":{}}"#, None, None),
            ("{", None, None),
            ("Exit code: 0\nWall time: 0.3 seconds\nOutput:\nExit code: 1\n", Some(0), Some(300_000_000)),
            ("Exit code: 1\r\nWall time: 1 seconds\r\nOutput:\r\n", Some(1), Some(1_000_000_000)),
            (
                "Command: ls\nChunk ID: 1\nWall time: 0.0510 seconds\nProcess exited with code 127\nOriginal token count: 3\nOutput:\n",
                Some(127),
                Some(51_000_000),
            ),
            (
                "Chunk ID: 1\nWall time: 9.0 seconds\nProcess running with session ID 4\nOutput:\n",
                None,
                Some(9_000_000_000),
            ),
            ("Script completed\nWall time 0.4 seconds\nOutput:\n", None, Some(400_000_000)),
            ("Exit code: 1\nno output line", None, None),
            ("Plan updated", None, None),
            (&long, Some(3), Some(2_000_000_000)),
            ("", None, None),
        ] {
            assert_eq!(Ending::read(&raw(text)), Ending { exit, ran, ..Ending::default() }, "{text}");
        }
    }

    #[test]
    fn reads_ends_that_are_no_result() {
        let refused = |by| Some(Outcome::Refused { by });
        for (text, outcome) in [
            ("exec command rejected by user", refused(Refuser::User)),
            ("exec command rejected: outside of the sandbox", refused(Refuser::Policy)),
            ("patch rejected by user", refused(Refuser::User)),
            ("aborted by user after 3.2s", Some(Outcome::Cancelled)),
            ("aborted", Some(Outcome::Cancelled)),
            ("execution error: no such file", None),
        ] {
            assert_eq!(Ending::read(&raw(text)).outcome, outcome, "{text}");
        }
        for (text, failed) in [
            ("Script failed\nWall time 0.1 seconds\nOutput:\nboom", true),
            (r#"{"content":[],"isError":true}"#, true),
            (r#"{"content":"no","success":false}"#, true),
            (r#"{"content":[],"isError":false}"#, false),
        ] {
            assert_eq!(Ending::read(&raw(text)).failed, failed, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in ".{0,80}", cut in 0_usize..200) {
            let whole = raw(&text);
            let _ = Ending::read(&whole[..whole.floor_char_boundary(cut)]);
            let _ = Ending::read(&text);
        }
    }
}
