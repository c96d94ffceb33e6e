//! One session on screen: its rows as signals, what is open, what is in view.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use leptos::prelude::*;
use web_sys::Element;

use super::list::List;
use crate::host::clock;
use crate::host::visibility::Watcher;
use crate::ledger::{self, Reconciler, Row, RowId, RowKey, View};
use crate::trace::{AgentId, CallKey, Exchange, Session, Timestamp};

/// The attribute by which a row's element names it.
pub const ROW_ID: &str = "data-row-id";

/// The state of one session on screen.
#[derive(Clone, Copy)]
pub struct Screen {
    /// The rows in their order.
    pub order: RwSignal<Vec<RowId>>,
    /// Figures of the whole session.
    pub head: RwSignal<Head>,
    /// What the reader wants to see.
    pub view: RwSignal<View>,
    /// Now, to the second; only what ticks may depend on it.
    pub now: RwSignal<Timestamp>,
    /// How the source is doing.
    pub link: RwSignal<Link>,
    /// Counts up when other rows came into view, opened, or changed: what the cards lack may be another thing then.
    pub wants: RwSignal<u32>,
    /// How the texts of cards are shown.
    pub look: RwSignal<Look>,
    /// Counts up when the session changed.
    pub changed: RwSignal<u32>,
    /// Whether new rows scroll in while the last one is in view.
    pub follow: RwSignal<bool>,
    /// The calls that hold the words looked for.
    pub found: RwSignal<Arc<HashSet<CallKey>>>,
    /// What the reader asked of the source, until it is done.
    pub asked: RwSignal<Option<Ask>>,
    rows: StoredValue<Rows, LocalStorage>,
    list: StoredValue<Option<List>, LocalStorage>,
}

/// How the texts of cards are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// As they stand on the wire.
    pub raw: bool,
    /// With a number on each line.
    pub numbers: bool,
    /// Long lines run on instead of being wrapped.
    pub unwrapped: bool,
}

/// Figures of the whole session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// Its title, else its id.
    pub title: Arc<str>,
    /// The program that ran.
    pub host: Option<Arc<str>>,
    /// How many tool calls it holds.
    pub calls: usize,
    /// How many records could not be read, and the first of them, in words.
    pub problems: Option<String>,
    /// How many repeated calls were dropped.
    pub repeats: u32,
    /// Whether older exchanges can be loaded.
    pub has_older: bool,
    /// Whether anything was shown yet.
    pub loaded: bool,
}

/// How the source is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// As in the DOM contract: `live`, `reconnecting`, `offline`, `file` or `demo`.
    pub state: LinkState,
    /// What failed, in words.
    pub failure: Option<String>,
    /// When it is tried again, in milliseconds since the epoch.
    pub retry_at: Option<i64>,
}

/// The state of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkState {
    /// Nothing came yet.
    #[default]
    Connecting,
    /// It answers.
    Live,
    /// It did not answer lately.
    Reconnecting,
    /// It has not answered for a while.
    Offline,
    /// The session that ships with the page.
    Demo,
    /// A file that the reader opened.
    File,
}

/// What a reader can ask of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// To try again now.
    Retry,
    /// To try again to get what this card lacks.
    RetryCard(CallKey),
    /// The page of events before those held.
    Older,
}

/// A row as signals, so that a change of it touches it alone.
#[derive(Clone)]
pub struct RowHandle {
    /// What it says.
    pub row: ArcRwSignal<Row>,
    /// Where it stands, from 0.
    pub position: ArcRwSignal<usize>,
    /// Whether it is open, if it is a card or a model call.
    pub open: ArcRwSignal<bool>,
}

/// A row whose kind is known. A row keeps its kind for as long as it keeps its key.
pub struct RowOf<T: 'static> {
    row: RwSignal<Row>,
    of: fn(&Row) -> Option<&T>,
}

impl<T> Clone for RowOf<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RowOf<T> {}

impl<T> RowOf<T> {
    /// The row behind `row`, of the kind that `of` takes out of it.
    #[must_use]
    pub fn new(row: RwSignal<Row>, of: fn(&Row) -> Option<&T>) -> Self {
        Self { row, of }
    }

    /// Reads it, and again whenever it changes.
    pub fn with<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        self.row.with(|row| read((self.of)(row).expect("a row keeps its kind")))
    }

    /// Reads it once.
    pub fn with_untracked<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        self.row.with_untracked(|row| read((self.of)(row).expect("a row keeps its kind")))
    }
}

#[derive(Default)]
struct Rows {
    session: Session,
    reconciler: Reconciler,
    /// Where each row stands, by its small name.
    positions: Vec<usize>,
    /// The signals of the rows that are mounted.
    handles: HashMap<RowId, RowHandle>,
    /// Open cards and model calls; they stay so while a filter hides them.
    open: HashSet<RowKey>,
    in_view: HashSet<RowId>,
    watcher: Option<Watcher>,
}

impl Screen {
    /// An empty screen, owned by the component that makes it.
    #[must_use]
    pub fn new() -> Self {
        let screen = Self {
            order: RwSignal::new(Vec::new()),
            head: RwSignal::new(Head::default()),
            view: RwSignal::new(View::default()),
            now: RwSignal::new(clock::now()),
            link: RwSignal::new(Link::default()),
            wants: RwSignal::new(0),
            look: RwSignal::new(Look::default()),
            changed: RwSignal::new(0),
            follow: RwSignal::new(true),
            found: RwSignal::default(),
            asked: RwSignal::new(None),
            rows: StoredValue::new_local(Rows::default()),
            list: StoredValue::new_local(None),
        };
        let watcher = Watcher::new(move |entries| screen.take_visibility(&entries));
        screen.rows.update_value(|rows| rows.watcher = watcher);
        screen
    }

    /// Shows `session`; touches only the rows that changed.
    pub fn show(&self, session: Session) {
        let head = Head {
            title: session.title.clone().unwrap_or_else(|| Arc::clone(&session.id)),
            host: session.host.clone(),
            calls: session.calls.len(),
            problems: session.problems.first().map(|first| {
                let count = session.problems.len();
                let records = if count == 1 { "record" } else { "records" };
                format!("{count} {records} could not be read. The first is {}: {}.", first.place, first.reason)
            }),
            repeats: session.repeats,
            has_older: session.has_older,
            loaded: true,
        };
        self.rows.update_value(|rows| rows.session = session);
        self.changed.update(|count| *count = count.wrapping_add(1));
        self.head.maybe_update(|shown| {
            let changed = *shown != head;
            *shown = head;
            changed
        });
        self.redraw();
    }

    /// Orders the rows anew, after the session or the view changed.
    fn redraw(&self) {
        let order = self.view.with_untracked(|view| self.rows.try_update_value(|rows| rows.reconcile(view)).flatten());
        if let Some(order) = order {
            self.order.set(order);
        }
        self.want();
    }

    /// Changes what the reader wants to see.
    pub fn change_view(&self, change: impl FnOnce(&mut View)) {
        self.view.update(change);
        self.redraw();
    }

    /// Looks for other words; what is shown follows once they were found.
    pub fn seek(&self, needle: String) {
        self.view.maybe_update(|view| {
            let changed = view.needle != needle;
            view.needle = needle;
            changed
        });
    }

    /// Opens or closes a sub-agent's block.
    pub fn toggle_agent(&self, agent: &AgentId) {
        self.change_view(|view| {
            if !view.open_agents.remove(agent) {
                view.open_agents.insert(Arc::clone(agent));
            }
        });
    }

    /// Opens or closes a card.
    pub fn toggle_card(&self, key: &CallKey) {
        self.set_open(RowKey::Call(key.clone()), None);
    }

    /// Opens or closes a model call.
    pub fn toggle_exchange(&self, exchange: &Exchange) {
        self.set_open(RowKey::of(exchange), None);
    }

    /// Closes a row that can be opened.
    pub fn close(&self, key: RowKey) {
        self.set_open(key, Some(false));
    }

    /// Opens all cards that are shown or, when they are open, closes them.
    pub fn toggle_all(&self) {
        let changed = self.order.with_untracked(|order| {
            self.rows.try_update_value(|rows| {
                let is_call = |id: &RowId| matches!(rows.reconciler.row(*id), Some(Row::Call(_)));
                let calls = order.iter().copied().filter(is_call);
                let keys: Vec<_> = calls.filter_map(|id| Some((id, rows.reconciler.row(id)?.key()))).collect();
                let open = keys.iter().any(|(_, key)| !rows.open.contains(key));
                for (_, key) in &keys {
                    if open {
                        rows.open.insert(key.clone());
                    } else {
                        rows.open.remove(key);
                    }
                }
                let signals = keys.iter().filter_map(|(id, _)| Some(rows.handles.get(id)?.open.clone()));
                (open, signals.collect::<Vec<_>>())
            })
        });
        if let Some((open, signals)) = changed {
            for signal in signals.into_iter().filter(|signal| signal.get_untracked() != open) {
                signal.set(open);
            }
        }
        self.want();
    }

    /// Opens a card.
    pub fn open_card(&self, key: &CallKey) {
        self.set_open(RowKey::Call(key.clone()), Some(true));
    }

    fn set_open(&self, key: RowKey, wanted: Option<bool>) {
        let Some((open, signal)) = self.rows.try_update_value(|rows| {
            let open = wanted.unwrap_or_else(|| !rows.open.contains(&key));
            if open {
                rows.open.insert(key.clone());
            } else {
                rows.open.remove(&key);
            }
            let id = rows.reconciler.id(key);
            (open, rows.handles.get(&id).map(|handle| handle.open.clone()))
        }) else {
            return;
        };
        if let Some(signal) = signal {
            signal.set(open);
        }
        self.want();
    }

    /// The signals of a row, made when it is first asked for them; `None` once it is gone.
    #[must_use]
    pub fn row(&self, id: RowId) -> Option<RowHandle> {
        self.rows.try_update_value(|rows| rows.handle(id)).flatten()
    }

    /// Reads the session.
    pub fn with_session<T>(&self, read: impl FnOnce(&Session) -> T) -> T {
        self.rows.with_value(|rows| read(&rows.session))
    }

    /// Reads a row; `None` once it is gone.
    pub fn with_row<T>(&self, id: RowId, read: impl FnOnce(&Row) -> T) -> Option<T> {
        self.rows.with_value(|rows| rows.reconciler.row(id).map(read))
    }

    /// Where a row stands, from 0.
    #[must_use]
    pub fn position(&self, id: RowId) -> Option<usize> {
        self.rows.with_value(|rows| rows.positions.get(id as usize).copied())
    }

    /// Where the first row in view stands.
    #[must_use]
    pub fn first_in_view(&self) -> Option<usize> {
        self.rows
            .with_value(|rows| rows.in_view.iter().filter_map(|&id| rows.positions.get(id as usize).copied()).min())
    }

    /// Says which list shows the rows.
    pub fn set_list(&self, list: List) {
        self.list.set_value(Some(list));
    }

    /// The list that shows the rows, once there is one.
    #[must_use]
    pub fn list(&self) -> Option<List> {
        self.list.try_get_value().flatten()
    }

    /// Whether new rows scroll in while the last one is in view.
    #[must_use]
    pub fn following(&self) -> bool {
        self.follow.get_untracked()
    }

    /// The call of the session that carries this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<CallKey> {
        self.rows.with_value(|rows| {
            let calls = &rows.session.calls;
            calls.iter().find(|call| call.key.id.as_ref() == id).map(|call| call.key.clone())
        })
    }

    /// The sub-agents whose blocks hide an agent's rows.
    #[must_use]
    pub fn blocks_around(&self, agent: &AgentId) -> HashSet<AgentId> {
        self.with_session(|session| ledger::blocks_around(session, agent))
    }

    /// The small name of a row.
    #[must_use]
    pub fn row_id(&self, key: RowKey) -> Option<RowId> {
        self.rows.try_update_value(|rows| rows.reconciler.id(key))
    }

    /// Whether a row is among those shown.
    #[must_use]
    pub fn shows(&self, id: RowId) -> bool {
        let at = self.position(id);
        self.order.with_untracked(|order| at.and_then(|at| order.get(at)) == Some(&id))
    }

    /// Watches whether a row's element is in view.
    pub fn watch(&self, element: &Element) {
        self.rows.with_value(|rows| {
            if let Some(watcher) = &rows.watcher {
                watcher.watch(element);
            }
        });
    }

    /// Forgets a row's element.
    pub fn leave(&self, id: RowId, element: &Element) {
        self.rows.try_update_value(|rows| {
            rows.in_view.remove(&id);
            rows.handles.remove(&id);
            if let Some(watcher) = &rows.watcher {
                watcher.leave(element);
            }
        });
    }

    fn take_visibility(&self, entries: &[(Element, bool)]) {
        self.rows.try_update_value(|rows| {
            for (element, visible) in entries {
                let Some(id) = element.get_attribute(ROW_ID).and_then(|id| id.parse().ok()) else { continue };
                if *visible {
                    rows.in_view.insert(id);
                } else {
                    rows.in_view.remove(&id);
                }
            }
        });
        self.want();
    }

    fn want(&self) {
        // The screen may be gone by the time the browser tells what is in view.
        let _ = self.wants.try_update(|count| *count = count.wrapping_add(1));
    }

    /// Calls `visit` with each row that is in view or open, the open ones first.
    pub fn each_wanted(&self, mut visit: impl FnMut(&Row, bool)) {
        self.rows.with_value(|rows| {
            let sorted = |ids: &mut dyn Iterator<Item = RowId>| {
                let mut ids: Vec<_> = ids.collect();
                ids.sort_unstable();
                ids
            };
            let cards = rows.open.iter().filter(|key| matches!(key, RowKey::Call(_)));
            let open = sorted(&mut cards.filter_map(|key| rows.reconciler.known(key)));
            for row in open.iter().filter_map(|&id| rows.reconciler.row(id)) {
                visit(row, true);
            }
            let closed = sorted(&mut rows.in_view.iter().copied().filter(|id| open.binary_search(id).is_err()));
            for row in closed.into_iter().filter_map(|id| rows.reconciler.row(id)) {
                visit(row, false);
            }
        });
    }
}

impl Default for Screen {
    fn default() -> Self {
        Self::new()
    }
}

impl Rows {
    /// Writes what changed into the signals of the rows, and gives the new order when it is another one.
    fn reconcile(&mut self, view: &View) -> Option<Vec<RowId>> {
        let changes = self.reconciler.reconcile(ledger::arranged(&self.session, view, clock::now()));
        for (id, row) in changes.set {
            if let Some(handle) = self.handles.get(&id) {
                handle.row.set(row);
            }
        }
        for id in changes.gone {
            self.handles.remove(&id);
            self.in_view.remove(&id);
        }
        let order = changes.order?;
        for (position, &id) in order.iter().enumerate() {
            let place = id as usize;
            if place >= self.positions.len() {
                self.positions.resize(place + 1, 0);
            }
            self.positions[place] = position;
            if let Some(handle) = self.handles.get(&id).filter(|handle| handle.position.get_untracked() != position) {
                handle.position.set(position);
            }
        }
        Some(order)
    }

    fn handle(&mut self, id: RowId) -> Option<RowHandle> {
        if let Some(handle) = self.handles.get(&id) {
            return Some(handle.clone());
        }
        let row = self.reconciler.row(id)?.clone();
        let open = self.open.contains(&row.key());
        let position = self.positions.get(id as usize).copied().unwrap_or_default();
        let handle = RowHandle {
            row: ArcRwSignal::new(row),
            open: ArcRwSignal::new(open),
            position: ArcRwSignal::new(position),
        };
        self.handles.insert(id, handle.clone());
        Some(handle)
    }
}
