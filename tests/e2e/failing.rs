//! A proxy that fails: what was shown stays, and the page says what is wrong.

use std::time::Duration;

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::stand_in::{EXAMPLE, Fault, Moment, Route, World, bash, reply};

#[tokio::test]
async fn a_proxy_without_a_timeline_is_no_error() -> Outcome {
    journey("no-timeline", World::example(Moment::now()), Proxy::Failing, async |page| {
        page.stand_in.misbehave(&[Route::Timeline], Fault::NotFound);
        page.open_session(EXAMPLE).await?;
        page.until_count("[data-row=exchange]", |count| count > 3).await?;
        page.until_connection(&["live"]).await?;
        assert_eq!(page.alerts().await?, Vec::<String>::new());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn rows_stay_while_the_proxy_is_away() -> Outcome {
    journey("away", World::example(Moment::now()), Proxy::Failing, async |page| {
        page.open_session(EXAMPLE).await?;
        page.until_connection(&["live"]).await?;
        page.open_card("toolu_02C").await?;
        let before = page.cards().await?.len();

        page.stand_in.stop();
        page.until_connection(&["reconnecting", "offline"]).await?;
        assert_eq!(page.cards().await?.len(), before);
        assert!(page.shown("toolu_02C").await?.expanded);

        page.stand_in.start_again()?;
        page.until_connection(&["live"]).await?;
        page.stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000).calls(bash("toolu_back", "date"))));
        page.shown("toolu_back").await?;
        assert!(page.shown("toolu_02C").await?.expanded);
        page.browser.eventually("no alert is left", async || Ok(page.alerts().await?.is_empty().then_some(()))).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_pass_through_that_finds_no_proxy_takes_nothing_away() -> Outcome {
    journey("unreachable", World::example(Moment::now()), Proxy::Failing, async |page| {
        page.open_session(EXAMPLE).await?;
        page.until_connection(&["live"]).await?;
        page.shown("toolu_01F").await?;
        let before = page.cards().await?.len();
        page.stand_in.misbehave(&Route::ALL, Fault::Unreachable);
        page.stand_in.hang_up();
        page.until_connection(&["reconnecting", "offline"]).await?;
        assert_eq!(page.cards().await?.len(), before);
        page.stand_in.behave();
        page.until_connection(&["live"]).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_dropped_stream_is_opened_again() -> Outcome {
    journey("hang-up", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        let listening = async || Ok((page.stand_in.listeners() > 0).then_some(()));
        page.browser.eventually("the page listens", listening).await?;
        page.stand_in.hang_up();
        let silent = async || Ok((page.stand_in.count("/v1/events") > 1).then_some(()));
        page.browser.eventually("it asks for the stream again", silent).await?;
        page.browser.eventually("the page listens again", listening).await?;
        page.stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000).calls(bash("toolu_after", "date"))));
        page.shown("toolu_after").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn odd_answers_are_tried_again() -> Outcome {
    journey("odd", World::example(Moment::now()), Proxy::Failing, async |page| {
        for (routes, fault) in [
            (vec![Route::Session], Fault::CutJson),
            (vec![Route::Session, Route::Timeline], Fault::ServerError),
            (vec![Route::Timeline], Fault::CutJson),
        ] {
            page.stand_in.misbehave(&routes, fault);
            page.open("").await?;
            page.open_session(EXAMPLE).await?;
            let said = async || {
                let state: String = page
                    .browser
                    .ask("return document.querySelector('[data-testid=connection]')?.dataset.state ?? ''", ())
                    .await?;
                Ok((!page.alerts().await?.is_empty() || state == "reconnecting" || state == "offline").then_some(()))
            };
            page.browser.eventually(&format!("the page says that {fault:?} is wrong"), said).await?;
            page.stand_in.behave();
            page.shown("toolu_01A").await?;
            page.until_connection(&["live"]).await?;
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn null_lists_year_one_and_late_answers_change_nothing() -> Outcome {
    journey("go", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.stand_in.misbehave(&Route::ALL, Fault::NullArrays);
        page.stand_in.misbehave(&[Route::Timeline], Fault::YearOne);
        page.stand_in.misbehave(&[Route::Session], Fault::Slow(Duration::from_millis(300)));
        page.open_session(EXAMPLE).await?;
        page.card("toolu_01F", "a year-1 end is none", |card| card.status == "running").await?;
        assert_eq!(page.shown("toolu_03C").await?.status, "lost");
        Ok(())
    })
    .await
}
