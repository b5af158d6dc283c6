//! A limit on what an account spends. The versions of one are a history: the latest counts.

use crate::account::AccountId;
use crate::credential::KeyId;
use crate::family::Service;
use crate::money::{Currency, Money};
use crate::time::Timestamp;

/// How many times the limits of an account are changed within 24 hours. Versions are never
/// deleted, so this bounds what an account may store.
pub const LIMIT_CHANGES_PER_DAY_MAX: u32 = 100;

/// The word for every service.
const ALL: &str = "all";

/// What a limit is about: one service, or every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitedServices {
    /// Every service.
    All,
    /// One service.
    One(Service),
}

impl LimitedServices {
    /// Everything that a limit can be about.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::All).chain(Service::all().map(Self::One))
    }

    /// The word of records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::All => ALL,
            Self::One(service) => service.code(),
        }
    }

    /// Reads the word of records.
    pub fn from_code(code: &str) -> Option<Self> {
        if code == ALL {
            return Some(Self::All);
        }
        Service::from_code(code).map(Self::One)
    }

    /// Whether it covers a service.
    pub fn covers(self, service: Service) -> bool {
        match self {
            Self::All => true,
            Self::One(one) => one == service,
        }
    }
}

/// What a limit allows; without a bound there is none of its kind. All are in the currency that the
/// account is billed in, and prices in another one are not held against them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpendingTerms {
    /// The highest price of one payment.
    pub per_transaction: Option<Money>,
    /// How much payments cost together that are accepted within a day of the account's time zone
    /// and have not failed. Of every service only.
    pub per_day: Option<Money>,
    /// The price above which another user has to approve a payment.
    pub approval_above: Option<Money>,
}

/// A limit that a merchant asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewSpendingLimit {
    /// What it is about.
    pub services: LimitedServices,
    /// What it allows.
    pub terms: SpendingTerms,
    /// The version that it replaces, where the request names it; 0 where there is none.
    pub replaces: Option<u32>,
}

/// A version of a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpendingLimit {
    /// Whose it is.
    pub account: AccountId,
    /// What it is about.
    pub services: LimitedServices,
    /// Rises by one with each change, from 1.
    pub version: u32,
    /// The currency of its amounts, also where it has none.
    pub currency: Currency,
    /// What it allows.
    pub terms: SpendingTerms,
    /// When it was set.
    pub created_at: Timestamp,
    /// The key that set it.
    pub made_by: KeyId,
}

/// The limits of an account that count now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveLimits {
    limits: Vec<(LimitedServices, SpendingTerms)>,
    /// Whether a limit could not be read as it was set: then nothing may be spent.
    unreadable: bool,
}

/// Why a payment may not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpendingBreach {
    /// It costs more than one payment may.
    PerTransaction(Money),
    /// A limit of the account cannot be read as it was set.
    Unreadable,
}

impl ActiveLimits {
    /// The limits that latest versions set.
    pub fn new(limits: impl IntoIterator<Item = (LimitedServices, SpendingTerms)>) -> Self {
        Self {
            limits: limits.into_iter().collect(),
            unreadable: false,
        }
    }

    /// What counts where a limit cannot be read as it was set: nothing may be spent, because it may
    /// have been the lowest.
    pub const fn unreadable() -> Self {
        Self {
            limits: Vec::new(),
            unreadable: true,
        }
    }

    /// Whether one payment of a service may have a price.
    ///
    /// # Errors
    /// Names the lowest bound that it is above.
    pub fn allow(&self, service: Service, price: Money) -> Result<(), SpendingBreach> {
        if self.unreadable {
            return Err(SpendingBreach::Unreadable);
        }
        let lowest = self.lowest((service, price), |terms| terms.per_transaction);
        let breached = lowest.filter(|most| price.minor() > most.minor());
        breached.map_or(Ok(()), |most| Err(SpendingBreach::PerTransaction(most)))
    }

    /// The bound that a price of a service is above, so that another user has to approve it.
    pub fn approval_needed(&self, service: Service, price: Money) -> Option<Money> {
        let lowest = self.lowest((service, price), |terms| terms.approval_above);
        lowest.filter(|most| price.minor() > most.minor())
    }

    /// How much may be spent in a day in a currency.
    pub fn per_day(&self, price: Money) -> Option<Money> {
        let all = self.limits.iter();
        let all = all.filter(|(services, _)| *services == LimitedServices::All);
        let bounds = all.filter_map(|(_, terms)| terms.per_day);
        let same = bounds.filter(|bound| bound.currency() == price.currency());
        same.min_by_key(|bound| bound.minor())
    }

    fn lowest(
        &self,
        (service, price): (Service, Money),
        bound: impl Fn(&SpendingTerms) -> Option<Money>,
    ) -> Option<Money> {
        let covering = self.limits.iter();
        let covering = covering.filter(|(services, _)| services.covers(service));
        let bounds = covering.filter_map(|(_, terms)| bound(terms));
        let same = bounds.filter(|bound| bound.currency() == price.currency());
        same.min_by_key(|bound| bound.minor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    fn terms(per_transaction: i64, approval_above: i64) -> SpendingTerms {
        SpendingTerms {
            per_transaction: Some(naira(per_transaction)),
            per_day: None,
            approval_above: Some(naira(approval_above)),
        }
    }

    #[test]
    fn the_lowest_bound_of_those_that_cover_a_service_counts() {
        let limits = ActiveLimits::new([
            (LimitedServices::All, terms(1_000, 500)),
            (LimitedServices::One(Service::Bank), terms(800, 600)),
            (LimitedServices::One(Service::Card), terms(2_000, 300)),
        ]);
        let allowed = |service, minor| limits.allow(service, naira(minor));
        assert_eq!(allowed(Service::Bank, 800), Ok(()));
        let breach = |minor| Err(SpendingBreach::PerTransaction(naira(minor)));
        assert_eq!(allowed(Service::Bank, 801), breach(800));
        assert_eq!(allowed(Service::Card, 1_000), Ok(()));
        assert_eq!(allowed(Service::Card, 1_001), breach(1_000));
        assert_eq!(allowed(Service::Airtime, 1_001), breach(1_000));
        let approval = |service, minor| limits.approval_needed(service, naira(minor));
        assert_eq!(approval(Service::Bank, 500), None);
        assert_eq!(approval(Service::Bank, 501), Some(naira(500)));
        assert_eq!(approval(Service::Card, 301), Some(naira(300)));
    }

    #[test]
    fn prices_in_another_currency_are_not_held_against_a_limit() {
        let limits = ActiveLimits::new([(LimitedServices::All, terms(1, 1))]);
        let credits = Money::from_minor(5_000, Currency::Crd);
        assert_eq!(limits.allow(Service::Sms, credits), Ok(()));
        assert_eq!(limits.approval_needed(Service::Sms, credits), None);
    }

    #[test]
    fn a_day_has_the_bound_of_every_service_alone() {
        let per_day = |minor| SpendingTerms {
            per_day: Some(naira(minor)),
            ..SpendingTerms::default()
        };
        let limits = ActiveLimits::new([
            (LimitedServices::One(Service::Bank), per_day(5)),
            (LimitedServices::All, per_day(900)),
        ]);
        assert_eq!(limits.per_day(naira(1)), Some(naira(900)));
        assert_eq!(limits.per_day(Money::from_minor(1, Currency::Crd)), None);
        assert_eq!(ActiveLimits::default().per_day(naira(1)), None);
    }

    #[test]
    fn nothing_is_spent_where_a_limit_cannot_be_read() {
        let limits = ActiveLimits::unreadable();
        let refused = limits.allow(Service::Airtime, naira(1));
        assert_eq!(refused, Err(SpendingBreach::Unreadable));
    }

    #[test]
    fn the_words_of_records_read_back() {
        for services in LimitedServices::all() {
            assert_eq!(LimitedServices::from_code(services.code()), Some(services));
        }
        assert_eq!(LimitedServices::from_code("everything"), None);
    }
}
