//! The page: Leptos components that place what the pure rooms say.
//!
//! [`Screen`] is the state of one session on screen and the one place where it is written; `live` brings sessions into
//! it; everything else reads it.

mod app;
mod body;
mod card;
mod chunk;
mod copy_button;
mod erased;
mod find;
mod form;
mod going;
mod icon;
mod ledger;
mod lines;
mod list;
mod live;
mod opened;
mod part;
mod piece;
mod rows;
mod screen;
mod seen;
mod session_page;
mod sessions_page;
mod status;
mod tools;

pub use app::App;
pub use ledger::Ledger;
pub use screen::Screen;
