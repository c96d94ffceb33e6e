//! Any text is one JSON value or none, and says the same whichever way it is read.

#![no_main]

use callsheet::json::{self, Index, Json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = (json::pretty(text), json::unescape(text), json::decimal(text, 9), json::is_composite(text));
    let mut memory = Index::default();
    let record = Json::record(text, &mut memory);
    let parsed = Json::parse(text.into()).ok();
    assert_eq!(record.is_some(), parsed.is_some());
    assert!(!json::is_standard(text) || parsed.is_some());
    if let (Some(record), Some(parsed)) = (record, parsed) {
        same(&record, &parsed);
    }
    assert_eq!(
        Json::parse(json::quote(text).into()).ok().and_then(|json| Some(json.string()?.into_owned())).as_deref(),
        Some(text)
    );
});

/// Goes down as far as the places of a record were noted, and one level more.
fn same(record: &Json<'_>, parsed: &Json<'_>) {
    assert_eq!(record.raw(), parsed.raw());
    assert!(record.fields().eq(parsed.fields()) && record.items().eq(parsed.items()));
    for (record, parsed) in record.values().zip(parsed.values()).take(8) {
        same_inside(&record, &parsed);
    }
    for (key, _) in parsed.fields().take(8) {
        if let (Some(record), Some(parsed)) = (record.nested(&key), parsed.nested(&key)) {
            same_inside(&record, &parsed);
        }
    }
}

fn same_inside(record: &Json<'_>, parsed: &Json<'_>) {
    assert_eq!(record.raw(), parsed.raw());
    assert!(record.fields().eq(parsed.fields()) && record.items().eq(parsed.items()));
    for (record, parsed) in record.values().zip(parsed.values()).take(8) {
        assert!(record.fields().eq(parsed.fields()) && record.items().eq(parsed.items()));
    }
}
