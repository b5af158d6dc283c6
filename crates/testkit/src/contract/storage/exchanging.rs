//! Laws of what the gateway books alone: an exchange between the wallets of an account.

use super::setup::{Stores, nothing_was_stored, whole};
use crate::builders::{airtime, at, naira, wallet_transfer};
use domain::event::EventKind;
use domain::ledger::TransferKind;
use domain::money::Currency;
use domain::statement::{Direction, StatementQuery};
use domain::transaction::Status;
use ports::ledger_store::CommitOutcome;
use std::time::Duration;

/// One commit takes the price from one wallet and credits the other, and nothing is left to do.
pub async fn an_exchange_is_over_as_it_is_stored(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let purchase = wallet_transfer().keyed("k", 1);
    let tx = stores.has_opened(&purchase).await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(tx.attempt(), None);
    assert_eq!(stores.balances("shop").await, (900_000, 0));
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (25_000, 0));
    assert_eq!(stores.reread(&tx).await, Some(tx.clone()));
    let opening = purchase.opening();
    let transfers = stores.transfers(&tx).await;
    assert!(opening.transfers().eq(&transfers), "{transfers:?}");
    let kinds: Vec<_> = transfers.iter().map(|it| it.kind).collect();
    let expected = [
        TransferKind::Hold,
        TransferKind::TransferOut,
        TransferKind::TransferIn,
    ];
    assert_eq!(kinds, expected);
    let happened: Vec<_> = stores.events(&tx).await.iter().map(|it| it.kind).collect();
    assert_eq!(happened, [EventKind::Opened, EventKind::Successful]);
    let later = at(60 * 60 * 24 * 365);
    assert_eq!(stores.claim(later, Duration::from_mins(1), 10).await, []);
    assert_eq!(
        stores.claim_queued(later, Duration::from_mins(1), 10).await,
        []
    );
    stores.must_be_clean(at(1)).await;
}

/// Each wallet has its own line, with the balance after it, under the merchant's reference.
pub async fn an_exchange_is_on_the_statements_of_both_wallets(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&wallet_transfer()).await;
    for (currency, direction, amount, after) in [
        (Currency::Ngn, Direction::Debit, 100_000, 900_000),
        (Currency::Crd, Direction::Credit, 25_000, 25_000),
    ] {
        let query = StatementQuery {
            currency,
            reference: Some(tx.reference.clone()),
            ..whole()
        };
        let page = stores.statement("shop", &query).await;
        let entries: Vec<_> = page
            .entries
            .iter()
            .map(|it| (it.direction, it.amount.minor()))
            .collect();
        assert_eq!(entries, [(direction, amount)], "{currency:?}");
        assert_eq!(page.entries[0].after.minor(), after, "{currency:?}");
        let named = page.entries[0].transaction.clone();
        assert_eq!(
            named,
            Some((tx.number, tx.reference.clone())),
            "{currency:?}"
        );
    }
}

/// What cannot be paid for, or does not fit, leaves both wallets as they are.
pub async fn an_exchange_that_is_refused_moves_nothing(stores: &Stores) {
    stores.has_account("shop", "999.99").await;
    let refused = stores.open(&wallet_transfer()).await;
    assert_eq!(refused, CommitOutcome::InsufficientFunds);
    nothing_was_stored(stores, &wallet_transfer(), naira("999.99")).await;
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (0, 0));

    stores.has_account("rich", "1,000.00").await;
    stores
        .has_credits("rich", "all", "90,071,992,547,409.91")
        .await;
    let full = wallet_transfer().by("rich");
    assert_eq!(stores.open(&full).await, CommitOutcome::BalanceLimit);
    assert_eq!(stores.balances("rich").await, (100_000, 0));
}

/// A reference is used once, whatever is bought under it.
pub async fn an_exchange_uses_its_reference_up(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let tx = stores.has_opened(&wallet_transfer()).await;
    let again = wallet_transfer().number(2);
    let taken = CommitOutcome::ReferenceTaken(Box::new(tx));
    assert_eq!(stores.open(&again).await, taken);
    assert_eq!(stores.open(&airtime().number(2)).await, taken);
    assert_eq!(stores.balances("shop").await, (900_000, 0));
}
