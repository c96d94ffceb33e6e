//! What is known of a call, read out of it when somebody asks.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::given::Given;
use super::lines::{Language, Lines};
use super::output::Envelope;
use super::visible::one_line;
use crate::json::{self, Json};
use crate::trace::{Block, Outcome, ToolCall};

/// A call and what was read out of it so far.
pub(super) struct Facts<'a> {
    pub call: &'a ToolCall,
    given: OnceCell<Given<'a>>,
    text: OnceCell<Cow<'a, str>>,
    envelope: OnceCell<Envelope>,
    structured: OnceCell<Option<Json<'a>>>,
}

impl<'a> Facts<'a> {
    pub fn of(call: &'a ToolCall) -> Self {
        let (given, text) = (OnceCell::new(), OnceCell::new());
        Self { call, given, text, envelope: OnceCell::new(), structured: OnceCell::new() }
    }

    /// The input.
    pub fn given(&self) -> &Given<'a> {
        self.given.get_or_init(|| Given::read(&self.call.input))
    }

    /// The blocks of the output.
    pub fn blocks(&self) -> &'a [Block] {
        self.call.output.held().map_or(&[], Vec::as_slice)
    }

    /// All text of the output, images left out.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let mut texts = self.blocks().iter().filter_map(|block| match block {
                Block::Text(text) | Block::Json(text) | Block::Reference(text) => Some(text.read()),
                Block::Image { .. } => None,
            });
            let Some(first) = texts.next() else { return Cow::Borrowed("") };
            texts.fold(first, |mut all, text| {
                let joined = all.to_mut();
                if !joined.ends_with('\n') {
                    joined.push('\n');
                }
                joined.push_str(&text);
                all
            })
        })
    }

    /// The text without what the agent wrote around it, and what that says.
    pub fn envelope(&self) -> &Envelope {
        self.envelope.get_or_init(|| Envelope::read(self.text()))
    }

    /// The output without its envelope.
    pub fn body(&self) -> &str {
        self.envelope().body(self.text())
    }

    /// The exit code, where it is told.
    pub fn exit(&self) -> Option<i64> {
        let told = self.structured().and_then(|json| {
            let metadata = json.nested("metadata");
            ["exitCode", "exit_code", "exit"]
                .iter()
                .find_map(|key| json.integer(key).or_else(|| metadata.as_ref().and_then(|json| json.integer(key))))
        });
        told.or_else(|| self.envelope().exit)
    }

    /// The result that stands beside the text, when it is an object or array.
    pub fn structured(&self) -> Option<&Json<'a>> {
        let structured = self.structured.get_or_init(|| {
            let text = self.call.structured.as_ref()?;
            Json::parse(text.read()).ok().filter(|json| json.is_object() || json.is_array())
        });
        structured.as_ref()
    }

    pub fn failed(&self) -> bool {
        self.call.outcome == Outcome::Error
    }

    /// Whether there is an output here, be it an empty one.
    pub fn has_output(&self) -> bool {
        self.call.output.held().is_some()
    }

    /// The first line of the output that says something, without the tags and words that errors are wrapped in.
    pub fn first_line(&self) -> Option<String> {
        let text = self.body().trim_ascii_start();
        if json::is_composite(text) {
            return Some(one_line(text, super::SUMMARY_LIMIT));
        }
        let text = text.strip_prefix("<tool_use_error>").unwrap_or(text).trim_ascii_start();
        let text = text.strip_prefix("Error:").unwrap_or(text);
        let line = text.lines().find(|line| !line.trim().is_empty())?.trim_ascii();
        let line = line.strip_suffix("</tool_use_error>").unwrap_or(line);
        if line.contains('\x1b') {
            return Some(one_line(&Lines::new(line, Language::Terminal).shown(0), super::SUMMARY_LIMIT));
        }
        Some(one_line(line, super::SUMMARY_LIMIT))
    }
}
