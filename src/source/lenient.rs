//! Fields of JSON objects that may hold anything: an agent's or proxy's next version must not cost the reader a record.
//!
//! A field of an unexpected type is absent; an item of a list that is no object is skipped and told.

use std::borrow::Cow;
use std::sync::Arc;

use crate::json::{self, Json};
use crate::trace::Timestamp;

/// A list of objects.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T> {
    /// What could be read.
    pub items: Vec<T>,
    /// Position and reason of what could not.
    pub skipped: Vec<(usize, String)>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), skipped: Vec::new() }
    }
}

/// The fields of an object, each as the type that is wanted.
pub trait Fields {
    /// A string; a number or boolean is taken as its text. The empty string is absent: wires spell both the same way.
    fn word(&self, key: &str) -> Option<Arc<str>>;
    /// A whole number that is not negative.
    fn whole(&self, key: &str) -> Option<u64>;
    /// A number in billionths.
    fn billionths(&self, key: &str) -> Option<i64>;
    /// A yes or no; anything that is neither absent nor empty, zero or false counts as yes.
    fn flag(&self, key: &str) -> bool;
    /// An instant, as RFC 3339 text or as a number of seconds or milliseconds.
    fn time(&self, key: &str) -> Option<Timestamp>;
    /// Any value but `null`, as written.
    fn written(&self, key: &str) -> Option<Arc<str>>;
    /// An object.
    fn part<T>(&self, key: &str, read: fn(&Json<'_>) -> T) -> Option<T>;
    /// A list of objects; any other value is the empty list.
    fn list<T>(&self, key: &str, read: fn(&Json<'_>) -> T) -> List<T>;
}

impl Fields for Json<'_> {
    fn word(&self, key: &str) -> Option<Arc<str>> {
        scalar(self.get(key)?).filter(|text| !text.is_empty()).map(Into::into)
    }

    fn whole(&self, key: &str) -> Option<u64> {
        let text = scalar(self.get(key)?)?;
        let number = text.trim();
        // Some writers know floats only.
        number.strip_suffix(".0").unwrap_or(number).parse().ok()
    }

    fn billionths(&self, key: &str) -> Option<i64> {
        json::decimal(scalar(self.get(key)?)?.trim(), 9)
    }

    fn flag(&self, key: &str) -> bool {
        !matches!(self.get(key), None | Some("null" | "false" | "0" | "0.0" | "\"\"" | "\"false\"" | "\"0\""))
    }

    fn time(&self, key: &str) -> Option<Timestamp> {
        let text = scalar(self.get(key)?)?;
        Timestamp::parse(&text).or_else(|| Timestamp::from_number(text.trim()))
    }

    fn written(&self, key: &str) -> Option<Arc<str>> {
        self.get(key).filter(|raw| *raw != "null").map(Into::into)
    }

    fn part<T>(&self, key: &str, read: fn(&Json<'_>) -> T) -> Option<T> {
        object(self.get(key)?).map(|json| read(&json))
    }

    fn list<T>(&self, key: &str, read: fn(&Json<'_>) -> T) -> List<T> {
        let mut list = List::default();
        let Some(Ok(array)) = self.get(key).map(|raw| Json::parse(raw.into())) else { return list };
        for (position, item) in array.items().enumerate() {
            match object(item) {
                Some(json) => list.items.push(read(&json)),
                None => list.skipped.push((position, "it is no object".to_owned())),
            }
        }
        list
    }
}

fn object(raw: &str) -> Option<Json<'_>> {
    Json::parse(raw.into()).ok().filter(Json::is_object)
}

/// The text of a string, or a number or boolean as written.
fn scalar(raw: &str) -> Option<Cow<'_, str>> {
    if raw.starts_with('"') {
        return json::string(raw);
    }
    (raw != "null" && !raw.starts_with(['{', '['])).then_some(raw.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An object whose field `x` holds the value.
    fn with<T>(value: &str, read: impl Fn(&Json<'_>) -> T) -> T {
        read(&Json::parse(format!(r#"{{"x":{value}}}"#).into()).unwrap())
    }

    #[test]
    fn each_field_takes_what_it_can() {
        for (value, text) in [
            (r#""a\n""#, Some("a\n")),
            ("1", Some("1")),
            ("1.50", Some("1.50")),
            ("true", Some("true")),
            (r#""""#, None),
            ("[1]", None),
            ("{}", None),
            ("null", None),
        ] {
            assert_eq!(with(value, |json| json.word("x")).as_deref(), text, "{value}");
        }
        for (value, count) in
            [("7", Some(7)), (r#""7""#, Some(7)), ("7.0", Some(7)), ("-1", None), ("{}", None), ("null", None)]
        {
            assert_eq!(with(value, |json| json.whole("x")), count, "{value}");
        }
        for (value, flag) in [
            ("true", true),
            ("1", true),
            (r#"{"kind":"x"}"#, true),
            (r#""why""#, true),
            (r#""false""#, false),
            ("0", false),
            ("null", false),
        ] {
            assert_eq!(with(value, |json| json.flag("x")), flag, "{value}");
        }
        let at = Timestamp::parse("2026-10-06T13:04:09Z");
        for (value, time) in [
            (r#""2026-10-06T13:04:09Z""#, at),
            ("1791291849", at),
            ("1791291849000", at),
            (r#""0001-01-01T00:00:00Z""#, None),
            ("null", None),
            ("[]", None),
        ] {
            assert_eq!(with(value, |json| json.time("x")), time, "{value}");
        }
        assert_eq!(with("0.25", |json| json.billionths("x")), Some(250_000_000));
        assert_eq!(with("NaN", |json| json.billionths("x")), None);
        assert_eq!(with("null", |json| json.written("x")), None);
        assert_eq!(with("[ 1 ]", |json| json.written("x")).as_deref(), Some("[ 1 ]"));
        assert!(!with("1", |json| json.flag("y")));
    }

    #[test]
    fn one_bad_item_is_skipped_alone() {
        let list = with(r#"[{"t":"a"},3,null,{"t":"d"}]"#, |json| json.list("x", |item| item.word("t")));
        assert_eq!(list.items, [Some("a".into()), Some("d".into())]);
        assert_eq!(list.skipped.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_list_that_is_none_is_empty() {
        for value in ["null", "3", "-3", "1.5", "true", r#""x""#, "{}", r#"{"a":[1]}"#] {
            assert_eq!(with(value, |json| json.list("x", |_| ())), List::default(), "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_value_in_any_field_is_read(value in any_json()) {
            with(&value, |json| {
                let _ = (json.word("x"), json.whole("x"), json.billionths("x"), json.flag("x"), json.time("x"), json.written("x"));
                let _ = (json.part("x", |_| ()), json.list("x", |_| ()));
            });
        }
    }

    fn any_json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            any::<bool>().prop_map(|value| value.to_string()),
            any::<i64>().prop_map(|value| value.to_string()),
            any::<f64>().prop_map(|value| serde_json::json!(value).to_string()),
            any::<String>().prop_map(|text| json::quote(&text)),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
                prop::collection::vec(inner, 0..3).prop_map(|items| {
                    let fields: Vec<_> = items.iter().map(|item| format!(r#""x":{item}"#)).collect();
                    format!("{{{}}}", fields.join(","))
                }),
            ]
        })
    }
}
