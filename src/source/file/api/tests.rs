use super::super::check::{calls, input, laws_of_cuts, laws_of_documents, one, seconds};
use super::*;
use crate::trace::Outcome;

fn session(text: &str) -> crate::trace::Session {
    let reading = one(text);
    assert_eq!(reading.format, Format::Api);
    reading.session
}

#[test]
fn reads_a_request_of_anthropic() {
    let text = r#"{"model":"m","messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"Read","input":{"p":1}},{"type":"tool_use","id":"b","name":"Bash","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"no","is_error":true},{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Bash","input":{}},{"type":"tool_use","id":"a","name":"Read","input":{"p":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"The user doesn't want to proceed with this tool use.","is_error":true},{"type":"tool_result","tool_use_id":"gone","content":"y"}]}]}"#;
    let reading = one(text);
    assert_eq!(
        calls(&reading.session),
        [
            r#"a Read @0 ok "x" + image/png(QQ==)"#,
            r#"b Bash @0 error "no""#,
            r#"c Bash @1 refused by User "The user doesn't want to proceed with this tool use.""#,
            "a#1 Read @1 lost ·",
            r#"gone  @- ok "y""#,
        ]
    );
    assert_eq!((reading.orphans, reading.session.repeats, reading.session.prompts.len()), (1, 0, 1));
    assert_eq!(&*reading.session.exchanges[0].name, "m");
    laws_of_documents(text, read);
}

#[test]
fn hosted_tools_of_anthropic_hold_their_result() {
    let text = r#"{"type":"message","role":"assistant","id":"m1","model":"m","content":[
        {"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}},
        {"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"u"}]},
        {"type":"server_tool_use","id":"s2","name":"web_fetch","input":{}},
        {"type":"web_fetch_tool_result","tool_use_id":"s2","content":{"type":"web_fetch_tool_result_error","error_code":"unavailable"}},
        {"type":"mcp_tool_use","id":"s3","name":"echo","server_name":"e","input":{}},
        {"type":"mcp_tool_result","tool_use_id":"s3","is_error":false,"content":[{"type":"text","text":"e"}]}],
        "usage":{"input_tokens":5,"output_tokens":7,"cache_read_input_tokens":2}}"#;
    let session = session(text);
    assert_eq!(
        calls(&session),
        [
            r#"s1 web_search @0 ok {"type":"web_search_result","url":"u"}"#,
            r#"s2 web_fetch @0 error {"type":"web_fetch_tool_result_error","error_code":"unavailable"}"#,
            r#"s3 echo @0 ok "e""#,
        ]
    );
    let tokens = session.exchanges[0].tokens;
    assert_eq!((tokens.input, tokens.cache_read, tokens.output), (Some(5), Some(2), Some(7)));
}

const STREAM: [&str; 13] = [
    r#"{"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":3}}}"#,
    r#"{"type":"message_start","message":{"id":"m1","model":"m","content":[]}}"#,
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"none","input":{}}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}"#,
    r#"{"type":"ping"}"#,
    r#"{"type":"content_block_stop","index":0}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"b","name":"some","input":{}}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"\\u00e9\"}"}}"#,
    r#"{"type":"content_block_stop","index":1}"#,
    r#"{"type":"content_block_start","index":2,"content_block":{"type":"web_search_tool_result","tool_use_id":"b","content":[]}}"#,
    r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#,
    r#"{"type":"message_stop"}"#,
];

#[test]
fn a_stream_of_anthropic_is_put_together() {
    let lines = STREAM.join("  \n");
    let events = STREAM.map(|data| format!("event: e\ndata: {data} \n\n")).concat();
    for text in [lines, events] {
        let session = session(&text);
        assert_eq!(calls(&session), ["a none @0 lost ·", "b some @0 ok "]);
        assert_eq!(
            (input(&session.calls[0]), input(&session.calls[1])),
            ("{}".to_owned(), r#"{"a":"\u00e9"}"#.to_owned())
        );
        assert_eq!(session.exchanges.len(), 1);
        assert_eq!((session.exchanges[0].tokens.input, session.exchanges[0].tokens.output), (Some(3), Some(9)));
    }
}

#[test]
fn a_stream_that_breaks_off_keeps_what_came() {
    for lines in 1..STREAM.len() {
        let text = STREAM[..lines].join("\n");
        let names: Vec<_> = session(&text).calls.iter().map(|call| call.key.id.to_string()).collect();
        let expected: &[&str] = match lines {
            0..=2 => &[],
            3..=6 => &["a"],
            _ => &["a", "b"],
        };
        assert_eq!(names, expected, "{lines} lines");
    }
    let cut = STREAM[..8].join("\n");
    assert_eq!(input(&session(&cut).calls[1]), r#"{"a":"#);
}

#[test]
fn reads_chat_messages_in_both_forms() {
    let text = r#"[{"role":"user","content":"hi"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":""}},7]},
        {"role":"tool","tool_call_id":"a","content":"1"},
        {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"2"}]},
        {"role":"assistant","content":null,"function_call":{"name":"h","arguments":"{"}},
        {"role":"function","name":"h","content":"3"},
        {"role":"assistant","content":null,"function_call":{"name":"h","arguments":"{"}}]"#;
    let session = session(text);
    assert_eq!(calls(&session), [r#"a f @0 ok "1""#, r#"b g @0 ok "2""#, r#" h @1 ok "3""#, "#1 h @2 lost ·"]);
    assert_eq!(input(&session.calls[0]), r#"{"x":1}"#);
    assert_eq!(input(&session.calls[1]), "{}");
    assert_eq!(session.problems.len(), 1);
    laws_of_documents(text, read);
}

#[test]
fn pieces_of_parallel_calls_interleave() {
    let chunk = |delta: &str| {
        format!(
            r#"data: {{"id":"c","object":"chat.completion.chunk","model":"m","created":1767312000,"choices":[{{"index":0,"delta":{delta}}}]}}"#
        )
    };
    let deltas = [
        r#"{"content":"so"}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}},{"index":1,"function":{"arguments":"}"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}"#,
    ];
    let text: String = deltas.iter().map(|delta| chunk(delta) + "\n\n").collect::<String>() + "data: [DONE]\n\n";
    let session = session(&text);
    assert_eq!(calls(&session), ["a f @0 lost ·", "b g @0 lost ·"]);
    assert_eq!((input(&session.calls[0]), input(&session.calls[1])), (r#"{"x":1}"#.to_owned(), "{}".to_owned()));
    assert_eq!(session.exchanges[0].said.as_ref().map(|text| text.read().into_owned()).as_deref(), Some("so"));
}

#[test]
fn reads_every_item_of_the_responses_api() {
    let text = r#"{"object":"response","id":"r","model":"m","created_at":1767312000,"completed_at":1767312005,"output":[
        {"type":"reasoning","id":"rs"},
        {"type":"function_call","id":"fc","call_id":"a","name":"f","arguments":"{}"},
        {"type":"custom_tool_call","id":"ct","call_id":"b","name":"sql","input":"SELECT 1"},
        {"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":["ls"]}},
        {"type":"shell_call","call_id":"d","action":{"commands":["ls"]}},
        {"type":"shell_call_output","call_id":"d","output":[{"stdout":"o","stderr":"e","outcome":{"type":"exit","exit_code":2}}]},
        {"type":"apply_patch_call","call_id":"e","operation":{"type":"delete_file","path":"p"}},
        {"type":"apply_patch_call_output","call_id":"e","status":"failed","output":"no"},
        {"type":"tool_search_call","id":"ts","call_id":null,"arguments":{"q":1}},
        {"type":"tool_search_output","id":"to","call_id":null,"tools":[]},
        {"type":"program","id":"p","call_id":"g","code":"x()"},
        {"type":"mcp_list_tools","id":"l","tools":[]},
        {"type":"mcp_call","id":"h","name":"ask","arguments":"{}","output":null,"error":"bad","status":"failed"},
        {"type":"mcp_approval_request","id":"i","name":"buy","arguments":"{}"},
        {"type":"web_search_call","id":"j","status":"completed","action":{"type":"search","query":"q"}},
        {"type":"file_search_call","id":"k","status":"completed","queries":["q"],"results":null},
        {"type":"code_interpreter_call","id":"m","status":"completed","code":"1","outputs":[{"type":"logs","logs":"1"}]},
        {"type":"image_generation_call","id":"n","status":"completed","output_format":"webp","result":"QQ=="},
        {"type":"web_search_call","id":"o","status":"in_progress"}]}"#;
    let session = session(text);
    assert_eq!(
        calls(&session),
        [
            "a f @0 lost ·",
            "b sql @0 lost ·",
            "c local_shell @0 lost ·",
            r#"d shell @0 error "o" + "e""#,
            r#"e apply_patch @0 error "no""#,
            "ts tool_search @0 ok []",
            "g program @0 lost ·",
            r#"h ask @0 error "bad""#,
            "i buy @0 awaiting-approval ·",
            "j web_search @0 ok ",
            "k file_search @0 ok ",
            r#"m code_interpreter @0 ok "1""#,
            "n image_generation @0 ok image/webp(QQ==)",
            "o web_search @0 lost ·",
        ]
    );
    assert_eq!(input(&session.calls[1]), "SELECT 1");
    assert_eq!(seconds(&session)[0], (Some(5), None));
    laws_of_cuts(text, read);
}

#[test]
fn an_allowed_call_goes_on_under_its_request() {
    let ask = r#"{"type":"mcp_approval_request","id":"i","name":"buy","arguments":"{}"}"#;
    let answer =
        |approve: bool| format!(r#"{{"type":"mcp_approval_response","approval_request_id":"i","approve":{approve}}}"#);
    let call = r#"{"type":"mcp_call","id":"j","approval_request_id":"i","name":"buy","arguments":"{}","output":"done","error":null}"#;
    let text = format!(r#"{{"model":"m","input":[{{"role":"user","content":"x"}},{ask},{},{call}]}}"#, answer(true));
    assert_eq!(calls(&session(&text)), [r#"i buy @0 ok "done""#]);
    let text = format!(r#"{{"model":"m","input":[{{"role":"user","content":"x"}},{ask},{}]}}"#, answer(false));
    assert_eq!(session(&text).calls[0].outcome.name(), "refused");
}

#[test]
fn item_ids_may_change_while_a_response_comes() {
    let events = [
        r#"{"type":"response.created","response":{"id":"r1","model":"m","created_at":1767312000,"output":[]}}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"x1","call_id":"a","name":"f","arguments":""}}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"x2","delta":"{\"k\":"}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"x3","delta":"1}"}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"x4","call_id":"a","name":"f","arguments":"{\"k\":1}"}}"#,
        r#"{"type":"response.completed","response":{"id":"r2","model":"m","output":[{"type":"function_call","id":"x5","call_id":"a","name":"f","arguments":"{\"k\":1}"},{"type":"web_search_call","id":"w","status":"completed","action":{}}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":2}}}"#,
    ];
    for upto in 2..=events.len() {
        let session = session(&events[..upto].join("\n"));
        let expected: &[&str] =
            if upto == 6 { &["a f @0 lost ·", "w web_search @0 ok "] } else { &["a f @0 lost ·"] };
        assert_eq!(calls(&session), expected, "{upto} events");
        let arguments = match upto {
            2 => "{}",
            3 => r#"{"k":"#,
            _ => r#"{"k":1}"#,
        };
        assert_eq!(input(&session.calls[0]), arguments, "{upto} events");
        assert_eq!(session.exchanges.len(), 1);
    }
}

#[test]
fn reads_model_messages_of_the_ai_sdk() {
    let text = r#"[{"role":"user","content":[{"type":"text","text":"hi"}]},
        {"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{"x":1}},{"type":"tool-call","toolCallId":"b","toolName":"g","input":"{\"city\": bad"},{"type":"tool-call","toolCallId":"c","toolName":"rm","input":{}},{"type":"tool-call","toolCallId":"d","toolName":"rm","input":{}},{"type":"tool-approval-request","approvalId":"z","toolCallId":"c"}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"json","value":{"y":2}}},{"type":"tool-result","toolCallId":"b","toolName":"g","output":{"type":"error-text","value":"no"}},{"type":"tool-result","toolCallId":"d","toolName":"rm","output":{"type":"execution-denied","reason":"never"}}]}]"#;
    assert_eq!(
        calls(&session(text)),
        [
            r#"a f @0 ok {"y":2}"#,
            r#"b g @0 error "no""#,
            "c rm @0 awaiting-approval ·",
            r#"d rm @0 refused by User "never""#
        ]
    );
}

#[test]
fn calls_may_stand_in_words() {
    let said = r#"I run it.\n<function=terminal>\n<parameter=command>ls \"x\"</parameter>\n</function>"#;
    let text = format!(
        r#"{{"messages":[{{"role":"user","content":"hi <function=demo></function>"}},{{"role":"assistant","content":"{said}"}},{{"role":"user","content":"EXECUTION RESULT of [terminal]:\nfine"}}],"response":{{"object":"chat.completion","choices":[{{"message":{{"role":"assistant","content":"","tool_calls":[{{"id":"z","function":{{"name":"finish","arguments":"{{}}"}}}}]}}}}]}}}}"#
    );
    let session = session(&text);
    assert_eq!(calls(&session), [r#" terminal @0 ok "fine""#, "z finish @1 lost ·"]);
    assert_eq!(input(&session.calls[0]), r#"{"command":"ls \"x\""}"#);
}

#[test]
fn an_error_is_an_exchange_that_failed() {
    let session = session(r#"{"error":{"message":"quota","type":"insufficient_quota"}}"#);
    assert_eq!(session.exchanges[0].error.as_deref(), Some("quota"));
    assert_eq!(session.calls.iter().filter(|call| call.outcome == Outcome::Ok).count(), 0);
}

/// Beginnings of every kind of record that is told by its fields, for tearing and mixing.
const RECORDS: [&str; 12] = [
    r#"{"packets":[{"request":{"body":{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}},"response":{"status":200,"body":"data: {}"}}]}"#,
    r#"{"log":{"entries":[{"startedDateTime":"x","time":-1e999,"request":{"postData":{"text":"{}"}},"response":{"content":{"text":"e=","encoding":"base64"}}}]}}"#,
    r#"{"eval":{},"samples":[{"id":1,"epoch":1,"messages":[{"role":"tool","tool_call_id":"a"}],"events":[{"event":"tool","id":"a","events":[{"event":"tool"}]}]}]}"#,
    r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"a","parentSpanId":"a","name":"execute_tool x","startTimeUnixNano":"-1","attributes":[{"key":"k","value":{}}]}]}]}]}"#,
    r#"{"trace":{},"observations":[{"id":"a","parentObservationId":"a","type":"TOOL","metadata":"{"}]}"#,
    r#"[{"role":"assistant","parts":[{"type":"tool-x","toolCallId":"a","state":"output-error"}],"toolInvocations":[{}]}]"#,
    r#"{"history":[{"action":"run"},{"observation":"run","cause":7},[[{"action":"x"}]]]}"#,
    r#"{"kind":"ObservationEvent","source":"e","tool_call_id":"","observation":{}}"#,
    r#"{"trajectory":[{"action":"\u0000","observation":{},"execution_time":"x"}]}"#,
    r#"{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","status":"failed"}}}"#,
    r#"{"schema_version":"A","steps":[{"tool_calls":[{}],"observation":{"results":[{"source_call_id":"a"}]}}]}"#,
    r#"{"role":"x","kind":"y","raw":{"type":"agent.tool_result"}}"#,
];

proptest::proptest! {
    #[test]
    fn any_damage_is_read(which in 0_usize..12, other in 0_usize..12, from in 0_usize..200, length in 0_usize..20, put in "[\\[\\]{}:,\"\\\\ a1é\n]{0,6}") {
        let record = RECORDS[which];
        let from = record.floor_char_boundary(from);
        let to = record.floor_char_boundary(from + length).max(from);
        let torn = [&record[..from], &put, &record[to..]].concat();
        for text in [torn.clone(), format!("{torn}\n{}", RECORDS[other]), format!("data: {torn}\n\ndata: {}", RECORDS[other])] {
            let _ = super::super::read("f", text.into_bytes());
        }
    }
}
