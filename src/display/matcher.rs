//! Which tools a display is for: one name, the names a regular expression is found in, or all.

use std::fmt;

/// Which tools a display is for. Two matchers that are equal are the same one (specs: displays, rule 2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Matcher {
    /// The tool of exactly this name.
    Name(String),
    /// Tools in whose name the pattern is found.
    Pattern(Pattern),
    /// Every tool.
    Any,
}

/// A regular expression of the browser. Its source and flags say all of it, so that no table of patterns has to be kept
/// in step with the browser's objects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    source: String,
    flags: String,
}

/// How closely a matcher names a tool: a later one is more specific (specs: displays, rule 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Specificity {
    /// `*`
    Any,
    /// A pattern.
    Pattern,
    /// The name itself.
    Name,
}

/// Matches regular expressions, which is the browser's work: a matcher of its own would weigh more than the page.
pub trait Patterns {
    /// Whether the pattern is one.
    ///
    /// # Errors
    /// Says why it is none, in words for whoever wrote it.
    fn check(&self, pattern: &Pattern) -> Result<(), String>;

    /// Whether the pattern is found anywhere in the name; a pattern that is none is found in no name.
    fn is_found(&self, pattern: &Pattern, name: &str) -> bool;
}

impl Matcher {
    /// Reads the written form: `*`, `/regexp/flags`, else a name. A backslash before a name takes away any other meaning.
    #[must_use]
    pub fn parse(written: &str) -> Self {
        if written == "*" {
            return Self::Any;
        }
        if let Some(name) = written.strip_prefix('\\') {
            return Self::Name(name.to_owned());
        }
        match pattern(written) {
            Some(pattern) => Self::Pattern(pattern),
            None => Self::Name(written.to_owned()),
        }
    }

    /// Whether a tool of this name is meant.
    #[must_use]
    pub fn matches(&self, name: &str, patterns: &dyn Patterns) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Pattern(pattern) => patterns.is_found(pattern, name),
            Self::Any => true,
        }
    }

    /// How closely it names its tools.
    #[must_use]
    pub fn specificity(&self) -> Specificity {
        match self {
            Self::Name(_) => Specificity::Name,
            Self::Pattern(_) => Specificity::Pattern,
            Self::Any => Specificity::Any,
        }
    }
}

/// The parts of `/regexp/flags`.
fn pattern(written: &str) -> Option<Pattern> {
    let (source, flags) = written.strip_prefix('/')?.rsplit_once('/')?;
    let is_pattern = !source.is_empty() && flags.bytes().all(|flag| flag.is_ascii_alphabetic());
    is_pattern.then(|| Pattern::new(source, flags))
}

/// The written form, which [`Matcher::parse`] reads back.
impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => {
                let misread = name == "*" || name.starts_with('\\') || pattern(name).is_some();
                f.write_str(if misread { "\\" } else { "" })?;
                f.write_str(name)
            }
            Self::Pattern(Pattern { source, flags }) => {
                for part in ["/", source, "/", flags] {
                    f.write_str(part)?;
                }
                Ok(())
            }
            Self::Any => f.write_str("*"),
        }
    }
}

impl Pattern {
    /// A pattern from what `RegExp` calls `source` and `flags`.
    ///
    /// `g` is dropped: with it a `RegExp` remembers where it stopped, and would find the same name only every other time.
    #[must_use]
    pub fn new(source: &str, flags: &str) -> Self {
        let mut flags: Vec<u8> = flags.bytes().filter(|flag| flag.is_ascii_alphabetic() && *flag != b'g').collect();
        flags.sort_unstable();
        let source = if source.is_empty() { "(?:)" } else { source };
        Self { source: source.to_owned(), flags: flags.into_iter().map(char::from).collect() }
    }

    /// The expression between the slashes.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its flags in the order of the alphabet, never `g`.
    #[must_use]
    pub fn flags(&self) -> &str {
        &self.flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(name: &str) -> Matcher {
        Matcher::Name(name.to_owned())
    }

    fn pattern(source: &str, flags: &str) -> Matcher {
        Matcher::Pattern(Pattern::new(source, flags))
    }

    #[test]
    fn reads_the_three_written_forms() {
        for (written, matcher) in [
            ("Bash", name("Bash")),
            ("*", Matcher::Any),
            ("", name("")),
            ("/^mcp__/", pattern("^mcp__", "")),
            ("/read|write/ui", pattern("read|write", "iu")),
            ("/a/b/i", pattern("a/b", "i")),
            ("/a/gi", pattern("a", "i")),
            // One slash, nothing between two, or no flags after the last: names.
            ("/", name("/")),
            ("//", name("//")),
            ("/a", name("/a")),
            ("/usr/bin/python3", name("/usr/bin/python3")),
            ("/a/é", name("/a/é")),
            ("**", name("**")),
            // A backslash makes anything a name.
            ("\\*", name("*")),
            ("\\/a/", name("/a/")),
            ("\\\\", name("\\")),
        ] {
            assert_eq!(Matcher::parse(written), matcher, "{written}");
        }
    }

    #[test]
    fn a_pattern_is_the_same_whatever_the_order_of_its_flags() {
        assert_eq!(Pattern::new("a", "ui"), Pattern::new("a", "giu"));
        assert_ne!(Pattern::new("a", "i"), Pattern::new("a", ""));
        assert_eq!(Pattern::new("", "").source(), "(?:)");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(text in "[*/\\\\agié ]{0,8}|.{0,12}", source in "[^\u{0}]{0,8}", flags in "[dgimsuvy]{0,3}") {
            for matcher in [Matcher::parse(&text), Matcher::Name(text), pattern(&source, &flags), Matcher::Any] {
                prop_assert_eq!(Matcher::parse(&matcher.to_string()), matcher);
            }
        }
    }
}
