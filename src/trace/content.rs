//! What went into a tool call and what came out of it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use memchr::memchr;

use crate::json::unescape;

/// What was read of a file or an answer, whole. A `String` inside, so that 100 MB that were read need not be copied.
pub type Buffer = Arc<String>;

/// A piece of a buffer that was read. Cloning it copies no text, so that a session of 100 MB stands in memory once.
#[derive(Clone)]
pub struct Text {
    buffer: Buffer,
    start: usize,
    end: usize,
    json: bool,
}

impl Text {
    /// The bytes `start..end` of `buffer`, plain.
    ///
    /// A range that does not lie in the buffer, or cuts a character, gives the empty text.
    #[must_use]
    pub fn slice(buffer: &Buffer, start: usize, end: usize) -> Self {
        Self::of(buffer, start, end, false)
    }

    /// The bytes `start..end` of `buffer` as the inside of a JSON string; escapes are undone when it is read.
    #[must_use]
    pub fn json_string(buffer: &Buffer, start: usize, end: usize) -> Self {
        Self::of(buffer, start, end, true)
    }

    /// `part`, which was read out of `buffer`, without a copy; what stands elsewhere is copied.
    #[must_use]
    pub fn within(buffer: &Buffer, part: &str) -> Self {
        place(buffer, part).map_or_else(|| part.into(), |start| Self::slice(buffer, start, start + part.len()))
    }

    /// The same of the inside of a JSON string; escapes are undone when it is read.
    #[must_use]
    pub fn json_within(buffer: &Buffer, inside: &str) -> Self {
        place(buffer, inside)
            .map_or_else(|| unescape(inside).into(), |start| Self::json_string(buffer, start, start + inside.len()))
    }

    fn of(buffer: &Buffer, start: usize, end: usize, json: bool) -> Self {
        let (start, end) = if buffer.get(start..end).is_some() { (start, end) } else { (0, 0) };
        let json = json && memchr(b'\\', &buffer.as_bytes()[start..end]).is_some();
        Self { buffer: Arc::clone(buffer), start, end, json }
    }

    /// Its bytes as written, escapes and all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text itself.
    #[must_use]
    pub fn read(&self) -> Cow<'_, str> {
        let raw = &self.buffer[self.start..self.end];
        if self.json { Cow::Owned(unescape(raw)) } else { Cow::Borrowed(raw) }
    }
}

/// Where a part that borrows from a buffer begins in it.
fn place(buffer: &Buffer, part: &str) -> Option<usize> {
    let start = part.as_ptr().addr().checked_sub(buffer.as_ptr().addr())?;
    (start.checked_add(part.len())? <= buffer.len()).then_some(start)
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { end: text.len(), buffer: text.into(), start: 0, json: false }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        let same_place = Arc::ptr_eq(&self.buffer, &other.buffer)
            && (self.start, self.end, self.json) == (other.start, other.end, other.json);
        same_place || self.read() == other.read()
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.read().fmt(f)
    }
}

/// Something that the session has, can get, or has not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Content<T> {
    /// It is here.
    Held(T),
    /// The source can fetch it.
    Remote,
    /// There is none: the call was made without, or nothing came back yet.
    #[default]
    None,
    /// It cannot be had; why, in words for the reader.
    Unavailable(Arc<str>),
}

impl<T> Content<T> {
    /// What is held.
    #[must_use]
    pub fn held(&self) -> Option<&T> {
        match self {
            Self::Held(value) => Some(value),
            Self::Remote | Self::None | Self::Unavailable(_) => None,
        }
    }
}

/// The input of a call, as it stood on the wire: JSON, or whatever else an agent wrote.
pub type Input = Content<Text>;

/// The output of a call. An empty list of blocks is an output too: the tool said nothing.
pub type Output = Content<Vec<Block>>;

/// One part of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Text as the tool wrote it.
    Text(Text),
    /// A value that is no text: an object, an array, a number, `false`, `null`.
    Json(Text),
    /// An image in base64, with its media type.
    Image {
        /// Such as `image/png`.
        media_type: Arc<str>,
        /// Base64 without a `data:` prefix.
        data: Text,
    },
    /// Something that stands elsewhere: a spilled file, a URL, a tool.
    Reference(Text),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_range_outside_the_buffer_is_the_empty_text() {
        let buffer: Buffer = Arc::new("aé".to_owned());
        assert_eq!(Text::slice(&buffer, 1, 2).read(), "");
        assert_eq!(Text::slice(&buffer, 5, 9).read(), "");
        assert_eq!(Text::slice(&buffer, 1, 3).read(), "é");
    }

    #[test]
    fn a_part_of_the_buffer_is_not_copied_and_another_text_is() {
        let buffer: Buffer = Arc::new(r#"{"a":"x\ny"}"#.to_owned());
        let part = Text::json_within(&buffer, &buffer[6..10]);
        assert_eq!((&*part.read(), part.start), ("x\ny", 6));
        assert!(Arc::ptr_eq(&part.buffer, &buffer));
        assert_eq!(Text::within(&buffer, &buffer[1..4]).read(), r#""a""#);
        assert_eq!(Text::within(&buffer, "other").read(), "other");
        assert_eq!(Text::json_within(&buffer, r"o\tx").read(), "o\tx");
    }

    proptest! {
        #[test]
        fn what_json_escapes_is_read_back(text in any::<String>()) {
            let written: Buffer = Arc::new(serde_json::to_string(&text).unwrap());
            let read = Text::json_string(&written, 1, written.len() - 1);
            prop_assert_eq!(read.read(), text);
        }
    }
}
