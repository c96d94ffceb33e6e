//! What brings sessions to the screen and keeps them fresh.

mod bodies;
mod cortex;
mod demo;
mod dispatch;
mod file;
mod ticker;

pub use cortex::watch as watch_cortex;
pub use demo::watch as watch_demo;
pub use dispatch::watch as watch_dispatch;
pub use file::watch as watch_file;
pub use ticker::tick;
