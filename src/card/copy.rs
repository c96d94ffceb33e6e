//! What copying a card gives: the whole text as it stood, or the card as Markdown or JSON.

use std::borrow::Cow;

use super::image::Image;
use crate::json::quote;
use crate::trace::{Block, ToolCall};

/// The input as it stood on the wire.
#[must_use]
pub fn raw_input(call: &ToolCall) -> Option<Cow<'_, str>> {
    call.input.held().map(crate::trace::Text::read)
}

/// The output as it stood: texts one after another, an image as a `data:` URL.
#[must_use]
pub fn raw_output(call: &ToolCall) -> Option<Cow<'_, str>> {
    match call.output.held()?.as_slice() {
        [Block::Text(text) | Block::Json(text) | Block::Reference(text)] => Some(text.read()),
        blocks => {
            let texts: Vec<_> = blocks.iter().map(raw_block).collect();
            Some(Cow::Owned(texts.join("\n")))
        }
    }
}

fn raw_block(block: &Block) -> Cow<'_, str> {
    match block {
        Block::Text(text) | Block::Json(text) | Block::Reference(text) => text.read(),
        Block::Image { media_type, data } => Cow::Owned(format!("data:{media_type};base64,{}", data.read())),
    }
}

/// The card as Markdown: its name, input and output in full; images by their caption.
#[must_use]
pub fn markdown(call: &ToolCall) -> String {
    let name = if call.name.is_empty() { "unknown tool" } else { &call.name };
    let mut text = format!("### {}\n\nStatus: {}\n", super::one_line(name, 200), call.outcome.name());
    if let Some(input) = raw_input(call) {
        let language = if crate::json::is_composite(&input) { "json" } else { "" };
        text.push_str("\nInput:\n\n");
        push_fenced(&mut text, &input, language);
    }
    if let Some(blocks) = call.output.held() {
        text.push_str("\nOutput:\n");
        for block in blocks {
            text.push('\n');
            match block {
                Block::Image { media_type, data } => {
                    text.push_str(&Image::read(media_type, data).caption());
                    text.push('\n');
                }
                Block::Json(json) => push_fenced(&mut text, &json.read(), "json"),
                Block::Text(_) | Block::Reference(_) => push_fenced(&mut text, &raw_block(block), ""),
            }
        }
        if blocks.is_empty() {
            text.push_str("\nno output\n");
        }
    }
    text
}

/// A block of code with a fence that does not stand in it.
fn push_fenced(text: &mut String, code: &str, language: &str) {
    let (mut longest, mut run) = (2, 0);
    for byte in code.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    text.extend([fence.as_str(), language, "\n", code, if code.ends_with('\n') { "" } else { "\n" }, &fence, "\n"]);
}

/// The card as JSON: `id`, `name`, `agent`, `status`, `input` and `output`.
///
/// An input that is JSON stands in it as such, its keys and numbers as written; any other as a string. So does an
/// output of one text; several blocks are an array of objects with a `type`.
#[must_use]
pub fn json(call: &ToolCall) -> String {
    let input = raw_input(call).map_or_else(|| "null".to_owned(), |input| value(&input).into_owned());
    let output = match call.output.held().map(Vec::as_slice) {
        None => "null".to_owned(),
        Some([Block::Text(text)]) => quote(&text.read()),
        Some([Block::Json(text)]) => value(&text.read()).into_owned(),
        Some(blocks) => format!("[{}]", blocks.iter().map(block).collect::<Vec<_>>().join(",")),
    };
    let structured = call.structured.as_ref().map(|text| format!(",\"structured\":{}", value(&text.read())));
    let text = format!(
        "{{\"id\":{},\"name\":{},\"agent\":{},\"status\":{},\"input\":{input},\"output\":{output}{}}}",
        quote(&call.key.id),
        quote(&call.name),
        quote(&call.key.agent),
        quote(call.outcome.name()),
        structured.unwrap_or_default(),
    );
    crate::json::pretty(&text)
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("{{\"type\":\"text\",\"text\":{}}}", quote(&text.read())),
        Block::Json(text) => format!("{{\"type\":\"json\",\"value\":{}}}", value(&text.read())),
        Block::Image { media_type, data } => {
            format!("{{\"type\":\"image\",\"mediaType\":{},\"data\":{}}}", quote(media_type), quote(&data.read()))
        }
        Block::Reference(text) => format!("{{\"type\":\"reference\",\"text\":{}}}", quote(&text.read())),
    }
}

/// JSON as it stands, anything else as a string.
fn value(text: &str) -> Cow<'_, str> {
    if crate::json::is_standard(text) { Cow::Borrowed(text) } else { Cow::Owned(quote(text)) }
}
