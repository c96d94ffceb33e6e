//! The browser's edge: clock, storage, clipboard, address bar, what is in view. Nothing here knows what a tool call is.

pub mod clipboard;
pub mod clock;
pub mod crash;
pub mod fetch;
pub mod files;
pub mod guard;
pub mod location;
pub mod sizes;
pub mod socket;
pub mod theme;
pub mod visibility;
