//! `GET /v1/sessions` (§1.1).

use serde_json::{Value, json};

use crate::Outcome;
use crate::http::{example, get_json, serving};
use crate::stand_in::{CHAT, EMPTY, EXAMPLE, LARGE, Story, World, reply};

fn ids(list: &Value) -> Vec<&str> {
    list["sessions"].as_array().into_iter().flatten().filter_map(|session| session["id"].as_str()).collect()
}

#[tokio::test]
async fn the_newest_update_stands_first() -> Outcome {
    let list = get_json(&example()?, "/v1/sessions").await?;
    assert_eq!(ids(&list)[0], EXAMPLE);
    assert_eq!(ids(&list).len(), 4);
    assert!([CHAT, EMPTY, LARGE].iter().all(|id| ids(&list).contains(id)));
    assert_eq!(list.as_object().map(serde_json::Map::len), Some(1), "no archive unless asked for");
    Ok(())
}

#[tokio::test]
async fn a_row_says_what_is_known_and_no_more() -> Outcome {
    let list = get_json(&example()?, "/v1/sessions").await?;
    let row = |id: &str| list["sessions"].as_array().and_then(|rows| rows.iter().find(|row| row["id"] == id)).cloned();
    let example = row(EXAMPLE).ok_or("no example")?;
    assert_eq!(example["title"], "add a spanning cell to the table");
    assert_eq!(example["agent"], "claude-code/2.1.30");
    assert_eq!(example["active"], true);
    assert!(example["totalTokens"].as_u64() > Some(1_000_000) && example["costMicros"].as_u64() > Some(900_000));

    let chat = row(CHAT).ok_or("no chat")?;
    assert_eq!((&chat["costMicros"], &chat["agent"]), (&Value::Null, &Value::Null), "not priced is absent, not 0");
    let empty = row(EMPTY).ok_or("no empty session")?;
    let keys: Vec<_> = empty.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["active", "createdAt", "eventCount", "id", "updatedAt"]);
    assert_eq!((&empty["eventCount"], &empty["active"]), (&json!(0), &json!(false)));
    Ok(())
}

#[tokio::test]
async fn one_session_at_most_is_active_the_one_added_to_last() -> Outcome {
    let stand_in = example()?;
    stand_in.play(CHAT, |story: &mut Story| story.exchange("main", reply(1_000)));
    let list = get_json(&stand_in, "/v1/sessions").await?;
    let active: Vec<_> =
        list["sessions"].as_array().into_iter().flatten().filter(|row| row["active"] == true).collect();
    assert_eq!(active.len(), 1);
    assert_eq!(active[0]["id"], CHAT);
    Ok(())
}

#[tokio::test]
async fn the_archive_is_told_when_asked_for() -> Outcome {
    let list = get_json(&example()?, "/v1/sessions?archived=true").await?;
    let on_disk = list["sessions"].as_array().into_iter().flatten().find(|row| row["resident"] == false);
    assert_eq!(on_disk.map(|row| &row["id"]), Some(&json!("on-disk-alone")));
    assert_eq!(list["archive"]["retentionDays"], 30);
    Ok(())
}

#[tokio::test]
async fn an_empty_store_is_an_empty_list() -> Outcome {
    assert_eq!(get_json(&serving(World::default())?, "/v1/sessions").await?, json!({"sessions": []}));
    Ok(())
}
