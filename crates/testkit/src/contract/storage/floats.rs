//! Laws of our money at providers: what was paid in is entered once, and what deliveries took is
//! what the providers reported, whenever they report it.

use super::setup::Stores;
use crate::builders::{
    airtime, answer, at, credits, declined, delivered, finding, naira, not_sent, provider_id,
    receipt, reference, second_at,
};
use domain::float::{LedgerFloat, Prefunding};
use domain::ledger::TransferKind;
use domain::money::Money;
use domain::provider::{AbsencePolicy, AttemptDetails, QueryOutcome, SubmitOutcome};
use domain::time::Timestamp;
use domain::transaction::{ApplyContext, Observation, Transaction, Transition};
use ports::float::PrefundOutcome;
use ports::ledger_store::CommitOutcome;

fn prefunding(provider: &str, under: &str, amount: Money) -> Prefunding {
    Prefunding {
        provider: provider_id(provider),
        reference: reference(under),
        amount,
        reason: "transfer of 15 January".to_owned(),
        by: "alpha".to_owned(),
        at: at(1),
    }
}

impl Stores {
    async fn prefund(&self, prefunding: &Prefunding) -> PrefundOutcome {
        self.floats.prefund(prefunding).await.expect("prefund")
    }

    async fn float(&self, provider: &str) -> Vec<LedgerFloat> {
        let floats = self.floats.floats(&provider_id(provider)).await;
        floats.expect("read a float")
    }

    /// Applies an observation with a cost beside it and commits the step.
    async fn has_heard(
        &self,
        tx: &Transaction,
        (observation, cost): (&Observation, Option<&str>),
        now: Timestamp,
    ) -> Transaction {
        let reported = AttemptDetails {
            cost: cost.map(naira),
            ..AttemptDetails::default()
        };
        let context = ApplyContext {
            reported: Some(&reported),
            ..ApplyContext::new(now, &AbsencePolicy::CAUTIOUS)
        };
        let Transition::Changed(step) = tx.clone().apply(observation, context) else {
            panic!("nothing changed");
        };
        assert_eq!(self.step(&step).await, CommitOutcome::Done);
        step.transaction
    }

    async fn differences(&self, tx: &Transaction) -> Vec<i64> {
        let transfers = self.transfers(tx).await.into_iter();
        let booked = transfers.filter(|it| it.kind == TransferKind::CostDifference);
        booked.map(|it| it.amount.minor()).collect()
    }
}

/// Per provider and reference; what was paid back is below zero.
pub async fn money_paid_to_a_provider_is_entered_once(stores: &Stores) {
    assert_eq!(stores.float("one").await, []);
    let first = prefunding("one", "bank-1", naira("1,000.00"));
    assert_eq!(stores.prefund(&first).await, PrefundOutcome::Done);
    let again = prefunding("one", "bank-1", naira("7.00"));
    let taken = PrefundOutcome::Taken(naira("1,000.00"));
    assert_eq!(stores.prefund(&again).await, taken);
    let other = prefunding("other", "bank-1", naira("5.00"));
    assert_eq!(stores.prefund(&other).await, PrefundOutcome::Done);
    let back = Money::zero(naira("1.00").currency()).checked_sub(naira("250.00"));
    let back = prefunding("one", "bank-2", back.unwrap());
    assert_eq!(stores.prefund(&back).await, PrefundOutcome::Done);
    let messages = prefunding("one", "bank-3", credits("30.00"));
    assert_eq!(stores.prefund(&messages).await, PrefundOutcome::Done);
    let float = |prefunded: Money| LedgerFloat {
        prefunded,
        spent: Money::zero(prefunded.currency()),
    };
    let floats = [float(credits("30.00")), float(naira("750.00"))];
    assert_eq!(stores.float("one").await, floats);
    assert_eq!(stores.float("other").await, [float(naira("5.00"))]);
    stores.must_be_clean(at(2)).await;
}

/// The difference to the quote is booked with the delivery, follows a later report, and goes back
/// with a reversal.
pub async fn a_reported_cost_is_booked_while_the_delivery_stands(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    // The amount is 1,000.00, the quoted cost 960.00.
    let tx = stores.has_opened(&airtime().terms("3", "4", "25.00")).await;
    let pending = answer(&tx, SubmitOutcome::Pending);
    let tx = stores
        .has_heard(&tx, (&pending, Some("950.00")), at(1))
        .await;
    assert_eq!(
        stores.differences(&tx).await,
        [0; 0],
        "nothing is delivered"
    );
    let found = finding(&tx, QueryOutcome::Delivered(receipt(&tx)));
    let tx = stores.has_heard(&tx, (&found, None), at(2)).await;
    assert_eq!(stores.differences(&tx).await, [1_000]);
    let spent = async || stores.float(tx.provider().as_str()).await[0].spent;
    assert_eq!(spent().await, naira("950.00"));
    stores.must_be_clean(at(2)).await;
    let later = finding(&tx, QueryOutcome::Unknown);
    let tx = stores.has_heard(&tx, (&later, Some("971.50")), at(3)).await;
    assert_eq!(stores.differences(&tx).await, [1_000, 2_150]);
    assert_eq!(spent().await, naira("971.50"));
    stores.must_be_clean(at(3)).await;
    let taken_back = finding(&tx, QueryOutcome::Reversed);
    let tx = stores.has_heard(&tx, (&taken_back, None), at(4)).await;
    assert_eq!(stores.differences(&tx).await, [1_000, 2_150, 1_150]);
    assert_eq!(spent().await, naira("0.00"));
    let late = finding(&tx, QueryOutcome::Unknown);
    let tx = stores.has_heard(&tx, (&late, Some("900.00")), at(5)).await;
    assert_eq!(stores.differences(&tx).await.len(), 3);
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    stores.must_be_clean(at(9)).await;
}

/// A loss is what the provider took, not what was quoted.
pub async fn the_cost_of_a_late_delivery_is_booked_with_its_loss(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&airtime().terms("3", "4", "25.00")).await;
    let tx = stores.has_applied(&tx, &declined(&tx), at(1)).await;
    let late = finding(&tx, QueryOutcome::Delivered(receipt(&tx)));
    let tx = stores.has_heard(&tx, (&late, Some("980.00")), at(2)).await;
    let spent = async || stores.float(tx.provider().as_str()).await[0].spent;
    assert_eq!(spent().await, naira("980.00"));
    stores.must_be_clean(at(2)).await;
    let taken_back = finding(&tx, QueryOutcome::Reversed);
    let tx = stores.has_heard(&tx, (&taken_back, None), at(3)).await;
    assert_eq!(stores.differences(&tx).await, [2_000, 2_000]);
    assert_eq!(spent().await, naira("0.00"));
    stores.must_be_clean(at(9)).await;
}

/// Where both attempts were delivered, each cost is booked at the provider that took it, be that
/// one provider or two.
pub async fn two_deliveries_of_one_payment_cost_what_each_took(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    for (n, other) in [(1, "sandbox"), (2, "other")] {
        // The amount is 1,000.00, the quoted cost 960.00.
        let purchase = airtime().nth(n).terms("3", "4", "25.00");
        let tx = stores.has_opened(&purchase).await;
        let first = receipt(&tx);
        let next = second_at(&tx, provider_id(other));
        let context = ApplyContext {
            next: Some(&next),
            ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
        };
        let Transition::Changed(step) = tx.clone().apply(&not_sent(&tx), context) else {
            panic!("nothing changed");
        };
        assert_eq!(stores.step(&step).await, CommitOutcome::Done);
        let late = finding(&tx, QueryOutcome::Delivered(first));
        let tx = step.transaction;
        let tx = stores.has_heard(&tx, (&late, Some("980.00")), at(2)).await;
        let second = delivered(&tx);
        let tx = stores
            .has_heard(&tx, (&second, Some("950.00")), at(3))
            .await;
        assert_eq!(stores.differences(&tx).await, [2_000, 1_000], "{other}");
        stores.must_be_clean(at(4)).await;
    }
    let spent = |floats: Vec<LedgerFloat>| floats.first().map(|it| it.spent);
    let sandbox = naira("980.00").checked_add(naira("950.00")).unwrap();
    let sandbox = sandbox.checked_add(naira("980.00"));
    assert_eq!(spent(stores.float("sandbox").await), sandbox);
    assert_eq!(spent(stores.float("other").await), Some(naira("950.00")));
}

/// A cost in another currency cannot be compared with the quote; one below zero is none.
pub async fn a_cost_that_cannot_be_compared_is_kept_and_not_booked(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let below = Money::zero(naira("1.00").currency()).checked_sub(naira("5.00"));
    for (n, cost) in (1..).zip([credits("9.00"), below.unwrap()]) {
        let tx = stores.has_opened(&airtime().nth(n)).await;
        let reported = AttemptDetails {
            cost: Some(cost),
            ..AttemptDetails::default()
        };
        let context = ApplyContext {
            reported: Some(&reported),
            ..ApplyContext::new(at(1), &AbsencePolicy::CAUTIOUS)
        };
        let Transition::Changed(step) = tx.clone().apply(&delivered(&tx), context) else {
            panic!("nothing changed");
        };
        assert_eq!(stores.step(&step).await, CommitOutcome::Done);
        assert_eq!(stores.differences(&tx).await, [0; 0]);
        assert_eq!(stores.reread(&tx).await, Some(step.transaction));
    }
    stores.must_be_clean(at(9)).await;
}
