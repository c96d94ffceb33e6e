//! What happened before the reader came: an agent repairs the frost point of a small weather station.

use super::call::Call;
use super::script::{Script, Who};
use super::tools::{agent, bash, edit, glob, grep, multi_edit, object, read, todo, write};
use super::{subagents, texts, weather};
use crate::trace::{Block, Outcome, Refuser};

const PLAN: [(&str, &str); 5] = [
    ("Find out why the frost point is off", "Finding out why the frost point is off"),
    ("Correct the formula below freezing", "Correcting the formula below freezing"),
    ("Keep the hourly smoothing as fast as it was", "Measuring the hourly smoothing"),
    ("Replay January and look at the chart", "Replaying January"),
    ("Write down which formula holds where", "Writing down which formula holds where"),
];

/// Tells the first part; its last call still runs.
pub fn tell(script: &mut Script, main: Who) {
    find_the_cause(script, main);
    correct_it(script, main);
    keep_it_fast(script, main);
    look_at_january(script, main);
    hand_it_over(script, main);
}

fn find_the_cause(script: &mut Script, main: Who) {
    script.prompt(
        main,
        0,
        "`cargo test` is red since this morning: frost_point_below_freezing in tests/dew_point.rs. Find out why and \
         fix it. The hourly smoothing must not get slower.",
    );
    script.turn(
        main,
        "I'll run the failing test and read the code that it covers.",
        vec![
            bash("cargo test --test dew_point --color always", "Run the dew point tests")
                .takes(13_210)
                .fails(texts::RED_TEST),
            read("src/dew.rs", 1, texts::DEW),
        ],
    );
    script.turn(
        main,
        "Three tests pass and one is off by 1.4 °C, so the formula works, but not below freezing. Let me plan this.",
        vec![todo(PLAN, 0)],
    );
    script.turn(
        main,
        "",
        vec![
            grep("dew_point|frost_point", "src", texts::CALLERS),
            read("tests/dew_point.rs", 1, texts::TEST),
            glob(
                "data/**/*.json",
                &["data/2026-01/hofsjokull.json", "data/2026-01/leh.json", "data/2026-01/sapporo.json"],
            ),
        ],
    );
    script.overloaded(main);
    script.turn(
        main,
        "Both names use one pair of coefficients, that for water. I'll have a sub-agent trace how it came to that, and look \
         up the pair for ice meanwhile.",
        vec![
            agent(
                "a7f31c",
                "Explore",
                "Trace the Magnus coefficients",
                "In /home/ines/gale, find out since when src/dew.rs knows no coefficients for ice, why they were taken \
                 out, and which stations' readings that concerns. Read only. Answer with StructuredOutput: cause, \
                 commit, stations.",
            )
            .takes(1_710),
        ],
    );
    let explorer = script.spawn("a7f31c", "Explore");
    subagents::explore(script, explorer);
    script.turn(
        main,
        "",
        vec![
            Call::new("WebSearch", object(&[("query", "Magnus formula coefficients over ice -65 to 0 °C")]))
                .takes(4_830)
                .gives(texts::SEARCH),
        ],
    );
    script.turn(
        main,
        "The second result gives both pairs with their range.",
        vec![
            Call::new(
                "WebFetch",
                object(&[
                    ("url", "https://met.example.org/guide/humidity-formulas"),
                    ("prompt", "Which Magnus coefficients hold over water and over ice, and in which range?"),
                ]),
            )
            .takes(6_140)
            .gives(texts::PAGE)
            .structured(r#"{"bytes":18432,"code":200,"codeText":"OK","durationMs":5890,"url":"https://met.example.org/guide/humidity-formulas"}"#),
        ],
    );
    script.turn_until(
        main,
        explorer,
        "Now what the sub-agent found.",
        Call::new("TaskOutput", r#"{"task_id":"a7f31c","block":true,"timeout":600000}"#).gives(texts::FOUND),
    );
}

fn correct_it(script: &mut Script, main: Who) {
    script.turn(
        main,
        "One thing that the code cannot tell me: what the sensors' relative humidity refers to below freezing.",
        vec![
            Call::new("AskUserQuestion", texts::QUESTION)
                .takes(64_020)
                .gives("The user answered: \"What do your sensors' percent refer to below 0 °C?\" = \"Water\".")
                .structured(texts::ANSWER),
        ],
    );
    script.turn(
        main,
        "Then the vapour pressure stays as it is, and only the way back from it needs the pair for ice.",
        vec![
            edit("src/dew.rs", 3, texts::PAIR_OLD, texts::PAIR_NEW),
            edit("src/dew.rs", 11, texts::POINT_OLD, texts::POINT_NEW),
        ],
    );
    script.turn(
        main,
        "",
        vec![bash("cargo test --workspace --color always", "Run all tests").takes(31_460).gives(texts::all_tests())],
    );
}

fn keep_it_fast(script: &mut Script, main: Who) {
    script.turn(
        main,
        "All green. Now the smoothing, which calls this for every hour.",
        vec![
            todo(PLAN, 2),
            Call::new("Skill", r#"{"skill":"bench-compare","args":"smooth"}"#)
                .gives("Launching skill: bench-compare\nCompares a bench with the last run on main; call a change real from 3 % on."),
        ],
    );
    script.turn(
        main,
        "The bench takes minutes, so it runs in the background.",
        vec![
            bash("cargo bench --bench smooth -- --baseline main --color always", "Compare the smoothing with main")
                .takes(410)
                .in_background("b2k7q", Some(242_000)),
        ],
    );
    script.turn(
        main,
        "The new branch sits in the inner loop. I can take it out there at once.",
        vec![edit("src/smooth.rs", 61, "for hour in hours {", "for day in hours.chunks(24) {").fails(
            "<tool_use_error>String to replace not found in file.\nString: for hour in hours {</tool_use_error>",
        )],
    );
    script.turn(main, "I guessed that line; let me read it.", vec![read("src/smooth.rs", 58, texts::SMOOTH)]);
    script.turn(
        main,
        "It already goes by days. What costs is the vector in each round.",
        vec![multi_edit("src/smooth.rs", &texts::SMOOTH_EDITS)],
    );
    script.turn(
        main,
        "",
        vec![
            bash("cargo build --release --features lto", "Build as it is shipped")
                .takes(47_300)
                .cancelled("   Compiling proc-macro2 v1.0.101\n   Compiling serde v1.0.228\n   Compiling gale-proto v0.7.2 (/home/ines/gale/proto)\n[Request interrupted by user for tool use]"),
        ],
    );
    script.prompt(main, 8_400, "Not on battery please. The bench alone tells enough.");
    script.turn(
        main,
        "Understood, no release build. The bench should be through in a moment.",
        vec![Call::new("BashOutput", object(&[("bash_id", "b2k7q")])).takes(174_000).gives(texts::BENCH)],
    );
}

fn look_at_january(script: &mut Script, main: Who) {
    script.turn(
        main,
        "31 % faster than main: the buffer outweighs the branch. Next, January as the station saw it.",
        vec![
            bash("gale sync --stations 24 --since 2026-01-01", "Fetch this winter's readings")
                .takes(9_870)
                .gives(weather::progress(24)),
            bash("gale strips --days 2 --first 8", "Show two days as strips of colour").gives(weather::strips(0..8)),
        ],
    );
    script.turn(
        main,
        "",
        vec![
            bash("gale replay --station hofsjokull --days 50", "Replay the coldest glacier station")
                .takes(2_260)
                .gives(weather::replay(0, 50)),
        ],
    );
    script.turn(
        main,
        "The numbers look right; a chart shows it better.",
        vec![
            bash(
                "gale plot --station hofsjokull --days 8 --with-old -o target/frost.png",
                "Draw old and new frost point",
            )
            .takes(1_120)
            .gives("wrote target/frost.png (320 × 160)"),
        ],
    );
    script.turn(
        main,
        "",
        vec![Call::new("Read", object(&[("file_path", "/home/ines/gale/target/frost.png")])).gives_blocks(vec![
            Block::Image { media_type: "image/png".into(), data: include_str!("chart.b64").into() },
        ])],
    );
    script.turn(
        main,
        "Blue, the new frost point, lies above red, the old one, and never above the grey air temperature, as it must. \
         I'll write that down.",
        vec![write("docs/frost-point.md", texts::NOTE), bash("cargo fmt --all", "Format the code").takes(880)],
    );
}

fn hand_it_over(script: &mut Script, main: Who) {
    script.turn(
        main,
        "",
        vec![bash("rm -rf ~/.cache/gale target/frost.png", "Remove what the replay left").takes(90).refused(
            Refuser::Policy,
            "PreToolUse:Bash hook refused: `rm -rf` outside of the repository (rule: stay-inside).",
        )],
    );
    script.turn(
        main,
        "Then the cache stays. I'll push the branch.",
        vec![
            bash("git push -u origin frost-point", "Push the branch").takes(21_400).refused(
                Refuser::User,
                "The user doesn't want to proceed with this tool use. The user said: draft the pull request first, I read it before anything leaves.",
            ),
        ],
    );
    script.turn(
        main,
        "",
        vec![
            agent(
                "c20b9e",
                "general-purpose",
                "Draft the pull request",
                "Draft a pull request for the branch frost-point: what was wrong, since which commit, what changes for \
                 whom. Ask before you open it.",
            )
            .takes(1_240),
        ],
    );
    let writer = script.spawn("c20b9e", "general-purpose");
    subagents::draft(script, writer);
    script.turn(
        main,
        "Meanwhile I check what we depend on.",
        vec![bash("cargo audit", "Look for known holes in dependencies").takes(700_000).never_returns(Outcome::Lost)],
    );
    script.prompt(
        main,
        0,
        "My laptop fell asleep there. Leave the audit to CI and start the station page, I want to see it.",
    );
    script.turn(
        main,
        "",
        vec![bash("cargo run -- serve --port 7878", "Serve the station page").takes(520).in_background("b9d1x", None)],
    );
    script.turn(main, texts::SO_FAR, Vec::new());
    script.prompt(
        main,
        38_000,
        "Good. Each station has a frost_offset in config/stations that somebody tuned against the old formula. Go through \
         all 24 and take out what is no longer needed; the replay is the reference.",
    );
    script.turn(
        main,
        "One station at a time, so that each gets a commit of its own. First the newest readings.",
        vec![
            bash("gale sync --stations 24 --since yesterday", "Fetch the newest readings")
                .takes(7_900)
                .gives(weather::progress(24)),
        ],
    );
}
