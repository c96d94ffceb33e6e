use super::super::check::{calls, input, laws_of_lines, one, seconds};
use super::*;

#[test]
fn observations_answer_their_cause() {
    let history = r#"[{"id":0,"timestamp":"2026-01-01T00:00:00","source":"agent","action":"system","args":{"tools":[]}},
        {"id":1,"source":"user","action":"message","args":{"content":"go"}},
        {"id":2,"timestamp":"2026-01-01T00:00:02.5","source":"agent","action":"run","args":{"command":"ls"},"tool_call_metadata":{"function_name":"execute_bash","tool_call_id":"toolu_01","model_response":{"id":"r1","model":"m"}}},
        {"id":4,"source":"agent","action":"think","args":{"thought":"t"},"tool_call_metadata":{"function_name":"think","tool_call_id":"toolu_01","model_response":{"id":"r1","model":"m"}}},
        {"id":5,"timestamp":"2026-01-01T00:00:05","cause":4,"observation":"think","content":"noted","tool_call_metadata":{"tool_call_id":"toolu_01"}},
        {"id":6,"timestamp":"2026-01-01T00:00:06","cause":2,"observation":"run","content":"bad","extras":{"metadata":{"exit_code":1}},"tool_call_metadata":{"tool_call_id":"toolu_01"}},
        {"id":7,"cause":99,"observation":"run","content":"?","extras":{},"tool_call_metadata":{"tool_call_id":"x"}},
        {"id":8,"source":"agent","action":"finish","args":{}},3]"#.replace('\n', "");
    let reading = one(&format!(r#"{{"instance_id":"i","instruction":"do","history":{history}}}"#));
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#"toolu_01 execute_bash @0 error "bad""#,
            r#"toolu_01#1 think @0 ok "noted""#,
            r#"x  @- ok "?""#,
            " finish @1 ends-run ·",
        ]
    );
    assert_eq!((input(&session.calls[0]), seconds(session)[0]), (r#"{"command":"ls"}"#.to_owned(), (Some(2), Some(6))));
    assert_eq!((&*session.id, reading.orphans, session.problems.len(), session.prompts.len()), ("i", 1, 1, 1));
    assert_eq!((session.exchanges.len(), &*session.exchanges[0].name), (2, "m"));
}

#[test]
fn each_line_is_a_session_and_old_ones_pair_by_place() {
    let line = |number: u32| {
        format!(
            r#"{{"issue":{{"number":{number},"title":"t"}},"instruction":"do","history":[{{"action":"message","content":"go"}},{{"action":"run","command":"ls"}},{{"observation":"run","content":"x","exit_code":0}},{{"action":"run_ipython","code":"1"}},{{"observation":"run_ipython","content":"1"}},{{"action":"finish"}}]}}"#
        )
    };
    let text = [line(1), "{torn".to_owned(), line(2)].join("\n");
    let readings = super::super::read("f", text.into_bytes()).unwrap();
    assert_eq!(readings.len(), 2);
    assert_eq!(
        calls(&readings[1].session),
        [r#" run @0 ok "x""#, r#"#1 run_ipython @1 ok "1""#, "#2 finish @2 ends-run ·"]
    );
    assert_eq!((&*readings[1].session.id, readings[0].session.problems.len()), ("2", 1));
}

#[test]
fn reads_the_events_of_the_sdk() {
    let action = |id: &str, call: &str| {
        format!(
            r#"{{"kind":"ActionEvent","id":"{id}","timestamp":"2026-01-01T00:00:01.5","source":"agent","tool_name":"terminal","tool_call_id":"{call}","tool_call":{{"id":"{call}","name":"terminal","arguments":"{{\"c\":1}}"}},"llm_response_id":"r","action":{{"kind":"TerminalAction"}}}}"#
        )
    };
    let lines = [
        r#"{"kind":"ConversationStateUpdateEvent","id":"s","source":"environment","key":"k","value":1}"#.to_owned(),
        action("e1", "a"),
        action("e2", "b"),
        r#"{"kind":"ObservationEvent","id":"o1","timestamp":"2026-01-01T00:00:03","source":"environment","tool_name":"terminal","tool_call_id":"b","action_id":"e2","observation":{"content":[{"type":"text","text":"no"}],"is_error":true}}"#.to_owned(),
        r#"{"kind":"ObservationEvent","id":"o2","source":"environment","tool_name":"terminal","tool_call_id":"a","action_id":"e1","observation":{"content":[{"type":"text","text":"yes"}],"is_error":false,"exit_code":-1}}"#.to_owned(),
        action("e3", "c"),
        r#"{"kind":"UserRejectObservation","id":"o3","source":"environment","tool_call_id":"c","action_id":"e3","error":"not that"}"#.to_owned(),
        r#"{"kind":"ObservationEvent","id":"o4","source":"environment","tool_call_id":"z","action_id":"gone","observation":{"content":[],"is_error":true}}"#.to_owned(),
    ];
    let reading = one(&lines.join("\n"));
    assert_eq!(
        calls(&reading.session),
        [
            r#"a terminal @0 ok "yes""#,
            r#"b terminal @0 error "no""#,
            r#"c terminal @0 refused by User "not that""#,
            "z  @- error "
        ]
    );
    assert_eq!((reading.orphans, input(&reading.session.calls[0])), (1, r#"{"c":1}"#.to_owned()));
    laws_of_lines(&lines[..5].join("\n"), read);
}
