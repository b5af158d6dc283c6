//! Balances at providers as they were read over time: whether little is left, and for how long it
//! will last. A forecast is arithmetic over what providers said; it must never be booked, and no
//! order is held back by it.

use crate::float::ProviderBalance;
use crate::money::Money;
use crate::provider::ProviderId;
use crate::time::Timestamp;
use std::time::Duration;

/// A balance that a provider said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalanceReading {
    /// The provider.
    pub provider: ProviderId,
    /// What it said.
    pub balance: ProviderBalance,
    /// When it was asked, by our clock.
    pub read_at: Timestamp,
    /// Whether it was below what its operator wants to be left.
    pub is_low: bool,
}

impl BalanceReading {
    /// Of the readings within such a span the last one is kept: a week has 672 of them.
    pub const SPAN: Duration = Duration::from_mins(15);

    /// How long readings are kept. A person looks back a week to see what a week costs.
    pub const KEPT_FOR: Duration = Duration::from_hours(7 * 24);

    /// The span that a moment is in; later spans have higher numbers.
    pub fn span(at: Timestamp) -> i64 {
        let span = i64::try_from(Self::SPAN.as_millis()).unwrap_or(i64::MAX);
        at.as_millis().div_euclid(span)
    }
}

/// For how long what is left at a provider lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatForecast {
    /// What was spent between the first reading and the last.
    pub spent: Money,
    /// The time between the two.
    pub within: Duration,
    /// How long what is available lasts at that pace; `None` where nothing was spent.
    pub lasts: Option<Duration>,
}

impl FloatForecast {
    /// Of which time the pace is taken: a whole day, because nights differ from days.
    pub const LOOKS_BACK: Duration = Duration::from_hours(24);

    /// Shortest time that a pace can be taken of. A few minutes are chance.
    pub const SHORTEST: Duration = Duration::from_hours(1);

    /// The forecast by the readings of one provider, oldest first; `None` where they are too few.
    /// Money that was paid in meanwhile is no negative spending: each fall counts, and no rise.
    pub fn of(readings: &[BalanceReading]) -> Option<Self> {
        let last = readings.last()?;
        let currency = last.balance.available.currency();
        let from = last.read_at.minus(Self::LOOKS_BACK);
        let counts = |it: &&BalanceReading| {
            from <= it.read_at && it.balance.available.currency() == currency
        };
        let counted: Vec<&BalanceReading> = readings.iter().filter(counts).collect();
        let within = last.read_at.since(counted.first()?.read_at);
        if within < Self::SHORTEST {
            return None;
        }
        let mut spent = Money::zero(currency);
        for pair in counted.windows(2) {
            let [before, after] = pair else { continue };
            let fall = whole(&before.balance)?.checked_sub(whole(&after.balance)?)?;
            if fall.is_positive() {
                spent = spent.checked_add(fall)?;
            }
        }
        Some(Self {
            spent,
            within,
            lasts: lasts(last.balance.available, (spent, within)),
        })
    }
}

/// What is ours there: what is held for an order is not spent until the provider takes it.
fn whole(balance: &ProviderBalance) -> Option<Money> {
    let held = balance
        .held
        .unwrap_or(Money::zero(balance.available.currency()));
    balance.available.checked_add(held)
}

/// How long something lasts at a pace, in whole seconds.
fn lasts(available: Money, (spent, within): (Money, Duration)) -> Option<Duration> {
    let spent = u128::try_from(spent.minor()).ok()?;
    let available = u128::try_from(available.minor()).unwrap_or(0);
    let seconds = available
        .checked_mul(u128::from(within.as_secs()))?
        .checked_div(spent)?;
    let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;
    use proptest::prelude::*;

    fn naira(minor: i64) -> Money {
        Money::from_minor(minor, Currency::Ngn)
    }

    /// A balance at a minute.
    fn reading(minute: i64, available: Money, held: Option<i64>) -> BalanceReading {
        let at = Timestamp::from_millis(minute * 60_000);
        BalanceReading {
            provider: ProviderId::parse("shop").unwrap(),
            balance: ProviderBalance {
                available,
                held: held.map(naira),
                at,
            },
            read_at: at,
            is_low: false,
        }
    }

    fn forecast(balances: &[(i64, i64)]) -> Option<FloatForecast> {
        let readings = balances.iter();
        let readings = readings.map(|(minute, minor)| reading(*minute, naira(*minor), None));
        FloatForecast::of(&readings.collect::<Vec<_>>())
    }

    #[test]
    fn the_pace_of_the_time_read_says_how_long_the_rest_lasts() {
        let found = forecast(&[(0, 10_000), (60, 9_000), (120, 8_000)]).unwrap();
        assert_eq!(found.spent, naira(2_000));
        assert_eq!(found.within, Duration::from_hours(2));
        assert_eq!(found.lasts, Some(Duration::from_hours(8)));
    }

    #[test]
    fn money_paid_in_and_money_held_are_no_spending() {
        let found = forecast(&[(0, 1_000), (30, 500), (45, 9_500), (60, 9_000)]).unwrap();
        assert_eq!(found.spent, naira(1_000));
        let held = [
            reading(0, naira(1_000), None),
            reading(60, naira(400), Some(600)),
        ];
        let found = FloatForecast::of(&held).unwrap();
        assert_eq!((found.spent, found.lasts), (naira(0), None));
    }

    #[test]
    fn a_pace_is_of_the_last_day_and_of_an_hour_at_least() {
        assert_eq!(forecast(&[]), None);
        assert_eq!(forecast(&[(0, 5)]), None);
        assert_eq!(forecast(&[(0, 10_000), (59, 9_000)]), None);
        let day = 24 * 60;
        let found = forecast(&[(0, 900_000), (1, 10_000), (day + 1, 7_600)]).unwrap();
        assert_eq!(found.spent, naira(2_400));
        assert_eq!(found.within, FloatForecast::LOOKS_BACK);
    }

    #[test]
    fn readings_in_another_currency_do_not_count() {
        let credits = Money::from_minor(70_000, Currency::Crd);
        let readings = [
            reading(0, credits, None),
            reading(30, naira(700), None),
            reading(90, naira(600), None),
        ];
        let found = FloatForecast::of(&readings).unwrap();
        assert_eq!(
            (found.spent, found.within),
            (naira(100), Duration::from_hours(1))
        );
    }

    #[test]
    fn what_is_overdrawn_lasts_no_longer() {
        let found = forecast(&[(0, 100), (60, -100)]).unwrap();
        assert_eq!(found.lasts, Some(Duration::ZERO));
    }

    proptest! {
        #[test]
        fn no_balances_overflow_it(
            balances in prop::collection::vec((0..3_000_i64, any::<i64>()), 0..20),
        ) {
            let mut balances = balances;
            balances.sort_unstable();
            if let Some(found) = forecast(&balances) {
                prop_assert!(found.spent.minor() >= 0);
                prop_assert!(found.within >= FloatForecast::SHORTEST);
            }
        }
    }
}
