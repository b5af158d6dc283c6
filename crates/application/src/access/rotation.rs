//! Keys that take the place of others. A new one must allow exactly what the old one does, and its
//! secret must be answered once.

use super::keys::{AccessKeyError, DRAWS_MAX, KeyRefusal, described_key, iso};
use crate::account_changes::{ChangeNote, Described};
use crate::allowlists::AllowlistError;
use crate::credentials::mint_key;
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use crate::request_signing::SigningSecret;
use domain::access::{AccessKey, NewAccessKey};
use domain::account_change::ChangeAction;
use domain::credential::KeyId;
use domain::idempotency::IdempotencyKey;
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::{AccessKeyCreation, KeyRotation, LiveAccessKey};
use ports::allowlists::SealedAllowlist;
use std::time::Duration;

/// What takes the place of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RotatedKey {
    /// The new key.
    pub key: AccessKey,
    /// Its secret, where this request made it.
    pub secret: Option<String>,
    /// What its requests are signed with, where they are and this request made it.
    pub signing_secret: Option<SigningSecret>,
    /// The one whose place it takes.
    pub replaced: KeyId,
    /// When that one stops working.
    pub ends_at: Timestamp,
}

impl RotatedKey {
    /// The key that this request made.
    fn made(
        rotation: KeyRotation,
        (secret, signing_secret): (String, Option<SigningSecret>),
        ends_at: Timestamp,
    ) -> Self {
        Self {
            key: rotation.sealed.key,
            secret: Some(secret),
            signing_secret,
            replaced: rotation.replaced,
            ends_at,
        }
    }

    /// Whether this request made it.
    pub const fn mark(&self) -> ReplayMark {
        match self.secret {
            Some(_) => ReplayMark::New,
            None => ReplayMark::Replayed,
        }
    }
}

impl Gateway {
    /// Makes a key that takes the place of one of the merchant's, which works for an overlap yet;
    /// where the merchant's idempotency key made one before, that one is answered, without its
    /// secret.
    ///
    /// # Errors
    /// Refuses a key that is none of the merchant's, one that is replaced already, one that allows
    /// more than that of the request, a third key of a name, one too many, and an idempotency key
    /// that was used for another.
    pub async fn rotate_access_key(
        &self,
        merchant: &Merchant,
        (replaced, overlap): (KeyId, Duration),
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<RotatedKey, AccessKeyError> {
        let old = self.own_key(merchant, replaced).await?;
        if overlap.is_zero() && replaced == merchant.grant.key {
            return Err(AccessKeyError::NoOverlap);
        }
        // What a user's key makes ends with the user, and never with another one.
        if merchant.grant.user.is_some() && old.sealed.key.user != merchant.grant.user {
            return Err(AccessKeyError::Refused(vec![KeyRefusal::OtherUser]));
        }
        for _ in 0..DRAWS_MAX {
            let id = self.drawn_id("rotated-key", merchant, retry_key)?;
            if retry_key.is_some()
                && let Some(earlier) = self.earlier_rotation(merchant, id, &old).await?
            {
                return Ok(earlier);
            }
            if old.ends_at.is_some() {
                return Err(AccessKeyError::Replaced);
            }
            let key = &old.sealed.key;
            let wanted = NewAccessKey {
                name: key.name.clone(),
                terms: key.terms.clone(),
                user: key.user,
            };
            self.refuse_key(merchant, &wanted).await?;
            let secret = mint_key(merchant.account.environment, self.parts().ids.secret()?);
            let sealed = self.sealed_key(merchant, (id, &secret), &wanted);
            let ends_at = sealed.key.created_at.plus(overlap);
            let (allowlist_seen, allowlist) = self.allowlist_for(merchant, (replaced, id)).await?;
            let rotation = KeyRotation {
                sealed,
                replaced,
                ends_at,
                allowlist_seen,
                allowlist,
            };
            let keys = &self.parts().access_keys;
            let noted = self.noted(merchant, rotation_note(&rotation));
            match keys.rotate_access_key(&rotation, &noted).await? {
                AccessKeyCreation::Done => {
                    self.remembered().forget(&merchant.account.id);
                    let ends = key.terms.expires_at.into_iter().chain([ends_at]);
                    let ends_at = ends.min().unwrap_or(ends_at);
                    let signing_secret = self.signing_secret(&rotation.sealed.key);
                    let secrets = (secret, signing_secret);
                    return Ok(RotatedKey::made(rotation, secrets, ends_at));
                }
                // The list is read again.
                AccessKeyCreation::IdTaken
                | AccessKeyCreation::HintTaken
                | AccessKeyCreation::AllowlistChanged => {}
                AccessKeyCreation::ReplacedGone => return Err(AccessKeyError::Replaced),
                AccessKeyCreation::NameTaken => return Err(AccessKeyError::NameTaken),
                AccessKeyCreation::TooManyNames => return Err(AccessKeyError::TooManyNames),
                AccessKeyCreation::TooManyToday => return Err(AccessKeyError::TooManyToday),
                AccessKeyCreation::AccountUnknown => {
                    let what = "an account that was let in has no place for a key";
                    return Err(PortError::new("access keys", what).into());
                }
            }
        }
        Err(PortError::new("access keys", "every key that was drawn is in use").into())
    }

    /// The allowlist of a key, for the one that takes its place.
    async fn allowlist_for(
        &self,
        merchant: &Merchant,
        keys: (KeyId, KeyId),
    ) -> Result<(u32, Option<SealedAllowlist>), AccessKeyError> {
        let inherited = self.inherited_allowlist(merchant, keys).await;
        inherited.map_err(|failed| match failed {
            AllowlistError::Request(failed) => failed.into(),
            AllowlistError::KeyUnknown => AccessKeyError::Unknown,
            AllowlistError::EntryUnknown
            | AllowlistError::LocksOut(_)
            | AllowlistError::Outside(_)
            | AllowlistError::Full
            | AllowlistError::Unreadable
            | AllowlistError::TooManyToday => AccessKeyError::AllowlistUnreadable,
        })
    }

    /// A key that the merchant made and that is not revoked.
    async fn own_key(
        &self,
        merchant: &Merchant,
        id: KeyId,
    ) -> Result<LiveAccessKey, AccessKeyError> {
        let account = &merchant.account.id;
        let known = self.parts().accounts.credentials(account).await?;
        let known = known.ok_or(AccessKeyError::Unknown)?;
        if known.keys.iter().any(|key| key.id == id) {
            return Err(AccessKeyError::OfOperator);
        }
        let own = super::verified(&self.parts().pepper, account, known.access);
        let mut own = own.into_iter().filter(|live| live.sealed.key.id == id);
        own.next().ok_or(AccessKeyError::Unknown)
    }

    /// What an earlier request made under the number, where it takes the place of the same key.
    async fn earlier_rotation(
        &self,
        merchant: &Merchant,
        id: KeyId,
        old: &LiveAccessKey,
    ) -> Result<Option<RotatedKey>, AccessKeyError> {
        let keys = &self.parts().access_keys;
        if keys.access_key(&merchant.account.id, id).await?.is_none() {
            return Ok(None);
        }
        let earlier = match self.own_key(merchant, id).await {
            Ok(earlier) => earlier.sealed.key,
            Err(AccessKeyError::Unknown) => return Err(RequestError::KeyReused.into()),
            Err(failed) => return Err(failed),
        };
        // What was made for another key has another name, or this one has no end.
        match old
            .sealed
            .key
            .terms
            .expires_at
            .filter(|_| old.ends_at.is_some())
        {
            Some(ends_at) if earlier.name == old.sealed.key.name => Ok(Some(RotatedKey {
                key: earlier,
                secret: None,
                signing_secret: None,
                replaced: old.sealed.key.id,
                ends_at,
            })),
            Some(_) | None => Err(RequestError::KeyReused.into()),
        }
    }
}

/// The record of a key that takes the place of another.
fn rotation_note(rotation: &KeyRotation) -> ChangeNote {
    let before = Described::of("ends", iso(rotation.ends_at));
    let after = Described::of("key", rotation.sealed.key.id);
    ChangeNote::of_key(ChangeAction::KeyRotated, rotation.replaced)
        .from(Some(before))
        .to(after.and(&described_key(&rotation.sealed.key)))
}
