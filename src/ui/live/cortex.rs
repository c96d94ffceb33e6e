//! A session of a Cortex proxy, kept fresh: a resource of (session, refresh count) brings its timeline and newest
//! events, the refresh policy says when to count up, and the event stream says when something changed.

use std::cell::Cell;
use std::rc::Rc;

use futures_util::StreamExt;
use gloo_net::eventsource::State;
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::{spawn_local, spawn_local_scoped_with_cancellation};
use web_sys::AbortSignal;

use super::bodies::{self, UnderWay};
use crate::address::Address;
use crate::host::fetch::Abort;
use crate::host::{clock, location, visibility};
use crate::source::cortex::client::{self, ClientError};
use crate::source::cortex::{News, Record, Taken};
use crate::source::refresh::{Connection, Refresh, Signal};
use crate::ui::erased::effect;
use crate::ui::screen::{Ask, Link, LinkState, Screen};

/// Events of the first page, and of one that follows when much has happened.
const WHOLE_PAGE: u32 = 2_000;
/// Events of a page that only brings what is new.
const NEWEST: u32 = 200;

/// A session that is watched. Everything here ends with the component that watches it.
#[derive(Clone, Copy)]
pub(super) struct Watched {
    pub screen: Screen,
    pub record: StoredValue<Record, LocalStorage>,
    pub bodies: StoredValue<UnderWay, LocalStorage>,
    policy: StoredValue<Refresh>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
    abort: StoredValue<Option<Abort>, LocalStorage>,
    refreshes: RwSignal<u32>,
}

/// What one refresh brought, until it is taken: the resource may tell of it more than once.
type Answer = Rc<Cell<Option<Result<News, ClientError>>>>;

/// Shows the session `id` and keeps it fresh.
pub fn watch(screen: Screen, id: String) {
    let watched = Watched {
        screen,
        record: StoredValue::new_local(Record::new(id)),
        bodies: StoredValue::new_local(UnderWay::default()),
        policy: StoredValue::new(Refresh::default()),
        timer: StoredValue::new_local(None),
        abort: StoredValue::new_local(Abort::new()),
        refreshes: RwSignal::new(0),
    };
    // Leaving the session ends its fetches at once.
    on_cleanup(move || {
        watched.abort.dispose();
        watched.bodies.dispose();
        watched.timer.dispose();
    });
    let timeline = LocalResource::new(move || {
        watched.refreshes.track();
        async move { Answer::new(Cell::new(Some(watched.fetch().await))) }
    });
    watched.signal(Signal::Started);
    effect(move || {
        if let Some(answer) = timeline.get().and_then(|answer| answer.take()) {
            watched.take_answer(answer);
        }
    });
    effect(move || {
        screen.wants.track();
        bodies::update(watched);
    });
    let hidden = visibility::hidden();
    effect(move || watched.signal(if hidden.get() { Signal::Hidden } else { Signal::Shown }));
    effect(move || {
        if let Some(ask) = screen.asked.get() {
            screen.asked.set(None);
            watched.take_ask(&ask);
        }
    });
    watched.listen();
}

impl Watched {
    pub(super) fn session(&self) -> String {
        self.record.try_with_value(|record| record.id.to_string()).unwrap_or_default()
    }

    /// Changes the record and shows the session that it tells then.
    pub(super) fn take(&self, change: impl FnOnce(&mut Record)) {
        let session = self.record.try_update_value(|record| {
            change(record);
            record.session()
        });
        if let Some(session) = session {
            self.screen.show(session);
        }
    }

    fn abort_signal(&self) -> Option<AbortSignal> {
        self.abort.try_with_value(|abort| abort.as_ref().map(Abort::signal)).flatten()
    }

    async fn fetch(self) -> Result<News, ClientError> {
        let id = self.session();
        let signal = self.abort_signal();
        let limit = match self.record.try_with_value(Record::is_empty) {
            Some(false) => NEWEST,
            _ => WHOLE_PAGE,
        };
        client::news(&id, limit, signal.as_ref()).await
    }

    fn take_answer(&self, result: Result<News, ClientError>) {
        match result {
            Err(ClientError::Aborted) => {}
            Err(error) => {
                if error == ClientError::NotFound {
                    self.look_for_new_name();
                }
                self.fail(&error);
            }
            Ok(news) => {
                let mut restarted = false;
                self.take(|record| restarted = record.take_news(news) == Taken::Restarted);
                if restarted {
                    // What is under way would bring events of the former life.
                    self.bodies.try_update_value(UnderWay::clear);
                }
                self.signal(Signal::Succeeded);
                self.close_gap();
            }
        }
    }

    fn fail(&self, error: &ClientError) {
        self.signal(Signal::Failed);
        self.screen.link.update(|link| link.failure = Some(error.to_string()));
    }

    fn take_ask(&self, ask: &Ask) {
        match ask {
            Ask::Retry => self.signal(Signal::Retry),
            Ask::RetryCard(key) => self.take(|record| record.retry(key)),
            Ask::Older => {
                if let Some(seq) = self.record.try_with_value(Record::older_than).flatten() {
                    self.load_before(seq);
                }
            }
        }
    }

    /// Loads what happened between what was held and the newest events, when that was more than a page.
    fn close_gap(&self) {
        if let Some(seq) = self.record.try_with_value(Record::gap_before).flatten() {
            self.load_before(seq);
        }
    }

    /// Loads the page of events before `seq`.
    fn load_before(&self, seq: u64) {
        let watched = *self;
        spawn_local(async move {
            let (id, signal) = (watched.session(), watched.abort_signal());
            match client::before(&id, seq, signal.as_ref()).await {
                Ok(page) => {
                    watched.take(|record| record.take_older(page));
                    watched.close_gap();
                }
                Err(ClientError::Aborted) => {}
                Err(error) => watched.fail(&error),
            }
        });
    }

    /// A session can be renamed without a word; the list then has one of the same creation under another id.
    fn look_for_new_name(&self) {
        let Some(created) = self.record.try_with_value(Record::created).flatten() else { return };
        let (watched, signal) = (*self, self.abort_signal());
        spawn_local(async move {
            let Ok(list) = client::sessions(signal.as_ref()).await else { return };
            let Some(renamed) = list.into_iter().find(|summary| summary.created == Some(created)) else { return };
            if watched.record.try_with_value(|record| record.id != renamed.id) == Some(true) {
                location::replace(&Address::Session { id: renamed.id.to_string(), call: None }.hash());
            }
        });
    }

    /// Tells the policy, and does what it says.
    fn signal(&self, signal: Signal) {
        let now = clock::now_millis();
        let Some(policy) = self.policy.try_update_value(|policy| {
            policy.on(signal, now);
            policy.clone()
        }) else {
            return;
        };
        let due = policy.due();
        let watched = *self;
        let wait = due.map(|due| u32::try_from(due.saturating_sub(now)).unwrap_or(0));
        self.timer.try_update_value(|timer| *timer = wait.map(|wait| Timeout::new(wait, move || watched.refresh())));
        let state = match policy.connection() {
            Connection::Live => LinkState::Live,
            Connection::Offline => LinkState::Offline,
            Connection::Reconnecting if self.screen.head.with_untracked(|head| head.loaded) => LinkState::Reconnecting,
            Connection::Reconnecting => LinkState::Connecting,
        };
        self.screen.link.maybe_update(|link| {
            let failure = if state == LinkState::Live { None } else { link.failure.clone() };
            let retry_at = if failure.is_some() { due.or(link.retry_at) } else { None };
            let changed = (link.state, &link.failure, link.retry_at) != (state, &failure, retry_at);
            *link = Link { state, failure, retry_at };
            changed
        });
    }

    fn refresh(&self) {
        if self.refreshes.try_update(|count| *count = count.wrapping_add(1)).is_some() {
            self.signal(Signal::Started);
        }
    }

    /// Listens for events of the session for as long as it is watched.
    fn listen(&self) {
        let watched = *self;
        spawn_local_scoped_with_cancellation(async move {
            let mut wait = 1_000;
            loop {
                if let Some((source, mut events)) = client::events(&watched.session()) {
                    while let Some(event) = events.next().await {
                        // An event missed while the stream was down is found by looking.
                        watched.signal(Signal::Stale);
                        if event.is_ok() {
                            wait = 1_000;
                        } else if source.state() == State::Closed {
                            // Until it gives up, the browser tries again by itself.
                            break;
                        }
                    }
                }
                TimeoutFuture::new(wait).await;
                wait = (wait * 2).min(30_000);
            }
        });
    }
}
