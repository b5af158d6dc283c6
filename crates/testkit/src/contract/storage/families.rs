//! Laws of what single families add: taxes on a payout, and the delivery of a message after it was
//! sold. A law that holds for every family must not be stated here.

use super::setup::Stores;
use crate::builders::{at, declined, delivered, message_status, naira, payout, reversed, sms};
use domain::event::EventKind;
use domain::ledger::{LedgerAccount, Transfer, TransferKind};
use domain::money::Money;
use domain::provider::Fulfilment;
use domain::sms::DeliveryStatus::{self, Buffered, Delivered, Submitted, Undelivered};
use domain::transaction::{State, Transaction};
use ports::ledger_store::CommitOutcome;

/// Credits less debits of an account over some transfers, in minor units.
fn gained(transfers: &[Transfer], account: &LedgerAccount) -> i64 {
    let signed = |it: &Transfer| {
        let sign = |leg: &LedgerAccount| i64::from(leg == account);
        (sign(&it.credit) - sign(&it.debit)) * it.amount.minor()
    };
    transfers.iter().map(signed).sum()
}

/// What the merchant pays beside the amount is owed to the state or earned, each under its name,
/// and all of it goes back with a payout that is taken back.
pub async fn the_taxes_of_a_payout_are_booked_and_returned(stores: &Stores) {
    stores.has_account("shop", "50,000.00").await;
    let tx = stores.has_opened(&payout()).await;
    assert_eq!(tx.quote.price, naira("20,076.88"));
    let tx = stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    assert_eq!(stores.balances("shop").await, (2_992_312, 0));
    let booked = stores.transfers(&tx).await;
    let float = LedgerAccount::Float(tx.provider().clone());
    let expected = [
        (LedgerAccount::VatPayable, naira("1.88")),
        (LedgerAccount::LevyPayable, naira("50.00")),
        (LedgerAccount::ChargesRevenue, naira("25.00")),
        (LedgerAccount::CommissionRevenue, naira("0.00")),
        (float.clone(), naira("20,000.00")),
    ];
    for (account, amount) in &expected {
        assert_eq!(gained(&booked, account), amount.minor(), "{account:?}");
    }
    stores.must_be_clean(at(0)).await;

    let tx = stores.has_applied(&tx, &reversed(&tx), at(2)).await;
    assert_eq!(stores.balances("shop").await, (5_000_000, 0));
    let booked = stores.transfers(&tx).await;
    for (account, _) in &expected {
        assert_eq!(gained(&booked, account), 0, "{account:?}");
    }
    let returned = [TransferKind::VatReversal, TransferKind::LevyReversal];
    for kind in returned {
        assert_eq!(booked.iter().filter(|it| it.kind == kind).count(), 1);
    }
    stores.must_be_clean(at(0)).await;
}

/// A payout that certainly did not happen costs neither charge nor tax.
pub async fn a_refused_payout_owes_nothing_to_the_state(stores: &Stores) {
    stores.has_account("shop", "50,000.00").await;
    let tx = stores.has_opened(&payout()).await;
    let tx = stores.has_applied(&tx, &declined(&tx), at(1)).await;
    assert_eq!(stores.balances("shop").await, (5_000_000, 0));
    let moved: Vec<Money> = stores
        .transfers(&tx)
        .await
        .iter()
        .map(|it| it.amount)
        .collect();
    assert_eq!(moved, [tx.quote.price, tx.quote.price]);
    stores.must_be_clean(at(0)).await;
}

fn parts(tx: &Transaction) -> Vec<DeliveryStatus> {
    if let State::Successful(delivered) = &tx.state
        && let Fulfilment::Sms(dispatch) = &delivered.fulfilment
    {
        return dispatch.parts().to_vec();
    }
    panic!("a message is sold: {:?}", tx.state);
}

/// A status reported for a message after it was sold is stored with an event that follows the last
/// one, and moves no money. One that changes nothing, or is for an older version, is not stored.
pub async fn the_way_of_a_message_is_stored_with_its_events(stores: &Stores) {
    stores.has_account("shop", "100.00").await;
    let two_parts = sms().saying(&"Your order is on its way. ".repeat(8));
    let tx = stores.has_opened(&two_parts).await;
    let sold = stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    assert_eq!(parts(&sold), [Submitted, Submitted]);
    let (balances, moved) = (stores.balances("shop").await, stores.transfers(&sold).await);

    let reported = message_status(&sold, &[Delivered, Buffered]);
    let first = stores.has_applied(&sold, &reported, at(2)).await;
    let stale = message_status(&sold, &[Submitted, Undelivered]);
    let stale = crate::builders::advance(&sold, &stale, at(3));
    let conflict = CommitOutcome::VersionConflict(Box::new(first.clone()));
    assert_eq!(stores.step(&stale).await, conflict);
    let reported = message_status(&first, &[Buffered, Delivered]);
    let last = stores.has_applied(&first, &reported, at(4)).await;
    assert_eq!(parts(&last), [Delivered, Delivered]);

    assert_eq!(stores.reread(&last).await, Some(last.clone()));
    assert_eq!(stores.balances("shop").await, balances);
    assert_eq!(stores.transfers(&last).await, moved);
    let events = stores.events(&last).await;
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    let status = EventKind::MessageStatus;
    let expected = [EventKind::Opened, EventKind::Successful, status, status];
    assert_eq!(kinds, expected);
    let sequences: Vec<_> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, [1, 2, 3, 4]);
    stores.must_be_clean(at(0)).await;
}
