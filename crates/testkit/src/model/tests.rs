//! The comparison agrees with itself and finds a store that is wrong in one small thing.

use super::agrees_with_reference;
use crate::builders::{kobo, provider_id};
use crate::contract::storage::Stores;
use crate::memory::MemoryStore;
use async_trait::async_trait;
use domain::change_set::ChangeSet;
use domain::reference_settlement::{ReferenceSettlement, ReferenceToSettle, SettledAs};
use domain::voucher::{VoucherStep, VoucherVoiding};
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use std::future::ready;
use std::sync::Arc;

#[test]
fn the_reference_store_agrees_with_itself() {
    agrees_with_reference(|| ready(Stores::of(MemoryStore::new())), 32, 100);
}

/// Books that say of every taken reference that the number was taken.
#[derive(Debug)]
struct Mistaken(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for Mistaken {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        let verdict = self.0.commit(change).await?;
        let taken = matches!(verdict, CommitOutcome::ReferenceTaken(_));
        Ok(if taken {
            CommitOutcome::NumberTaken
        } else {
            verdict
        })
    }
}

/// Books that lose the event of every reversal.
#[derive(Debug)]
struct Forgetful(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for Forgetful {
    async fn commit(&self, mut change: ChangeSet) -> Result<CommitOutcome, PortError> {
        if let ChangeSet::Advance(advance) = &mut change {
            let kind = advance.event.map(|event| event.kind);
            if kind == Some(domain::event::EventKind::Reversed) {
                advance.event = None;
            }
        }
        self.0.commit(change).await
    }
}

/// Books that charge no merchant for what is settled: the gateway bears each loss.
#[derive(Debug)]
struct Lenient(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for Lenient {
    async fn commit(&self, mut change: ChangeSet) -> Result<CommitOutcome, PortError> {
        if let ChangeSet::Settle(settlement) = &mut change
            && let SettledAs::Charged(amount) = settlement.settled_as()
        {
            let of = settlement.reference().clone();
            let of = ReferenceToSettle::new(of, provider_id("sandbox"));
            let decided = (settlement.by().to_owned(), settlement.at());
            let absorbed = ReferenceSettlement::try_new(of, SettledAs::Absorbed(amount), decided);
            **settlement = absorbed.expect("every reference can be absorbed");
        }
        self.0.commit(change).await
    }
}

/// Books that take no tax of what is collected.
#[derive(Debug)]
struct Untaxed(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for Untaxed {
    async fn commit(&self, mut change: ChangeSet) -> Result<CommitOutcome, PortError> {
        if let ChangeSet::Collect(payment) = &mut change {
            payment.fee.vat = kobo(0);
        }
        self.0.commit(change).await
    }
}

/// Books that take a redemption back and leave the code without its money.
#[derive(Debug)]
struct Keeping(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for Keeping {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        let rolled_back = match &change {
            ChangeSet::Voucher(step) => match &**step {
                VoucherStep::RollBack(step) => Some(step.clone()),
                VoucherStep::Issue(_) | VoucherStep::Redeem(_) | VoucherStep::Void(_) => None,
            },
            ChangeSet::Collect(_)
            | ChangeSet::Fund(_)
            | ChangeSet::Open(_)
            | ChangeSet::OpenBatch(_)
            | ChangeSet::Advance(_)
            | ChangeSet::Settle(_) => None,
        };
        let verdict = self.0.commit(change).await?;
        if let (CommitOutcome::Done, Some(step)) = (&verdict, rolled_back) {
            let void = VoucherStep::Void(VoucherVoiding {
                account: step.account,
                voucher: step.voucher,
                currency: step.currency,
                seen: None,
                reason: step.reason,
                at: step.at,
            });
            drop(self.0.commit(ChangeSet::Voucher(Box::new(void))).await?);
        }
        Ok(verdict)
    }
}

fn with_books(wrap: impl Fn(Arc<dyn LedgerStore>) -> Arc<dyn LedgerStore>) -> Stores {
    let mut stores = Stores::of(MemoryStore::new());
    stores.books = wrap(stores.books.clone());
    stores
}

#[test]
#[should_panic(expected = "disagrees with the reference store")]
fn a_wrong_verdict_is_found() {
    agrees_with_reference(
        || ready(with_books(|books| Arc::new(Mistaken(books)))),
        1_000,
        100,
    );
}

#[test]
#[should_panic(expected = "disagrees with the reference store")]
fn a_settlement_that_is_booked_otherwise_is_found() {
    agrees_with_reference(
        || ready(with_books(|books| Arc::new(Lenient(books)))),
        // A charge needs a noted reference and a wallet that holds it: few cases have both.
        1_000,
        100,
    );
}

#[test]
#[should_panic(expected = "disagrees with the reference store")]
fn a_payment_that_is_booked_otherwise_is_found() {
    agrees_with_reference(
        || ready(with_books(|books| Arc::new(Untaxed(books)))),
        1_000,
        100,
    );
}

#[test]
#[should_panic(expected = "disagrees with the reference store")]
fn a_redemption_that_is_not_taken_back_whole_is_found() {
    agrees_with_reference(
        || ready(with_books(|books| Arc::new(Keeping(books)))),
        // A code must be made, redeemed and restored for that.
        1_000,
        100,
    );
}

#[test]
#[should_panic(expected = "disagrees with the reference store")]
fn a_lost_event_is_found() {
    agrees_with_reference(
        || ready(with_books(|books| Arc::new(Forgetful(books)))),
        1_000,
        100,
    );
}
