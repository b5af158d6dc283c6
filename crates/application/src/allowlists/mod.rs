//! Allowlists that merchants set: the networks that each key of the account is used from. A change
//! must never lock out the key that it is made with.

mod seal;

pub use seal::seal_allowlist;
pub(crate) use seal::{allowlist_with_seal_checked, verified_allowlists};

use crate::account_changes::{ChangeNote, Described};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use domain::access::{
    AllowedNetworks, AllowlistEntry, AllowlistEntryId, KeyAllowlist, NETWORKS_MAX,
    NewAllowlistEntry,
};
use domain::account_change::ChangeAction;
use domain::credential::KeyId;
use ports::PortError;
use ports::accounts::Credentials;
use ports::allowlists::{AllowlistChange, SealedAllowlist, StoredAllowlist};
use std::net::IpAddr;

/// How many times a change is tried again that another one came before: each time one of them was
/// made.
const TRIES_MAX: usize = 8;

/// A network of a key of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedEntry {
    /// The key.
    pub key: KeyId,
    /// The network.
    pub entry: AllowlistEntry,
}

/// Why an allowlist is not changed.
#[derive(Debug, thiserror::Error)]
pub enum AllowlistError {
    /// The account has no such key.
    #[error("no such key")]
    KeyUnknown,
    /// No key of the account has such an entry.
    #[error("no such entry")]
    EntryUnknown,
    /// The key of the request could not be used from the address of the request any more.
    #[error("the key of the request would be refused from {0}")]
    LocksOut(IpAddr),
    /// The key of the request is no longer used from the address of the request.
    #[error("the key of the request is refused from {0}")]
    Outside(IpAddr),
    /// The list of the key has as many networks as it may have.
    #[error("the list has as many networks as it may have")]
    Full,
    /// The list of the key is not as a gateway wrote it.
    #[error("an allowlist is not as it was set")]
    Unreadable,
    /// Too many were changed within a day.
    #[error("too many allowlists were changed within a day")]
    TooManyToday,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for AllowlistError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// Where a key may be used from by the lists that were verified: nowhere, where its own cannot be
/// read.
pub(crate) fn allowed_networks(stored: &[StoredAllowlist], key: KeyId) -> AllowedNetworks {
    match stored.iter().find(|stored| key_of(stored) == key) {
        None => AllowedNetworks::Everywhere,
        Some(StoredAllowlist::Sealed(sealed)) => sealed.list.networks(),
        Some(StoredAllowlist::Unreadable { .. }) => AllowedNetworks::only([]),
    }
}

const fn key_of(stored: &StoredAllowlist) -> KeyId {
    match stored {
        StoredAllowlist::Sealed(sealed) => sealed.list.key,
        StoredAllowlist::Unreadable { key, .. } => *key,
    }
}

/// A list as it is before a change.
struct Before {
    key: KeyId,
    version: u32,
    entries: Vec<AllowlistEntry>,
    is_readable: bool,
}

impl Before {
    /// The list of a key; where it cannot be read, an empty one that takes its place.
    fn of(stored: &[StoredAllowlist], key: KeyId) -> Self {
        let mut stored = stored.iter().filter(|stored| key_of(stored) == key);
        let (version, entries, is_readable) = match stored.next() {
            None => (0, Vec::new(), true),
            Some(StoredAllowlist::Sealed(sealed)) => {
                (sealed.list.version, sealed.list.entries.clone(), true)
            }
            Some(StoredAllowlist::Unreadable { version, .. }) => (*version, Vec::new(), false),
        };
        Self {
            key,
            version,
            entries,
            is_readable,
        }
    }

    /// The list in words.
    fn described(&self) -> Described {
        if self.is_readable {
            described(&self.entries)
        } else {
            Described::of("networks", "none that can be read")
        }
    }

    /// The address of a request whose key the list does not let in from there: it may have been
    /// set since the request was let in.
    fn refuses(&self, merchant: &Merchant) -> Option<IpAddr> {
        let address = merchant.request.as_ref()?.address;
        let is_let_in = AllowlistEntry::networks(&self.entries).allow(address);
        (self.key == merchant.grant.key && !is_let_in).then_some(address)
    }
}

impl Gateway {
    /// The networks of every key of the merchant's account that works.
    ///
    /// # Errors
    /// When the store failed, or a list is not as it was set.
    pub async fn allowlist(
        &self,
        merchant: &Merchant,
    ) -> Result<Vec<AllowedEntry>, AllowlistError> {
        let (_, stored) = self.stored_allowlists(merchant).await?;
        let mut all = Vec::new();
        for stored in stored {
            let StoredAllowlist::Sealed(sealed) = stored else {
                return Err(AllowlistError::Unreadable);
            };
            let key = sealed.list.key;
            let entries = sealed.list.entries.into_iter();
            all.extend(entries.map(|entry| AllowedEntry { key, entry }));
        }
        Ok(all)
    }

    /// Adds a network to the list of a key. One that is there already stays as it was added.
    ///
    /// # Errors
    /// Refuses a key that the account has not, one network too many, and a first network of the key
    /// of the request without the address of the request.
    pub async fn allow_network(
        &self,
        merchant: &Merchant,
        wanted: &NewAllowlistEntry,
    ) -> Result<(AllowedEntry, ReplayMark), AllowlistError> {
        let key = wanted.key.unwrap_or(merchant.grant.key);
        for _ in 0..TRIES_MAX {
            let (known, stored) = self.stored_allowlists(merchant).await?;
            if !has_key(&known, key) {
                return Err(AllowlistError::KeyUnknown);
            }
            let mut before = Before::of(&stored, key);
            let mut same = before.entries.iter();
            if let Some(entry) = same.find(|entry| entry.network == wanted.network) {
                let entry = entry.clone();
                return Ok((AllowedEntry { key, entry }, ReplayMark::Replayed));
            }
            if before.entries.len() >= NETWORKS_MAX {
                return Err(AllowlistError::Full);
            }
            let random = self.parts().ids.secret()?;
            let number = random.first_chunk().copied().unwrap_or_default();
            let entry = AllowlistEntry {
                id: AllowlistEntryId(i64::from_be_bytes(number)),
                network: wanted.network,
                note: wanted.note.clone(),
                created_at: self.now(),
                made_by: merchant.grant.key,
            };
            if let Some(address) = before.refuses(merchant) {
                return Err(AllowlistError::Outside(address));
            }
            let was = before.described();
            before.entries.push(entry.clone());
            let changed = (ChangeAction::NetworkAllowed, was, before);
            if self.change_allowlist(merchant, changed).await? {
                return Ok((AllowedEntry { key, entry }, ReplayMark::New));
            }
        }
        Err(overtaken())
    }

    /// Removes a network from the list of its key, which is used from anywhere once it has none.
    ///
    /// # Errors
    /// Refuses an entry that no key has, and one that the key of the request is used from.
    pub async fn remove_allowed(
        &self,
        merchant: &Merchant,
        id: AllowlistEntryId,
    ) -> Result<AllowedEntry, AllowlistError> {
        for _ in 0..TRIES_MAX {
            let (_, stored) = self.stored_allowlists(merchant).await?;
            let keys = stored.iter().map(key_of);
            let lists = keys.map(|key| Before::of(&stored, key));
            let mut with_entry =
                lists.filter(|list| list.entries.iter().any(|entry| entry.id == id));
            let Some(mut before) = with_entry.next() else {
                return Err(AllowlistError::EntryUnknown);
            };
            let key = before.key;
            if let Some(address) = before.refuses(merchant) {
                return Err(AllowlistError::Outside(address));
            }
            let was = before.described();
            let removed = before.entries.extract_if(.., |entry| entry.id == id).next();
            let Some(entry) = removed else {
                return Err(AllowlistError::EntryUnknown);
            };
            let changed = (ChangeAction::NetworkRemoved, was, before);
            if self.change_allowlist(merchant, changed).await? {
                return Ok(AllowedEntry { key, entry });
            }
        }
        Err(overtaken())
    }

    /// What the list of a key is, for the key that takes its place: the version that was seen, and
    /// the first version of the list of the new one.
    pub(crate) async fn inherited_allowlist(
        &self,
        merchant: &Merchant,
        (replaced, key): (KeyId, KeyId),
    ) -> Result<(u32, Option<SealedAllowlist>), AllowlistError> {
        let (_, stored) = self.stored_allowlists(merchant).await?;
        match stored.iter().find(|stored| key_of(stored) == replaced) {
            None => Ok((0, None)),
            Some(StoredAllowlist::Unreadable { .. }) => Err(AllowlistError::Unreadable),
            Some(StoredAllowlist::Sealed(sealed)) => {
                let entries = sealed.list.entries.clone();
                let new = Before {
                    key,
                    version: 0,
                    entries,
                    is_readable: true,
                };
                let is_empty = new.entries.is_empty();
                let new = (!is_empty).then(|| self.next_allowlist(merchant, new));
                Ok((sealed.list.version, new))
            }
        }
    }

    /// What the store has of the merchant's account now, and its allowlists, verified.
    async fn stored_allowlists(
        &self,
        merchant: &Merchant,
    ) -> Result<(Credentials, Vec<StoredAllowlist>), AllowlistError> {
        let account = &merchant.account.id;
        let known = self.parts().accounts.credentials(account).await?;
        let mut known = known.ok_or(AllowlistError::KeyUnknown)?;
        let stored = std::mem::take(&mut known.allowlists);
        let stored = verified_allowlists(&self.parts().pepper, account, stored);
        Ok((known, stored))
    }

    /// Stores a list after a change, unless another change came before.
    async fn change_allowlist(
        &self,
        merchant: &Merchant,
        (action, was, changed): (ChangeAction, Described, Before),
    ) -> Result<bool, AllowlistError> {
        let sealed = self.next_allowlist(merchant, changed);
        let address = merchant.request.as_ref().map(|request| request.address);
        if let Some(address) = address
            && sealed.list.key == merchant.grant.key
            && !sealed.list.allows(address)
        {
            return Err(AllowlistError::LocksOut(address));
        }
        let note = ChangeNote::of_key(action, sealed.list.key)
            .from(Some(was))
            .to(described(&sealed.list.entries));
        let noted = self.noted(merchant, note);
        let allowlists = &self.parts().allowlists;
        match allowlists.set_allowlist(&sealed, &noted).await? {
            AllowlistChange::Done => {
                self.remembered().forget(&merchant.account.id);
                Ok(true)
            }
            AllowlistChange::VersionConflict(_) => Ok(false),
            AllowlistChange::TooManyToday => Err(AllowlistError::TooManyToday),
            AllowlistChange::AccountUnknown => {
                let what = "an account that was let in has no place for an allowlist";
                Err(PortError::new("allowlists", what).into())
            }
        }
    }

    fn next_allowlist(&self, merchant: &Merchant, changed: Before) -> SealedAllowlist {
        let list = KeyAllowlist {
            account: merchant.account.id.clone(),
            key: changed.key,
            version: changed.version.saturating_add(1),
            entries: changed.entries,
            created_at: self.now(),
            made_by: merchant.grant.key,
        };
        let seal = seal_allowlist(&self.parts().pepper, &list);
        SealedAllowlist { list, seal }
    }
}

/// The networks of a list, in words.
fn described(entries: &[AllowlistEntry]) -> Described {
    let networks = entries.iter().map(|entry| entry.network.to_string());
    let networks: Vec<_> = networks.collect();
    if networks.is_empty() {
        return Described::of("networks", "any");
    }
    Described::of("networks", networks.join(", "))
}

fn overtaken() -> AllowlistError {
    let what = "others changed the allowlist all the time";
    PortError::new("allowlists", what)
        .with_nothing_done()
        .into()
}

fn has_key(known: &Credentials, key: KeyId) -> bool {
    let operators = known.keys.iter().map(|key| key.id);
    let access = known.access.iter().map(|live| live.sealed.key.id);
    operators.chain(access).any(|id| id == key)
}
