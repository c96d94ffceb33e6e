//! The event stream (§1.4), and sessions that go on.

use std::time::Duration;

use serde_json::Value;

use crate::Outcome;
use crate::http::{example, get_json, open_stream};
use crate::stand_in::{CHAT, EXAMPLE, Moment, Settings, StandIn, World, bash, live_step, reply};

/// The id and the event of a frame of exactly three lines.
fn read_frame(frame: &str) -> Option<(u64, Value)> {
    let [event, id, data] = frame.split('\n').collect::<Vec<_>>().try_into().ok()?;
    (event == "event: session-event").then_some(())?;
    Some((id.strip_prefix("id: ")?.parse().ok()?, serde_json::from_str(data.strip_prefix("data: ")?).ok()?))
}

#[tokio::test]
async fn frames_carry_full_events_and_count_from_one() -> Outcome {
    let stand_in = example()?;
    let mut stream = open_stream(&stand_in, "/v1/events").await?;
    for (name, value) in
        [("content-type", "text/event-stream"), ("cache-control", "no-cache"), ("x-accel-buffering", "no")]
    {
        assert_eq!(stream.headers.get(name).and_then(|value| value.to_str().ok()), Some(value));
    }
    assert_eq!(stream.frame().await.as_deref(), Some(": ok"));

    let seqs = stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000).calls(bash("toolu_new", "make"))));
    for (place, seq) in seqs.into_iter().enumerate() {
        let (id, event) = read_frame(&stream.frame().await.ok_or("no frame")?).ok_or("no frame of three lines")?;
        assert_eq!((id, event["seq"].as_u64()), (place as u64 + 1, Some(seq)), "ids count frames, not events");
        assert_eq!(event, get_json(&stand_in, &format!("/v1/sessions/{EXAMPLE}/events/{seq}")).await?);
        assert!(event["inference"]["messages"].is_array(), "never a summary");
    }
    let mut second = open_stream(&stand_in, "/v1/events").await?;
    assert_eq!(second.frame().await.as_deref(), Some(": ok"));
    stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000)));
    let first = read_frame(&second.frame().await.ok_or("no frame")?).ok_or("no frame")?;
    assert_eq!(first.0, 1, "nothing is replayed, and every connection counts for itself");
    Ok(())
}

#[tokio::test]
async fn a_stream_can_be_for_one_session() -> Outcome {
    let stand_in = example()?;
    let mut stream = open_stream(&stand_in, "/v1/events?session=chat%40workbench.example%3A7").await?;
    stream.frame().await;
    stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000)));
    stand_in.play(CHAT, |story| story.exchange("main", reply(1_000)));
    let (id, event) = read_frame(&stream.frame().await.ok_or("no frame")?).ok_or("no frame")?;
    assert_eq!((id, &event["sessionId"]), (1, &Value::from(CHAT)));
    Ok(())
}

#[tokio::test]
async fn an_idle_stream_says_that_it_lives() -> Outcome {
    let settings = Settings { heartbeat: Duration::from_millis(5), ..Settings::default() };
    let stand_in = StandIn::start(settings, World::default())?;
    let mut stream = open_stream(&stand_in, "/v1/events").await?;
    assert_eq!(stream.frame().await.as_deref(), Some(": ok"));
    assert_eq!(stream.frame().await.as_deref(), Some(": heartbeat"));
    Ok(())
}

#[tokio::test]
async fn a_dropped_stream_ends_and_can_be_opened_again() -> Outcome {
    let stand_in = example()?;
    let mut stream = open_stream(&stand_in, "/v1/events").await?;
    stream.frame().await;
    assert_eq!(stand_in.listeners(), 1);
    stand_in.hang_up();
    assert_eq!(stream.frame().await, None);
    assert_eq!(open_stream(&stand_in, "/v1/events").await?.frame().await.as_deref(), Some(": ok"));
    Ok(())
}

#[tokio::test]
async fn a_running_call_ends_with_its_agents_next_request() -> Outcome {
    let stand_in = example()?;
    stand_in.play(EXAMPLE, |story| {
        story.settle("toolu_01F", "no complaints\n");
        story.exchange("main", reply(1_000));
    });
    let timeline = get_json(&stand_in, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    let tool = timeline["tools"].as_array().and_then(|tools| tools.iter().find(|tool| tool["id"] == "toolu_01F"));
    assert!(tool.is_some_and(|tool| tool["end"].is_string()));
    let seq = stand_in.world(|world| world.session(EXAMPLE)?.result_seq("toolu_01F")).ok_or("no result")?;
    let carrier = get_json(&stand_in, &format!("/v1/sessions/{EXAMPLE}/events/{seq}")).await?;
    assert!(carrier.to_string().contains("no complaints"));
    Ok(())
}

#[tokio::test]
async fn a_call_that_the_next_request_says_nothing_of_is_lost() -> Outcome {
    let stand_in = example()?;
    stand_in.play(EXAMPLE, |story| story.exchange("main", reply(1_000)));
    let timeline = get_json(&stand_in, &format!("/v1/sessions/{EXAMPLE}/timeline")).await?;
    let tool = timeline["tools"].as_array().and_then(|tools| tools.iter().find(|tool| tool["id"] == "toolu_01F"));
    assert!(tool.is_some_and(|tool| tool["lost"] == true && tool["end"].is_null()));
    Ok(())
}

#[tokio::test]
async fn a_live_session_makes_call_after_call() -> Outcome {
    let stand_in = StandIn::start(Settings::default(), World::example(Moment::now()))?;
    let calls = |stand_in: &StandIn| {
        stand_in.world(|world| world.session(EXAMPLE).map(|session| session.calls_of("main").len()))
    };
    let before = calls(&stand_in);
    for step in 0..3 {
        stand_in.play(EXAMPLE, |story| live_step(story, step));
    }
    assert_eq!(calls(&stand_in), before.map(|before| before + 3));
    let running =
        |id| stand_in.world(|world| world.session(EXAMPLE).is_some_and(|session| session.result_seq(id).is_none()));
    assert!(!running("toolu_live_1") && running("toolu_live_2"));
    Ok(())
}
