//! Laws of the balances that were read at providers.

use super::setup::Stores;
use crate::builders::{naira, provider_id};
use domain::float::ProviderBalance;
use domain::float_forecast::BalanceReading;
use domain::money::{Currency, Money};
use domain::time::Timestamp;
use std::slice;

const MINUTE: i64 = 60_000;

/// A reading at a minute, in which the provider said something of the minute before.
fn reading(provider: &str, minute: i64, available: &str) -> BalanceReading {
    BalanceReading {
        provider: provider_id(provider),
        balance: ProviderBalance {
            available: naira(available),
            held: (minute % 2 == 0).then(|| naira("1.00")),
            at: Timestamp::from_millis((minute - 1) * MINUTE),
        },
        read_at: Timestamp::from_millis(minute * MINUTE),
        is_low: minute % 2 == 1,
    }
}

impl Stores {
    async fn keep(&self, reading: &BalanceReading) {
        self.readings.keep(reading).await.expect("keep a reading");
    }

    async fn kept(&self, provider: &str, from_minute: i64) -> Vec<BalanceReading> {
        let from = Timestamp::from_millis(from_minute * MINUTE);
        let kept = self.readings.since(&provider_id(provider), from).await;
        kept.expect("read readings")
    }

    async fn last(&self, provider: &str) -> Option<BalanceReading> {
        let last = self.readings.last(&provider_id(provider)).await;
        last.expect("read the last reading")
    }
}

/// One for each quarter of an hour, oldest first, as long as a week after it.
pub async fn balances_that_were_read_are_kept_by_span_for_a_week(stores: &Stores) {
    assert_eq!(stores.last("one").await, None);
    let first = reading("one", 0, "100.00");
    let second = reading("one", 14, "90.00");
    let third = reading("one", 15, "80.00");
    stores.keep(&first).await;
    assert_eq!(stores.last("one").await, Some(first));
    stores.keep(&second).await;
    stores.keep(&third).await;
    let both = [second.clone(), third.clone()];
    assert_eq!(stores.kept("one", 0).await, both);
    assert_eq!(stores.kept("one", 14).await, both);
    let kept = stores.kept("one", 15).await;
    assert_eq!(kept, slice::from_ref(&third));
    assert_eq!(stores.last("one").await, Some(third.clone()));
    let week = 7 * 24 * 60;
    let mut later = reading("one", week + 15, "5.00");
    later.balance.available = Money::from_minor(-500, Currency::Ngn);
    stores.keep(&later).await;
    assert_eq!(stores.kept("one", 0).await, [third, later.clone()]);
    let last = reading("one", week + 30, "7.00");
    stores.keep(&last).await;
    assert_eq!(stores.kept("one", 0).await, [later, last]);
}

/// Two instances may read at once, and store in any order.
pub async fn an_older_reading_of_a_span_changes_nothing(stores: &Stores) {
    let newer = reading("one", 9, "90.00");
    stores.keep(&newer).await;
    stores.keep(&reading("one", 4, "100.00")).await;
    let kept = stores.kept("one", 0).await;
    assert_eq!(kept, slice::from_ref(&newer));
    assert_eq!(stores.last("one").await, Some(newer));
}

/// Those of another are neither read nor forgotten with them.
pub async fn readings_of_a_provider_are_its_own(stores: &Stores) {
    let other = reading("other", 3, "1.00");
    stores.keep(&other).await;
    stores.keep(&reading("one", 3, "2.00")).await;
    let late = reading("one", 30 * 24 * 60, "3.00");
    stores.keep(&late).await;
    let kept = stores.kept("other", 0).await;
    assert_eq!(kept, slice::from_ref(&other));
    assert_eq!(stores.last("other").await, Some(other));
    assert_eq!(stores.kept("one", 0).await, [late]);
}
