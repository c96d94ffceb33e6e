//! Whatever a proxy answers is a session: each line of the input is an answer of one kind or another, told by its first byte.

#![no_main]

use callsheet::source::cortex::wire::{self, SessionList};
use callsheet::source::cortex::{News, Record, Want};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut record = Record::new("s");
    let mut news = News { summaries: Vec::new(), newest: wire::read("{}").expect("an object"), timeline: None };
    for (seq, line) in text.lines().enumerate() {
        let Some((kind, answer)) = line.split_at_checked(1) else { continue };
        match kind {
            "l" => news.summaries = wire::read(answer).map(SessionList::summaries).unwrap_or_default(),
            "t" => news.timeline = wire::read(answer).ok(),
            "n" => {
                if let Ok(page) = wire::read(answer) {
                    news.newest = page;
                    record.take_news(news.clone());
                }
            }
            "o" => {
                if let Ok(page) = wire::read(answer) {
                    record.take_older(page);
                }
            }
            "f" => record.take_failure(seq as u64, "it failed"),
            _ => {
                if let Ok(event) = wire::read(answer) {
                    record.take_event(seq as u64, &event);
                }
            }
        }
        let session = record.session();
        let wants: Vec<_> = session.calls.iter().map(|call| Want::Card(call.key.clone())).collect();
        let _ = record.plan(&wants);
    }
});
