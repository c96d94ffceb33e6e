use super::*;
use crate::display::entry::FunctionId;
use crate::display::tests::Globs;
use proptest::prelude::*;

fn faults(text: &str) -> Vec<String> {
    read(text, &Globs).1.iter().map(ToString::to_string).collect()
}

#[test]
fn reads_every_field() {
    let text = r#"{"$schema":"displays.schema.json","version":1,"defaults":{"open":true},"tools":{
        "Bash":{"label":"Running \"{input.command}\"","icon":"terminal","summary":"{duration}","formatInput":"{input}","hidden":false,"open":true},
        "/^mcp/i":{"hidden":true},
        "*":{}}}"#;
    let (displays, faults) = read(text, &Globs);
    assert_eq!(faults, []);
    assert_eq!(displays.open, Some(true));
    let template = |text: &str| Some(Words::Template(text.to_owned()));
    let bash = Entry {
        label: template("Running \"{input.command}\""),
        icon: Some("terminal".to_owned()),
        summary: template("{duration}"),
        format_input: template("{input}"),
        hidden: Some(false),
        open: Some(true),
    };
    assert_eq!(displays.get(&Matcher::parse("Bash")), Some(&bash));
    assert_eq!(displays.get(&Matcher::parse("/^mcp/i")), Some(&Entry { hidden: Some(true), ..Entry::default() }));
    assert_eq!(displays.get(&Matcher::Any), Some(&Entry::default()));
    assert_eq!(displays.entries().count(), 3);
}

#[test]
fn each_fault_is_told_by_its_path_and_what_is_right_is_kept() {
    let text = r#"{"version":2,"extra":0,"defaults":{"open":1,"closed":true},"tools":{
        "Bash":{"icon":7,"hidden":"yes","open":true,"colour":"red"},
        "a \"b\"":[],
        "/[/":{"hidden":true},
        "Read":{"label":null,"summary":{},"formatInput":[]}}}"#;
    let (displays, _) = read(text, &Globs);
    assert_eq!(
        faults(text),
        [
            "version: This page reads version 1. What it knows of it is used.",
            "extra: There is no such field. The fields are version, defaults and tools.",
            "defaults.open: This has to be true or false, and is a number.",
            "defaults.closed: There is no such field. The only one is open.",
            r#"tools["Bash"].icon: This has to be a text in quotes, and is a number."#,
            r#"tools["Bash"].hidden: This has to be true or false, and is a text."#,
            r#"tools["Bash"].colour: There is no such field. The fields are label, icon, summary, formatInput, hidden, open."#,
            r#"tools["a \"b\""]: This has to be an object in braces, and is a list."#,
            r#"tools["/[/"]: This is no regular expression: unclosed ["#,
            r#"tools["Read"].label: This has to be a text in quotes, and is null; leave the field out instead."#,
            r#"tools["Read"].summary: This has to be a text in quotes, and is an object."#,
            r#"tools["Read"].formatInput: This has to be a text in quotes, and is a list."#,
        ]
    );
    assert_eq!(displays.get(&Matcher::parse("Bash")), Some(&Entry { open: Some(true), ..Entry::default() }));
    assert_eq!(displays.get(&Matcher::parse("Read")), Some(&Entry::default()));
    assert_eq!(displays.entries().count(), 2);
}

#[test]
fn what_is_no_object_is_one_fault() {
    for (text, fault) in [
        ("", "This is not JSON."),
        ("{\"tools\": {},}", "This is not JSON."),
        ("<!doctype html>", "This is not JSON."),
        ("[]", "This has to be a JSON object"),
        ("\"a\"", "This has to be a JSON object"),
    ] {
        let faults = faults(text);
        assert!(faults.len() == 1 && faults[0].starts_with(fault), "{text}: {faults:?}");
    }
    assert_eq!(faults("\u{feff}{}"), [""; 0]);
    assert_eq!(faults("{\"tools\":3}"), ["tools: This has to be an object in braces, and is a number."]);
}

#[test]
fn a_tool_too_many_is_told() {
    let tools: Vec<_> = (0..MAX_TOOLS + 2).map(|tool| format!("\"t{tool}\":{{}}")).collect();
    let text = format!("{{\"tools\":{{{}}}}}", tools.join(","));
    assert_eq!(read(&text, &Globs).0.entries().count(), MAX_TOOLS);
    assert_eq!(faults(&text), ["tools: Only the first 2000 tools are read; 2 are left out."]);
}

#[test]
fn matchers_that_mean_the_same_are_merged() {
    let (displays, _) = read(r#"{"tools":{"/a/i":{"hidden":true},"/a/gi":{"open":true}}}"#, &Globs);
    assert_eq!(displays.entries().count(), 1);
    assert!(displays.entries().all(|(_, entry)| entry.hidden.is_some() && entry.open.is_some()));
}

#[test]
fn writes_one_field_a_line_and_leaves_functions_out() {
    let mut displays = Displays { open: Some(false), ..Displays::default() };
    let label = Some(Words::Constant("a {b}".to_owned()));
    let summary = Some(Words::Function(FunctionId(1)));
    *displays.entry(&Matcher::Name("*".to_owned())) = Entry { label, summary, hidden: Some(true), ..Entry::default() };
    assert_eq!(
        write(&displays),
        r#"{
  "version": 1,
  "defaults": {
    "open": false
  },
  "tools": {
    "\\*": {
      "label": "a {{b}}",
      "hidden": true
    }
  }
}
"#
    );
}

fn words() -> impl Strategy<Value = Option<Words>> {
    proptest::option::of("[{}\"\\\\aé\u{1}\n]{0,6}".prop_map(Words::Template))
}

fn entry() -> impl Strategy<Value = Entry> {
    let icon = proptest::option::of("[a-z\"]{0,4}");
    (words(), icon, words(), words(), any::<Option<bool>>(), any::<Option<bool>>()).prop_map(
        |(label, icon, summary, format_input, hidden, open)| Entry { label, icon, summary, format_input, hidden, open },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        open in any::<Option<bool>>(),
        entries in proptest::collection::vec(("[*/\\\\ab\"\n]{0,4}|[A-Z][a-z]{0,4}|/[a-z/]{1,4}/[imsu]?", entry()), 0..6),
    ) {
        let mut displays = Displays { open, ..Displays::default() };
        for (matcher, entry) in &entries {
            displays.entry(&Matcher::parse(matcher)).merge(entry);
        }
        prop_assert_eq!(read(&write(&displays), &Globs), (displays, Vec::new()));
    }

    #[test]
    fn any_text_is_read(text in "[\\[\\]{}:,\"\\\\ a1]{0,30}", key in "version|defaults|tools|open") {
        let _ = read(&text, &Globs);
        let _ = read(&format!("{{\"{key}\":{text}}}"), &Globs);
        let _ = read(&format!("{{\"tools\":{{\"a\":{{{text}}}}}}}"), &Globs);
    }
}
