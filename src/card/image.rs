//! Images: their kind, size in pixels and size in bytes, without decoding them.

use std::sync::Arc;

use super::summary::{bytes, counted};
use crate::trace::{Block, Text};

/// Bytes that are decoded: the size of a JPEG stands behind its metadata, which may hold a preview.
const HEAD: usize = 256 * 1024;

/// An image of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Such as `image/png`; told by the first bytes where they say it, since agents get it wrong.
    pub media_type: Arc<str>,
    /// Base64 without a `data:` prefix.
    pub data: Text,
    /// Width and height in pixels, where the first bytes tell them.
    pub size: Option<(u32, u32)>,
    /// Bytes of the decoded image.
    pub bytes: usize,
    /// Whether it is of a kind that is shown: PNG, JPEG, GIF, WebP, and SVG as an `<img>` only, where it cannot run a
    /// script.
    pub can_be_shown: bool,
}

impl Image {
    /// Reads what the first bytes tell.
    #[must_use]
    pub fn read(media_type: &str, data: &Text) -> Self {
        let base64 = data.read();
        let head = decode(&base64, HEAD);
        let found = kind(&head);
        let (media_type, size) = match found {
            Some((kind, size)) => (kind, size),
            None => (media_type, None),
        };
        let can_be_shown =
            matches!(media_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/svg+xml");
        Self { media_type: media_type.into(), data: data.clone(), size, bytes: decoded_length(&base64), can_be_shown }
    }

    /// `image/png · 640 × 480 · 32 KB`.
    #[must_use]
    pub fn caption(&self) -> String {
        let size = self.size.map(|(width, height)| format!("{width} × {height} · ")).unwrap_or_default();
        format!("{} · {size}{}", super::one_line(&self.media_type, 40), bytes(self.bytes))
    }
}

/// `image · 32 KB` when there are images.
pub(super) fn summary(blocks: &[Block]) -> Option<String> {
    let mut images = 0;
    let mut size = 0;
    for block in blocks {
        if let Block::Image { data, .. } = block {
            images += 1;
            size += decoded_length(&data.read());
        }
    }
    match images {
        0 => None,
        1 => Some(format!("image · {}", bytes(size))),
        _ => Some(format!("{} · {}", counted(images, "image", "images"), bytes(size))),
    }
}

fn decoded_length(base64: &str) -> usize {
    let padded = base64.trim_ascii_end();
    let digits = padded.trim_end_matches('=');
    // Some agents break the lines.
    let blanks = digits.bytes().filter(u8::is_ascii_whitespace).count();
    (digits.len() - blanks) * 3 / 4
}

/// The first bytes of base64 text, of either alphabet; ends at what is none.
fn decode(base64: &str, most: usize) -> Vec<u8> {
    let mut decoded = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for byte in base64.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held & 0xff) as u8);
            if decoded.len() == most {
                break;
            }
        }
    }
    decoded
}

type Size = Option<(u32, u32)>;

/// The kind of an image by its first bytes, and its size.
fn kind(head: &[u8]) -> Option<(&'static str, Size)> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(("image/png", pair(head, 16, big)));
    }
    if head.starts_with(b"\xff\xd8\xff") {
        return Some(("image/jpeg", jpeg(head)));
    }
    if head.starts_with(b"GIF8") {
        return Some(("image/gif", short(head, 6).zip(short(head, 8))));
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Some(("image/webp", webp(head)));
    }
    None
}

fn big(head: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?))
}

fn short(head: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(head.get(at..at + 2)?.try_into().ok()?)))
}

fn pair(head: &[u8], at: usize, read: fn(&[u8], usize) -> Option<u32>) -> Size {
    read(head, at).zip(read(head, at + 4))
}

/// The size in the first frame header; segments before it are passed over.
fn jpeg(head: &[u8]) -> Size {
    let number = |at: usize| Some(u32::from(u16::from_be_bytes(head.get(at..at + 2)?.try_into().ok()?)));
    let mut at = 2;
    loop {
        if *head.get(at)? != 0xff {
            return None;
        }
        match *head.get(at + 1)? {
            0xff => at += 1,
            0xc4 | 0xc8 | 0xcc => at += 2 + number(at + 2)? as usize,
            0xc0..=0xcf => return number(at + 7).zip(number(at + 5)),
            0x01 | 0xd0..=0xd8 => at += 2,
            _ => at += 2 + number(at + 2)? as usize,
        }
    }
}

fn webp(head: &[u8]) -> Size {
    let three = |at: usize| {
        let bytes = head.get(at..at + 3)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]))
    };
    match head.get(12..16)? {
        b"VP8X" => three(24).zip(three(27)).map(|(width, height)| (width + 1, height + 1)),
        b"VP8L" => {
            let bits = u32::from_le_bytes(head.get(21..25)?.try_into().ok()?);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => short(head, 26).zip(short(head, 28)).map(|(width, height)| (width & 0x3fff, height & 0x3fff)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for three in bytes.chunks(3) {
            let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            for digit in 0..=three.len() {
                text.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
            }
            text.push_str(&"="[..usize::from(three.len() < 3)]);
            text.push_str(&"="[..usize::from(three.len() < 2)]);
        }
        text
    }

    fn read(bytes: &[u8]) -> Image {
        Image::read("image/x-told", &Text::from(encode(bytes)))
    }

    #[test]
    fn reads_sizes_from_the_first_bytes() {
        let png = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" as &[u8], &[0, 0, 2, 128, 0, 0, 1, 224]].concat();
        let gif = b"GIF89a\x0a\x00\x05\x00".to_vec();
        let jpeg = [b"\xff\xd8\xff\xe0\x00\x04ab" as &[u8], b"\xff\xc2\x00\x0b\x08\x01\x00\x02\x00"].concat();
        let lossy = [b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" as &[u8], &[64, 1, 240, 0]].concat();
        let extended = [b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" as &[u8], &[99, 0, 0, 49, 0, 0]].concat();
        for (bytes, kind, size) in [
            (png, "image/png", Some((640, 480))),
            (gif, "image/gif", Some((10, 5))),
            (jpeg, "image/jpeg", Some((512, 256))),
            (lossy, "image/webp", Some((320, 240))),
            (extended, "image/webp", Some((100, 50))),
            (b"\x89PNG\r\n\x1a\n".to_vec(), "image/png", None),
        ] {
            let image = read(&bytes);
            assert_eq!((&*image.media_type, image.size, image.bytes), (kind, size, bytes.len()));
            assert!(image.can_be_shown);
        }
        assert!(!read(b"plain").can_be_shown);
    }

    #[test]
    fn says_what_it_is() {
        let image = read(b"GIF89a\x0a\x00\x05\x00");
        assert_eq!(image.caption(), "image/gif · 10 × 5 · 10 B");
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_image_or_none(start in 0..5usize, bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let starts: [&[u8]; 5] = [b"", b"\xff\xd8\xff", b"GIF8", b"RIFF\0\0\0\0WEBPVP8", b"\x89PNG\r\n\x1a\n"];
            let bytes = [starts[start], &bytes].concat();
            let image = read(&bytes);
            prop_assert_eq!(image.bytes, bytes.len());
            prop_assert_eq!(decode(&encode(&bytes), usize::MAX), bytes);
        }

        #[test]
        fn any_text_is_taken_for_base64(text in any::<String>()) {
            let _ = Image::read("", &Text::from(text));
        }
    }
}
