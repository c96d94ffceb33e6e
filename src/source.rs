//! Where sessions come from. Each room turns one wire or file format into a [`crate::trace::Session`]; wire types
//! never leave their room. Parsers are pure and cannot fail: they give what they could read and what they could not.

pub mod cortex;
pub mod demo;
pub mod dispatch;
pub mod file;
mod lenient;
pub mod refresh;
