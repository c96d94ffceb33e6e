//! Every row of the table of families.

use super::*;

fn check(cases: &[(&str, &str, &str, &str)]) {
    for (name, input, output, expected) in cases {
        assert_eq!(words(&call(name, input, output)), *expected, "{name} {input} {output}");
    }
}

#[test]
fn shell() {
    check(&[
        ("run_shell", r#"{"command":"cargo test\n# why"}"#, "a\nb\n", "cargo test → 2 lines"),
        (
            "Bash",
            r#"{"command":"sleep 9","run_in_background":true,"timeout":120000}"#,
            "",
            "sleep 9 [bg] [timeout 2m] → no output",
        ),
        ("bash", r#"{"command":"ls","timeout":90}"#, "one\n", "ls [timeout 1m30s] → one"),
        (
            "shell",
            r#"{"command":["bash","-lc","ls | wc -l"],"timeout_ms":10000}"#,
            r#"{"output":"3\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#,
            "ls | wc -l [timeout 10s] → 3",
        ),
        (
            "shell",
            r#"{"command":["git","commit","-m","it's done",""]}"#,
            "",
            r"git commit -m 'it'\''s done' '' → no output",
        ),
        (
            "shell_command",
            r#"{"command":"dir"}"#,
            "Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno\nway\n",
            "dir → exit 2 · 2 lines",
        ),
        (
            "exec_command",
            r#"{"cmd":"ls"}"#,
            "Chunk ID: 0a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\na\nb",
            "ls → 2 lines",
        ),
        (
            "exec_command",
            r#"{"cmd":"top"}"#,
            "Chunk ID: 0a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n",
            "top → still running",
        ),
        (
            "shell_command",
            r#"{"command":"ls"}"#,
            "Command: ls\nExit code: 0\nWall time: 0 seconds\nOutput:\n",
            "ls → no output",
        ),
        ("run_shell_command", r#"{"command":"bash -lc 'echo hi'"}"#, "hi", "echo hi → hi"),
        ("local_shell_call", r#"{"action":{"type":"exec","command":["ls","-l"]}}"#, "x", "ls -l → x"),
        ("run_commands", r#"{"commands":["make","make test"]}"#, "ok", "make → ok"),
        ("PowerShell", r#"{"command":"Get-Item ."}"#, "a\r\nb\r\n", "Get-Item . → 2 lines"),
        ("run_shell", r#"{"command":"x"}"#, "a\n\n[Command timed out]", "x → timed out"),
        ("run_shell", r#"{"command":"x"}"#, "a\n[Output truncated: 10 of 20 lines]", "x → truncated"),
        ("execute", "ls -a", "x", "ls -a → x"),
        ("BashOutput", r#"{"bash_id":"bash_1"}"#, "x", "bash_1 → x"),
        ("Bash", r#"{"command":"\n\n  ls"}"#, "\x1b[32mgreen\x1b[0m\n", "ls → green"),
    ]);
    let run = |text: &str| call("Bash", r#"{"command":"x"}"#, text);
    assert_eq!(words(&failed(run("a\nb"))), "x → failed · 2 lines");
    assert_eq!(words(&failed(run("Exit code 127\nno such command"))), "x → exit 127 · 1 line");
    assert_eq!(words(&failed(run("Exit code 1"))), "x → exit 1 · no output");
    assert_eq!(words(&structured(run("gone"), r#"{"output":"gone","exit":3}"#)), "x → exit 3 · 1 line");
    assert_eq!(words(&structured(run("id: 1"), r#"{"stdout":"","backgroundTaskId":"1"}"#)), "x [bg] → id: 1");
}

#[test]
fn read() {
    check(&[
        (
            "Read",
            r#"{"file_path":"src/a.rs"}"#,
            "     1→a\n     2→b\n\n<system-reminder>\nkeep\n</system-reminder>\n",
            "src/a.rs → 2 lines",
        ),
        ("read_file", r#"{"path":"a.rs","offset":11,"limit":70}"#, "11\ta\n12\tb", "a.rs:11-80 → 2 lines"),
        ("read", r#"{"path":"a.rs","limit":80}"#, "only", "a.rs:1-80 → 1 line"),
        ("read", r#"{"filePath":"a.rs","offset":5}"#, "<file>\n00005| x\n00006| y\n</file>", "a.rs:5- → 2 lines"),
        ("view", r#"{"path":"a","view_range":[3,9]}"#, "x\ny\n", "a:3-9 → 2 lines"),
        ("read_file", r#"{"path":"e"}"#, "(empty file: 0 bytes)", "e → empty file"),
        ("Read", r#"{"file_path":"e"}"#, "", "e → empty file"),
        ("read_file", r#"{"path":"src"}"#, "card/\ncard.rs\nlib.rs\n", "src → 3 entries"),
        ("read", r#"{"filePath":"/w"}"#, "<entries>\na/\nb\n\n(14 entries)\n</entries>", "/w → 14 entries"),
        ("read_files", r#"{"files":[{"path":"a"},{"path":"b"},"c"]}"#, "x\ny", "a +2 more → 2 lines"),
        ("Read", r#"{"file_path":"log"}"#, "12:30 started\nand went on\n12:31 ended", "log → 3 lines"),
        ("str_replace_editor", r#"{"command":"view","path":"a"}"#, "1\tx\n2\ty", "a → 2 lines"),
    ]);
    let image =
        Content::Held(vec![Block::Image { media_type: "image/png".into(), data: Text::from("A".repeat(43_692)) }]);
    let read = call("Read", r#"{"file_path":"a.png"}"#, "");
    assert_eq!(words(&with(read.clone(), |call| call.output = image)), "a.png → image · 32 KB");
    let told = r#"{"type":"text","file":{"filePath":"a","content":"","numLines":80,"startLine":1,"totalLines":200}}"#;
    assert_eq!(words(&structured(read.clone(), told)), "a.png → 80 lines");
    assert_eq!(
        words(&failed(call("Read", r#"{"file_path":"a"}"#, "File does not exist."))),
        "a → failed · File does not exist."
    );
}

#[test]
fn edit() {
    const PATCH: &str =
        "*** Begin Patch\n*** Update File: a.rs\n@@ fn x\n-old\n+new\n+more\n*** Add File: b.rs\n+x\n*** End Patch";
    let patch = serde_json::to_string(PATCH).unwrap();
    check(&[
        (
            "edit_file",
            r#"{"path":"a.rs","oldString":"a\nb","newString":"a\nc\nd"}"#,
            "Replaced 1 occurrence(s) in \"a.rs\".",
            "a.rs [+2 −1] → 1 replacement",
        ),
        (
            "edit_file",
            r#"{"path":"a.rs","oldString":"a","newString":"b","replaceAll":true}"#,
            "Replaced 3 occurrence(s) in \"a.rs\".\n\nerror: x",
            "a.rs [+1 −1] [diagnostics] → 3 replacements",
        ),
        (
            "Edit",
            r#"{"file_path":"a","old_string":"x","new_string":""}"#,
            "The file a has been updated.\nHere is a part of it",
            "a [+0 −1] → 1 replacement",
        ),
        (
            "MultiEdit",
            r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"","new_string":"z"}]}"#,
            "Applied 2 edits",
            "a [+2 −1] → 2 edits",
        ),
        (
            "str_replace_editor",
            r#"{"command":"insert","path":"a","insert_line":1,"new_str":"x"}"#,
            "done",
            "a [+1 −0] → 1 replacement",
        ),
        (
            "replace",
            r#"{"file_path":"a","old_string":"x","new_string":"y"}"#,
            "Successfully modified file: a (2 replacements).",
            "a [+1 −1] → 2 replacements",
        ),
        (
            "apply_patch",
            PATCH,
            "Success. Updated the following files:\nM a.rs\nA b.rs",
            "a.rs +1 more [+3 −1] → 2 files",
        ),
        ("apply_patch", &format!(r#"{{"input":{patch}}}"#), "{}", "a.rs +1 more [+3 −1] → 2 files"),
        (
            "apply_patch_call",
            r#"{"operation":{"type":"update_file","path":"a","diff":"@@\n-x\n+y"}}"#,
            "ok",
            "a [+1 −1] → 1 file",
        ),
        ("apply_patch", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "ok", "x [+1 −1] → 1 file"),
        (
            "replace_in_file",
            r#"{"path":"a","diff":"<<<<<<< SEARCH\nx\n=======\ny\nz\n>>>>>>> REPLACE\n"}"#,
            "ok",
            "a [+2 −1] → 1 file",
        ),
        ("NotebookEdit", r#"{"notebook_path":"n.ipynb","new_source":"x"}"#, "ok", "n.ipynb [+1 −0] → 1 replacement"),
        (
            "replace_file_content",
            r#"{"TargetFile":"\"d:\\\\a\"","TargetContent":"x","ReplacementContent":"y"}"#,
            "ok",
            r"d:\a [+1 −1] → 1 replacement",
        ),
    ]);
    let edit = call("Edit", r#"{"file_path":"a","old_string":"x","new_string":"y","replace_all":true}"#, "ok\nok");
    let told = r#"{"structuredPatch":[{"oldStart":1,"lines":[" a","-x","+y"]},{"lines":["-x","+y"]}]}"#;
    assert_eq!(words(&structured(edit, told)), "a [+2 −2] → 2 lines");
    let refused = call(
        "apply_patch",
        "*** Begin Patch\n*** Delete File: a\n*** End Patch",
        r#"{"output":"no such file\n","metadata":{"exit_code":1}}"#,
    );
    assert_eq!(words(&refused), "a → failed · no such file");
}

#[test]
fn write() {
    check(&[
        ("write_file", r#"{"path":"a","content":"x"}"#, "Created \"a\" (4198 bytes).", "a → created · 4.1 KB"),
        ("write_file", r#"{"path":"a","content":"x"}"#, "Overwrote \"a\" (4198 bytes).", "a → overwrote · 4.1 KB"),
        ("Write", r#"{"file_path":"a","content":"four"}"#, "File created successfully at: a", "a → created · 4 B"),
        ("Write", r#"{"file_path":"a","content":"four"}"#, "The file a has been updated.", "a → overwrote · 4 B"),
        ("write", r#"{"path":"a","content":"four"}"#, "Successfully wrote 12 bytes to a", "a → wrote · 12 B"),
        ("create_file", r#"{"path":"a","content":"four"}"#, "ok", "a → ok"),
        (
            "str_replace_editor",
            r#"{"command":"create","path":"a","file_text":"x"}"#,
            "File created",
            "a → created · 1 B",
        ),
    ]);
    let write = call("Write", r#"{"file_path":"a","content":"four"}"#, "done");
    assert_eq!(words(&structured(write, r#"{"type":"update","filePath":"a"}"#)), "a → overwrote · 4 B");
}

#[test]
fn search_and_find() {
    check(&[
        (
            "Grep",
            r#"{"pattern":"fn \\w+","path":"src","glob":"*.rs"}"#,
            "Found 3 files\na\nb\nc",
            r"`fn \w+` in src, *.rs → 3 files",
        ),
        ("grep", r#"{"pattern":"x"}"#, "a:1:x\n--\nb:2:x\n", "`x` → 2 matches"),
        ("search", r#"{"query":"x"}"#, "No matches found", "`x` → no matches"),
        ("rg", r#"{"pattern":"x"}"#, "", "`x` → no matches"),
        (
            "search_file_content",
            r#"{"pattern":"x"}"#,
            "Found 12 matches for pattern \"x\"\n---\nFile: a",
            "`x` → 12 matches",
        ),
        ("codebase_search", r#"{"query":"where is it"}"#, "a:1", "`where is it` → 1 match"),
        ("Glob", r#"{"pattern":"**/*.rs"}"#, "a.rs\nb.rs\n", "**/*.rs → 2 files"),
        ("glob", r#"{"pattern":"*.x","path":"src"}"#, "No files found", "*.x in src → none found"),
        ("list_dir", r#"{"path":"src"}"#, "total 8\na\nb\n", "src → 2 files"),
        ("LS", r#"{"path":"src"}"#, "", "src → none found"),
        ("find", r#"{"pattern":"*.md"}"#, "a.md\n(one result is not shown)", "*.md → 1 file"),
    ]);
    let grep = call("Grep", r#"{"pattern":"x"}"#, "any\nthing");
    assert_eq!(words(&structured(grep.clone(), r#"{"mode":"content","numFiles":0,"numLines":5}"#)), "`x` → 5 matches");
    assert_eq!(words(&structured(grep.clone(), r#"{"mode":"files_with_matches","numFiles":1}"#)), "`x` → 1 file");
    assert_eq!(words(&structured(grep, r#"{"mode":"files_with_matches","numFiles":0}"#)), "`x` → no matches");
    let glob = call("Glob", r#"{"pattern":"x"}"#, "a\n(Results are truncated)");
    assert_eq!(words(&structured(glob, r#"{"filenames":["a"],"numFiles":14}"#)), "x → 14 files");
}

#[test]
fn web() {
    check(&[
        ("web_search", r#"{"query":"rust wasm"}"#, "# a\nb\n", "\"rust wasm\" → 2 lines"),
        ("web_search", r#"{"url":"https://example.invalid"}"#, "x", "https://example.invalid → x"),
        ("web_search_call", r#"{"action":{"type":"search","query":"q"}}"#, "", "\"q\" → no output"),
        ("WebSearch", r#"{"query":"q"}"#, r#"[{"type":"web_search_result"},{}]"#, "\"q\" → 2 results"),
        (
            "WebFetch",
            r#"{"url":"https://example.invalid","prompt":"p"}"#,
            &"x".repeat(3_277),
            "https://example.invalid → 3.2 KB",
        ),
        ("fetch", r#"{"url":"u"}"#, "", "u → no output"),
    ]);
    let search = call("WebSearch", r#"{"query":"q"}"#, "Links: …\nand words");
    let told = r#"{"query":"q","results":[{"tool_use_id":"t","content":[{"title":"a"},{"title":"b"}]},"words"]}"#;
    assert_eq!(words(&structured(search, told)), "\"q\" → 2 results");
    let fetch = |text: &str| failed(call("WebFetch", r#"{"url":"u"}"#, text));
    assert_eq!(words(&fetch("Request failed with status code 404")), "u → failed · 404");
    assert_eq!(words(&fetch("getaddrinfo failed")), "u → failed · getaddrinfo failed");
    assert_eq!(words(&structured(call("WebFetch", r#"{"url":"u"}"#, "x"), r#"{"bytes":2048,"code":200}"#)), "u → 2 KB");
}

#[test]
fn the_small_families() {
    check(&[
        ("lsp", r#"{"operation":"hover","path":"a.rs","line":3}"#, "a\nb", "hover a.rs:3 → 2 lines"),
        ("load_skill", r#"{"name":"review"}"#, "# a\nb", "review → 2 lines"),
        ("Skill", r#"{"skill":"review"}"#, "Launching skill: review", "review → Launching skill: review"),
        ("consult_vision", r#"{"question":"what is it","path":"a.png"}"#, "a cat\nin a tree", "what is it → a cat"),
        ("view_image", r#"{"path":"a.png"}"#, "attached", "a.png → attached"),
        ("youtube_transcript", r#"{"url":"https://example.invalid/v"}"#, "a\nb", "https://example.invalid/v → 2 lines"),
        (
            "summon_agent",
            r#"{"agent":"scout","title":"look around","task":"long words"}"#,
            "\nfound it\nmore",
            "look around [scout] → found it",
        ),
        ("send_agent_message", r#"{"conversationId":"c-1","message":"go on"}"#, "sent", "c-1 → sent"),
        (
            "Task",
            r#"{"description":"explore","prompt":"p","subagent_type":"Explore"}"#,
            "report\nin full",
            "explore [Explore] → report",
        ),
        (
            "spawn_agent",
            r#"{"agent_type":"explorer","message":"do it"}"#,
            r#"{"agent_id":"1"}"#,
            r#"do it [explorer] → {"agent_id":"1"}"#,
        ),
        ("wait_agent", r#"{"targets":["a","b"]}"#, "done", "a, b → done"),
        ("ExitPlanMode", "{\"plan\":\"# The plan\\n1. a\"}", "approved", "The plan → approved"),
    ]);
}

#[test]
fn to_do() {
    let list = r#"{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"}]}"#;
    check(&[
        ("TodoWrite", list, "Todos have been modified successfully.\nGo on.", "b [1/3 done]"),
        ("todo_write", r#"{"todos":[{"content":"a","status":"completed"}]}"#, "ok", "a [1/1 done] → ok"),
        (
            "update_plan",
            r#"{"plan":[{"step":"a","status":"pending"}],"explanation":"e"}"#,
            "Plan updated",
            "a [0/1 done] → Plan updated",
        ),
        ("update_todo_list", r#"{"todos":"[x] a\n[-] b\n[ ] c"}"#, "", "b [1/3 done]"),
        ("task_tracker", r#"{"command":"plan","task_list":[{"title":"t","status":"todo"}]}"#, "", "t [0/1 done]"),
        ("TaskCreate", r#"{"subject":"s","description":"d"}"#, "Task #1 created", "s → Task #1 created"),
        ("TaskUpdate", r#"{"taskId":"1","status":"completed"}"#, "Updated task #1", "1 → completed → Updated task #1"),
    ]);
}

#[test]
fn ask() {
    let asked = r#"{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B"}]}]}"#;
    check(&[
        ("AskUserQuestion", asked, "User has answered your questions: \"Which?\"=\"B\". You can go on.", "Which? → B"),
        ("question", asked, "cancelled by user", "Which? → cancelled by user"),
        (
            "request_user_input",
            r#"{"questions":[{"id":"q1","question":"Which?"}]}"#,
            r#"{"answers":{"q1":{"answers":["x","y"]}}}"#,
            "Which? → x, y",
        ),
        (
            "ask_followup_question",
            r#"{"question":"Go?","follow_up":["yes","no"]}"#,
            "<answer>\nyes\n</answer>",
            "Go? → <answer>",
        ),
        ("ask", r#"{"question":"Go?"}"#, "sure", "Go? → sure"),
    ]);
    let told = structured(call("AskUserQuestion", asked, "words\nwords"), r#"{"answers":{"Which?":"A"}}"#);
    assert_eq!(words(&told), "Which? → A");
}

#[test]
fn anything_else() {
    check(&[
        ("mcp__a__b", r#"{"title":"t"}"#, "a\nb", "t → 2 lines"),
        (
            "mcp__a__b",
            r#"{"k":1}"#,
            r#"{"long":"object that is not short enough to be a summary of itself","n":[1,2]}"#,
            r#"{"k":1} → 7 lines"#,
        ),
    ]);
    assert_eq!(words(&failed(call("mcp__a__b", r#"{"k":1}"#, "boom\nbang"))), r#"{"k":1} → failed · boom"#);
}
