//! Searching the calls of a session (specs: ledger, *Search*).

use std::sync::Arc;

use memchr::memchr2_iter;

use crate::trace::{Block, CallKey, Content, Text, ToolCall};

/// A search under way: it goes on a slice at a time, so that a key press never waits for it.
#[derive(Clone, Debug, Default)]
pub struct Search {
    needle: String,
    next: usize,
    /// The calls that match, in the session's order.
    pub matches: Vec<CallKey>,
}

impl Search {
    /// Looks for `needle`, whatever its case.
    #[must_use]
    pub fn new(needle: &str) -> Self {
        Self { needle: needle.to_lowercase(), next: 0, matches: Vec::new() }
    }

    /// Looks through the next `count` calls; `head` gives what a card says of a call besides its input and output. Whether all
    /// were looked through.
    pub fn step(&mut self, calls: &[Arc<ToolCall>], count: usize, head: fn(&ToolCall) -> String) -> bool {
        let end = calls.len().min(self.next.saturating_add(count));
        if !self.needle.is_empty() {
            for call in calls.get(self.next..end).unwrap_or_default() {
                if self.is_in(call, head) {
                    self.matches.push(call.key.clone());
                }
            }
        }
        self.next = end;
        end == calls.len()
    }

    fn is_in(&self, call: &ToolCall, head: fn(&ToolCall) -> String) -> bool {
        let text = |text: &Text| contains(&text.read(), &self.needle);
        let block = |block: &Block| match block {
            Block::Text(part) | Block::Json(part) | Block::Reference(part) => text(part),
            Block::Image { media_type, .. } => contains(media_type, &self.needle),
        };
        contains(&call.name, &self.needle)
            || matches!(&call.input, Content::Held(input) if text(input))
            || matches!(&call.output, Content::Held(blocks) if blocks.iter().any(block))
            || contains(&head(call), &self.needle)
    }
}

/// Whether `needle`, which is in lower case, stands in `text` in any case.
fn contains(text: &str, needle: &str) -> bool {
    if !needle.is_ascii() {
        return text.to_lowercase().contains(needle);
    }
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let Some(&first) = needle.first() else { return false };
    memchr2_iter(first, first.to_ascii_uppercase(), text)
        .any(|at| text.get(at..at + needle.len()).is_some_and(|part| part.eq_ignore_ascii_case(needle)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Outcome, Span};
    use proptest::prelude::*;

    fn call(id: &str, input: &str, output: &str) -> Arc<ToolCall> {
        let written: Arc<String> = Arc::new(serde_json::to_string(output).unwrap());
        Arc::new(ToolCall {
            key: CallKey { agent: "main".into(), id: id.into(), nth: 0 },
            name: "Bash".into(),
            asked_by: None,
            span: Span::default(),
            approximate: false,
            outcome: Outcome::Ok,
            preview: None,
            input: Content::Held(input.into()),
            output: Content::Held(vec![Block::Text(Text::json_string(&written, 1, written.len() - 1))]),
            structured: None,
        })
    }

    fn found(needle: &str, calls: &[Arc<ToolCall>]) -> Vec<String> {
        let mut search = Search::new(needle);
        while !search.step(calls, 1, |_| "In One Line".to_owned()) {}
        search.matches.iter().map(|key| key.id.to_string()).collect()
    }

    #[test]
    fn whatever_the_case_and_wherever_it_stands() {
        let calls = [call("a", "Größe", "one\nback"), call("b", "x", "GRÖSSE\tÄ")];
        for (needle, ids) in [
            ("GRÖSSE", vec!["b"]),
            ("grÖße", vec!["a"]),
            ("bash", vec!["a", "b"]),
            ("one line", vec!["a", "b"]),
            ("ONE\nB", vec!["a"]),
            // An escape of the wire is no text.
            ("nback", vec![]),
            ("ä", vec!["b"]),
            ("", vec![]),
        ] {
            assert_eq!(found(needle, &calls), ids, "{needle:?}");
        }
    }

    proptest! {
        #[test]
        fn what_stands_there_is_found(before in "\\PC{0,9}", needle in "[a-zA-Zé\"\\\\]{1,4}", after in "\\PC{0,9}") {
            let calls = [call("a", "", &format!("{before}{needle}{after}"))];
            prop_assert_eq!(found(&needle.to_lowercase(), &calls).len(), 1);
        }
    }
}
