//! What the stand-in does when it is told to misbehave.

use std::time::Duration;

use axum::http::Request;
use futures_util::future::{Either, select};
use serde_json::{Value, json};

use crate::Outcome;
use crate::http::{ask, example, get, get_json, open_stream, serving};
use crate::stand_in::{EMPTY, EXAMPLE, Fault, Route, World, reply};

fn timeline_path() -> String {
    format!("/v1/sessions/{EXAMPLE}/timeline")
}

#[tokio::test]
async fn one_route_can_fail_by_itself() -> Outcome {
    let stand_in = example()?;
    stand_in.misbehave(&[Route::Timeline], Fault::NotFound);
    let answer = get(&stand_in, &timeline_path()).await?;
    assert_eq!((answer.status, answer.text.as_str()), (404, "404 page not found\n"));
    assert_eq!(get(&stand_in, &format!("/v1/sessions/{EXAMPLE}")).await?.status, 200);
    stand_in.behave();
    assert_eq!(get(&stand_in, &timeline_path()).await?.status, 200);
    Ok(())
}

#[tokio::test]
async fn errors_are_text() -> Outcome {
    let stand_in = example()?;
    for (fault, status) in [(Fault::ServerError, 500), (Fault::Unreachable, 502)] {
        stand_in.misbehave(&Route::ALL, fault);
        let session = format!("/v1/sessions/{EXAMPLE}");
        for path in ["/v1/sessions", &session, &format!("{session}/events/24"), &timeline_path(), "/v1/events"] {
            let answer = get(&stand_in, path).await?;
            assert_eq!(answer.status, status, "{path}");
            assert!(answer.header("content-type").starts_with("text/plain"), "{path}");
            let unreachable = answer.header("x-callsheet-proxy") == "unreachable";
            assert_eq!(unreachable, fault == Fault::Unreachable, "{path}");
        }
    }
    assert_eq!(get(&stand_in, "/healthz").await?.status, 200, "the page's own server still stands");
    Ok(())
}

#[tokio::test]
async fn a_document_can_be_cut_under_status_200() -> Outcome {
    let stand_in = example()?;
    stand_in.misbehave(&[Route::Session], Fault::CutJson);
    let answer = get(&stand_in, &format!("/v1/sessions/{EXAMPLE}?view=summary")).await?;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert!(answer.json().is_err() && answer.text.starts_with("{\"id\""));
    Ok(())
}

#[tokio::test]
async fn empty_lists_can_be_null() -> Outcome {
    let stand_in = example()?;
    stand_in.misbehave(&Route::ALL, Fault::NullArrays);
    let empty = EMPTY.replace('@', "%40");
    assert_eq!(get_json(&stand_in, &format!("/v1/sessions/{empty}")).await?["events"], Value::Null);
    let timeline = get_json(&stand_in, &format!("/v1/sessions/{empty}/timeline")).await?;
    assert_eq!(timeline, json!({"agents": null, "tools": null, "jobs": null}));
    let nothing = serving(World::default())?;
    nothing.misbehave(&[Route::List], Fault::NullArrays);
    assert_eq!(get_json(&nothing, "/v1/sessions").await?, json!({"sessions": null}));
    Ok(())
}

#[tokio::test]
async fn an_absent_end_can_be_year_one() -> Outcome {
    let stand_in = example()?;
    let absent = |timeline: &Value, end: &Value| {
        timeline["tools"].as_array().into_iter().flatten().filter(|tool| &tool["end"] == end).count()
    };
    let before = absent(&get_json(&stand_in, &timeline_path()).await?, &Value::Null);
    stand_in.misbehave(&[Route::Timeline], Fault::YearOne);
    let after = get_json(&stand_in, &timeline_path()).await?;
    assert_eq!((absent(&after, &Value::Null), absent(&after, &json!("0001-01-01T00:00:00Z"))), (0, before));
    assert!(before > 0);
    Ok(())
}

#[tokio::test]
async fn an_answer_can_be_late() -> Outcome {
    let mut stand_in = example()?;
    stand_in.misbehave(&[Route::List], Fault::Slow(Duration::from_hours(1)));
    {
        let late = std::pin::pin!(get(&stand_in, "/v1/sessions"));
        let other = std::pin::pin!(get(&stand_in, "/healthz"));
        assert!(matches!(select(late, other).await, Either::Right((Ok(_), _))), "the other route answers first");
    }
    stand_in.stop();
    Ok(())
}

#[tokio::test]
async fn a_stopped_proxy_refuses_and_comes_back_on_the_same_port() -> Outcome {
    let mut stand_in = example()?;
    let address = stand_in.url();
    let mut stream = open_stream(&stand_in, "/v1/events").await?;
    assert_eq!(stream.frame().await.as_deref(), Some(": ok"));
    stand_in.stop();
    assert_eq!(stream.frame().await, None, "open connections are cut");
    assert!(get(&stand_in, "/healthz").await.is_err());
    stand_in.start_again()?;
    assert_eq!(stand_in.url(), address);
    assert_eq!(get(&stand_in, "/v1/sessions").await?.status, 200);
    Ok(())
}

#[tokio::test]
async fn a_session_can_begin_again_at_one() -> Outcome {
    let stand_in = example()?;
    let created = async || -> Result<Value, Box<dyn std::error::Error>> {
        let list = get_json(&stand_in, "/v1/sessions").await?;
        let row = list["sessions"].as_array().and_then(|rows| rows.iter().find(|row| row["id"] == EXAMPLE).cloned());
        Ok(row.ok_or("not listed")?["createdAt"].clone())
    };
    let before = created().await?;
    stand_in.begin_again(EXAMPLE);
    let seqs = stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000)));
    assert_eq!(seqs, [1, 2]);
    assert_ne!(created().await?, before);
    assert_eq!(get(&stand_in, &format!("/v1/sessions/{EXAMPLE}/events/24")).await?.status, 404);
    Ok(())
}

#[tokio::test]
async fn the_levers_work_by_hand() -> Outcome {
    let stand_in = example()?;
    let pull =
        async |lever: &str| ask(&stand_in, Request::builder().method("POST"), &format!("/_control/{lever}")).await;
    let held = || stand_in.world(|world| world.session(EXAMPLE).map_or(0, |session| session.seqs().len()));
    let before = held();
    assert_eq!(pull("call").await?.status, 200);
    assert_eq!(held(), before + 2);
    assert_eq!(pull("timeline/not-found").await?.status, 200);
    assert_eq!(get(&stand_in, &timeline_path()).await?.status, 404);
    assert_eq!(pull("behave").await?.status, 200);
    assert_eq!(get(&stand_in, &timeline_path()).await?.status, 200);
    assert_eq!(pull("begin-again").await?.status, 200);
    assert_eq!(held(), 2);
    assert_eq!(pull("dance").await?.status, 404);
    assert!(get(&stand_in, "/_control").await?.text.contains("hang-up"));
    Ok(())
}
