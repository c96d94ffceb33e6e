//! Words with placeholders, as files and settings have them.

use std::borrow::Cow;

use crate::json::{self, Json};
use crate::trace::ToolCall;

/// What placeholders are filled in with.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// How long it took, as its card says it; empty where that is not known.
    pub duration: &'a str,
    /// The card's own summary of the call.
    pub summary: &'a str,
}

/// JSON strings in JSON strings are opened so many times.
const MAX_ENCODINGS: usize = 4;

/// Fills in `{input}`, `{input.path.to.value}` (an item of a list by its index: `{input.files.0}`), `{name}`, `{status}`,
/// `{duration}` and `{summary}`, the card's own.
///
/// A placeholder that is unknown, or whose value is missing or null, gives nothing; `{{` and `}}` are braces, as is one
/// that has no partner.
#[must_use]
pub fn fill(template: &str, facts: &Facts) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let (brace, after) = rest[at..].split_at(1);
        if let Some(after) = after.strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
            continue;
        }
        let closed = after.find(['{', '}']).filter(|&end| brace == "{" && after[end..].starts_with('}'));
        let Some(end) = closed else {
            text.push_str(brace);
            rest = after;
            continue;
        };
        text.push_str(&value(after[..end].trim_ascii(), facts));
        rest = &after[end + 1..];
    }
    text.push_str(rest);
    text
}

fn value<'a>(placeholder: &str, facts: &Facts<'a>) -> Cow<'a, str> {
    match placeholder {
        "name" => Cow::Borrowed(&*facts.call.name),
        "status" => Cow::Borrowed(facts.call.outcome.name()),
        "duration" => Cow::Borrowed(facts.duration),
        "summary" => Cow::Borrowed(facts.summary),
        _ => match placeholder.strip_prefix("input") {
            Some("") => input(facts, None),
            Some(path) => path.strip_prefix('.').map_or(Cow::Borrowed(""), |path| input(facts, Some(path))),
            None => Cow::Borrowed(""),
        },
    }
}

/// The input, or what stands in it at a path of keys and indices.
fn input<'a>(facts: &Facts<'a>, path: Option<&str>) -> Cow<'a, str> {
    let Some(held) = facts.call.input.held() else { return Cow::Borrowed("") };
    let mut value = held.read();
    for key in path.into_iter().flat_map(|path| path.split('.')) {
        let Some(inner) = opened(value).and_then(|json| step(&json, key)) else { return Cow::Borrowed("") };
        value = Cow::Owned(inner);
    }
    if let Some(text) = json::string(value.trim_ascii()) {
        return Cow::Owned(text.into_owned());
    }
    if value.trim_ascii() == "null" { Cow::Borrowed("") } else { value }
}

/// A value as an object or array, out of as many strings as some agents put their JSON into.
fn opened(mut value: Cow<'_, str>) -> Option<Json<'_>> {
    for _ in 0..MAX_ENCODINGS {
        let json = Json::parse(value).ok()?;
        if json.is_object() || json.is_array() {
            return Some(json);
        }
        value = Cow::Owned(json.string()?.into_owned());
    }
    None
}

/// The value of a field or item, as written.
fn step(json: &Json, key: &str) -> Option<String> {
    let value = if json.is_array() { json.items().nth(key.parse().ok()?)? } else { json.get(key)? };
    Some(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::tests::call;
    use crate::trace::Content;
    use proptest::prelude::*;

    const INPUT: &str = r#"{"query":"cats \"and\" dogs","n":3,"deep":{"list":[{"a":"first"},["x","y"]]},"no":null,"yes":true,"enc":"{\"a\":\"in\"}","":"empty"}"#;

    fn filled(template: &str, input: &str) -> String {
        let call = call("web_search", input);
        fill(template, &Facts { call: &call, duration: "4.21s", summary: "\"cats\"" })
    }

    #[test]
    fn fills_in_what_is_known() {
        for (template, text) in [
            ("Search {input.query}", "Search cats \"and\" dogs"),
            ("{name} {status} {duration} {summary}", "web_search ok 4.21s \"cats\""),
            ("{ name }", "web_search"),
            ("{input.n}/{input.yes}", "3/true"),
            ("{input.deep.list.0.a}", "first"),
            ("{input.deep.list.1.1}", "y"),
            ("{input.deep.list.1}", r#"["x","y"]"#),
            ("{input.enc.a}", "in"),
            ("{input.}", "empty"),
        ] {
            assert_eq!(filled(template, INPUT), text, "{template}");
        }
    }

    #[test]
    fn what_is_unknown_or_missing_gives_nothing() {
        for template in [
            "{input.no}",
            "{input.nothing}",
            "{input.query.more}",
            "{input.deep.list.9}",
            "{input.deep.list.-1}",
            "{input.deep.list.a}",
            "{input..}",
            "{inputs}",
            "{input query}",
            "{output}",
            "{}",
            "{ }",
        ] {
            assert_eq!(filled(template, INPUT), "", "{template}");
        }
    }

    #[test]
    fn braces_stand_for_themselves() {
        for (template, text) in [
            ("{{name}}", "{name}"),
            ("{{{name}}}", "{web_search}"),
            ("{", "{"),
            ("}", "}"),
            ("{name", "{name"),
            ("name}", "name}"),
            ("{a{name}", "{aweb_search"),
            ("{{}}", "{}"),
            ("é{name}é", "éweb_searché"),
        ] {
            assert_eq!(filled(template, INPUT), text, "{template}");
        }
    }

    #[test]
    fn takes_every_odd_input() {
        for (input, whole, query) in [
            (r#""{\"query\":\"q\"}""#, r#"{"query":"q"}"#, "q"),
            (r#""\"{\\\"query\\\":\\\"q\\\"}\"""#, r#""{\"query\":\"q\"}""#, "q"),
            ("free text", "free text", ""),
            ("[1]", "[1]", ""),
            ("null", "", ""),
            ("", "", ""),
            (r#"{"query": "cut"#, r#"{"query": "cut"#, ""),
        ] {
            assert_eq!(filled("{input}", input), whole, "{input}");
            assert_eq!(filled("{input.query}", input), query, "{input}");
        }
        let mut call = call("a", "");
        call.input = Content::Remote;
        assert_eq!(fill("[{input}{input.a}]", &Facts { call: &call, duration: "", summary: "" }), "[]");
    }

    proptest! {
        #[test]
        fn any_template_and_any_input_give_a_text(
            template in "[{}a.0 é]{0,12}|(\\{input(\\.[a0]){0,3}\\}|[{}]){0,4}|.{0,20}",
            input in "[\\[\\]{}:,\"\\\\a0 ]{0,20}",
        ) {
            let _ = filled(&template, &input);
        }

        #[test]
        fn doubled_braces_give_the_text(text in "[{}a ]{0,12}|.{0,20}") {
            prop_assert_eq!(filled(&text.replace('{', "{{").replace('}', "}}"), INPUT), text);
        }
    }
}
