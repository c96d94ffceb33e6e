//! An open card: its input, its output, what it takes to open it, and what can be copied.

use fantoccini::key::Key;

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::{Page, card_of, header_of};
use crate::stand_in::{EXAMPLE, Moment, World};

/// The toggle between the first and the last lines of an output.
async fn elision(page: &Page, id: &str) -> Outcome<Option<String>> {
    let script = "
        const buttons = [...document.querySelectorAll(arguments[0] + ' [data-part=output] button')];
        return buttons.map(button => button.textContent.trim()).find(text => /more lines?$|fewer lines$/.test(text)) ?? null;";
    page.browser.ask(script, card_of(id)).await
}

async fn click_elision(page: &Page, id: &str) -> Outcome {
    let script = "
        const buttons = [...document.querySelectorAll(arguments[0] + ' [data-part=output] button')];
        buttons.find(button => /more lines?$|fewer lines$/.test(button.textContent.trim())).click();";
    page.browser.ask(script, card_of(id)).await
}

async fn until_elision(page: &Page, id: &str, wanted: &str) -> Outcome {
    let look = async || Ok((elision(page, id).await?.as_deref() == Some(wanted)).then_some(()));
    page.browser.eventually(&format!("the toggle reads {wanted:?}"), look).await
}

/// Waits until the headers know what the calls gave back, and forgets what that took.
async fn settled(page: &Page) -> Outcome {
    page.open_session(EXAMPLE).await?;
    for id in ["toolu_01A", "toolu_02A", "toolu_03A"] {
        page.card(id, "the result is known", |card| !card.result.is_empty()).await?;
    }
    page.stand_in.forget_requests();
    Ok(())
}

#[tokio::test]
async fn opening_a_card_fetches_its_input_once_and_no_more() -> Outcome {
    journey("card", World::example(Moment::now()), Proxy::Healthy, async |page| {
        settled(page).await?;
        page.open_card("toolu_01A").await?;
        page.until_text(&format!("{} [data-part=input]", card_of("toolu_01A")), |text| {
            text.contains("$ git -C /tmp/wt status")
        })
        .await?;
        page.until_text(&format!("{} [data-part=output]", card_of("toolu_01A")), |text| {
            text.contains("nothing to commit")
        })
        .await?;
        assert_eq!(page.stand_in.events_fetched(EXAMPLE), [24], "the output was known already");

        page.open_card("toolu_01B").await?;
        page.until_count(&format!("{} [data-part=output] .output-line", card_of("toolu_01B")), |count| count == 12)
            .await?;
        page.toggle("toolu_01A").await?;
        page.card("toolu_01A", "the card is closed", |card| !card.expanded).await?;
        page.open_card("toolu_01A").await?;
        page.until_text(&format!("{} [data-part=output]", card_of("toolu_01A")), |text| {
            text.contains("nothing to commit")
        })
        .await?;
        assert_eq!(page.stand_in.events_fetched(EXAMPLE), [24], "both calls stand in one event, and it is kept");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_card_opens_and_closes_by_keyboard() -> Outcome {
    journey("keyboard", World::example(Moment::now()), Proxy::Healthy, async |page| {
        settled(page).await?;
        let header = page.find(&header_of("toolu_02C")).await?;
        header.send_keys(&Key::Enter.to_string()).await?;
        page.card("toolu_02C", "Enter opens", |card| card.expanded).await?;
        page.until_count(&format!("{} [data-part=output] .output-line", card_of("toolu_02C")), |count| count == 12)
            .await?;
        let header = page.find(&header_of("toolu_02C")).await?;
        header.send_keys(" ").await?;
        page.card("toolu_02C", "Space closes", |card| !card.expanded).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn long_outputs_are_elided_in_the_middle() -> Outcome {
    journey("elision", World::example(Moment::now()), Proxy::Healthy, async |page| {
        settled(page).await?;
        page.open_card("toolu_02A").await?;
        until_elision(page, "toolu_02A", "⋯ 116 more lines").await?;
        let lines = page.output_lines("toolu_02A").await?;
        assert_eq!(lines.len(), 12);
        assert!(
            lines[0].contains("=== RUN") && lines[11].contains("11.902s"),
            "the first six and the last six: {lines:?}"
        );
        click_elision(page, "toolu_02A").await?;
        until_elision(page, "toolu_02A", "Show fewer lines").await?;
        let middle = async || {
            Ok(page.output_lines("toolu_02A").await?.iter().any(|line| line.contains("column 7 ")).then_some(()))
        };
        page.browser.eventually("the seventh line is there", middle).await?;
        click_elision(page, "toolu_02A").await?;
        until_elision(page, "toolu_02A", "⋯ 116 more lines").await?;
        assert_eq!(page.output_lines("toolu_02A").await?.len(), 12);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn thirteen_lines_hide_one_and_twelve_none() -> Outcome {
    journey("thirteen", World::example(Moment::now()), Proxy::Healthy, async |page| {
        settled(page).await?;
        page.open_card("toolu_02C").await?;
        until_elision(page, "toolu_02C", "⋯ 1 more line").await?;
        assert_eq!(page.output_lines("toolu_02C").await?.len(), 12);
        click_elision(page, "toolu_02C").await?;
        until_elision(page, "toolu_02C", "Show fewer lines").await?;
        assert_eq!(page.output_lines("toolu_02C").await?, (1..=13).map(|n| format!("line {n}")).collect::<Vec<_>>());

        page.open_card("toolu_02B").await?;
        page.until_count(&format!("{} [data-part=output] .output-line", card_of("toolu_02B")), |count| count == 12)
            .await?;
        assert_eq!(elision(page, "toolu_02B").await?, None);

        page.open_card("toolu_02D").await?;
        page.until_text(&format!("{} [data-part=output]", card_of("toolu_02D")), |text| text.contains("no output"))
            .await?;
        assert_eq!(page.output_lines("toolu_02D").await?.len(), 0);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn copy_gives_the_whole_raw_text() -> Outcome {
    journey("copy", World::example(Moment::now()), Proxy::Healthy, async |page| {
        settled(page).await?;
        page.browser.allow_clipboard(&page.stand_in.url()).await?;
        for id in ["toolu_02A", "toolu_02E", "toolu_02I"] {
            page.open_card(id).await?;
            page.until_count(&format!("{} [data-part=output] .output-line", card_of(id)), |count| count > 0).await?;
            copy(page, id, "Copy output").await?;
            let raw = page.stand_in.world(|world| world.session(EXAMPLE)?.output(id).map(str::to_owned));
            until_clipboard(page, &raw.unwrap_or_default()).await?;
        }
        copy(page, "toolu_02A", "Copy input").await?;
        let copied =
            async || Ok(Some(page.browser.clipboard().await?).filter(|text| text.contains("go test -v ./tui")));
        page.browser.eventually("the input is copied", copied).await?;
        Ok(())
    })
    .await
}

async fn copy(page: &Page, id: &str, name: &str) -> Outcome {
    let script = "
        const [card, name] = arguments[0];
        const buttons = [...document.querySelector(card).querySelectorAll('button')];
        buttons.find(button => (button.ariaLabel ?? button.textContent.trim()) === name).dataset.wanted = name;";
    page.browser.ask::<()>(script, vec![card_of(id), name.to_owned()]).await?;
    page.click(&format!("{} button[data-wanted='{name}']", card_of(id))).await
}

async fn until_clipboard(page: &Page, wanted: &str) -> Outcome {
    let look = async || Ok((page.browser.clipboard().await? == wanted).then_some(()));
    page.browser.eventually("the clipboard holds the raw text", look).await
}
