//! Fields of forms: what they say is set as a property, which an attribute only does at first.

use std::sync::Arc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement};

use super::erased::effect;
use super::piece::{Piece, el};

/// A list to choose from: `options` are values and labels, `value` is the one that is chosen.
pub fn select(
    label: &'static str,
    options: impl Fn() -> Vec<(Arc<str>, Arc<str>)> + Send + 'static,
    value: impl Fn() -> String + Send + 'static,
    change: impl Fn(&Event) + Send + 'static,
) -> Piece {
    el("select")
        .attr("aria-label", label)
        .attr("title", label)
        .attr("class", "field")
        .on("change", move |event| change(&event))
        .on_mount(move |element| {
            let Some(select) = element.dyn_ref::<HtmlSelectElement>().cloned().map(SendWrapper::new) else { return };
            effect(move || {
                select.set_text_content(None);
                for (value, label) in options() {
                    if let Ok(option) = document().create_element("option") {
                        // A new option can always be named and appended.
                        let _ = option.set_attribute("value", &value);
                        option.set_text_content(Some(&label));
                        let _ = select.append_child(&option);
                    }
                }
                select.set_value(&value());
            });
        })
}

/// What was chosen or typed.
pub fn chosen(event: &Event) -> Option<String> {
    let target = event.target()?;
    if let Some(select) = target.dyn_ref::<HtmlSelectElement>() {
        return Some(select.value());
    }
    target.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value)
}

/// Keeps what a text field says; while the reader types it says the same anyway.
pub fn keep(field: Piece, value: impl Fn() -> String + Send + 'static) -> Piece {
    field.on_mount(move |element| {
        let Some(input) = element.dyn_ref::<HtmlInputElement>().cloned().map(SendWrapper::new) else { return };
        effect(move || {
            let value = value();
            if input.value() != value {
                input.set_value(&value);
            }
        });
    })
}
