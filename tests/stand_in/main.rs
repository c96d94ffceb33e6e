//! The stand-in proxy by itself, for trying the page by hand.
//!
//! `cargo run --example stand-in -- [--port 8090] [--live] [--calls N] [--dispatch 24203]`: `--live` makes a call every few
//! seconds, `--calls` adds a session of that many, `--dispatch` adds a Dispatch host on that port, whose conversation
//! `lamp` goes on. `GET /_control` lists the levers.

#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
#[path = "lib.rs"]
mod stand_in;

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use serde_json::json;
use stand_in::dispatch::{Dispatch, asks, chunk, gives, history_of_two, puts_out};
use stand_in::{EXAMPLE, Moment, Settings, StandIn, World, generated_session, live_step};

const USAGE: &str = "usage: stand-in [--port 8090] [--live] [--calls N] [--dispatch 24203]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings { port: 8090, ..Settings::default() };
    let mut live = false;
    let mut calls = None;
    let mut dispatch = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--port" => settings.port = arguments.next().ok_or(USAGE)?.parse().map_err(|_| USAGE)?,
            "--calls" => calls = Some(arguments.next().ok_or(USAGE)?.parse().map_err(|_| USAGE)?),
            "--dispatch" => dispatch = Some(arguments.next().ok_or(USAGE)?.parse().map_err(|_| USAGE)?),
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
    let host = dispatch.map(Dispatch::start).transpose()?;
    if let Some(host) = &host {
        host.log("lamp", history_of_two());
        writeln!(std::io::stdout(), "A Dispatch host: {}/#/dispatch/{}/lamp", stand_in.url(), host.address())?;
    }
    for step in 0.. {
        std::thread::sleep(Duration::from_secs(3));
        if live {
            stand_in.play(EXAMPLE, |story| live_step(story, step));
        }
        if let Some(host) = &host {
            dispatch_step(host, step);
        }
    }
    Ok(())
}

/// A call begins, puts something out, and ends with its turn, a step each.
fn dispatch_step(host: &Dispatch, step: usize) {
    let (turn, id) = (format!("turn {}", step / 3), format!("call_live_{}", step / 3));
    let call = asks(&id, "run_shell", &json!({ "command": format!("turn the lamp {} times", step / 3 + 1) }));
    match step % 3 {
        0 => host.say("lamp", &turn, call),
        1 => host.say("lamp", &turn, puts_out(&id, "it glows\n")),
        _ => {
            let result = gives(&id, "run_shell", "it glows\nit shines\n", false);
            host.say("lamp", &turn, result.clone());
            host.log("lamp", [chunk("assistant", &call), chunk("tool", &result)]);
            host.say("lamp", &turn, json!({ "type": "done", "reason": "stop" }));
            host.say("lamp", &turn, json!({ "type": "turn-sealed" }));
        }
    }
}
