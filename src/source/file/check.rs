//! For tests: sessions drawn as text, and the laws that hold for every format.

use super::Reading;
use super::source::Source;
use crate::trace::{Block, Content, Outcome, Session, ToolCall};

/// Reads a file in which one session stands, the way a person's file is read.
pub(super) fn one(text: &str) -> Reading {
    let mut readings = super::read("a file", text.as_bytes().to_vec()).unwrap();
    assert_eq!(readings.len(), 1);
    readings.remove(0)
}

/// The calls in their order: `id name @exchange outcome output`, and whose they are unless the main agent's.
pub(super) fn calls(session: &Session) -> Vec<String> {
    session.calls.iter().map(|call| drawn(call)).collect()
}

fn drawn(call: &ToolCall) -> String {
    let agent = if &*call.key.agent == "main" { String::new() } else { format!("{}/", call.key.agent) };
    let nth = if call.key.nth == 0 { String::new() } else { format!("#{}", call.key.nth) };
    let by = call.asked_by.map_or("-".to_owned(), |exchange| exchange.to_string());
    let refuser = match &call.outcome {
        Outcome::Refused { by } => format!(" by {by:?}"),
        _ => String::new(),
    };
    format!("{agent}{}{nth} {} @{by} {}{refuser} {}", call.key.id, call.name, call.outcome.name(), output(call))
}

/// The blocks of an output in one line; `·` where there is none.
pub(super) fn output(call: &ToolCall) -> String {
    match &call.output {
        Content::Held(blocks) => blocks.iter().map(block).collect::<Vec<_>>().join(" + "),
        Content::Unavailable(_) => "unavailable".to_owned(),
        Content::Remote | Content::None => "·".to_owned(),
    }
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("{:?}", &*text.read()),
        Block::Json(text) => text.read().into_owned(),
        Block::Image { media_type, data } => format!("{media_type}({})", data.read()),
        Block::Reference(text) => format!("→{}", text.read()),
    }
}

/// The input as it stands.
pub(super) fn input(call: &ToolCall) -> String {
    call.input.held().map_or_else(|| "·".to_owned(), |text| text.read().into_owned())
}

/// Seconds of a day at which each call began and ended.
pub(super) fn seconds(session: &Session) -> Vec<(Option<i64>, Option<i64>)> {
    let second = |at: crate::trace::Timestamp| at.time_of_day() / 1_000_000_000;
    session.calls.iter().map(|call| (call.span.start.map(second), call.span.end.map(second))).collect()
}

/// Reads `text` with one format, whatever it looks like.
fn with(read: fn(&Source) -> Vec<Reading>, text: &str) -> Session {
    read(&Source::new("a file", text.to_owned())).into_iter().next().map(|reading| reading.session).unwrap_or_default()
}

/// What must not change of a call when records change that are not its own.
fn kept(call: &ToolCall) -> String {
    format!("{} {} {} {} {}", call.key.id, call.name, call.outcome.name(), input(call), output(call))
}

/// Calls that have an id and a result: what becomes of the others may hang on records that do not name them.
fn answered(session: &Session) -> impl Iterator<Item = &ToolCall> {
    let calls = session.calls.iter().map(std::convert::AsRef::as_ref);
    calls.filter(|call| !call.key.id.is_empty() && matches!(call.outcome, Outcome::Ok | Outcome::Error))
}

/// One line lost, doubled, torn or foreign, and any cut: no panic, and the calls of the other lines stand as they were.
pub(super) fn laws_of_lines(text: &str, read: fn(&Source) -> Vec<Reading>) {
    let lines: Vec<&str> = text.lines().collect();
    let whole = with(read, text);
    let names = |line: &str, call: &ToolCall| line.contains(&format!("\"{}\"", call.key.id));
    for (position, line) in lines.iter().enumerate() {
        let others = |with: &[&str]| [&lines[..position], with, &lines[position + 1..]].concat().join("\n");
        let torn = &line[..line.floor_char_boundary(line.len() / 2)];
        for (what, changed) in [("lost", others(&[])), ("torn", others(&[torn])), ("foreign", others(&["--- log ---"]))]
        {
            let session = with(read, &changed);
            let calls: Vec<_> = session.calls.iter().map(|call| kept(call)).collect();
            for call in answered(&whole).filter(|call| !names(line, call)) {
                assert!(calls.contains(&kept(call)), "line {} {what}: {}", position + 1, kept(call));
            }
            assert!(
                what == "lost" || line.len() < 3 || !session.problems.is_empty(),
                "line {} {what} is told",
                position + 1
            );
        }
        let doubled = with(read, &others(&[line, line]));
        let with_id = |session: &Session| -> Vec<_> {
            let calls = session.calls.iter().filter(|call| !call.key.id.is_empty());
            calls.map(|call| kept(call)).collect()
        };
        assert_eq!(with_id(&doubled), with_id(&whole), "line {} doubled", position + 1);
    }
    for cut in (0..text.len()).step_by(7) {
        let cut = text.floor_char_boundary(cut);
        let held = text[..cut].matches('\n').count();
        let session = with(read, &text[..cut]);
        let calls: Vec<_> = session.calls.iter().map(|call| kept(call)).collect();
        for call in answered(&whole).filter(|call| !lines[held..].iter().any(|line| names(line, call))) {
            assert!(calls.contains(&kept(call)), "cut at {cut}: {}", kept(call));
        }
    }
}

/// Any cut of a document: no panic, nothing that was not there, and less of it the earlier the cut.
pub(super) fn laws_of_documents(text: &str, read: fn(&Source) -> Vec<Reading>) {
    let whole = with(read, text);
    let all: Vec<_> = whole.calls.iter().map(|call| call.key.clone()).collect();
    let mut most = 0;
    for cut in (0..text.len()).step_by(7) {
        let session = with(read, &text[..text.floor_char_boundary(cut)]);
        // Of the last call even its id may be cut off.
        let known = session.calls.iter().filter(|call| call.key.id.is_empty() || all.contains(&call.key)).count();
        assert_eq!(known, session.calls.len(), "cut at {cut}");
        // A result whose id is cut off is nobody's.
        let asked = session.calls.iter().filter(|call| call.asked_by.is_some()).count();
        assert!(asked >= most, "cut at {cut}");
        most = asked;
    }
    let asked = whole.calls.iter().filter(|call| call.asked_by.is_some()).count();
    assert!(most + 1 >= asked, "a cut at the end loses one call at the most");
}

/// Any cut of a document whose calls may lose their ids or agents with it: no panic, and nothing that was not there.
pub(super) fn laws_of_cuts(text: &str, read: fn(&Source) -> Vec<Reading>) {
    let most = with(read, text).calls.len();
    for cut in (0..text.len()).step_by(7) {
        let session = with(read, &text[..text.floor_char_boundary(cut)]);
        assert!(session.calls.len() <= most, "cut at {cut}");
    }
}
