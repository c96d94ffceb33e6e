//! Light, dark, or as the system has it.

use leptos::prelude::document;

const KEY: &str = "callsheet:theme";

/// What the reader chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// What was chosen last time; a storage that is full or forbidden is one without a choice.
    #[must_use]
    pub fn stored() -> Self {
        let stored = storage().and_then(|storage| storage.get_item(KEY).ok()?);
        match stored.as_deref() {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            _ => Self::System,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The one that comes after it.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Shows the page so, and remembers it where that is allowed.
    pub fn apply(self) {
        if let Some(root) = document().document_element() {
            // Setting an attribute with a plain name cannot fail.
            let _ = root.set_attribute("data-theme", self.name());
        }
        if let Some(storage) = storage() {
            // A choice that cannot be kept still holds for this visit.
            let _ = storage.set_item(KEY, self.name());
        }
    }
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}
