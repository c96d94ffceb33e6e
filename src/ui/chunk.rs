//! Parts of the page that are loaded when they are first needed, each a WebAssembly file of its own.
//!
//! A part is reached through one function that gives a table of its functions, so that it is waited for once and used
//! at once from then on. `scripts/split` takes out of the page what only that function leads to; a build without the
//! feature `split`, as tests are, holds everything.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;

use thiserror::Error;

/// A part could not be loaded.
#[derive(Clone, Copy, Debug, Error)]
#[error("A part of Callsheet could not be loaded. Check that what serves the page still runs")]
pub struct LoadError;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for LoadError {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// What a part is while it is on its way.
pub type Loading<T> = Pin<Box<dyn Future<Output = Result<T, LoadError>>>>;

/// A part and the table of what it can do.
pub struct Chunk<T> {
    /// What the page holds anyway, in a build that is not split.
    held: Option<fn() -> T>,
    table: OnceLock<T>,
    load: fn() -> Loading<T>,
}

impl<T: Copy> Chunk<T> {
    /// A part that `load` brings.
    #[must_use]
    pub const fn new(load: fn() -> Loading<T>, held: Option<fn() -> T>) -> Self {
        Self { held, table: OnceLock::new(), load }
    }

    /// What it can do, once it is there.
    pub fn get(&self) -> Option<T> {
        self.held.map(|held| held()).or_else(|| self.table.get().copied())
    }

    /// Loads it, unless it is there.
    ///
    /// # Errors
    ///
    /// It could not be fetched; the next call tries again.
    pub async fn load(&self) -> Result<T, LoadError> {
        if let Some(table) = self.get() {
            return Ok(table);
        }
        let table = (self.load)().await?;
        Ok(*self.table.get_or_init(|| table))
    }
}

/// Declares a part: `chunk!(/// doc. pub NAME: Table = table, file);` where `file` names the file that it becomes.
macro_rules! chunk {
    ($(#[$doc:meta])* $visible:vis $name:ident: $table:ty = $value:expr, $file:ident) => {
        $(#[$doc])*
        $visible static $name: $crate::ui::chunk::Chunk<$table> = $crate::ui::chunk::Chunk::new(
            || {
            #[cfg_attr(feature = "split", wasm_split_helpers::wasm_split($file, fallible))]
            fn $file() -> Result<$table, $crate::ui::chunk::LoadError> {
                Ok($value)
            }
            #[cfg(feature = "split")]
            let loading = $file();
            #[cfg(not(feature = "split"))]
            let loading = std::future::ready($file());
            Box::pin(loading)
            },
            if cfg!(feature = "split") { None } else { Some(|| $value) },
        );
    };
}
pub(crate) use chunk;
