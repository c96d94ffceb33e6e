//! The specification's example as a record (specs: cortex-api §6), with a sub-agent's exchanges.

use std::fmt::Write;

use super::Record;
use super::wire::{Event, read};
use crate::trace::CallKey;

/// `request seq, response seq, request time, response time, role`.
const EXCHANGES: [(u64, u64, &str, &str, &str); 9] = [
    (23, 24, "13:04:05.12", "13:04:09.33", "main"),
    (25, 26, "13:04:22.54", "13:04:25.56", "main"),
    (27, 28, "13:04:28.27", "13:04:30.02", "main"),
    (29, 30, "13:04:30.32", "13:04:33", "main"),
    (31, 32, "13:04:33.09", "13:04:36", "main"),
    (180, 181, "13:04:26", "13:04:30", "subagent"),
    (189, 190, "13:10:00", "13:10:13.56", "subagent"),
    (200, 201, "13:05:00.5", "13:05:02", "main"),
    (202, 203, "13:06:00", "13:06:02", "subagent"),
];

const TIMELINE: &str = r#"{"agents":[
  {"id":"main","label":"main","start":"2026-10-06T13:04:05.12Z","end":"2026-10-06T13:04:30.02Z"},
  {"id":"a1","label":"Explore","spawnTool":"toolu_01C","spawnedAt":"2026-10-06T13:04:25.56Z","returnedAt":"2026-10-06T13:10:13.56Z"}],
 "tools":[
  {"id":"toolu_01A","name":"Bash","agent":"main","seq":24,"start":"2026-10-06T13:04:09.33Z","end":"2026-10-06T13:04:22.54Z","preview":"git -C /tmp/wt status"},
  {"id":"toolu_01B","name":"Read","agent":"main","seq":24,"start":"2026-10-06T13:04:09.33Z","end":"2026-10-06T13:04:22.54Z","preview":"tui/events_columns.go"},
  {"id":"toolu_01C","name":"Agent","agent":"main","seq":26,"start":"2026-10-06T13:04:25.56Z","end":"2026-10-06T13:04:27.27Z","preview":"explore the table code"},
  {"id":"toolu_02A","name":"Grep","agent":"a1","seq":181,"start":"2026-10-06T13:04:30Z","end":"2026-10-06T13:05:00.5Z","preview":"table"},
  {"id":"toolu_01D","name":"Bash","agent":"main","seq":28,"start":"2026-10-06T13:04:30.02Z","end":"2026-10-06T13:04:30.32Z","preview":"go test ./... > /tmp/t.log"},
  {"id":"toolu_01E","name":"Edit","agent":"main","seq":30,"start":"2026-10-06T13:04:33Z","end":"2026-10-06T13:04:33.09Z","error":true,"preview":"tui/table.go"},
  {"id":"toolu_01F","name":"Bash","agent":"main","seq":32,"start":"2026-10-06T13:04:36Z","preview":"go vet ./..."},
  {"id":"toolu_02Z","name":"SubagentHandback","agent":"a1","seq":190,"start":"2026-10-06T13:10:13.56Z","lost":true}],
 "jobs":[{"agent":"main","start":"2026-10-06T13:04:30.32Z","end":"2026-10-06T13:08:32.32Z"}]}"#;

/// A record that holds the events and the timeline, and no bodies.
pub(super) fn record() -> Record {
    let mut events = String::new();
    for (request, response, start, end, role) in EXCHANGES {
        let half = |seq, at, phase| {
            format!(
                r#"{{"seq":{seq},"at":"2026-10-06T{at}Z","direction":"outbound","phase":"{phase}","requestId":"r-{request}",
                    "inference":{{"model":"m","agentRole":"{role}","finishReason":"tool_use"}}}}"#
            )
        };
        let comma = if events.is_empty() { "" } else { "," };
        write!(events, "{comma}{},{}", half(request, start, "request"), half(response, end, "response")).unwrap();
    }
    let mut record = Record::new("s");
    record.take_newest(read(&format!(r#"{{"id":"s","events":[{events}]}}"#)).unwrap());
    record.take_timeline(read(TIMELINE).unwrap());
    record
}

/// A whole event.
pub(super) fn event(json: &str) -> Event {
    read(json).unwrap()
}

/// The first call with this id.
pub(super) fn key(agent: &str, id: &str) -> CallKey {
    CallKey { agent: agent.into(), id: id.into(), nth: 0 }
}
