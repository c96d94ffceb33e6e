//! What agents write around the output of a command: Codex's four forms, Claude Code's exit line, Dispatch's marks, and
//! the closing words of others.

use crate::json::Json;
use std::borrow::Cow;
use std::ops::Range;

/// An output taken out of what was written around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Envelope {
    body: Body,
    /// The exit code.
    pub exit: Option<i64>,
    /// The lines that were taken off, for a note.
    pub note: Option<String>,
    /// The command still runs.
    pub runs_on: bool,
    /// The command was stopped because it took too long.
    pub timed_out: bool,
    /// A part of the output is not there.
    pub truncated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Body {
    /// A part of the text.
    Part(Range<usize>),
    /// It stood in JSON.
    Own(String),
}

impl Default for Body {
    fn default() -> Self {
        Self::Part(0..0)
    }
}

impl Envelope {
    pub fn read(text: &str) -> Self {
        let mut envelope = codex_json(text)
            .or_else(|| codex_headers(text))
            .or_else(|| exit_line(text))
            .unwrap_or_else(|| Self { body: Body::Part(0..text.len()), ..Self::default() });
        let body = envelope.body(text).trim_ascii_end();
        // The mark stands at the end; a text of 100 MB is not searched for it.
        let end = &body[body.floor_char_boundary(body.len().saturating_sub(400))..];
        let timed_out = body.ends_with("[Command timed out]")
            || body.starts_with("command timed out after")
            || body.starts_with("Command timed out after");
        let truncated = end.contains("[Output truncated: ") || body.starts_with("Total output lines: ");
        let exit = closing_exit(text, end);
        envelope.timed_out = timed_out;
        envelope.truncated = truncated;
        envelope.exit = envelope.exit.or(exit);
        envelope
    }

    /// The output itself.
    pub fn body<'b>(&'b self, text: &'b str) -> &'b str {
        match &self.body {
            Body::Part(range) => &text[range.clone()],
            Body::Own(body) => body,
        }
    }

    /// Whether nothing was taken off, so that the text can be shown without a copy.
    pub fn is_bare(&self, text: &str) -> bool {
        self.body == Body::Part(0..text.len())
    }
}

/// `{"output":…,"metadata":{"exit_code":0,"duration_seconds":0.1}}`
fn codex_json(text: &str) -> Option<Envelope> {
    if !text.starts_with('{') || !text.contains("\"output\"") {
        return None;
    }
    let json = Json::parse(Cow::Borrowed(text)).ok()?;
    let metadata = json.nested("metadata")?;
    let exit = metadata.integer("exit_code")?;
    let output = json.text("output")?.into_owned();
    let seconds = metadata.get("duration_seconds").map(|seconds| format!(" · {seconds} seconds"));
    let note = Some(format!("exit {exit}{}", seconds.unwrap_or_default()));
    Some(Envelope { body: Body::Own(output), exit: Some(exit), note, ..Envelope::default() })
}

/// Headers and `Output:`; the first is `Command: …` (Codex Desktop), `Exit code: 0` (`shell_command`),
/// `Chunk ID: …` (`exec_command`) or `Script completed`, `Wall time …` (code mode).
fn codex_headers(text: &str) -> Option<Envelope> {
    const FIRST: [&str; 6] = ["Command: ", "Exit code: ", "Chunk ID: ", "Wall time", "Process ", "Script "];
    const MOST: usize = 8;
    if !FIRST.iter().any(|first| text.starts_with(first)) {
        return None;
    }
    let mut envelope = Envelope::default();
    let mut notes = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n').take(MOST) {
        at += line.len();
        let line = line.trim_ascii_end();
        if line == "Output:" {
            envelope.body = Body::Part(at..text.len());
            envelope.note = Some(notes.join(" · "));
            return Some(envelope);
        }
        if let Some(code) = line.strip_prefix("Exit code: ").or_else(|| line.strip_prefix("Process exited with code "))
        {
            envelope.exit = code.trim().parse().ok();
        }
        envelope.runs_on |= line.starts_with("Process running with session ID");
        if !line.is_empty() {
            notes.push(line);
        }
    }
    None
}

/// `Exit code 2` above the output of a failed command of Claude Code.
fn exit_line(text: &str) -> Option<Envelope> {
    let rest = text.strip_prefix("Error: ").unwrap_or(text).strip_prefix("Exit code ")?;
    let (code, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let exit = code.trim_ascii().parse().ok()?;
    let body = Body::Part(text.len() - body.len()..text.len());
    Some(Envelope { body, exit: Some(exit), note: Some(format!("exit {exit}")), ..Envelope::default() })
}

/// The exit code that `pi`, `OpenHands` and Gemini CLI tell in one of the last lines.
fn closing_exit(text: &str, end: &str) -> Option<i64> {
    const CLOSINGS: [&str; 4] = [
        "Command exited with code ",
        "[Command finished with exit code ",
        "[The command completed with exit code ",
        "Exit Code: ",
    ];
    const LAST: usize = 5;
    let is_gemini = text.starts_with("Command: ") || text.starts_with("Output: ");
    end.lines().rev().take(LAST).find_map(|line| {
        let closing = CLOSINGS.iter().find(|closing| line.starts_with(**closing))?;
        let code = line[closing.len()..].trim_ascii_end().trim_end_matches([']', '.']);
        code.parse().ok().filter(|_| is_gemini || *closing != "Exit Code: ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_forms_of_codex_and_claude_code() {
        for (text, body, exit, runs_on) in [
            (r#"{"output":"a\nb\n","metadata":{"exit_code":2,"duration_seconds":0.5}}"#, "a\nb\n", Some(2), false),
            ("Exit code: 1\nWall time: 0.3 seconds\nOutput:\nno\n", "no\n", Some(1), false),
            ("Exit code: 1\r\nWall time: 0.3 seconds\r\nOutput:\r\nno\r\n", "no\r\n", Some(1), false),
            ("Command: ls\nExit code: 0\nWall time: 0.3 seconds\nOutput:\n", "", Some(0), false),
            (
                "Chunk ID: 00ff\nWall time: 1.0 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\nx",
                "x",
                Some(0),
                false,
            ),
            ("Chunk ID: 1\nWall time: 9 seconds\nProcess running with session ID 12\nOutput:\n", "", None, true),
            ("Exit code 127\nno such command", "no such command", Some(127), false),
            ("Exit code 1", "", Some(1), false),
            ("a\n\nCommand exited with code 3", "a\n\nCommand exited with code 3", Some(3), false),
            (
                "a\n[The command completed with exit code 1.]",
                "a\n[The command completed with exit code 1.]",
                Some(1),
                false,
            ),
            ("Output: a\nExit Code: 4\nSignal: (none)", "Output: a\nExit Code: 4\nSignal: (none)", Some(4), false),
            ("a\nExit Code: 4", "a\nExit Code: 4", None, false),
            ("Plan updated", "Plan updated", None, false),
            ("Exit code: 1\nand no output", "Exit code: 1\nand no output", None, false),
            (r#"{"output":"a"}"#, r#"{"output":"a"}"#, None, false),
            ("", "", None, false),
        ] {
            let envelope = Envelope::read(text);
            assert_eq!((envelope.body(text), envelope.exit, envelope.runs_on), (body, exit, runs_on), "{text}");
        }
    }

    #[test]
    fn reads_the_marks_of_dispatch() {
        assert!(Envelope::read("a\n\n[Command timed out]").timed_out);
        assert!(Envelope::read("a\n[Output truncated: 9000 of 12000 bytes shown]\n").truncated);
        let far = format!("[Output truncated: quoted]{}", "x".repeat(500));
        assert!(!Envelope::read(&far).truncated);
    }
}
