//! Laws of the tranches of our money at providers.

use super::setup::Stores;
use crate::builders::{airtime, answer, at, delivered, naira, provider_id, reference};
use domain::float::Prefunding;
use domain::float_reserve::{TrancheHolder, TrancheRequest};
use domain::money::Money;
use domain::provider::SubmitOutcome;
use ports::float::PrefundOutcome;

/// The provider of what the builders open.
const PROVIDER: &str = "sandbox";

impl Stores {
    async fn has_paid_in(&self, under: &str, amount: &str) {
        let prefunding = Prefunding {
            provider: provider_id(PROVIDER),
            reference: reference(under),
            amount: naira(amount),
            reason: "transfer".to_owned(),
            by: "alpha".to_owned(),
            at: at(1),
        };
        let entered = self.floats.prefund(&prefunding).await;
        assert_eq!(entered.expect("prefund"), PrefundOutcome::Done);
    }

    /// What an instance is granted that has so much, and wants so much.
    async fn leases(&self, holder: i64, unspent: &str, wanted: &str) -> Money {
        let request = TrancheRequest {
            provider: provider_id(PROVIDER),
            holder: TrancheHolder(holder),
            unspent: naira(unspent),
            wanted: naira(wanted),
        };
        let grant = self.tranches.lease(&request, at(1)).await;
        grant.expect("lease a tranche").granted
    }
}

/// An order counts from the moment it is opened, at its cost, until it is certain not to have
/// happened.
pub async fn tranches_are_of_what_was_paid_in_less_what_is_spent_or_open(stores: &Stores) {
    assert_eq!(stores.leases(1, "0.00", "50.00").await, naira("0.00"));
    stores.has_account("shop", "10,000.00").await;
    stores.has_paid_in("bank-1", "4,000.00").await;
    // Each costs 960.00.
    let order = |n| airtime().nth(n).terms("3", "4", "25.00");
    let sold = stores.has_opened(&order(1)).await;
    stores.has_applied(&sold, &delivered(&sold), at(1)).await;
    let refused = stores.has_opened(&order(2)).await;
    let declined = crate::builders::declined(&refused);
    stores.has_applied(&refused, &declined, at(1)).await;
    let open = stores.has_opened(&order(3)).await;
    let pending = answer(&open, SubmitOutcome::Pending);
    stores.has_applied(&open, &pending, at(1)).await;
    let granted = stores.leases(2, "0.00", "9,000.00").await;
    assert_eq!(granted, naira("2,080.00"));
    stores.must_be_clean(at(9)).await;
}

/// An instance that stops leaves what it has not sold to the next.
pub async fn a_tranche_that_is_released_is_free_again(stores: &Stores) {
    stores.has_paid_in("bank-1", "100.00").await;
    assert_eq!(stores.leases(1, "0.00", "100.00").await, naira("100.00"));
    let released = stores.tranches.release(TrancheHolder(1)).await;
    released.expect("release a tranche");
    assert_eq!(stores.leases(2, "0.00", "100.00").await, naira("100.00"));
}

/// While the lease of one lasts, no other has what it has.
pub async fn instances_never_have_the_same_naira(stores: &Stores) {
    stores.has_paid_in("bank-1", "100.00").await;
    assert_eq!(stores.leases(1, "0.00", "60.00").await, naira("60.00"));
    assert_eq!(stores.leases(2, "0.00", "60.00").await, naira("40.00"));
    assert_eq!(stores.leases(3, "0.00", "60.00").await, naira("0.00"));
    assert_eq!(stores.leases(1, "10.00", "60.00").await, naira("0.00"));
    assert_eq!(stores.leases(2, "40.00", "60.00").await, naira("0.00"));
}

/// Without waiting for the next count.
pub async fn money_paid_in_is_counted_at_the_next_lease(stores: &Stores) {
    stores.has_paid_in("bank-1", "10.00").await;
    assert_eq!(stores.leases(1, "0.00", "60.00").await, naira("10.00"));
    assert_eq!(stores.leases(1, "10.00", "60.00").await, naira("0.00"));
    stores.has_paid_in("bank-2", "30.00").await;
    assert_eq!(stores.leases(1, "10.00", "60.00").await, naira("30.00"));
}
