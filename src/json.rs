//! JSON as it stands: taken apart one level at a time, keys in their order, numbers as written, any depth.
//!
//! `serde_json` sorts the keys, rounds numbers and refuses the 128th bracket; here the text itself is the value.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use memchr::memchr;

/// A JSON value, with the places of what stands in it.
#[derive(Clone, Debug)]
pub struct Json<'a> {
    text: Cow<'a, str>,
    /// The value itself, then what stands in it, in the order of the text and each before what it holds.
    nodes: Cow<'a, [Node]>,
}

/// The place of a value.
#[derive(Clone, Debug)]
struct Node {
    /// Where its key stands without its quotes, if it is a field.
    key: Range<usize>,
    has_escapes: bool,
    value: Range<usize>,
    /// How many nodes it takes, with those of what it holds.
    nodes: usize,
    /// Whether it is an object or array so deep that what it holds has no nodes.
    is_closed: bool,
}

/// Memory for the places of what stands in one value after another.
#[derive(Debug, Default)]
pub struct Index(Vec<Node>);

/// So many levels of a record are read at once: a line, its message, the list of its blocks, a block.
const RECORD_LEVELS: usize = 4;

impl<'a> Json<'a> {
    /// Reads one whole value.
    ///
    /// # Errors
    /// Gives the text back when it is none.
    pub fn parse(text: Cow<'a, str>) -> Result<Self, Cow<'a, str>> {
        let mut nodes = Vec::new();
        match index(text.as_bytes(), 1, &mut nodes) {
            Some(()) => Ok(Self { text, nodes: Cow::Owned(nodes) }),
            None => Err(text),
        }
    }

    /// Reads one whole value with the first levels of what stands in it, so that taking it apart does not read it again.
    #[must_use]
    pub fn record(text: &'a str, memory: &'a mut Index) -> Option<Self> {
        memory.0.clear();
        index(text.as_bytes(), RECORD_LEVELS, &mut memory.0)?;
        Some(Self { text: Cow::Borrowed(text), nodes: Cow::Borrowed(&memory.0) })
    }

    /// The value as written.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.nodes.first().map_or("", |node| &self.text[node.value.clone()])
    }

    #[must_use]
    pub fn is_object(&self) -> bool {
        self.raw().starts_with('{')
    }

    #[must_use]
    pub fn is_array(&self) -> bool {
        self.raw().starts_with('[')
    }

    /// The text of a JSON string.
    #[must_use]
    pub fn string(&self) -> Option<Cow<'_, str>> {
        string(self.raw())
    }

    /// The fields of an object in their order, values as written.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
        let fields = self.is_object().then(|| self.held()).into_iter().flatten();
        fields.filter_map(<[Node]>::first).map(|node| (self.key(node), &self.text[node.value.clone()]))
    }

    /// The items of an array, as written.
    pub fn items(&self) -> impl Iterator<Item = &str> {
        let items = self.is_array().then(|| self.held()).into_iter().flatten();
        items.filter_map(<[Node]>::first).map(|node| &self.text[node.value.clone()])
    }

    /// The items of an array.
    pub fn values(&self) -> impl Iterator<Item = Json<'_>> {
        let items = self.is_array().then(|| self.held()).into_iter().flatten();
        items.filter_map(|nodes| self.inner(nodes))
    }

    /// The value of a field, as written; of equal keys the last holds.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let node = self.field(key)?.first()?;
        Some(&self.text[node.value.clone()])
    }

    fn field(&self, key: &str) -> Option<&[Node]> {
        if !self.is_object() {
            return None;
        }
        let is_key = |nodes: &&[Node]| match nodes.first() {
            Some(node) if node.has_escapes => self.key(node) == key,
            // Most keys differ in their length.
            Some(node) => node.key.len() == key.len() && &self.text[node.key.clone()] == key,
            None => false,
        };
        self.held().filter(is_key).last()
    }

    /// The nodes of each value that this one holds.
    fn held(&self) -> impl Iterator<Item = &[Node]> {
        let mut rest = self.nodes.get(1..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (value, others) = rest.split_at_checked(rest.first()?.nodes)?;
            rest = others;
            Some(value)
        })
    }

    fn key(&self, node: &Node) -> Cow<'_, str> {
        let key = &self.text[node.key.clone()];
        if node.has_escapes { Cow::Owned(unescape(key)) } else { Cow::Borrowed(key) }
    }

    fn inner<'b>(&'b self, nodes: &'b [Node]) -> Option<Json<'b>> {
        let node = nodes.first()?;
        if node.is_closed {
            return Json::parse(Cow::Borrowed(&self.text[node.value.clone()])).ok();
        }
        Some(Json { text: Cow::Borrowed(&self.text), nodes: Cow::Borrowed(nodes) })
    }

    /// A field that is an object or an array.
    #[must_use]
    pub fn nested(&self, key: &str) -> Option<Json<'_>> {
        self.inner(self.field(key)?).filter(|json| json.is_object() || json.is_array())
    }

    /// The text of a field that is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<Cow<'_, str>> {
        string(self.get(key)?)
    }

    /// A field that is a whole number.
    #[must_use]
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.get(key)?.parse().ok()
    }

    /// Whether a field is `true`.
    #[must_use]
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some("true")
    }

    /// How many items a field that is an array has.
    #[must_use]
    pub fn count(&self, key: &str) -> Option<usize> {
        self.nested(key).filter(Json::is_array).map(|array| array.items().count())
    }
}

/// The text of a JSON string as written, quotes included; `None` for any other value.
#[must_use]
pub fn string(raw: &str) -> Option<Cow<'_, str>> {
    let inside = raw.strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inside.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inside));
    }
    Some(Cow::Owned(unescape(inside)))
}

/// Undoes the escapes of the inside of a JSON string; what is no escape stays as it stands, a lone surrogate becomes U+FFFD.
#[must_use]
pub fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (char, length) = escape(rest);
        text.push(char);
        rest = &rest[length..];
    }
    text.push_str(rest);
    text
}

/// The character that the escape at the start of `text` stands for, and the bytes it takes.
fn escape(text: &str) -> (char, usize) {
    let char = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
        Some(b'u') => return unicode_escape(text),
        _ => return ('\\', 1),
    };
    (char, 2)
}

fn unicode_escape(text: &str) -> (char, usize) {
    let unit = |at: usize| {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        hex.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(hex, 16).ok())?
    };
    let Some(first) = unit(0) else { return ('\\', 1) };
    if let Some(char) = char::from_u32(first) {
        return (char, 6);
    }
    match unit(6) {
        Some(second @ 0xDC00..=0xDFFF) if first < 0xDC00 => {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// A JSON number as a whole number of its `places`-th decimal, rounded; `None` when it is no number or does not fit.
///
/// Exact where a float is not, and without the 25 kB that reading floats weighs.
#[must_use]
pub fn decimal(number: &str, places: u32) -> Option<i64> {
    let (negative, number) = number.strip_prefix('-').map_or((false, number), |number| (true, number));
    let (mantissa, exponent) = match number.find(['e', 'E']) {
        Some(at) => (&number[..at], number[at + 1..].parse::<i32>().ok()?),
        None => (number, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    if whole.is_empty() || !digits.clone().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // How many of the digits stand before the point once it is moved; the next one decides on rounding.
    let kept = i64::try_from(whole.len()).ok()? + i64::from(exponent) + i64::from(places);
    let mut digits = digits.chain(std::iter::repeat(b'0'));
    let mut value = 0_i64;
    for _ in 0..kept.clamp(0, 1_000) {
        value = value.checked_mul(10)?.checked_add(i64::from(digits.next()? - b'0'))?;
    }
    if kept >= 0 && digits.next()? >= b'5' {
        value = value.checked_add(1)?;
    }
    Some(if negative { -value } else { value })
}

/// The text as a JSON string, quotes included.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            _ => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Notes where the values of a whole value stand, `levels` deep.
fn index(bytes: &[u8], levels: usize, nodes: &mut Vec<Node>) -> Option<()> {
    let end = index_value(bytes, space(bytes, 0), levels, (0..0, false), nodes)?;
    (space(bytes, end) == bytes.len()).then_some(())
}

/// Notes the value that begins at `at` with what it holds, and gives its end. It calls itself once a level.
fn index_value(
    bytes: &[u8],
    mut at: usize,
    levels: usize,
    (key, has_escapes): (Range<usize>, bool),
    nodes: &mut Vec<Node>,
) -> Option<usize> {
    let (place, start, first) = (nodes.len(), at, *bytes.get(at)?);
    let is_composite = matches!(first, b'{' | b'[');
    let is_closed = is_composite && levels == 0;
    nodes.push(Node { key, has_escapes, value: start..start, nodes: 1, is_closed });
    if !is_composite || is_closed {
        at = value_end(bytes, at)?;
    } else {
        let close = if first == b'{' { b'}' } else { b']' };
        at = space(bytes, at + 1);
        while *bytes.get(at)? != close {
            if nodes.len() > place + 1 {
                at = space(bytes, past(bytes, at, b',')?);
            }
            let mut key = (0..0, false);
            if close == b'}' {
                let end = string_end(bytes, at)?;
                let inside = at + 1..end - 1;
                key = (inside.clone(), memchr(b'\\', &bytes[inside]).is_some());
                at = space(bytes, past(bytes, space(bytes, end), b':')?);
            }
            at = space(bytes, index_value(bytes, at, levels - 1, key, nodes)?);
        }
        at += 1;
    }
    let taken = nodes.len() - place;
    let node = nodes.get_mut(place)?;
    (node.value, node.nodes) = (start..at, taken);
    Some(at)
}

/// Whether the bytes are one whole value.
fn is_whole(bytes: &[u8]) -> bool {
    value_end(bytes, 0).is_some_and(|end| space(bytes, end) == bytes.len())
}

/// The end of the value that begins at `at`; brackets are counted on the heap, so that any depth is read.
fn value_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut open = Vec::new();
    loop {
        at = space(bytes, at);
        match *bytes.get(at)? {
            bracket @ (b'{' | b'[') => {
                let close = if bracket == b'{' { b'}' } else { b']' };
                at = space(bytes, at + 1);
                if *bytes.get(at)? == close {
                    at += 1;
                } else {
                    open.push(close);
                    if close == b'}' {
                        at = key_end(bytes, at)?;
                    }
                    continue;
                }
            }
            b'"' => at = string_end(bytes, at)?,
            _ => at = scalar_end(bytes, at)?,
        }
        loop {
            let Some(&close) = open.last() else { return Some(at) };
            at = space(bytes, at);
            let byte = *bytes.get(at)?;
            at += 1;
            if byte == close {
                open.pop();
            } else if byte == b',' {
                if close == b'}' {
                    at = key_end(bytes, at)?;
                }
                break;
            } else {
                return None;
            }
        }
    }
}

/// The place after a key and its colon.
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = string_end(bytes, space(bytes, at))?;
    past(bytes, space(bytes, end), b':')
}

fn past(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    (bytes.get(at) == Some(&byte)).then_some(at + 1)
}

fn space(bytes: &[u8], at: usize) -> usize {
    let blanks = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    at + blanks.count()
}

fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = past(bytes, at, b'"')?;
    let mut end = start;
    loop {
        end += memchr(b'"', bytes.get(end..)?)?;
        // Texts hold many escapes and few quotes: only those before a quote matter, and whether they are odd.
        let escapes = bytes[start..end].iter().rev().take_while(|byte| **byte == b'\\').count();
        end += 1;
        if escapes % 2 == 0 {
            return Some(end);
        }
    }
}

/// The end of a number or word. Python writes `NaN` and `Infinity`.
fn scalar_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    let word = &bytes[at..at + length];
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    let is_number = digits.first().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let is_word = matches!(word, b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity");
    (is_number || is_word).then_some(at + length)
}

/// Whether the text is a whole JSON object or array, which is worth to be shown as one.
#[must_use]
pub fn is_composite(text: &str) -> bool {
    matches!(text.trim_ascii_start().as_bytes().first(), Some(b'{' | b'['))
        && matches!(text.trim_ascii_end().as_bytes().last(), Some(b'}' | b']'))
        && is_whole(text.as_bytes())
}

/// Whether the text is one JSON value that any reader takes: no `NaN`, no bare line break in a string, no number with a
/// leading zero. What agents wrote is read more leniently than that.
#[must_use]
pub fn is_standard(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'"' => string_end(bytes, at).filter(|&end| is_standard_string(&bytes[at + 1..end - 1])),
            b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                scalar_end(bytes, at).filter(|&end| is_standard_scalar(&bytes[at..end]))
            }
            _ => Some(at + 1),
        };
        let Some(end) = end else { return false };
        at = end;
    }
    is_whole(bytes)
}

fn is_standard_string(mut inside: &[u8]) -> bool {
    while let Some((&byte, rest)) = inside.split_first() {
        inside = match (byte, rest) {
            (b'\\', [b'u', a, b, c, d, rest @ ..]) if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => {
                rest
            }
            (b'\\', [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', rest @ ..]) => rest,
            (0..0x20 | b'\\', _) => return false,
            _ => rest,
        };
    }
    true
}

fn is_standard_scalar(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(word);
    if whole == 0 {
        return matches!(word, b"true" | b"false" | b"null");
    }
    let mut rest = &word[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        return (whole == 1 || word[0] != b'0') && !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    (whole == 1 || word[0] != b'0') && rest.is_empty()
}

/// Deeper levels are not indented further: a hundred thousand brackets would fill the memory with blanks.
const MAX_INDENT: usize = 32;

/// JSON with one field or item a line, two blanks a level; strings and numbers as written.
///
/// What is no JSON comes out as it stands, but for the white space between tokens.
#[must_use]
pub fn pretty(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut depth = 0_usize;
    let mut at = 0;
    let new_line = |out: &mut String, depth: usize| {
        out.push('\n');
        for _ in 0..depth.min(MAX_INDENT) {
            out.push_str("  ");
        }
    };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'{' | b'[' => {
                let next = space(bytes, at + 1);
                out.push(char::from(byte));
                if matches!((byte, bytes.get(next)), (b'{', Some(b'}')) | (b'[', Some(b']'))) {
                    out.push(char::from(bytes[next]));
                    at = next + 1;
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                    at += 1;
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(char::from(byte));
                at += 1;
            }
            b',' => {
                out.push(',');
                new_line(&mut out, depth);
                at += 1;
            }
            b':' => {
                out.push_str(": ");
                at += 1;
            }
            b'"' => {
                let end = string_end(bytes, at).unwrap_or(bytes.len());
                out.push_str(&text[at..end]);
                at = end;
            }
            _ => {
                let other = bytes[at..].iter().take_while(|byte| !b" \t\n\r{}[],:\"".contains(byte));
                let end = at + other.count();
                out.push_str(&text[at..end]);
                at = end;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Option<Json<'_>> {
        Json::parse(Cow::Borrowed(text)).ok()
    }

    #[test]
    fn takes_an_object_apart_in_its_order() {
        let json = parse(r#" { "z" : 1.50, "a":[1,{"b":2}], "é\n":"x\"y", "a": null } "#).unwrap();
        let fields: Vec<_> = json.fields().map(|(key, value)| (key.into_owned(), value.to_owned())).collect();
        let expected = [("z", "1.50"), ("a", r#"[1,{"b":2}]"#), ("é\n", r#""x\"y""#), ("a", "null")]
            .map(|(k, v)| (k.into(), v.into()));
        assert_eq!(fields, expected);
        assert_eq!(json.get("a"), Some("null"));
        assert_eq!(json.text("é\n").as_deref(), Some("x\"y"));
    }

    #[test]
    fn a_record_is_the_same_value_at_every_level() {
        let text = r#"{"a":{"b":[{"c\n":[{"d":[1,{"e":2}]}],"c":"x"},3]},"l":[[],{}],"a2":null}"#;
        let mut memory = Index::default();
        // What an earlier record left behind is gone.
        assert!(Json::record("[[1,[2]], 3", &mut memory).is_none());
        let record = Json::record(text, &mut memory).unwrap();
        assert_eq!(written_anew(&record), text);
        assert_eq!(written_anew(&parse(text).unwrap()), text);
        assert_eq!(record.nested("a").and_then(|a| Some(a.nested("b")?.items().count())), Some(2));
        assert_eq!(record.get("b"), None);
    }

    /// The value, taken apart down to its scalars and put together.
    fn written_anew(json: &Json<'_>) -> String {
        if json.is_object() {
            let field = |(key, _): (Cow<'_, str>, &str)| {
                let value = json.nested(&key).map(|value| written_anew(&value));
                format!("{}:{}", quote(&key), value.unwrap_or_else(|| json.get(&key).unwrap().to_owned()))
            };
            return format!("{{{}}}", json.fields().map(field).collect::<Vec<_>>().join(","));
        }
        if json.is_array() {
            return format!("[{}]", json.values().map(|item| written_anew(&item)).collect::<Vec<_>>().join(","));
        }
        json.raw().to_owned()
    }

    #[test]
    fn undoes_every_json_escape() {
        for (raw, text) in [
            (r"plain", "plain"),
            (r#"a\nb\t\"\\\/"#, "a\nb\t\"\\/"),
            (r"\u00e9\ud83d\ude00", "é😀"),
            (r"\ud83dx", "\u{FFFD}x"),
            (r"\ude00", "\u{FFFD}"),
            (r"\ud83d\u0041", "\u{FFFD}A"),
            (r"\u12", r"\u12"),
            (r"\u+123", r"\u+123"),
            (r"\x", r"\x"),
            ("end\\", "end\\"),
        ] {
            assert_eq!(unescape(raw), text, "{raw}");
        }
    }

    #[test]
    fn numbers_are_read_to_a_decimal() {
        for (number, places, value) in [
            ("0.2546", 9, Some(254_600_000)),
            ("1e-07", 9, Some(100)),
            ("4.9E-10", 9, Some(0)),
            ("5e-10", 9, Some(1)),
            ("-1.25", 1, Some(-13)),
            ("12", 0, Some(12)),
            ("1791291849.33", 9, Some(1_791_291_849_330_000_000)),
            ("1e300", 0, None),
            ("0e300", 9, Some(0)),
            ("99999999999999999999", 0, None),
            ("", 0, None),
            (".5", 0, None),
            ("1x", 0, None),
            ("NaN", 0, None),
            ("1e99999999999", 0, None),
        ] {
            assert_eq!(decimal(number, places), value, "{number}");
        }
    }

    #[test]
    fn knows_what_is_no_json() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "tru",
            "1 2",
            "\"open",
            "{\"city\": bad json",
            "\\",
            "[1}",
            "-",
            "é",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
        for text in
            ["0", "-1.5e+3", "true", "null", "NaN", "\"\"", "{}", "[]", " [ ] ", r#""\***""#, "123456789012345678901"]
        {
            assert!(parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn any_depth_is_read_and_written() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse(&deep).is_some());
        assert!(parse(&deep[..150_000]).is_none());
        assert!(pretty(&deep).len() < 200_000 * (2 * MAX_INDENT + 2));
        assert!(parse(&format!("{{\"a\":{deep}}}")).is_some());
    }

    #[test]
    fn writes_one_field_a_line() {
        assert_eq!(
            pretty(r#"{"b":[1,2.00,{}],"a":{"x":"1, {2}"},"n":[]}"#),
            "{\n  \"b\": [\n    1,\n    2.00,\n    {}\n  ],\n  \"a\": {\n    \"x\": \"1, {2}\"\n  },\n  \"n\": []\n}"
        );
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_serde_writes_is_read(value in value()) {
            let text = value.to_string();
            let json = parse(&text);
            prop_assert!(json.is_some());
            let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            prop_assert_eq!(read(&pretty(&text)), read(&text));
            let mut memory = Index::default();
            prop_assert_eq!(read(&written_anew(&Json::record(&text, &mut memory).unwrap())), read(&text));
        }

        #[test]
        fn standard_is_what_serde_takes(text in "[\\[\\]{}:,\"\\\\ ae\u{1}n+.01-]{0,12}|-?0?[0-9]{1,2}(\\.[0-9]?)?(e[+-]?[0-9]?)?|NaN|true|-true") {
            let strict = serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
            prop_assert_eq!(is_standard(&text), strict, "{}", text);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}:,\"\\\\ a1né\n]{0,40}") {
            let mut memory = Index::default();
            prop_assert_eq!(parse(&text).is_some(), Json::record(&text, &mut memory).is_some());
            prop_assert_eq!(parse(&text).is_some(), is_whole(text.as_bytes()));
            let kept = |text: &str| text.chars().filter(|char| !" \t\r\n".contains(*char)).collect::<String>();
            prop_assert_eq!(kept(&pretty(&text)), kept(&text));
        }
    }
}
