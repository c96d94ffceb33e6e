//! Traffic beside the model calls.

use std::time::Duration;

use serde_json::{Value, json};

use super::session::Record;
use super::{Moment, Story, wire};

impl Story<'_> {
    /// A call to an MCP server over HTTP, at the agent's present time.
    pub fn mcp(&mut self, agent: &str, tool: &str, arguments: &Value, answer: &str, millis: u64) {
        let agent = self.agent(agent);
        let at = self.session.agents[agent].now;
        let request_id = format!("m-{}", self.session.next_request);
        self.session.next_request += 1;
        let call = wire::Mcp {
            method: "tools/call",
            rpc_id: request_id.clone(),
            params: json!({"name": tool, "arguments": arguments}),
            result: Value::Null,
        };
        let result = json!({"content": [{"type": "text", "text": answer}], "isError": false});
        let answered = wire::Mcp { params: Value::Null, result, ..call.clone() };
        let request = wire::Event { mcp: Some(call), ..self.other("request", &request_id, at, "mcp.tracker.example") };
        let response = wire::Event {
            mcp: Some(answered),
            status_code: 200,
            duration_ms: millis,
            ..self.other("response", &request_id, at + Duration::from_millis(millis), "mcp.tracker.example")
        };
        self.add_other(request, response);
    }

    /// An encrypted connection that the proxy only let through, at the agent's present time.
    pub fn tunnel(&mut self, agent: &str, host: &str, (up, down): (u64, u64), millis: u64) {
        let agent = self.agent(agent);
        let at = self.session.agents[agent].now;
        let request_id = format!("t-{}", self.session.next_request);
        self.session.next_request += 1;
        let open = wire::Event {
            tunnel: true,
            http_method: "CONNECT",
            http_path: String::new(),
            ..self.other("request", &request_id, at, host)
        };
        let close = wire::Event {
            at: at + Duration::from_millis(millis),
            phase: "response",
            status_code: 200,
            duration_ms: millis,
            bytes_up: up,
            bytes_down: down,
            ..open.clone()
        };
        self.add_other(open, close);
    }

    fn add_other(&mut self, request: wire::Event, response: wire::Event) {
        self.drafts.extend([request, response].map(|event| (Record { event, context: None }, Vec::new())));
    }

    pub(super) fn other(&self, phase: &'static str, request_id: &str, at: Moment, host: &str) -> wire::Event {
        wire::Event {
            session_id: self.session.id.clone(),
            at,
            direction: "outbound",
            phase,
            request_id: request_id.into(),
            host: host.into(),
            http_method: "POST",
            http_path: "/mcp".into(),
            ..wire::Event::default()
        }
    }
}
