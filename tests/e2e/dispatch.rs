//! A conversation of a Dispatch host: its log, its live events, and a host that goes and comes back.

use serde_json::json;

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::{Page, card_of};
use crate::stand_in::World;
use crate::stand_in::dispatch::{Dispatch, asks, chunk, gives, history_of_two, puts_out, text};

async fn open(page: &Page, host: &Dispatch) -> Outcome {
    page.open(&format!("#/dispatch/{}/lamp", host.address())).await?;
    listens(page, host).await
}

async fn listens(page: &Page, host: &Dispatch) -> Outcome {
    page.until_connection(&["live"]).await?;
    page.browser.eventually("the page listens", async || Ok((host.listeners() > 0).then_some(()))).await
}

#[tokio::test]
async fn the_log_is_shown_and_live_calls_keep_their_card() -> Outcome {
    journey("dispatch", World::default(), Proxy::Healthy, async |page| {
        let host = Dispatch::start(0)?;
        host.log("lamp", history_of_two());
        open(page, &host).await?;
        let read = page.card("call_1", "the log is shown", |card| card.status == "ok").await?;
        assert_eq!(read.tool, "read_file");
        assert!(read.summary.contains("lamp/wiring.txt"), "{read:?}");
        page.card("call_2", "a failure is one", |card| card.status == "error").await?;

        let input = json!({ "command": "tighten --all" });
        host.say("lamp", "t2", json!({ "type": "turn-start" }));
        host.say("lamp", "t2", asks("call_3", "run_shell", &input));
        host.say("other", "t9", asks("call_9", "run_shell", &input));
        page.card("call_3", "it runs", |card| card.status == "running").await?;
        host.say("lamp", "t2", puts_out("call_3", "screw 1 of 2\n"));
        page.open_card("call_3").await?;
        let output = format!("{} [data-part=output]", card_of("call_3"));
        page.until_text(&output, |text| text.contains("screw 1 of 2")).await?;
        // The same node must still be there in the end.
        page.browser
            .ask::<()>("document.querySelector(arguments[0]).dataset.seen = 'before'", card_of("call_3"))
            .await?;

        let result = gives("call_3", "run_shell", "screw 1 of 2\nscrew 2 of 2\n", false);
        host.say("lamp", "t2", result.clone());
        let ended = page.card("call_3", "it ended", |card| card.status == "ok").await?;
        assert!(!ended.duration.contains('⋯'), "{ended:?}");
        let asked = host.asked().len();
        let call = chunk("assistant", &asks("call_3", "run_shell", &input));
        host.log("lamp", [text("user", "Tighten it."), call, chunk("tool", &result)]);
        host.say("lamp", "t2", json!({ "type": "done", "reason": "stop" }));
        host.say("lamp", "t2", json!({ "type": "turn-sealed" }));
        let sealed = async || Ok(host.asked()[asked..].iter().any(|asked| asked == "lamp?sinceSeq=6").then_some(()));
        page.browser.eventually("the sealed turn is read from the log", sealed).await?;
        page.until_text("[data-testid=ledger]", |text| text.contains("Tighten it.")).await?;
        page.until_text(&output, |text| text.contains("screw 2 of 2")).await?;
        assert_eq!(page.count("[data-seen=before]").await?, 1, "the card was drawn anew");
        let cards = page.cards().await?;
        let ids: Vec<_> = cards.iter().map(|card| card.id.as_str()).collect();
        assert_eq!(ids, ["call_1", "call_2", "call_3"]);
        assert!(cards[2].expanded && cards[2].status == "ok", "{cards:?}");
        assert_eq!(page.alerts().await?, Vec::<String>::new());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_socket_that_is_lost_is_found_again() -> Outcome {
    journey("dispatch-lost", World::default(), Proxy::Failing, async |page| {
        let mut host = Dispatch::start(0)?;
        host.log("lamp", history_of_two());
        open(page, &host).await?;
        host.stop();
        page.until_connection(&["reconnecting", "offline"]).await?;
        page.browser
            .eventually("the page says what to do", async || {
                Ok(page.alerts().await?.into_iter().find(|alert| alert.contains("Start")))
            })
            .await?;
        page.shown("call_2").await?;

        // What was said meanwhile stands in the log.
        let call = chunk("assistant", &asks("call_3", "run_shell", &json!({ "command": "true" })));
        host.log("lamp", [call, chunk("tool", &gives("call_3", "run_shell", "done\n", false))]);
        host.start_again()?;
        listens(page, &host).await?;
        page.card("call_3", "what was missed", |card| card.status == "ok").await?;
        host.say("lamp", "t3", asks("call_4", "run_shell", &json!({ "command": "false" })));
        page.card("call_4", "live again", |card| card.status == "running").await?;

        host.hang_up();
        page.until_connection(&["reconnecting"]).await?;
        listens(page, &host).await?;
        page.browser.eventually("no alert is left", async || Ok(page.alerts().await?.is_empty().then_some(()))).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_address_that_leads_nowhere_says_what_to_do() -> Outcome {
    journey("dispatch-nowhere", World::default(), Proxy::Failing, async |page| {
        page.open("#/dispatch/elsewhere.example:24203/lamp").await?;
        assert!(page.alert().await?.contains("127.0.0.1:24203"));
        let host = Dispatch::start(0)?;
        page.open(&format!("#/dispatch/{}/lamp", host.address())).await?;
        page.browser
            .eventually("no such conversation", async || {
                Ok(page.alerts().await?.into_iter().find(|alert| alert.contains("no conversation of this id")))
            })
            .await?;
        Ok(())
    })
    .await
}
