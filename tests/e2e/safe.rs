//! What must hold on every page: text is text, it fits, and it stands without a proxy.

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::card_of;
use crate::stand_in::{EXAMPLE, Fault, HOSTILE_IMAGE, Moment, Route, World};

#[tokio::test]
async fn text_of_a_session_is_text() -> Outcome {
    // A dialog would fail the journey by itself: the driver refuses all commands while one is open.
    journey("hostile", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        let card = page.shown("toolu_02F").await?;
        assert!(card.summary.contains("web/<img src=x onerror=alert(0)>.html"), "{card:?}");
        page.open_card("toolu_02F").await?;
        let output = format!("{} [data-part=output]", card_of("toolu_02F"));
        let text = page.until_text(&output, |text| text.contains("<script>alert(2)</script>")).await?;
        assert!(text.contains("<img src=x onerror=alert(1)>"), "{text:?}");
        let hidden = ['\u{202e}', '\u{2066}', '\u{2069}', '\u{200b}', '\u{feff}'];
        assert!(!text.contains(hidden), "controls are shown as escapes: {text:?}");
        for made in ["#escaped", "[data-testid=ledger] img", "[data-testid=ledger] script"] {
            assert_eq!(page.count(made).await?, 0, "{made}");
        }
        assert_eq!((page.stand_in.count(HOSTILE_IMAGE), page.stand_in.count("/x")), (0, 0), "an image was asked for");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_demo_session_needs_no_proxy() -> Outcome {
    journey("demo", World::default(), Proxy::Failing, async |page| {
        page.stand_in.misbehave(&Route::ALL, Fault::Unreachable);
        page.open("#/sessions/demo").await?;
        let before = page.until_count("article[data-row=call]", |count| count > 10).await?;
        page.until_connection(&["demo"]).await?;
        page.until_count("article[data-row=call]", |count| count > before).await?;
        assert_eq!(page.alerts().await?, Vec::<String>::new());
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_narrow_window_never_scrolls_sideways() -> Outcome {
    journey("narrow", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.browser.set_width(360).await?;
        let overflow =
            "return Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)";
        page.open("#/").await?;
        page.find("[data-testid=sessions] a").await?;
        assert_eq!(page.browser.ask::<i64>(overflow, ()).await?, 0, "the list");
        page.open_session(EXAMPLE).await?;
        for id in ["toolu_02A", "toolu_02F", "toolu_02I"] {
            page.open_card(id).await?;
            page.until_count(&format!("{} [data-part=output] .output-line", card_of(id)), |count| count > 0).await?;
            assert_eq!(page.browser.ask::<i64>(overflow, ()).await?, 0, "with {id} open");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_link_opens_its_call() -> Outcome {
    journey("link", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open(&format!("#/sessions/{EXAMPLE}/calls/toolu_02C")).await?;
        page.card("toolu_02C", "the call is open", |card| card.expanded).await?;
        let in_view = async || {
            let top = page.top_of(&card_of("toolu_02C")).await?;
            Ok((0.0..900.0).contains(&top).then_some(()))
        };
        page.browser.eventually("the call is in view", in_view).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_page_that_fails_says_so_and_offers_a_way_on() -> Outcome {
    journey("crash", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open_session(EXAMPLE).await?;
        page.shown("toolu_02A").await?;
        assert_eq!(page.alerts().await?, Vec::<String>::new());
        // A browser that cannot make elements any more is a fault that nobody can foresee.
        let break_it = "document.createElement = () => { throw new Error('broken by the test') }; return true";
        assert!(page.browser.ask::<bool>(break_it, ()).await?);
        page.toggle("toolu_02A").await?;
        page.until_text("#crash", |text| text.contains("Reload to go on") && text.contains("broken by the test"))
            .await?;
        assert!(page.assert_quiet_log(Proxy::Healthy).await.is_err(), "the fault is logged too");
        page.click("#crash button").await?;
        page.shown("toolu_02A").await?;
        assert_eq!(page.count("#crash:not([hidden])").await?, 0);
        Ok(())
    })
    .await
}
