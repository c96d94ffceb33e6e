//! Files that the reader opened, and the sessions in them.

use std::collections::HashSet;
use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use thiserror::Error;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, Event, HtmlInputElement};

use super::chunk::{LoadError, chunk};
use super::piece::{Piece, button, div, el, span};
use super::rows::plural;
use crate::address::Address;
use crate::card::visible;
use crate::host::files::{self, FileError, Picked};
use crate::host::location;
use crate::ledger::size_text;
use crate::source::file::{self, Reading, Unreadable};

/// What reads files.
#[derive(Clone, Copy)]
struct Reader {
    read: fn(&str, Vec<u8>) -> Result<Vec<Reading>, Unreadable>,
    join: fn(Vec<Reading>) -> Vec<Reading>,
}

chunk!(
    /// What reads session files of all agents.
    READER: Reader = Reader { read: file::read, join: file::join }, files
);

/// Why a file was not opened.
#[derive(Debug, Error)]
enum OpenError {
    /// What reads files is not there.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The browser did not give it.
    #[error(transparent)]
    File(#[from] FileError),
    /// It holds no session.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// The opened files.
#[derive(Clone, Copy)]
pub struct Opened(RwSignal<Shelf>);

#[derive(Default)]
struct Shelf {
    /// As they were read, so that a file that is opened later can still be joined with them.
    readings: Vec<Reading>,
    /// As they are shown, each with an id of its own.
    sessions: Vec<Arc<Reading>>,
    /// The id of each in its file, which may be none, or that of another session too.
    wire_ids: Vec<Arc<str>>,
    failures: Vec<String>,
    progress: Option<Progress>,
    /// Counts up when the reader calls off what is being read.
    cancelled: u32,
}

#[derive(Clone)]
struct Progress {
    name: String,
    done: u64,
    size: u64,
}

impl Opened {
    /// No files yet; takes those that are dropped anywhere on the page.
    #[must_use]
    pub fn new() -> Self {
        let opened = Self(RwSignal::new(Shelf::default()));
        let over = window_event_listener(ev::dragover, |event: DragEvent| {
            if carries_files(&event) {
                event.prevent_default();
                set_dropping(true);
            }
        });
        let leave = window_event_listener(ev::dragleave, |event: DragEvent| {
            if event.related_target().is_none() {
                set_dropping(false);
            }
        });
        let drop = window_event_listener(ev::drop, move |event: DragEvent| {
            let Some(transfer) = event.data_transfer().filter(|_| carries_files(&event)) else { return };
            event.prevent_default();
            set_dropping(false);
            let dropped = files::dropped(&transfer);
            spawn_local(async move { opened.open(dropped.files().await).await });
        });
        on_cleanup(move || {
            over.remove();
            leave.remove();
            drop.remove();
        });
        opened
    }

    /// The session with this id, if a file holds it.
    #[must_use]
    pub fn session(&self, id: &str) -> Option<Arc<Reading>> {
        self.0.with(|shelf| shelf.sessions.iter().find(|reading| &*reading.session.id == id).cloned())
    }

    /// The sessions of all files.
    #[must_use]
    pub fn sessions(&self) -> Vec<Arc<Reading>> {
        self.0.with(|shelf| shelf.sessions.clone())
    }

    /// Closes the file or files of a session.
    pub fn close(&self, id: &str) {
        let Some(join) = READER.get().map(|reader| reader.join) else { return };
        self.0.update(|shelf| {
            let Some(place) = shelf.sessions.iter().position(|reading| &*reading.session.id == id) else { return };
            let (wire_id, file) = (&shelf.wire_ids[place], &shelf.sessions[place].file);
            let is_closed = |reading: &Reading| {
                let child = matches!(&reading.belongs, file::Belongs::Child { parent } if parent == wire_id);
                if wire_id.is_empty() { reading.file == *file } else { child || reading.session.id == *wire_id }
            };
            shelf.readings.retain(|reading| !is_closed(reading));
            shelf.sort(join);
        });
    }

    /// Reads files one after the other and puts their sessions with those that are there.
    async fn open(self, picked: Vec<Picked>) {
        let Some(turn) = self.0.try_with_untracked(|shelf| shelf.cancelled) else { return };
        if picked.is_empty() {
            return;
        }
        let before: HashSet<Arc<str>> = self.ids();
        self.0.update(|shelf| shelf.failures.clear());
        let several = picked.len() > 1;
        let mut unknown: Vec<String> = Vec::new();
        for file in picked {
            match self.read(&file, turn).await {
                Some(Ok(())) => {}
                // A folder holds other files too; a file that was chosen should hold a session.
                Some(Err(OpenError::Unreadable(_))) if several => unknown.push(visible(&file.name).into_owned()),
                Some(Err(error)) => self.fail(format!("{error}.")),
                None => break,
            }
        }
        match &unknown[..] {
            [] => {}
            [name] => self.fail(format!("{name} holds no session that Callsheet knows.")),
            [name, others @ ..] => {
                self.fail(format!(
                    "{name} and {} more hold no session that Callsheet knows.",
                    plural(others.len(), "file")
                ));
            }
        }
        let _ = self.0.try_update(|shelf| shelf.progress = None);
        let new: Vec<_> = self.ids().difference(&before).cloned().collect();
        // One session is what the reader came for; several are for them to choose from.
        let address = match &new[..] {
            [id] => Address::Session { id: id.to_string(), call: None },
            [] => return,
            _ => Address::Sessions,
        };
        location::go(&address.hash());
    }

    /// Reads one file; `None` when it was called off.
    async fn read(self, file: &Picked, turn: u32) -> Option<Result<(), OpenError>> {
        let name = visible(&file.name).into_owned();
        let tell = |done: u64| {
            let progress = Progress { name: name.clone(), done, size: file.size() };
            let going = self.0.try_update(|shelf| {
                shelf.progress = Some(progress);
                shelf.cancelled == turn
            });
            going.unwrap_or(false)
        };
        tell(0);
        let reader = match READER.load().await {
            Ok(reader) => reader,
            Err(error) => return Some(Err(error.into())),
        };
        let bytes = match file.read(tell).await {
            Ok(bytes) => bytes?,
            Err(error) => return Some(Err(error.into())),
        };
        // Lets the browser draw how far it is before it is busy.
        TimeoutFuture::new(0).await;
        let readings = match (reader.read)(&file.name, bytes) {
            Ok(readings) => readings,
            Err(error) => return Some(Err(error.into())),
        };
        self.0.try_update(|shelf| {
            shelf.readings.extend(readings);
            shelf.sort(reader.join);
        })?;
        Some(Ok(()))
    }

    fn ids(&self) -> HashSet<Arc<str>> {
        let ids = |shelf: &Shelf| shelf.sessions.iter().map(|reading| Arc::clone(&reading.session.id)).collect();
        self.0.try_with_untracked(ids).unwrap_or_default()
    }

    fn fail(&self, words: String) {
        let _ = self.0.try_update(|shelf| shelf.failures.push(words));
    }

    /// The buttons that open files, how far reading is, and what could not be read.
    #[must_use]
    pub fn controls(self) -> Piece {
        let chosen = move |event: Event| {
            let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
                return;
            };
            let picked = files::chosen(&input);
            // The same file can be chosen again.
            input.set_value("");
            spawn_local(self.open(picked));
        };
        let input =
            || el("input").attr("type", "file").attr("multiple", "").attr("class", "open-input").on("change", chosen);
        let files = el("label")
            .attr("class", "open-button")
            .with(span("open-words").text("Open files"))
            .with(input().attr("data-testid", "open-files"));
        let folder = el("label")
            .attr("class", "open-button")
            .with(span("open-words").text("Open a folder"))
            .with(input().attr("webkitdirectory", ""));
        let hint = span("open-hint").text("or drop session files of any agent anywhere. They stay in this browser.");
        let progress = move || {
            let Progress { name, done, size } = self.0.with(|shelf| shelf.progress.clone())?;
            let text = format!("Reading {name}, {} of {}", size_text(done), size_text(size));
            let bar = el("progress").attr("max", size.max(1).to_string()).attr("value", done.to_string());
            let cancel = move || {
                self.0.update(|shelf| {
                    shelf.cancelled = shelf.cancelled.wrapping_add(1);
                    shelf.progress = None;
                });
            };
            let cancel = button("quiet-button", cancel).text("Cancel");
            Some(
                div("reading")
                    .attr("role", "status")
                    .with(bar.attr("aria-label", text.clone()))
                    .text(text)
                    .with(cancel),
            )
        };
        let failed = move || {
            let failures = self.0.with(|shelf| shelf.failures.clone());
            let line = |words: &String| el("p").text(words.clone());
            (!failures.is_empty()).then(|| {
                div("problem").attr("role", "alert").with(div("open-failures").with_all(failures.iter().map(line)))
            })
        };
        div("opening").with(div("open-row").with(files).with(folder).with(hint)).when(progress).when(failed)
    }
}

impl Default for Opened {
    fn default() -> Self {
        Self::new()
    }
}

impl Shelf {
    /// Joins what belongs together anew. Sessions without an id, or with the id of another, get one from their file.
    fn sort(&mut self, join: fn(Vec<Reading>) -> Vec<Reading>) {
        let mut taken = HashSet::new();
        let joined = join(self.readings.clone());
        self.wire_ids = joined.iter().map(|reading| Arc::clone(&reading.session.id)).collect();
        let shown = joined.into_iter().map(|mut reading| {
            let wanted = if reading.session.id.is_empty() { &reading.file } else { &reading.session.id };
            let mut id = Arc::clone(wanted);
            let mut number = 1;
            while !taken.insert(Arc::clone(&id)) {
                number += 1;
                id = format!("{wanted}~{number}").into();
            }
            reading.session.id = id;
            Arc::new(reading)
        });
        self.sessions = shown.collect();
    }
}

fn carries_files(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|transfer| transfer.types().includes(&"Files".into(), 0))
}

/// Tells the style sheet that something can be dropped.
fn set_dropping(on: bool) {
    if let Some(root) = document().document_element() {
        // An attribute with a plain name can always be set.
        let _ = root.toggle_attribute_with_force("data-dropping", on);
    }
}
