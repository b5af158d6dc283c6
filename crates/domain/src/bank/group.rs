//! Groups of bank accounts that a merchant pays together. A group must never say whose an account
//! is: its names are the merchant's own, and only the bank knows.

use super::{AccountNumber, BankIdentifier};
use crate::account::AccountId;
use crate::reference::TransactionNumber;
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;
use std::fmt;

/// Most members of a group: each is a payment of one batch
/// ([`ITEMS_MAX`](crate::batch::ITEMS_MAX)).
pub const MEMBERS_MAX: u32 = crate::batch::ITEMS_MAX;

/// Most groups of an account: 100,000 members, some tens of megabytes at most.
pub const GROUPS_MAX: u32 = 100;

/// The number a group goes by, unique among the groups of its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(TransactionNumber);

impl GroupId {
    /// A number that was drawn as those of transactions are.
    pub const fn new(drawn: TransactionNumber) -> Self {
        Self(drawn)
    }

    /// The number itself.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which state of a group this is: 1 when it is made, one more with each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupVersion(u32);

impl GroupVersion {
    /// That of a group that was never changed.
    pub const FIRST: Self = Self(1);

    /// A version that was stored or sent; `None` for zero.
    pub const fn new(version: u32) -> Option<Self> {
        if version == 0 {
            None
        } else {
            Some(Self(version))
        }
    }

    /// The version after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// What a merchant calls a group or a member of it: one line of 1–100 characters, without blanks at
/// either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupLabel(String);

impl GroupLabel {
    /// Most characters: names of bank accounts are no longer.
    pub const LENGTH_MAX: usize = 100;

    /// Reads a label; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, UnfitLine> {
        text::line(text, Self::LENGTH_MAX).map(|text| Self(text.to_owned()))
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An account that is paid as part of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupMember {
    /// The bank that keeps it.
    pub bank: BankIdentifier,
    /// Its number.
    pub number: AccountNumber,
    /// The merchant's own name for it. What is paid goes to the number; the name that the bank
    /// knows is looked up with each payment.
    pub name: GroupLabel,
}

/// What a merchant says of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupContent {
    /// Its name.
    pub name: GroupLabel,
    /// Its members in the merchant's order, 1 to [`MEMBERS_MAX`]; no account twice.
    pub members: Vec<GroupMember>,
}

/// A group as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Whose.
    pub account: AccountId,
    /// Its number.
    pub id: GroupId,
    /// Which state of it.
    pub version: GroupVersion,
    /// What the merchant says of it.
    pub content: GroupContent,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it became as it is.
    pub updated_at: Timestamp,
}

/// A group without its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupSummary {
    /// Its number.
    pub id: GroupId,
    /// Which state of it.
    pub version: GroupVersion,
    /// Its name.
    pub name: GroupLabel,
    /// How many members it has.
    pub members: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it became as it is.
    pub updated_at: Timestamp,
}

impl Group {
    /// The group without its members.
    #[must_use]
    pub fn summary(&self) -> GroupSummary {
        let GroupContent { name, members } = &self.content;
        GroupSummary {
            id: self.id,
            version: self.version,
            name: name.clone(),
            members: u32::try_from(members.len()).unwrap_or(u32::MAX),
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_one_line_of_a_hundred_characters() {
        assert_eq!(GroupLabel::parse(" Staff ").unwrap().as_str(), "Staff");
        assert_eq!(GroupLabel::parse("  "), Err(UnfitLine::Empty));
        assert!(GroupLabel::parse(&"é".repeat(100)).is_ok());
        let too_long = GroupLabel::parse(&"é".repeat(101));
        assert_eq!(too_long, Err(UnfitLine::TooLong(GroupLabel::LENGTH_MAX)));
        assert!(GroupLabel::parse("a\nb").is_err());
    }

    #[test]
    fn versions_count_from_one() {
        assert_eq!(GroupVersion::new(0), None);
        assert_eq!(GroupVersion::new(1), Some(GroupVersion::FIRST));
        assert_eq!(GroupVersion::FIRST.next().get(), 2);
    }
}
