//! A stand-in for a Dispatch host: the wire as the specification `dispatch-api` says it, over conversations of our own
//! invention. The log is served on one loopback port, the live events on the port two above.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::{broadcast, oneshot};

/// How many live events a slow listener may lag behind.
const QUEUE: usize = 256;
/// How often a free pair of ports is looked for.
const TRIES: usize = 50;

/// A running stand-in host; it ends when dropped.
pub struct Dispatch {
    shared: Arc<Held>,
    address: SocketAddr,
    doors: Vec<Door>,
}

struct Door {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// What the server and its owner share.
struct Held {
    logs: Mutex<HashMap<String, Vec<Value>>>,
    live: broadcast::Sender<Live>,
    asked: Mutex<Vec<String>>,
}

#[derive(Clone)]
enum Live {
    Says(Arc<str>),
    HangsUp,
}

impl Dispatch {
    /// Serves on a loopback port and the one two above; 0 takes a free pair.
    ///
    /// # Errors
    ///
    /// When the ports cannot be had.
    pub fn start(port: u16) -> io::Result<Self> {
        let live = broadcast::Sender::new(QUEUE);
        let shared = Arc::new(Held { logs: Mutex::default(), live, asked: Mutex::default() });
        let (log, live) = pair(port)?;
        let address = log.local_addr()?;
        let mut host = Self { shared, address, doors: Vec::new() };
        host.open(log, live)?;
        Ok(host)
    }

    /// `host:port`, as the page's address names it.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Adds chunks `{role, chunk}` to the log of a conversation, each with the next `seq`; answers the last one.
    pub fn log(&self, conversation: &str, chunks: impl IntoIterator<Item = Value>) -> usize {
        let mut logs = lock(&self.shared.logs);
        let log = logs.entry(conversation.to_owned()).or_default();
        for mut chunk in chunks {
            chunk["seq"] = (log.len() + 1).into();
            log.push(chunk);
        }
        log.len()
    }

    /// Sends a live event of a turn to everybody who listens.
    pub fn say(&self, conversation: &str, turn: &str, mut event: Value) {
        event["conversationId"] = conversation.into();
        event["turnId"] = turn.into();
        let message = json!({ "type": "chat.delta", "event": event }).to_string();
        // Without a listener there is nobody to tell.
        let _ = self.shared.live.send(Live::Says(message.into()));
    }

    /// Drops all sockets.
    pub fn hang_up(&self) {
        let _ = self.shared.live.send(Live::HangsUp);
    }

    /// How many sockets are open.
    pub fn listeners(&self) -> usize {
        self.shared.live.receiver_count()
    }

    /// What was asked for of logs, in order, as `<conversation>?sinceSeq=<n>`.
    pub fn asked(&self) -> Vec<String> {
        lock(&self.shared.asked).clone()
    }

    /// Stops answering altogether: connections are refused and open ones are cut.
    pub fn stop(&mut self) {
        for Door { stop, thread } in self.doors.drain(..) {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }

    /// Answers again on the same ports.
    ///
    /// # Errors
    ///
    /// When the ports cannot be had.
    pub fn start_again(&mut self) -> io::Result<()> {
        if self.doors.is_empty() {
            let (log, live) = pair(self.address.port())?;
            self.open(log, live)?;
        }
        Ok(())
    }

    fn open(&mut self, log: TcpListener, live: TcpListener) -> io::Result<()> {
        let history = Router::new().route("/conversations/{id}", get(history)).with_state(self.shared.clone());
        let events = Router::new().route("/", any(events)).with_state(self.shared.clone());
        self.doors.push(serve(log, history)?);
        self.doors.push(serve(live, events)?);
        Ok(())
    }
}

impl Drop for Dispatch {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A chunk of a log that is text.
pub fn text(role: &str, text: &str) -> Value {
    json!({ "role": role, "chunk": { "type": "text", "text": text } })
}

/// What a chunk and a live event say alike of a call.
pub fn asks(id: &str, tool: &str, input: &Value) -> Value {
    json!({ "type": "tool-call", "toolCallId": id, "toolName": tool, "input": input })
}

/// The same of its result.
pub fn gives(id: &str, tool: &str, content: &str, is_error: bool) -> Value {
    json!({ "type": "tool-result", "toolCallId": id, "toolName": tool, "content": content, "isError": is_error })
}

/// What a running call puts out.
pub fn puts_out(id: &str, data: &str) -> Value {
    json!({ "type": "tool-output", "toolCallId": id, "data": data, "stream": "stdout" })
}

/// A chunk of a log.
pub fn chunk(role: &str, chunk: &Value) -> Value {
    json!({ "role": role, "chunk": chunk })
}

/// A log with a call that gave something and one that failed.
pub fn history_of_two() -> [Value; 6] {
    [
        text("user", "Why does the lamp flicker?"),
        text("assistant", "I look at the wiring first."),
        chunk("assistant", &asks("call_1", "read_file", &json!({ "path": "lamp/wiring.txt" }))),
        chunk("tool", &gives("call_1", "read_file", "1\tlive\n2\tneutral\n", false)),
        chunk("assistant", &asks("call_2", "run_shell", &json!({ "command": "measure --volts" }))),
        chunk("tool", &gives("call_2", "run_shell", "no meter found\n", true)),
    ]
}

/// Two listeners, the second two ports above the first.
fn pair(port: u16) -> io::Result<(TcpListener, TcpListener)> {
    let bind = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let mut failure = io::Error::from(io::ErrorKind::AddrInUse);
    for _ in 0..TRIES {
        let first = bind(port)?;
        let above = first.local_addr()?.port().checked_add(2).ok_or(io::ErrorKind::AddrNotAvailable);
        match above.map_err(io::Error::from).and_then(bind) {
            Ok(second) => return Ok((first, second)),
            Err(error) if port != 0 => return Err(error),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Serves on a runtime of its own, so that stopping takes every open connection along.
fn serve(listener: TcpListener, router: Router) -> io::Result<Door> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::spawn(move || {
        runtime.block_on(async {
            let serve = async { axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await };
            tokio::select! {
                _ = serve => {}
                _ = stopped => {}
            }
        });
    });
    Ok(Door { stop, thread })
}

async fn history(
    State(shared): State<Arc<Held>>,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let since = query.get("sinceSeq").and_then(|since| since.parse().ok()).unwrap_or(0);
    lock(&shared.asked).push(format!("{id}?sinceSeq={since}"));
    let open = [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    let logs = lock(&shared.logs);
    let Some(log) = logs.get(&id) else {
        return (StatusCode::NOT_FOUND, open, "no such conversation\n").into_response();
    };
    let page = json!({ "chunks": log.get(since..).unwrap_or_default(), "latestSeq": log.len() });
    (open, Json(page)).into_response()
}

async fn events(State(shared): State<Arc<Held>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(async move |socket| tell(socket, shared.live.subscribe()).await)
}

async fn tell(mut socket: WebSocket, mut live: broadcast::Receiver<Live>) {
    loop {
        tokio::select! {
            said = live.recv() => match said {
                Ok(Live::Says(message)) => {
                    if socket.send(Message::text(&*message)).await.is_err() {
                        return;
                    }
                }
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                _ => return,
            },
            // Nothing is asked of a host here, but a listener that went is seen by listening.
            heard = socket.recv() => if !matches!(heard, Some(Ok(_))) {
                return;
            },
        }
    }
}

/// Locks even after a panic in another thread: the test that panicked has failed already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
