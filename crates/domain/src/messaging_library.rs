//! What a merchant keeps for its messages: templates of texts and flows of calls. A kept item must
//! never change: what was made of it could not be understood any more.

use crate::account::AccountId;
use crate::ivr::CallFlow;
use crate::messaging::MessageLine;
use crate::reference::TransactionNumber;
use crate::sms::MessageTemplate;
use crate::text::UnfitLine;
use crate::time::Timestamp;
use std::fmt;

/// Most items of a kind in an account: some ten megabytes at most, as a flow has up to 48,000 bytes
/// beside its places.
pub const LIBRARY_MAX: u32 = 200;

/// The number an item goes by, unique among the items of its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LibraryItemId(TransactionNumber);

impl LibraryItemId {
    /// A number that was drawn as those of transactions are.
    pub const fn new(drawn: TransactionNumber) -> Self {
        Self(drawn)
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for LibraryItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What kinds of items there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LibraryKind {
    /// A text with places for personal fields.
    Template,
    /// What is said in a call, and which key leads where.
    Flow,
}

impl LibraryKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Template, Self::Flow];

    /// Its word in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Flow => "flow",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// What an item holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryContent {
    /// A template.
    Template(MessageTemplate),
    /// A flow.
    Flow(CallFlow),
}

impl LibraryContent {
    /// Its kind.
    pub const fn kind(&self) -> LibraryKind {
        match self {
            Self::Template(_) => LibraryKind::Template,
            Self::Flow(_) => LibraryKind::Flow,
        }
    }
}

/// What a merchant calls an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryName(MessageLine);

impl LibraryName {
    /// Most characters: a line of a list.
    pub const LENGTH_MAX: usize = 100;

    /// Reads a name; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, UnfitLine> {
        MessageLine::parse(text, Self::LENGTH_MAX).map(Self)
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// An item as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryItem {
    /// Whose.
    pub account: AccountId,
    /// Its number.
    pub id: LibraryItemId,
    /// The merchant's name for it.
    pub name: LibraryName,
    /// What it holds.
    pub content: LibraryContent,
    /// When it was made.
    pub created_at: Timestamp,
}

impl LibraryItem {
    /// It without what it holds.
    pub fn summary(&self) -> LibrarySummary {
        LibrarySummary {
            id: self.id,
            name: self.name.clone(),
            created_at: self.created_at,
        }
    }
}

/// An item as it stands in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibrarySummary {
    /// Its number.
    pub id: LibraryItemId,
    /// The merchant's name for it.
    pub name: LibraryName,
    /// When it was made.
    pub created_at: Timestamp,
}
