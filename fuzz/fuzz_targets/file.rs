//! Any bytes are a session file or none.

#![no_main]

use callsheet::source::file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(readings) = file::read("a file", bytes.to_vec()) {
        assert!(!readings.is_empty());
        let _ = file::join(readings);
    }
});
