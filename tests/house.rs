//! The walls of the house: which room may use which (specs: design §1). A pure room that reaches for the browser, or a
//! room that points back, fails here and not in a review.

#![allow(clippy::unwrap_used, reason = "a test that cannot read the sources has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the rooms it may use besides itself.
const MAY_USE: [(&str, &[&str]); 9] = [
    ("json", &[]),
    ("trace", &["json"]),
    ("address", &[]),
    ("card", &["trace", "json"]),
    ("display", &["trace", "card", "json"]),
    ("ledger", &["trace"]),
    ("source", &["trace", "address", "json", "host"]),
    ("host", &["trace"]),
    ("ui", &["trace", "address", "json", "card", "display", "ledger", "source", "host"]),
];

/// What only the browser's edge may name.
const BROWSER: [&str; 7] = ["leptos", "web_sys", "js_sys", "wasm_bindgen", "gloo_net", "gloo_timers", "icondata"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every file of a room with the room's name; `main.rs` and `lib.rs` are in none.
fn files() -> Vec<(String, PathBuf, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&top, &mut found);
    let file = |path: PathBuf| {
        let inside = path.strip_prefix(&top).unwrap().to_path_buf();
        let room = inside.components().next()?.as_os_str().to_str()?.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&path).unwrap();
        (!["main", "lib"].contains(&room.as_str())).then_some((room, inside, text))
    };
    found.into_iter().filter_map(file).collect()
}

/// The browser's edge: components, the host, and what asks a source over the network.
fn is_edge(room: &str, path: &Path) -> bool {
    room == "ui" || room == "host" || path.file_stem().is_some_and(|stem| stem == "client")
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
}

#[test]
fn each_room_uses_only_what_stands_before_it() {
    for (room, path, text) in files() {
        let (_, may_use) =
            MAY_USE.iter().find(|(name, _)| *name == room).unwrap_or_else(|| panic!("{room} is no room"));
        for line in code(&text) {
            for (other, _) in MAY_USE.iter().filter(|(other, _)| *other != room && !may_use.contains(other)) {
                let names = [format!("crate::{other}::"), format!("crate::{other};"), format!("crate::{other}}}")];
                assert!(!names.iter().any(|name| line.contains(name)), "{} uses {other}: {line}", path.display());
            }
        }
    }
}

#[test]
fn pure_rooms_know_nothing_of_the_browser() {
    for (room, path, text) in files().into_iter().filter(|(room, path, _)| !is_edge(room, path)) {
        for line in code(&text) {
            let names = BROWSER.iter().find(|name| line.contains(**name));
            assert!(names.is_none(), "{room} names {}: {}: {line}", names.unwrap(), path.display());
            assert!(!line.contains("crate::host"), "{}: {line}", path.display());
            let clock = ["SystemTime::now", "Instant::now", "Date::now"].iter().any(|clock| line.contains(clock));
            assert!(!clock, "{} reads a clock: {line}", path.display());
        }
    }
}

#[test]
fn wire_types_stay_in_the_room_of_their_source() {
    for (room, path, text) in files() {
        let names_wire = code(&text).any(|line| line.contains("wire::"));
        assert!(room == "source" || !names_wire, "{} names wire types", path.display());
    }
}
