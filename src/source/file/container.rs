//! What files come packed in: gzip, zstd, and zip archives with deflated, zstd or stored members.

#[cfg(test)]
mod tests;

use std::io::Read;

use thiserror::Error;

/// More than this is not unpacked: a browser tab cannot hold it, and a small file that grows to it is a trap.
pub(super) const LIMIT: u64 = 1 << 30;

/// One file of what was packed.
pub(super) struct Member {
    /// Its name in the archive; that of the file itself where there is none.
    pub name: String,
    /// What it holds, or why that cannot be had.
    pub bytes: Result<Vec<u8>, Damage>,
}

/// Why something cannot be unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum Damage {
    #[error("it is damaged or cut off")]
    Broken,
    #[error("it grows to more than 1 GiB when unpacked; unpack it yourself and open a part of it")]
    TooLarge,
    #[error("it is encrypted; unpack it yourself")]
    Encrypted,
    #[error("it is packed with method {0}, which Callsheet does not know; unpack it yourself")]
    Method(u16),
}

/// The files that `bytes` hold, unpacked. What is not packed is its own only member.
pub(super) fn unpack(name: &str, bytes: Vec<u8>) -> Vec<Member> {
    unpack_within(name, bytes, LIMIT)
}

fn unpack_within(name: &str, bytes: Vec<u8>, limit: u64) -> Vec<Member> {
    let one = |bytes| vec![Member { name: name.to_owned(), bytes }];
    match bytes.as_slice() {
        [0x1F, 0x8B, 8, ..] => one(read(flate2::bufread::MultiGzDecoder::new(bytes.as_slice()), limit)),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => one(zstd(&bytes, limit)),
        [b'P', b'K', 3, 4, ..] => zip(name, &bytes, limit),
        _ => one(Ok(bytes)),
    }
}

/// All that a decoder gives. What stands before a break in a packed file is kept only by those who can read a part of it,
/// so that a break is told.
fn read(decoder: impl Read, limit: u64) -> Result<Vec<u8>, Damage> {
    let mut bytes = Vec::new();
    decoder.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|_| Damage::Broken)?;
    if bytes.len() as u64 > limit { Err(Damage::TooLarge) } else { Ok(bytes) }
}

/// All frames of a zstd file.
fn zstd(mut packed: &[u8], limit: u64) -> Result<Vec<u8>, Damage> {
    let mut bytes = Vec::new();
    while !packed.is_empty() {
        let left = limit.saturating_sub(bytes.len() as u64);
        let before = packed.len();
        let decoder = ruzstd::decoding::StreamingDecoder::new(&mut packed).map_err(|_| Damage::Broken)?;
        bytes.extend(read(decoder, left)?);
        if packed.len() == before {
            return Err(Damage::Broken);
        }
    }
    Ok(bytes)
}

/// An entry of the list of contents.
struct Entry {
    name: String,
    flags: u16,
    method: u16,
    packed: usize,
    header: usize,
}

/// The members of a zip archive by its list of contents, folders left out; `limit` holds for all of them together.
fn zip(name: &str, bytes: &[u8], limit: u64) -> Vec<Member> {
    let Some(entries) = entries(bytes) else {
        return vec![Member { name: name.to_owned(), bytes: Err(Damage::Broken) }];
    };
    let mut left = limit;
    let members = entries.into_iter().filter(|entry| !entry.name.ends_with('/')).map(|entry| {
        let bytes = member(bytes, &entry, left);
        left = left.saturating_sub(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64));
        Member { name: entry.name, bytes }
    });
    members.collect()
}

fn member(bytes: &[u8], entry: &Entry, limit: u64) -> Result<Vec<u8>, Damage> {
    let packed = (|| {
        let header = bytes.get(entry.header..)?.strip_prefix(b"PK\x03\x04")?;
        let start = 26 + usize::from(short(header, 22)?) + usize::from(short(header, 24)?);
        header.get(start..)?.get(..entry.packed)
    })();
    let packed = packed.ok_or(Damage::Broken)?;
    if entry.flags & 1 != 0 {
        return Err(Damage::Encrypted);
    }
    match entry.method {
        0 => read(packed, limit),
        8 => read(flate2::bufread::DeflateDecoder::new(packed), limit),
        93 => zstd(packed, limit),
        method => Err(Damage::Method(method)),
    }
}

/// The list of contents, which stands at the end of an archive.
fn entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    const END: &[u8] = b"PK\x05\x06";
    // A comment of up to 64 KiB may follow.
    let from = bytes.len().saturating_sub(22 + usize::from(u16::MAX));
    let end = from + memchr::memmem::rfind(&bytes[from..], END)?;
    let mut at = usize::try_from(long(bytes, end + 16)?).ok()?;
    let mut entries = Vec::new();
    while let Some(record) = bytes.get(at..).and_then(|rest| rest.strip_prefix(b"PK\x01\x02")) {
        let (name_length, extra_length) = (usize::from(short(record, 24)?), usize::from(short(record, 26)?));
        let comment_length = usize::from(short(record, 28)?);
        let name = record.get(42..42 + name_length)?;
        let extra = record.get(42 + name_length..42 + name_length + extra_length)?;
        let (packed, header) = places(record, extra)?;
        let name = String::from_utf8_lossy(name).into_owned();
        entries.push(Entry { name, flags: short(record, 4)?, method: short(record, 6)?, packed, header });
        at += 46 + name_length + extra_length + comment_length;
    }
    (!entries.is_empty()).then_some(entries)
}

/// The packed size of a member and the place of its header, which large archives keep in an extra field.
fn places(record: &[u8], mut extra: &[u8]) -> Option<(usize, usize)> {
    let (packed, unpacked, header) = (long(record, 16)?, long(record, 20)?, long(record, 38)?);
    let mut wide: &[u8] = &[];
    while let (Some(kind), Some(length)) = (short(extra, 0), short(extra, 2)) {
        let length = usize::from(length);
        if kind == 1 {
            wide = extra.get(4..4 + length)?;
        }
        extra = extra.get(4 + length..).unwrap_or_default();
    }
    let mut place = |short: u32| {
        if short != u32::MAX || wide.is_empty() {
            return usize::try_from(short).ok();
        }
        let (value, rest) = wide.split_first_chunk()?;
        wide = rest;
        usize::try_from(u64::from_le_bytes(*value)).ok()
    };
    place(unpacked)?;
    Some((place(packed)?, place(header)?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|value| u16::from_le_bytes(*value))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|value| u32::from_le_bytes(*value))
}
