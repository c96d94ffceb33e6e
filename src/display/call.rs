//! A tool call as the host's functions are given it, as JSON.

use crate::card;
use crate::json::{is_standard, quote};
use crate::trace::{Block, Content, Outcome, Timestamp, ToolCall};

/// The fields of a `Call`, in their order (specs: displays).
pub const CALL_FIELDS: [&str; 10] =
    ["id", "name", "agent", "input", "output", "status", "error", "startedAt", "endedAt", "durationMs"];

/// One field as JSON; `None` when there is no such field.
///
/// `input` and `output` can be large, and few functions look at both: a getter a field reads only what is asked for.
/// Instants and durations are in milliseconds; what is not known is `null`.
#[must_use]
pub fn call_field(call: &ToolCall, field: &str) -> Option<String> {
    let value = match field {
        "id" => Some(quote(&call.key.id)),
        "name" => Some(quote(&call.name)),
        "agent" => Some(quote(&call.key.agent)),
        "input" => card::raw_input(call).map(|input| value(&input)),
        "output" => output(call),
        "status" => Some(quote(call.outcome.name())),
        "error" => error(call),
        "startedAt" => millis(call.span.start),
        "endedAt" => millis(call.span.end),
        "durationMs" => call.span.nanos().map(|nanos| (nanos.max(0) / 1_000_000).to_string()),
        _ => return None,
    };
    Some(value.unwrap_or_else(|| "null".to_owned()))
}

/// The whole call as a JSON object.
#[must_use]
pub fn call_json(call: &ToolCall) -> String {
    let mut json = String::from("{");
    for field in CALL_FIELDS {
        let separator = if json.len() > 1 { ",\"" } else { "\"" };
        json.extend([separator, field, "\":", &call_field(call, field).unwrap_or_default()]);
    }
    json.push('}');
    json
}

/// A single value that is no text as such; anything else as the text that copying gives.
fn output(call: &ToolCall) -> Option<String> {
    match call.output.held()?.as_slice() {
        [Block::Json(text)] => Some(value(&text.read())),
        _ => card::raw_output(call).map(|output| quote(&output)),
    }
}

/// The text of what went wrong; empty when nothing is known of it but that it did.
fn error(call: &ToolCall) -> Option<String> {
    let is_error = call.outcome == Outcome::Error;
    is_error.then(|| match &call.output {
        Content::Unavailable(reason) => quote(reason),
        _ => quote(&card::raw_output(call).unwrap_or_default()),
    })
}

fn millis(at: Option<Timestamp>) -> Option<String> {
    at.map(|at| at.millis().to_string())
}

/// JSON as such, anything else as a string.
fn value(text: &str) -> String {
    if is_standard(text) { text.to_owned() } else { quote(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::tests::call;
    use crate::trace::{Span, Text};
    use serde_json::{Value, json};

    fn read(call: &ToolCall) -> Value {
        serde_json::from_str(&call_json(call)).unwrap()
    }

    #[test]
    fn a_call_is_given_whole() {
        let mut call = call("Bash", r#"{"command":"ls"}"#);
        call.span = Span { start: Some(Timestamp(1_500_000_999)), end: Some(Timestamp(4_000_000_000)) };
        call.output = Content::Held(vec![Block::Text(Text::from("a\nb"))]);
        let expected = json!({"id": "call-1", "name": "Bash", "agent": "main", "input": {"command": "ls"},
            "output": "a\nb", "status": "ok", "error": null, "startedAt": 1500, "endedAt": 4000, "durationMs": 2499});
        assert_eq!(read(&call), expected);
        let keys: Vec<_> = expected.as_object().unwrap().keys().cloned().collect();
        let mut fields = CALL_FIELDS;
        fields.sort_unstable();
        assert_eq!(keys, fields);
        assert_eq!(call_field(&call, "colour"), None);
    }

    #[test]
    fn what_is_odd_or_missing_is_still_json() {
        for (input, expected) in
            [("free \"text\"", json!("free \"text\"")), ("{\"a\": NaN}", json!("{\"a\": NaN}")), ("", json!(""))]
        {
            assert_eq!(read(&call("a", input))["input"], expected, "{input}");
        }
        let mut call = call("a", "");
        (call.input, call.output, call.outcome) = (Content::Remote, Content::None, Outcome::Running);
        let read_call = read(&call);
        assert_eq!([&read_call["input"], &read_call["output"], &read_call["durationMs"]], [&Value::Null; 3]);
        call.outcome = Outcome::Error;
        call.output = Content::Held(vec![Block::Json(Text::from("[1]"))]);
        assert_eq!((&read(&call)["output"], &read(&call)["error"]), (&json!([1]), &json!("[1]")));
    }
}
