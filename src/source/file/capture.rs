//! What stood on the wire between an agent and a model provider: pairs of requests and responses, claude-tap's packets,
//! turns and compact records, claude-trace's lines, and HAR files of browsers and proxies (specs: session-files §4, §5).

mod body;
#[cfg(test)]
mod tests;

use self::body::Body;
use super::source::{Container, Reader, Sample, Source};
use super::transcript::Transcript;
use super::wire::{Stream, Wire};
use super::{Belongs, Format, Reading};
use crate::json::{self, Json, decimal};
use crate::source::lenient::Fields;
use crate::trace::{Span, Timestamp};

const COMPACT: &str = "__claude_tap_compact_trace__";

pub(super) fn recognises(sample: &Sample<'_>) -> bool {
    sample.any(|json| match sample.container {
        Container::Lines => is_pair(json) || is_record(json),
        Container::Document => {
            json.get("packets").is_some()
                || json.get(COMPACT).is_some()
                || json.nested("log").is_some_and(|log| log.get("entries").is_some())
                || is_pair(json)
                || json
                    .items()
                    .take(10)
                    .any(|item| Json::parse(item.into()).is_ok_and(|item| is_pair(&item) || is_turn(&item)))
        }
        Container::Events => false,
    })
}

/// Both sides of an exchange.
fn is_pair(json: &Json<'_>) -> bool {
    json.nested("request").is_some_and(|request| request.is_object()) && json.get("response").is_some()
}

/// claude-tap's turn: the request's parts stand beside the response.
fn is_turn(json: &Json<'_>) -> bool {
    json.get("turn").is_some() && json.get("messages").is_some() && json.get("response").is_some()
}

fn is_record(json: &Json<'_>) -> bool {
    json.nested("record").is_some_and(|record| is_pair(&record)) || is_turn(json)
}

pub(super) fn read(source: &Source) -> Vec<Reading> {
    let mut capture = Capture { wire: Wire::new(&source.name, &source.buffer), blobs: None };
    match source.container {
        Container::Document => capture.document(source),
        Container::Lines | Container::Events => source.read_lines(&mut capture),
    }
    vec![source.reading(Format::Capture, capture.wire.transcript.finish(false), Belongs::Alone)]
}

struct Capture<'a> {
    wire: Wire,
    /// claude-tap keeps parts that repeat once, under their hash.
    blobs: Option<Json<'a>>,
}

impl Reader for Capture<'_> {
    fn transcript(&mut self) -> &mut Transcript {
        &mut self.wire.transcript
    }

    fn record(&mut self, json: &Json<'_>) {
        self.exchange(json);
    }
}

impl<'a> Capture<'a> {
    fn document(&mut self, source: &'a Source) {
        let Some(json) = source.document() else { return };
        let session = &mut self.wire.transcript.session;
        if let Some(id) = json.word("session") {
            session.id = id;
        }
        session.title = json.word("task");
        session.host = json.word("agent");
        if is_pair(&json) {
            self.exchange(&json);
        }
        // The blobs stand in the same text and live as long as it does.
        let text = source.buffer.as_str();
        self.blobs = Json::parse(text.into()).ok().and_then(|json| {
            let raw = json.get("blobs")?;
            let start = raw.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
            Json::parse(text.get(start..start + raw.len())?.into()).ok()
        });
        let list = json.nested("packets").or_else(|| json.nested("records"));
        let log = json.nested("log");
        let entries = log.as_ref().and_then(|log| log.nested("entries"));
        let list = list.as_ref().or(entries.as_ref()).unwrap_or(&json);
        for (position, item) in list.items().enumerate() {
            match Json::parse(item.into()) {
                Ok(item) if item.is_object() => self.exchange(&item),
                _ => self.wire.transcript.problem(format!("exchange {}", position + 1), "it is no object"),
            }
        }
    }

    /// Takes in a request and its response.
    fn exchange(&mut self, json: &Json<'_>) {
        let inner = json.nested("record");
        let json = inner.as_ref().unwrap_or(json);
        self.wire.span = span(json);
        let from = self.wire.transcript.session.exchanges.len();
        if let Some(request) = json.nested("request") {
            self.body(&request, false);
        } else if json.get("messages").is_some() {
            self.wire.request(json);
        }
        if let Some(response) = json.nested("response") {
            if ["body", "body_raw", "content"].iter().any(|key| response.get(key).is_some())
                && response.get("usage").is_none()
            {
                self.body(&response, true);
            } else {
                self.wire.response(&response);
            }
            let status = response.whole("status").or_else(|| response.whole("status_code"));
            let exchanges = &mut self.wire.transcript.session.exchanges;
            if let Some(exchange) = exchanges.get_mut(from..).and_then(<[_]>::last_mut) {
                exchange.status = status.and_then(|status| u16::try_from(status).ok());
            }
        }
        self.wire.span = Span::default();
    }

    fn body(&mut self, side: &Json<'_>, is_response: bool) {
        let Some(body) = Body::of(side, self.blobs.as_ref()) else { return };
        let take = |wire: &mut Wire, json: &Json<'_>| match is_response {
            true if is_answer(json) => wire.response(json),
            true => {}
            false => wire.request(json),
        };
        match body {
            Body::Here(json) => take(&mut self.wire, &json),
            Body::Text(text) => self.wire.with_buffer(&text, |wire, text| {
                if super::sse::is_stream(text) {
                    let mut stream = Stream::default();
                    for (_, data) in super::sse::events(text) {
                        if let Ok(json) = Json::parse(data) {
                            stream.event(wire, &json);
                        }
                    }
                    stream.end(wire);
                } else if let Ok(json) = Json::parse(text.as_str().into()) {
                    take(wire, &json);
                }
            }),
        }
    }
}

/// Whether a body is a model's answer; a capture holds other traffic too.
fn is_answer(json: &Json<'_>) -> bool {
    ["content", "choices", "output", "error"].iter().any(|key| json.nested(key).is_some())
}

/// When an exchange took place, by what its capture wrote down.
fn span(json: &Json<'_>) -> Span {
    let of = |key: &str, field: &str| json.nested(key).and_then(|side| side.time(field));
    if let Some(start) = json.time("startedDateTime") {
        let end =
            json.get("time").and_then(|time| decimal(time, 6)).map(|nanos| Timestamp(start.0.saturating_add(nanos)));
        return Span { start: Some(start), end };
    }
    if let (Some(start), end) = (of("request", "timestamp"), of("response", "timestamp")) {
        return Span { start: Some(start), end };
    }
    if let Some(end) = json.time("timestamp") {
        let duration = json.get("duration_ms").and_then(|time| decimal(time, 6));
        // A WebSocket's duration is counted from when it was opened.
        let is_socket = json.text("transport").as_deref() == Some("websocket");
        let start = duration.filter(|_| !is_socket).map(|nanos| Timestamp(end.0.saturating_sub(nanos)));
        let body = json.nested("response").and_then(|response| response.nested("body")?.time("created_at"));
        return Span { start: start.or(body.filter(|body| *body <= end)), end: Some(end) };
    }
    let headers = json.nested("response").and_then(|response| {
        let headers = response.nested("headers")?;
        let date = headers.fields().find(|(key, _)| key.eq_ignore_ascii_case("date"))?.1;
        body::http_date(&json::string(date)?)
    });
    Span { start: headers, end: None }
}
