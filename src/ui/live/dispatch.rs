//! A conversation of a Dispatch host, kept fresh: its live events as they come, and its log whenever the host says that
//! there is more of it, the events may have been missed, or nothing was heard for a while.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use leptos::task::{spawn_local, spawn_local_scoped_with_cancellation};

use crate::host::fetch::Abort;
use crate::host::socket::{Socket, Told};
use crate::host::{clock, visibility};
use crate::source::dispatch::client::{self, ClientError};
use crate::source::dispatch::{Endpoint, Fold};
use crate::source::refresh::{Connection, Refresh, Signal};
use crate::trace::Buffer;
use crate::ui::chunk::chunk;
use crate::ui::erased::effect;
use crate::ui::screen::{Ask, Link, LinkState, Screen};

/// A model says many pieces a second; the page is drawn anew once in this time, in milliseconds.
const DRAW_MS: u32 = 100;

/// A conversation that is watched. Everything here ends with the component that watches it.
#[derive(Clone, Copy)]
struct Watched {
    screen: Screen,
    of: StoredValue<(Endpoint, String)>,
    fold: StoredValue<Fold, LocalStorage>,
    /// The log, and why it could not be had the last time.
    log: Door,
    /// The live events.
    live: Door,
    socket: StoredValue<Option<Socket>, LocalStorage>,
    heard: StoredValue<u64>,
    abort: StoredValue<Option<Abort>, LocalStorage>,
    drawing: StoredValue<Option<Timeout>, LocalStorage>,
    hidden: ReadSignal<bool>,
}

/// One of the two ways to the host: when to try it again, and why it failed.
#[derive(Clone, Copy)]
struct Door {
    policy: StoredValue<Refresh>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
    failure: StoredValue<Option<String>>,
}

impl Door {
    fn new() -> Self {
        Self {
            policy: StoredValue::new(Refresh::default()),
            timer: StoredValue::new_local(None),
            failure: StoredValue::new(None),
        }
    }

    /// Tells the policy, and goes through the door when it says so.
    fn on(&self, signal: Signal, go: impl FnOnce() + 'static) {
        let now = clock::now_millis();
        let due = self.policy.try_update_value(|policy| {
            policy.on(signal, now);
            policy.due()
        });
        let wait = due.flatten().map(|due| u32::try_from(due.saturating_sub(now)).unwrap_or(0));
        self.timer.try_set_value(wait.map(|wait| Timeout::new(wait, go)));
    }

    /// How it does, why it failed, and when it is tried again.
    fn state(&self) -> Option<(Connection, Option<String>, Option<i64>)> {
        let (connection, due) = self.policy.try_with_value(|policy| (policy.connection(), policy.due()))?;
        Some((connection, self.failure.try_get_value()?, due))
    }
}

chunk!(
    /// What follows a conversation of a Dispatch host.
    FOLLOW: fn(Screen, &str, &str) = follow, dispatch
);

/// Shows the conversation `id` of the host at `address` and keeps it fresh.
pub fn watch(screen: Screen, address: String, id: String) {
    spawn_local_scoped_with_cancellation(async move {
        match FOLLOW.load().await {
            Ok(follow) => follow(screen, &address, &id),
            Err(error) => {
                let failure = Some(format!("{error}. Reload the page to try again."));
                screen.link.set(Link { state: LinkState::Offline, failure, retry_at: None });
            }
        }
    });
}

fn follow(screen: Screen, address: &str, id: &str) {
    let endpoint = match Endpoint::parse(address) {
        Ok(endpoint) => endpoint,
        Err(error) => {
            screen.link.set(Link { state: LinkState::Offline, failure: Some(error.to_string()), retry_at: None });
            return;
        }
    };
    let watched = Watched {
        screen,
        of: StoredValue::new((endpoint, id.to_owned())),
        fold: StoredValue::new_local(Fold::new(id)),
        log: Door::new(),
        live: Door::new(),
        socket: StoredValue::new_local(None),
        heard: StoredValue::new(0),
        abort: StoredValue::new_local(Abort::new()),
        drawing: StoredValue::new_local(None),
        hidden: visibility::hidden(),
    };
    on_cleanup(move || {
        watched.socket.dispose();
        watched.abort.dispose();
        for timer in [watched.log.timer, watched.live.timer, watched.drawing] {
            timer.dispose();
        }
    });
    effect(move || {
        let hidden = watched.hidden.get();
        let signal = if hidden { Signal::Hidden } else { Signal::Shown };
        watched.log(signal);
        watched.live(signal);
        // What came while nobody looked was not drawn.
        watched.draw_soon();
    });
    effect(move || {
        if let Some(ask) = screen.asked.get() {
            screen.asked.set(None);
            // All else that can be asked for is held already.
            if ask == Ask::Retry {
                watched.log(Signal::Retry);
                watched.live(Signal::Retry);
            }
        }
    });
}

impl Watched {
    fn log(&self, signal: Signal) {
        let watched = *self;
        self.log.on(signal, move || watched.fetch());
        self.tell();
    }

    fn live(&self, signal: Signal) {
        let watched = *self;
        self.live.on(signal, move || watched.connect());
        self.tell();
    }

    fn fetch(self) {
        let Some((endpoint, id)) = self.of.try_get_value() else { return };
        let Some(since) = self.fold.try_update_value(Fold::ask) else { return };
        let signal = self.abort.try_with_value(|abort| abort.as_ref().map(Abort::signal)).flatten();
        self.log(Signal::Started);
        spawn_local(async move {
            let answer = client::history(&endpoint, &id, since, signal.as_ref()).await;
            let taken = answer.and_then(|page| match self.fold.try_update_value(|fold| fold.page(&page)) {
                None => Err(ClientError::Aborted),
                Some(Ok(())) => Ok(()),
                Some(Err(reason)) => Err(ClientError::Answer { host: endpoint.http(), reason }),
            });
            match taken {
                Err(ClientError::Aborted) => {}
                Err(error) => {
                    self.log.failure.try_set_value(Some(error.to_string()));
                    self.log(Signal::Failed);
                }
                Ok(()) => {
                    self.log.failure.try_set_value(None);
                    self.draw();
                    self.log(Signal::Succeeded);
                }
            }
        });
    }

    fn connect(self) {
        let Some((endpoint, _)) = self.of.try_get_value() else { return };
        self.live(Signal::Started);
        let socket = client::events(&endpoint, move |told| match told {
            Told::Opened => self.opened(),
            Told::Text(event) => self.hear(event),
            Told::Closed => self.lost(),
        });
        if self.socket.try_update_value(|held| *held = socket).is_some()
            && self.socket.try_with_value(Option::is_none) == Some(true)
        {
            self.lost();
        }
    }

    fn opened(&self) {
        self.live.failure.try_set_value(None);
        self.live(Signal::Succeeded);
        // There is nothing to try again for as long as it is open.
        self.live(Signal::Started);
        // The log tells what was said before.
        self.fold.try_update_value(Fold::missed);
        self.log(Signal::Stale);
    }

    fn lost(&self) {
        let Some((endpoint, _)) = self.of.try_get_value() else { return };
        let words = format!(
            "No live events come from {}: calls appear when the host has logged them. Start the host again if it has ended.",
            endpoint.socket()
        );
        self.live.failure.try_set_value(Some(words));
        self.live(Signal::Failed);
    }

    fn hear(&self, event: String) {
        let Some(number) = self.heard.try_update_value(|heard| {
            *heard += 1;
            *heard
        }) else {
            return;
        };
        let event = Buffer::from(event);
        let wants_page = self.fold.try_update_value(|fold| {
            fold.hear(&event, event.as_str(), Some(clock::now()), &|| format!("live event {number}"));
            fold.wants_page()
        });
        if wants_page == Some(true) {
            self.log(Signal::Stale);
        }
        self.draw_soon();
    }

    fn draw_soon(&self) {
        let watched = *self;
        if self.heard.try_get_value().unwrap_or(0) == 0 || self.hidden.try_get_untracked() != Some(false) {
            return;
        }
        self.drawing.try_update_value(|drawing| {
            drawing.get_or_insert_with(|| Timeout::new(DRAW_MS, move || watched.draw()));
        });
    }

    fn draw(&self) {
        self.drawing.try_set_value(None);
        if let Some(session) = self.fold.try_with_value(|fold| fold.session(true)) {
            self.screen.show(session);
        }
    }

    /// Says how the host is doing.
    fn tell(&self) {
        let (Some((log, log_failure, log_due)), Some((_, live_failure, live_due))) =
            (self.log.state(), self.live.state())
        else {
            return;
        };
        let state = match log {
            Connection::Live if live_failure.is_none() => LinkState::Live,
            Connection::Offline => LinkState::Offline,
            _ if self.screen.head.with_untracked(|head| head.loaded) => LinkState::Reconnecting,
            _ => LinkState::Connecting,
        };
        // Without the log all fails; without live events the page is only late.
        let (failure, due) = if log_failure.is_some() { (log_failure, log_due) } else { (live_failure, live_due) };
        self.screen.link.maybe_update(|link| {
            let retry_at = if failure.is_some() { due.or(link.retry_at) } else { None };
            let told = Link { state, failure, retry_at };
            let changed = *link != told;
            *link = told;
            changed
        });
    }
}
