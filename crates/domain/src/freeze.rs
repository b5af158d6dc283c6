//! Freezes: an account, one of its keys or one of its services that is stopped until it is let go
//! on, by the merchant or by an operator. The versions of one are a history: the latest counts. A
//! freeze must never stop what is under way.

mod frozen;

pub use frozen::{ActiveFreezes, FrozenServices};

use crate::account::AccountId;
use crate::credential::KeyId;
use crate::family::Service;
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;
use std::fmt;

/// How many freezes of an account are lifted within 24 hours. Versions are never deleted, so this
/// bounds what an account may store. Freezing has no bound of its own: it must be possible at any
/// time, and each thing is frozen once before it is lifted.
pub const UNFREEZES_PER_DAY_MAX: u32 = 50;

/// The kinds of what is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FreezeScope {
    /// The account: it pays nothing more.
    Account,
    /// A key: it is refused.
    Key,
    /// A service: nothing more is bought of it.
    Service,
}

impl FreezeScope {
    /// Each.
    pub const ALL: [Self; 3] = [Self::Account, Self::Key, Self::Service];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Key => "key",
            Self::Service => "service",
        }
    }

    /// Reads its word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.code() == code)
    }
}

/// What the words of an operator's targets begin with in records.
const OPERATOR_PREFIX: &str = "operator:";

/// Whose freeze it is. Each has versions of its own: what one of them lifts stays frozen by the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FreezeAuthority {
    /// The merchant, with a key of the account.
    Merchant,
    /// An operator of the gateway.
    Operator,
}

impl FreezeAuthority {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Merchant, Self::Operator];

    /// The word of the interface.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Merchant => "Merchant",
            Self::Operator => "Operator",
        }
    }

    /// The word of one of its targets in records.
    pub fn record_word(self, target: &str) -> String {
        match self {
            Self::Merchant => target.to_owned(),
            Self::Operator => format!("{OPERATOR_PREFIX}{target}"),
        }
    }

    /// Whose a word of a record is, and the word without what says that.
    pub fn of_record(word: &str) -> (Self, &str) {
        let of_operator = word.strip_prefix(OPERATOR_PREFIX);
        of_operator.map_or((Self::Merchant, word), |rest| (Self::Operator, rest))
    }
}

/// Who set a version of a freeze.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FreezeMaker {
    /// A key of the account.
    Key(KeyId),
    /// An operator; the log of operators says which.
    Operator,
}

impl FreezeMaker {
    /// Whose freeze it is.
    pub const fn authority(self) -> FreezeAuthority {
        match self {
            Self::Key(_) => FreezeAuthority::Merchant,
            Self::Operator => FreezeAuthority::Operator,
        }
    }

    /// The key, where one set it.
    pub const fn key(self) -> Option<KeyId> {
        match self {
            Self::Key(key) => Some(key),
            Self::Operator => None,
        }
    }
}

/// What is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FreezeTarget {
    /// The account.
    Account,
    /// One of its keys.
    Key(KeyId),
    /// One of its services.
    Service(Service),
}

impl FreezeTarget {
    /// Every target of an account but its keys.
    pub fn without_keys() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Account).chain(Service::all().map(Self::Service))
    }

    /// Its kind.
    pub const fn scope(self) -> FreezeScope {
        match self {
            Self::Account => FreezeScope::Account,
            Self::Key(_) => FreezeScope::Key,
            Self::Service(_) => FreezeScope::Service,
        }
    }
}

impl fmt::Display for FreezeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account => f.write_str("account"),
            Self::Key(key) => write!(f, "key {key}"),
            Self::Service(service) => write!(f, "service {}", service.code()),
        }
    }
}

/// Whether something is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FreezeState {
    /// It is stopped.
    Frozen,
    /// It goes on.
    Active,
}

impl FreezeState {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Frozen, Self::Active];

    /// The word of the interface.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Frozen => "Frozen",
            Self::Active => "Active",
        }
    }
}

/// Why something is frozen or goes on: one line of 1–200 characters, without blanks at either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FreezeReason(String);

impl FreezeReason {
    /// Most characters: two sentences.
    pub const LENGTH_MAX: usize = 200;

    /// Reads a reason; blanks around it are dropped.
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

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreezeOrder {
    /// What is frozen, or goes on.
    pub target: FreezeTarget,
    /// Why.
    pub reason: FreezeReason,
}

/// A version of a freeze.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freeze {
    /// Whose it is.
    pub account: AccountId,
    /// What it is about.
    pub target: FreezeTarget,
    /// Rises by one with each change, from 1.
    pub version: u32,
    /// What it was set to.
    pub state: FreezeState,
    /// Why.
    pub reason: FreezeReason,
    /// When it was set.
    pub created_at: Timestamp,
    /// Who set it.
    pub made_by: FreezeMaker,
}

impl Freeze {
    /// What it sets.
    pub const fn setting(&self) -> FreezeSetting {
        FreezeSetting {
            authority: self.made_by.authority(),
            target: self.target,
            state: self.state,
        }
    }

    /// Whether it is a version of the freeze of this target by this authority.
    pub fn is_of(&self, authority: FreezeAuthority, target: FreezeTarget) -> bool {
        (self.made_by.authority(), self.target) == (authority, target)
    }
}

/// What a version of a freeze sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreezeSetting {
    /// Whose freeze it is.
    pub authority: FreezeAuthority,
    /// What it is about.
    pub target: FreezeTarget,
    /// What it is set to.
    pub state: FreezeState,
}

/// Why nothing may be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FreezeBreach {
    /// An operator froze the payments of every account.
    #[error("the payments of every account are frozen")]
    Everything,
    /// The account is frozen.
    #[error("the account is frozen ({})", .0.code())]
    Account(FreezeAuthority),
    /// The service is frozen.
    #[error("the service {} is frozen ({})", .0.code(), .1.code())]
    Service(Service, FreezeAuthority),
    /// A freeze of the account cannot be read as it was set: it may be of the whole account.
    #[error("a freeze of the account cannot be read as it was set")]
    Unreadable,
}

#[cfg(test)]
mod tests {
    use super::*;
    use FreezeState::{Active, Frozen};
    use proptest::prelude::*;

    const MERCHANT: FreezeAuthority = FreezeAuthority::Merchant;
    const OPERATOR: FreezeAuthority = FreezeAuthority::Operator;

    fn target() -> impl Strategy<Value = FreezeTarget> {
        let services: Vec<_> = FreezeTarget::without_keys().collect();
        prop_oneof![
            proptest::sample::select(services),
            (0_i64..3).prop_map(|id| FreezeTarget::Key(KeyId(id))),
        ]
    }

    fn setting() -> impl Strategy<Value = FreezeSetting> {
        let authority = proptest::sample::select(&FreezeAuthority::ALL[..]);
        let state = proptest::sample::select(&FreezeState::ALL[..]);
        (authority, target(), state).prop_map(|(authority, target, state)| FreezeSetting {
            authority,
            target,
            state,
        })
    }

    const fn set(
        authority: FreezeAuthority,
        target: FreezeTarget,
        state: FreezeState,
    ) -> FreezeSetting {
        FreezeSetting {
            authority,
            target,
            state,
        }
    }

    #[test]
    fn a_frozen_account_buys_nothing_and_a_frozen_service_is_one() {
        let bank = FreezeTarget::Service(Service::Bank);
        let one = ActiveFreezes::new([set(MERCHANT, bank, Frozen)]);
        let breach = FreezeBreach::Service(Service::Bank, MERCHANT);
        assert_eq!(one.allow(Service::Bank), Err(breach));
        assert_eq!(one.allow(Service::Airtime), Ok(()));
        assert_eq!(one.allow_account(), Ok(()));
        let account = set(MERCHANT, FreezeTarget::Account, Frozen);
        let all = ActiveFreezes::new([account, set(MERCHANT, bank, Active)]);
        let breach = FreezeBreach::Account(MERCHANT);
        for service in Service::all() {
            assert_eq!(all.allow(service), Err(breach));
        }
        assert_eq!(all.allow_account(), Err(breach));
        let lost = ActiveFreezes::default().unreadable();
        assert_eq!(lost.allow(Service::Bank), Err(FreezeBreach::Unreadable));
        let of_key = set(OPERATOR, FreezeTarget::Key(KeyId(5)), Frozen);
        let key = ActiveFreezes::new([of_key]);
        assert!(key.has_key(KeyId(5)) && !key.has_key(KeyId(6)));
        assert_eq!(key.allow(Service::Bank), Ok(()));
    }

    #[test]
    fn what_one_authority_lifts_stays_frozen_by_the_other() {
        let account = FreezeTarget::Account;
        let both = [MERCHANT, OPERATOR].map(|by| set(by, account, Frozen));
        let kept = both
            .into_iter()
            .fold(FrozenServices::default(), FrozenServices::with);
        let named = |kept: &FrozenServices| kept.breach(Service::Bank);
        assert_eq!(named(&kept), Some(FreezeBreach::Account(OPERATOR)));
        let lifted = kept.clone().with(set(MERCHANT, account, Active));
        assert_eq!(named(&lifted), Some(FreezeBreach::Account(OPERATOR)));
        let lifted = kept.with(set(OPERATOR, account, Active));
        assert_eq!(named(&lifted), Some(FreezeBreach::Account(MERCHANT)));
        assert_eq!(named(&lifted.with(set(MERCHANT, account, Active))), None);
    }

    #[test]
    fn a_word_that_is_not_known_freezes_the_account() {
        for (record, by) in [("bank teleport", MERCHANT), ("operator:teleport", OPERATOR)] {
            let read = FrozenServices::from_record(Some(record));
            let breach = FreezeBreach::Account(by);
            assert_eq!(read.breach(Service::Airtime), Some(breach));
        }
        let none = FrozenServices::from_record(None);
        assert_eq!((none.breach(Service::Bank), none.to_record()), (None, None));
        for service in Service::all() {
            assert_ne!(service.code(), FreezeScope::Account.code());
        }
    }

    #[test]
    fn a_reason_is_one_line() {
        assert_eq!(FreezeReason::parse(" stolen ").unwrap().as_str(), "stolen");
        assert!(FreezeReason::parse(&"x".repeat(201)).is_err());
        assert!(FreezeReason::parse("a\nb").is_err());
    }

    proptest! {
        #[test]
        fn the_last_change_of_each_counts_and_reads_back(
            changes in proptest::collection::vec(setting(), 0..12),
        ) {
            let kept = changes.iter().fold(FrozenServices::default(), |kept, setting| {
                kept.with(*setting)
            });
            let record = kept.to_record();
            prop_assert_eq!(&FrozenServices::from_record(record.as_deref()), &kept);
            let last = |wanted: FreezeTarget| FreezeAuthority::ALL.into_iter().any(|authority| {
                let mut of_it = changes.iter().rev().filter(|it| {
                    (it.authority, it.target) == (authority, wanted)
                });
                of_it.next().is_some_and(|it| it.state == Frozen)
            });
            for service in Service::all() {
                let is_frozen = last(FreezeTarget::Account) || last(FreezeTarget::Service(service));
                prop_assert_eq!(kept.breach(service).is_some(), is_frozen);
            }
        }
    }
}
