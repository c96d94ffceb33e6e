//! How a host or a viewer wants tools shown: words, icons, what is hidden, what starts open (specs: displays).
//!
//! A [`Registry`] holds what came in by three ways and says by rule which display a tool has. A [`ToolDisplay`] puts one
//! call into its words. What only a browser can do is asked of it: [`Patterns`] matches regular expressions,
//! [`Functions`] calls the host's functions. Nothing here fails: what is wrong in a file is told as a [`Fault`], and what
//! a function fails to give is left to the card's own words.

mod call;
mod entry;
mod file;
mod matcher;
mod preset;
mod registry;
mod template;
mod tool;
pub mod words;

pub use call::{CALL_FIELDS, call_field, call_json};
pub use entry::{Entry, Field, FunctionId, Words};
pub use file::{Fault, MAX_TOOLS, VERSION, read, write};
pub use matcher::{Matcher, Pattern, Patterns, Specificity};
pub use preset::{developer, reader};
pub use registry::{Displays, Registry};
pub use template::{Facts, fill};
pub use tool::{Change, DEFAULT_ICON, Functions, Shown, ToolDisplay, hides_exchange};

#[cfg(test)]
mod tests;
