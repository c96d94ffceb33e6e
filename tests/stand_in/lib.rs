//! A stand-in for the Cortex proxy: the session API as the specification `cortex-api` says it, over sessions of our
//! own invention, with the built page beside it.
//!
//! A [`World`] holds the sessions, a [`Story`] adds to one of them as an agent would, and [`StandIn`] serves them on a
//! loopback port. It can grow while it runs ([`StandIn::play`]), misbehave ([`StandIn::misbehave`]), die and come back
//! ([`StandIn::stop`], [`StandIn::start_again`]), and it remembers what was asked of it ([`StandIn::requests`]). [`dispatch`] stands in for a Dispatch host.

mod api;
mod call;
mod control;
pub mod dispatch;
mod example;
mod fault;
mod generated;
mod moment;
mod outputs;
mod reply;
mod server;
mod session;
mod story;
mod stream;
mod traffic;
mod wire;
mod world;

pub use call::{Call, bash, read};
pub use example::{CHAT, EMPTY, EXAMPLE, LARGE, example_session};
pub use fault::{Fault, Route};
pub use generated::{generated_session, live_step};
pub use moment::Moment;
pub use outputs::{HOSTILE_IMAGE, hostile_text};
pub use reply::{Reply, reply};
pub use server::{Request, Settings, StandIn};
pub use session::{ResultStyle, Session};
pub use story::Story;
pub use world::World;
