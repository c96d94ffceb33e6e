//! What was registered for one matcher.

/// A function of the host. The room never calls it: it asks [`super::Functions`] to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// Where the words of a field come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// A text as it stands: a label that the host gave as a string.
    Constant(String),
    /// A text with placeholders, as files and settings have it (see [`super::fill`]).
    Template(String),
    /// What a function of the host gives.
    Function(FunctionId),
}

/// What was registered for one matcher; each field that is left out keeps the card's own way (specs: displays, rule 4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What stands in the place of the identifier.
    pub label: Option<Words>,
    /// The key of an icon.
    pub icon: Option<String>,
    /// What stands in the place of the call summary.
    pub summary: Option<Words>,
    /// What stands in the place of the input in an open card.
    pub format_input: Option<Words>,
    /// Whether the calls are left out of the screen.
    pub hidden: Option<bool>,
    /// Whether the cards start open.
    pub open: Option<bool>,
}

/// One field of an [`Entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// [`Entry::label`]
    Label,
    /// [`Entry::icon`]
    Icon,
    /// [`Entry::summary`]
    Summary,
    /// [`Entry::format_input`]
    FormatInput,
    /// [`Entry::hidden`]
    Hidden,
    /// [`Entry::open`]
    Open,
}

impl Field {
    /// All fields, in the order in which files have them.
    pub const ALL: [Self; 6] = [Self::Label, Self::Icon, Self::Summary, Self::FormatInput, Self::Hidden, Self::Open];

    /// Its name in files and in the host's `ToolDisplay`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Icon => "icon",
            Self::Summary => "summary",
            Self::FormatInput => "formatInput",
            Self::Hidden => "hidden",
            Self::Open => "open",
        }
    }
}

impl Entry {
    /// Puts the fields that `later` has over one's own (specs: displays, rule 2).
    pub fn merge(&mut self, later: &Self) {
        fn over<T: Clone>(field: &mut Option<T>, later: Option<&T>) {
            if let Some(later) = later {
                *field = Some(later.clone());
            }
        }
        over(&mut self.label, later.label.as_ref());
        over(&mut self.icon, later.icon.as_ref());
        over(&mut self.summary, later.summary.as_ref());
        over(&mut self.format_input, later.format_input.as_ref());
        over(&mut self.hidden, later.hidden.as_ref());
        over(&mut self.open, later.open.as_ref());
    }

    /// Takes one field away.
    pub fn remove(&mut self, field: Field) {
        match field {
            Field::Label => self.label = None,
            Field::Icon => self.icon = None,
            Field::Summary => self.summary = None,
            Field::FormatInput => self.format_input = None,
            Field::Hidden => self.hidden = None,
            Field::Open => self.open = None,
        }
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
