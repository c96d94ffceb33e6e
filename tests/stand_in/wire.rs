//! What the session API writes, key by key in wire order (specification `cortex-api` §1, §2 and §7).
//!
//! As in Go with `omitempty`, a key is absent where its value is zero, false or empty.

use serde::Serialize;
use serde_json::Value;

use super::Moment;

fn empty<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    pub sessions: Vec<ListedSession>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<Archive>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    pub id: String,
    pub created_at: Moment,
    pub updated_at: Moment,
    pub event_count: usize,
    #[serde(skip_serializing_if = "empty")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "empty")]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "empty")]
    pub total_tokens: u64,
    #[serde(skip_serializing_if = "empty")]
    pub cost_micros: u64,
    /// Written only as `false`, for sessions that are on disk alone.
    #[serde(skip_serializing_if = "empty")]
    pub resident: Option<bool>,
    pub active: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Archive {
    pub bytes: u64,
    pub max_bytes: u64,
    pub retention_days: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionPage {
    pub id: String,
    pub events: Vec<Event>,
    #[serde(skip_serializing_if = "empty")]
    pub total_events: usize,
    #[serde(skip_serializing_if = "empty")]
    pub oldest_seq: u64,
    #[serde(skip_serializing_if = "empty")]
    pub view: Option<&'static str>,
}

#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    pub session_id: String,
    pub seq: u64,
    pub at: Moment,
    pub direction: &'static str,
    pub phase: &'static str,
    #[serde(skip_serializing_if = "empty")]
    pub request_id: String,
    #[serde(skip_serializing_if = "empty")]
    pub mcp: Option<Mcp>,
    #[serde(skip_serializing_if = "empty")]
    pub inference: Option<Inference>,
    #[serde(skip_serializing_if = "empty")]
    pub plugins: Value,
    #[serde(skip_serializing_if = "empty")]
    pub status_code: u16,
    #[serde(skip_serializing_if = "empty")]
    pub error: Value,
    #[serde(skip_serializing_if = "empty")]
    pub host: String,
    #[serde(skip_serializing_if = "empty")]
    pub duration_ms: u64,
    #[serde(skip_serializing_if = "empty")]
    pub tunnel: bool,
    #[serde(skip_serializing_if = "empty")]
    pub bytes_up: u64,
    #[serde(skip_serializing_if = "empty")]
    pub bytes_down: u64,
    #[serde(skip_serializing_if = "empty")]
    pub http_method: &'static str,
    #[serde(skip_serializing_if = "empty")]
    pub http_path: String,
}

#[derive(Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mcp {
    pub method: &'static str,
    pub rpc_id: String,
    #[serde(skip_serializing_if = "empty")]
    pub params: Value,
    #[serde(skip_serializing_if = "empty")]
    pub result: Value,
}

#[derive(Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inference {
    pub model: String,
    #[serde(skip_serializing_if = "empty")]
    pub messages: Vec<Message>,
    #[serde(skip_serializing_if = "empty")]
    pub stream: bool,
    #[serde(skip_serializing_if = "empty")]
    pub tools: Value,
    #[serde(skip_serializing_if = "empty")]
    pub message_count: usize,
    #[serde(skip_serializing_if = "empty")]
    pub tool_count: usize,
    #[serde(skip_serializing_if = "empty")]
    pub agent_role: &'static str,
    #[serde(skip_serializing_if = "empty")]
    pub streamed_response: bool,
    #[serde(skip_serializing_if = "empty")]
    pub completion: String,
    #[serde(skip_serializing_if = "empty")]
    pub finish_reason: &'static str,
    #[serde(skip_serializing_if = "empty")]
    pub tool_calls: Vec<ToolCall>,
    #[serde(skip_serializing_if = "empty")]
    pub tool_results: Vec<ToolResult>,
    #[serde(skip_serializing_if = "empty")]
    pub total_tokens: u64,
    #[serde(skip_serializing_if = "empty")]
    pub input_tokens: u64,
    #[serde(skip_serializing_if = "empty")]
    pub cache_read_tokens: u64,
    #[serde(skip_serializing_if = "empty")]
    pub output_tokens: u64,
    #[serde(skip_serializing_if = "empty")]
    pub present_kinds: u8,
}

#[derive(Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub role: &'static str,
    #[serde(skip_serializing_if = "empty")]
    pub content: String,
    #[serde(skip_serializing_if = "empty")]
    pub content_bytes: usize,
}

#[derive(Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "empty")]
    pub arguments: String,
}

#[derive(Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub tool_use_id: String,
    #[serde(skip_serializing_if = "empty")]
    pub content: String,
    #[serde(skip_serializing_if = "empty")]
    pub is_error: bool,
}

#[derive(Serialize)]
pub struct Timeline {
    pub agents: Vec<Agent>,
    pub tools: Vec<Tool>,
    pub jobs: Vec<Job>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub id: String,
    pub label: String,
    #[serde(skip_serializing_if = "empty")]
    pub spawn_tool: Option<String>,
    #[serde(skip_serializing_if = "empty")]
    pub spawned_at: Option<Moment>,
    #[serde(skip_serializing_if = "empty")]
    pub returned_at: Option<Moment>,
    pub start: Moment,
    #[serde(skip_serializing_if = "empty")]
    pub end: Option<Moment>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    pub id: String,
    pub name: String,
    pub agent: String,
    pub seq: u64,
    pub start: Moment,
    #[serde(skip_serializing_if = "empty")]
    pub end: Option<Moment>,
    #[serde(skip_serializing_if = "empty")]
    pub error: bool,
    #[serde(skip_serializing_if = "empty")]
    pub lost: bool,
    #[serde(skip_serializing_if = "empty")]
    pub preview: String,
}

#[derive(Serialize)]
pub struct Job {
    pub agent: String,
    pub start: Moment,
    #[serde(skip_serializing_if = "empty")]
    pub end: Option<Moment>,
}
