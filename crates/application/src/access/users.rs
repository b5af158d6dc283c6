//! Users of an account. An activation code must be answered once and stored as a keyed hash, and
//! how often it is tried must be stored before a try is answered.

use super::seal::{SealMessage, is_user_sealed, seal_step, seal_user};
use crate::account_changes::{ChangeNote, Described};
use crate::gateway::{Gateway, Merchant};
use crate::payment::ReplayMark;
use crate::pepper::Pepper;
use crate::request_error::RequestError;
use domain::access::{
    AccessScope, AccountUser, AccountUserId, AccountUserState, AccountUserStatus, NewAccountUser,
    UserRole, UserStep, UserStepKind,
};
use domain::account::AccountId;
use domain::account_change::ChangeAction;
use domain::credential::KeyHash;
use domain::idempotency::IdempotencyKey;
use ports::PortError;
use ports::account_users::{SealedStep, SealedUser, StepOutcome, UserCreation, UserPage};
use ports::batches::PageOf;
use subtle::ConstantTimeEq;

/// How many numbers are drawn for a user: that even two are in use does not happen.
const DRAWS_MAX: usize = 8;

/// How often a step is tried again that another one was faster than: a user has few.
const RACES_MAX: usize = 16;

const PURPOSE: &str = "manilla account-user code v1";

/// Digits of codes: none that is taken for another when it is read aloud.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Characters of a code, of 5 bits each.
const CODE_LENGTH: usize = 10;

/// A user that was invited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserInvited {
    /// By this request.
    Now {
        /// The user.
        user: AccountUserState,
        /// The activation code, which is known from now on to the merchant alone.
        code: String,
    },
    /// By an earlier request with the same idempotency key, which was answered its code.
    Before(AccountUserState),
}

/// Why a request about users is refused.
#[derive(Debug, thiserror::Error)]
pub enum AccountUserError {
    /// The account has no such user.
    #[error("no such user")]
    Unknown,
    /// The role has scopes that the key of the request has not.
    #[error("the role allows more than the key of the request")]
    RoleTooWide(UserRole, Vec<AccessScope>),
    /// Another user has the e-mail address.
    #[error("another user has the e-mail address")]
    EmailTaken,
    /// The account has as many users as it may have.
    #[error("too many users")]
    TooMany,
    /// Too many users were invited within a day.
    #[error("too many users were invited within a day")]
    TooManyToday,
    /// The code is not that of the user; so many more may be tried.
    #[error("the activation code is wrong")]
    WrongCode(u32),
    /// As many wrong codes were tried as may be.
    #[error("too many activation codes were tried")]
    NoAttemptsLeft,
    /// The code does not count any more.
    #[error("the activation code has expired")]
    CodeExpired,
    /// The user is disabled, for good.
    #[error("the user is disabled")]
    Disabled,
    /// For a reason that requests of other kinds are refused for.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl From<PortError> for AccountUserError {
    fn from(failed: PortError) -> Self {
        Self::Request(failed.into())
    }
}

/// The stored form of an activation code: of one user of one account. Small letters and dashes
/// count as they are read aloud.
fn hash_code(pepper: &Pepper, (account, user): (&AccountId, AccountUserId), code: &str) -> KeyHash {
    let plain = code.chars().filter(|c| !matches!(c, '-' | ' '));
    let plain: String = plain.map(|c| c.to_ascii_uppercase()).collect();
    let message = SealMessage::default()
        .with(account.as_str().as_bytes())
        .user(user)
        .with(plain.as_bytes());
    KeyHash(message.authenticated(pepper, PURPOSE))
}

/// An activation code out of random bytes, in two halves.
fn mint_code(random: [u8; 32]) -> String {
    let digit = |byte: &u8| {
        DIGITS
            .get(usize::from(byte % 32))
            .map_or('0', |it| char::from(*it))
    };
    let mut code: String = random.iter().take(CODE_LENGTH).map(digit).collect();
    code.insert(CODE_LENGTH / 2, '-');
    code
}

impl Gateway {
    /// Invites a user; where the merchant's idempotency key invited one before, that one is
    /// answered, without its code.
    ///
    /// # Errors
    /// Refuses a role that allows more than the key of the request, an address that another user
    /// has, one user too many, and an idempotency key that was used for another.
    pub async fn invite_user(
        &self,
        merchant: &Merchant,
        wanted: NewAccountUser,
        retry_key: Option<&IdempotencyKey>,
    ) -> Result<UserInvited, AccountUserError> {
        let role = wanted.role;
        let beyond: Vec<_> = role.scopes().beyond(merchant.grant.terms.scopes).collect();
        if !beyond.is_empty() {
            return Err(AccountUserError::RoleTooWide(role, beyond));
        }
        for _ in 0..DRAWS_MAX {
            let number = match retry_key {
                Some(key) => self.retried_number("account-user", merchant, key)?,
                None => self.parts().ids.transaction_number(),
            };
            let id = AccountUserId::new(number);
            if retry_key.is_some()
                && let Some(earlier) = self.known_user(merchant, id).await?
            {
                let AccountUser {
                    email, name, role, ..
                } = &earlier.user;
                let is_same = (email, name, role) == (&wanted.email, &wanted.name, &wanted.role);
                let reused = || RequestError::KeyReused.into();
                return is_same
                    .then_some(UserInvited::Before(earlier))
                    .ok_or_else(reused);
            }
            let code = mint_code(self.parts().ids.secret()?);
            let sealed = self.sealed_user(merchant, (id, &code), &wanted);
            let noted = self.noted(merchant, invitation_note(&sealed.user));
            match self.parts().users.invite_user(&sealed, &noted).await? {
                UserCreation::Done => {
                    let user = state(sealed);
                    return Ok(UserInvited::Now { user, code });
                }
                UserCreation::IdTaken => {}
                UserCreation::EmailTaken => return Err(AccountUserError::EmailTaken),
                UserCreation::TooMany => return Err(AccountUserError::TooMany),
                UserCreation::TooManyToday => return Err(AccountUserError::TooManyToday),
                UserCreation::AccountUnknown => {
                    let what = "an account that was let in has no place for a user";
                    return Err(PortError::new("users", what).into());
                }
            }
        }
        Err(PortError::new("users", "every number that was drawn is in use").into())
    }

    /// Activates a user who gives the code of the invitation.
    ///
    /// # Errors
    /// Refuses an unknown and a disabled user, a wrong code, one that does not count any more, and
    /// every code once too many were wrong.
    pub async fn activate_user(
        &self,
        merchant: &Merchant,
        (id, code): (AccountUserId, &str),
    ) -> Result<(AccountUserState, ReplayMark), AccountUserError> {
        let of_user = (&merchant.account.id, id);
        let pepper = &self.parts().pepper;
        for _ in 0..RACES_MAX {
            let user = self.user(merchant, id).await?;
            if user.status() == AccountUserStatus::Disabled {
                return Err(AccountUserError::Disabled);
            }
            if user.attempts_left() == 0 {
                return Err(AccountUserError::NoAttemptsLeft);
            }
            let stored = &user.user.code.0;
            let is_right =
                pepper.has_made(|it| hash_code(it, of_user, code).0.ct_eq(stored).into());
            let is_active = user.status() == AccountUserStatus::Active;
            let kind = match (is_right, is_active) {
                (true, true) => return Ok((user, ReplayMark::Replayed)),
                (true, false) if user.code_expires_at() <= self.now() => {
                    return Err(AccountUserError::CodeExpired);
                }
                (true, false) => UserStepKind::Activated,
                (false, _) => UserStepKind::WrongCode,
            };
            let left = user.attempts_left().saturating_sub(1);
            let Some(user) = self.add_step(merchant, user, kind).await? else {
                continue;
            };
            return if is_right {
                Ok((user, ReplayMark::New))
            } else {
                Err(AccountUserError::WrongCode(left))
            };
        }
        Err(PortError::new("users", "too many requests about one user at once").into())
    }

    /// Disables a user, for good: the user's keys stop working.
    ///
    /// # Errors
    /// Refuses an unknown user.
    pub async fn disable_user(
        &self,
        merchant: &Merchant,
        id: AccountUserId,
    ) -> Result<(AccountUserState, ReplayMark), AccountUserError> {
        for _ in 0..RACES_MAX {
            let user = self.user(merchant, id).await?;
            if user.status() == AccountUserStatus::Disabled {
                return Ok((user, ReplayMark::Replayed));
            }
            if let Some(user) = self
                .add_step(merchant, user, UserStepKind::Disabled)
                .await?
            {
                return Ok((user, ReplayMark::New));
            }
        }
        Err(PortError::new("users", "too many requests about one user at once").into())
    }

    /// One of the merchant's users.
    ///
    /// # Errors
    /// Refuses a number that is none of the merchant's.
    pub async fn user(
        &self,
        merchant: &Merchant,
        id: AccountUserId,
    ) -> Result<AccountUserState, AccountUserError> {
        let known = self.known_user(merchant, id).await?;
        known.ok_or(AccountUserError::Unknown)
    }

    /// A part of the merchant's users, and how many there are.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn users(
        &self,
        merchant: &Merchant,
        page: PageOf,
    ) -> Result<(Vec<AccountUserState>, u64), AccountUserError> {
        let found = self.parts().users.account_users(&merchant.account.id, page);
        let UserPage { users, total } = found.await?;
        let sound = users
            .into_iter()
            .filter_map(|user| self.sound(merchant, user));
        Ok((sound.collect(), total))
    }

    /// The user of a number, unless the rows were altered.
    pub(super) async fn known_user(
        &self,
        merchant: &Merchant,
        id: AccountUserId,
    ) -> Result<Option<AccountUserState>, PortError> {
        let users = &self.parts().users;
        let found = users.account_user(&merchant.account.id, id).await?;
        Ok(found.and_then(|found| self.sound(merchant, found)))
    }

    fn sound(&self, merchant: &Merchant, found: SealedUser) -> Option<AccountUserState> {
        let is_sound = found.user.account == merchant.account.id
            && is_user_sealed(&self.parts().pepper, &found);
        if !is_sound {
            let user = found.user.id;
            tracing::error!(%user, "a user was altered and is not shown; run the audit");
        }
        is_sound.then(|| state(found))
    }

    fn sealed_user(
        &self,
        merchant: &Merchant,
        (id, code): (AccountUserId, &str),
        wanted: &NewAccountUser,
    ) -> SealedUser {
        let (pepper, account) = (&self.parts().pepper, &merchant.account.id);
        let user = AccountUser {
            account: account.clone(),
            id,
            email: wanted.email.clone(),
            name: wanted.name.clone(),
            role: wanted.role,
            code: hash_code(pepper, (account, id), code),
            created_at: self.now(),
            made_by: merchant.grant.key,
        };
        let seal = seal_user(pepper, &user);
        SealedUser {
            user,
            seal,
            steps: vec![],
        }
    }

    /// The user after one more step; `None` where another one was faster.
    async fn add_step(
        &self,
        merchant: &Merchant,
        mut user: AccountUserState,
        kind: UserStepKind,
    ) -> Result<Option<AccountUserState>, AccountUserError> {
        let step = UserStep {
            number: user.next_step(),
            kind,
            at: self.now(),
        };
        let (account, id) = (user.user.account.clone(), user.user.id);
        let seal = seal_step(&self.parts().pepper, (&account, id), &step);
        let sealed = SealedStep { step, seal };
        let noted = self.noted(merchant, step_note(&user, kind));
        let users = &self.parts().users;
        match users.add_user_step((&account, id), &sealed, &noted).await? {
            StepOutcome::Done => {
                self.remembered().forget(&account);
                user.steps.push(step);
                Ok(Some(user))
            }
            StepOutcome::NumberTaken => Ok(None),
            StepOutcome::Unknown => Err(AccountUserError::Unknown),
        }
    }
}

/// The record of a person who is invited.
fn invitation_note(user: &AccountUser) -> ChangeNote {
    let target = format!("user {}", user.id);
    ChangeNote::new(ChangeAction::UserInvited, target).to(Described::of("role", user.role.code()))
}

/// The record of a step of a user.
fn step_note(user: &AccountUserState, kind: UserStepKind) -> ChangeNote {
    let (action, status) = match kind {
        UserStepKind::Activated => (ChangeAction::UserActivated, AccountUserStatus::Active),
        UserStepKind::WrongCode => (ChangeAction::UserCodeRefused, user.status()),
        UserStepKind::Disabled => (ChangeAction::UserDisabled, AccountUserStatus::Disabled),
    };
    ChangeNote::new(action, format!("user {}", user.user.id))
        .from(Some(Described::of("status", user.status().code())))
        .to(Described::of("status", status.code()))
}

fn state(sealed: SealedUser) -> AccountUserState {
    AccountUserState {
        user: sealed.user,
        steps: sealed.steps.into_iter().map(|it| it.step).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{account_id, account_user_id};

    #[test]
    fn a_code_counts_however_it_is_read_aloud_and_for_one_user() {
        let code = mint_code([0x2A; 32]);
        assert_eq!(code, "AAAAA-AAAAA");
        let shop = account_id("shop");
        let pepper = Pepper::new([1; 32]);
        let hash = |id, code: &str| hash_code(&pepper, (&shop, account_user_id(id)), code);
        assert_eq!(hash(7, "aaaaa aaaaa"), hash(7, &code));
        assert_ne!(hash(8, &code), hash(7, &code));
        assert_ne!(hash(7, "AAAAA-AAAAB"), hash(7, &code));
        let other = hash_code(&Pepper::new([2; 32]), (&shop, account_user_id(7)), &code);
        assert_ne!(other, hash(7, &code));
    }
}
