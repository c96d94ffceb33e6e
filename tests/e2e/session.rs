//! One session: which cards stand there, and what their headers say.

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::stand_in::{CHAT, EXAMPLE, LARGE, Moment, World};

#[tokio::test]
async fn cards_stand_in_the_order_of_time_and_are_closed() -> Outcome {
    journey("session", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        page.shown("toolu_01F").await?;
        let cards = page.cards().await?;
        let shown: Vec<_> = cards.iter().map(|card| card.id.as_str()).collect();
        let told = page.stand_in.world(|world| world.session(EXAMPLE).map(|session| session.calls_of("main")));
        assert_eq!(shown, told.unwrap_or_default(), "the sub-agents' blocks are closed");
        for card in &cards {
            assert!(!card.expanded, "{} is open", card.id);
            assert_eq!(card.label, format!("Toggle tool call {}", card.tool));
            assert_eq!((card.name.as_str(), card.agent.as_str()), (card.tool.as_str(), "main"));
            let start =
                page.stand_in.world(|world| world.session(EXAMPLE)?.call_start(&card.id)).map(Moment::time_of_day);
            assert_eq!(Some(&card.start), start.as_ref(), "{}", card.id);
        }
        let place = |id: &str| cards.iter().find(|card| card.id == id).map(|card| card.place.as_str());
        assert_eq!((place("toolu_01A"), place("toolu_01B"), place("toolu_01C")), (Some("┣"), Some("┗"), Some("┗")));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn headers_tell_outcome_duration_and_note() -> Outcome {
    journey("headers", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        for (id, status, duration, note) in [
            ("toolu_01A", "ok", "∥13.21s", "git -C /tmp/wt status"),
            ("toolu_01B", "ok", "∥13.21s", "tui/events_columns.go"),
            ("toolu_01C", "ok", "1.71s", "run 5m48s"),
            ("toolu_01D", "ok", "300ms", "bg 4m02s"),
            ("toolu_01E", "error", "90ms", "tui/table.go"),
            ("toolu_02B", "ok", "∥1.20s", ""),
            ("toolu_02E", "error", "∥96ms", ""),
            ("toolu_03C", "lost", "", "go generate ./..."),
        ] {
            let card = page.shown(id).await?;
            assert_eq!((card.status.as_str(), card.duration.as_str()), (status, duration), "{card:?}");
            assert!(card.header.contains(note), "{note:?} is not in {card:?}");
        }
        let running = page.shown("toolu_01F").await?;
        assert_eq!((running.status.as_str(), running.result.as_str()), ("running", ""), "{running:?}");
        assert!(running.duration.starts_with("⋯ "), "{running:?}");
        let ticks = |card: &crate::page::Card| card.duration != running.duration;
        page.card("toolu_01F", "the clock of a running call ticks", ticks).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn one_body_tells_what_all_calls_gave_back() -> Outcome {
    journey("results", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        for (id, result) in [
            ("toolu_01A", "2 lines"),
            ("toolu_01B", "214 lines"),
            ("toolu_02A", "128 lines"),
            ("toolu_02C", "13 lines"),
            ("toolu_02D", "no output"),
            ("toolu_03A", "3 issues found"),
        ] {
            page.card(id, result, |card| card.result == result).await?;
        }
        let failed = page.card("toolu_02E", "how it failed", |card| !card.result.is_empty()).await?;
        assert!(failed.result.contains("exit 1"), "{failed:?}");
        // The main agent's newest request sends all of its results again.
        let newest = page.stand_in.world(|world| Some(world.session(EXAMPLE)?.response_seq("toolu_01F")? - 1));
        assert_eq!(page.stand_in.events_fetched(EXAMPLE), Vec::from_iter(newest));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_sub_agents_calls_stand_in_a_block_of_their_own() -> Outcome {
    journey("sub-agent", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        page.shown("toolu_01C").await?;
        let script = "
            const heads = [...document.querySelectorAll('[data-row=agent]')];
            const head = heads.find(head => head.textContent.includes(arguments[0]));
            const button = head?.matches('button') ? head : head?.querySelector('button');
            if (!button) return null;
            return { text: head.textContent, open: button.getAttribute('aria-expanded'), clicked: void button.click() };";
        let block: serde_json::Value = page.browser.eventually("Explore's block", async || page.browser.ask(script, "Explore").await).await?;
        let text = block["text"].as_str().unwrap_or_default();
        assert!(["Explore", "12 calls", "1 error", "5m48s"].iter().all(|part| text.contains(part)), "{text:?}");
        assert_eq!(block["open"], "false");

        page.shown("toolu_10A").await?;
        let cards = page.cards().await?;
        let explore: Vec<_> = cards.iter().filter(|card| card.agent == "a1").map(|card| card.id.clone()).collect();
        let told = page.stand_in.world(|world| world.session(EXAMPLE).map(|session| session.calls_of("a1")));
        assert_eq!(Some(&explore), told.as_ref());
        let agents: Vec<_> = cards.iter().map(|card| card.agent.as_str()).collect();
        let first = agents.iter().position(|agent| *agent == "a1").unwrap_or_default();
        assert_eq!(cards[first - 1].id, "toolu_01C", "the block stands after the call that spawned it");
        assert!(agents[first..first + 12].iter().all(|agent| *agent == "a1"), "no other agent's cards between");

        let handback = page.shown("toolu_10Z").await?;
        assert_eq!((handback.status.as_str(), handback.duration.as_str()), ("ends-run", ""));
        assert!(handback.header.contains("ends run"), "{handback:?}");
        assert_eq!(page.shown("toolu_10E").await?.status, "error");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_chat_session_and_a_large_one_show_their_calls() -> Outcome {
    journey("others", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(CHAT).await?;
        page.card("call_1", "the result of a chat message", |card| {
            card.result == "Monday: laid the table." || card.result == "1 line"
        })
        .await?;
        page.open_card("call_2").await?;
        assert_eq!(page.output_lines("call_2").await?.len(), 12);
        page.open_session(LARGE).await?;
        page.until_count("article[data-row=call]", |count| count > 20).await?;
        Ok(())
    })
    .await
}
