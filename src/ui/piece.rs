//! A piece of the page: one element, what changes in it, and what stands in it.
//!
//! Leptos compiles each `view!` into code of its own, measured here at 2 to 8 kB an element: the page would weigh twice
//! what it may. A piece is a plain value with one shared way onto the page; components, signals, effects and lists stay
//! Leptos' own.

mod place;

use std::borrow::Cow;

use leptos::prelude::*;
use web_sys::{Element, Event};

/// A text that changes.
pub type Words = Box<dyn Fn() -> String + Send>;
type Perhaps = Box<dyn Fn() -> Option<String> + Send>;
type Flag = Box<dyn Fn() -> bool + Send>;
type Dynamic = Box<dyn Fn() -> Option<Piece> + Send>;
type Handler = Box<dyn Fn(Event) + Send>;
type OnMount = Box<dyn FnOnce(&Element) + Send>;

/// One element of the page.
pub struct Piece {
    tag: &'static str,
    attributes: Vec<(&'static str, Value)>,
    styles: Vec<(&'static str, String)>,
    classes: Vec<(&'static str, Flag)>,
    children: Vec<Child>,
    handlers: Vec<(&'static str, Handler)>,
    on_mount: Option<OnMount>,
}

/// What an attribute says.
pub enum Value {
    /// Always the same.
    Fixed(Cow<'static, str>),
    /// Another text from time to time.
    Words(Words),
    /// Nothing at times; the attribute is then absent.
    Perhaps(Perhaps),
}

enum Child {
    Text(Cow<'static, str>),
    Words(Words),
    Piece(Piece),
    /// A piece that comes and goes.
    When(Dynamic),
    /// Constant markup of our own, such as the paths of an icon; never text of a session.
    Markup(&'static str),
    /// A Leptos view.
    View(AnyView),
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Fixed(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Fixed(text.into())
    }
}

impl From<Words> for Value {
    fn from(words: Words) -> Self {
        Self::Words(words)
    }
}

impl From<Perhaps> for Value {
    fn from(words: Perhaps) -> Self {
        Self::Perhaps(words)
    }
}

/// A text that changes.
pub fn words(text: impl Fn() -> String + Send + 'static) -> Words {
    Box::new(text)
}

/// A text that may be absent.
pub fn perhaps(text: impl Fn() -> Option<String> + Send + 'static) -> Perhaps {
    Box::new(text)
}

/// A yes or no that changes, as the text of an ARIA state.
pub fn state(on: impl Fn() -> bool + Send + 'static) -> Words {
    Box::new(move || if on() { "true" } else { "false" }.to_owned())
}

/// An element without anything in it.
pub fn el(tag: &'static str) -> Piece {
    Piece {
        tag,
        attributes: Vec::new(),
        styles: Vec::new(),
        classes: Vec::new(),
        children: Vec::new(),
        handlers: Vec::new(),
        on_mount: None,
    }
}

/// An element with a class, which most are.
pub fn div(class: &'static str) -> Piece {
    el("div").attr("class", class)
}

/// A run of text with a class.
pub fn span(class: &'static str) -> Piece {
    el("span").attr("class", class)
}

/// A button with a class; it submits nothing.
pub fn button(class: &'static str, press: impl Fn() + Send + 'static) -> Piece {
    el("button").attr("type", "button").attr("class", class).on("click", move |_| press())
}

impl Piece {
    /// Sets an attribute.
    pub fn attr(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    /// Sets a property of its own style, which the content security policy allows where a style attribute is not.
    pub fn style(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.styles.push((name, value.into()));
        self
    }

    /// Has a class at times.
    pub fn class_if(mut self, name: &'static str, on: impl Fn() -> bool + Send + 'static) -> Self {
        self.classes.push((name, Box::new(on)));
        self
    }

    /// Holds a text.
    pub fn text(mut self, text: impl Into<Cow<'static, str>>) -> Self {
        self.children.push(Child::Text(text.into()));
        self
    }

    /// Holds a text that changes.
    pub fn words(mut self, text: impl Fn() -> String + Send + 'static) -> Self {
        self.children.push(Child::Words(Box::new(text)));
        self
    }

    /// Holds another piece.
    #[inline(never)]
    pub fn with(mut self, piece: Piece) -> Self {
        self.children.push(Child::Piece(piece));
        self
    }

    /// Holds other pieces.
    pub fn with_all(mut self, pieces: impl IntoIterator<Item = Piece>) -> Self {
        for piece in pieces {
            self = self.with(piece);
        }
        self
    }

    /// Holds a piece that comes and goes, and is another one whenever what it reads changes.
    pub fn when(mut self, piece: impl Fn() -> Option<Piece> + Send + 'static) -> Self {
        self.children.push(Child::When(Box::new(piece)));
        self
    }

    /// Holds a Leptos view.
    pub fn view(mut self, view: AnyView) -> Self {
        self.children.push(Child::View(view));
        self
    }

    /// Holds constant markup of our own; never text of a session.
    pub fn markup(mut self, markup: &'static str) -> Self {
        self.children.push(Child::Markup(markup));
        self
    }

    /// Does something when an event of this name reaches it.
    pub fn on(mut self, event: &'static str, handler: impl Fn(Event) + Send + 'static) -> Self {
        self.handlers.push((event, Box::new(handler)));
        self
    }

    /// Does something with its element as soon as there is one.
    pub fn on_mount(mut self, run: impl FnOnce(&Element) + Send + 'static) -> Self {
        self.on_mount = Some(Box::new(run));
        self
    }
}
