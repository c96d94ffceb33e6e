//! The page as its DOM contract lets tests see it (specs: design §4).

use fantoccini::Locator;
use fantoccini::elements::Element;
use serde::Deserialize;

use crate::Outcome;
use crate::browser::Browser;
use crate::journey::Proxy;
use crate::stand_in::StandIn;

pub struct Page {
    pub browser: Browser,
    pub stand_in: StandIn,
}

/// What the header of one card says.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Card {
    pub id: String,
    pub tool: String,
    pub agent: String,
    pub status: String,
    /// The header's name for a screen reader.
    pub label: String,
    pub expanded: bool,
    pub place: String,
    pub name: String,
    pub summary: String,
    pub result: String,
    pub start: String,
    pub duration: String,
    /// All text of the header.
    pub header: String,
}

const CARDS: &str = "
    return [...document.querySelectorAll('article[data-row=call]')].map(card => {
        const header = card.querySelector('button[aria-controls]');
        const text = part => card.querySelector(part)?.textContent.trim() ?? '';
        return {
            id: card.dataset.callId, tool: card.dataset.toolName, agent: card.dataset.agent, status: card.dataset.status,
            label: header.getAttribute('aria-label') ?? header.textContent.trim(),
            expanded: header.getAttribute('aria-expanded') === 'true',
            place: text('.call-place'), name: text('.call-name'), summary: text('.call-summary'),
            result: text('.result-summary').replace('→', '').trim(), start: text('.call-start'), duration: text('.call-duration'),
            header: header.textContent,
        };
    });";

impl Page {
    /// Opens the page at a hash, `#/` say.
    pub async fn open(&self, hash: &str) -> Outcome {
        Ok(self.browser.client.goto(&format!("{}/{hash}", self.stand_in.url())).await?)
    }

    pub async fn open_session(&self, id: &str) -> Outcome {
        self.open(&session_hash(id)).await
    }

    /// The cards in the order of the page.
    pub async fn cards(&self) -> Outcome<Vec<Card>> {
        self.browser.ask(CARDS, ()).await
    }

    /// The card of this call, once what it says is as wanted.
    pub async fn card(&self, id: &str, what: &str, wanted: impl Fn(&Card) -> bool) -> Outcome<Card> {
        let mut last = None;
        let found = self
            .browser
            .eventually(what, async || {
                last = self.cards().await?.into_iter().find(|card| card.id == id);
                Ok(last.clone().filter(&wanted))
            })
            .await;
        found.map_err(|error| format!("{error}; the card of {id} says {last:?}").into())
    }

    /// Waits until this call has a card.
    pub async fn shown(&self, id: &str) -> Outcome<Card> {
        self.card(id, "the call has a card", |_| true).await
    }

    /// Opens a card with a click, or closes it.
    pub async fn toggle(&self, id: &str) -> Outcome {
        self.click(&header_of(id)).await
    }

    /// Opens a card and waits for its output.
    pub async fn open_card(&self, id: &str) -> Outcome {
        self.toggle(id).await?;
        self.card(id, "the card is open", |card| card.expanded).await?;
        self.find(&format!("{} [data-part=output]", card_of(id))).await?;
        Ok(())
    }

    pub async fn find(&self, css: &str) -> Outcome<Element> {
        self.browser.eventually(css, async || Ok(Some(self.browser.client.find(Locator::Css(css)).await?))).await
    }

    pub async fn click(&self, css: &str) -> Outcome {
        self.browser
            .eventually(&format!("click {css}"), async || {
                // Away from the edges, where the bar that stays on top would be hit instead.
                let centre = "document.querySelector(arguments[0])?.scrollIntoView({ block: 'center' })";
                self.browser.client.execute(centre, vec![css.into()]).await?;
                Ok(Some(self.browser.client.find(Locator::Css(css)).await?.click().await?))
            })
            .await
    }

    /// How many elements there are.
    pub async fn count(&self, css: &str) -> Outcome<usize> {
        self.browser.ask("return document.querySelectorAll(arguments[0]).length", css).await
    }

    pub async fn until_count(&self, css: &str, wanted: impl Fn(usize) -> bool) -> Outcome<usize> {
        let what = format!("the number of {css}");
        self.browser.eventually(&what, async || Ok(Some(self.count(css).await?).filter(|count| wanted(*count)))).await
    }

    /// The text of the first such element, all of it, seen or not.
    pub async fn text(&self, css: &str) -> Outcome<Option<String>> {
        self.browser.ask("return document.querySelector(arguments[0])?.textContent ?? null", css).await
    }

    /// The text, once it is as wanted.
    pub async fn until_text(&self, css: &str, wanted: impl Fn(&str) -> bool) -> Outcome<String> {
        let mut last = None;
        let found = self
            .browser
            .eventually(css, async || {
                last = self.text(css).await?;
                Ok(last.clone().filter(|text| wanted(text)))
            })
            .await;
        found.map_err(|error| format!("{error}; it says {last:?}").into())
    }

    /// The lines of a card's output that are in the page.
    pub async fn output_lines(&self, id: &str) -> Outcome<Vec<String>> {
        let script = "return [...document.querySelectorAll(arguments[0])].map(line => line.textContent)";
        self.browser.ask(script, format!("{} [data-part=output] .output-line", card_of(id))).await
    }

    /// The texts of the alerts that can be seen.
    pub async fn alerts(&self) -> Outcome<Vec<String>> {
        let script = "
            return [...document.querySelectorAll('[role=alert]')]
                .filter(alert => alert.checkVisibility())
                .map(alert => alert.textContent.trim())
                .filter(text => text !== '');";
        self.browser.ask(script, ()).await
    }

    /// Waits for an alert and answers what it says.
    pub async fn alert(&self) -> Outcome<String> {
        self.browser.eventually("an alert is shown", async || Ok(self.alerts().await?.into_iter().next())).await
    }

    pub async fn until_connection(&self, states: &[&str]) -> Outcome<String> {
        let script = "return document.querySelector('[data-testid=connection]')?.dataset.state ?? ''";
        let what = format!("the connection is {states:?}");
        let look = async || {
            let state: String = self.browser.ask(script, ()).await?;
            Ok(states.contains(&state.as_str()).then_some(state))
        };
        self.browser.eventually(&what, look).await
    }

    /// Where the top of an element stands in the window, in pixels.
    pub async fn top_of(&self, css: &str) -> Outcome<f64> {
        self.browser.ask("return document.querySelector(arguments[0]).getBoundingClientRect().top", css).await
    }

    /// Fails when the page logged an error or broke its security policy.
    pub async fn assert_quiet_log(&self, proxy: Proxy) -> Outcome {
        let expected = |source: &str| proxy == Proxy::Failing && source == "network";
        let log = self.browser.log().await?;
        let errors = log.into_iter().filter(|entry| entry.level == "SEVERE" && !expected(&entry.source));
        let errors: Vec<_> = errors.map(|entry| entry.to_string()).collect();
        if errors.is_empty() { Ok(()) } else { Err(format!("the page logged errors: {errors:#?}").into()) }
    }
}

pub fn card_of(id: &str) -> String {
    format!("article[data-row=call][data-call-id='{id}']")
}

/// The button that opens and closes a card.
pub fn header_of(id: &str) -> String {
    format!("{} button[aria-controls]", card_of(id))
}

pub fn session_hash(id: &str) -> String {
    let encoded = id.replace('%', "%25").replace('@', "%40").replace(':', "%3A").replace('/', "%2F");
    format!("#/sessions/{encoded}")
}
