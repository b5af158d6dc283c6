//! Keys that merchants make. A key must never allow what the key of the request does not, and its
//! secret must be answered once and stored nowhere.

use super::seal::{is_key_sealed, seal_key};
use crate::account_changes::{ChangeNote, Described};
use crate::credentials::{hash_access_key, key_hint, mint_key};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::request_error::RequestError;
use crate::request_signing::SigningSecret;
use domain::access::{
    AccessKey, AccessScope, AccountKey, AccountUserId, AccountUserStatus, IpNetwork, NewAccessKey,
    RequestSigning, TermsBreach, UserRole,
};
use domain::account_change::ChangeAction;
use domain::credential::KeyId;
use domain::idempotency::IdempotencyKey;
use domain::time::Timestamp;
use ports::PortError;
use ports::access_keys::{AccessKeyCreation, AccessKeyRevocation, SealedAccessKey};

/// How many keys are drawn: that even two begin like another one of the account does not happen.
pub(super) const DRAWS_MAX: usize = 8;

/// A key that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessKeyCreated {
    /// By this request.
    Now {
        /// The key.
        key: AccessKey,
        /// Its secret, which is known from now on to the merchant alone.
        secret: String,
        /// What its requests are signed with, where they are.
        signing_secret: Option<SigningSecret>,
    },
    /// By an earlier request with the same idempotency key, which was answered its secret.
    Before(AccessKey),
}

/// What is wrong with the key that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyRefusal {
    /// It would have these scopes, which the key of the request has not.
    Scopes(Vec<AccessScope>),
    /// It would be used from addresses that the key of the request may not be used from.
    Networks,
    /// It would last longer than the key of the request, which expires then.
    Expiry(Option<Timestamp>),
    /// It would open the account to requests without a signature, and the key of the request does
    /// not.
    Unsigned,
    /// It would have expired already.
    Expired,
    /// It would have these scopes, which the role of its user does not have.
    Role(UserRole, Vec<AccessScope>),
    /// It takes the place of a key of another user, or of none.
    OtherUser,
    /// The account has no such user.
    UserUnknown,
    /// The user is not active.
    UserInactive(AccountUserStatus),
}

/// Why a request about keys is refused.
#[derive(Debug, thiserror::Error)]
pub enum AccessKeyError {
    /// What is asked for is not allowed; everything that is wrong with it.
    #[error("the key may not be made")]
    Refused(Vec<KeyRefusal>),
    /// The key of the request would end with the answer, which may be lost.
    #[error("the key of the request is replaced without an overlap")]
    NoOverlap,
    /// Two keys of the name work already.
    #[error("two keys of the name work already")]
    NameTaken,
    /// As many names have keys as may.
    #[error("too many names have keys")]
    TooManyNames,
    /// Too many keys were made within a day.
    #[error("too many keys were made within a day")]
    TooManyToday,
    /// Another key takes its place already.
    #[error("another key takes its place already")]
    Replaced,
    /// The allowlist of the key is not as a gateway wrote it.
    #[error("the allowlist of the key is not as it was set")]
    AllowlistUnreadable,
    /// The account made no such key.
    #[error("no such key")]
    Unknown,
    /// The key is one of the operator's.
    #[error("the operator made the key")]
    OfOperator,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for AccessKeyError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

impl Gateway {
    /// The keys that open the merchant's account, as they are now: those of the operator, then
    /// those that the merchant made, oldest first.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn keys(&self, merchant: &Merchant) -> Result<Vec<AccountKey>, RequestError> {
        let id = &merchant.account.id;
        let Some(known) = self.parts().accounts.credentials(id).await? else {
            return Ok(vec![]);
        };
        let made = super::verified(&self.parts().pepper, id, known.access);
        let operators = known.keys.into_iter().map(AccountKey::Operator);
        let made = made
            .into_iter()
            .map(|live| AccountKey::Merchant(live.sealed.key));
        Ok(operators.chain(made).collect())
    }

    /// Makes a key of a merchant; where the merchant's idempotency key made one before, that one is
    /// answered, without its secret.
    ///
    /// # Errors
    /// Refuses a key that would allow more than that of the request or than the role of its user, a
    /// third key of a name, one too many, and an idempotency key that was used for another.
    pub async fn create_access_key(
        &self,
        merchant: &Merchant,
        wanted: NewAccessKey,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<AccessKeyCreated, AccessKeyError> {
        // What a user's key makes belongs to the user, so that it ends with the user.
        let wanted = NewAccessKey {
            user: wanted.user.or(merchant.grant.user),
            ..wanted
        };
        for _ in 0..DRAWS_MAX {
            let id = self.drawn_id("access-key", merchant, retry_key)?;
            if retry_key.is_some()
                && let Some(earlier) = self.earlier_key(merchant, id, &wanted).await?
            {
                return Ok(AccessKeyCreated::Before(earlier));
            }
            self.refuse_key(merchant, &wanted).await?;
            let secret = mint_key(merchant.account.environment, self.parts().ids.secret()?);
            let sealed = self.sealed_key(merchant, (id, &secret), &wanted);
            let noted = self.noted(merchant, made_note(&sealed.key));
            let made = self.parts().access_keys.make_access_key(&sealed, &noted);
            match made.await? {
                AccessKeyCreation::Done => {
                    self.remembered().forget(&merchant.account.id);
                    let key = sealed.key;
                    let signing_secret = self.signing_secret(&key);
                    return Ok(AccessKeyCreated::Now {
                        key,
                        secret,
                        signing_secret,
                    });
                }
                // Another is drawn; under an idempotency key the first request is looked for.
                AccessKeyCreation::IdTaken | AccessKeyCreation::HintTaken => {}
                AccessKeyCreation::NameTaken => return Err(AccessKeyError::NameTaken),
                AccessKeyCreation::TooManyNames => return Err(AccessKeyError::TooManyNames),
                AccessKeyCreation::TooManyToday => return Err(AccessKeyError::TooManyToday),
                AccessKeyCreation::AccountUnknown
                | AccessKeyCreation::ReplacedGone
                | AccessKeyCreation::AllowlistChanged => {
                    let what = "an account that was let in has no place for a key";
                    return Err(PortError::new("access keys", what).into());
                }
            }
        }
        Err(PortError::new("access keys", "every key that was drawn is in use").into())
    }

    /// Revokes a key that the merchant made: since when it is revoked, and whether an earlier
    /// request had done it.
    ///
    /// # Errors
    /// Refuses a key that is none of the merchant's, or one of the operator's.
    pub async fn revoke_access_key(
        &self,
        merchant: &Merchant,
        id: KeyId,
    ) -> Result<(Timestamp, ReplayMark), AccessKeyError> {
        let account = &merchant.account.id;
        let now = self.now();
        let keys = &self.parts().access_keys;
        let noted = self.noted(merchant, ChangeNote::of_key(ChangeAction::KeyRevoked, id));
        match keys.revoke_access_key(account, (id, now), &noted).await? {
            AccessKeyRevocation::Done => {
                self.remembered().forget(account);
                Ok((now, ReplayMark::New))
            }
            AccessKeyRevocation::Before(at) => Ok((at, ReplayMark::Replayed)),
            AccessKeyRevocation::Unknown => {
                let known = self.parts().accounts.credentials(account).await?;
                let mut keys = known.iter().flat_map(|known| &known.keys);
                let is_operators = keys.any(|key| key.id == id);
                if is_operators {
                    return Err(AccessKeyError::OfOperator);
                }
                Err(AccessKeyError::Unknown)
            }
        }
    }

    /// The key that an earlier request made under the number, where it is what is wanted now.
    async fn earlier_key(
        &self,
        merchant: &Merchant,
        id: KeyId,
        wanted: &NewAccessKey,
    ) -> Result<Option<AccessKey>, AccessKeyError> {
        let account = &merchant.account.id;
        let Some(earlier) = self.parts().access_keys.access_key(account, id).await? else {
            return Ok(None);
        };
        let known = self.parts().accounts.credentials(account).await?;
        let mut live = known.iter().flat_map(|known| &known.access);
        let is_live = live.any(|live| live.sealed.key.id == id);
        let AccessKey {
            name, terms, user, ..
        } = &earlier.key;
        let is_same = (name, terms, user) == (&wanted.name, &wanted.terms, &wanted.user);
        // What was revoked since is not made again, and an altered row is not shown.
        if is_live && is_same && is_key_sealed(&self.parts().pepper, &earlier) {
            return Ok(Some(earlier.key));
        }
        Err(RequestError::KeyReused.into())
    }

    /// The number of a key to be made: one that follows from the idempotency key, or any.
    pub(super) fn drawn_id(
        &self,
        purpose: &str,
        merchant: &Merchant,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<KeyId, AccessKeyError> {
        let Some(retried) = retry_key else {
            return Ok(fresh_id(self.parts().ids.secret()?));
        };
        let number = self.retried_number(purpose, merchant, retried)?;
        Ok(KeyId(i64::try_from(number.get()).unwrap_or(i64::MAX)))
    }

    pub(super) fn sealed_key(
        &self,
        merchant: &Merchant,
        (id, secret): (KeyId, &str),
        wanted: &NewAccessKey,
    ) -> SealedAccessKey {
        let (pepper, account) = (&self.parts().pepper, &merchant.account.id);
        let key = AccessKey {
            account: account.clone(),
            id,
            name: wanted.name.clone(),
            hint: key_hint(secret),
            hash: hash_access_key(pepper, account, id, secret),
            terms: wanted.terms.clone(),
            user: wanted.user,
            created_at: self.now(),
            made_by: merchant.grant.key,
        };
        let seal = seal_key(pepper, &key);
        SealedAccessKey { key, seal }
    }

    /// Refuses a key that may not be made, with everything that is wrong.
    pub(super) async fn refuse_key(
        &self,
        merchant: &Merchant,
        wanted: &NewAccessKey,
    ) -> Result<(), AccessKeyError> {
        let own = &merchant.grant.terms;
        let breaches = wanted.terms.breaches(own).into_iter();
        let mut refusals: Vec<_> = breaches
            .map(|breach| match breach {
                TermsBreach::Scopes => {
                    KeyRefusal::Scopes(wanted.terms.scopes.beyond(own.scopes).collect())
                }
                TermsBreach::Networks => KeyRefusal::Networks,
                TermsBreach::Expiry => KeyRefusal::Expiry(own.expires_at),
                TermsBreach::Signing => KeyRefusal::Unsigned,
            })
            .collect();
        if wanted.terms.are_over(self.now()) {
            refusals.push(KeyRefusal::Expired);
        }
        if let Some(user) = wanted.user {
            refusals.extend(self.refuse_user(merchant, (user, wanted)).await?);
        }
        if refusals.is_empty() {
            return Ok(());
        }
        Err(AccessKeyError::Refused(refusals))
    }

    async fn refuse_user(
        &self,
        merchant: &Merchant,
        (user, wanted): (AccountUserId, &NewAccessKey),
    ) -> Result<Option<KeyRefusal>, PortError> {
        let Some(state) = self.known_user(merchant, user).await? else {
            return Ok(Some(KeyRefusal::UserUnknown));
        };
        let status = state.status();
        if status != AccountUserStatus::Active {
            return Ok(Some(KeyRefusal::UserInactive(status)));
        }
        let role = state.user.role;
        let beyond: Vec<_> = wanted.terms.scopes.beyond(role.scopes()).collect();
        Ok((!beyond.is_empty()).then_some(KeyRefusal::Role(role, beyond)))
    }
}

/// The record of a key that is made.
fn made_note(key: &AccessKey) -> ChangeNote {
    ChangeNote::of_key(ChangeAction::KeyMade, key.id).to(described_key(key))
}

/// What a key allows, in words.
pub(super) fn described_key(key: &AccessKey) -> Described {
    let networks = key.terms.networks.networks().iter();
    let networks: Vec<_> = networks.map(IpNetwork::to_string).collect();
    Described::of("name", key.name.as_str())
        .with("scopes", key.terms.scopes)
        .maybe(
            "networks",
            (!networks.is_empty()).then(|| networks.join(", ")),
        )
        .maybe("expires", key.terms.expires_at.map(iso))
        .maybe(
            "requests",
            (key.terms.signing == RequestSigning::Required).then_some("signed"),
        )
        .maybe("user", key.user.map(AccountUserId::get))
}

/// A moment as RFC 3339 has it, in UTC.
pub(super) fn iso(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.as_millis());
    moment.map_or_else(|_| at.as_millis().to_string(), |moment| moment.to_string())
}

/// The number of a key out of random bytes.
fn fresh_id(random: [u8; 32]) -> KeyId {
    let eight = random.first_chunk().copied().unwrap_or_default();
    KeyId(i64::from_be_bytes(eight))
}
