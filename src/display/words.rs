//! The words of approvals, of what is hidden, and of the settings page.

use super::matcher::Matcher;

/// `Allow Searching the web?`, from a label or an identifier.
#[must_use]
pub fn approval(label: &str) -> String {
    format!("Allow {label}?")
}

/// What stands beside the question: Callsheet reads, it does not answer.
pub const APPROVAL_NOTE: &str = "Answer it where the agent runs.";

/// `3 hidden`; nothing when nothing is.
#[must_use]
pub fn hidden(calls: usize) -> Option<String> {
    (calls > 0).then(|| format!("{calls} hidden"))
}

/// The button beside `3 hidden`.
#[must_use]
pub fn hidden_toggle(shows_hidden: bool) -> &'static str {
    if shows_hidden { "Hide them again" } else { "Show them" }
}

/// How often a tool was called in the session.
#[must_use]
pub fn count(calls: usize) -> String {
    format!("{calls} {}", if calls == 1 { "call" } else { "calls" })
}

/// Which matcher the display of a tool comes from.
#[must_use]
pub fn origin(matcher: Option<&Matcher>) -> String {
    match matcher {
        None => "no display".to_owned(),
        Some(Matcher::Name(_)) => "its own display".to_owned(),
        Some(pattern @ Matcher::Pattern(_)) => format!("by {pattern}"),
        Some(Matcher::Any) => "by * (all tools)".to_owned(),
    }
}

/// The settings page.
pub mod settings {
    /// Its heading.
    pub const TITLE: &str = "How tools are shown";
    /// What it does, below the heading.
    pub const INTRODUCTION: &str =
        "Only this browser is told. The page never changes what an agent does, and search and totals count every call.";
    /// Where no tool was called.
    pub const NO_TOOLS: &str = "No tool was called in this session yet.";
    /// Column of identifiers.
    pub const TOOL: &str = "Tool";
    /// Column of labels.
    pub const LABEL: &str = "Label";
    /// Column of icons.
    pub const ICON: &str = "Icon";
    /// Column of summary templates.
    pub const SUMMARY: &str = "Summary";
    /// Below the summary templates.
    pub const SUMMARY_HINT: &str =
        "{input.path.to.value}, {name}, {status}, {duration} and {summary} are filled in. {{ and }} are braces.";
    /// Column of what is left out of the screen.
    pub const HIDDEN: &str = "Hidden";
    /// Column of cards that start open.
    pub const OPEN: &str = "Starts open";
    /// Above the presets.
    pub const PRESETS: &str = "Presets";
    /// The preset for who watches agents work.
    pub const DEVELOPER: &str = "Developer";
    /// What it does.
    pub const DEVELOPER_HINT: &str = "Every card starts open, with its duration in the summary.";
    /// The preset for who reads what was done.
    pub const READER: &str = "Reader";
    /// What it does.
    pub const READER_HINT: &str = "Only tools with a display of their own are shown.";
    /// Below both.
    pub const PRESETS_HINT: &str = "A preset takes the place of your settings. Export them first to keep them.";
    /// Saves the settings to a file.
    pub const EXPORT: &str = "Export";
    /// The name of that file.
    pub const EXPORT_FILE: &str = "displays.json";
    /// Reads the settings from a file.
    pub const IMPORT: &str = "Import";
    /// Forgets the settings.
    pub const RESET: &str = "Reset";
    /// Asked before that.
    pub const RESET_QUESTION: &str = "Forget your settings, and show tools as this page was set up to?";
    /// After a file was read.
    pub const IMPORTED: &str = "Your settings were read from the file.";
    /// When the browser keeps nothing for the page.
    pub const NOT_KEPT: &str = "The browser does not keep these settings: its storage is full or forbidden. They hold until you leave; export them to keep them.";

    /// What is above the faults of a file.
    #[must_use]
    pub fn faults(faults: usize) -> String {
        let (faults, are) =
            if faults == 1 { ("1 place".to_owned(), "is") } else { (format!("{faults} places"), "are") };
        format!("{faults} of the file {are} wrong; the rest is used:")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_asked() {
        assert_eq!(approval("Searching the web"), "Allow Searching the web?");
        assert_eq!((hidden(3).as_deref(), hidden(0)), (Some("3 hidden"), None));
        assert_eq!((count(1), count(2)), ("1 call".to_owned(), "2 calls".to_owned()));
        assert_eq!(settings::faults(1), "1 place of the file is wrong; the rest is used:");
        assert_eq!(settings::faults(2), "2 places of the file are wrong; the rest is used:");
        let origins = [None, Some("Bash"), Some("/^a/"), Some("*")].map(|written| written.map(Matcher::parse));
        let origins = origins.each_ref().map(|matcher| origin(matcher.as_ref()));
        assert_eq!(origins, ["no display", "its own display", "by /^a/", "by * (all tools)"]);
    }
}
