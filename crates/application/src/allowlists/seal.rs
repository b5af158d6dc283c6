//! Seals of allowlists. A key whose list was altered must be used from nowhere.

use crate::access::{SealMessage, is_sealed};
use crate::pepper::Pepper;
use domain::access::KeyAllowlist;
use domain::account::AccountId;
use ports::access_keys::RowSeal;
use ports::allowlists::StoredAllowlist;

/// The purpose of the key that seals are made with.
const ALLOWLIST: &str = "manilla allowlist seal v1";

/// The seal of a version of an allowlist.
pub fn seal_allowlist(pepper: &Pepper, list: &KeyAllowlist) -> RowSeal {
    let begun = SealMessage::default()
        .with(list.account.as_str().as_bytes())
        .number(list.key.0)
        .number(list.version.into())
        .number(list.created_at.as_millis())
        .number(list.made_by.0);
    let message = list.entries.iter().fold(begun, |message, entry| {
        let message = message
            .number(entry.id.0)
            .with(entry.network.to_string().as_bytes());
        // No note is empty.
        let note = entry.note.as_ref().map_or("", |note| note.as_str());
        message
            .with(note.as_bytes())
            .number(entry.created_at.as_millis())
            .number(entry.made_by.0)
    });
    RowSeal(message.authenticated(pepper, ALLOWLIST))
}

/// A list as it is stored, marked as one that cannot be read where it was altered.
pub(crate) fn allowlist_with_seal_checked(
    pepper: &Pepper,
    stored: StoredAllowlist,
) -> StoredAllowlist {
    let StoredAllowlist::Sealed(sealed) = stored else {
        return stored;
    };
    let list = &sealed.list;
    if is_sealed(pepper, sealed.seal, |it| seal_allowlist(it, list)) {
        return StoredAllowlist::Sealed(sealed);
    }
    StoredAllowlist::Unreadable {
        key: list.key,
        version: list.version,
        why: format!(
            "version {} of the allowlist of key {} of {} is not as a gateway wrote it",
            list.version, list.key, list.account
        ),
    }
}

/// Lists of an account, each that was altered or moved marked as one that cannot be read.
pub(crate) fn verified_allowlists(
    pepper: &Pepper,
    account: &AccountId,
    stored: Vec<StoredAllowlist>,
) -> Vec<StoredAllowlist> {
    let checked = stored.into_iter().map(|stored| {
        let checked = allowlist_with_seal_checked(pepper, stored);
        let (key, version, why) = match checked {
            StoredAllowlist::Sealed(sealed) if sealed.list.account == *account => {
                return StoredAllowlist::Sealed(sealed);
            }
            StoredAllowlist::Sealed(sealed) => {
                let why = "an allowlist belongs to another account".to_owned();
                (sealed.list.key, sealed.list.version, why)
            }
            StoredAllowlist::Unreadable { key, version, why } => (key, version, why),
        };
        tracing::error!(%account, %key, why, "an allowlist was altered; run the audit");
        StoredAllowlist::Unreadable { key, version, why }
    });
    checked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::access::{AllowlistEntryId, AllowlistNote, IpNetwork};
    use domain::credential::KeyId;
    use testkit::builders::{account_id, allowlist, at};

    const PEPPER: Pepper = Pepper::new([9; 32]);

    fn is_read(change: impl FnOnce(&mut KeyAllowlist)) -> bool {
        let mut sealed = allowlist("shop", 7, 2);
        sealed.seal = seal_allowlist(&PEPPER, &sealed.list);
        change(&mut sealed.list);
        let stored = vec![StoredAllowlist::Sealed(sealed)];
        let read = verified_allowlists(&PEPPER, &account_id("shop"), stored);
        matches!(read[0], StoredAllowlist::Sealed(_))
    }

    #[test]
    fn a_list_is_read_as_it_was_set_and_in_no_other_way() {
        assert!(is_read(|_| {}));
        let changes: [fn(&mut KeyAllowlist); 12] = [
            |it| it.account = account_id("other"),
            |it| it.key = KeyId(8),
            |it| it.version = 3,
            |it| it.created_at = at(77),
            |it| it.made_by = KeyId(77),
            |it| it.entries.clear(),
            |it| it.entries.truncate(1),
            |it| it.entries[0].network = IpNetwork::parse("0.0.0.0/0").unwrap(),
            |it| it.entries[1].note = None,
            |it| it.entries[0].note = AllowlistNote::parse("Home").ok(),
            |it| it.entries[0].id = AllowlistEntryId(77),
            |it| it.entries.swap(0, 1),
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            assert!(!is_read(change), "change {nth}");
        }
    }
}
