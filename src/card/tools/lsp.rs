//! Questions to a language server.

use super::{COMMON, Family, PATH};

pub(super) static FAMILY: Family = Family {
    names: &["lsp", "lsp_hover", "lsp_diagnostics"],
    call: |facts| {
        let given = facts.given();
        let mut call = given.text(&["operation", "action", "method"]).unwrap_or_default();
        if let Some(path) = given.text(&PATH) {
            call = format!("{call} {path}");
        }
        if let Some(line) = given.integer(&["line", "startLine"]) {
            call = format!("{call}:{line}");
        }
        Some(call).filter(|call| !call.is_empty())
    },
    ..COMMON
};
