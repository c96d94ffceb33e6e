//! A ledger on a page of its own, with sessions made for a test.

use std::sync::Arc;

use callsheet::trace::{
    Block, CallKey, Content, Exchange, ExchangeKind, Outcome, Session, Span, Timestamp, Tokens, ToolCall,
};
use callsheet::ui::{Ledger, Screen};
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::task::tick;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// A ledger that is on the page until it is dropped.
pub struct Stage {
    pub screen: Screen,
    host: HtmlElement,
    _mounted: Box<dyn std::any::Any>,
}

impl Stage {
    /// Shows `session`.
    pub async fn with(session: Session) -> Self {
        let host: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        document().body().unwrap().append_child(&host).unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let mounted = mount_to(host.clone(), move || {
            let screen = Screen::new();
            provide_context(screen);
            tell.send(screen).unwrap();
            view! { <Ledger /> }
        });
        let stage = Self { screen: told.recv().unwrap(), host, _mounted: boxed(mounted) };
        stage.show(session).await;
        stage
    }

    /// Shows another session, or the same as it is now.
    pub async fn show(&self, session: Session) {
        self.screen.show(session);
        tick().await;
    }

    pub fn all(&self, css: &str) -> Vec<Element> {
        let found = self.host.query_selector_all(css).unwrap();
        (0..found.length()).map(|at| found.item(at).unwrap().unchecked_into()).collect()
    }

    pub fn one(&self, css: &str) -> Element {
        self.all(css).into_iter().next().unwrap_or_else(|| panic!("no {css} in {}", self.host.inner_html()))
    }

    pub fn text(&self, css: &str) -> String {
        self.one(css).text_content().unwrap_or_default().trim().to_owned()
    }

    pub fn says(&self, css: &str, attribute: &str) -> Option<String> {
        self.one(css).get_attribute(attribute)
    }

    pub async fn click(&self, css: &str) {
        self.one(css).unchecked_into::<HtmlElement>().click();
        tick().await;
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.host.remove();
    }
}

fn boxed<T: Mountable + 'static>(mounted: UnmountHandle<T>) -> Box<dyn std::any::Any> {
    Box::new(mounted)
}

/// An instant some seconds into the test's day.
pub fn at(second: i64) -> Timestamp {
    Timestamp(second * 1_000_000_000)
}

/// Lines that count from 1.
pub fn numbered(lines: usize) -> String {
    (1..=lines).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n")
}

/// A call of exchange 1 that took two seconds.
pub fn call(id: &str, name: &str, outcome: Outcome) -> ToolCall {
    let ended = outcome.has_ended() && !matches!(outcome, Outcome::Lost | Outcome::EndsRun);
    ToolCall {
        key: CallKey { agent: "main".into(), id: id.into(), nth: 0 },
        name: name.into(),
        asked_by: Some(1),
        span: Span { start: Some(at(10)), end: ended.then(|| at(12)) },
        approximate: false,
        outcome,
        preview: None,
        input: Content::Held(r#"{"command":"cargo test"}"#.into()),
        output: if ended { Content::Held(vec![Block::Text("one\ntwo".into())]) } else { Content::None },
        structured: None,
    }
}

/// A session of one exchange that asked for these calls.
pub fn session(calls: Vec<ToolCall>) -> Session {
    let span = Span { start: Some(at(5)), end: Some(at(10)) };
    let exchange = Exchange {
        status: Some(200),
        tokens: Tokens { input: Some(70_600), output: Some(312), ..Tokens::default() },
        cost: Some(254_600_000),
        said: Some("Let me look.".into()),
        wants_tools: true,
        ..Exchange::begun(1, "main".into(), ExchangeKind::Model, span, "model".into())
    };
    Session {
        id: "s".into(),
        exchanges: vec![exchange],
        calls: calls.into_iter().map(Arc::new).collect(),
        ..Session::default()
    }
}
