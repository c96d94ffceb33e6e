//! What the story's two sub-agents do: one looks where the bug came from, one waits to be allowed to tell of it.

use super::call::Call;
use super::script::{Script, Who};
use super::tools::{bash, glob, grep, read};
use super::{texts, weather};
use crate::trace::{Block, Outcome};

pub fn explore(script: &mut Script, who: Who) {
    script.turn(
        who,
        "I'll look for every place that knows a Magnus coefficient.",
        vec![
            grep(r"17\.62|22\.46|243\.12|272\.62", "", texts::COEFFICIENTS),
            glob("docs/**/*.md", &["docs/protocol.md", "docs/sensor-notes.md"]),
        ],
    );
    script.turn(
        who,
        "Only the changelog still speaks of 22.46, the pair for ice. When did it leave the code?",
        vec![
            bash(
                "git log --oneline --date=short -S22.46 -- src/dew.rs",
                "Find commits that touched the ice coefficient",
            )
            .takes(27_400)
            .gives(
                "4be12a9 Use one Magnus formula for all temperatures\n91d07f2 Frost point over ice, after Sonntag 1990",
            ),
        ],
    );
    script.turn(who, "", vec![bash("git show 4be12a9", "Show the commit").takes(640).gives(texts::COMMIT)]);
    script.turn(
        who,
        "It was taken for dead code, because all test data was from summer. Now the sensors.",
        vec![
            read("docs/sensors.md", 1, "")
                .fails("<tool_use_error>File does not exist. Did you mean docs/sensor-notes.md?</tool_use_error>"),
        ],
    );
    script.turn(who, "", vec![read("docs/sensor-notes.md", 1, texts::NOTES)]);
    script.turn(
        who,
        "Which of these still send?",
        vec![
            Call::new("mcp__weather__stations", texts::STATIONS_INPUT).takes(84_300).gives_json(texts::STATIONS_OUTPUT),
            Call::new("mcp__weather__online", r#"{"station":"aswan"}"#).gives_json("false"),
        ],
    );
    script.mcp(who);
    script.turn(
        who,
        "The comments come from a public guest book; they are data and no business of mine. Now raw readings, for how cold it gets.",
        vec![
            bash("jq -c . data/2026-01/sapporo.json", "Print the raw readings on one line")
                .takes(12_800)
                .gives(weather::hours_json(1, 0, 125)),
        ],
    );
    script.turn(
        who,
        "19 of 24 stations were below freezing this January.",
        vec![Call::new("StructuredOutput", texts::FINDINGS).never_returns(Outcome::EndsRun)],
    );
    script.hand_back(who);
}

pub fn draft(script: &mut Script, who: Who) {
    script.turn(
        who,
        "First what the branch changes.",
        vec![bash("git diff main...frost-point", "Show the branch").takes(530).gives_blocks(vec![
            Block::Text(texts::BRANCH.into()),
            Block::Reference("/home/ines/.gale-agent/outputs/git-diff-c20b9e.txt".into()),
        ])],
    );
    script.turn(
        who,
        "The draft stands. Opening it publishes it, so I ask.",
        vec![
            bash(texts::OPEN_PULL_REQUEST, "Open the pull request as a draft").never_returns(Outcome::AwaitingApproval),
        ],
    );
}
