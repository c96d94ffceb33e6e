//! What is told about displays holds: the schema, the types and the examples of the documentation.

use super::*;
use serde_json::Value;

const SCHEMA: &str = include_str!("../../../displays/displays.schema.json");
const TYPES: &str = include_str!("../../../displays/callsheet.d.ts");
const GUIDE: &str = include_str!("../../../docs/displays.md");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The type of a property, through its reference.
fn type_of(schema: &Value, property: &Value) -> String {
    let reference = property["$ref"].as_str().map(|reference| schema.pointer(&reference[1..]).unwrap());
    reference.unwrap_or(property)["type"].as_str().unwrap().to_owned()
}

/// What stands in fences of a language.
fn examples(language: &str) -> Vec<&'static str> {
    GUIDE.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

/// The names of members of a type that is declared in braces.
fn members(declaration: &str) -> Vec<&'static str> {
    let from = TYPES.find(declaration).unwrap_or_else(|| panic!("no {declaration}"));
    let body = TYPES[from..].split_once("{\n").unwrap().1.split_once("\n}").unwrap().0;
    let lines =
        body.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with([' ', '/', '*']));
    lines.map(|line| line.trim_start_matches("readonly ").split([':', '(', '?']).next().unwrap()).collect()
}

#[test]
fn the_schema_knows_the_fields_that_are_read() {
    let schema = schema();
    let fields = &schema["$defs"]["display"]["properties"];
    let mut expected = Field::ALL.map(Field::name);
    expected.sort_unstable();
    assert_eq!(keys(fields), expected);
    for field in expected {
        let kind = type_of(&schema, &fields[field]);
        let (right, wrong) = if kind == "boolean" { ("true", "\"a\"") } else { ("\"a\"", "true") };
        let faults = |value| read(&format!("{{\"tools\":{{\"a\":{{\"{field}\":{value}}}}}}}"), &Globs).1.len();
        assert_eq!((faults(right), faults(wrong)), (0, 1), "{field} is {kind}");
    }
}

#[test]
fn the_schema_knows_the_shape_that_is_read() {
    let schema = schema();
    assert_eq!(keys(&schema["properties"]), ["$schema", "defaults", "tools", "version"]);
    assert_eq!(schema["properties"]["version"]["const"], VERSION);
    assert_eq!(schema["properties"]["tools"]["maxProperties"], MAX_TOOLS);
    assert_eq!(keys(&schema["properties"]["defaults"]["properties"]), ["open"]);
    for object in ["", "/properties/defaults", "/$defs/display"] {
        assert_eq!(schema.pointer(object).unwrap()["additionalProperties"], false, "{object}");
    }
    let whole = r#"{"$schema":"","version":1,"defaults":{"open":true},"tools":{"a":{}}}"#;
    assert_eq!(read(whole, &Globs).1, []);
}

#[test]
fn the_types_name_what_is_there() {
    assert_eq!(members("interface ToolDisplay"), Field::ALL.map(Field::name));
    assert_eq!(members("interface Call {"), CALL_FIELDS);
    let mut functions = members("interface Callsheet");
    functions.sort_unstable();
    assert_eq!(
        functions,
        [
            "getToolDisplay",
            "isToolHidden",
            "registerIcons",
            "registerToolDisplay",
            "registerToolInputFormatter",
            "registerToolRenderer",
            "registerToolSummary",
            "setDefaults",
            "unregisterToolDisplay",
            "unregisterToolInputFormatter",
            "unregisterToolRenderer",
            "unregisterToolSummary",
        ]
    );
    let by = crate::trace::Refuser::Unknown;
    for outcome in [
        Outcome::Running,
        Outcome::Ok,
        Outcome::Error,
        Outcome::Lost,
        Outcome::EndsRun,
        Outcome::AwaitingApproval,
        Outcome::Refused { by },
        Outcome::Cancelled,
    ] {
        assert!(TYPES.contains(&format!("| \"{}\"", outcome.name())), "{outcome:?}");
        assert!(GUIDE.contains(&format!("`{}`", outcome.name())), "{outcome:?}");
    }
}

#[test]
fn the_guides_json_is_read_without_a_fault() {
    let examples = examples("json");
    assert_eq!(examples.len(), 3);
    for example in examples {
        let (displays, faults) = read(example, &Globs);
        assert_eq!(faults, [], "{example}");
        assert_eq!(read(&write(&displays), &Globs).0, displays, "{example}");
    }
    assert!(!super::documents::examples("js").is_empty());
}

fn registry(example: usize) -> Registry {
    Registry { file: read(examples("json")[example], &Globs).0, ..Registry::default() }
}

fn words(registry: &Registry, name: &str, input: &str) -> (Option<String>, Option<String>) {
    let call = call(name, input);
    let facts = Facts { call: &call, duration: "4.21s", summary: "core" };
    let display = registry.display(name, &Globs);
    (display.label(&facts, &Host), display.summary(&facts, &Host))
}

#[test]
fn the_page_for_people_reads_as_the_guide_says() {
    let registry = registry(0);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(words(&registry, "web_search", r#"{"query":"cats"}"#), (some("Searching the web"), some("for “cats”")));
    assert_eq!(words(&registry, "mcp__crm__find_customer", r#"{"name":"Ada"}"#).1, some("Ada"));
    assert_eq!(words(&registry, "mcp__crm__list", "{}"), (some("Working in the customer list"), None));
    let call = call("mcp__crm__find_customer", r#"{"name":"Ada","address":{"city":"Turin"}}"#);
    let facts = Facts { call: &call, duration: "", summary: "" };
    let input = registry.display(&call.name, &Globs).input(&facts, &Host);
    assert_eq!(input, some("Name: Ada\nCity: Turin"));
    let hidden = ["web_search", "mcp__crm__list", "Bash"].map(|name| registry.is_hidden(name, &Globs));
    assert_eq!(hidden, [false, false, true]);
}

#[test]
fn the_page_for_developers_reads_as_the_guide_says() {
    let registry = registry(2);
    let summary = |name, input| words(&registry, name, input).1;
    assert_eq!(summary("Bash", r#"{"command":"ls"}"#).as_deref(), Some("4.21s ls"));
    assert_eq!(summary("mcp__x", "{}").as_deref(), Some("ok · 4.21s core"));
    assert_eq!(summary("Grep", "{}").as_deref(), Some("4.21s core"));
    assert_eq!(summary("Read", "{}"), None);
    assert!(["Bash", "Read", "Grep"].iter().all(|name| registry.display(name, &Globs).open));
}
