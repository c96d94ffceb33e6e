use super::*;

/// A registry whose host registered the displays of a file.
fn hosted(tools: &str) -> Registry {
    Registry { host: displays(tools), ..Registry::default() }
}

fn displays(tools: &str) -> Displays {
    let (displays, faults) = read(&format!("{{\"tools\":{{{tools}}}}}"), &Globs);
    assert_eq!(faults, [], "{tools}");
    displays
}

fn display(registry: &Registry, name: &str) -> ToolDisplay {
    registry.display(name, &Globs)
}

fn matcher(written: &str) -> Matcher {
    Matcher::parse(written)
}

/// The label of a tool, or its identifier in backquotes.
fn label(registry: &Registry, name: &str) -> String {
    let call = call(name, r#"{"q":"cats"}"#);
    let facts = Facts { call: &call, duration: "4.21s", summary: "core" };
    display(registry, name).label(&facts, &Host).unwrap_or_else(|| format!("`{name}`"))
}

fn summary(registry: &Registry, name: &str, input: &str) -> Option<String> {
    let call = call(name, input);
    display(registry, name).summary(&Facts { call: &call, duration: "4.21s", summary: "core" }, &Host)
}

fn labelled(words: Words) -> Registry {
    let mut registry = Registry::default();
    registry.register(&Matcher::Any, &Entry { label: Some(words), ..Entry::default() });
    registry
}

#[test]
fn rule_1_the_name_else_the_first_pattern_else_all() {
    let tools = r#""*":{"label":"any"},"/sh/":{"label":"first"},"/^Ba/":{"label":"second"},"Bash":{"label":"exact"}"#;
    let registry = hosted(tools);
    for (name, expected) in [
        ("Bash", "exact"),
        // By search, not by whole match; the first that was registered.
        ("BashOutput", "first"),
        ("Bag", "second"),
        ("bash", "first"),
        ("Read", "any"),
        ("", "any"),
    ] {
        assert_eq!(label(&registry, name), expected, "{name}");
    }
    assert_eq!(display(&hosted(r#""Bash":{}"#), "Read").entry, None);
    assert_eq!(registry.applying("Bag", &Globs), Some(&matcher("/^Ba/")));
}

#[test]
fn rule_1_a_g_flag_does_no_harm() {
    let registry = hosted(r#""/sh/gi":{"label":"shell"}"#);
    for _ in 0..3 {
        assert_eq!(label(&registry, "BASH"), "shell");
    }
}

#[test]
fn rule_2_registering_again_merges_field_by_field() {
    let mut registry = hosted(r#""/a/":{"label":"one","icon":"x"},"/ab/":{"label":"later"}"#);
    let again = Entry { icon: Some("y".to_owned()), hidden: Some(false), ..Entry::default() };
    registry.register(&matcher("/a/g"), &again);
    let entry = display(&registry, "abc").entry.unwrap();
    // It keeps its place before the later pattern.
    let expected = Entry { label: Some(Words::Template("one".to_owned())), ..again };
    assert_eq!((entry, registry.matchers().count()), (expected, 2));
}

#[test]
fn rule_2_later_ways_in_are_merged_over_earlier() {
    let registry = Registry {
        file: displays(r#""A":{"label":"file","icon":"file","summary":"file"},"/f/":{"label":"file"}"#),
        host: displays(r#""A":{"label":"host","icon":"host"},"/fh/":{"label":"host"}"#),
        viewer: displays(r#""A":{"label":"viewer"},"/fhv/":{"label":"viewer"}"#),
        ..Registry::default()
    };
    assert_eq!(label(&registry, "A"), "viewer");
    let shown = display(&registry, "A");
    assert_eq!(shown.icon(|_| true), "host");
    assert_eq!(summary(&registry, "A", "{}").as_deref(), Some("file"));
    // The file's patterns count as registered first, whenever it arrived.
    assert_eq!(label(&registry, "fhv"), "file");
}

#[test]
fn rule_3_the_entry_that_applies_is_used_whole() {
    let registry = hosted(
        r#""*":{"summary":"any","icon":"any","hidden":true},"/A/":{"label":"pattern","open":true},"A":{"icon":"own"}"#,
    );
    assert_eq!(display(&registry, "A").entry, Some(Entry { icon: Some("own".to_owned()), ..Entry::default() }));
    assert_eq!((label(&registry, "A"), summary(&registry, "A", "{}")), ("`A`".to_owned(), None));
    assert!(!display(&registry, "A").hidden && !display(&registry, "A").open);
    assert!(!display(&registry, "BA").hidden && display(&registry, "BA").open);
    assert!(display(&registry, "B").hidden);
}

#[test]
fn rule_4_what_is_left_out_or_fails_keeps_cores_row() {
    let function = |id| Words::Function(FunctionId(id));
    for (words, expected) in [
        (function(0), "`A`"),
        (function(1), "`A`"),
        (function(2), "of A"),
        (Words::Constant(String::new()), "`A`"),
        (Words::Constant(" \n".to_owned()), "`A`"),
        (Words::Template("{input.none}".to_owned()), "`A`"),
        (Words::Template("Search {input.q}".to_owned()), "Search cats"),
        // A host's string is no template.
        (Words::Constant("{name}".to_owned()), "{name}"),
    ] {
        assert_eq!(label(&labelled(words.clone()), "A"), expected, "{words:?}");
    }
    for (words, expected) in [
        (function(0), None),
        (function(1), Some("")),
        (function(2), Some("of A")),
        (Words::Template(String::new()), Some("")),
        (Words::Template("{input.q}".to_owned()), None),
        (Words::Template("{duration} {summary}".to_owned()), Some("4.21s core")),
    ] {
        let mut registry = Registry::default();
        registry.register(&matcher("A"), &Entry { summary: Some(words.clone()), ..Entry::default() });
        assert_eq!(summary(&registry, "A", "{}").as_deref(), expected, "{words:?}");
    }
    let call = call("A", r#"{"q":"a\nb"}"#);
    let facts = Facts { call: &call, duration: "", summary: "" };
    for (words, expected) in [
        (function(0), None),
        (function(2), Some("formatted")),
        (Words::Template("> {input.q}".to_owned()), Some("> a\nb")),
        (Words::Template("{input.none}".to_owned()), None),
    ] {
        let entry = Entry { format_input: Some(words.clone()), ..Entry::default() };
        let display = ToolDisplay { entry: Some(entry), ..ToolDisplay::default() };
        assert_eq!(display.input(&facts, &Host).as_deref(), expected, "{words:?}");
    }
}

#[test]
fn rule_4_an_unknown_icon_is_the_wrench() {
    let registry = hosted(r#""A":{"icon":"globe"},"B":{}"#);
    assert_eq!(display(&registry, "A").icon(|key| key == "globe"), "globe");
    assert_eq!(display(&registry, "A").icon(|_| false), DEFAULT_ICON);
    assert_eq!(display(&registry, "B").icon(|_| true), DEFAULT_ICON);
    assert_eq!(display(&registry, "C").icon(|_| true), DEFAULT_ICON);
}

#[test]
fn rule_5_only_a_label_is_no_identifier() {
    // The absence of a label is what tells the row to use the code font.
    let call = call("A", "");
    let facts = Facts { call: &call, duration: "", summary: "" };
    assert_eq!(display(&hosted(r#""A":{"icon":"x"}"#), "A").label(&facts, &Host), None);
    assert_eq!(display(&hosted(r#""A":{"label":"A"}"#), "A").label(&facts, &Host).as_deref(), Some("A"));
}

#[test]
fn rule_6_hidden_draws_nothing_but_an_approval() {
    let registry = hosted(r#""A":{"hidden":true,"label":"Searching the web"},"B":{"hidden":false}"#);
    let shown = |name: &str, outcome: &Outcome| display(&registry, name).shows(outcome);
    assert_eq!(shown("A", &Outcome::Ok), Shown::Nothing);
    assert_eq!(shown("A", &Outcome::Running), Shown::Nothing);
    assert_eq!(shown("A", &Outcome::AwaitingApproval), Shown::Approval);
    assert_eq!(shown("B", &Outcome::AwaitingApproval), Shown::Card);
    assert_eq!(shown("C", &Outcome::Error), Shown::Card);
    assert_eq!(words::approval(&label(&registry, "A")), "Allow Searching the web?");
    assert!(registry.is_hidden("A", &Globs) && !registry.is_hidden("B", &Globs));
}

#[test]
fn rule_6_a_model_call_whose_every_call_is_hidden_shows_no_row() {
    use Shown::{Approval, Card, Nothing};
    for (calls, hidden) in [
        (&[][..], false),
        (&[Nothing], true),
        (&[Nothing, Nothing], true),
        (&[Nothing, Card], false),
        (&[Approval, Nothing], false),
    ] {
        assert_eq!(hides_exchange(calls.iter().copied()), hidden, "{calls:?}");
    }
}

#[test]
fn rule_7_the_more_specific_of_hidden_and_renderer_wins() {
    let written = ["*", "/A/", "A"];
    for (at_hidden, hidden) in written.iter().enumerate() {
        for (at_renderer, renderer) in written.iter().enumerate() {
            let mut registry = hosted(&format!("\"{hidden}\":{{\"hidden\":true}}"));
            registry.register_renderer(&matcher(renderer), FunctionId(7));
            let display = display(&registry, "A");
            let draws = at_renderer > at_hidden;
            let expected = (!draws, draws.then_some(FunctionId(7)));
            assert_eq!((display.hidden, display.renderer), expected, "{hidden} {renderer}");
        }
    }
    let mut registry = hosted(r#""A":{"hidden":false}"#);
    registry.register_renderer(&Matcher::Any, FunctionId(1));
    registry.register_renderer(&Matcher::Any, FunctionId(2));
    assert_eq!(display(&registry, "A").renderer, Some(FunctionId(2)));
    registry.unregister_renderer(&Matcher::Any);
    assert_eq!(display(&registry, "A").renderer, None);
}

#[test]
fn rule_8_the_readers_choice_else_the_defaults_else_the_display_else_closed() {
    let mut registry = hosted(r#""A":{"open":true},"B":{"open":false}"#);
    let open = |registry: &Registry| ["A", "B", "C"].map(|name| display(registry, name).open);
    assert_eq!(open(&registry), [true, false, false]);
    registry.host.open = Some(false);
    assert_eq!(open(&registry), [false; 3]);
    registry.file.open = Some(true);
    assert_eq!(open(&registry), [false; 3]);
    registry.viewer.open = Some(true);
    assert_eq!(open(&registry), [true; 3]);
    // What the viewer set for the tool is the reader's own choice.
    registry.viewer.entry(&matcher("A")).open = Some(false);
    assert_eq!(open(&registry), [false, true, true]);
}

#[test]
fn rule_9_words_are_said_anew_in_place_and_the_rest_is_drawn_anew() {
    let before = display(&hosted(r#""A":{"label":"one"}"#), "A");
    for (tools, change) in [
        (r#""A":{"label":"one"},"B":{"hidden":true}"#, Change::None),
        (r#""A":{"label":"two"}"#, Change::Relabel),
        (r#""A":{"label":"one","icon":"x","hidden":false}"#, Change::Relabel),
        (r#""A":{"label":"one","hidden":true}"#, Change::Redraw),
        (r#""A":{"label":"one","open":true}"#, Change::Redraw),
        ("", Change::Relabel),
    ] {
        assert_eq!(before.change_to(&display(&hosted(tools), "A")), change, "{tools}");
    }
    let mut registry = hosted(r#""A":{"label":"one"}"#);
    registry.register_renderer(&matcher("A"), FunctionId(1));
    assert_eq!(before.change_to(&display(&registry, "A")), Change::Redraw);
}

#[test]
fn rule_10_words_are_one_line_of_text_that_hides_nothing() {
    assert_eq!(label(&labelled(Words::Function(FunctionId(3))), "A"), "two lines ⟨U+202E⟩");
    assert_eq!(label(&labelled(Words::Constant("<b>&amp;".to_owned())), "A"), "<b>&amp;");
    let long = "x".repeat(1_000);
    assert_eq!(label(&labelled(Words::Constant(long.clone())), "A").chars().count(), 80);
    let registry = hosted(r#""A":{"summary":"{input.q}"}"#);
    let cut = summary(&registry, "A", &format!("{{\"q\":\"{long}\"}}")).unwrap();
    assert_eq!(cut.chars().count(), 200);
}

#[test]
fn what_is_unregistered_applies_no_more() {
    let mut registry = hosted(r#""A":{"label":"one","summary":"s"},"*":{"label":"any"}"#);
    registry.file = displays(r#""A":{"label":"file"}"#);
    registry.unregister_field(&matcher("A"), Field::Summary);
    assert_eq!((label(&registry, "A"), summary(&registry, "A", "")), ("one".to_owned(), None));
    // The last field takes the entry along, so that a less specific one applies.
    registry.unregister_field(&matcher("A"), Field::Label);
    assert_eq!(label(&registry, "A"), "any");
    // An entry that was registered empty is one: it keeps core's row.
    registry.register(&matcher("A"), &Entry::default());
    registry.unregister_field(&matcher("A"), Field::Label);
    assert_eq!(label(&registry, "A"), "`A`");
    registry.viewer = displays(r#""A":{"label":"viewer"}"#);
    registry.unregister(&matcher("A"));
    assert_eq!(label(&registry, "A"), "viewer");
    registry.viewer.remove(&matcher("A"));
    assert_eq!(label(&registry, "A"), "any");
}

#[test]
fn every_field_can_be_set_and_taken_away() {
    let whole = displays(r#""A":{"label":"l","icon":"i","summary":"s","formatInput":"f","hidden":true,"open":true}"#);
    let mut entry = whole.get(&matcher("A")).unwrap().clone();
    let mut merged = Entry::default();
    merged.merge(&entry);
    assert_eq!(merged, entry);
    entry.merge(&Entry::default());
    assert_eq!(merged, entry);
    for field in Field::ALL {
        assert!(!entry.is_empty());
        entry.remove(field);
    }
    assert!(entry.is_empty());
}

#[test]
fn a_viewers_entry_begins_as_the_display_that_applies() {
    let mut registry = hosted(r#""/A/":{"label":"shared","open":true}"#);
    registry.viewers_entry("A", &Globs).hidden = Some(true);
    assert_eq!((label(&registry, "A"), label(&registry, "BA")), ("shared".to_owned(), "shared".to_owned()));
    assert!(registry.is_hidden("A", &Globs) && !registry.is_hidden("BA", &Globs));
    // What the host says of the very tool goes on to be the host's to change.
    let mut registry = hosted(r#""A":{"label":"host"}"#);
    registry.viewers_entry("A", &Globs).hidden = Some(true);
    assert_eq!(registry.viewer.get(&matcher("A")), Some(&Entry { hidden: Some(true), ..Entry::default() }));
    registry.viewers_entry("*", &Globs).hidden = Some(true);
    assert!(!registry.is_hidden("C", &Globs));
}

#[test]
fn the_developer_sees_every_card_open_with_its_duration() {
    let mut registry = hosted(r#""A":{"label":"own","summary":"host"},"/B/":{"open":false}"#);
    registry.viewer = developer(&registry);
    for name in ["A", "B", "C"] {
        assert!(display(&registry, name).open);
        assert_eq!(summary(&registry, name, "{}").as_deref(), Some("4.21s core"), "{name}");
    }
    assert_eq!(label(&registry, "A"), "own");
}

#[test]
fn the_reader_sees_only_tools_with_a_display_of_their_own() {
    let mut registry = hosted(r#""A":{"label":"own"},"/^B/":{},"*":{"label":"any"}"#);
    registry.register_renderer(&matcher("R"), FunctionId(1));
    registry.viewer = reader();
    let hidden = ["A", "Bx", "C", "R"].map(|name| registry.is_hidden(name, &Globs));
    assert_eq!(hidden, [false, false, true, false]);
}
