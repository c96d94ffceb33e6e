//! Files that a person chose or dropped. They are read here and go nowhere else.

use js_sys::{ArrayBuffer, Function, Promise, Uint8Array};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, DataTransfer, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry, HtmlInputElement,
};

/// How much is read at once: little enough that progress can be told, much enough that it costs nothing.
const SLICE: usize = 8 << 20;
/// More files than any folder of sessions has; a folder that leads round in circles ends here.
const MOST_FILES: usize = 10_000;

/// A file could not be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The browser would not read it.
    #[error("{0} could not be read; it may have changed or gone since it was chosen. Open it again")]
    Gone(String),
    /// It does not fit into the memory of the page.
    #[error("{0} is too large for this browser's memory")]
    TooLarge(String),
}

/// A file that a person chose.
pub struct Picked {
    /// Its name, with the folders below the one that was chosen.
    pub name: String,
    file: File,
}

impl Picked {
    fn new(file: File) -> Self {
        Self { name: file.name(), file }
    }

    /// Its size in bytes.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size is a whole number below 2^53")]
    pub fn size(&self) -> u64 {
        self.file.size() as u64
    }

    /// Reads it; tells after each slice how many bytes are there, and gives up when `go_on` says no.
    ///
    /// # Errors
    ///
    /// It is gone, or does not fit into memory.
    pub async fn read(&self, mut go_on: impl FnMut(u64) -> bool) -> Result<Option<Vec<u8>>, FileError> {
        let gone = || FileError::Gone(self.name.clone());
        let too_large = || FileError::TooLarge(self.name.clone());
        let size = usize::try_from(self.size()).map_err(|_| too_large())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| too_large())?;
        while bytes.len() < size {
            let start = bytes.len();
            let end = size.min(start + SLICE);
            let slice = self.slice(start, end).ok_or_else(gone)?;
            let buffer = JsFuture::from(slice.array_buffer()).await.map_err(|_| gone())?;
            let array = Uint8Array::new(buffer.unchecked_ref::<ArrayBuffer>());
            if usize::try_from(array.length()) != Ok(end - start) {
                return Err(gone());
            }
            bytes.resize(end, 0);
            array.copy_to(&mut bytes[start..end]);
            if !go_on(end as u64) {
                return Ok(None);
            }
        }
        Ok(Some(bytes))
    }

    #[expect(clippy::cast_precision_loss, reason = "a size in memory is below 2^53")]
    fn slice(&self, start: usize, end: usize) -> Option<Blob> {
        self.file.slice_with_f64_and_f64(start as f64, end as f64).ok()
    }
}

/// The files that stand in a file input.
#[must_use]
pub fn chosen(input: &HtmlInputElement) -> Vec<Picked> {
    let files = input.files();
    let files = files.iter().flat_map(|files| (0..files.length()).filter_map(|index| files.get(index)));
    files.map(Picked::new).collect()
}

/// What was dropped, taken hold of before the browser takes it away.
pub struct Dropped(Vec<FileSystemEntry>);

/// What stands in `transfer`, which is empty again once the event is over.
#[must_use]
pub fn dropped(transfer: &DataTransfer) -> Dropped {
    let items = transfer.items();
    let entry = |index| items.get(index)?.webkit_get_as_entry().ok().flatten();
    Dropped((0..items.length()).filter_map(entry).collect())
}

impl Dropped {
    /// The files in it, those in folders too.
    pub async fn files(self) -> Vec<Picked> {
        let mut left = self.0;
        let mut files = Vec::new();
        while let Some(entry) = left.pop() {
            if files.len() + left.len() > MOST_FILES {
                break;
            }
            if let Some(file) = entry.dyn_ref::<FileSystemFileEntry>() {
                let found = promise(|yes, no| {
                    file.file_with_callback_and_callback(yes, no);
                    Ok(())
                })
                .await;
                if let Some(file) = found.and_then(|file| file.dyn_into().ok()) {
                    files.push(Picked { name: entry.full_path().trim_start_matches('/').to_owned(), file });
                }
            } else if let Some(folder) = entry.dyn_ref::<FileSystemDirectoryEntry>() {
                let reader = folder.create_reader();
                // A reader gives some hundred entries at a time, and an empty list when there are no more.
                while let Some(list) = promise(|yes, no| reader.read_entries_with_callback_and_callback(yes, no)).await
                {
                    let list = js_sys::Array::from(&list);
                    if list.length() == 0 {
                        break;
                    }
                    left.extend(list.iter().filter_map(|entry| entry.dyn_into().ok()));
                }
            }
        }
        files
    }
}

/// What a function gives to the first of its two callbacks; `None` when it calls the other one.
async fn promise(mut ask: impl FnMut(&Function, &Function) -> Result<(), JsValue>) -> Option<JsValue> {
    let promise = Promise::new(&mut |yes, no| {
        if ask(&yes, &no).is_err() {
            let _ = no.call0(&JsValue::NULL);
        }
    });
    JsFuture::from(promise).await.ok()
}
