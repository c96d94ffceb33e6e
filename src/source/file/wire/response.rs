//! Whole responses: their times, tokens and errors are the same in all APIs but for the names.

use std::sync::Arc;

use super::super::content;
use super::Wire;
use crate::json::Json;
use crate::source::lenient::Fields;
use crate::trace::{Span, Text, Tokens};

impl Wire {
    /// Takes in a whole response, whichever API gave it.
    pub fn response(&mut self, json: &Json<'_>) {
        self.has_exchange = false;
        if let Some(error) = error_of(json) {
            self.exchange();
            if let Some(exchange) = self.transcript.last(&self.agent) {
                exchange.error = Some(error);
            }
            return;
        }
        if !self.is_new_response(json) {
            self.has_exchange = self.transcript.last(&self.agent).is_some();
        }
        self.model = json.word("model").unwrap_or_else(|| Arc::clone(&self.model));
        self.exchange();
        self.times(json);
        self.tokens(json);
        self.blocks(json, true);
        if let Some(choices) = json.nested("choices") {
            for choice in choices.items().filter_map(|choice| Json::parse(choice.into()).ok()) {
                if let Some(message) = choice.nested("message") {
                    self.message_of_model(&message);
                }
            }
        }
        if let Some(output) = json.nested("output").filter(Json::is_array) {
            for item in output.items().filter_map(|item| Json::parse(item.into()).ok()) {
                self.message_of_model(&item);
            }
        }
        self.has_exchange = false;
    }

    pub(super) fn message_of_model(&mut self, json: &Json<'_>) {
        self.message(json);
        if let Some(text) = content::text(&self.buffer, json, "content") {
            self.say(text);
        }
    }

    /// Whether a response was not read before: it may be asked for again while it is made.
    pub(super) fn is_new_response(&mut self, json: &Json<'_>) -> bool {
        match json.word("id") {
            Some(id) => self.responses.insert(id),
            None => true,
        }
    }

    /// A response tells seconds; a capture knows better.
    pub(super) fn times(&mut self, json: &Json<'_>) {
        let told =
            Span { start: json.time("created_at").or_else(|| json.time("created")), end: json.time("completed_at") };
        let span = if self.span == Span::default() { told } else { self.span };
        self.span = span;
        if let Some(exchange) = self.transcript.last(&self.agent) {
            exchange.span.start = exchange.span.start.or(span.start);
            exchange.span.end = span.end.or(exchange.span.end);
        }
    }

    pub(super) fn tokens(&mut self, json: &Json<'_>) {
        let Some(usage) = json.nested("usage") else { return };
        let details = |key: &str, field: &str| usage.nested(key).and_then(|details| details.whole(field));
        let cached = details("input_tokens_details", "cached_tokens")
            .or_else(|| details("prompt_tokens_details", "cached_tokens"));
        let input = usage.whole("input_tokens").or_else(|| usage.whole("prompt_tokens"));
        let tokens = Tokens {
            input: input.map(|input| input.saturating_sub(cached.unwrap_or(0))),
            cache_read: usage.whole("cache_read_input_tokens").or(cached),
            cache_write: usage.whole("cache_creation_input_tokens"),
            output: usage.whole("output_tokens").or_else(|| usage.whole("completion_tokens")),
            reasoning: details("output_tokens_details", "reasoning_tokens")
                .or_else(|| details("completion_tokens_details", "reasoning_tokens"))
                .or_else(|| details("output_tokens_details", "thinking_tokens")),
        };
        if let Some(exchange) = self.transcript.last(&self.agent) {
            let old = exchange.tokens;
            exchange.tokens = Tokens {
                input: tokens.input.or(old.input),
                cache_read: tokens.cache_read.or(old.cache_read),
                cache_write: tokens.cache_write.or(old.cache_write),
                output: tokens.output.or(old.output),
                reasoning: tokens.reasoning.or(old.reasoning),
            };
        }
    }

    /// Notes what the model said beside its calls.
    pub(super) fn say(&mut self, text: Text) {
        if self.has_exchange
            && !text.read().trim().is_empty()
            && let Some(exchange) = self.transcript.last(&self.agent)
        {
            exchange.said.get_or_insert(text);
        }
    }
}

/// The words of a response that is an error.
fn error_of(json: &Json<'_>) -> Option<Arc<str>> {
    let is_error = json.text("type").as_deref() == Some("error");
    let holds_nothing = ["content", "choices", "output"].iter().all(|key| json.get(key).is_none());
    if !is_error && !holds_nothing {
        return None;
    }
    let error = json.nested("error");
    error.and_then(|error| error.word("message").or_else(|| error.word("type"))).or_else(|| json.word("error"))
}
