//! `displays.json` and exported settings: one shape, read and written here, described by `displays/displays.schema.json`.
//!
//! ```json
//! { "version": 1, "defaults": { "open": false }, "tools": { "web_search": { "label": "Searching the web" } } }
//! ```

use std::borrow::Cow;
use std::fmt;

use super::entry::{Entry, Field, Words};
use super::matcher::{Matcher, Patterns};
use super::registry::Displays;
use crate::json::{self, Json, quote};

/// The version of the shape.
pub const VERSION: u32 = 1;

/// More entries are not read: each is compared with those before it.
pub const MAX_TOOLS: usize = 2_000;

/// What is wrong in a file, and where. What is right is read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place in the file, such as `tools["Bash"].icon`; empty for the whole of it.
    pub path: String,
    /// What is wrong, in words that say what belongs there.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.path.is_empty() { "" } else { ": " };
        for part in [&self.path, colon, &self.problem] {
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// Reads a file, with all that is wrong in it. Two matchers that mean the same are merged.
#[must_use]
pub fn read(text: &str, patterns: &dyn Patterns) -> (Displays, Vec<Fault>) {
    let mut reading = Reading { displays: Displays::default(), faults: Vec::new(), patterns };
    // Editors of one system begin a file with this mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match Json::parse(Cow::Borrowed(text)) {
        Ok(json) if json.is_object() => reading.file(&json),
        Ok(_) => reading.fault("", "This has to be a JSON object, such as {\"version\": 1, \"tools\": {}}."),
        Err(_) => {
            reading.fault("", "This is not JSON. Look for a missing comma, quote or bracket, or a comma too many.");
        }
    }
    (reading.displays, reading.faults)
}

struct Reading<'a> {
    displays: Displays,
    faults: Vec<Fault>,
    patterns: &'a dyn Patterns,
}

impl Reading<'_> {
    fn file(&mut self, json: &Json) {
        for (key, value) in json.fields() {
            match &*key {
                "$schema" => {}
                "version" if value.parse() == Ok(VERSION) => {}
                "version" => self.fault("version", "This page reads version 1. What it knows of it is used."),
                "defaults" => self.defaults(value),
                "tools" => self.tools(value),
                _ => self.fault(&key, "There is no such field. The fields are version, defaults and tools."),
            }
        }
    }

    fn defaults(&mut self, value: &str) {
        let Some(json) = self.object("defaults", value) else { return };
        for (key, value) in json.fields() {
            match &*key {
                "open" => self.displays.open = self.truth("defaults.open", value),
                _ => self.fault(&format!("defaults.{key}"), "There is no such field. The only one is open."),
            }
        }
    }

    fn tools(&mut self, value: &str) {
        let Some(json) = self.object("tools", value) else { return };
        let mut tools = json.fields();
        for (written, value) in tools.by_ref().take(MAX_TOOLS) {
            let path = format!("tools[{}]", quote(&written));
            let matcher = Matcher::parse(&written);
            if let Matcher::Pattern(pattern) = &matcher
                && let Err(problem) = self.patterns.check(pattern)
            {
                self.fault(&path, &format!("This is no regular expression: {problem}"));
                continue;
            }
            if let Some(entry) = self.entry(&path, value) {
                self.displays.entry(&matcher).merge(&entry);
            }
        }
        match tools.count() {
            0 => {}
            left => self.fault("tools", &format!("Only the first {MAX_TOOLS} tools are read; {left} are left out.")),
        }
    }

    fn entry(&mut self, path: &str, value: &str) -> Option<Entry> {
        let json = self.object(path, value)?;
        let mut entry = Entry::default();
        for (key, value) in json.fields() {
            let path = format!("{path}.{key}");
            match Field::ALL.into_iter().find(|field| field.name() == key) {
                Some(Field::Label) => entry.label = self.text(&path, value).map(Words::Template),
                Some(Field::Icon) => entry.icon = self.text(&path, value),
                Some(Field::Summary) => entry.summary = self.text(&path, value).map(Words::Template),
                Some(Field::FormatInput) => entry.format_input = self.text(&path, value).map(Words::Template),
                Some(Field::Hidden) => entry.hidden = self.truth(&path, value),
                Some(Field::Open) => entry.open = self.truth(&path, value),
                None => {
                    let fields = Field::ALL.map(Field::name).join(", ");
                    self.fault(&path, &format!("There is no such field. The fields are {fields}."));
                }
            }
        }
        Some(entry)
    }

    fn object<'v>(&mut self, path: &str, value: &'v str) -> Option<Json<'v>> {
        let json = Json::parse(Cow::Borrowed(value)).ok().filter(Json::is_object);
        if json.is_none() {
            self.wrong_kind(path, "an object in braces", value);
        }
        json
    }

    fn text(&mut self, path: &str, value: &str) -> Option<String> {
        let text = json::string(value).map(Cow::into_owned);
        if text.is_none() {
            self.wrong_kind(path, "a text in quotes", value);
        }
        text
    }

    fn truth(&mut self, path: &str, value: &str) -> Option<bool> {
        let truth = value.parse().ok();
        if truth.is_none() {
            self.wrong_kind(path, "true or false", value);
        }
        truth
    }

    fn wrong_kind(&mut self, path: &str, expected: &str, value: &str) {
        let kind = match value.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a text",
            Some(b't' | b'f') => "true or false",
            Some(b'n') => "null; leave the field out instead",
            _ => "a number",
        };
        self.fault(path, &format!("This has to be {expected}, and is {kind}."));
    }

    fn fault(&mut self, path: &str, problem: &str) {
        self.faults.push(Fault { path: path.to_owned(), problem: problem.to_owned() });
    }
}

/// Writes what [`read`] reads. Functions of the host cannot be written and are left out.
#[must_use]
pub fn write(displays: &Displays) -> String {
    let mut text = format!("{{\"version\":{VERSION}");
    if let Some(open) = displays.open {
        text.push_str(if open { ",\"defaults\":{\"open\":true}" } else { ",\"defaults\":{\"open\":false}" });
    }
    text.push_str(",\"tools\":{");
    let mut separator = "";
    for (matcher, entry) in displays.entries() {
        text.push_str(separator);
        separator = ",";
        text.push_str(&quote(&matcher.to_string()));
        text.push(':');
        push_entry(&mut text, entry);
    }
    text.push_str("}}");
    let mut text = json::pretty(&text);
    text.push('\n');
    text
}

fn push_entry(text: &mut String, entry: &Entry) {
    text.push('{');
    let mut separator = "";
    for field in Field::ALL {
        let value = match field {
            Field::Label => entry.label.as_ref().and_then(written),
            Field::Icon => entry.icon.as_deref().map(quote),
            Field::Summary => entry.summary.as_ref().and_then(written),
            Field::FormatInput => entry.format_input.as_ref().and_then(written),
            Field::Hidden => entry.hidden.map(|hidden| hidden.to_string()),
            Field::Open => entry.open.map(|open| open.to_string()),
        };
        if let Some(value) = value {
            text.extend([separator, "\"", field.name(), "\":", &value]);
            separator = ",";
        }
    }
    text.push('}');
}

fn written(words: &Words) -> Option<String> {
    match words {
        Words::Constant(text) => Some(quote(&text.replace('{', "{{").replace('}', "}}"))),
        Words::Template(template) => Some(quote(template)),
        Words::Function(_) => None,
    }
}

#[cfg(test)]
mod tests;
