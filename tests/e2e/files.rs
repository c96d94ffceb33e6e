//! Session files that are opened in the page.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::{Page, card_of, session_hash};
use crate::stand_in::{Moment, World};

const OPENED: &str = "[data-testid=opened-sessions] a";

/// A folder for the files of one journey.
struct Folder(PathBuf);

impl Folder {
    fn new(journey: &str) -> Outcome<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("opened").join(journey);
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// Writes a file and gives its whole path.
    fn file(&self, name: &str, lines: &[String]) -> Outcome<String> {
        let path = self.0.join(name);
        std::fs::write(&path, lines.join("\n"))?;
        Ok(path.display().to_string())
    }
}

/// Chooses files with the button that opens them.
async fn choose(page: &Page, paths: &[&str]) -> Outcome {
    Ok(page.find("[data-testid=open-files]").await?.send_keys(&paths.join("\n")).await?)
}

/// Goes to another address of the page without loading it anew.
async fn go(page: &Page, hash: &str) -> Outcome {
    page.browser.ask("location.hash = arguments[0]", hash).await
}

/// Lines of one session as Claude Code writes them.
#[derive(Clone, Copy)]
struct Writer {
    session: &'static str,
    /// The sub-agent whose file it is.
    agent: Option<&'static str>,
}

impl Writer {
    fn line(self, second: u32, kind: &str, more: &str, content: &str) -> String {
        let Self { session, agent } = self;
        let side = agent.map_or_else(
            || r#""isSidechain":false"#.to_owned(),
            |agent| format!(r#""isSidechain":true,"agentId":"{agent}""#),
        );
        format!(
            r#"{{"parentUuid":null,{side},"sessionId":"{session}","version":"2.1.30","type":"{kind}","uuid":"{session}{second}","timestamp":"2026-01-02T00:00:{second:02}.000Z"{more},"message":{{"id":"m{second}","role":"{kind}","model":"m-1","content":[{content}]}}}}"#
        )
    }

    fn call(self, second: u32, id: &str, name: &str, input: &str) -> String {
        self.line(
            second,
            "assistant",
            "",
            &format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#),
        )
    }

    fn result(self, second: u32, id: &str, text: &str, is_error: bool, more: &str) -> String {
        let block =
            format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{text}","is_error":{is_error}}}"#);
        self.line(second, "user", more, &block)
    }
}

const TABLES: Writer = Writer { session: "tables", agent: None };
const CHAIRS: Writer = Writer { session: "chairs", agent: None };

/// A session with a call that went well, one that failed, and one that has no result.
fn tables() -> Vec<String> {
    vec![
        TABLES.call(1, "laid", "Bash", r#"{"command":"lay the table"}"#),
        TABLES.result(3, "laid", "forks\\nknives", false, ""),
        TABLES.call(4, "spilled", "Bash", r#"{"command":"pour the soup"}"#),
        TABLES.result(5, "spilled", "Exit code 2\\nno bowl", true, ""),
        TABLES.call(6, "cut", "Read", r#"{"file_path":"/menu"}"#),
    ]
}

#[tokio::test]
async fn a_chosen_file_shows_its_session() -> Outcome {
    journey("file", World::example(Moment::now()), Proxy::Healthy, async |page| {
        let file = Folder::new("file")?.file("tables.jsonl", &tables())?;
        page.open("#/").await?;
        choose(page, &[&file]).await?;
        for (id, tool, status, duration) in
            [("laid", "Bash", "ok", "2.00s"), ("spilled", "Bash", "error", "1.00s"), ("cut", "Read", "lost", "")]
        {
            let card = page.card(id, "how it ended", |card| card.status == status).await?;
            assert_eq!((card.tool.as_str(), card.duration.as_str()), (tool, duration), "{card:?}");
        }
        assert!(page.browser.client.current_url().await?.as_str().ends_with(&session_hash("tables")));
        page.open_card("laid").await?;
        page.until_count(&format!("{} [data-part=output] .output-line", card_of("laid")), |count| count == 2).await?;
        assert_eq!(page.output_lines("laid").await?, ["forks", "knives"]);
        assert_eq!(page.alerts().await?, Vec::<String>::new());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn damage_loses_one_record_and_is_told() -> Outcome {
    journey("file-damaged", World::example(Moment::now()), Proxy::Healthy, async |page| {
        let mut lines = tables();
        lines[2].truncate(40);
        let file = Folder::new("damaged")?.file("damaged.jsonl", &lines)?;
        page.open("#/").await?;
        choose(page, &[&file]).await?;
        page.shown("laid").await?;
        page.shown("cut").await?;
        page.until_text("body", |text| {
            ["1 record could not be read", "line 3", "it is no JSON"].iter().all(|part| text.contains(part))
        })
        .await?;
        go(page, "#/").await?;
        page.until_text(OPENED, |text| text.contains("1 record unreadable")).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_file_without_a_session_is_named() -> Outcome {
    journey("file-unknown", World::example(Moment::now()), Proxy::Healthy, async |page| {
        let folder = Folder::new("unknown")?;
        let notes = folder.file("notes.txt", &["Soup on Monday.".to_owned()])?;
        let known = folder.file("tables.jsonl", &tables())?;
        page.open("#/").await?;
        choose(page, &[&notes]).await?;
        let alert = page.alert().await?;
        assert!(alert.contains("notes.txt holds no session"), "{alert:?}");
        assert_eq!(page.count(OPENED).await?, 0);

        choose(page, &[&notes, &known]).await?;
        page.shown("laid").await?;
        go(page, "#/").await?;
        page.until_count(OPENED, |count| count == 1).await?;
        let alert = page.alert().await?;
        assert!(alert.contains("notes.txt") && !alert.contains("tables.jsonl"), "{alert:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn files_that_belong_together_are_one_session() -> Outcome {
    journey("file-joined", World::example(Moment::now()), Proxy::Healthy, async |page| {
        let helper = Writer { agent: Some("a1"), ..TABLES };
        let spawned = r#","toolUseResult":{"status":"completed","agentId":"a1"}"#;
        let main = [
            TABLES.call(
                1,
                "sent",
                "Task",
                r#"{"description":"Count the forks","prompt":"count","subagent_type":"helper"}"#,
            ),
            TABLES.result(9, "sent", "seven", false, spawned),
        ];
        let own = [helper.call(3, "counted", "Bash", "{}"), helper.result(4, "counted", "7", false, "")];
        let folder = Folder::new("joined")?;
        let main = folder.file("tables.jsonl", &main)?;
        let own = folder.file("agent-a1.jsonl", &own)?;
        page.open("#/").await?;
        // The sub-agent's own file first: it finds its session when that is opened.
        choose(page, &[&own]).await?;
        page.shown("counted").await?;
        go(page, "#/").await?;
        choose(page, &[&main]).await?;
        page.shown("sent").await?;
        page.until_text("[data-row=agent]", |text| text.contains("Count the forks") && text.contains("1 call")).await?;
        go(page, "#/").await?;
        page.until_count(OPENED, |count| count == 1).await?;
        page.until_text(OPENED, |text| text.contains("2 calls")).await?;

        // A second time they are the same session.
        choose(page, &[&main, &own]).await?;
        page.until_text(OPENED, |text| text.contains("2 calls")).await?;
        assert_eq!(page.count(OPENED).await?, 1);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn several_sessions_lead_to_the_list_and_can_be_closed() -> Outcome {
    journey("file-several", World::example(Moment::now()), Proxy::Healthy, async |page| {
        let folder = Folder::new("several")?;
        let tables = folder.file("tables.jsonl", &tables())?;
        let chairs = folder.file("chairs.jsonl", &[CHAIRS.call(1, "sat", "Bash", "{}")])?;
        page.open("#/").await?;
        choose(page, &[&tables, &chairs]).await?;
        page.until_count(OPENED, |count| count == 2).await?;
        assert!(!page.browser.client.current_url().await?.as_str().contains("sessions/"));

        page.click(&format!("{OPENED}[href='{}']", session_hash("chairs"))).await?;
        page.shown("sat").await?;
        go(page, "#/").await?;
        page.click("[data-testid=opened-sessions] button[aria-label='Close tables.jsonl']").await?;
        page.until_count(OPENED, |count| count == 1).await?;
        page.until_text(OPENED, |text| text.contains("chairs") && !text.contains("tables")).await?;
        page.click("[data-testid=opened-sessions] button[aria-label='Close chairs.jsonl']").await?;
        page.until_count(OPENED, |count| count == 0).await?;
        Ok(())
    })
    .await
}
