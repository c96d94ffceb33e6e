//! Fetching event bodies for cards: a few at a time, and none that nobody waits for any more.

use std::collections::HashMap;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::cortex::Watched;
use crate::host::fetch::Abort;
use crate::ledger::Row;
use crate::source::cortex::Want;
use crate::source::cortex::client::{self, ClientError};
use crate::trace::Content;
use crate::ui::screen::Screen;

/// How many bodies are fetched at once: each may be hundreds of kilobytes.
const AT_ONCE: usize = 3;

/// The fetches under way, by the event they are for.
#[derive(Default)]
pub(super) struct UnderWay(HashMap<u64, Abort>);

impl UnderWay {
    /// Ends them all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// What the rows in view and the open cards lack.
fn wants(screen: Screen, has_timeline: bool) -> Vec<Want> {
    let mut wants = Vec::new();
    screen.each_wanted(|row, open| match row {
        Row::Call(row) if open => wants.push(Want::Card(row.call.key.clone())),
        Row::Call(row) if row.call.output == Content::Remote => wants.push(Want::Result(row.call.key.clone())),
        Row::Exchange(row) if !has_timeline && row.exchange.wants_tools => wants.push(Want::Calls(row.exchange.id)),
        _ => {}
    });
    wants
}

/// Begins what is wanted now and ends what is not.
pub(super) fn update(watched: Watched) {
    let Some(plan) = watched.record.try_with_value(|record| record.plan(&wants(watched.screen, record.has_timeline())))
    else {
        return;
    };
    let begun = watched.bodies.try_update_value(|under_way| {
        under_way.0.retain(|seq, _| plan.contains(seq));
        let free = AT_ONCE.saturating_sub(under_way.0.len());
        let next: Vec<_> = plan.into_iter().filter(|seq| !under_way.0.contains_key(seq)).take(free).collect();
        next.into_iter()
            .filter_map(|seq| {
                let abort = Abort::new()?;
                let signal = abort.signal();
                under_way.0.insert(seq, abort);
                Some((seq, signal))
            })
            .collect::<Vec<_>>()
    });
    for (seq, signal) in begun.into_iter().flatten() {
        spawn_local(async move {
            let session = watched.session();
            let answer = client::event(&session, seq, Some(&signal)).await;
            // A fetch that was called off was also forgotten, or is asked for anew by now.
            if signal.aborted() || watched.bodies.try_update_value(|under_way| under_way.0.remove(&seq)).is_none() {
                return;
            }
            watched.take(|record| match answer {
                Ok(event) => record.take_event(seq, &event),
                Err(ClientError::NotFound) => {
                    record.take_failure(seq, format!("The proxy no longer holds event {seq}."));
                }
                Err(error) => record.take_failure(seq, error.to_string()),
            });
        });
    }
}
