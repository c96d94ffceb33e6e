//! Server-sent events: the data of each event, with the line on which it begins.
//!
//! Several `data:` lines of one event belong together; names of events, ids and comments tell nothing that the data
//! does not.

use std::borrow::Cow;

/// Whether a text is a stream of events.
pub(super) fn is_stream(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_ascii_start).filter(|line| !line.is_empty());
    lines
        .next()
        .is_some_and(|line| ["event:", "data:", "id:", "retry:", ":"].iter().any(|field| line.starts_with(field)))
}

/// The data of the events, with the number of the line on which each begins, from 1.
///
/// A line that is no field is foreign text and handed on as if it were data, so that it is told.
pub(super) fn events(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let mut event: Option<(usize, Cow<'_, str>)> = None;
        for (number, line) in lines.by_ref() {
            if line.trim_ascii().is_empty() {
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = match field {
                "data" => value.strip_prefix(' ').unwrap_or(value),
                "" | "event" | "id" | "retry" => continue,
                _ => line,
            };
            match &mut event {
                None => event = Some((number + 1, value.into())),
                Some((_, data)) => {
                    let data = data.to_mut();
                    data.push('\n');
                    data.push_str(value);
                }
            }
        }
        event
    })
    .filter(|(_, data)| !matches!(data.trim_ascii(), "" | "[DONE]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &str) -> Vec<(usize, String)> {
        events(text).map(|(line, data)| (line, data.into_owned())).collect()
    }

    #[test]
    fn each_event_is_its_data() {
        let text = ": ok\n\nevent: a\ndata: {\"x\":1}\n\nid: 3\ndata:{\"y\":2}  \r\n\r\ndata: one\ndata:  two\n\nlog line\n\ndata: [DONE]\n\ndata: last";
        let expected = [(4, "{\"x\":1}"), (7, "{\"y\":2}  "), (9, "one\n two"), (12, "log line"), (16, "last")];
        assert_eq!(all(text), expected.map(|(line, data)| (line, data.to_owned())));
    }

    #[test]
    fn a_stream_begins_with_a_field() {
        for (text, is) in
            [("data: x", true), ("\n: hi\n", true), ("event: y", true), ("{\"data\":1}", false), ("", false)]
        {
            assert_eq!(is_stream(text), is, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[ade:t \n{}x\r]{0,60}") {
            prop_assert!(all(&text).len() <= text.lines().count());
        }
    }
}
