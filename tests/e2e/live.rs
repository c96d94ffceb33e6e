//! A session that goes on while it is looked at.

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::{card_of, header_of};
use crate::stand_in::{EXAMPLE, Moment, World, bash, reply};

#[tokio::test]
async fn calls_appear_and_end_while_what_is_open_stays() -> Outcome {
    journey("live", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        page.until_connection(&["live"]).await?;
        page.card("toolu_01F", "it runs", |card| card.status == "running").await?;
        page.open_card("toolu_02A").await?;
        page.until_count(&format!("{} [data-part=output] .output-line", card_of("toolu_02A")), |count| count == 12)
            .await?;
        page.browser.eventually("the page listens", async || Ok((page.stand_in.listeners() > 0).then_some(()))).await?;
        // The same nodes must still be there in the end.
        let mark = "document.querySelector(arguments[0]).dataset.seen = 'before'";
        page.browser.ask::<()>(mark, header_of("toolu_02A")).await?;
        let before = page.top_of(&card_of("toolu_02A")).await?;

        page.stand_in.play(EXAMPLE, |story| {
            story.settle("toolu_01F", "vet found nothing\n");
            story.exchange("main", reply(1_000).calls(bash("toolu_new", "make release")));
        });
        let new = page.shown("toolu_new").await?;
        assert_eq!((new.status.as_str(), new.tool.as_str()), ("running", "Bash"));
        let ended = page.card("toolu_01F", "the running call has ended", |card| card.status == "ok").await?;
        assert!(!ended.duration.contains('⋯'), "{ended:?}");
        assert!(page.shown("toolu_02A").await?.expanded, "the open card is open still");
        assert_eq!(page.output_lines("toolu_02A").await?.len(), 12);
        assert_eq!(page.count("[data-seen=before]").await?, 1, "the open card was drawn anew");
        let moved = (page.top_of(&card_of("toolu_02A")).await? - before).abs();
        assert!(moved <= 1.0, "the open card moved by {moved} pixels");

        // Only cards in view ask for what is not known yet.
        let scroll = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })";
        page.browser.ask::<()>(scroll, card_of("toolu_01F")).await?;
        page.card("toolu_01F", "its result is known", |card| {
            card.result == "vet found nothing" || card.result == "1 line"
        })
        .await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_session_that_begins_again_is_another_session() -> Outcome {
    journey("begin-again", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        page.open_card("toolu_01A").await?;
        page.until_text(&format!("{} [data-part=output]", card_of("toolu_01A")), |text| {
            text.contains("nothing to commit")
        })
        .await?;
        page.stand_in.begin_again(EXAMPLE);
        page.stand_in.play(EXAMPLE, |story| {
            story.exchange("main", reply(1_000).calls(bash("toolu_01A", "echo again").gives("another life\n")));
            story.wait("main", 500);
            story.exchange("main", reply(1_000).calls(bash("toolu_next", "true")));
        });
        page.shown("toolu_next").await?;
        page.browser
            .eventually("the former life is gone", async || Ok((page.cards().await?.len() == 2).then_some(())))
            .await?;
        let card = page.card("toolu_01A", "what it gives now", |card| !card.result.is_empty()).await?;
        if !card.expanded {
            page.open_card("toolu_01A").await?;
        }
        page.until_text(&format!("{} [data-part=output]", card_of("toolu_01A")), |text| text.contains("another life"))
            .await?;
        Ok(())
    })
    .await
}
