//! Seals of rows about keys and users: keyed hashes under the pepper, over everything that a row
//! says. A row without its seal must never be used: a role of the database may have written it.

use crate::pepper::Pepper;
use crate::prefixed_parts::PrefixedParts;
use domain::access::{
    AccessKey, AccountUser, AccountUserId, AllowedNetworks, RequestSigning, UserStep,
};
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::access_keys::{LiveAccessKey, RowSeal, SealedAccessKey};
use ports::account_users::SealedUser;
use subtle::ConstantTimeEq;

/// The purposes of the keys that seals are made with: no row of one kind passes for another.
const KEY: &str = "manilla access-key seal v1";
const USER: &str = "manilla account-user seal v1";
const STEP: &str = "manilla account-user-step seal v1";

/// What a seal is made over, in parts.
#[derive(Debug, Default)]
pub(crate) struct SealMessage(PrefixedParts);

impl SealMessage {
    pub(crate) fn with(self, part: &[u8]) -> Self {
        Self(self.0.with(part))
    }

    pub(crate) fn number(self, number: i64) -> Self {
        self.with(&number.to_be_bytes())
    }

    /// What may be absent; absent is not the same as any value.
    pub(crate) fn optional(self, number: Option<i64>) -> Self {
        match number {
            Some(number) => self.number(number),
            None => self.with(&[]),
        }
    }

    pub(super) fn user(self, id: AccountUserId) -> Self {
        self.with(&id.get().to_be_bytes())
    }

    pub(crate) fn authenticated(self, pepper: &Pepper, purpose: &str) -> [u8; 32] {
        pepper.for_purpose(purpose).authenticate(self.0.as_bytes())
    }
}

/// The seal of a key.
pub fn seal_key(pepper: &Pepper, key: &AccessKey) -> RowSeal {
    let user = key
        .user
        .map(|id| i64::try_from(id.get()).unwrap_or(i64::MAX));
    let mut message = SealMessage::default()
        .with(key.account.as_str().as_bytes())
        .number(key.id.0)
        .with(key.name.as_str().as_bytes())
        .with(key.hint.as_bytes())
        .with(&key.hash.0)
        .with(key.terms.scopes.to_string().as_bytes())
        .optional(key.terms.expires_at.map(Timestamp::as_millis))
        .optional(user)
        .number(key.created_at.as_millis())
        .number(key.made_by.0);
    // The rows of keys that sign nothing are sealed as they were before there were others.
    message = match key.terms.signing {
        RequestSigning::Unsigned => message,
        RequestSigning::Required => message.with(b"signed"),
    };
    message = match &key.terms.networks {
        AllowedNetworks::Everywhere => message.with(b"everywhere"),
        AllowedNetworks::Only(networks) => {
            let begun = message.with(b"only");
            networks.iter().fold(begun, |message, network| {
                message.with(network.to_string().as_bytes())
            })
        }
    };
    RowSeal(message.authenticated(pepper, KEY))
}

/// The seal of a user.
pub fn seal_user(pepper: &Pepper, user: &AccountUser) -> RowSeal {
    let message = SealMessage::default()
        .with(user.account.as_str().as_bytes())
        .user(user.id)
        .with(user.email.as_str().as_bytes())
        .with(user.name.as_str().as_bytes())
        .with(user.role.code().as_bytes())
        .with(&user.code.0)
        .number(user.created_at.as_millis())
        .number(user.made_by.0);
    RowSeal(message.authenticated(pepper, USER))
}

/// The seal of a step of a user.
pub fn seal_step(
    pepper: &Pepper,
    (account, user): (&AccountId, AccountUserId),
    step: &UserStep,
) -> RowSeal {
    let message = SealMessage::default()
        .with(account.as_str().as_bytes())
        .user(user)
        .number(step.number.into())
        .with(step.kind.code().as_bytes())
        .number(step.at.as_millis());
    RowSeal(message.authenticated(pepper, STEP))
}

/// Whether any generation of the pepper made the seal of a row, out of what the row says.
pub(crate) fn is_sealed(pepper: &Pepper, seal: RowSeal, made: impl Fn(&Pepper) -> RowSeal) -> bool {
    pepper.has_made(|it| made(it).0.ct_eq(&seal.0).into())
}

/// Whether the row of a key is as a gateway wrote it.
pub(super) fn is_key_sealed(pepper: &Pepper, sealed: &SealedAccessKey) -> bool {
    is_sealed(pepper, sealed.seal, |it| seal_key(it, &sealed.key))
}

/// Whether the rows of a user are as gateways wrote them, without a gap among the steps.
pub(super) fn is_user_sealed(pepper: &Pepper, sealed: &SealedUser) -> bool {
    let user = &sealed.user;
    let of_user = (&user.account, user.id);
    let numbered = (1..).zip(&sealed.steps);
    is_sealed(pepper, sealed.seal, |it| seal_user(it, user))
        && numbered.into_iter().all(|(number, step)| {
            step.step.number == number
                && is_sealed(pepper, step.seal, |it| seal_step(it, of_user, &step.step))
        })
}

/// The keys of an account without those that were altered, or moved from another account; a user
/// that was altered is left out, and the keys that name it open nothing. One whose place another
/// takes expires when it ends.
pub(crate) fn verified(
    pepper: &Pepper,
    account: &AccountId,
    keys: Vec<LiveAccessKey>,
) -> Vec<LiveAccessKey> {
    let is_own = |live: &LiveAccessKey| {
        let is_sound = live.sealed.key.account == *account && is_key_sealed(pepper, &live.sealed);
        if !is_sound {
            let (account, key) = (account.as_str(), live.sealed.key.id);
            tracing::error!(account, %key, "a key was altered and is not used; run the audit");
        }
        is_sound
    };
    let checked = keys.into_iter().filter(is_own).map(|live| LiveAccessKey {
        user: live.user.filter(|user| {
            let is_sound = user.user.account == *account && is_user_sealed(pepper, user);
            if !is_sound {
                let (account, user) = (account.as_str(), user.user.id);
                tracing::error!(account, %user, "a user was altered; its keys open nothing");
            }
            is_sound
        }),
        ..live
    });
    checked.map(until_replaced).collect()
}

/// The key with its end, once its seal was checked: that is made over what it was made with.
fn until_replaced(mut live: LiveAccessKey) -> LiveAccessKey {
    let terms = &mut live.sealed.key.terms;
    let ends = terms.expires_at.into_iter().chain(live.ends_at);
    terms.expires_at = ends.min();
    live
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::access::{AccessScope, IpNetwork, ScopeSet, UserRole, UserStepKind};
    use domain::credential::{KeyHash, KeyId};
    use testkit::builders::{access_key, account_id, account_user, account_user_id, at, user_step};

    const PEPPER: Pepper = Pepper::new([9; 32]);

    fn sealed() -> SealedAccessKey {
        let mut sealed = access_key("shop", 7, "Till 1");
        sealed.seal = seal_key(&PEPPER, &sealed.key);
        sealed
    }

    fn live(sealed: SealedAccessKey) -> Vec<LiveAccessKey> {
        let live = LiveAccessKey {
            sealed,
            user: None,
            ends_at: None,
        };
        verified(&PEPPER, &account_id("shop"), vec![live])
    }

    #[test]
    fn a_key_is_used_as_it_was_made_and_in_no_other_way() {
        assert_eq!(live(sealed()).len(), 1);
        let changes: [fn(&mut AccessKey); 13] = [
            |key| key.account = account_id("other"),
            |key| key.id = KeyId(8),
            |key| key.name = access_key("shop", 1, "Till 2").key.name,
            |key| key.hint.push('x'),
            |key| key.hash = KeyHash([9; 32]),
            |key| key.terms.scopes = ScopeSet::EVERYTHING,
            |key| key.terms.scopes = ScopeSet::of([AccessScope::Read]),
            |key| key.terms.networks = AllowedNetworks::Everywhere,
            |key| key.terms.networks = AllowedNetworks::only([IpNetwork::parse("::/0").unwrap()]),
            |key| key.terms.expires_at = Some(at(9_999)),
            |key| key.user = Some(account_user_id(7)),
            |key| key.made_by = KeyId(2),
            |key| key.terms.signing = RequestSigning::Required,
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            let mut altered = sealed();
            change(&mut altered.key);
            assert_eq!(live(altered), [], "change {nth}");
        }
        let mut unsigned = sealed();
        unsigned.key.terms.signing = RequestSigning::Required;
        unsigned.seal = seal_key(&PEPPER, &unsigned.key);
        assert_eq!(live(unsigned.clone()).len(), 1);
        unsigned.key.terms.signing = RequestSigning::Unsigned;
        assert_eq!(live(unsigned), [], "signing was switched off");
        let other = Pepper::new([8; 32]);
        let mut foreign = sealed();
        foreign.seal = seal_key(&other, &foreign.key);
        assert_eq!(live(foreign), []);
        // A whole row that was copied to another account.
        let moved = LiveAccessKey {
            sealed: sealed(),
            user: None,
            ends_at: None,
        };
        assert_eq!(verified(&PEPPER, &account_id("other"), vec![moved]), []);
    }

    fn user(kinds: &[UserStepKind]) -> SealedUser {
        let mut sealed = account_user("shop", 7);
        sealed.seal = seal_user(&PEPPER, &sealed.user);
        for (number, kind) in (1..).zip(kinds) {
            let mut step = user_step(number, *kind);
            let of_user = (&sealed.user.account, sealed.user.id);
            step.seal = seal_step(&PEPPER, of_user, &step.step);
            sealed.steps.push(step);
        }
        sealed
    }

    #[test]
    fn a_user_is_what_sealed_rows_say_and_nothing_else() {
        let whole = user(&[UserStepKind::WrongCode, UserStepKind::Activated]);
        assert!(is_user_sealed(&PEPPER, &whole));
        let changes: [fn(&mut SealedUser); 8] = [
            |it| it.user.role = UserRole::Owner,
            |it| it.user.account = account_id("other"),
            |it| it.user.id = account_user_id(8),
            |it| it.user.code = KeyHash([1; 32]),
            |it| it.user.created_at = at(1),
            // A gap, a step of another kind, one that was never sealed.
            |it| it.steps.remove(0).seal.0[0] = 0,
            |it| it.steps[0].step.kind = UserStepKind::Activated,
            |it| it.steps.push(user_step(3, UserStepKind::Activated)),
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            let mut altered = whole.clone();
            change(&mut altered);
            assert!(!is_user_sealed(&PEPPER, &altered), "change {nth}");
        }
        let mut key = sealed();
        key.key.user = Some(account_user_id(7));
        key.seal = seal_key(&PEPPER, &key.key);
        let mut forged = user(&[]);
        forged.steps.push(user_step(1, UserStepKind::Activated));
        let with = |user| LiveAccessKey {
            sealed: key.clone(),
            user: Some(user),
            ends_at: None,
        };
        let checked = verified(
            &PEPPER,
            &account_id("shop"),
            vec![with(forged), with(whole.clone())],
        );
        assert_eq!(checked[0].user, None);
        assert_eq!(checked[1].user, Some(whole));
    }

    /// Known from Python's hmac, apart from this code: rows that are stored must be recognised by
    /// every later version.
    #[test]
    fn the_seal_of_a_row_does_not_change() {
        let seals = [
            seal_key(&PEPPER, &access_key("shop", 7, "Till 1").key),
            seal_user(&PEPPER, &account_user("shop", 7).user),
            seal_step(
                &PEPPER,
                (&account_id("shop"), account_user_id(7)),
                &user_step(1, UserStepKind::Activated).step,
            ),
        ];
        let begins = seals.map(|seal| u64::from_be_bytes(seal.0[..8].try_into().unwrap()));
        assert_eq!(
            begins.map(|it| format!("{it:016x}")),
            ["df01e2d2a213837b", "ff6112e739a116e2", "b576d4b06ae58d09"]
        );
    }
}
