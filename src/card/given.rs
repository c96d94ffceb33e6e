//! What a call was given, whatever its agent wrote: an object, a JSON string with JSON in it, free text, a scalar, or
//! what a cut has left of it.

use std::borrow::Cow;

use crate::json::{self, Json};
use crate::trace::Input;

/// The input of a call.
#[derive(Clone, Debug)]
pub(super) enum Given<'a> {
    /// It is not here: there is none, or it has to be fetched, or it cannot be had.
    Absent,
    /// An object, an array, a number, `true`, `null`.
    Json(Json<'a>),
    /// Text that is no JSON, or the text of a JSON string.
    Text(Cow<'a, str>),
}

/// JSON strings in JSON strings are opened so many times.
const MAX_ENCODINGS: usize = 4;

impl<'a> Given<'a> {
    pub fn read(input: &'a Input) -> Self {
        let Some(text) = input.held() else { return Self::Absent };
        let mut text = text.read();
        for _ in 0..MAX_ENCODINGS {
            match Json::parse(text) {
                Err(other) => return Self::Text(other),
                Ok(json) => match json.string() {
                    None => return Self::Json(json),
                    Some(inside) => text = Cow::Owned(inside.into_owned()),
                },
            }
            // A number in a string is a string.
            if !json::is_composite(&text) && !text.starts_with('"') {
                break;
            }
        }
        Self::Text(text)
    }

    pub fn object(&self) -> Option<&Json<'a>> {
        match self {
            Self::Json(json) if json.is_object() => Some(json),
            _ => None,
        }
    }

    /// Free text.
    pub fn free_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The first of the fields that holds a text or number, as text; empty ones are passed over.
    pub fn text(&self, keys: &[&str]) -> Option<String> {
        let object = self.object()?;
        keys.iter().find_map(|key| scalar(key, object.get(key)?)).filter(|text| !text.is_empty())
    }

    /// The first of the fields that is a text, even an empty one.
    pub fn content(&self, keys: &[&str]) -> Option<String> {
        let object = self.object()?;
        keys.iter().find_map(|key| object.text(key)).map(Cow::into_owned)
    }

    /// The first of the fields that is an array or object.
    pub fn nested(&self, keys: &[&str]) -> Option<Json<'_>> {
        let object = self.object()?;
        keys.iter().find_map(|key| object.nested(key))
    }

    /// The first of the fields that is a whole number.
    pub fn integer(&self, keys: &[&str]) -> Option<i64> {
        let object = self.object()?;
        keys.iter().find_map(|key| object.integer(key))
    }

    /// Whether one of the fields is `true`.
    pub fn is_true(&self, keys: &[&str]) -> bool {
        self.object().is_some_and(|object| keys.iter().any(|key| object.is_true(key)))
    }
}

/// A string, number or boolean as text.
fn scalar(key: &str, raw: &str) -> Option<String> {
    if let Some(text) = json::string(raw) {
        // Antigravity, which alone writes its keys large, encodes every value once more.
        let encoded = key.starts_with(|first: char| first.is_ascii_uppercase());
        let inner = encoded.then(|| json::string(&text).map(Cow::into_owned)).flatten();
        return Some(inner.unwrap_or_else(|| text.into_owned())).filter(|text| !text.is_empty());
    }
    (!raw.starts_with(['{', '[']) && raw != "null").then(|| raw.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Content, Text};

    #[test]
    fn reads_every_odd_input() {
        for (text, expected) in [
            (r#"{"a":1}"#, "object"),
            (r#""{\"a\":1}""#, "object"),
            (r#""\"{\\\"a\\\":1}\"""#, "object"),
            ("[1,2]", "json"),
            ("12", "json"),
            ("true", "json"),
            ("null", "json"),
            (r#""""#, "text "),
            ("", "text "),
            (r#""12""#, "text 12"),
            (r#"{"a": "cut"#, r#"text {"a": "cut"#),
            ("*** Begin Patch", "text *** Begin Patch"),
            ("\"open", "text \"open"),
        ] {
            let input = Content::Held(Text::from(text));
            let read = match Given::read(&input) {
                Given::Absent => "absent".to_owned(),
                Given::Json(json) if json.is_object() => "object".to_owned(),
                Given::Json(_) => "json".to_owned(),
                Given::Text(text) => format!("text {text}"),
            };
            assert_eq!(read, expected, "{text}");
        }
        assert!(matches!(Given::read(&Content::Remote), Given::Absent));
    }

    #[test]
    fn takes_the_first_field_that_says_something() {
        let input = Content::Held(Text::from(r#"{"a":"","b":null,"c":{},"d":7,"E":"\"x\"","f":"\"x\""}"#));
        let given = Given::read(&input);
        assert_eq!(given.text(&["a", "b", "c", "d"]).as_deref(), Some("7"));
        assert_eq!(given.text(&["E"]).as_deref(), Some("x"));
        assert_eq!(given.text(&["f"]).as_deref(), Some("\"x\""));
        assert_eq!(given.content(&["b", "a"]).as_deref(), Some(""));
    }
}
