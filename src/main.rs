//! Mounts the page.

use callsheet::host::crash;
use callsheet::ui::App;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

fn main() {
    crash::install();
    let root = document().get_element_by_id("app").and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok());
    match root {
        Some(root) => {
            root.set_inner_html("");
            mount_to(root, App).forget();
        }
        // A page of somebody else's making, without our element.
        None => mount_to_body(App),
    }
}
