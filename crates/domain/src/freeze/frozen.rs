//! What of an account is frozen: by whom, and what that stops. What cannot be read must stop more,
//! never less.

use super::{FreezeAuthority, FreezeBreach, FreezeScope, FreezeSetting, FreezeState, FreezeTarget};
use crate::credential::KeyId;
use crate::family::Service;

/// What of an account is stopped, apart from its keys. It is kept with each of its wallets, so that
/// whatever takes money out of one reads it under the same lock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrozenServices {
    merchant: FrozenSet,
    operator: FrozenSet,
}

/// What of an account one authority stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FrozenSet {
    /// The whole account.
    account: bool,
    /// Services, by their words.
    services: Vec<Service>,
}

impl FrozenSet {
    fn set(&mut self, target: FreezeTarget, state: FreezeState) {
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
    }

    fn words(&self) -> impl Iterator<Item = &'static str> {
        let account = self.account.then_some(FreezeScope::Account.code());
        let services = self.services.iter().map(|service| service.code());
        account.into_iter().chain(services)
    }
}

impl FrozenServices {
    /// Reads the words of a record. What is no word known here freezes the account: it can only be
    /// more than that.
    pub fn from_record(words: Option<&str>) -> Self {
        let mut frozen = Self::default();
        for word in words.unwrap_or_default().split_whitespace() {
            let (authority, word) = FreezeAuthority::of_record(word);
            let target = Service::from_code(word).map(FreezeTarget::Service);
            let target = target.unwrap_or(FreezeTarget::Account);
            frozen.of_mut(authority).set(target, FreezeState::Frozen);
        }
        frozen
    }

    /// The words of a record; none where nothing is frozen.
    pub fn to_record(&self) -> Option<String> {
        let words = FreezeAuthority::ALL.into_iter().flat_map(|authority| {
            let words = self.of(authority).words();
            words.map(move |word| authority.record_word(word))
        });
        let words: Vec<_> = words.collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// With what is set of one target; a key is none of a wallet's.
    #[must_use]
    pub fn with(mut self, setting: FreezeSetting) -> Self {
        let of_it = self.of_mut(setting.authority);
        of_it.set(setting.target, setting.state);
        self
    }

    /// Why a service may not be bought of. Where both froze it, the operator's freeze is named: it
    /// is the one that the merchant cannot lift.
    pub fn breach(&self, service: Service) -> Option<FreezeBreach> {
        let of_service = self.authority(|frozen| frozen.services.contains(&service));
        let of_service = of_service.map(|by| FreezeBreach::Service(service, by));
        self.breach_of_account().or(of_service)
    }

    /// Why the account may not pay whatever it is.
    pub fn breach_of_account(&self) -> Option<FreezeBreach> {
        let by = self.authority(|frozen| frozen.account);
        by.map(FreezeBreach::Account)
    }

    /// Who froze something; the operator where both did.
    fn authority(&self, is_frozen: impl Fn(&FrozenSet) -> bool) -> Option<FreezeAuthority> {
        let mut strongest_first = FreezeAuthority::ALL.into_iter().rev();
        strongest_first.find(|authority| is_frozen(self.of(*authority)))
    }

    const fn of(&self, authority: FreezeAuthority) -> &FrozenSet {
        match authority {
            FreezeAuthority::Merchant => &self.merchant,
            FreezeAuthority::Operator => &self.operator,
        }
    }

    const fn of_mut(&mut self, authority: FreezeAuthority) -> &mut FrozenSet {
        match authority {
            FreezeAuthority::Merchant => &mut self.merchant,
            FreezeAuthority::Operator => &mut self.operator,
        }
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
    pub fn new(latest: impl IntoIterator<Item = FreezeSetting>) -> Self {
        let mut active = Self::default();
        for setting in latest {
            active.services = active.services.with(setting);
            if let (FreezeTarget::Key(key), FreezeState::Frozen) = (setting.target, setting.state) {
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
        let breach = unreadable.or_else(|| self.services.breach(service));
        breach.map_or(Ok(()), Err)
    }

    /// Whether the account may pay something that is no order of a service.
    ///
    /// # Errors
    /// Names what is frozen.
    pub fn allow_account(&self) -> Result<(), FreezeBreach> {
        let unreadable = self.unreadable.then_some(FreezeBreach::Unreadable);
        let breach = unreadable.or_else(|| self.services.breach_of_account());
        breach.map_or(Ok(()), Err)
    }
}
