//! JSON fields that take anything: an agent's or proxy's next version must not cost the reader a record.
//!
//! A field of an unexpected type is absent, an element of an unexpected type is skipped and counted.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::trace::Timestamp;

/// A string; numbers and booleans are taken as their text, all else is absent. The empty string is absent too:
/// the wires spell both the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Str(pub Option<Arc<str>>);

/// A whole number that is not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub Option<u64>);

/// Any number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number(pub Option<f64>);

/// A yes or no; anything that is neither absent nor empty, zero or false counts as yes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

/// An instant as RFC 3339 text or as a number of seconds or milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time(pub Option<Timestamp>);

/// Any value, kept as the JSON it was; `null` is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Json(pub Option<Arc<str>>);

/// A part of a record; absent when it is not of the expected shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part<T>(pub Option<T>);

/// A list; `null` and other shapes are the empty list.
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

/// What a JSON value of any type looks like to the fields above.
enum Scalar<'a> {
    Absent,
    Bool(bool),
    Number(f64),
    Count(u64),
    Text(&'a str),
    Nested,
}

struct ScalarVisitor<F>(F);

impl<'de, T, F: FnOnce(Scalar<'_>) -> T> Visitor<'de> for ScalarVisitor<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(self.0(Scalar::Absent))
    }

    fn visit_bool<E>(self, value: bool) -> Result<T, E> {
        Ok(self.0(Scalar::Bool(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<T, E> {
        Ok(self.0(Scalar::Count(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<T, E> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "only negative numbers come here, and no field wants them exactly"
        )]
        Ok(self.0(Scalar::Number(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<T, E> {
        Ok(self.0(Scalar::Number(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<T, E> {
        Ok(self.0(Scalar::Text(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.0(Scalar::Nested))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self.0(Scalar::Nested))
    }
}

impl<'de> Deserialize<'de> for Str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(|value: Scalar<'_>| {
            Self(match value {
                Scalar::Text("") | Scalar::Absent | Scalar::Nested => None,
                Scalar::Text(text) => Some(text.into()),
                Scalar::Bool(value) => Some(value.to_string().into()),
                Scalar::Count(value) => Some(value.to_string().into()),
                Scalar::Number(value) => Some(value.to_string().into()),
            })
        }))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(|value: Scalar<'_>| {
            Self(match value {
                Scalar::Count(value) => Some(value),
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the range is checked first"
                )]
                Scalar::Number(value) => (0.0..1.8e19).contains(&value).then_some(value as u64),
                Scalar::Text(text) => text.trim().parse().ok(),
                Scalar::Absent | Scalar::Bool(_) | Scalar::Nested => None,
            })
        }))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(|value: Scalar<'_>| {
            Self(match value {
                #[expect(clippy::cast_precision_loss, reason = "a field that must be exact is a Count")]
                Scalar::Count(value) => Some(value as f64),
                Scalar::Number(value) => Some(value),
                Scalar::Text(text) => text.trim().parse().ok(),
                Scalar::Absent | Scalar::Bool(_) | Scalar::Nested => None,
            })
        }))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(|value: Scalar<'_>| {
            Self(match value {
                Scalar::Absent | Scalar::Text("" | "false" | "0") => false,
                Scalar::Bool(value) => value,
                Scalar::Count(value) => value != 0,
                Scalar::Number(value) => value != 0.0,
                Scalar::Text(_) | Scalar::Nested => true,
            })
        }))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor(|value: Scalar<'_>| {
            Self(match value {
                Scalar::Text(text) => Timestamp::parse(text),
                #[expect(clippy::cast_precision_loss, reason = "milliseconds of any date are exact in an f64")]
                Scalar::Count(value) => Timestamp::from_number(value as f64),
                Scalar::Number(value) => Timestamp::from_number(value),
                Scalar::Absent | Scalar::Bool(_) | Scalar::Nested => None,
            })
        }))
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        Ok(Self((raw != "null").then(|| raw.into())))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Part<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(raw.get()).ok()))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        let mut list = List::default();
        let mut position = 0;
        // Each element is cut out first, so that one that does not fit leaves the next where it stands.
        while let Some(raw) = seq.next_element::<&RawValue>()? {
            match serde_json::from_str(raw.get()) {
                Ok(item) => list.items.push(item),
                Err(error) => list.skipped.push((position, error.to_string())),
            }
            position += 1;
        }
        Ok(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List<T>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(List::default())
    }

    fn visit_unit<E>(self) -> Result<List<T>, E> {
        Ok(List::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<List<T>, E> {
        Ok(List::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<List<T>, E> {
        Ok(List::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<List<T>, E> {
        Ok(List::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<List<T>, E> {
        Ok(List::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<List<T>, E> {
        Ok(List::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Record {
        text: Str,
        count: Count,
        number: Number,
        flag: Flag,
        time: Time,
        part: Part<Box<Record>>,
        list: List<Record>,
    }

    fn read(json: &str) -> Record {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn each_field_takes_what_it_can() {
        for (json, text) in [
            (r#""a""#, Some("a")),
            ("1", Some("1")),
            ("1.5", Some("1.5")),
            ("true", Some("true")),
            (r#""""#, None),
            ("[1]", None),
        ] {
            assert_eq!(read(&format!(r#"{{"text":{json}}}"#)).text.0.as_deref(), text, "{json}");
        }
        for (json, count) in
            [("7", Some(7)), (r#""7""#, Some(7)), ("7.0", Some(7)), ("-1", None), ("{}", None), ("null", None)]
        {
            assert_eq!(read(&format!(r#"{{"count":{json}}}"#)).count.0, count, "{json}");
        }
        for (json, flag) in [
            ("true", true),
            ("1", true),
            (r#"{"kind":"x"}"#, true),
            (r#""why""#, true),
            (r#""false""#, false),
            ("0", false),
            ("null", false),
        ] {
            assert_eq!(read(&format!(r#"{{"flag":{json}}}"#)).flag.0, flag, "{json}");
        }
        let at = Timestamp::parse("2026-10-06T13:04:09Z");
        for (json, time) in [
            (r#""2026-10-06T13:04:09Z""#, at),
            ("1791291849", at),
            ("1791291849000", at),
            (r#""0001-01-01T00:00:00Z""#, None),
            ("null", None),
            ("[]", None),
        ] {
            assert_eq!(read(&format!(r#"{{"time":{json}}}"#)).time.0, time, "{json}");
        }
    }

    #[test]
    fn one_bad_element_is_skipped_alone() {
        let record = read(r#"{"list":[{"text":"a"},3,{"text":"b","text":"c"},null,{"text":"d"}]}"#);
        let texts: Vec<_> = record.list.items.iter().filter_map(|item| item.text.0.as_deref()).collect();
        assert_eq!(texts, ["a", "d"]);
        assert_eq!(record.list.skipped.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_list_that_is_none_is_empty() {
        for json in ["null", "3", "-3", "1.5", "true", r#""x""#, "{}", r#"{"a":[1]}"#] {
            assert_eq!(read(&format!(r#"{{"list":{json}}}"#)).list, List::default(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn any_value_in_any_field_is_read(value in json_value()) {
            for field in ["text", "count", "number", "flag", "time", "part", "list", "unknown"] {
                let json = format!(r#"{{"{field}":{value},"list":[{value}]}}"#);
                if field != "list" {
                    prop_assert!(serde_json::from_str::<Record>(&json).is_ok(), "{}", json);
                }
            }
        }
    }

    fn json_value() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            any::<String>().prop_map(Into::into),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::btree_map("text|count|other", inner, 0..3)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
