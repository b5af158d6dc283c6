//! What the run may still buy. A purchase must be taken here before its request is sent.

use async_trait::async_trait;
use domain::money::Money;
use std::sync::{Mutex, PoisonError};

/// Counts what the provider has done so far: deliveries, sales, vends. A double effect shows in it
/// even where the provider's answers hide it.
#[async_trait]
pub trait EffectCounter: Send + Sync + std::fmt::Debug {
    /// How many effects there were until now.
    async fn count(&self) -> Result<u64, String>;
}

/// The money that may be spent.
#[derive(Debug)]
pub(crate) struct Purchases {
    limit: Money,
    spent: Mutex<Money>,
}

impl Purchases {
    pub(crate) const fn new(limit: Money) -> Self {
        let spent = Money::zero(limit.currency());
        Self {
            limit,
            spent: Mutex::new(spent),
        }
    }

    /// Takes an amount; `false` where less than that is left, or it is of another currency.
    pub(crate) fn take(&self, amount: Money) -> bool {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let after = spent.checked_add(amount);
        let allowed = after.filter(|after| after.minor() <= self.limit.minor());
        if let Some(after) = allowed {
            *spent = after;
        }
        allowed.is_some()
    }

    /// Notes a delivery that no check asked for.
    pub(crate) fn charge(&self, amount: Money) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent = spent.checked_add(amount).unwrap_or(self.limit);
    }

    /// What was spent until now.
    pub(crate) fn spent(&self) -> Money {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::money::Currency;

    #[test]
    fn no_more_is_bought_than_the_limit_and_what_was_not_asked_for_counts() {
        let naira = |amount: i64| Money::from_minor(amount * 100, Currency::Ngn);
        let purchases = Purchases::new(naira(300));
        assert!(purchases.take(naira(100)));
        purchases.charge(naira(100));
        assert!(!purchases.take(naira(101)));
        assert!(purchases.take(naira(100)));
        assert!(!purchases.take(naira(1)));
        assert_eq!(purchases.spent(), naira(300));
    }
}
