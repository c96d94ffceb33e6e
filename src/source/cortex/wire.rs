//! What the proxy says, as JSON. Every field may be absent: that is how it spells zero, false and empty.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Deserialize;

use crate::source::lenient::{Count, Flag, Json, List, Number, Part, Str, Time};
use crate::trace::{SessionSummary, Timestamp};

/// Why an answer could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The document ends early or is no JSON. The proxy writes event by event, so a failure half way cuts it.
    #[error("the proxy's answer is cut or is no JSON: {0}")]
    NotJson(String),
}

/// Reads an answer of the proxy.
///
/// # Errors
/// When the text is no JSON; fields of unexpected types are taken as absent.
pub fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, WireError> {
    serde_json::from_str(text).map_err(|error| WireError::NotJson(error.to_string()))
}

/// Answer of `GET /v1/sessions` (§1.1).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SessionList {
    /// Newest first.
    pub sessions: List<ListedSession>,
}

/// One session of the list (§1.1).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ListedSession {
    pub id: Str,
    pub title: Str,
    pub agent: Str,
    pub created_at: Time,
    pub updated_at: Time,
    pub event_count: Count,
    pub total_tokens: Count,
    /// Millionths of a US dollar; absent when nobody priced it.
    pub cost_micros: Count,
    /// Totals are floors.
    pub saturated: Flag,
}

impl SessionList {
    /// The sessions that have an id, each once.
    #[must_use]
    pub fn summaries(self) -> Vec<SessionSummary> {
        let mut seen = HashSet::new();
        let told = self.sessions.items.into_iter().filter_map(|listed| {
            Some(SessionSummary {
                id: listed.id.0?,
                title: listed.title.0,
                host: listed.agent.0,
                created: listed.created_at.0,
                updated: listed.updated_at.0,
                events: listed.event_count.0.unwrap_or(0),
                tokens: listed.total_tokens.0,
                cost: listed.cost_micros.0.map(|micros| micros.saturating_mul(1_000)),
                saturated: listed.saturated.0,
            })
        });
        told.filter(|summary| seen.insert(Arc::clone(&summary.id))).collect()
    }
}

/// Answer of `GET /v1/sessions/{id}` (§1.2).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SessionPage {
    pub id: Str,
    pub events: List<Event>,
    pub oldest_seq: Count,
}

/// One event, whole or as a summary (§2.1).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Event {
    pub seq: Count,
    pub at: Time,
    pub direction: Str,
    pub phase: Str,
    pub request_id: Str,
    pub inference: Part<Inference>,
    pub mcp: Part<Rpc>,
    pub a2a: Part<Rpc>,
    pub tunnel: Flag,
    pub status_code: Count,
    pub error: Part<EventError>,
    pub host: Str,
    /// Milliseconds; only on a response, and zero is omitted.
    pub duration_ms: Count,
    pub http_method: Str,
    pub http_path: Str,
    pub plugins: Part<Plugins>,
}

/// The half of a model call that an event carries (§2.2).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Inference {
    pub model: Str,
    pub agent_role: Str,
    pub completion: Str,
    pub finish_reason: Str,
    pub messages: List<Message>,
    pub tool_calls: List<ToolCall>,
    pub tool_results: List<ToolResult>,
    pub total_tokens: Count,
    pub prompt_tokens: Count,
    pub completion_tokens: Count,
    pub input_tokens: Count,
    pub cache_read_tokens: Count,
    pub cache_write_tokens: Count,
    pub output_tokens: Count,
    pub reasoning_tokens: Count,
}

/// A message of a request; only those of role `tool` matter here.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Message {
    pub role: Str,
    pub content: Json,
}

/// A call that a response asks for; `arguments` is JSON text, free text, or empty after a cut stream.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ToolCall {
    pub id: Str,
    pub name: Str,
    pub arguments: Str,
}

/// A result that a request brings. Its keys were never seen, so every likely spelling is taken (§2.3).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ToolResult {
    pub tool_use_id: Str,
    #[serde(rename = "toolUseID")]
    pub tool_use_id_upper: Str,
    #[serde(rename = "tool_use_id")]
    pub tool_use_id_snake: Str,
    pub id: Str,
    pub tool_call_id: Str,
    pub call_id: Str,
    pub content: Json,
    pub text: Json,
    pub is_error: Flag,
    #[serde(rename = "is_error")]
    pub is_error_snake: Flag,
    pub error: Flag,
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
        spellings.into_iter().find_map(|id| id.0.as_deref())
    }

    /// What the tool gave back, as JSON; absent when it said nothing.
    #[must_use]
    pub fn content(&self) -> Option<&str> {
        self.content.0.as_deref().or(self.text.0.as_deref())
    }

    /// Whether the result is flagged as an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error.0 || self.is_error_snake.0 || self.error.0
    }
}

/// MCP or A2A traffic.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Rpc {
    pub method: Str,
}

/// What failed in an exchange (§2.5).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct EventError {
    pub kind: Str,
    pub message: Str,
}

/// What plugins noted; only the cost is read, under its newer or older name (§2.4).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Plugins {
    pub cost: Part<Cost>,
    #[serde(rename = "litellm-budget-track")]
    pub older_cost: Part<Cost>,
}

/// What an exchange cost.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// US dollars.
    pub cost_usd: Number,
}

/// Answer of `GET /v1/sessions/{id}/timeline` (§7).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Timeline {
    pub agents: List<TimelineAgent>,
    pub tools: List<TimelineTool>,
    pub jobs: List<TimelineJob>,
}

/// An agent of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimelineAgent {
    pub id: Str,
    pub key: Str,
    pub name: Str,
    pub label: Str,
    pub kind: Str,
    pub spawn_tool: Str,
    pub spawn_tool_id: Str,
    pub spawned_at: Time,
    pub returned_at: Time,
    pub start: Time,
    pub end: Time,
}

/// A tool call of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimelineTool {
    pub id: Str,
    pub name: Str,
    pub agent: Str,
    pub agent_id: Str,
    /// The response event that asked for it.
    pub seq: Count,
    pub start: Time,
    pub end: Time,
    pub error: Flag,
    pub lost: Flag,
    pub preview: Str,
    pub summary: Str,
}

/// A job in the background.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimelineJob {
    pub agent: Str,
    pub agent_id: Str,
    pub start: Time,
    pub end: Time,
}

/// When an event says it happened; events without a time sort first.
#[must_use]
pub fn instant(event: &Event) -> Timestamp {
    event.at.0.unwrap_or(Timestamp(0))
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
