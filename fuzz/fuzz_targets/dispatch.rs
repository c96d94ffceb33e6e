//! Whatever a host says is a conversation: each line of the input is a page of its log if it begins with `p`, else an event.

#![no_main]

use std::sync::Arc;

use callsheet::source::dispatch::Fold;
use callsheet::trace::Timestamp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut fold = Fold::new("");
    for (number, line) in text.lines().enumerate() {
        let place = || format!("line {number}");
        if let Some(page) = line.strip_prefix('p') {
            fold.ask();
            let _ = fold.page(&Arc::new(page.to_owned()));
        } else {
            let event = Arc::new(line.to_owned());
            fold.hear(&event, &event, Timestamp::from_millis(number as i64), &place);
        }
        let _ = fold.session(true);
    }
    let _ = fold.session(false);
});
