//! Sessions of any length, and one that goes on by itself.

use std::time::Duration;

use super::call::{Call, bash, grep, read, write};
use super::outputs::{lines, source_file};
use super::{Moment, Session, Story, reply};

/// How many calls an agent makes before its conversation is made shorter.
const CALLS_BETWEEN_COMPACTIONS: usize = 150;

/// No call and its exchange take longer.
const LONGEST_STEP: Duration = Duration::from_secs(14);

/// A session of `calls` tool calls that was over by `end`; the same for the same number.
pub fn generated_session(id: &str, end: Moment, calls: usize) -> Session {
    let steps = u32::try_from(calls + 1).unwrap_or(u32::MAX);
    let created = end - LONGEST_STEP.saturating_mul(steps);
    let mut session = Session::new(id, created).titled(&format!("{calls} calls, one after another"));
    Story::tell(&mut session, |story| {
        story.person_says("main", "Go through the whole tree.");
        let mut made = 0;
        let mut compacted = 0;
        while made < calls {
            if made - compacted >= CALLS_BETWEEN_COMPACTIONS {
                story.compact("main");
                compacted = made;
            }
            // Nearly all replies ask for one call.
            let together = if made % 20 == 19 { 3 } else { 1 }.min(calls - made);
            let answer =
                (made..made + together).fold(reply(300 + spread(made, 4_000)), |reply, n| reply.calls(call(n)));
            story.exchange("main", answer.costs(0.011));
            story.wait("main", 5 + spread(made + 7, 9_000));
            made += together;
        }
        story.exchange("main", reply(1_500).says("That was the whole tree."));
    });
    session
}

/// One step of a session that goes on: what ran ends, and one more call starts.
pub fn live_step(story: &mut Story, step: usize) {
    if let Some(before) = step.checked_sub(1) {
        story.settle(&live_id(before), &lines(before * 5 % 30));
    }
    story.exchange(
        "main",
        reply(900).says("On it goes.").costs(0.012).calls(bash(&live_id(step), &format!("make step-{step}"))),
    );
}

fn live_id(step: usize) -> String {
    format!("toolu_live_{step}")
}

fn call(n: usize) -> Call {
    let id = format!("toolu_gen_{n}");
    let path = format!("src/part{}/file{}.go", n / 50, n % 50);
    let call = match n % 4 {
        0 => bash(&id, &format!("go test ./part{}", n / 50)).gives(lines(n % 31)),
        1 => read(&id, &path).gives(source_file(3 + n % 25)),
        2 => grep(&id, "TODO", &path).gives("No matches found\n"),
        _ => write(&id, &path, "package part\n").gives("File created successfully"),
    };
    if n % 37 == 36 { call.fails("permission denied\n") } else { call }
}

/// A number below `limit` that looks random and is the same every time.
fn spread(n: usize, limit: u64) -> u64 {
    (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) % limit
}
