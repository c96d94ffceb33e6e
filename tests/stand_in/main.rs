//! The stand-in proxy by itself, for trying the page by hand.
//!
//! `cargo run --example stand-in -- [--port 8090] [--live] [--calls N]`: `--live` makes a call every few seconds,
//! `--calls` adds a session of that many. `GET /_control` lists the levers.

#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
#[path = "lib.rs"]
mod stand_in;

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use stand_in::{EXAMPLE, Moment, Settings, StandIn, World, generated_session, live_step};

const USAGE: &str = "usage: stand-in [--port 8090] [--live] [--calls N]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings { port: 8090, ..Settings::default() };
    let mut live = false;
    let mut calls = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--port" => settings.port = arguments.next().ok_or(USAGE)?.parse().map_err(|_| USAGE)?,
            "--calls" => calls = Some(arguments.next().ok_or(USAGE)?.parse().map_err(|_| USAGE)?),
            "--live" => live = true,
            _ => return Err(USAGE.into()),
        }
    }
    let now = Moment::now();
    let mut world = World::example(now);
    if let Some(calls) = calls {
        world.add(generated_session("generated", now - Duration::from_hours(1), calls));
    }
    let stand_in = StandIn::start(settings, world)?;
    writeln!(std::io::stdout(), "The stand-in proxy answers at {}", stand_in.url())?;
    for step in 0.. {
        std::thread::sleep(Duration::from_secs(3));
        if live {
            stand_in.play(EXAMPLE, |story| live_step(story, step));
        }
    }
    Ok(())
}
