//! The server: it starts, stops and starts again on the same port, and remembers what was asked.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{broadcast, oneshot};

use super::stream::{QUEUE, Signal};
use super::{Fault, Moment, Route, Story, World, api};

/// What can be chosen of the server itself.
pub struct Settings {
    /// 0 takes a free port.
    pub port: u16,
    /// The folder of the built page.
    pub page: PathBuf,
    /// How often an idle event stream says that it lives.
    pub heartbeat: Duration,
}

impl Default for Settings {
    /// A free port, the page in `CALLSHEET_DIST` or `dist`, and the proxy's own heartbeat.
    fn default() -> Self {
        let page = std::env::var_os("CALLSHEET_DIST").map_or_else(|| PathBuf::from("dist"), PathBuf::from);
        Self { port: 0, page, heartbeat: Duration::from_secs(30) }
    }
}

/// A request that came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// As it stood in the address, so percent-encoded.
    pub path: String,
    pub query: String,
}

/// A running stand-in proxy; it ends when dropped.
pub struct StandIn {
    shared: Arc<Shared>,
    address: SocketAddr,
    running: Option<Running>,
}

struct Running {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl StandIn {
    /// Serves a world on a loopback port.
    ///
    /// # Errors
    ///
    /// When the port cannot be had.
    pub fn start(settings: Settings, world: World) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port));
        let mut stand_in = Self { shared: Arc::new(Shared::new(settings, world)), address, running: None };
        stand_in.start_again()?;
        Ok(stand_in)
    }

    /// The address of the page, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops answering altogether: connections are refused and open ones are cut.
    pub fn stop(&mut self) {
        if let Some(Running { stop, thread }) = self.running.take() {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }

    /// Answers again on the same port.
    ///
    /// # Errors
    ///
    /// When the port cannot be had.
    pub fn start_again(&mut self) -> io::Result<()> {
        if self.running.is_some() {
            return Ok(());
        }
        let listener = TcpListener::bind(self.address)?;
        listener.set_nonblocking(true)?;
        self.address = listener.local_addr()?;
        // A runtime of its own, so that stopping takes every open connection along.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let router = api::router(self.shared.clone());
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
        self.running = Some(Running { stop, thread });
        Ok(())
    }

    /// Adds to a session and tells the open event streams; answers the seqs of the new events.
    pub fn play(&self, session: &str, tell: impl FnOnce(&mut Story)) -> Vec<u64> {
        self.shared.play(session, tell)
    }

    /// Reads something of the world.
    pub fn world<T>(&self, read: impl FnOnce(&World) -> T) -> T {
        read(&self.shared.world())
    }

    /// Evicts a session; it comes back under its old name, counted from 1.
    pub fn begin_again(&self, session: &str) {
        self.shared.world().begin_again(session, Moment::now());
    }

    /// Drops all event streams.
    pub fn hang_up(&self) {
        self.shared.hang_up();
    }

    /// How many event streams are open.
    pub fn listeners(&self) -> usize {
        self.shared.signals.receiver_count()
    }

    /// These routes misbehave until told otherwise.
    pub fn misbehave(&self, routes: &[Route], fault: Fault) {
        self.shared.misbehave(routes, fault);
    }

    /// Ends all faults.
    pub fn behave(&self) {
        self.shared.behave();
    }

    /// Everything that was asked, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }

    /// How often this path was asked for, whatever its query.
    pub fn count(&self, path: &str) -> usize {
        lock(&self.shared.requests).iter().filter(|request| request.path == path).count()
    }

    /// The seqs of all events of a session that were fetched in full, in order; repeats stand as often as they came.
    pub fn events_fetched(&self, session: &str) -> Vec<u64> {
        let prefix = format!("/v1/sessions/{session}/events/");
        let seq = |request: &Request| request.path.strip_prefix(&prefix)?.parse().ok();
        lock(&self.shared.requests).iter().filter_map(seq).collect()
    }

    /// Forgets what was asked until now.
    pub fn forget_requests(&self) {
        lock(&self.shared.requests).clear();
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the server and its owner share.
pub(super) struct Shared {
    pub page: PathBuf,
    pub heartbeat: Duration,
    pub signals: broadcast::Sender<Signal>,
    world: Mutex<World>,
    faults: Mutex<BTreeMap<Route, Fault>>,
    requests: Mutex<Vec<Request>>,
    steps: AtomicUsize,
}

impl Shared {
    fn new(settings: Settings, world: World) -> Self {
        Self {
            page: settings.page,
            heartbeat: settings.heartbeat,
            signals: broadcast::Sender::new(QUEUE),
            world: Mutex::new(world),
            faults: Mutex::default(),
            requests: Mutex::default(),
            steps: AtomicUsize::new(0),
        }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }

    /// The number of the next step of a session that goes on by itself.
    pub fn next_step(&self) -> usize {
        self.steps.fetch_add(1, Ordering::Relaxed)
    }

    pub fn play(&self, session: &str, tell: impl FnOnce(&mut Story)) -> Vec<u64> {
        // A live reply takes a second, and is to arrive now.
        let asked_at = Moment::now() - Duration::from_secs(1);
        let mut world = self.world();
        let seqs = world.play(session, |story| {
            story.catch_up(asked_at);
            tell(story);
        });
        let events = seqs.iter().filter_map(|seq| world.session(session)?.event(*seq));
        for json in events.filter_map(|event| api::go_json(&event).ok()) {
            // Without a listener there is nobody to tell.
            let _ = self.signals.send(Signal::Event { session: session.into(), json: json.into() });
        }
        seqs
    }

    pub fn hang_up(&self) {
        let _ = self.signals.send(Signal::HangUp);
    }

    pub fn fault(&self, route: Route) -> Option<Fault> {
        lock(&self.faults).get(&route).copied()
    }

    pub fn misbehave(&self, routes: &[Route], fault: Fault) {
        lock(&self.faults).extend(routes.iter().map(|route| (*route, fault)));
    }

    pub fn behave(&self) {
        lock(&self.faults).clear();
    }

    pub fn remember(&self, request: &axum::extract::Request) {
        lock(&self.requests).push(Request {
            method: request.method().to_string(),
            path: request.uri().path().into(),
            query: request.uri().query().unwrap_or_default().into(),
        });
    }
}

/// Locks even after a panic in another thread: the test that panicked has failed already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
