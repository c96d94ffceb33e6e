//! The sessions that the stand-in holds when it is told nothing else.

use std::time::Duration;

use serde_json::json;

use super::call::{Call, agent, bash, edit, glob, grep, handback, read, structured_output, write};
use super::outputs::{coloured, hostile_text, lines, source_file, test_log};
use super::{Moment, Session, Story, World, generated_session, reply};

/// The specification's example (§6), told on.
pub const EXAMPLE: &str = "3f0c2a52-7d0e-4a57-9a1b-5f2f0f7f9d10";
/// Enough events for several pages.
pub const LARGE: &str = "b7d1f0aa-1111-4222-8333-944455556666";
/// No events at all.
pub const EMPTY: &str = "pending:codex@4211.1759755000";
/// Results only as messages of role `tool`.
pub const CHAT: &str = "chat@workbench.example:7";

/// From the example's first request to the start of its last call.
const EXAMPLE_SPAN: Duration = Duration::from_millis(404_880);

impl World {
    /// Five sessions; what runs in the first began 38 seconds before `now`.
    pub fn example(now: Moment) -> Self {
        let long_ago = now - Duration::from_hours(2);
        let mut empty = Session::new(EMPTY, long_ago);
        empty.client = None;
        let archived = Session::new("on-disk-alone", now - Duration::from_hours(50)).titled("kept on disk alone");
        Self::of([empty, chat_session(long_ago), generated_session(LARGE, long_ago, 2_000), example_session(now)])
            .with_archived(archived)
    }
}

/// The example, its running call begun 38 seconds before `now`.
pub fn example_session(now: Moment) -> Session {
    let first = now.whole_second() - Duration::from_secs(38) - EXAMPLE_SPAN;
    let mut session = Session::new(EXAMPLE, first).titled("add a spanning cell to the table");
    // The session is older than what is held of it.
    session.created = first - Duration::from_secs(173);
    session.next_seq = 23;
    session.next_request = 12;
    Story::tell(&mut session, |story| {
        story.begin_at("main", first);
        main_agent(story);
    });
    session
}

fn main_agent(story: &mut Story) {
    story.person_says("main", "Add a cell to the table that spans several columns.");
    story.exchange(
        "main",
        reply(4_210)
            .says("Let me look at both.\n\nThe working tree first, then the columns as they are now.")
            .tokens(70_600, 312)
            .costs(0.2546)
            .calls(
                bash("toolu_01A", "git -C /tmp/wt status")
                    .gives("On branch main\nnothing to commit, working tree clean\n"),
            )
            .calls(read("toolu_01B", "tui/events_columns.go").gives(source_file(214))),
    );
    story.wait("main", 13_210);
    story.exchange(
        "main",
        reply(3_020).tokens(71_900, 188).costs(0.0911).calls(
            agent("toolu_01C", "Explore", "explore the table code", "Find every place that draws a table cell.")
                .gives("Agent started in the background.\n"),
        ),
    );
    explore_agent(story);
    story.wait("main", 1_710);
    story.exchange(
        "main",
        reply(2_750).tokens(72_400, 96).costs(0.041).calls(
            bash("toolu_01D", "go test ./... > /tmp/t.log")
                .with("run_in_background", true)
                .gives("Command running in background with ID: b1\n"),
        ),
    );
    story.job("toolu_01D", Some(242_000));
    story.wait("main", 300);
    story.exchange(
        "main",
        reply(2_680).says("Now the table itself.").tokens(72_700, 240).costs(0.05).calls(
            edit("toolu_01E", "tui/table.go", "return cells", "return span(cells, 2)")
                .fails("String to replace not found in file.\nString: return cells\n"),
        ),
    );
    story.wait("main", 90);
    outputs_of_every_length(story);
    odd_ends(story);
    story.wait_until_age("main", 404_880 - 2_910);
    story.exchange("main", reply(2_910).tokens(91_200, 75).costs(0.0602).calls(bash("toolu_01F", "go vet ./...")));
}

fn outputs_of_every_length(story: &mut Story) {
    story.exchange(
        "main",
        reply(3_100)
            .says("The edit did not match; I read more before I try again.")
            .tokens(74_000, 410)
            .costs(0.06)
            .calls(bash("toolu_02A", "go test -v ./tui").gives(test_log(128))),
    );
    story.wait("main", 12_340);
    story.exchange(
        "main",
        reply(2_200)
            .tokens(76_000, 260)
            .costs(0.0588)
            .calls(bash("toolu_02B", "seq -f 'line %g' 12").gives(lines(12)))
            .calls(bash("toolu_02C", "seq -f 'line %g' 13").gives(lines(13)))
            .calls(bash("toolu_02D", "mkdir -p /tmp/out").gives("")),
    );
    story.wait("main", 1_204);
    story.exchange(
        "main",
        reply(1_900)
            .tokens(77_000, 150)
            .costs(0.0412)
            .calls(bash("toolu_02E", "cargo test --color always").fails(format!("Exit code 1\n{}", coloured())))
            .calls(read("toolu_02F", "web/<img src=x onerror=alert(0)>.html").gives(hostile_text())),
    );
    story.wait("main", 96);
    story.exchange(
        "main",
        reply(4_000)
            .tokens(79_500, 900)
            .costs(0.0931)
            .calls(edit("toolu_02G", "tui/table.go", "\treturn row.cells\n", "\treturn span(row.cells, 2)\n").gives(
                "The file tui/table.go has been updated. Here is a part of it:\n    41\t\treturn span(row.cells, 2)\n",
            ))
            .calls(
                write("toolu_02H", "tui/span.go", &"// span joins neighbours.\nfunc span() {}\n".repeat(40))
                    .gives("File created successfully at: tui/span.go"),
            )
            .calls(bash("toolu_02I", "head -c 67000 /dev/zero | tr '\\0' x").gives("x".repeat(67_000))),
    );
    story.wait("main", 999);
}

fn odd_ends(story: &mut Story) {
    let query = json!({"query": "table cell span", "limit": 5});
    story.tunnel("main", "telemetry.example:443", (2_048, 51_200), 61_000);
    story.mcp("main", "search_issues", &query, "3 issues found", 640);
    story.exchange(
        "main",
        reply(2_600)
            .tokens(80_100, 130)
            .calls(Call::new("mcp__tracker__search_issues", "toolu_03A", "", &query).gives("3 issues found"))
            .calls(
                Call::new("TodoWrite", "toolu_03B", "", &json!({"todos": [
                    {"content": "span cells", "status": "in_progress"}, {"content": "test spans", "status": "pending"}
                ]}))
                .gives("Todos have been modified successfully."),
            ),
    );
    story.wait("main", 700);
    story.exchange("main", reply(1_000).refused_with(529));
    story.wait("main", 2_000);
    story.exchange(
        "main",
        reply(2_400).tokens(80_900, 90).costs(0.0391).calls(bash("toolu_03C", "go generate ./...").lost()),
    );
    story.wait("main", 5_000);
    story.person_says("main", "Stop that. Check the spans instead.");
    story.exchange(
        "main",
        reply(2_500).says("A second pair of eyes.").tokens(82_000, 170).costs(0.0407).calls(
            agent("toolu_03D", "verify", "verify the spans", "Check that each span is drawn once.")
                .gives("Agent started in the background.\n"),
        ),
    );
    verify_agent(story);
    story.wait("main", 1_320);
    story.exchange(
        "main",
        reply(3_300).says("It is being checked; meanwhile I vet the code.").tokens(82_900, 60).costs(0.0388),
    );
}

/// Twelve calls, one of them an error; the run takes 5 min 48 s.
fn explore_agent(story: &mut Story) {
    const RUN_MILLIS: u64 = 348_000;
    let calls = [
        glob("toolu_10A", "tui/**/*.go").gives("tui/table.go\ntui/events_columns.go\ntui/rows.go\n"),
        grep("toolu_10B", "func .*Cell", "tui").gives("tui/table.go:12:func drawCell(c Cell) string {\n"),
        read("toolu_10C", "tui/table.go").gives(source_file(80)),
        read("toolu_10D", "tui/rows.go").gives(source_file(33)),
        read("toolu_10E", "tui/cells.go").fails("File does not exist.\n"),
        bash("toolu_10F", "git log --oneline -5 -- tui").gives("a1b2c3d Draw rows\nd4e5f6a Draw columns\n"),
        grep("toolu_10G", "span", "tui").gives("No matches found\n"),
        bash("toolu_10H", "wc -l tui/*.go").gives(lines(14)),
        read("toolu_10I", "docs/table.md").gives(source_file(120)),
        bash("toolu_10J", "go doc ./tui").gives("package tui // import \"example.org/table/tui\"\n"),
        grep("toolu_10K", "Width", "tui").gives(lines(40)),
    ];
    story.spawn("a1", "Explore", "toolu_01C");
    story.person_says("a1", "Find every place that draws a table cell.");
    for (call, wait) in calls.into_iter().zip([400, 900, 1_500, 2_500, 60, 31_000, 700, 800, 45_000, 62_000, 1_000]) {
        story.exchange("a1", reply(2_500).tokens(21_000, 80).costs(0.0101).calls(call));
        story.wait("a1", wait);
    }
    story.wait_until_age("a1", RUN_MILLIS - 2_500);
    let findings = "Cells are drawn in tui/table.go, lines 12 to 40.";
    story.exchange("a1", reply(2_500).tokens(29_000, 400).costs(0.0202).calls(handback("toolu_10Z", findings)));
    story.returns("a1");
}

/// Two calls; the last is the answer in its fixed form.
fn verify_agent(story: &mut Story) {
    story.spawn("a2", "verify", "toolu_03D");
    story.person_says("a2", "Check that each span is drawn once.");
    story.exchange(
        "a2",
        reply(2_000)
            .tokens(9_000, 60)
            .calls(grep("toolu_20A", "span(", "tui").gives("tui/table.go:41\ntui/span.go:2\n")),
    );
    story.wait("a2", 350);
    let answer = json!({"verdict": "pass", "spans": 1});
    story.exchange("a2", reply(2_400).tokens(9_400, 45).calls(structured_output("toolu_20Z", &answer)));
    story.returns("a2");
}

/// A session over chat-completions.
pub fn chat_session(created: Moment) -> Session {
    let mut session =
        Session::new(CHAT, created).titled("sum up the week").over_chat("gpt-oss-120b", "llm.example:8000");
    Story::tell(&mut session, |story| {
        story.person_says("main", "Sum up the week.");
        story.exchange(
            "main",
            reply(1_800)
                .calls(
                    Call::new("read_file", "call_1", "notes/monday.md", &json!({"path": "notes/monday.md"}))
                        .gives("Monday: laid the table.\n"),
                )
                .calls(
                    Call::new("read_file", "call_2", "notes/friday.md", &json!({"path": "notes/friday.md"}))
                        .gives(lines(20)),
                ),
        );
        story.wait("main", 42);
        story.exchange(
            "main",
            reply(2_100).calls(
                Call::new("shell", "call_3", "wc -w notes/*", &json!({"command": "wc -w notes/*"}))
                    .gives("812 total\n"),
            ),
        );
        story.wait("main", 15);
        story.exchange("main", reply(3_000).says("The week in one line: the table stands."));
    });
    session
}
