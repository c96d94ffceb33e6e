//! What was read of event bodies, and which are wanted next (specs: cortex-api §2.3).
//!
//! A request re-sends every earlier result of its agent, so the newest one fills nearly every card. Bodies are large:
//! older ones are read only for cards in view that still lack their result.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Record;
use super::wire::{self, Event};
use crate::json::Json;
use crate::trace::{AgentId, Block, CallKey, Content, ExchangeId, Input, Output};

/// What has been read of event bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    /// The calls that a response asks for, by its `seq`.
    asked: HashMap<u64, Vec<wire::ToolCall>>,
    results: HashMap<(AgentId, Arc<str>), ToolResult>,
    /// Results without ids, in order, as the last messages of a request.
    tails: HashMap<u64, Vec<Vec<Block>>>,
    read: HashSet<u64>,
    failed: HashMap<u64, Arc<str>>,
}

#[derive(Clone, Debug)]
struct ToolResult {
    seq: u64,
    output: Vec<Block>,
    is_error: bool,
}

/// What the page lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// The input and the output of a card that is open.
    Card(CallKey),
    /// The result summary of a closed card.
    Result(CallKey),
    /// The calls of an exchange, where the proxy has no timeline.
    Calls(ExchangeId),
}

/// What the cards need to know of how calls and events hang together; made anew with each session.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// The agent of each event.
    pub agent_of: HashMap<u64, AgentId>,
    /// The newest request of each agent.
    pub newest: HashMap<AgentId, u64>,
    /// The response that asked for a call and the request that brings its result first.
    pub events: HashMap<CallKey, (Option<u64>, Option<u64>)>,
}

impl Bodies {
    fn take(&mut self, seq: u64, event: &Event, agent: &AgentId) {
        self.failed.remove(&seq);
        self.read.insert(seq);
        let Some(inference) = &event.inference else { return };
        if !inference.tool_calls.items.is_empty() {
            self.asked.insert(seq, inference.tool_calls.items.clone());
        }
        for result in &inference.tool_results.items {
            let Some(id) = result.call() else { continue };
            let key = (Arc::clone(agent), Arc::from(id));
            // The earliest request that has it tells it as it was; later ones may have shortened it.
            if self.results.get(&key).is_none_or(|held| seq < held.seq) {
                self.results
                    .insert(key, ToolResult { seq, output: blocks(result.content()), is_error: result.is_error() });
            }
        }
        let messages = inference.messages.items.iter().rev();
        let mut tail: Vec<_> = messages
            .take_while(|message| message.role.as_deref() == Some("tool"))
            .map(|message| blocks(message.content.as_deref()))
            .collect();
        if !tail.is_empty() {
            tail.reverse();
            self.tails.insert(seq, tail);
        }
    }

    /// The calls that the response `seq` asks for, once it was read.
    pub(super) fn asked(&self, seq: u64) -> Option<&[wire::ToolCall]> {
        self.asked.get(&seq).map(Vec::as_slice)
    }

    /// The input of a call, named by its id or else by its name and `nth` place among its namesakes of the response.
    pub(super) fn input(&self, seq: u64, id: &str, name: &str, nth: usize) -> Input {
        let asked = self.asked(seq).unwrap_or_default();
        let by_id = || asked.iter().find(|call| !id.is_empty() && call.id.as_deref() == Some(id));
        let by_place = || asked.iter().filter(|call| call.name.as_deref() == Some(name)).nth(nth);
        match by_id().or_else(by_place) {
            Some(call) => call.arguments.as_deref().map_or(Content::None, |input| Content::Held(input.into())),
            None => self.missing(seq, "the input of this call"),
        }
    }

    /// Whether the result of a call is flagged as an error, once it was read.
    pub(super) fn is_error(&self, key: &CallKey) -> Option<bool> {
        self.results.get(&(Arc::clone(&key.agent), Arc::clone(&key.id))).map(|result| result.is_error)
    }

    /// The output of a call; `place` is its place among the `of` calls of its response, `carrier` the request that brings it first.
    pub(super) fn output(&self, key: &CallKey, carrier: Option<u64>, place: usize, of: usize) -> Output {
        if let Some(result) = self.results.get(&(Arc::clone(&key.agent), Arc::clone(&key.id))) {
            return Content::Held(result.output.clone());
        }
        let Some(carrier) = carrier else {
            return Content::Unavailable("The proxy does not hold the request that brought this result.".into());
        };
        let tail = self.tails.get(&carrier).and_then(|tail| tail.get((tail.len().checked_sub(of)?) + place));
        tail.map_or_else(|| self.missing(carrier, "the text of this result"), |output| Content::Held(output.clone()))
    }

    fn missing<T>(&self, seq: u64, what: &str) -> Content<T> {
        if let Some(reason) = self.failed.get(&seq) {
            return Content::Unavailable(Arc::clone(reason));
        }
        if self.read.contains(&seq) {
            return Content::Unavailable(format!("This proxy version does not keep {what}.").into());
        }
        Content::Remote
    }

    fn lacks(&self, seq: u64) -> bool {
        !self.read.contains(&seq) && !self.failed.contains_key(&seq)
    }
}

impl Record {
    /// The events whose bodies are wanted, the most urgent first: what open cards need, then what fills most closed ones.
    ///
    /// A fetch that is under way for an event not named here serves nobody any more.
    #[must_use]
    pub fn plan(&self, wants: &[Want]) -> Vec<u64> {
        let mut plan = Vec::new();
        let mut want = |seq: Option<u64>| {
            if let Some(seq) = seq.filter(|&seq| self.bodies.lacks(seq) && !plan.contains(&seq)) {
                plan.push(seq);
            }
        };
        for call in wants.iter().filter_map(|want| if let Want::Card(call) = want { Some(call) } else { None }) {
            let (asked_by, carrier) = self.index.events.get(call).copied().unwrap_or_default();
            want(asked_by);
            if !self.has_result(call) {
                want(carrier);
            }
        }
        for lack in wants {
            match lack {
                Want::Card(_) => {}
                Want::Calls(exchange) => want(Some(*exchange)),
                Want::Result(call) if self.has_result(call) => {}
                Want::Result(call) => {
                    let (_, carrier) = self.index.events.get(call).copied().unwrap_or_default();
                    let newest = self.index.newest.get(&call.agent).copied();
                    let newest =
                        newest.filter(|&seq| carrier.is_some_and(|carrier| seq >= carrier) && self.bodies.lacks(seq));
                    want(newest.or(carrier));
                }
            }
        }
        plan
    }

    fn has_result(&self, call: &CallKey) -> bool {
        self.bodies.is_error(call).is_some()
    }

    /// Takes the whole event `seq`.
    pub fn take_event(&mut self, seq: u64, event: &Event) {
        let agent = self.index.agent_of.get(&seq).cloned().unwrap_or_else(|| self.main_agent());
        self.bodies.take(seq, event, &agent);
    }

    /// Takes that the event `seq` could not be had, and why, in words for the reader.
    pub fn take_failure(&mut self, seq: u64, reason: impl Into<Arc<str>>) {
        self.bodies.failed.insert(seq, reason.into());
    }

    /// Forgets what could not be had for `call`, so that it is tried again.
    pub fn retry(&mut self, call: &CallKey) {
        let (asked_by, carrier) = self.index.events.get(call).copied().unwrap_or_default();
        for seq in [asked_by, carrier].into_iter().flatten() {
            self.bodies.failed.remove(&seq);
        }
    }
}

/// The content of a result: a string, a list of blocks, or any other value.
fn blocks(raw: Option<&str>) -> Vec<Block> {
    let Some(raw) = raw else { return Vec::new() };
    match Json::parse(raw.into()) {
        Ok(json) if json.is_array() => json.items().map(block).collect(),
        Ok(json) => vec![json.string().map_or_else(|| Block::Json(raw.into()), |text| Block::Text((*text).into()))],
        Err(_) => vec![Block::Json(raw.into())],
    }
}

fn block(raw: &str) -> Block {
    let known = Json::parse(raw.into()).ok().and_then(|json| match json.text("type")?.as_ref() {
        "text" => Some(Block::Text((*json.text("text")?).into())),
        "image" => {
            let source = json.nested("source")?;
            Some(Block::Image {
                media_type: source.text("media_type")?.as_ref().into(),
                data: (*source.text("data")?).into(),
            })
        }
        _ => None,
    });
    known.unwrap_or_else(|| Block::Json(raw.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::cortex::fixture::{self, key};
    use crate::trace::Session;

    fn open(id: &str) -> Want {
        Want::Card(key("main", id))
    }

    fn closed(id: &str) -> Want {
        Want::Result(key("main", id))
    }

    fn output(session: &Session, id: &str) -> Output {
        session.calls.iter().find(|call| call.key.id.as_ref() == id).unwrap().output.clone()
    }

    #[test]
    fn closed_cards_want_the_newest_request_of_their_agent_and_then_their_own() {
        let mut record = fixture::record();
        record.session();
        assert_eq!(record.plan(&[closed("toolu_01A"), closed("toolu_01B"), closed("toolu_01D")]), [31]);
        record.take_event(
            31,
            &fixture::event(r#"{"seq":31,"inference":{"toolResults":[{"toolUseId":"toolu_01D","content":"ok"}]}}"#),
        );
        assert_eq!(record.plan(&[closed("toolu_01A"), closed("toolu_01B"), closed("toolu_01D")]), [25]);
        assert!(record.plan(&[closed("toolu_01D")]).is_empty());
    }

    #[test]
    fn an_open_card_wants_its_input_and_its_own_result_first() {
        let mut record = fixture::record();
        record.session();
        assert_eq!(record.plan(&[closed("toolu_01D"), open("toolu_01A")]), [24, 25, 31]);
    }

    #[test]
    fn one_body_fills_many_cards() {
        let mut record = fixture::record();
        record.session();
        record.take_event(
            31,
            &fixture::event(
                r#"{"inference":{"toolResults":[{"toolUseId":"toolu_01A","content":"clean\n"},{"id":"toolu_01B","text":"1\tpackage"},
                   {"tool_use_id":"toolu_01D","content":[{"type":"text","text":"a"},{"type":"image","source":{"media_type":"image/png","data":"iVBO"}},{"x":1}]}]}}"#,
            ),
        );
        let session = record.session();
        assert_eq!(output(&session, "toolu_01A"), Content::Held(vec![Block::Text("clean\n".into())]));
        assert_eq!(output(&session, "toolu_01B"), Content::Held(vec![Block::Text("1\tpackage".into())]));
        let image = Block::Image { media_type: "image/png".into(), data: "iVBO".into() };
        assert_eq!(
            output(&session, "toolu_01D"),
            Content::Held(vec![Block::Text("a".into()), image, Block::Json(r#"{"x":1}"#.into())])
        );
    }

    #[test]
    fn the_earliest_request_has_the_last_word_on_a_result() {
        let mut record = fixture::record();
        record.session();
        record.take_event(
            31,
            &fixture::event(r#"{"inference":{"toolResults":[{"id":"toolu_01A","content":"[cleared]"}]}}"#),
        );
        record
            .take_event(25, &fixture::event(r#"{"inference":{"toolResults":[{"id":"toolu_01A","content":"whole"}]}}"#));
        assert_eq!(output(&record.session(), "toolu_01A"), Content::Held(vec![Block::Text("whole".into())]));
    }

    #[test]
    fn results_without_ids_stand_last_and_in_order() {
        let mut record = fixture::record();
        record.session();
        let messages = r#"{"inference":{"messages":[{"role":"tool","content":"older"},{"role":"assistant"},
            {"role":"tool","content":"first"},{"role":"tool","content":"second"}]}}"#;
        record.take_event(25, &fixture::event(messages));
        let session = record.session();
        assert_eq!(output(&session, "toolu_01A"), Content::Held(vec![Block::Text("first".into())]));
        assert_eq!(output(&session, "toolu_01B"), Content::Held(vec![Block::Text("second".into())]));
    }

    #[test]
    fn the_input_is_found_by_id_or_by_place() {
        let mut record = fixture::record();
        record.session();
        record.take_event(
            24,
            &fixture::event(r#"{"inference":{"toolCalls":[{"id":"other","name":"Bash","arguments":"{}"},{"id":"toolu_01B","name":"Read","arguments":"{\"a\":1}"}]}}"#),
        );
        let session = record.session();
        assert_eq!(session.calls[0].input, Content::Held("{}".into()));
        assert_eq!(session.calls[1].input, Content::Held(r#"{"a":1}"#.into()));
    }

    #[test]
    fn what_cannot_be_had_says_why_until_it_is_tried_again() {
        let mut record = fixture::record();
        record.session();
        record.take_failure(25, "gone");
        assert_eq!(output(&record.session(), "toolu_01A"), Content::Unavailable("gone".into()));
        assert_eq!(record.plan(&[open("toolu_01A")]), [24]);
        record.retry(&key("main", "toolu_01A"));
        assert_eq!(record.plan(&[open("toolu_01A")]), [24, 25]);
        record.take_event(25, &fixture::event(r#"{"inference":{}}"#));
        assert!(
            matches!(output(&record.session(), "toolu_01A"), Content::Unavailable(why) if why.contains("does not keep"))
        );
    }
}
