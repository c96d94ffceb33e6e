//! Pieces of a line and how each is to look; the style sheet has a class for every name given here.

/// A piece of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What is shown, hidden characters already made visible.
    pub text: String,
    /// How.
    pub style: Style,
}

/// How a run looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// What the run is in its language.
    pub kind: Kind,
    /// The colour of the letters.
    pub foreground: Color,
    /// The colour behind them.
    pub background: Color,
    /// Weight, slant and lines.
    pub attributes: Attributes,
}

/// What a run is in its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing in particular.
    #[default]
    Plain,
    /// A key of a JSON object.
    Key,
    /// A quoted string.
    String,
    /// A number.
    Number,
    /// `true`, `null`, and the words of the shell.
    Keyword,
    /// A comment.
    Comment,
    /// A shell variable.
    Variable,
    /// The `$` before a command; no part of it.
    Prompt,
    /// A word that the old line has and the new line has not.
    RemovedWord,
    /// A word that the new line has and the old line has not.
    AddedWord,
}

/// A colour of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    /// Whatever the page has.
    #[default]
    Default,
    /// One of the sixteen that a theme names, 0 to 15.
    Named(u8),
    /// Red, green and blue.
    Rgb(u8, u8, u8),
}

/// Weight, slant and lines of letters, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attributes(u8);

impl Attributes {
    /// Heavy.
    pub const BOLD: Self = Self(1);
    /// Faint.
    pub const DIM: Self = Self(2);
    /// Slanted.
    pub const ITALIC: Self = Self(4);
    /// With a line below.
    pub const UNDERLINE: Self = Self(8);
    /// Letters and ground exchanged.
    pub const INVERSE: Self = Self(16);
    /// With a line through.
    pub const STRIKE: Self = Self(32);
    /// Part of what a search found.
    pub const FOUND: Self = Self(64);

    /// Whether all of `other` is set.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn set(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn unset(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl Style {
    /// The style of a kind, with nothing else.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        let attributes = Attributes(0);
        Self { kind, foreground: Color::Default, background: Color::Default, attributes }
    }

    /// The names of its classes, with blanks between; empty for plain text. A colour that is no name comes from
    /// [`Color::css`].
    #[must_use]
    pub fn classes(self) -> String {
        let mut classes = Vec::new();
        classes.extend(match self.kind {
            Kind::Plain => None,
            Kind::Key => Some("syntax-key".to_owned()),
            Kind::String => Some("syntax-string".to_owned()),
            Kind::Number => Some("syntax-number".to_owned()),
            Kind::Keyword => Some("syntax-keyword".to_owned()),
            Kind::Comment => Some("syntax-comment".to_owned()),
            Kind::Variable => Some("syntax-variable".to_owned()),
            Kind::Prompt => Some("syntax-prompt".to_owned()),
            Kind::RemovedWord => Some("diff-removed-word".to_owned()),
            Kind::AddedWord => Some("diff-added-word".to_owned()),
        });
        if let Color::Named(number) = self.foreground {
            classes.push(format!("ansi-fg-{number}"));
        }
        if let Color::Named(number) = self.background {
            classes.push(format!("ansi-bg-{number}"));
        }
        for (attribute, class) in [
            (Attributes::BOLD, "ansi-bold"),
            (Attributes::DIM, "ansi-dim"),
            (Attributes::ITALIC, "ansi-italic"),
            (Attributes::UNDERLINE, "ansi-underline"),
            (Attributes::INVERSE, "ansi-inverse"),
            (Attributes::STRIKE, "ansi-strike"),
            (Attributes::FOUND, "found"),
        ] {
            if self.attributes.contains(attribute) {
                classes.push(class.to_owned());
            }
        }
        classes.join(" ")
    }
}

impl Color {
    /// `rgb(…)` for a colour that no class names.
    #[must_use]
    pub fn css(self) -> Option<String> {
        match self {
            Self::Rgb(red, green, blue) => Some(format!("rgb({red} {green} {blue})")),
            Self::Default | Self::Named(_) => None,
        }
    }
}
