use std::io::Write;

use super::*;
use proptest::prelude::*;

/// Bytes as one zstd frame of one block that is not compressed.
fn zstd_frame(bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0x20, u8::try_from(bytes.len()).unwrap()];
    let header = u32::try_from(bytes.len()).unwrap() << 3 | 1;
    frame.extend(&header.to_le_bytes()[..3]);
    frame.extend(bytes);
    frame
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An archive of members: name, method, flags, packed bytes.
fn archive(members: &[(&str, u16, u16, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, method, flags, packed) in members {
        let place = u32::try_from(bytes.len()).unwrap();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let size = u32::try_from(packed.len()).unwrap().to_le_bytes();
        let common =
            [&20_u16.to_le_bytes()[..], &flags.to_le_bytes(), &method.to_le_bytes(), &[0; 8], &size, &[9; 4]].concat();
        bytes.extend([&b"PK\x03\x04"[..], &common, &length, &[0; 2], name.as_bytes(), packed].concat());
        list.extend(
            [&b"PK\x01\x02\x14\x00"[..], &common, &length, &[0; 12], &place.to_le_bytes(), name.as_bytes()].concat(),
        );
    }
    let place = u32::try_from(bytes.len()).unwrap();
    bytes.extend(&list);
    bytes.extend([&b"PK\x05\x06"[..], &[0; 12], &place.to_le_bytes(), &3_u16.to_le_bytes(), b"end"].concat());
    bytes
}

fn unpacked(bytes: Vec<u8>) -> Vec<(String, Result<String, Damage>)> {
    unpack_within("f", bytes, 100)
        .into_iter()
        .map(|member| (member.name, member.bytes.map(|bytes| String::from_utf8(bytes).unwrap())))
        .collect()
}

#[test]
fn each_packing_is_undone() {
    let hello = || vec![("f".to_owned(), Ok("hello".to_owned()))];
    assert_eq!(unpacked(b"hello".to_vec()), hello());
    assert_eq!(unpacked(gzip(b"hello")), hello());
    assert_eq!(unpacked([gzip(b"hel"), gzip(b"lo")].concat()), hello());
    assert_eq!(unpacked(zstd_frame(b"hello")), hello());
    assert_eq!(unpacked([zstd_frame(b"hel"), zstd_frame(b"lo")].concat()), hello());
}

#[test]
fn each_member_of_an_archive_stands_alone() {
    let bytes = archive(&[
        ("folder/", 0, 0, Vec::new()),
        ("a", 0, 0, b"stored".to_vec()),
        ("b", 8, 0, deflate(b"deflated")),
        ("c", 93, 0, zstd_frame(b"zstd")),
        ("d", 8, 0, b"\xFF\xFF".to_vec()),
        ("e", 0, 1, b"secret".to_vec()),
        ("f", 14, 0, Vec::new()),
    ]);
    let expected = [
        ("a", Ok("stored")),
        ("b", Ok("deflated")),
        ("c", Ok("zstd")),
        ("d", Err(Damage::Broken)),
        ("e", Err(Damage::Encrypted)),
        ("f", Err(Damage::Method(14))),
    ];
    assert_eq!(unpacked(bytes), expected.map(|(name, bytes)| (name.to_owned(), bytes.map(str::to_owned))));
}

#[test]
fn what_grows_too_large_is_not_unpacked() {
    let zeros = vec![b'0'; 101];
    let large = || vec![("f".to_owned(), Err(Damage::TooLarge))];
    assert_eq!(unpacked(gzip(&zeros)), large());
    assert_eq!(unpacked(zstd_frame(&zeros)), large());
    // The limit is that of all members together.
    let half = || deflate(&[b'0'; 60]);
    let bytes: Vec<_> = unpacked(archive(&[("a", 8, 0, half()), ("b", 8, 0, half())]))
        .into_iter()
        .map(|(_, bytes)| bytes.is_ok())
        .collect();
    assert_eq!(bytes, [true, false]);
    assert!(Damage::TooLarge.to_string().contains("1 GiB"));
}

#[test]
fn what_is_cut_off_is_told() {
    for bytes in [gzip(b"hello hello"), zstd_frame(b"hello"), archive(&[("a", 0, 0, b"stored".to_vec())])] {
        let cut = unpacked(bytes[..bytes.len() - 25.min(bytes.len() / 2)].to_vec());
        assert_eq!(cut, [("f".to_owned(), Err(Damage::Broken))]);
    }
}

proptest! {
    #[test]
    fn any_damage_is_read(at in 0_usize..200, byte in any::<u8>(), cut in 0_usize..200) {
        for mut bytes in [gzip(b"hello hello"), zstd_frame(b"hello"), archive(&[("a", 8, 0, deflate(b"x")), ("b", 93, 0, zstd_frame(b"y"))])] {
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes.truncate(cut);
            unpack_within("f", bytes, 1000);
        }
    }
}
