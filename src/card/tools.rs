//! Families of tools: what is telling about a call, and what about its result (specs: cards, the table).
//!
//! A new family is a file with a `FAMILY` and a line in [`FAMILIES`].

mod agent;
mod ask;
mod edit;
pub(super) mod fallback;
mod find;
mod lsp;
mod plan;
mod read;
mod search;
mod shell;
mod skill;
mod todo;
mod transcript;
mod vision;
mod web_fetch;
mod web_search;
mod write;

use super::facts::Facts;
use super::given::Given;
use super::part::Part;
use super::summary::Badge;

/// What is told of the calls of a family. A function that has nothing to say leaves it to the common rule.
pub(super) struct Family {
    /// The tools, as agents name them. Case does not count: agents differ in nothing else.
    pub names: &'static [&'static str],
    /// The family that a call really belongs to, where one tool does the work of several.
    pub really: fn(&Given) -> Option<&'static Family>,
    /// The call summary; it is made one line and cut afterwards.
    pub call: fn(&Facts) -> Option<String>,
    /// Short facts beside it.
    pub badges: fn(&Facts) -> Vec<Badge>,
    /// The result summary of a call that did not fail; an empty one says that there is nothing to be said.
    pub result: fn(&Facts) -> Option<String>,
    /// The result summary of one that did.
    pub failure: fn(&Facts) -> Option<String>,
    /// The body of the call.
    pub input: fn(&Facts) -> Option<Vec<Part>>,
    /// The body of the result.
    pub output: fn(&Facts) -> Option<Vec<Part>>,
    /// How texts of the result are shown.
    pub shown: Shown,
}

/// How texts of a result are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// As they stand: they are contents of files.
    Verbatim,
    /// As a terminal shows them.
    Terminal,
    /// As they stand, but JSON as such.
    Read,
}

/// A family that leaves all to the common rule.
const COMMON: Family = Family {
    names: &[],
    really: |_| None,
    call: |_| None,
    badges: |_| Vec::new(),
    result: |_| None,
    failure: |_| None,
    input: |_| None,
    output: |_| None,
    shown: Shown::Read,
};

static FAMILIES: [&Family; 16] = [
    &agent::FAMILY,
    &ask::FAMILY,
    &edit::FAMILY,
    &find::FAMILY,
    &lsp::FAMILY,
    &plan::FAMILY,
    &read::FAMILY,
    &search::FAMILY,
    &shell::FAMILY,
    &skill::FAMILY,
    &todo::FAMILY,
    &transcript::FAMILY,
    &vision::FAMILY,
    &web_fetch::FAMILY,
    &web_search::FAMILY,
    &write::FAMILY,
];

/// The family of a tool; the fallback for those that no family names, MCP tools among them.
pub(super) fn family(name: &str, given: &Given) -> &'static Family {
    let named = FAMILIES.iter().find(|family| family.names.iter().any(|known| known.eq_ignore_ascii_case(name)));
    let family = named.copied().unwrap_or(&fallback::FAMILY);
    (family.really)(given).unwrap_or(family)
}

/// Where a file is given.
const PATH: [&str; 16] = [
    "file_path",
    "path",
    "filePath",
    "filepath",
    "absolute_path",
    "AbsolutePath",
    "target_file",
    "TargetFile",
    "notebook_path",
    "notebookPath",
    "target_notebook",
    "file",
    "filename",
    "dir_path",
    "relative_workspace_path",
    "DirectoryPath",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_in_two_families() {
        let mut names: Vec<_> =
            FAMILIES.iter().flat_map(|family| family.names).map(|name| name.to_ascii_lowercase()).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn other_names_and_mcp_tools_fall_back() {
        for name in ["", "mcp__github__create_issue", "mcp__files__read", "Bashful", "shell ", "é"] {
            assert!(std::ptr::eq(family(name, &Given::Absent), &raw const fallback::FAMILY), "{name}");
        }
    }
}
