//! `GET /v1/sessions/{id}/timeline` (§7), and what the example tells with it.

use callsheet::trace::Timestamp;
use serde_json::{Value, json};

use crate::Outcome;
use crate::http::{example, get_json};
use crate::stand_in::{EMPTY, EXAMPLE, LARGE};

fn find<'a>(timeline: &'a Value, list: &str, id: &str) -> &'a Value {
    timeline[list].as_array().and_then(|items| items.iter().find(|item| item["id"] == id)).unwrap_or(&Value::Null)
}

/// Milliseconds from one instant to another, as the page itself reads them.
fn millis(from: &Value, to: &Value) -> Option<i64> {
    Some(Timestamp::parse(to.as_str()?)?.since(Timestamp::parse(from.as_str()?)?) / 1_000_000)
}

#[tokio::test]
async fn spans_of_the_example() -> Outcome {
    let timeline = get_json(&example()?, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    for (id, name, span) in [
        ("toolu_01A", "Bash", Some(13_210)),
        ("toolu_01B", "Read", Some(13_210)),
        ("toolu_01C", "Agent", Some(1_710)),
        ("toolu_01D", "Bash", Some(300)),
        ("toolu_01E", "Edit", Some(90)),
        ("toolu_01F", "Bash", None),
        ("toolu_03C", "Bash", None),
        ("toolu_10Z", "SubagentHandback", None),
        ("toolu_20Z", "StructuredOutput", None),
    ] {
        let tool = find(&timeline, "tools", id);
        assert_eq!((&tool["name"], millis(&tool["start"], &tool["end"])), (&json!(name), span), "{id}");
    }
    let (bash, read) = (find(&timeline, "tools", "toolu_01A"), find(&timeline, "tools", "toolu_01B"));
    assert_eq!((&bash["seq"], &bash["end"]), (&read["seq"], &read["end"]), "they ran in parallel");
    assert_eq!(bash["preview"], "git -C /tmp/wt status");
    Ok(())
}

#[tokio::test]
async fn outcomes_of_the_example() -> Outcome {
    let timeline = get_json(&example()?, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    for (id, end, error, lost) in [
        ("toolu_01A", true, false, false),
        ("toolu_01E", true, true, false),
        ("toolu_01F", false, false, false),
        ("toolu_03C", false, false, true),
        ("toolu_10Z", false, false, true),
    ] {
        let tool = find(&timeline, "tools", id);
        let told = (!tool["end"].is_null(), tool["error"] == true, tool["lost"] == true);
        assert_eq!(told, (end, error, lost), "{id}");
    }
    Ok(())
}

#[tokio::test]
async fn the_sub_agent_and_the_job() -> Outcome {
    let timeline = get_json(&example()?, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    let explore = find(&timeline, "agents", "a1");
    assert_eq!((&explore["label"], &explore["spawnTool"]), (&json!("Explore"), &json!("toolu_01C")));
    assert_eq!(explore["spawnedAt"], find(&timeline, "tools", "toolu_01C")["start"]);
    assert_eq!(millis(&explore["spawnedAt"], &explore["returnedAt"]), Some(348_000));
    let calls: Vec<_> =
        timeline["tools"].as_array().into_iter().flatten().filter(|tool| tool["agent"] == "a1").collect();
    assert_eq!(calls.len(), 12);
    assert_eq!(calls.iter().filter(|tool| tool["error"] == true).count(), 1);

    let job = &timeline["jobs"][0];
    assert_eq!((&job["agent"], &job["start"]), (&json!("main"), &find(&timeline, "tools", "toolu_01D")["end"]));
    assert_eq!(millis(&job["start"], &job["end"]), Some(242_000));
    Ok(())
}

#[tokio::test]
async fn tools_come_in_the_order_of_their_responses() -> Outcome {
    let stand_in = example()?;
    for id in [EXAMPLE, LARGE] {
        let timeline = get_json(&stand_in, &format!("/v1/sessions/{id}/timeline")).await?;
        assert!(timeline["tools"].as_array().is_some_and(|tools| tools.is_sorted_by_key(|tool| tool["seq"].as_u64())));
    }
    let large = get_json(&stand_in, &format!("/v1/sessions/{LARGE}/timeline")).await?;
    assert_eq!(large["tools"].as_array().map(Vec::len), Some(2_000));
    let empty = get_json(&stand_in, &format!("/v1/sessions/{EMPTY}/timeline")).await?;
    assert_eq!(empty, json!({"agents": [], "tools": [], "jobs": []}));
    Ok(())
}

#[tokio::test]
async fn events_stand_in_the_order_of_time() -> Outcome {
    let page = get_json(&example()?, &format!("/v1/sessions/{EXAMPLE}?view=summary")).await?;
    let at = |event: &Value| event["at"].as_str().and_then(Timestamp::parse);
    assert!(page["events"].as_array().is_some_and(|events| events.is_sorted_by_key(at)));
    let roles: Vec<_> = page["events"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|event| event["inference"]["agentRole"].as_str())
        .collect();
    let changes = roles.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(changes > 4, "the agents' events interleave");
    Ok(())
}
