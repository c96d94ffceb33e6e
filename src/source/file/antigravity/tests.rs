use super::super::check::{calls, input, laws_of_lines, one};
use super::*;

const STEPS: &str = concat!(
    r#"{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"2026-01-02T00:00:00Z","content":"go"}"#,
    "\n",
    r#"{"step_index":2,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-01-02T00:00:01Z","content":"I look.","tool_calls":[{"name":"view_file","args":{"AbsolutePath":"\"d:\\\\a\"","StartLine":"1","toolSummary":"\"Reading a\""}},{"name":"run_command","args":{"CommandLine":"\"ls\"","free":"not json"}}]}"#,
    "\n",
    r#"{"step_index":3,"source":"MODEL","type":"VIEW_FILE","status":"DONE","created_at":"2026-01-02T00:00:02Z","content":"text","truncated_fields":["content"]}"#,
    "\n",
    r#"{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"RUNNING","created_at":"2026-01-02T00:00:02Z","content":"so far"}"#,
    "\n",
    r#"{"step_index":6,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-01-02T00:00:03Z","tool_calls":[{"name":"grep_search","args":{}},{"name":"list_dir","args":{}}]}"#,
    "\n",
    r#"{"step_index":7,"source":"MODEL","type":"GREP_SEARCH","status":"ERROR","created_at":"2026-01-02T00:00:04Z","error":"no"}"#,
    "\n",
    r#"{"step_index":8,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-01-02T00:00:05Z"}"#,
    "\n",
    r#"{"step_index":9,"source":"SYSTEM","type":"ERROR_MESSAGE","status":"DONE","created_at":"2026-01-02T00:00:06Z","error":"overloaded"}"#,
);

#[test]
fn results_follow_their_calls_in_order() {
    let reading = one(STEPS);
    let session = &reading.session;
    assert_eq!(
        calls(session),
        [
            r#" view_file @0 ok "text""#,
            r#"#1 run_command @0 ok "so far""#,
            r#"#2 grep_search @1 error "no""#,
            "#3 list_dir @1 lost ·",
        ]
    );
    assert_eq!(input(&session.calls[0]), r#"{"AbsolutePath":"d:\\a","StartLine":1,"toolSummary":"Reading a"}"#);
    assert_eq!(input(&session.calls[1]), r#"{"CommandLine":"ls","free":"not json"}"#);
    assert_eq!(session.calls[0].preview.as_deref(), Some("Reading a"));
    assert_eq!(session.exchanges[2].error.as_deref(), Some("overloaded"));
    assert_eq!(reading.orphans, 0);
}

#[test]
fn the_laws_hold() {
    laws_of_lines(STEPS, read);
}
