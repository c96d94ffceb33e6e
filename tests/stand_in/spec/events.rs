//! `GET /v1/sessions/{id}/events/{seq}`, and the recipes for a call's input and output (§2.3).

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::Outcome;
use crate::http::{example, get_json};
use crate::stand_in::{CHAT, EXAMPLE, LARGE, StandIn};

async fn event(stand_in: &StandIn, id: &str, seq: u64) -> Result<Value, Box<dyn std::error::Error>> {
    get_json(stand_in, &format!("/v1/sessions/{id}/events/{seq}")).await
}

fn list<'a>(event: &'a Value, name: &str) -> &'a [Value] {
    event["inference"][name].as_array().map_or(&[], Vec::as_slice)
}

#[tokio::test]
async fn the_first_exchange_stands_as_in_the_specification() -> Outcome {
    let stand_in = example()?;
    let (request, response) = (event(&stand_in, EXAMPLE, 23).await?, event(&stand_in, EXAMPLE, 24).await?);
    assert_eq!((&request["phase"], &request["requestId"]), (&json!("request"), &json!("r-12")));
    assert_eq!((&response["phase"], &response["requestId"]), (&json!("response"), &json!("r-12")));
    assert_eq!((&response["durationMs"], &response["statusCode"]), (&json!(4_210), &json!(200)));
    assert_eq!(response["plugins"]["cost"]["cost_usd"], 0.2546);
    let inference = &response["inference"];
    assert_eq!((&inference["finishReason"], &inference["agentRole"]), (&json!("tool_use"), &json!("main")));
    assert_eq!(list(&response, "messages"), list(&request, "messages"), "the response repeats the request's messages");
    let calls = list(&response, "toolCalls");
    assert_eq!(calls.iter().map(|call| &call["name"]).collect::<Vec<_>>(), ["Bash", "Read"]);
    assert_eq!(calls[0]["arguments"], r#"{"command":"git -C /tmp/wt status"}"#, "arguments are text");
    Ok(())
}

#[tokio::test]
async fn every_ended_call_has_its_result_in_the_request_at_its_end() -> Outcome {
    let stand_in = example()?;
    let timeline = get_json(&stand_in, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    for tool in timeline["tools"].as_array().into_iter().flatten() {
        let id = tool["id"].as_str().unwrap_or_default();
        let call = event(&stand_in, EXAMPLE, tool["seq"].as_u64().unwrap_or_default()).await?;
        assert!(list(&call, "toolCalls").iter().any(|call| call["id"] == id), "{id} is not asked for where it says");
        let Some(seq) = stand_in.world(|world| world.session(EXAMPLE)?.result_seq(id)) else {
            assert!(tool["end"].is_null(), "{id} ended and no request says so");
            continue;
        };
        let carrier = event(&stand_in, EXAMPLE, seq).await?;
        assert_eq!((&carrier["at"], &carrier["phase"]), (&tool["end"], &json!("request")), "{id}");
        let result = list(&carrier, "toolResults").iter().find(|result| result["toolUseId"] == id);
        assert_eq!(result.map(|result| &result["isError"]), Some(&tool["error"]), "{id}: both absent, or both true");
    }
    Ok(())
}

#[tokio::test]
async fn a_request_sends_all_earlier_results_of_its_agent_again() -> Outcome {
    let stand_in = example()?;
    let last = stand_in.world(|world| world.session(EXAMPLE).map(|session| session.seqs().len() as u64 + 22));
    let newest = event(&stand_in, EXAMPLE, last.ok_or("no example")?.saturating_sub(1)).await?;
    assert_eq!((&newest["phase"], &newest["inference"]["agentRole"]), (&json!("request"), &json!("main")));
    let ids: HashSet<_> =
        list(&newest, "toolResults").iter().filter_map(|result| result["toolUseId"].as_str()).collect();
    for id in ["toolu_01A", "toolu_01B", "toolu_01C", "toolu_01E", "toolu_02C", "toolu_02D", "toolu_03D"] {
        assert!(ids.contains(id), "{id}");
    }
    for (id, why) in [("toolu_03C", "lost"), ("toolu_01F", "running"), ("toolu_10A", "another agent's")] {
        assert!(!ids.contains(id), "{id} is {why}");
    }
    assert_eq!(ids.len(), list(&newest, "toolResults").len(), "each once");
    Ok(())
}

#[tokio::test]
async fn a_compaction_forgets_what_went_before() -> Outcome {
    let stand_in = example()?;
    let newest = stand_in.world(|world| world.session(LARGE)?.seqs().last().copied()).ok_or("no session")?;
    let results = event(&stand_in, LARGE, newest - 1).await?;
    let results = list(&results, "toolResults").len();
    assert!((1..200).contains(&results), "{results}");
    Ok(())
}

#[tokio::test]
async fn outputs_stand_as_they_were_printed() -> Outcome {
    let stand_in = example()?;
    let output = async |id: &str| -> Result<String, Box<dyn std::error::Error>> {
        let seq = stand_in.world(|world| world.session(EXAMPLE)?.result_seq(id)).ok_or("no result")?;
        let carrier = event(&stand_in, EXAMPLE, seq).await?;
        let result =
            list(&carrier, "toolResults").iter().find(|result| result["toolUseId"] == id).ok_or("no result")?;
        Ok(result["content"].as_str().unwrap_or_default().to_owned())
    };
    for (id, lines) in [("toolu_02A", 128), ("toolu_02B", 12), ("toolu_02C", 13), ("toolu_02D", 0), ("toolu_02I", 1)] {
        assert_eq!(output(id).await?.lines().count(), lines, "{id}");
    }
    assert!(output("toolu_02E").await?.contains("\u{1b}[1;31mFAILED"));
    assert!(output("toolu_02F").await?.contains("<img src=x onerror=alert(1)>"));
    assert!(output("toolu_02F").await?.contains('\u{202e}'));
    Ok(())
}

#[tokio::test]
async fn chat_results_stand_only_as_messages_of_role_tool() -> Outcome {
    let stand_in = example()?;
    // Exchanges: two calls, one call, the words.
    let second = event(&stand_in, CHAT, 3).await?;
    assert!(list(&second, "toolResults").is_empty());
    let tail: Vec<_> = list(&second, "messages").iter().rev().take(2).collect();
    assert!(tail.iter().all(|message| message["role"] == "tool" && message["id"].is_null()));
    assert_eq!(tail[1]["content"], "Monday: laid the table.\n", "in the order of the calls");
    let timeline = get_json(&stand_in, &format!("/v1/sessions/{}/timeline", CHAT.replace('@', "%40"))).await?;
    assert_eq!(timeline["tools"].as_array().map(Vec::len), Some(3));
    Ok(())
}

#[tokio::test]
async fn other_traffic_stands_among_the_model_calls() -> Outcome {
    let stand_in = example()?;
    let page = get_json(&stand_in, &format!("/v1/sessions/{EXAMPLE}")).await?;
    let events = page["events"].as_array().ok_or("no events")?;
    let mcp: Vec<_> = events.iter().filter(|event| !event["mcp"].is_null()).collect();
    assert_eq!(mcp.len(), 2);
    assert_eq!(mcp[0]["mcp"]["params"]["name"], "search_issues");
    assert_eq!((&mcp[0]["requestId"], &mcp[0]["mcp"]["rpcId"]), (&mcp[1]["requestId"], &mcp[1]["mcp"]["rpcId"]));
    let tunnel: Vec<_> = events.iter().filter(|event| event["tunnel"] == true).collect();
    assert_eq!(
        tunnel.iter().map(|event| event["phase"].as_str()).collect::<Vec<_>>(),
        [Some("request"), Some("response")]
    );
    assert_eq!(tunnel[1]["bytesDown"], 51_200);
    Ok(())
}
