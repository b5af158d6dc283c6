//! Users of an account: people who hold keys, with a role each. A user's state must follow from
//! steps that are only ever added.

use super::key::{InvalidAccessKeyName, one_line};
use super::scope::{AccessScope, ScopeSet};
use crate::account::{AccountId, EmailAddress};
use crate::credential::{KeyHash, KeyId};
use crate::reference::TransactionNumber;
use crate::time::Timestamp;
use std::fmt;
use std::time::Duration;

/// How many users an account has that are not disabled: the people of a merchant.
pub const USERS_MAX: u32 = 100;

/// How many users an account invites within 24 hours. Rows of users are never deleted, so this
/// bounds what an account may store.
pub const USERS_PER_DAY_MAX: u32 = 100;

/// How many activation codes may be tried for a user. A code has 50 random bits: five guesses find
/// one in 10^14 times.
pub const ACTIVATION_ATTEMPTS_MAX: u32 = 5;

/// How long an activation code counts: long enough for a weekend.
pub const ACTIVATION_WITHIN: Duration = Duration::from_hours(72);

/// The number of a user within the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountUserId(TransactionNumber);

impl AccountUserId {
    /// The user of a number.
    pub const fn new(number: TransactionNumber) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for AccountUserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// The name of a user: one line of 1 to 80 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserName(String);

impl UserName {
    /// Most characters.
    pub const LENGTH_MAX: usize = 80;

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

/// What a user does for the merchant. A role is the most that the user's keys may allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UserRole {
    /// Everything.
    Owner,
    /// Keys, users and settings, and no money.
    Admin,
    /// Payments.
    Finance,
    /// Settings, such as webhook endpoints.
    Developer,
    /// Answers to customers: reads, and asks billers and banks.
    Support,
    /// Reads.
    Viewer,
}

impl UserRole {
    /// Every role, in the order they are shown.
    pub const ALL: [Self; 6] = [
        Self::Owner,
        Self::Admin,
        Self::Finance,
        Self::Developer,
        Self::Support,
        Self::Viewer,
    ];

    /// The word of the interface.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Finance => "finance",
            Self::Developer => "developer",
            Self::Support => "support",
            Self::Viewer => "viewer",
        }
    }

    /// The role of a word.
    pub fn from_code(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|role| role.code() == word)
    }

    /// What keys of a user with the role may allow.
    pub fn scopes(self) -> ScopeSet {
        use AccessScope::{Admin, Lookup, Manage, Pay, Read};
        match self {
            Self::Owner => ScopeSet::EVERYTHING,
            Self::Admin => ScopeSet::of([Read, Lookup, Manage, Admin]),
            Self::Finance => ScopeSet::of([Read, Lookup, Pay]),
            Self::Developer => ScopeSet::of([Read, Lookup, Manage]),
            Self::Support => ScopeSet::of([Read, Lookup]),
            Self::Viewer => ScopeSet::of([Read]),
        }
    }
}

/// A user that a merchant invites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccountUser {
    /// Where the person is reached.
    pub email: EmailAddress,
    /// What the person is called.
    pub name: UserName,
    /// What the person does.
    pub role: UserRole,
}

/// A user as invited; what became of the invitation are [`UserStep`]s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountUser {
    /// Whose.
    pub account: AccountId,
    /// Its number.
    pub id: AccountUserId,
    /// Where the person is reached; one user of the account that is not disabled has it.
    pub email: EmailAddress,
    /// What the person is called.
    pub name: UserName,
    /// What the person does.
    pub role: UserRole,
    /// The keyed hash of the activation code.
    pub code: KeyHash,
    /// When the person was invited.
    pub created_at: Timestamp,
    /// The key that invited.
    pub made_by: KeyId,
}

/// What happened to a user since the invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UserStepKind {
    /// A wrong code was tried.
    WrongCode,
    /// The right code was given in time.
    Activated,
    /// The user was disabled, for good.
    Disabled,
}

impl UserStepKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::WrongCode, Self::Activated, Self::Disabled];

    /// The word that is stored.
    pub const fn code(self) -> &'static str {
        match self {
            Self::WrongCode => "wrong-code",
            Self::Activated => "activated",
            Self::Disabled => "disabled",
        }
    }

    /// The kind of a word.
    pub fn from_code(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.code() == word)
    }
}

/// One step of a user. Steps are numbered from 1 without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserStep {
    /// Its place.
    pub number: u32,
    /// What happened.
    pub kind: UserStepKind,
    /// When.
    pub at: Timestamp,
}

/// The state of a user, as the interface shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccountUserStatus {
    /// Not activated yet, or too late for it.
    Invited,
    /// The user's keys work.
    Active,
    /// The user's keys work no longer.
    Disabled,
}

impl AccountUserStatus {
    /// The word of the interface.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Invited => "Invited",
            Self::Active => "Active",
            Self::Disabled => "Disabled",
        }
    }
}

/// A user with the steps since the invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountUserState {
    /// The user.
    pub user: AccountUser,
    /// The steps, in their order.
    pub steps: Vec<UserStep>,
}

impl AccountUserState {
    /// The state that the steps lead to. Whatever comes after, a disabled user stays disabled.
    pub fn status(&self) -> AccountUserStatus {
        if self.has(UserStepKind::Disabled) {
            AccountUserStatus::Disabled
        } else if self.has(UserStepKind::Activated) {
            AccountUserStatus::Active
        } else {
            AccountUserStatus::Invited
        }
    }

    /// When the activation code stops counting.
    pub fn code_expires_at(&self) -> Timestamp {
        self.user.created_at.plus(ACTIVATION_WITHIN)
    }

    /// How many more codes may be tried.
    pub fn attempts_left(&self) -> u32 {
        let wrong = self.steps.iter();
        let wrong = wrong.filter(|step| step.kind == UserStepKind::WrongCode);
        let wrong = u32::try_from(wrong.count()).unwrap_or(u32::MAX);
        ACTIVATION_ATTEMPTS_MAX.saturating_sub(wrong)
    }

    /// The number of the next step.
    pub fn next_step(&self) -> u32 {
        let last = self.steps.iter().map(|step| step.number).max();
        last.unwrap_or(0).saturating_add(1)
    }

    fn has(&self, kind: UserStepKind) -> bool {
        self.steps.iter().any(|step| step.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn state(kinds: &[UserStepKind]) -> AccountUserState {
        let number = TransactionNumber::try_new(7).unwrap();
        let at = Timestamp::from_millis(0);
        let steps = (1..).zip(kinds).map(|(number, kind)| UserStep {
            number,
            kind: *kind,
            at,
        });
        AccountUserState {
            user: AccountUser {
                account: AccountId::parse("shop").unwrap(),
                id: AccountUserId::new(number),
                email: EmailAddress::parse("ada@shop.example").unwrap(),
                name: UserName::parse("Ada").unwrap(),
                role: UserRole::Finance,
                code: KeyHash([1; 32]),
                created_at: at,
                made_by: KeyId(1),
            },
            steps: steps.collect(),
        }
    }

    #[test]
    fn a_role_is_within_the_role_of_an_owner_and_may_read() {
        for role in UserRole::ALL {
            assert_eq!(UserRole::from_code(role.code()), Some(role));
            let scopes = role.scopes();
            assert_eq!(scopes.beyond(UserRole::Owner.scopes()).count(), 0);
            assert!(scopes.has(AccessScope::Read), "{role:?}");
        }
        assert!(!UserRole::Admin.scopes().has(AccessScope::Pay));
        assert_eq!(UserRole::from_code("root"), None);
    }

    #[test]
    fn names_are_one_line() {
        assert_eq!(UserName::parse(" Adé O. ").unwrap().as_str(), "Adé O.");
        assert!(UserName::parse(&"x".repeat(81)).is_err());
    }

    proptest! {
        #[test]
        fn no_step_after_it_brings_a_disabled_user_back(
            kinds in proptest::collection::vec(
                proptest::sample::select(UserStepKind::ALL.to_vec()), 0..9,
            ),
        ) {
            let state = state(&kinds);
            let expected = if kinds.contains(&UserStepKind::Disabled) {
                AccountUserStatus::Disabled
            } else if kinds.contains(&UserStepKind::Activated) {
                AccountUserStatus::Active
            } else {
                AccountUserStatus::Invited
            };
            prop_assert_eq!(state.status(), expected);
            prop_assert_eq!(state.next_step() as usize, kinds.len() + 1);
            let wrong = kinds.iter().filter(|kind| **kind == UserStepKind::WrongCode).count();
            prop_assert_eq!(state.attempts_left() as usize, 5_usize.saturating_sub(wrong));
        }
    }
}
