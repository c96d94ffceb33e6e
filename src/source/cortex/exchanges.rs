//! Events into exchanges: a request and its response are one (specs: cortex-api §2.1).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::wire::{Event, Inference, instant};
use crate::trace::{Exchange, ExchangeKind, Span, Text, Timestamp, Tokens};

/// The exchanges that the events tell, in order of their events; whose they are is not known here.
pub(super) fn fold(events: &BTreeMap<u64, Event>, main: &Arc<str>) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    let mut open: HashMap<Half<'_>, Vec<usize>> = HashMap::new();
    for (&seq, event) in events {
        if event.phase.as_deref() == Some("request") {
            open.entry(half(event)).or_default().push(exchanges.len());
            exchanges.push(begin(seq, event, main));
            continue;
        }
        // With an id there is one that fits; without, the nearest request of the same kind.
        let begun = open.get_mut(&half(event)).and_then(Vec::pop);
        let at = begun.unwrap_or_else(|| {
            exchanges.push(unseen_request(seq, event, main));
            exchanges.len() - 1
        });
        end(&mut exchanges[at], seq, event);
    }
    exchanges
}

/// What the two halves of an exchange have in common.
#[derive(PartialEq, Eq, Hash)]
enum Half<'a> {
    Id(&'a str),
    Kind { direction: Option<&'a str>, host: Option<&'a str>, method: Option<&'a str> },
}

fn half(event: &Event) -> Half<'_> {
    match event.request_id.as_deref() {
        Some(id) => Half::Id(id),
        None => Half::Kind {
            direction: event.direction.as_deref(),
            host: event.host.as_deref(),
            method: event.http_method.as_deref(),
        },
    }
}

fn begin(seq: u64, event: &Event, main: &Arc<str>) -> Exchange {
    let kind = if event.inference.is_some() { ExchangeKind::Model } else { ExchangeKind::Other };
    let span = Span { start: event.at, end: None };
    Exchange { request: Some(seq), ..Exchange::begun(seq, Arc::clone(main), kind, span, name(event)) }
}

fn unseen_request(seq: u64, event: &Event, main: &Arc<str>) -> Exchange {
    let took = event.duration_ms.and_then(|millis| i64::try_from(millis).ok()?.checked_mul(1_000_000)).unwrap_or(0);
    let start = Timestamp(instant(event).0.saturating_sub(took));
    Exchange { request: None, span: Span { start: Some(start), end: None }, ..begin(seq, event, main) }
}

fn end(exchange: &mut Exchange, seq: u64, event: &Event) {
    exchange.id = seq;
    exchange.span.end = event.at;
    exchange.status = event.status_code.and_then(|status| u16::try_from(status).ok());
    exchange.error = error(event);
    exchange.cost = cost(event);
    let Some(inference) = &event.inference else { return };
    exchange.kind = ExchangeKind::Model;
    exchange.name = name(event);
    exchange.tokens = tokens(inference);
    exchange.said = inference.completion.as_deref().filter(|said| !said.trim().is_empty()).map(Text::from);
    exchange.wants_tools =
        matches!(inference.finish_reason.as_deref(), Some("tool_use" | "tool_calls" | "function_call"));
}

fn name(event: &Event) -> Arc<str> {
    let rpc = |kind: &str, method: &Option<Arc<str>>| -> Arc<str> {
        method.as_deref().map_or_else(|| kind.into(), |method| format!("{kind} {method}").into())
    };
    if let Some(inference) = &event.inference {
        return inference.model.clone().unwrap_or_else(|| "model".into());
    }
    if let Some(mcp) = &event.mcp {
        return rpc("MCP", &mcp.method);
    }
    if let Some(a2a) = &event.a2a {
        return rpc("A2A", &a2a.method);
    }
    let host = event.host.as_deref().unwrap_or("unknown host");
    if event.tunnel {
        return format!("tunnel {host}").into();
    }
    let method = event.http_method.as_deref().unwrap_or("HTTP");
    format!("{method} {host}{}", event.http_path.as_deref().unwrap_or_default()).into()
}

fn error(event: &Event) -> Option<Arc<str>> {
    let error = event.error.as_ref()?;
    match (error.kind.as_deref(), error.message.as_deref()) {
        (Some(kind), Some(message)) => Some(format!("{kind}: {message}").into()),
        (Some(text), None) | (None, Some(text)) => Some(text.into()),
        (None, None) => Some("failed".into()),
    }
}

fn cost(event: &Event) -> Option<u64> {
    let plugins = event.plugins.as_ref()?;
    let cost = plugins.cost.as_ref().or(plugins.older_cost.as_ref())?;
    u64::try_from(cost.cost_usd?).ok()
}

fn tokens(inference: &Inference) -> Tokens {
    let input = inference.input_tokens.or_else(|| {
        // An API that states one sum only states it as the prompt.
        let kinds = inference.cache_read_tokens.or(inference.cache_write_tokens);
        if kinds.is_none() { inference.prompt_tokens } else { None }
    });
    Tokens {
        input,
        cache_read: inference.cache_read_tokens,
        cache_write: inference.cache_write_tokens,
        output: inference.output_tokens.or(inference.completion_tokens),
        reasoning: inference.reasoning_tokens,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::cortex::wire::read;

    fn folded(events: &[&str]) -> Vec<Exchange> {
        let events = events.iter().map(|json| read::<Event>(json).unwrap());
        fold(&events.map(|event| (event.seq.unwrap(), event)).collect(), &"main".into())
    }

    #[test]
    fn a_request_and_its_response_are_one_exchange() {
        let exchanges = folded(&[
            r#"{"seq":1,"at":"2026-01-01T00:00:00Z","phase":"request","requestId":"a","inference":{"model":"m"}}"#,
            r#"{"seq":2,"at":"2026-01-01T00:00:01Z","phase":"request","requestId":"b","inference":{"model":"m"}}"#,
            r#"{"seq":3,"at":"2026-01-01T00:00:02Z","phase":"response","requestId":"a","statusCode":200,
               "inference":{"model":"m2","finishReason":"tool_use","completion":"Hm.","inputTokens":600,"cacheReadTokens":70000,"outputTokens":312},
               "plugins":{"cost":{"cost_usd":0.2546}}}"#,
        ]);
        assert_eq!(exchanges.iter().map(|e| (e.request, e.id)).collect::<Vec<_>>(), [(Some(1), 3), (Some(2), 2)]);
        let first = &exchanges[0];
        assert_eq!(first.span.nanos(), Some(2_000_000_000));
        assert_eq!((first.name.as_ref(), first.status, first.wants_tools), ("m2", Some(200), true));
        assert_eq!(
            (first.tokens.total_input(), first.tokens.output, first.cost),
            (Some(70_600), Some(312), Some(254_600_000))
        );
        assert_eq!(first.said.as_ref().map(Text::read).as_deref(), Some("Hm."));
        assert_eq!(exchanges[1].span.end, None);
    }

    #[test]
    fn without_ids_the_nearest_request_of_the_same_kind_is_meant() {
        let exchanges = folded(&[
            r#"{"seq":1,"phase":"request","host":"a","direction":"outbound"}"#,
            r#"{"seq":2,"phase":"request","host":"b","direction":"outbound"}"#,
            r#"{"seq":3,"phase":"response","host":"a","direction":"outbound"}"#,
        ]);
        assert_eq!(exchanges.iter().map(|e| (e.request, e.id)).collect::<Vec<_>>(), [(Some(1), 3), (Some(2), 2)]);
    }

    #[test]
    fn a_response_whose_request_is_not_held_begins_its_duration_earlier() {
        let exchanges =
            folded(&[r#"{"seq":9,"at":"2026-01-01T00:00:02Z","phase":"response","durationMs":1500,"inference":{}}"#]);
        assert_eq!((exchanges[0].request, exchanges[0].span.nanos()), (None, Some(1_500_000_000)));
    }

    #[test]
    fn other_traffic_is_named_by_what_it_is() {
        for (json, name) in [
            (r#"{"seq":1,"phase":"request","mcp":{"method":"tools/call"}}"#, "MCP tools/call"),
            (r#"{"seq":1,"phase":"request","a2a":{}}"#, "A2A"),
            (r#"{"seq":1,"phase":"request","tunnel":true,"host":"h:443"}"#, "tunnel h:443"),
            (r#"{"seq":1,"phase":"request","httpMethod":"GET","host":"h","httpPath":"/x"}"#, "GET h/x"),
            (r#"{"seq":1,"phase":"denied","error":{"kind":"auth","message":"expired"}}"#, "HTTP unknown host"),
        ] {
            let exchanges = folded(&[json]);
            assert_eq!((exchanges[0].name.as_ref(), exchanges[0].kind), (name, ExchangeKind::Other));
        }
    }
}
