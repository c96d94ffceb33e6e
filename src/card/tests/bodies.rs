//! Cards drawn as text: the header, then the parts of both bodies. Styles stand in `‹…›`.

use super::*;
use std::fmt::Write;

/// A whole card.
fn drawn(call: &ToolCall) -> String {
    let mut text = format!("{} {}\n", call.name, words(call));
    for (head, parts) in [("input", input_body(call)), ("output", output_body(call))] {
        writeln!(text, "== {head}").unwrap();
        for part in &parts {
            draw(&mut text, part);
        }
    }
    text
}

fn draw(text: &mut String, part: &Part) {
    match part {
        Part::Lines(lines) => {
            writeln!(text, "{:?}, {} lines", lines.language(), lines.len()).unwrap();
            draw_lines(text, lines, "  ");
        }
        Part::Diff(diff) => {
            let path = diff.path.as_deref().unwrap_or("?");
            writeln!(text, "diff {path} +{} −{} {}", diff.added, diff.removed, diff.notes.join("; ")).unwrap();
            for row in 0..diff.len() {
                let line = diff.short_line(row).unwrap();
                writeln!(text, "  {:8}{}", format!("{:?}", line.change), runs(&line.cut.runs)).unwrap();
            }
        }
        Part::Fields(fields) => {
            for field in fields {
                writeln!(text, "{}:", field.key).unwrap();
                draw_lines(text, &field.value, "    ");
            }
        }
        Part::ToDo(items) => {
            for item in items {
                writeln!(text, "{:?} {}", item.state, item.text).unwrap();
            }
        }
        Part::Questions(questions) => {
            for question in questions {
                writeln!(text, "? {:?} {}", question.header, question.text).unwrap();
                for choice in &question.options {
                    let mark = if choice.chosen { '●' } else { '○' };
                    writeln!(text, "  {mark} {} {:?}", choice.label, choice.description).unwrap();
                }
                writeln!(text, "  {:?}", question.answer).unwrap();
            }
        }
        Part::Image(image) => writeln!(text, "image {}", image.caption()).unwrap(),
        Part::Reference(name) => writeln!(text, "reference {name}").unwrap(),
        Part::Note(note) => writeln!(text, "note {note}").unwrap(),
    }
}

fn draw_lines(text: &mut String, lines: &Lines, indent: &str) {
    let Elision { head, hidden, tail } = lines.elision();
    let mut line = |at: usize| {
        let cut = lines.short_line(at);
        let more = if cut.hidden > 0 { format!(" +{} characters", cut.hidden) } else { String::new() };
        writeln!(text, "{indent}{}{more}", runs(&cut.runs)).unwrap();
    };
    (0..head).for_each(&mut line);
    if hidden > 0 {
        writeln!(text, "{indent}⋯ {hidden} more").unwrap();
        let mut line = |at: usize| writeln!(text, "{indent}{}", runs(&lines.short_line(at).runs)).unwrap();
        (lines.len() - tail..lines.len()).for_each(&mut line);
    }
}

fn runs(runs: &[Run]) -> String {
    let runs = runs.iter().map(|run| {
        let colors = [run.style.foreground.css(), run.style.background.css()];
        let style: Vec<_> =
            colors.into_iter().flatten().chain(Some(run.style.classes()).filter(|names| !names.is_empty())).collect();
        if style.is_empty() { run.text.clone() } else { format!("‹{} {}›", style.join(" "), run.text) }
    });
    runs.collect()
}

#[test]
fn nothing_hides_in_a_body() {
    let hidden = "a\u{202e}b";
    for (name, input) in [
        ("TodoWrite", r#"{"todos":[{"content":"#.to_owned() + "\"a\u{202e}b\"}]}"),
        (
            "ask",
            format!(
                r#"{{"question":"{hidden}","header":"{hidden}","options":[{{"label":"{hidden}","description":"{hidden}"}}]}}"#
            ),
        ),
        ("edit", format!(r#"{{"path":"{hidden}","old_string":"{hidden}","new_string":"x"}}"#)),
        ("apply_patch", format!("*** Update File: {hidden}\n*** Move to: {hidden}\n-{hidden}")),
        ("Bash", format!(r#"{{"command":"{hidden}"}}"#)),
        ("mcp__a__b", format!(r#"{{"{hidden}":"{hidden}","{hidden}":["{hidden}"]}}"#)),
        ("mcp__a__b", hidden.to_owned()),
    ] {
        let mut call = call(name, &input, hidden);
        if let Content::Held(blocks) = &mut call.output {
            blocks.push(Block::Reference(Text::from(hidden)));
        }
        let text = drawn(&call);
        assert!(!text.contains('\u{202e}') && text.contains("a⟨U+202E⟩b"), "{text}");
        assert!(json(&call).contains(hidden));
    }
}

/// Cards of our own invention, a few a family.
#[expect(clippy::too_many_lines, reason = "it is a list")]
fn corpus() -> Vec<(&'static str, ToolCall)> {
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let numbered: String = (1..=15).fold(String::new(), |all, line| all + &format!("row {line}\n"));
    let patch = "*** Begin Patch\n*** Update File: src/sum.rs\n*** Move to: src/total.rs\n@@ fn sum\n let a = 1;\n-let total = a;\n+let total = a + b;\n*** Add File: notes.txt\n+one\n+two\n*** Delete File: old.txt\n*** End Patch\n";
    let unified = "diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,2 @@ int main\n same\n--- a comment\n-gone\n+come\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+first\n\\ No newline at end of file\n";
    vec![
        (
            "shell_script",
            call(
                "Bash",
                &format!(
                    r#"{{"command":{},"description":"count rows","timeout":60000}}"#,
                    json("for f in *.csv; do\n  wc -l \"$f\" | sed 's/a\n b/c/' # rows\ndone")
                ),
                "\x1b[1;32mok\x1b[0m 3\n\x1b[38;5;208morange\n\x1b[48;2;1;2;3mstill\x1b[0m plain\n10%\r55%\r100%\n",
            ),
        ),
        (
            "shell_of_codex",
            call(
                "exec_command",
                r#"{"cmd":"ls","workdir":"/w"}"#,
                "Chunk ID: 0a\nWall time: 0.2 seconds\nProcess exited with code 2\nOriginal token count: 3\nOutput:\nls: no such folder\n",
            ),
        ),
        (
            "shell_in_json",
            call(
                "shell",
                r#"{"command":["bash","-lc","echo hi"],"workdir":"/w"}"#,
                r#"{"output":"hi\n","metadata":{"exit_code":0,"duration_seconds":0.2}}"#,
            ),
        ),
        ("shell_long", call("run_shell", r#"{"command":"seq 15"}"#, &numbered)),
        (
            "shell_spilled",
            call(
                "Bash",
                r#"{"command":"make"}"#,
                "<persisted-output>\nOutput too large (54.3KB). Full output saved to: /tmp/results/b1.txt\n\nPreview (first 2KB):\ncc a.c\n",
            ),
        ),
        (
            "read_is_not_interpreted",
            call("Read", r#"{"file_path":"a.log"}"#, "\x1b[31mred\x1b[0m\r\n{\"a\":1}\n<b>\u{202e}\n"),
        ),
        (
            "edit",
            call(
                "edit_file",
                r#"{"path":"a.rs","oldString":"let größe = 1;\r\nkeep\r\n","newString":"let größe = 22;\nkeep\n","replaceAll":false}"#,
                "Replaced 1 occurrence(s) in \"a.rs\".",
            ),
        ),
        (
            "edits",
            call(
                "MultiEdit",
                r#"{"file_path":"a","edits":[{"old_string":"x y","new_string":"x z"},{"old_string":"q","new_string":""}]}"#,
                "ok",
            ),
        ),
        (
            "patch",
            call(
                "apply_patch",
                patch,
                "Success. Updated the following files:\nM src/total.rs\nA notes.txt\nD old.txt\n",
            ),
        ),
        ("patch_unified", call("patch", &format!(r#"{{"patchText":{}}}"#, json(unified)), "ok")),
        (
            "patch_search_replace",
            call(
                "replace_in_file",
                &format!(
                    r#"{{"path":"a.txt","diff":{}}}"#,
                    json("<<<<<<< SEARCH\nold line\n=======\nnew line\n>>>>>>> REPLACE\n")
                ),
                "ok",
            ),
        ),
        ("patch_that_is_none", call("apply_patch", "no patch\nat all", "apply_patch verification failed: no patch")),
        (
            "write",
            call(
                "write_file",
                &format!(r#"{{"path":"rows.txt","content":{},"overwrite":true}}"#, json(&numbered)),
                "Created \"rows.txt\" (96 bytes).",
            ),
        ),
        (
            "to_do",
            call(
                "TodoWrite",
                r#"{"todos":[{"content":"read","status":"completed"},{"content":"write","status":"in_progress"},{"content":"rest","status":"pending"},{"content":"skip","status":"cancelled"}]}"#,
                "ok",
            ),
        ),
        (
            "ask",
            structured(
                call(
                    "AskUserQuestion",
                    r#"{"questions":[{"question":"Which?","header":"Pick","options":[{"label":"A","description":"first"},{"label":"B"}]},{"question":"Why?","options":[{"label":"C"}]}]}"#,
                    "answered",
                ),
                r#"{"answers":{"Which?":"B","Why?":"because"}}"#,
            ),
        ),
        ("plan", call("ExitPlanMode", &format!(r#"{{"plan":{}}}"#, json("# Plan\n\n1. look\n2. act")), "approved")),
        (
            "mcp",
            call(
                "mcp__shop__order",
                r#"{"zone":"b","amount":1.50,"items":[{"id":10000000000000000001,"ok":true}],"note":"two\nlines","empty":"","none":null}"#,
                r#"{"total": 12.30, "lines": [], "by": {"name": "é"}}"#,
            ),
        ),
        (
            "mcp_blocks",
            with(call("mcp__shop__photo", "{}", ""), |call| {
                call.output = Content::Held(vec![
                    Block::Text(Text::from("a photo")),
                    Block::Json(Text::from(r#"[1,{"a":null}]"#)),
                    Block::Image { media_type: "image/jpeg".into(), data: Text::from("R0lGODlhCgAFAA==") },
                    Block::Image { media_type: "image/tiff".into(), data: Text::from("AAAA") },
                    Block::Reference(Text::from("results/1.txt")),
                ]);
            }),
        ),
        ("free_text", call("exec", "const r = await run();\n", "x")),
        ("cut_off", call("Write", r#"{"file_path":"a","content":"half of i"#, "")),
        ("empty_input", call("mcp__a__b", r#""""#, "null")),
        ("failed", failed(call("mcp__a__b", "[1,2]", "Error: it broke\nhere"))),
        ("running", with(call("Bash", r#"{"command":"make"}"#, "cc a.c\n"), |call| call.outcome = Outcome::Running)),
        (
            "refused",
            with(call("Bash", r#"{"command":"rm a"}"#, "words"), |call| {
                call.outcome = Outcome::Refused { by: Refuser::User }
            }),
        ),
        (
            "awaiting",
            with(call("Bash", r#"{"command":"rm a"}"#, ""), |call| {
                call.outcome = Outcome::AwaitingApproval;
                call.output = Content::None;
            }),
        ),
        (
            "lost",
            with(call("Bash", r#"{"command":"rm a"}"#, ""), |call| {
                call.outcome = Outcome::Lost;
                call.output = Content::None;
            }),
        ),
        ("long_line", call("Read", r#"{"file_path":"a.min.js"}"#, &"x".repeat(2_003))),
    ]
}

fn check(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots", omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn cards_look_as_they_did() {
    for (name, call) in corpus() {
        check(name, &drawn(&call));
    }
}

#[test]
fn copies_hold_everything() {
    for (name, call) in corpus() {
        if matches!(name, "mcp_blocks" | "cut_off" | "failed") {
            check(&format!("copy_{name}"), &format!("{}\n====\n{}", markdown(&call), json(&call)));
        }
    }
}

#[test]
fn a_fence_does_not_stand_in_what_it_fences() {
    let text = markdown(&call("mcp__a__b", "{}", "```\n````rust\n"));
    assert!(text.contains("\n`````\n```\n````rust\n`````\n"), "{text}");
}
