//! What the proxy says, as JSON. Every field may be absent: that is how it spells zero, false and empty.

use std::collections::HashSet;
use std::sync::Arc;

use crate::json::Json;
use crate::source::lenient::{Fields, List};
use crate::trace::{SessionSummary, Timestamp};

/// Why an answer could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The document ends early or is no JSON. The proxy writes event by event, so a failure half way cuts it.
    #[error("it is cut or is no JSON")]
    NotJson,
}

/// Something that an object of the wire tells. What is not there, or is of another type than expected, is absent.
pub trait Wire: Sized {
    /// Reads it.
    fn read(json: &Json<'_>) -> Self;
}

/// Reads an answer of the proxy.
///
/// # Errors
/// When the text is no JSON object; fields of unexpected types are taken as absent.
pub fn read<T: Wire>(text: &str) -> Result<T, WireError> {
    match Json::parse(text.into()) {
        Ok(json) if json.is_object() => Ok(T::read(&json)),
        _ => Err(WireError::NotJson),
    }
}

/// Answer of `GET /v1/sessions` (§1.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionList {
    /// Newest first.
    pub sessions: List<ListedSession>,
}

impl Wire for SessionList {
    fn read(json: &Json<'_>) -> Self {
        Self { sessions: json.list("sessions", ListedSession::read) }
    }
}

/// One session of the list (§1.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedSession {
    pub id: Option<Arc<str>>,
    pub title: Option<Arc<str>>,
    pub agent: Option<Arc<str>>,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
    pub event_count: Option<u64>,
    pub total_tokens: Option<u64>,
    /// Millionths of a US dollar; absent when nobody priced it.
    pub cost_micros: Option<u64>,
    /// Totals are floors.
    pub saturated: bool,
}

impl Wire for ListedSession {
    fn read(json: &Json<'_>) -> Self {
        Self {
            id: json.word("id"),
            title: json.word("title"),
            agent: json.word("agent"),
            created_at: json.time("createdAt"),
            updated_at: json.time("updatedAt"),
            event_count: json.whole("eventCount"),
            total_tokens: json.whole("totalTokens"),
            cost_micros: json.whole("costMicros"),
            saturated: json.flag("saturated"),
        }
    }
}

impl SessionList {
    /// The sessions that have an id, each once.
    #[must_use]
    pub fn summaries(self) -> Vec<SessionSummary> {
        let mut seen = HashSet::new();
        let told = self.sessions.items.into_iter().filter_map(|listed| {
            Some(SessionSummary {
                id: listed.id?,
                title: listed.title,
                host: listed.agent,
                created: listed.created_at,
                updated: listed.updated_at,
                events: listed.event_count.unwrap_or(0),
                tokens: listed.total_tokens,
                cost: listed.cost_micros.map(|micros| micros.saturating_mul(1_000)),
                saturated: listed.saturated,
            })
        });
        told.filter(|summary| seen.insert(Arc::clone(&summary.id))).collect()
    }
}

/// Answer of `GET /v1/sessions/{id}` (§1.2).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionPage {
    pub id: Option<Arc<str>>,
    pub events: List<Event>,
    pub oldest_seq: Option<u64>,
}

impl Wire for SessionPage {
    fn read(json: &Json<'_>) -> Self {
        Self { id: json.word("id"), events: json.list("events", Event::read), oldest_seq: json.whole("oldestSeq") }
    }
}

/// One event, whole or as a summary (§2.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    pub seq: Option<u64>,
    pub at: Option<Timestamp>,
    pub direction: Option<Arc<str>>,
    pub phase: Option<Arc<str>>,
    pub request_id: Option<Arc<str>>,
    pub inference: Option<Inference>,
    pub mcp: Option<Rpc>,
    pub a2a: Option<Rpc>,
    pub tunnel: bool,
    pub status_code: Option<u64>,
    pub error: Option<EventError>,
    pub host: Option<Arc<str>>,
    /// Milliseconds; only on a response, and zero is omitted.
    pub duration_ms: Option<u64>,
    pub http_method: Option<Arc<str>>,
    pub http_path: Option<Arc<str>>,
    pub plugins: Option<Plugins>,
}

impl Wire for Event {
    fn read(json: &Json<'_>) -> Self {
        Self {
            seq: json.whole("seq"),
            at: json.time("at"),
            direction: json.word("direction"),
            phase: json.word("phase"),
            request_id: json.word("requestId"),
            inference: json.part("inference", Inference::read),
            mcp: json.part("mcp", Rpc::read),
            a2a: json.part("a2a", Rpc::read),
            tunnel: json.flag("tunnel"),
            status_code: json.whole("statusCode"),
            error: json.part("error", EventError::read),
            host: json.word("host"),
            duration_ms: json.whole("durationMs"),
            http_method: json.word("httpMethod"),
            http_path: json.word("httpPath"),
            plugins: json.part("plugins", Plugins::read),
        }
    }
}

/// The half of a model call that an event carries (§2.2).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inference {
    pub model: Option<Arc<str>>,
    pub agent_role: Option<Arc<str>>,
    pub completion: Option<Arc<str>>,
    pub finish_reason: Option<Arc<str>>,
    pub messages: List<Message>,
    pub tool_calls: List<ToolCall>,
    pub tool_results: List<ToolResult>,
    pub total_tokens: Option<u64>,
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
    pub input_tokens: Option<u64>,
    pub cache_read_tokens: Option<u64>,
    pub cache_write_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub reasoning_tokens: Option<u64>,
}

impl Wire for Inference {
    fn read(json: &Json<'_>) -> Self {
        Self {
            model: json.word("model"),
            agent_role: json.word("agentRole"),
            completion: json.word("completion"),
            finish_reason: json.word("finishReason"),
            messages: json.list("messages", Message::read),
            tool_calls: json.list("toolCalls", ToolCall::read),
            tool_results: json.list("toolResults", ToolResult::read),
            total_tokens: json.whole("totalTokens"),
            prompt_tokens: json.whole("promptTokens"),
            completion_tokens: json.whole("completionTokens"),
            input_tokens: json.whole("inputTokens"),
            cache_read_tokens: json.whole("cacheReadTokens"),
            cache_write_tokens: json.whole("cacheWriteTokens"),
            output_tokens: json.whole("outputTokens"),
            reasoning_tokens: json.whole("reasoningTokens"),
        }
    }
}

/// A message of a request; only those of role `tool` matter here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    pub role: Option<Arc<str>>,
    pub content: Option<Arc<str>>,
}

impl Wire for Message {
    fn read(json: &Json<'_>) -> Self {
        Self { role: json.word("role"), content: json.written("content") }
    }
}

/// A call that a response asks for; `arguments` is JSON text, free text, or empty after a cut stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    pub id: Option<Arc<str>>,
    pub name: Option<Arc<str>>,
    pub arguments: Option<Arc<str>>,
}

impl Wire for ToolCall {
    fn read(json: &Json<'_>) -> Self {
        Self { id: json.word("id"), name: json.word("name"), arguments: json.word("arguments") }
    }
}

/// A result that a request brings. Its keys were never seen, so every likely spelling is taken (§2.3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    pub tool_use_id: Option<Arc<str>>,
    pub tool_use_id_upper: Option<Arc<str>>,
    pub tool_use_id_snake: Option<Arc<str>>,
    pub id: Option<Arc<str>>,
    pub tool_call_id: Option<Arc<str>>,
    pub call_id: Option<Arc<str>>,
    pub content: Option<Arc<str>>,
    pub text: Option<Arc<str>>,
    pub is_error: bool,
    pub is_error_snake: bool,
    pub error: bool,
}

impl Wire for ToolResult {
    fn read(json: &Json<'_>) -> Self {
        Self {
            tool_use_id: json.word("toolUseId"),
            tool_use_id_upper: json.word("toolUseID"),
            tool_use_id_snake: json.word("tool_use_id"),
            id: json.word("id"),
            tool_call_id: json.word("toolCallId"),
            call_id: json.word("callId"),
            content: json.written("content"),
            text: json.written("text"),
            is_error: json.flag("isError"),
            is_error_snake: json.flag("is_error"),
            error: json.flag("error"),
        }
    }
}

impl ToolResult {
    /// The id of the call it answers.
    #[must_use]
    pub fn call(&self) -> Option<&str> {
        let spellings = [
            &self.tool_use_id,
            &self.tool_use_id_upper,
            &self.tool_use_id_snake,
            &self.id,
            &self.tool_call_id,
            &self.call_id,
        ];
        spellings.into_iter().find_map(|id| id.as_deref())
    }

    /// What the tool gave back, as JSON; absent when it said nothing.
    #[must_use]
    pub fn content(&self) -> Option<&str> {
        self.content.as_deref().or(self.text.as_deref())
    }

    /// Whether the result is flagged as an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error || self.is_error_snake || self.error
    }
}

/// MCP or A2A traffic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rpc {
    pub method: Option<Arc<str>>,
}

impl Wire for Rpc {
    fn read(json: &Json<'_>) -> Self {
        Self { method: json.word("method") }
    }
}

/// What failed in an exchange (§2.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventError {
    pub kind: Option<Arc<str>>,
    pub message: Option<Arc<str>>,
}

impl Wire for EventError {
    fn read(json: &Json<'_>) -> Self {
        Self { kind: json.word("kind"), message: json.word("message") }
    }
}

/// What plugins noted; only the cost is read, under its newer or older name (§2.4).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plugins {
    pub cost: Option<Cost>,
    pub older_cost: Option<Cost>,
}

impl Wire for Plugins {
    fn read(json: &Json<'_>) -> Self {
        Self { cost: json.part("cost", Cost::read), older_cost: json.part("litellm-budget-track", Cost::read) }
    }
}

/// What an exchange cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Billionths of a US dollar; the wire says dollars.
    pub cost_usd: Option<i64>,
}

impl Wire for Cost {
    fn read(json: &Json<'_>) -> Self {
        Self { cost_usd: json.billionths("cost_usd") }
    }
}

/// Answer of `GET /v1/sessions/{id}/timeline` (§7).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    pub agents: List<TimelineAgent>,
    pub tools: List<TimelineTool>,
    pub jobs: List<TimelineJob>,
}

impl Wire for Timeline {
    fn read(json: &Json<'_>) -> Self {
        Self {
            agents: json.list("agents", TimelineAgent::read),
            tools: json.list("tools", TimelineTool::read),
            jobs: json.list("jobs", TimelineJob::read),
        }
    }
}

/// An agent of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineAgent {
    pub id: Option<Arc<str>>,
    pub key: Option<Arc<str>>,
    pub name: Option<Arc<str>>,
    pub label: Option<Arc<str>>,
    pub kind: Option<Arc<str>>,
    pub spawn_tool: Option<Arc<str>>,
    pub spawn_tool_id: Option<Arc<str>>,
    pub spawned_at: Option<Timestamp>,
    pub returned_at: Option<Timestamp>,
    pub start: Option<Timestamp>,
    pub end: Option<Timestamp>,
}

impl Wire for TimelineAgent {
    fn read(json: &Json<'_>) -> Self {
        Self {
            id: json.word("id"),
            key: json.word("key"),
            name: json.word("name"),
            label: json.word("label"),
            kind: json.word("kind"),
            spawn_tool: json.word("spawnTool"),
            spawn_tool_id: json.word("spawnToolId"),
            spawned_at: json.time("spawnedAt"),
            returned_at: json.time("returnedAt"),
            start: json.time("start"),
            end: json.time("end"),
        }
    }
}

/// A tool call of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineTool {
    pub id: Option<Arc<str>>,
    pub name: Option<Arc<str>>,
    pub agent: Option<Arc<str>>,
    pub agent_id: Option<Arc<str>>,
    /// The response event that asked for it.
    pub seq: Option<u64>,
    pub start: Option<Timestamp>,
    pub end: Option<Timestamp>,
    pub error: bool,
    pub lost: bool,
    pub preview: Option<Arc<str>>,
    pub summary: Option<Arc<str>>,
}

impl Wire for TimelineTool {
    fn read(json: &Json<'_>) -> Self {
        Self {
            id: json.word("id"),
            name: json.word("name"),
            agent: json.word("agent"),
            agent_id: json.word("agentId"),
            seq: json.whole("seq"),
            start: json.time("start"),
            end: json.time("end"),
            error: json.flag("error"),
            lost: json.flag("lost"),
            preview: json.word("preview"),
            summary: json.word("summary"),
        }
    }
}

/// A job in the background.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineJob {
    pub agent: Option<Arc<str>>,
    pub agent_id: Option<Arc<str>>,
    pub start: Option<Timestamp>,
    pub end: Option<Timestamp>,
}

impl Wire for TimelineJob {
    fn read(json: &Json<'_>) -> Self {
        Self {
            agent: json.word("agent"),
            agent_id: json.word("agentId"),
            start: json.time("start"),
            end: json.time("end"),
        }
    }
}

/// When an event says it happened; events without a time sort first.
#[must_use]
pub fn instant(event: &Event) -> Timestamp {
    event.at.unwrap_or(Timestamp(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_each_session_once_and_leaves_out_what_has_no_id() {
        let list: SessionList = read(
            r#"{"sessions":[{"id":"a","costMicros":385900,"eventCount":6},{"id":"a"},{"title":"?"},7,{"id":"b","active":true}]}"#,
        )
        .unwrap();
        let summaries = list.summaries();
        let told: Vec<_> =
            summaries.iter().map(|summary| (summary.id.as_ref(), summary.cost, summary.events)).collect();
        assert_eq!(told, [("a", Some(385_900_000), 6), ("b", None, 0)]);
    }

    #[test]
    fn an_empty_list_may_be_spelled_in_any_way() {
        for json in [r#"{"sessions":[]}"#, r#"{"sessions":null}"#, "{}"] {
            assert!(read::<SessionList>(json).unwrap().summaries().is_empty(), "{json}");
        }
        assert!(read::<SessionList>(r#"{"sessions":[{"id":"#).is_err(), "a cut answer is no answer");
    }
}
