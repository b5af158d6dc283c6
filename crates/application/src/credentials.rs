//! Authentication. A key must never be stored or compared in the clear, and an unknown account must
//! cost the same work as a wrong key.

use crate::access::{self, KeyGrant};
use crate::allowlists::{allowed_networks, verified_allowlists};
use crate::freezes::{active_freezes, verified_freezes};
use crate::gateway::{Gateway, Merchant};
pub use crate::pepper::Pepper;
use crate::prefixed_parts::PrefixedParts;
use crate::spending;
use domain::access::{AccountUserState, AccountUserStatus, AllowedNetworks};
use domain::account::{AccountId, AccountStatus};
use domain::credential::{KEY_BODY_LENGTH, KeyHash, KeyId, KeyRecord, LIVE_KEYS_MAX};
use domain::environment::{ByEnvironment, Environment};
use ports::PortError;
use ports::access_keys::LiveAccessKey;
use ports::account_users::SealedUser;
use ports::accounts::Credentials;
use std::net::IpAddr;
use std::sync::Arc;
use subtle::ConstantTimeEq;

/// What keys are hashed for. No other message under the pepper begins like one that these are in.
/// Live keys have a purpose of their own: a program that knows no environments, and would sell the
/// sandbox's goods to live accounts during an upgrade, recognises none of them.
const KEY_PURPOSES: ByEnvironment<&str> = ByEnvironment {
    test: "manilla api-key v1",
    live: "manilla live api-key v1",
};

/// What keys that merchants make are hashed for, likewise.
const ACCESS_PURPOSES: ByEnvironment<&str> = ByEnvironment {
    test: "manilla access-key v1",
    live: "manilla live access-key v1",
};

/// The environment that a text is a key of, by its prefix.
fn environment_of(key: &str) -> Option<Environment> {
    let mut all = Environment::ALL.into_iter();
    all.find(|environment| key.starts_with(environment.key_prefix()))
}

/// The stored form of a key: of one account, and of one row of it.
pub fn hash_key(pepper: &Pepper, account: &AccountId, id: KeyId, key: &str) -> KeyHash {
    bound_hash(pepper, &KEY_PURPOSES, (account.as_str(), id), key)
}

/// The stored form of a key that a merchant makes, likewise.
pub fn hash_access_key(pepper: &Pepper, account: &AccountId, id: KeyId, key: &str) -> KeyHash {
    bound_hash(pepper, &ACCESS_PURPOSES, (account.as_str(), id), key)
}

fn bound_hash(
    pepper: &Pepper,
    purposes: &ByEnvironment<&str>,
    (account, id): (&str, KeyId),
    key: &str,
) -> KeyHash {
    let number = id.0.to_be_bytes();
    let environment = environment_of(key).unwrap_or(Environment::Test);
    let parts = [
        purposes.of(environment).as_bytes(),
        account.as_bytes(),
        &number,
        key.as_bytes(),
    ];
    let message = PrefixedParts::default().with_each(parts);
    KeyHash(pepper.authenticate(message.as_bytes()))
}

/// How many characters of a key are shown in lists: the prefix and four of the body.
const HINT_LENGTH: usize = 12;

/// How many base62 characters the checksum takes: 62^6 > 2^32.
const CHECKSUM_LENGTH: usize = 6;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Makes a key out of 32 random bytes: prefix, 30 base62 characters, checksum.
pub fn mint_key(environment: Environment, random: [u8; 32]) -> String {
    mint_with(environment.key_prefix(), random)
}

/// The same with any prefix.
pub(crate) fn mint_with(prefix: &str, random: [u8; 32]) -> String {
    let mut key = prefix.to_owned();
    let mut number = random;
    for _ in 0..KEY_BODY_LENGTH {
        key.push(divide_by_62(&mut number));
    }
    let checksum = checksum(&key);
    key.push_str(&checksum);
    key
}

/// The characters of a key that may be shown.
pub fn key_hint(key: &str) -> String {
    key.chars().take(HINT_LENGTH).collect()
}

/// Whether a text has the shape of a key and its checksum fits: typing errors and foreign keys are
/// found without querying the store.
pub fn well_formed(key: &str) -> bool {
    let environment = environment_of(key);
    environment.is_some_and(|it| well_formed_with(it.key_prefix(), key))
}

/// The same with any prefix.
pub(crate) fn well_formed_with(prefix: &str, key: &str) -> bool {
    let length = prefix.len() + KEY_BODY_LENGTH + CHECKSUM_LENGTH;
    let body = key
        .len()
        .checked_sub(CHECKSUM_LENGTH)
        .and_then(|end| key.split_at_checked(end));
    key.starts_with(prefix)
        && key.len() == length
        && body.is_some_and(|(body, checksum_given)| checksum(body) == checksum_given)
}

/// Divides a big-endian number by 62 in place; the remainder as a base62 character.
fn divide_by_62(number: &mut [u8; 32]) -> char {
    let mut remainder = 0_u16;
    for digit in number.iter_mut() {
        let value = (remainder << 8) | u16::from(*digit);
        *digit = u8::try_from(value / 62).unwrap_or(u8::MAX);
        remainder = value % 62;
    }
    base62(usize::from(remainder))
}

fn checksum(text: &str) -> String {
    let mut sum = crc32fast::hash(text.as_bytes()) as usize;
    let mut digits = String::with_capacity(CHECKSUM_LENGTH);
    for _ in 0..CHECKSUM_LENGTH {
        digits.push(base62(sum % 62));
        sum /= 62;
    }
    digits
}

fn base62(digit: usize) -> char {
    BASE62.get(digit).copied().map_or('0', char::from)
}

/// Why a request is not authenticated.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    /// Unknown account or wrong key: the error does not say which.
    #[error("the account or its key is not known")]
    UnknownOrWrong,
    /// The account is suspended; said only to who holds its key.
    #[error("the account is suspended")]
    Suspended,
    /// The key is frozen; said only to who holds it.
    #[error("the key is frozen")]
    KeyFrozen,
    /// The key has expired; said only to who holds it.
    #[error("the key has expired")]
    Expired,
    /// The user that the key belongs to is not active; said only to who holds it.
    #[error("the user of the key is not active")]
    UserInactive,
    /// The store failed.
    #[error("the store failed")]
    Unavailable(#[from] PortError),
}

/// The key that opened an account.
enum OpenedBy<'k> {
    /// One of the operator's.
    Operators(KeyId),
    /// One that the merchant made, under a generation of the pepper.
    Access(&'k LiveAccessKey, u32),
}

impl OpenedBy<'_> {
    /// The number of the key.
    const fn id(&self) -> KeyId {
        match self {
            Self::Operators(id) => *id,
            Self::Access(live, _) => live.sealed.key.id,
        }
    }
}

/// Why a key no longer lets in a request that it was let in with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LapsedGrant {
    /// It was frozen.
    Frozen,
    /// It may not be used from this address any more.
    Network(IpAddr),
}

impl Gateway {
    /// Why the key of a request no longer lets it in, where it was frozen or given networks since:
    /// the body of the request may have taken a while.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn lapsed_grant(
        &self,
        merchant: &Merchant,
    ) -> Result<Option<LapsedGrant>, PortError> {
        let Some(known) = self.credentials(&merchant.account.id).await? else {
            return Ok(None);
        };
        let key = merchant.grant.key;
        if active_freezes(&known.freezes).has_key(key) {
            return Ok(Some(LapsedGrant::Frozen));
        }
        let networks = allowed_networks(&known.allowlists, key);
        let address = merchant.request.as_ref().map(|request| request.address);
        let outside = address.filter(|address| !networks.allow(*address));
        Ok(outside.map(LapsedGrant::Network))
    }

    /// Lets an account in by its identity and one of its live keys.
    ///
    /// # Errors
    /// See [`Denied`].
    pub async fn authenticate(&self, identity: &str, key: &str) -> Result<Merchant, Denied> {
        let known = match AccountId::parse(identity) {
            Ok(id) if well_formed(key) => {
                let known = self.credentials(&id).await;
                // A request that is not authenticated has changed nothing.
                known.map_err(PortError::with_nothing_done)?
            }
            Ok(_) | Err(_) => None,
        };
        let opened = self.opened_by(known.as_deref(), (identity, key));
        let account = known.as_deref().map(|it| it.account.clone());
        let account = account.filter(|it| environment_of(key) == Some(it.environment));
        let limits = known.as_deref().map(|it| spending::active(&it.limits));
        let freezes = known.as_deref().map(|it| active_freezes(&it.freezes));
        let freezes = freezes.unwrap_or_default();
        let allowlist = |key| {
            let lists = known.as_deref().map_or(&[][..], |it| &it.allowlists);
            allowed_networks(lists, key)
        };
        let (account, opened) = account.zip(opened).ok_or(Denied::UnknownOrWrong)?;
        if freezes.has_key(opened.id()) {
            return Err(Denied::KeyFrozen);
        }
        match account.status {
            AccountStatus::Active => {}
            AccountStatus::Suspended => return Err(Denied::Suspended),
        }
        let grant = match opened {
            OpenedBy::Operators(id) => KeyGrant::unlimited(id),
            OpenedBy::Access(live, generation) => KeyGrant {
                made_under: Some(generation),
                ..self.grant(live)?
            },
        };
        let grant = KeyGrant {
            allowlist: allowlist(grant.key),
            ..grant
        };
        Ok(Merchant {
            account,
            grant,
            limits: limits.unwrap_or_default(),
            freezes,
            request: None,
        })
    }

    /// What a key that a merchant made allows now.
    fn grant(&self, live: &LiveAccessKey) -> Result<KeyGrant, Denied> {
        let key = &live.sealed.key;
        if key.terms.are_over(self.now()) {
            return Err(Denied::Expired);
        }
        let is_active = |user: &SealedUser| {
            let state = AccountUserState {
                user: user.user.clone(),
                steps: user.steps.iter().map(|it| it.step).collect(),
            };
            state.status() == AccountUserStatus::Active
        };
        if key.user.is_some() && !live.user.as_ref().is_some_and(is_active) {
            return Err(Denied::UserInactive);
        }
        Ok(KeyGrant {
            key: key.id,
            terms: key.terms.clone(),
            user: key.user,
            made_under: None,
            allowlist: AllowedNetworks::Everywhere,
        })
    }

    /// The key that a text is, among those of an account. The number of hashes is always the same:
    /// one for each key of the operator that may be live, and one for the key of the merchant that
    /// begins like the text, of which there is at most one, by each generation of the pepper. The
    /// time an answer takes must not reveal which accounts exist.
    fn opened_by<'k>(
        &self,
        known: Option<&'k Credentials>,
        (identity, key): (&str, &str),
    ) -> Option<OpenedBy<'k>> {
        let pepper = &self.parts().pepper;
        let matches = |purposes, id, stored: Option<KeyHash>| {
            let stored = stored.map_or([0; 32], |hash| hash.0);
            let by = pepper.which_made(|generation| {
                let offered = bound_hash(generation, purposes, (identity, id), key);
                offered.0.ct_eq(&stored).into()
            });
            by.map(|generation| generation.newest())
        };
        let operators: &[KeyRecord] = known.map_or(&[], |credentials| &credentials.keys);
        let places = operators.len().max(LIVE_KEYS_MAX);
        let absent = (KeyId(0), None);
        let stored = operators
            .iter()
            .map(|record| (record.id, Some(record.hash)));
        let stored = stored.chain(std::iter::repeat(absent)).take(places);
        // Each is compared, also after one that matches.
        let opened = stored.fold(None, |opened, (id, hash)| {
            let by = matches(&KEY_PURPOSES, id, hash);
            opened.or(by.map(|_| OpenedBy::Operators(id)))
        });
        let access: &[LiveAccessKey] = known.map_or(&[], |credentials| &credentials.access);
        let hint = key_hint(key);
        let alike = access.iter().find(|live| live.sealed.key.hint == hint);
        let (id, hash) = alike.map_or(absent, |live| {
            (live.sealed.key.id, Some(live.sealed.key.hash))
        });
        let by = matches(&ACCESS_PURPOSES, id, hash);
        let access = alike.zip(by).map(|(live, by)| OpenedBy::Access(live, by));
        opened.or(access)
    }

    /// Whether an account can be let in without a read of the store.
    pub fn remembers(&self, identity: &str) -> bool {
        let id = AccountId::parse(identity);
        id.is_ok_and(|id| matches!(self.remembered().recall(&id), Ok(Some(_))))
    }

    pub(crate) async fn credentials(
        &self,
        id: &AccountId,
    ) -> Result<Option<Arc<Credentials>>, PortError> {
        let asked = match self.remembered().recall(id) {
            Ok(known) => return Ok(known),
            Err(asked) => asked,
        };
        let stored = self.parts().accounts.credentials(id).await?;
        // Seals are checked once for each read, before anything is remembered.
        let credentials = stored.map(|stored| {
            let pepper = &self.parts().pepper;
            let access = access::verified(pepper, id, stored.access);
            let limits = spending::verified_limits(pepper, id, stored.limits);
            let freezes = verified_freezes(pepper, id, stored.freezes);
            let allowlists = verified_allowlists(pepper, id, stored.allowlists);
            Arc::new(Credentials {
                access,
                limits,
                freezes,
                allowlists,
                ..stored
            })
        });
        self.remembered().keep(id, credentials.clone(), asked);
        Ok(credentials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minted_key_is_well_formed_and_one_changed_character_is_not() {
        let key = mint_key(Environment::Test, [0xA5; 32]);
        assert!(well_formed(&key), "{key}");
        for at in 0..key.len() {
            let mut changed: Vec<char> = key.chars().collect();
            changed[at] = if changed[at] == 'x' { 'y' } else { 'x' };
            assert!(
                !well_formed(&changed.into_iter().collect::<String>()),
                "{at}"
            );
        }
        assert!(!well_formed(""));
        assert!(!well_formed("mk_test_éééééééééééééééééé"));
    }

    #[test]
    fn different_random_bytes_make_different_keys() {
        let mut other = [0; 32];
        other[31] = 1;
        assert_ne!(
            mint_key(Environment::Test, [0; 32]),
            mint_key(Environment::Test, other)
        );
        assert_ne!(
            mint_key(Environment::Test, [0; 32]),
            mint_key(Environment::Live, [0; 32])
        );
    }

    #[test]
    fn the_pepper_the_account_the_number_and_the_key_all_matter() {
        let key = mint_key(Environment::Test, [1; 32]);
        let hash = |pepper: u8, account: &str, id, key: &str| {
            let account = AccountId::parse(account).unwrap();
            hash_key(&Pepper::new([pepper; 32]), &account, KeyId(id), key)
        };
        let stored = hash(1, "shop", 7, &key);
        assert_eq!(stored, hash(1, "shop", 7, &key));
        for other in [
            hash(2, "shop", 7, &key),
            hash(1, "kiosk", 7, &key),
            hash(1, "shop", 8, &key),
            hash(1, "shop", 7, "mk_test_"),
        ] {
            assert_ne!(stored, other);
        }
        assert_ne!(stored.0, [0; 32]);
    }

    /// Known from Python's hmac, apart from this code: what is stored must be recognised by every
    /// later version.
    #[test]
    fn the_stored_form_of_a_key_does_not_change() {
        let account = AccountId::parse("shop").unwrap();
        let expected = [
            ("mk_test_x", 0x799a_9c83_2f31_6a99_5393_6938_4ec1_5158_u128),
            ("mk_live_x", 0x9086_5679_32c1_2df9_0c81_a2b4_18d9_aeb4_u128),
        ];
        for (key, expected) in expected {
            let hash = hash_key(&Pepper::new([1; 32]), &account, KeyId(7), key);
            assert_eq!(hash.0[..16], u128::to_be_bytes(expected), "{key}");
        }
    }
}
