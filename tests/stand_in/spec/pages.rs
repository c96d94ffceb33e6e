//! `GET /v1/sessions/{id}` (§1.2, §2.2).

use serde_json::Value;

use crate::Outcome;
use crate::http::{example, get_json};
use crate::stand_in::{CHAT, EMPTY, EXAMPLE, LARGE, StandIn};

async fn page(stand_in: &StandIn, id: &str, query: &str) -> Result<Value, Box<dyn std::error::Error>> {
    get_json(stand_in, &format!("/v1/sessions/{id}{query}")).await
}

fn seqs(page: &Value) -> Vec<u64> {
    page["events"].as_array().into_iter().flatten().filter_map(|event| event["seq"].as_u64()).collect()
}

#[tokio::test]
async fn a_whole_session_comes_without_totals() -> Outcome {
    let stand_in = example()?;
    let whole = page(&stand_in, EXAMPLE, "").await?;
    let keys: Vec<_> = whole.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["events", "id"]);
    assert_eq!(seqs(&whole)[..3], [23, 24, 25]);
    assert!(seqs(&whole).is_sorted());
    assert_eq!(page(&stand_in, EMPTY, "").await?["events"], Value::Array(Vec::new()));
    Ok(())
}

#[tokio::test]
async fn limits_are_read_as_the_proxy_reads_them() -> Outcome {
    let stand_in = example()?;
    let held = stand_in.world(|world| world.session(LARGE).map_or(0, |session| session.seqs().len()));
    assert!(held > 3_000, "{held} events need no second page");
    for (limit, expected) in
        [("", 500), ("limit=7", 7), ("limit=0", 500), ("limit=-3", 500), ("limit=many", 500), ("limit=9000", 2_000)]
    {
        let page = page(&stand_in, LARGE, &format!("?view=summary&{limit}")).await?;
        assert_eq!(seqs(&page).len(), expected, "{limit}");
        assert_eq!(seqs(&page).last(), Some(&(held as u64)), "{limit}: the newest page");
        assert_eq!((page["totalEvents"].as_u64(), page["oldestSeq"].as_u64()), (Some(held as u64), Some(1)));
    }
    Ok(())
}

#[tokio::test]
async fn older_pages_lead_to_the_first_event() -> Outcome {
    let stand_in = example()?;
    let all = stand_in.world(|world| world.session(LARGE).map(crate::stand_in::Session::seqs)).ok_or("no session")?;
    let mut found = Vec::new();
    let mut before = String::from("0");
    loop {
        let page = page(&stand_in, LARGE, &format!("?view=summary&limit=900&before={before}")).await?;
        found.splice(0..0, seqs(&page));
        let first = seqs(&page)[0];
        if page["oldestSeq"] == first {
            break;
        }
        before = first.to_string();
    }
    assert_eq!(found, all);
    assert!(seqs(&page(&stand_in, LARGE, "?before=1").await?).is_empty());
    assert_eq!(
        seqs(&page(&stand_in, LARGE, "?limit=5&before=x").await?).last(),
        all.last(),
        "garbage: the newest page"
    );
    Ok(())
}

#[tokio::test]
async fn only_the_exact_view_is_echoed() -> Outcome {
    let stand_in = example()?;
    assert_eq!(page(&stand_in, EXAMPLE, "?view=summary").await?["view"], "summary");
    for other in ["?view=Summary", "?view=full", "?view="] {
        assert_eq!(page(&stand_in, EXAMPLE, other).await?["view"], Value::Null, "{other}");
    }
    Ok(())
}

/// The paths of all members, `inference.tools` and so on, that stand in any event of a page.
fn members(page: &Value) -> std::collections::BTreeSet<String> {
    let mut paths = std::collections::BTreeSet::new();
    for (key, value) in page["events"].as_array().into_iter().flatten().filter_map(Value::as_object).flatten() {
        paths.insert(key.clone());
        if matches!(key.as_str(), "inference" | "mcp") {
            paths.extend(value.as_object().into_iter().flatten().map(|(inner, _)| format!("{key}.{inner}")));
        }
    }
    paths
}

#[tokio::test]
async fn the_summary_takes_these_members_away_and_adds_two_counts() -> Outcome {
    let stand_in = example()?;
    let full = members(&page(&stand_in, EXAMPLE, "").await?);
    let summary = members(&page(&stand_in, EXAMPLE, "?view=summary").await?);
    let gone: Vec<_> = full.difference(&summary).map(String::as_str).collect();
    let new: Vec<_> = summary.difference(&full).map(String::as_str).collect();
    assert_eq!(
        gone,
        [
            "inference.messages",
            "inference.toolCalls",
            "inference.toolResults",
            "inference.tools",
            "mcp.params",
            "mcp.result"
        ]
    );
    assert_eq!(new, ["inference.messageCount", "inference.toolCount"]);
    assert!(
        ["inference.completion", "inference.finishReason", "plugins", "error"]
            .iter()
            .all(|kept| summary.contains(*kept))
    );
    Ok(())
}

#[tokio::test]
async fn counts_tell_what_the_full_event_holds() -> Outcome {
    let stand_in = example()?;
    for id in [EXAMPLE, CHAT] {
        let (full, summary) = (page(&stand_in, id, "").await?, page(&stand_in, id, "?view=summary").await?);
        for (full, summary) in
            full["events"].as_array().into_iter().flatten().zip(summary["events"].as_array().into_iter().flatten())
        {
            let count = |list: &str| full["inference"][list].as_array().map_or(0, Vec::len) as u64;
            let told = |key: &str| summary["inference"][key].as_u64().unwrap_or_default();
            assert_eq!(
                (count("messages"), count("tools")),
                (told("messageCount"), told("toolCount")),
                "{}",
                full["seq"]
            );
        }
    }
    Ok(())
}

#[tokio::test]
async fn odd_ids_are_found_percent_encoded() -> Outcome {
    let stand_in = example()?;
    assert_eq!(page(&stand_in, "pending%3Acodex%404211.1759755000", "").await?["id"], EMPTY);
    assert_eq!(page(&stand_in, "on-disk-alone", "").await?["id"], "on-disk-alone");
    Ok(())
}
