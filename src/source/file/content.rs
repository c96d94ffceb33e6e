//! The content of results as agents write it: a string, a list of items, one item, or any other value.

use std::borrow::Cow;

use crate::json::Json;
use crate::trace::{Block, Buffer, Content, Input, Text};

/// The blocks of a content that stands in `buffer`.
pub(super) fn blocks(buffer: &Buffer, raw: &str) -> Vec<Block> {
    if raw == "null" {
        return Vec::new();
    }
    if let Some(text) = string(buffer, raw) {
        return vec![Block::Text(text)];
    }
    match Json::parse(raw.into()) {
        Ok(json) if json.is_array() => json.items().map(|item| block(buffer, item)).collect(),
        _ => vec![block(buffer, raw)],
    }
}

fn block(buffer: &Buffer, raw: &str) -> Block {
    let whole = || Block::Json(Text::within(buffer, raw));
    if let Some(text) = string(buffer, raw) {
        return Block::Text(text);
    }
    let Ok(json) = Json::parse(raw.into()) else { return whole() };
    let block = match json.text("type").as_deref() {
        Some("text" | "input_text" | "output_text" | "inputText") => {
            json.get("text").and_then(|text| string(buffer, text)).map(Block::Text)
        }
        Some("image") => image(buffer, &json),
        Some("input_image" | "inputImage" | "image_url") => {
            let url = ["image_url", "imageUrl", "url"].iter().find_map(|key| json.get(key));
            url.and_then(|url| image_at(buffer, url))
        }
        _ => None,
    };
    block.unwrap_or_else(whole)
}

/// `{source:{media_type,data}}` of Anthropic, `{data,mimeType}` of MCP.
fn image(buffer: &Buffer, json: &Json<'_>) -> Option<Block> {
    let source = json.nested("source");
    let source = source.as_ref().unwrap_or(json);
    if let Some(url) = source.get("url") {
        return image_at(buffer, url);
    }
    let media_type = source.text("media_type").or_else(|| source.text("mimeType"))?;
    Some(Block::Image { media_type: (&*media_type).into(), data: string(buffer, source.get("data")?)? })
}

/// The image of a `data:` URL, or what stands elsewhere; `raw` is a JSON string.
pub(super) fn image_at(buffer: &Buffer, raw: &str) -> Option<Block> {
    let url = inside(raw)?;
    let data = url.strip_prefix("data:").and_then(|url| url.split_once(";base64,"));
    Some(match data {
        Some((media_type, data)) => {
            Block::Image { media_type: media_type.replace("\\/", "/").into(), data: Text::json_within(buffer, data) }
        }
        None => Block::Reference(Text::json_within(buffer, url)),
    })
}

/// The input of a call: a JSON value as written, or the text of a string, which may hold JSON in its turn.
pub(super) fn input(buffer: &Buffer, raw: Option<&str>) -> Input {
    match raw {
        None | Some("null") => Content::None,
        Some(raw) => Content::Held(string(buffer, raw).unwrap_or_else(|| Text::within(buffer, raw))),
    }
}

/// The first text among blocks.
pub(super) fn words(blocks: Vec<Block>) -> Option<Text> {
    blocks.into_iter().find_map(|block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    })
}

/// The first text of a content, as it stands in the file without its quotes.
pub(super) fn first_text(raw: &str) -> Option<Cow<'_, str>> {
    if let Some(inside) = inside(raw) {
        return Some(inside.into());
    }
    let json = Json::parse(raw.into()).ok()?;
    let text = |json: &Json<'_>| inside(json.get("text")?).map(|text| text.to_owned().into());
    text(&json).or_else(|| json.items().find_map(|item| text(&Json::parse(item.into()).ok()?)))
}

/// The text of a field that is a string.
pub(super) fn text(buffer: &Buffer, json: &Json<'_>, key: &str) -> Option<Text> {
    json.get(key).and_then(|raw| string(buffer, raw))
}

/// A field that is any value but `null`, as JSON.
pub(super) fn written(buffer: &Buffer, json: &Json<'_>, key: &str) -> Option<Text> {
    json.get(key).filter(|raw| *raw != "null").map(|raw| Text::within(buffer, raw))
}

/// The text of a JSON string in `buffer`.
pub(super) fn string(buffer: &Buffer, raw: &str) -> Option<Text> {
    inside(raw).map(|inside| Text::json_within(buffer, inside))
}

/// What stands between the quotes of a JSON string.
pub(super) fn inside(raw: &str) -> Option<&str> {
    raw.strip_prefix('"')?.strip_suffix('"')
}
