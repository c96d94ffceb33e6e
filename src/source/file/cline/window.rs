//! What the window showed (`ui_messages.json`): no ids; what a tool gave back stands in its message or in those after it.

use std::sync::Arc;

use super::super::content;
use super::super::source::Source;
use super::super::transcript::{Answer, Asked, Transcript};
use crate::json::{self, Json};
use crate::source::lenient::Fields;
use crate::trace::{AgentId, Block, Buffer, Content, Input, Text, Timestamp, Tokens};

/// Tools whose message holds what they gave back; that of the others holds what they were given.
const READ: [&str; 9] = [
    "readFile",
    "listFilesTopLevel",
    "listFilesRecursive",
    "listCodeDefinitionNames",
    "searchFiles",
    "webFetch",
    "webSearch",
    "codebaseSearch",
    "summarizeTask",
];

pub(super) fn is_window(json: &Json<'_>) -> bool {
    json.is_array()
        && json.items().take(60).any(|item| {
            Json::parse(item.into())
                .is_ok_and(|item| item.get("ts").is_some() && (item.get("say").is_some() || item.get("ask").is_some()))
        })
}

pub(super) fn read(source: &Source, json: &Json<'_>) -> Transcript {
    let mut transcript = Transcript::new(&source.name);
    let main = transcript.agent("main", None, None);
    transcript.session.host = Some("cline".into());
    let mut window = Window { transcript, buffer: Arc::clone(&source.buffer), main, running: None };
    for (position, message) in super::objects(json) {
        match message {
            Some(message) => window.message(&message),
            None => window.transcript.problem(format!("messages[{position}]"), "it is no object"),
        }
    }
    window.answer();
    window.transcript
}

struct Window {
    transcript: Transcript,
    buffer: Buffer,
    main: AgentId,
    /// A command or a server's tool that ran last, and what it gave back so far.
    running: Option<Running>,
}

struct Running {
    position: usize,
    output: Vec<Block>,
    at: Option<Timestamp>,
}

impl Window {
    fn message(&mut self, message: &Json<'_>) {
        let at = message.time("ts");
        let kind = message.text("say").or_else(|| message.text("ask")).unwrap_or_default();
        match &*kind {
            "text" | "task" | "user_feedback" => self.words(message, &kind, at),
            "api_req_started" => self.request(message, at),
            "tool" => self.tool(message, at),
            "command" => {
                let input = message.get("text").map(|raw| format!("{{\"command\":{raw}}}").into());
                self.run("execute_command".into(), input.map_or(Content::None, Content::Held), at);
            }
            "use_mcp_server" => self.server_tool(message, at),
            "browser_action" => {
                let input = content::input(&self.buffer, message.get("text"));
                self.run("browser_action".into(), input, at);
            }
            "command_output" | "mcp_server_response" | "browser_action_result" => {
                let text = content::text(&self.buffer, message, "text");
                if let Some(running) = &mut self.running {
                    running.output.extend(text.map(Block::Text));
                    running.at = at;
                }
            }
            "error" | "api_req_failed" => {
                let error = message.word("text");
                if let Some(exchange) = self.transcript.last(&self.main) {
                    exchange.error = error;
                }
            }
            _ => {}
        }
    }

    fn words(&mut self, message: &Json<'_>, kind: &str, at: Option<Timestamp>) {
        let Some(text) = content::text(&self.buffer, message, "text") else { return };
        // The first text is the task that the person gave.
        let is_task = kind != "text"
            || self.transcript.session.exchanges.is_empty() && self.transcript.session.prompts.is_empty();
        if is_task {
            self.transcript.prompt(&self.main, at, text);
        } else if let Some(exchange) = self.transcript.last(&self.main) {
            exchange.said = exchange.said.take().or(Some(text));
            exchange.span.end = at;
        }
    }

    fn request(&mut self, message: &Json<'_>, at: Option<Timestamp>) {
        let info = message.nested("modelInfo");
        let model = info.and_then(|info| info.word("modelId")).unwrap_or_default();
        let exchange = self.transcript.exchange(&self.main, &model, at);
        let Some(text) = message.text("text") else { return };
        let Ok(json) = Json::parse(text) else { return };
        exchange.tokens = Tokens {
            input: json.whole("tokensIn"),
            cache_read: json.whole("cacheReads"),
            cache_write: json.whole("cacheWrites"),
            output: json.whole("tokensOut"),
            reasoning: None,
        };
        let cost = json.get("cost").and_then(|cost| json::decimal(cost, 9));
        exchange.cost = cost.and_then(|cost| u64::try_from(cost).ok());
        exchange.error = json.word("streamingFailedMessage").or_else(|| json.word("cancelReason"));
    }

    fn tool(&mut self, message: &Json<'_>, at: Option<Timestamp>) {
        let text = message.text("text").unwrap_or_default();
        let json = Json::parse(text).ok().filter(Json::is_object);
        let Some(json) = json else {
            let place = message.word("ts").map_or("a tool's message".to_owned(), |ts| format!("ts {ts}"));
            return self.transcript.problem(place, "its text is no JSON");
        };
        let name = json.word("tool").unwrap_or_default();
        let is_read = READ.contains(&&*name);
        let given = json.fields().filter(|(key, _)| key != "tool" && !(is_read && key == "content"));
        let given: Vec<_> = given.map(|(key, value)| format!("{}:{value}", json::quote(&key))).collect();
        let Some(position) = self.call(name, Content::Held(format!("{{{}}}", given.join(",")).into()), at) else {
            return;
        };
        if message.is_true("partial") {
            return;
        }
        let output = json.text("content").filter(|_| is_read).map(|text| Block::Text(Text::from(&*text)));
        self.transcript.result_of(position, Answer { output: output.into_iter().collect(), ..Answer::default() });
    }

    fn server_tool(&mut self, message: &Json<'_>, at: Option<Timestamp>) {
        let text = message.text("text").unwrap_or_default();
        let json = Json::parse(text).ok();
        let json = json.as_ref();
        let name = json.and_then(|json| json.word("toolName").or_else(|| json.word("uri"))).unwrap_or_default();
        let input = json.and_then(|json| json.word("arguments"));
        self.run(name, input.map_or(Content::None, |input| Content::Held((&*input).into())), at);
    }

    /// A call whose output comes in messages of its own.
    fn run(&mut self, name: Arc<str>, input: Input, at: Option<Timestamp>) {
        self.running = self.call(name, input, at).map(|position| Running { position, output: Vec::new(), at: None });
    }

    fn call(&mut self, name: Arc<str>, input: Input, at: Option<Timestamp>) -> Option<usize> {
        self.answer();
        if let Some(exchange) = self.transcript.last(&self.main) {
            exchange.span.end = exchange.span.end.or(at);
        }
        self.transcript.call(Asked { agent: Arc::clone(&self.main), id: Arc::default(), name, input, at })
    }

    /// Ends the call that ran last.
    fn answer(&mut self) {
        let Some(running) = self.running.take().filter(|running| !running.output.is_empty()) else { return };
        let answer = Answer { output: running.output, at: running.at, ..Answer::default() };
        self.transcript.result_of(running.position, answer);
    }
}
