//! Access keys: the keys that merchants make themselves. The secret must never be part of one.

use super::terms::AccessTerms;
use super::user::AccountUserId;
use crate::account::AccountId;
use crate::credential::{KeyHash, KeyId, KeyRecord};
use crate::text::{self, Breaks, UnfitText};
use crate::time::Timestamp;

/// How many secrets of a name work at a time: the current one and, during rotation, the next.
pub const ACCESS_KEYS_PER_NAME_MAX: u32 = 2;

/// How many names of keys that work an account has: one for each system or person that calls. Each
/// request of the account is compared with all of its keys, so that their number is bounded.
pub const ACCESS_KEY_NAMES_MAX: u32 = 20;

/// How many keys an account makes within 24 hours. Rows of keys are never deleted, so this bounds
/// what an account may store.
pub const ACCESS_KEYS_PER_DAY_MAX: u32 = 100;

/// What a merchant calls a key: one line of 1 to 40 characters. Two secrets of one name are one key
/// that is being rotated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessKeyName(String);

/// Why a text is not the name of a key or a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAccessKeyName {
    /// Nothing but blanks.
    #[error("must not be empty")]
    Empty,
    /// Too many characters.
    #[error("must be at most {0} characters")]
    TooLong(usize),
    /// A character that is not shown.
    #[error(transparent)]
    Unfit(#[from] UnfitText),
}

/// One line of so many characters, without the blanks around it.
pub(super) fn one_line(text: &str, most: usize) -> Result<String, InvalidAccessKeyName> {
    text::check(text, Breaks::Refused)?;
    let text = text.trim();
    if text.is_empty() {
        return Err(InvalidAccessKeyName::Empty);
    }
    if text.chars().count() > most {
        return Err(InvalidAccessKeyName::TooLong(most));
    }
    Ok(text.to_owned())
}

impl AccessKeyName {
    /// Most characters.
    pub const LENGTH_MAX: usize = 40;

    /// Reads a name; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, InvalidAccessKeyName> {
        one_line(text, Self::LENGTH_MAX).map(Self)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A key that a merchant asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccessKey {
    /// Its name.
    pub name: AccessKeyName,
    /// What it is to allow.
    pub terms: AccessTerms,
    /// The user it is for.
    pub user: Option<AccountUserId>,
}

/// A key that a merchant made, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessKey {
    /// Whose.
    pub account: AccountId,
    /// Its number within the account.
    pub id: KeyId,
    /// Its name.
    pub name: AccessKeyName,
    /// The first characters of the key, shown in lists; no other key of the account has them.
    pub hint: String,
    /// The keyed hash.
    pub hash: KeyHash,
    /// What it allows.
    pub terms: AccessTerms,
    /// The user it belongs to; without one it belongs to the account.
    pub user: Option<AccountUserId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// The key it was made with.
    pub made_by: KeyId,
}

/// A key that opens an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountKey {
    /// Made by the operator of the gateway: it allows everything.
    Operator(KeyRecord),
    /// Made by the merchant.
    Merchant(AccessKey),
}

impl AccountKey {
    /// Its number within the account.
    pub const fn id(&self) -> KeyId {
        match self {
            Self::Operator(key) => key.id,
            Self::Merchant(key) => key.id,
        }
    }

    /// When it was made.
    pub const fn created_at(&self) -> Timestamp {
        match self {
            Self::Operator(key) => key.created_at,
            Self::Merchant(key) => key.created_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_of_forty_characters() {
        assert_eq!(AccessKeyName::parse(" Till 1 ").unwrap().as_str(), "Till 1");
        assert!(AccessKeyName::parse(&"é".repeat(40)).is_ok());
        let refused = |text: &str| AccessKeyName::parse(text).unwrap_err().to_string();
        assert_eq!(refused(&"é".repeat(41)), "must be at most 40 characters");
        assert_eq!(refused(" "), "must not be empty");
        assert!(AccessKeyName::parse("a\nb").is_err());
    }
}
