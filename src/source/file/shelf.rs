//! The sessions of all opened files, as they are shown.

use std::collections::HashSet;
use std::sync::Arc;

#[cfg(test)]
mod tests;

use super::{Belongs, Format, Reading};

/// What joins sessions that belong together: [`super::join()`], which the page loads late.
pub type Join = fn(Vec<Reading>) -> Vec<Reading>;

/// Opened files.
#[derive(Debug, Default)]
pub struct Shelf {
    /// As they were read, so that a file that is opened later can still be joined with them.
    readings: Vec<Reading>,
    shown: Vec<Shown>,
}

#[derive(Debug)]
struct Shown {
    /// The session under an id of its own.
    reading: Arc<Reading>,
    /// Its id in its file, which may be none, or that of another session too.
    wire_id: Arc<str>,
}

impl Shelf {
    /// The sessions, joined, each with an id of its own.
    pub fn sessions(&self) -> impl Iterator<Item = &Arc<Reading>> {
        self.shown.iter().map(|shown| &shown.reading)
    }

    /// Puts the sessions of a file with those that are there.
    pub fn put(&mut self, readings: Vec<Reading>, join: Join) {
        self.readings.extend(readings);
        self.sort(join);
    }

    /// Takes away the session that is shown under `id`, with all that was joined into it.
    pub fn close(&mut self, id: &str, join: Join) {
        let Some(shown) = self.shown.iter().find(|shown| &*shown.reading.session.id == id) else { return };
        if shown.wire_id.is_empty() {
            let file = Arc::clone(&shown.reading.file);
            self.readings.retain(|reading| reading.file != file);
        } else {
            let closed = self.family(shown.reading.format, &shown.wire_id);
            let is_closed =
                |reading: &Reading| reading.format == shown.reading.format && closed.contains(&reading.session.id);
            let mut kept = std::mem::take(&mut self.readings);
            kept.retain(|reading| !is_closed(reading));
            self.readings = kept;
        }
        self.sort(join);
    }

    /// The ids of a session, of the agents that it spawned and of those that they spawned.
    fn family(&self, format: Format, id: &Arc<str>) -> HashSet<Arc<str>> {
        let mut family = HashSet::from([Arc::clone(id)]);
        let mut known = 0;
        while known < family.len() {
            known = family.len();
            for reading in self.readings.iter().filter(|reading| reading.format == format) {
                if let Belongs::Child { parent } = &reading.belongs
                    && family.contains(parent)
                {
                    family.insert(Arc::clone(&reading.session.id));
                }
            }
        }
        family
    }

    /// Joins what belongs together anew. Sessions without an id, or with the id of another, get one from their file.
    fn sort(&mut self, join: Join) {
        let mut taken = HashSet::new();
        let joined = join(self.readings.clone()).into_iter();
        let shown = joined.map(|mut reading| {
            let wire_id = Arc::clone(&reading.session.id);
            let wanted = if wire_id.is_empty() { &reading.file } else { &wire_id };
            let mut id = Arc::clone(wanted);
            let mut number = 1;
            while !taken.insert(Arc::clone(&id)) {
                number += 1;
                id = format!("{wanted}~{number}").into();
            }
            reading.session.id = id;
            Shown { reading: Arc::new(reading), wire_id }
        });
        self.shown = shown.collect();
    }
}
