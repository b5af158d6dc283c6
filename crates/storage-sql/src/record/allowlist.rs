//! Allowlists, read back. A row must pass every rule that a fresh value passes; whether it was
//! altered follows from its seal, which is not judged here.

use super::{RecordError, scalar::valid};
use domain::access::{
    ALLOWLIST_CHANGES_PER_DAY_MAX, AllowlistEntry, AllowlistEntryId, AllowlistNote, IpNetwork,
    KeyAllowlist, NETWORKS_MAX,
};
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::time::Timestamp;
use ports::access_keys::RowSeal;
use ports::allowlists::{AllowlistChange, SealedAllowlist, StoredAllowlist};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A version of an allowlist as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowlistRow {
    /// The account.
    pub account: String,
    /// The number of the key.
    pub key: i64,
    /// The version.
    pub version: i64,
    /// The entries, as a document.
    pub entries: String,
    /// When it was changed, in milliseconds.
    pub created_at: i64,
    /// The number of the key it was changed with.
    pub made_by: i64,
    /// The seal.
    pub seal: Vec<u8>,
}

/// An entry within the document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryRecord<'a> {
    id: i64,
    #[serde(borrow)]
    network: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'a, str>>,
    at: i64,
    by: i64,
}

/// Whether there is no such account, the latest version, and how many were set within a day.
pub type AllowlistObstacles = (bool, i64, i64);

/// Why a version is not stored.
pub fn allowlist_obstacle(
    list: &KeyAllowlist,
    (is_unknown, latest, today): AllowlistObstacles,
) -> Option<AllowlistChange> {
    if is_unknown {
        return Some(AllowlistChange::AccountUnknown);
    }
    let latest = u32::try_from(latest).unwrap_or(u32::MAX);
    if latest.checked_add(1) != Some(list.version) {
        return Some(AllowlistChange::VersionConflict(latest));
    }
    let is_full = today >= i64::from(ALLOWLIST_CHANGES_PER_DAY_MAX);
    is_full.then_some(AllowlistChange::TooManyToday)
}

impl AllowlistRow {
    /// The row that a version is stored as.
    pub fn of(sealed: &SealedAllowlist) -> Self {
        let list = &sealed.list;
        let entries = list.entries.iter().map(|entry| {
            let mut record = serde_json::json!({
                "id": entry.id.0,
                "network": entry.network.to_string(),
                "at": entry.created_at.as_millis(),
                "by": entry.made_by.0,
            });
            if let (Some(note), Some(fields)) = (&entry.note, record.as_object_mut()) {
                fields.insert("note".to_owned(), note.as_str().into());
            }
            record
        });
        Self {
            account: list.account.as_str().to_owned(),
            key: list.key.0,
            version: list.version.into(),
            entries: serde_json::Value::Array(entries.collect()).to_string(),
            created_at: list.created_at.as_millis(),
            made_by: list.made_by.0,
            seal: sealed.seal.0.to_vec(),
        }
    }

    /// The version the row holds, or what is wrong with it.
    pub fn restore(&self) -> StoredAllowlist {
        match self.read() {
            Ok(sealed) => StoredAllowlist::Sealed(sealed),
            Err(error) => StoredAllowlist::Unreadable {
                key: KeyId(self.key),
                version: u32::try_from(self.version).unwrap_or_default(),
                why: format!(
                    "version {} of the allowlist of key {} of {} cannot be read: {error}",
                    self.version,
                    KeyId(self.key),
                    self.account
                ),
            },
        }
    }

    fn read(&self) -> Result<SealedAllowlist, RecordError> {
        let records: Vec<EntryRecord<'_>> =
            serde_json::from_str(&self.entries).map_err(|_| RecordError::Value("entries"))?;
        if records.len() > NETWORKS_MAX {
            return Err(RecordError::Value("entries"));
        }
        let entries: Result<_, RecordError> = records.iter().map(EntryRecord::read).collect();
        let list = KeyAllowlist {
            account: valid(AccountId::parse(&self.account), "account")?,
            key: KeyId(self.key),
            version: valid(u32::try_from(self.version), "version")?,
            entries: entries?,
            created_at: Timestamp::from_millis(self.created_at),
            made_by: KeyId(self.made_by),
        };
        let seal = valid(self.seal.as_slice().try_into(), "seal")?;
        Ok(SealedAllowlist {
            list,
            seal: RowSeal(seal),
        })
    }
}

impl EntryRecord<'_> {
    fn read(&self) -> Result<AllowlistEntry, RecordError> {
        let note = self.note.as_deref().map(AllowlistNote::parse);
        Ok(AllowlistEntry {
            id: AllowlistEntryId(self.id),
            network: valid(IpNetwork::parse(&self.network), "network")?,
            note: valid(note.transpose(), "note")?,
            created_at: Timestamp::from_millis(self.at),
            made_by: KeyId(self.by),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::allowlist;

    #[test]
    fn a_version_reads_back_and_one_that_breaks_a_rule_is_unreadable() {
        let sealed = allowlist("shop", 7, 3);
        let row = AllowlistRow::of(&sealed);
        assert_eq!(row.restore(), StoredAllowlist::Sealed(sealed));
        for entries in [
            "",
            "[1]",
            "[{\"id\":1,\"network\":\"x\",\"at\":0,\"by\":1}]",
        ] {
            let broken = AllowlistRow {
                entries: entries.to_owned(),
                ..row.clone()
            };
            let StoredAllowlist::Unreadable { key, version, .. } = broken.restore() else {
                panic!("{entries} was read");
            };
            assert_eq!((key, version), (KeyId(7), 3));
        }
    }
}
