//! Allowlists of keys: the networks that an account uses each of its keys from. They change while a
//! key works; what the key itself allows does not. The versions of one are a history: the latest
//! counts, and holds the whole list.

use super::network::{AllowedNetworks, IpNetwork};
use crate::account::AccountId;
use crate::credential::{InvalidKeyId, KeyId};
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;
use std::fmt;
use std::net::IpAddr;

/// How often the allowlists of an account are changed within 24 hours. Versions are never deleted,
/// so this bounds what an account may store; ten full lists are made anew within a day.
pub const ALLOWLIST_CHANGES_PER_DAY_MAX: u32 = 200;

/// The number of an entry within its account, drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllowlistEntryId(pub i64);

impl AllowlistEntryId {
    /// Reads the number as it is written, like that of a key.
    ///
    /// # Errors
    /// Refuses any other form.
    pub fn parse(text: &str) -> Result<Self, InvalidKeyId> {
        KeyId::parse(text).map(|id| Self(id.0))
    }
}

impl fmt::Display for AllowlistEntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        KeyId(self.0).fmt(f)
    }
}

/// What an entry is for: one line of 1–100 characters, without blanks at either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AllowlistNote(String);

impl AllowlistNote {
    /// Most characters: the name of an office or a machine.
    pub const LENGTH_MAX: usize = 100;

    /// Reads a note; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, UnfitLine> {
        text::line(text, Self::LENGTH_MAX).map(|text| Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A network that a key may be used from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowlistEntry {
    /// Its number.
    pub id: AllowlistEntryId,
    /// The network.
    pub network: IpNetwork,
    /// What it is for.
    pub note: Option<AllowlistNote>,
    /// When it was added.
    pub created_at: Timestamp,
    /// The key it was added with.
    pub made_by: KeyId,
}

/// A network that a merchant adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAllowlistEntry {
    /// The key; without it, the key of the request.
    pub key: Option<KeyId>,
    /// The network.
    pub network: IpNetwork,
    /// What it is for.
    pub note: Option<AllowlistNote>,
}

/// A version of the allowlist of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAllowlist {
    /// Whose it is.
    pub account: AccountId,
    /// The key.
    pub key: KeyId,
    /// Rises by one with each change, from 1.
    pub version: u32,
    /// Every network of it, at most [`super::NETWORKS_MAX`]; where there is none the key is used
    /// from anywhere.
    pub entries: Vec<AllowlistEntry>,
    /// When it was changed.
    pub created_at: Timestamp,
    /// The key it was changed with.
    pub made_by: KeyId,
}

impl AllowlistEntry {
    /// Where a key with these entries may be used from: from anywhere where there is none.
    pub fn networks(entries: &[Self]) -> AllowedNetworks {
        if entries.is_empty() {
            return AllowedNetworks::Everywhere;
        }
        AllowedNetworks::only(entries.iter().map(|entry| entry.network))
    }
}

impl KeyAllowlist {
    /// Where the key may be used from.
    pub fn networks(&self) -> AllowedNetworks {
        AllowlistEntry::networks(&self.entries)
    }

    /// Whether a request may come from an address.
    pub fn allows(&self, address: IpAddr) -> bool {
        self.networks().allow(address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(networks: &[&str]) -> KeyAllowlist {
        let entry = |(nth, text): (usize, &&str)| AllowlistEntry {
            id: AllowlistEntryId(i64::try_from(nth).unwrap()),
            network: IpNetwork::parse(text).unwrap(),
            note: None,
            created_at: Timestamp::from_millis(0),
            made_by: KeyId(1),
        };
        KeyAllowlist {
            account: AccountId::parse("shop").unwrap(),
            key: KeyId(1),
            version: 1,
            entries: networks.iter().enumerate().map(entry).collect(),
            created_at: Timestamp::from_millis(0),
            made_by: KeyId(1),
        }
    }

    #[test]
    fn a_list_without_networks_allows_every_address_and_any_other_only_its_own() {
        let [inside, outside] = ["203.0.113.9", "2001:db8::1"].map(|it| it.parse().unwrap());
        assert!(list(&[]).allows(inside) && list(&[]).allows(outside));
        let one = list(&["203.0.113.0/24"]);
        assert!(one.allows(inside) && !one.allows(outside));
        let both = list(&["203.0.113.0/24", "2001:db8::/32"]);
        assert!(both.allows(inside) && both.allows(outside));
        assert_eq!(
            list(&["::/0", "0.0.0.0/0"]).networks(),
            AllowedNetworks::Everywhere
        );
    }

    #[test]
    fn a_number_reads_back_and_a_note_is_one_line() {
        let id = AllowlistEntryId(161);
        assert_eq!(id.to_string(), "00000000000000a1");
        assert_eq!(AllowlistEntryId::parse("00000000000000A1"), Ok(id));
        assert!(AllowlistEntryId::parse("161").is_err());
        assert_eq!(AllowlistNote::parse(" Lagos ").unwrap().as_str(), "Lagos");
        assert!(AllowlistNote::parse(&"x".repeat(101)).is_err());
        assert!(AllowlistNote::parse("a\nb").is_err());
    }
}
