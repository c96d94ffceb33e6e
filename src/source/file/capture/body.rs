//! Bodies of requests and responses: JSON where they stand, or a text of JSON or of events, packed as base64 in HAR files.

use std::sync::Arc;

use crate::json::{self, Json};
use crate::trace::{Buffer, Timestamp};

/// A body.
pub(super) enum Body<'a> {
    /// JSON that stands in the capture itself.
    Here(Json<'a>),
    /// A text of its own.
    Text(Buffer),
}

const REFERENCE: &str = "__claude_tap_blob_ref__";

impl<'a> Body<'a> {
    /// The body of one side of an exchange. References to `blobs` are replaced by what they stand for.
    pub fn of(side: &'a Json<'_>, blobs: Option<&Json<'_>>) -> Option<Self> {
        for part in ["postData", "content"] {
            if let Some(part) = side.nested(part).filter(Json::is_object) {
                let text = part.text("text")?;
                let is_packed = part.text("encoding").as_deref() == Some("base64");
                let text = if is_packed { unpack(&text)? } else { text.into_owned() };
                return Some(Body::Text(Arc::new(text)));
            }
        }
        let raw = ["body", "body_raw"].iter().filter_map(|key| side.get(key)).find(|raw| *raw != "null")?;
        if let Some(text) = json::string(raw) {
            return Some(Body::Text(Arc::new(text.into_owned())));
        }
        if let Some(blobs) = blobs.filter(|_| raw.contains(REFERENCE)) {
            return Some(Body::Text(Arc::new(resolve(raw, blobs))));
        }
        Json::parse(raw.into()).ok().map(Body::Here)
    }
}

/// The text of an object with the references among its fields, and among the items of these, replaced.
fn resolve(raw: &str, blobs: &Json<'_>) -> String {
    let Ok(json) = Json::parse(raw.into()) else { return raw.to_owned() };
    let field = |(key, value): (std::borrow::Cow<'_, str>, &str)| {
        let value = match Json::parse(value.into()) {
            Ok(list) if list.is_array() && value.contains(REFERENCE) => {
                let items = list.items().map(|item| blob(item, blobs).unwrap_or_else(|| item.to_owned()));
                let items: Vec<String> = items.collect();
                format!("[{}]", items.join(","))
            }
            _ => blob(value, blobs).unwrap_or_else(|| value.to_owned()),
        };
        format!("{}:{value}", json::quote(&key))
    };
    format!("{{{}}}", json.fields().map(field).collect::<Vec<_>>().join(","))
}

/// What a reference stands for.
fn blob(raw: &str, blobs: &Json<'_>) -> Option<String> {
    if !raw.contains(REFERENCE) {
        return None;
    }
    let json = Json::parse(raw.into()).ok()?;
    let blob = blobs.nested(&json.nested(REFERENCE)?.text("hash")?)?;
    blob.get("payload").map(str::to_owned)
}

/// The text that base64 stands for; `None` when it is none.
fn unpack(packed: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(packed.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in packed.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held).to_be_bytes()[3]);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The instant of an HTTP date such as `Mon, 29 Jun 2026 15:54:23 GMT`.
pub(super) fn http_date(text: &str) -> Option<Timestamp> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = text.split_once(", ")?.1.split(' ');
    let (day, month, year, clock) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    Timestamp::parse(&format!("{year}-{month:02}-{day:0>2}T{clock}Z"))
}
