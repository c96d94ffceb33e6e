//! What there is to say of one model call, and how it and the tool calls lead to each other (specs: ledger, design §3).

use std::sync::Arc;

use super::{Took, cost_text, day_and_clock};
use crate::trace::{Exchange, ExchangeId, ExchangeKind, Outcome, Session, Timestamp, ToolCall};

/// A fact of an exchange: its name and what it is.
pub type Fact = (&'static str, String);

/// The facts of an exchange at `now`, those that the source tells; `offset` is minutes east of UTC.
#[must_use]
pub fn exchange_facts(exchange: &Exchange, offset: i32, now: Timestamp) -> Vec<Fact> {
    let is_model = exchange.kind == ExchangeKind::Model;
    let mut facts: Vec<Fact> = vec![(if is_model { "model" } else { "traffic" }, exchange.name.to_string())];
    let mut say = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
    let span = exchange.span;
    say("status", exchange.status.map(|status| status.to_string()));
    say("error", exchange.error.as_deref().map(str::to_owned));
    say("agent", Some(exchange.agent.to_string()).filter(|agent| !agent.is_empty()));
    say("asked", span.start.map(|at| day_and_clock(at, offset)));
    say("answered", span.end.map(|at| day_and_clock(at, offset)));
    let took = exchange_took(exchange).text(now);
    say("took", (!took.is_empty()).then_some(took));
    let tokens = exchange.tokens;
    say("input", tokens.input.map(tokens_in_full));
    say("cache read", tokens.cache_read.map(tokens_in_full));
    say("cache write", tokens.cache_write.map(tokens_in_full));
    say("output", tokens.output.map(tokens_in_full));
    say("reasoning", tokens.reasoning.map(tokens_in_full));
    say("cost", exchange.cost.map(|cost| cost_text(cost, 6)));
    say("request", exchange.request.map(|seq| format!("event {seq}")));
    facts
}

/// How long a model call took, or since when it is under way.
#[must_use]
pub fn exchange_took(exchange: &Exchange) -> Took {
    match (exchange.span.start, exchange.span.end) {
        (Some(start), None) => Took::Running(start),
        _ => Took::of(exchange.span.nanos()),
    }
}

/// A count of tokens to the last one: `70,612 tokens`.
fn tokens_in_full(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text.push_str(if count == 1 { " token" } else { " tokens" });
    text
}

/// The calls that an exchange asked for, in their order.
#[must_use]
pub fn calls_of(session: &Session, exchange: &Exchange) -> Vec<Arc<ToolCall>> {
    let asked = |call: &&Arc<ToolCall>| call.asked_by == Some(exchange.id) && call.key.agent == exchange.agent;
    session.calls.iter().filter(asked).cloned().collect()
}

/// The exchange that asked for a call, with its number from 1.
#[must_use]
pub fn asked_by<'a>(session: &'a Session, call: &ToolCall) -> Option<(usize, &'a Exchange)> {
    let id = call.asked_by?;
    numbered(session).find(|(_, exchange)| is_of(exchange, call, id))
}

/// The exchange whose request carried a call's result, with its number from 1: the next model call of the same agent
/// that began when the call had ended. A call without a result is answered in none.
#[must_use]
pub fn answered_in<'a>(session: &'a Session, call: &ToolCall) -> Option<(usize, &'a Exchange)> {
    if !matches!(call.outcome, Outcome::Ok | Outcome::Error | Outcome::Refused { .. } | Outcome::Cancelled) {
        return None;
    }
    let asked = call.asked_by.and_then(|id| numbered(session).find(|(_, exchange)| is_of(exchange, call, id)));
    let after = asked.map_or(0, |(number, _)| number);
    let carries = |exchange: &Exchange| {
        let in_time = match (exchange.span.start, call.span.end) {
            (Some(start), Some(end)) => start >= end,
            _ => asked.is_some(),
        };
        in_time && exchange.agent == call.key.agent && exchange.kind == ExchangeKind::Model
    };
    numbered(session).skip(after).find(|(_, exchange)| carries(exchange))
}

fn numbered(session: &Session) -> impl Iterator<Item = (usize, &Exchange)> {
    session.exchanges.iter().enumerate().map(|(position, exchange)| (position + 1, exchange))
}

fn is_of(exchange: &Exchange, call: &ToolCall, id: ExchangeId) -> bool {
    exchange.id == id && exchange.agent == call.key.agent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{CallKey, Content, Span, Tokens};

    fn exchange(id: ExchangeId, agent: &str, start: i64, end: Option<i64>) -> Exchange {
        let span = Span { start: Some(Timestamp(start)), end: end.map(Timestamp) };
        Exchange::begun(id, agent.into(), ExchangeKind::Model, span, "m".into())
    }

    fn call(agent: &str, id: &str, exchange: Option<ExchangeId>, end: Option<i64>, outcome: Outcome) -> Arc<ToolCall> {
        Arc::new(ToolCall {
            key: CallKey { agent: agent.into(), id: id.into(), nth: 0 },
            name: "Bash".into(),
            asked_by: exchange,
            span: Span { start: Some(Timestamp(0)), end: end.map(Timestamp) },
            approximate: false,
            outcome,
            preview: None,
            input: Content::None,
            output: Content::None,
            structured: None,
        })
    }

    #[test]
    fn calls_and_exchanges_lead_to_each_other() {
        let session = Session {
            exchanges: vec![
                exchange(1, "main", 0, Some(5)),
                exchange(1, "sub", 6, Some(8)),
                exchange(2, "sub", 10, Some(11)),
                exchange(3, "main", 9, Some(12)),
                exchange(4, "main", 20, None),
            ],
            calls: vec![
                call("main", "a", Some(1), Some(9), Outcome::Ok),
                call("main", "b", Some(1), Some(15), Outcome::Error),
                call("main", "c", Some(3), None, Outcome::Running),
                call("sub", "d", Some(1), Some(10), Outcome::Ok),
                call("main", "e", None, Some(13), Outcome::Ok),
                call("main", "f", Some(3), None, Outcome::Ok),
                call("main", "g", None, None, Outcome::Ok),
            ],
            ..Session::default()
        };
        let leads = |nth: usize| {
            let call = &session.calls[nth];
            let number = |found: Option<(usize, &Exchange)>| found.map(|(number, _)| number);
            (number(asked_by(&session, call)), number(answered_in(&session, call)))
        };
        for (nth, from_to) in [
            (0, (Some(1), Some(4))),
            (1, (Some(1), Some(5))),
            (2, (Some(4), None)),
            (3, (Some(2), Some(3))),
            (4, (None, Some(5))),
            (5, (Some(4), Some(5))),
            (6, (None, None)),
        ] {
            assert_eq!(leads(nth), from_to, "{nth}");
        }
        let ids = |nth: usize| {
            let calls = calls_of(&session, &session.exchanges[nth]);
            calls.iter().map(|call| call.key.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ids(0), ["a", "b"]);
        assert_eq!(ids(1), ["d"]);
    }

    #[test]
    fn an_exchange_tells_what_its_source_tells() {
        let mut told = exchange(7, "main", 0, Some(1_500_000_000));
        let names = |exchange: &Exchange| -> Vec<_> {
            exchange_facts(exchange, 0, Timestamp(0)).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(names(&told), ["model", "agent", "asked", "answered", "took"]);
        told.tokens = Tokens { input: Some(1_234_567), output: Some(1), cache_read: Some(0), ..Tokens::default() };
        told.cost = Some(254_600_000);
        told.status = Some(200);
        told.request = Some(6);
        let facts = exchange_facts(&told, 0, Timestamp(0));
        for fact in [
            ("status", "200"),
            ("took", "1.50s"),
            ("input", "1,234,567 tokens"),
            ("cache read", "0 tokens"),
            ("output", "1 token"),
            ("cost", "$0.254600"),
            ("request", "event 6"),
        ] {
            assert!(facts.iter().any(|(name, value)| (*name, value.as_str()) == fact), "{fact:?} in {facts:?}");
        }
    }

    #[test]
    fn one_under_way_counts_up() {
        let facts = exchange_facts(&exchange(1, "", 0, None), 0, Timestamp(3_000_000_000));
        assert!(facts.contains(&("took", "⋯ 3s".to_owned())), "{facts:?}");
    }
}
