//! Puts pieces onto the page and takes them off.

use leptos::prelude::*;
use leptos::reactive::effect::RenderEffect;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::no_attrs;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, RenderHtml};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, HtmlElement, Node};

use super::{Child, Dynamic, Flag, Piece, Value};

const SVG: &str = "http://www.w3.org/2000/svg";

/// A piece that is on the page. Dropping it ends what changes in it.
pub struct Placed {
    element: Element,
    /// What keeps texts, attributes and classes up to date.
    effects: Vec<RenderEffect<()>>,
    /// Pieces that come and go.
    changing: Vec<RenderEffect<Option<Placed>>>,
    children: Vec<Placed>,
    views: Vec<AnyViewState>,
    handlers: Vec<Closure<dyn Fn(Event)>>,
}

fn place(piece: Piece) -> Placed {
    let document = document();
    let element = match piece.tag {
        "svg" => document.create_element_ns(Some(SVG), "svg"),
        tag => document.create_element(tag),
    };
    let mut placed = Placed {
        element: element.expect("the page's own tags are names of elements"),
        effects: Vec::new(),
        changing: Vec::new(),
        children: Vec::new(),
        views: Vec::new(),
        handlers: Vec::new(),
    };
    for (name, value) in piece.attributes {
        placed.attribute(name, value);
    }
    if let Some(element) = placed.element.dyn_ref::<HtmlElement>() {
        for (name, value) in piece.styles {
            // A value that the browser does not know leaves the style as it is.
            let _ = element.style().set_property(name, &value);
        }
    }
    for (name, on) in piece.classes {
        placed.class(name, on);
    }
    for child in piece.children {
        placed.child(child);
    }
    for (event, handler) in piece.handlers {
        let handler = Closure::<dyn Fn(Event)>::new(handler);
        // Only an event target that is none could refuse.
        let _ = placed.element.add_event_listener_with_callback(event, handler.as_ref().unchecked_ref());
        placed.handlers.push(handler);
    }
    if let Some(run) = piece.on_mount {
        run(&placed.element);
    }
    placed
}

impl Placed {
    fn attribute(&mut self, name: &'static str, value: Value) {
        match value {
            Value::Fixed(text) => set(&self.element, name, Some(&text)),
            Value::Words(words) => {
                let (element, mut shown) = (self.element.clone(), None);
                self.keep(move || {
                    let text = Some(words());
                    if text != shown {
                        set(&element, name, text.as_deref());
                        shown = text;
                    }
                });
            }
            Value::Perhaps(words) => {
                let (element, mut shown) = (self.element.clone(), None);
                self.keep(move || {
                    let text = words();
                    if text != shown {
                        set(&element, name, text.as_deref());
                        shown = text;
                    }
                });
            }
        }
    }

    fn class(&mut self, name: &'static str, on: Flag) {
        let classes = self.element.class_list();
        self.keep(move || {
            // The page's own class names hold no white space, which is all that could be refused.
            let _ = classes.toggle_with_force(name, on());
        });
    }

    fn child(&mut self, child: Child) {
        match child {
            Child::Text(text) => self.append(&document().create_text_node(&text)),
            Child::Words(words) => {
                let node = document().create_text_node("");
                self.append(&node);
                let mut shown = String::new();
                self.keep(move || {
                    let text = words();
                    if text != shown {
                        node.set_data(&text);
                        shown = text;
                    }
                });
            }
            Child::Piece(piece) => {
                let child = place(piece);
                self.append(&child.element);
                self.children.push(child);
            }
            Child::When(piece) => self.changing(piece),
            Child::Markup(markup) => self.element.set_inner_html(markup),
            Child::View(view) => {
                let mut state = view.build();
                state.mount(&self.element, None);
                self.views.push(state);
            }
        }
    }

    fn changing(&mut self, piece: Dynamic) {
        // Where it stands while it is not there.
        let marker = document().create_comment("");
        self.append(&marker);
        self.changing.push(RenderEffect::new(move |shown: Option<Option<Placed>>| {
            let next = piece().map(place);
            if let Some(shown) = shown.flatten() {
                shown.element.remove();
            }
            if let (Some(next), Some(parent)) = (&next, marker.parent_node()) {
                // The marker stands in its parent, so nothing can be refused.
                let _ = parent.insert_before(&next.element, Some(&marker));
            }
            next
        }));
    }

    fn append(&self, node: &Node) {
        // A new node can always be appended to an element of the page.
        let _ = self.element.append_child(node);
    }

    fn keep(&mut self, mut update: impl FnMut() + 'static) {
        let update: Box<dyn FnMut(Option<()>)> = Box::new(move |_| update());
        self.effects.push(RenderEffect::new(update));
    }
}

fn set(element: &Element, name: &str, value: Option<&str>) {
    // The page's own attribute names are names.
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}

impl Mountable for Placed {
    fn unmount(&mut self) {
        self.element.remove();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        self.element.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.element.insert_before_this(child)
    }

    fn elements(&self) -> Vec<Element> {
        vec![self.element.clone()]
    }
}

impl Render for Piece {
    type State = Placed;

    fn build(self) -> Placed {
        place(self)
    }

    fn rebuild(self, state: &mut Placed) {
        let mut next = place(self);
        state.insert_before_this(&mut next);
        state.unmount();
        *state = next;
    }
}

no_attrs!(Piece);

/// The page is drawn in the browser alone: there is no server to make HTML, and no HTML to take over.
impl RenderHtml for Piece {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(self, _: &mut String, _: &mut Position, _: bool, _: bool, _: Vec<AnyAttribute>) {}

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> Placed {
        place(self)
    }

    fn into_owned(self) -> Self {
        self
    }
}
