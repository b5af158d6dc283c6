//! Freezes: an account, one of its keys or one of its services that is stopped until it is let go
//! on. The versions of one are a history: the latest counts. A freeze must never stop what is under
//! way.

use crate::account::AccountId;
use crate::credential::KeyId;
use crate::family::Service;
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;

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

/// Whether something is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

/// What a merchant asks for.
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
    /// The key that set it.
    pub made_by: KeyId,
}

/// Why nothing may be bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FreezeBreach {
    /// The account is frozen.
    #[error("the account is frozen")]
    Account,
    /// The service is frozen.
    #[error("the service {} is frozen", .0.code())]
    Service(Service),
    /// A freeze of the account cannot be read as it was set: it may be of the whole account.
    #[error("a freeze of the account cannot be read as it was set")]
    Unreadable,
}

/// What of an account is stopped, apart from its keys. It is kept with each of its wallets, so that
/// whatever takes money out of one reads it under the same lock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrozenServices {
    /// The whole account.
    account: bool,
    /// Services, by their words.
    services: Vec<Service>,
}

impl FrozenServices {
    /// Reads the words of a record. What no word of a service is freezes the account: it can only
    /// be more than is known here.
    pub fn from_record(words: Option<&str>) -> Self {
        let mut frozen = Self::default();
        for word in words.unwrap_or_default().split_whitespace() {
            match Service::from_code(word) {
                Some(service) => frozen.services.push(service),
                None => frozen.account = true,
            }
        }
        frozen
    }

    /// The words of a record; none where nothing is frozen.
    pub fn to_record(&self) -> Option<String> {
        let account = self.account.then_some(FreezeScope::Account.code());
        let services = self.services.iter().map(|service| service.code());
        let words: Vec<_> = account.into_iter().chain(services).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// With what is set of one target; a key is none of a wallet's.
    #[must_use]
    pub fn with(mut self, target: FreezeTarget, state: FreezeState) -> Self {
        let is_frozen = state == FreezeState::Frozen;
        match target {
            FreezeTarget::Account => self.account = is_frozen,
            FreezeTarget::Service(service) => {
                self.services.retain(|other| *other != service);
                self.services.extend(is_frozen.then_some(service));
                self.services.sort_unstable_by_key(|service| service.code());
            }
            FreezeTarget::Key(_) => {}
        }
        self
    }

    /// Why a service may not be bought of.
    pub fn breach(&self, service: Service) -> Option<FreezeBreach> {
        let is_frozen = self.services.contains(&service);
        let of_service = is_frozen.then_some(FreezeBreach::Service(service));
        self.breach_of_account().or(of_service)
    }

    /// Why the account may not pay whatever it is.
    pub fn breach_of_account(&self) -> Option<FreezeBreach> {
        self.account.then_some(FreezeBreach::Account)
    }
}

/// What of an account is frozen now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveFreezes {
    services: FrozenServices,
    keys: Vec<KeyId>,
    unreadable: bool,
}

impl ActiveFreezes {
    /// What latest versions set.
    pub fn new(latest: impl IntoIterator<Item = (FreezeTarget, FreezeState)>) -> Self {
        let mut active = Self::default();
        for (target, state) in latest {
            active.services = active.services.with(target, state);
            if let (FreezeTarget::Key(key), FreezeState::Frozen) = (target, state) {
                active.keys.push(key);
            }
        }
        active
    }

    /// The same where one of them cannot be read: nothing may be paid.
    #[must_use]
    pub const fn unreadable(mut self) -> Self {
        self.unreadable = true;
        self
    }

    /// Whether a key is frozen.
    pub fn has_key(&self, key: KeyId) -> bool {
        self.keys.contains(&key)
    }

    /// Whether a service may be bought of.
    ///
    /// # Errors
    /// Names what is frozen.
    pub fn allow(&self, service: Service) -> Result<(), FreezeBreach> {
        let unreadable = self.unreadable.then_some(FreezeBreach::Unreadable);
        let breach = unreadable.or(self.services.breach(service));
        breach.map_or(Ok(()), Err)
    }

    /// Whether the account may pay something that is no order of a service.
    ///
    /// # Errors
    /// Names what is frozen.
    pub fn allow_account(&self) -> Result<(), FreezeBreach> {
        let unreadable = self.unreadable.then_some(FreezeBreach::Unreadable);
        let breach = unreadable.or(self.services.breach_of_account());
        breach.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FreezeState::{Active, Frozen};
    use proptest::prelude::*;

    fn target() -> impl Strategy<Value = FreezeTarget> {
        let services: Vec<_> = FreezeTarget::without_keys().collect();
        prop_oneof![
            proptest::sample::select(services),
            (0_i64..3).prop_map(|id| FreezeTarget::Key(KeyId(id))),
        ]
    }

    #[test]
    fn a_frozen_account_buys_nothing_and_a_frozen_service_is_one() {
        let bank = FreezeTarget::Service(Service::Bank);
        let one = ActiveFreezes::new([(bank, Frozen)]);
        let breach = FreezeBreach::Service(Service::Bank);
        assert_eq!(one.allow(Service::Bank), Err(breach));
        assert_eq!(one.allow(Service::Airtime), Ok(()));
        assert_eq!(one.allow_account(), Ok(()));
        let all = ActiveFreezes::new([(FreezeTarget::Account, Frozen), (bank, Active)]);
        for service in Service::all() {
            assert_eq!(all.allow(service), Err(FreezeBreach::Account));
        }
        assert_eq!(all.allow_account(), Err(FreezeBreach::Account));
        let lost = ActiveFreezes::default().unreadable();
        assert_eq!(lost.allow(Service::Bank), Err(FreezeBreach::Unreadable));
        let key = ActiveFreezes::new([(FreezeTarget::Key(KeyId(5)), Frozen)]);
        assert!(key.has_key(KeyId(5)) && !key.has_key(KeyId(6)));
        assert_eq!(key.allow(Service::Bank), Ok(()));
    }

    #[test]
    fn a_word_that_is_not_known_freezes_the_account() {
        let read = FrozenServices::from_record(Some("bank teleport"));
        assert_eq!(read.breach(Service::Airtime), Some(FreezeBreach::Account));
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
            changes in proptest::collection::vec((target(), any::<bool>()), 0..12),
        ) {
            let state = |frozen: bool| if frozen { Frozen } else { Active };
            let kept = changes.iter().fold(FrozenServices::default(), |kept, (target, frozen)| {
                kept.with(*target, state(*frozen))
            });
            let record = kept.to_record();
            prop_assert_eq!(&FrozenServices::from_record(record.as_deref()), &kept);
            let last = |wanted: FreezeTarget| {
                let mut of_it = changes.iter().rev().filter(|(target, _)| *target == wanted);
                of_it.next().is_some_and(|(_, frozen)| *frozen)
            };
            for service in Service::all() {
                let is_frozen = last(FreezeTarget::Account) || last(FreezeTarget::Service(service));
                prop_assert_eq!(kept.breach(service).is_some(), is_frozen);
            }
        }
    }
}
