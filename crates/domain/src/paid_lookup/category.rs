//! The two categories of lookups that are sold by name.

/// What a lookup is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LookupCategory {
    /// Records about a number, as the catalogue lists them.
    Record,
    /// Where the device of a telephone number is.
    Device,
}

impl LookupCategory {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Record, Self::Device];

    /// Both, in the order of the interface.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter()
    }

    /// The lower-case word for configuration, records and logs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Record => "lookup",
            Self::Device => "device",
        }
    }

    /// Reads the word; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::all().find(|category| category.code() == code)
    }
}
