//! Counts what session files hold: one JSON line a file, for comparing with another counter.
//!
//! `cargo run --no-default-features --example count -- FILES`

#![allow(clippy::print_stdout, reason = "it is what this program is for")]

use callsheet::json::quote;
use callsheet::source::file::{self, Format, Reading};
use callsheet::trace::{Content, Outcome, ToolCall};

fn main() {
    for path in std::env::args().skip(1) {
        println!("{}", line(&path));
    }
}

fn line(path: &str) -> String {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return format!(r#"{{"file":{},"error":{}}}"#, quote(path), quote(&error.to_string())),
    };
    let readings = match file::read(path, bytes) {
        Ok(readings) => readings,
        Err(error) => return format!(r#"{{"file":{},"error":{}}}"#, quote(path), quote(&error.to_string())),
    };
    let format = readings.first().map_or(String::new(), |reading| format!("{:?}", reading.format));
    let sum = |count: fn(&Reading) -> usize| readings.iter().map(count).sum::<usize>();
    format!(
        r#"{{"file":{},"format":"{format}","calls":{},"results":{},"errors":{},"orphans":{},"repeats":{},"problems":{}}}"#,
        quote(path),
        sum(|reading| calls(reading).count()),
        sum(|reading| calls(reading).filter(|call| has_result(call)).count()),
        sum(|reading| calls(reading).filter(|call| is_error(reading.format, call)).count()),
        sum(|reading| reading.orphans as usize),
        sum(|reading| reading.session.repeats as usize),
        sum(|reading| reading.session.problems.len()),
    )
}

/// The calls without those of which only the result is known.
fn calls(reading: &Reading) -> impl Iterator<Item = &ToolCall> {
    let calls = reading.session.calls.iter().map(std::convert::AsRef::as_ref);
    calls.filter(|call| !(call.asked_by.is_none() && call.name.is_empty() && call.input == Content::None))
}

/// Some formats flag the result of a refused or cancelled call as an error, and hold what the tool was told.
fn is_error(format: Format, call: &ToolCall) -> bool {
    const FLAGGED: [Format; 3] = [Format::ClaudeCode, Format::ClaudeStream, Format::Opencode];
    let is_flagged = matches!(call.outcome, Outcome::Refused { .. } | Outcome::Cancelled) && has_result(call);
    call.outcome == Outcome::Error || is_flagged && FLAGGED.contains(&format)
}

fn has_result(call: &ToolCall) -> bool {
    matches!(call.outcome, Outcome::Ok | Outcome::Error)
        || call.outcome.has_ended() && matches!(call.output, Content::Held(_) | Content::Unavailable(_))
}
