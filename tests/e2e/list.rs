//! The list of sessions.

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::{Page, session_hash};
use crate::stand_in::{CHAT, EMPTY, EXAMPLE, Fault, LARGE, Moment, Route, World, reply};

/// All that the row of a session says, for eyes and for screen readers.
async fn row(page: &Page, id: &str) -> Outcome<String> {
    let script = "
        const links = [...document.querySelectorAll('[data-testid=sessions] a')];
        const link = links.find(link => decodeURIComponent(link.hash) === '#/sessions/' + arguments[0]);
        const row = link?.closest('li, tr, [role=listitem], [role=row]') ?? link;
        return row ? [row, ...row.querySelectorAll('[aria-label]')].map(part => part.textContent + ' ' + (part.ariaLabel ?? '')).join(' ') : null;";
    page.browser.eventually(&format!("{id} is listed"), async || page.browser.ask(script, id).await).await
}

#[tokio::test]
async fn a_row_tells_what_is_known_of_a_session() -> Outcome {
    journey("list", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000)));
        page.open("").await?;
        let example = row(page, EXAMPLE).await?;
        for part in ["add a spanning cell to the table", "claude-code/2.1.30", "ago", "$", "live"] {
            assert!(example.to_lowercase().contains(part), "{part:?} is not in {example:?}");
        }
        let held = page.stand_in.world(|world| world.session(EXAMPLE).map_or(0, |session| session.seqs().len()));
        assert!(example.contains(&held.to_string()), "{held} events are not in {example:?}");

        let chat = row(page, CHAT).await?;
        assert!(chat.contains("sum up the week") && chat.contains('—') && !chat.contains('$'), "not priced: {chat:?}");
        assert!(!chat.to_lowercase().contains("live"), "two hours old: {chat:?}");
        assert!(row(page, EMPTY).await?.contains(EMPTY), "without a title the id stands");
        row(page, LARGE).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_click_leads_to_the_session_and_back_again() -> Outcome {
    journey("list-click", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open("#/").await?;
        row(page, EXAMPLE).await?;
        page.click(&format!("[data-testid=sessions] a[href='{}']", session_hash(EXAMPLE))).await?;
        page.shown("toolu_01A").await?;
        assert!(page.browser.client.current_url().await?.as_str().ends_with(&session_hash(EXAMPLE)));
        page.browser.client.back().await?;
        row(page, EXAMPLE).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_list_is_read_again_while_it_is_shown() -> Outcome {
    journey("list-live", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open("#/").await?;
        let before = row(page, CHAT).await?;
        assert!(!before.to_lowercase().contains("live"));
        page.stand_in.play(CHAT, |story| story.exchange("main", reply(1_000).costs(0.5)));
        let changed = async || Ok(Some(row(page, CHAT).await?).filter(|row| row.contains("$0.50")));
        page.browser.eventually("the new cost stands in the list", changed).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn an_empty_list_says_so() -> Outcome {
    journey("list-empty", World::default(), Proxy::Healthy, async |page| {
        page.open("#/").await?;
        page.until_text("body", |text| text.to_lowercase().contains("no sessions")).await?;
        assert!(page.alerts().await?.is_empty(), "nothing has failed");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_missing_proxy_and_one_without_the_api_say_what_to_do() -> Outcome {
    journey("list-failing", World::example(Moment::now()), Proxy::Failing, async |page| {
        page.stand_in.misbehave(&Route::ALL, Fault::Unreachable);
        page.open("#/").await?;
        let nobody = page.alert().await?;
        assert!(nobody.contains("CALLSHEET_PROXY"), "it does not say how to point it at one: {nobody:?}");

        page.stand_in.misbehave(&Route::ALL, Fault::NotFound);
        let other = async || Ok(page.alerts().await?.into_iter().find(|alert| *alert != nobody));
        page.browser.eventually("a proxy without the API is another trouble", other).await?;

        page.stand_in.behave();
        row(page, EXAMPLE).await?;
        page.browser.eventually("the alert goes", async || Ok(page.alerts().await?.is_empty().then_some(()))).await?;
        Ok(())
    })
    .await
}
