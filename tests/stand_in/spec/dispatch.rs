//! The stand-in host against the specification of Dispatch's wire.

use axum::body::Body;
use axum::http::Request;
use axum::http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use futures_util::StreamExt;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;

use crate::Outcome;
use crate::stand_in::dispatch::{Dispatch, asks, history_of_two, text};

async fn get(host: &Dispatch, path: &str) -> Result<(u16, bool, String), Box<dyn std::error::Error>> {
    let client = Client::builder(TokioExecutor::new()).build_http::<Body>();
    let request = Request::get(format!("http://{}{path}", host.address())).body(Body::empty())?;
    let answer = client.request(request).await?;
    let open = answer.headers().get(ACCESS_CONTROL_ALLOW_ORIGIN).is_some_and(|origin| origin == "*");
    let status = answer.status().as_u16();
    let bytes = axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await?;
    Ok((status, open, String::from_utf8(bytes.to_vec())?))
}

#[tokio::test]
async fn the_log_is_read_from_a_seq_on() -> Outcome {
    let host = Dispatch::start(0)?;
    assert_eq!(host.log("lamp", history_of_two()), 6);
    let (status, open, page) = get(&host, "/conversations/lamp?sinceSeq=4").await?;
    let page: Value = serde_json::from_str(&page)?;
    let seqs: Vec<_> = page["chunks"].as_array().into_iter().flatten().map(|chunk| chunk["seq"].as_u64()).collect();
    assert_eq!((status, open, seqs, page["latestSeq"].as_u64()), (200, true, vec![Some(5), Some(6)], Some(6)));
    assert_eq!(
        (&page["chunks"][0]["role"], &page["chunks"][0]["chunk"]["type"]),
        (&json!("assistant"), &json!("tool-call"))
    );

    let (_, _, nothing) = get(&host, "/conversations/lamp?sinceSeq=6").await?;
    assert_eq!(serde_json::from_str::<Value>(&nothing)?, json!({ "chunks": [], "latestSeq": 6 }));
    let (_, _, all) = get(&host, "/conversations/lamp").await?;
    assert_eq!(serde_json::from_str::<Value>(&all)?["chunks"].as_array().map(Vec::len), Some(6));
    let (status, open, _) = get(&host, "/conversations/other").await?;
    assert_eq!((status, open), (404, true));
    assert_eq!(host.asked()[..2], ["lamp?sinceSeq=4", "lamp?sinceSeq=6"]);
    Ok(())
}

#[tokio::test]
async fn live_events_come_two_ports_above_until_the_host_hangs_up() -> Outcome {
    let mut host = Dispatch::start(0)?;
    let (name, port) =
        host.address().rsplit_once(':').map(|(name, port)| (name.to_owned(), port.to_owned())).ok_or("no port")?;
    let url = format!("ws://{name}:{}/", port.parse::<u16>()? + 2);
    let (mut socket, _) = connect_async(&url).await?;
    while host.listeners() == 0 {
        tokio::task::yield_now().await;
    }
    host.say("lamp", "t1", asks("call_1", "run_shell", &json!({ "command": "ls" })));
    let message = socket.next().await.ok_or("no message")??;
    let message: Value = serde_json::from_str(message.to_text()?)?;
    assert_eq!(message["type"], "chat.delta");
    let event = &message["event"];
    assert_eq!(
        (&event["type"], &event["conversationId"], &event["turnId"], &event["toolCallId"]),
        (&json!("tool-call"), &json!("lamp"), &json!("t1"), &json!("call_1"))
    );
    assert!(event.get("seq").is_none());

    host.hang_up();
    assert!(!matches!(socket.next().await, Some(Ok(message)) if message.is_text()), "nothing more is said");
    host.stop();
    assert!(connect_async(&url).await.is_err());
    host.start_again()?;
    let (_socket, _) = connect_async(&url).await?;
    host.log("lamp", [text("user", "Still there?")]);
    assert_eq!(get(&host, "/conversations/lamp").await?.0, 200);
    Ok(())
}
