//! What the gateway books alone: over as it is opened, whatever is observed afterwards.

use super::{FIRST, answer, at, finding};
use crate::bank::Narration;
use crate::event::EventKind;
use crate::ledger::{LedgerAccount, TransferKind};
use crate::money::{Currency, Money};
use crate::opening::{Draft, Opening};
use crate::order::{Order, Service};
use crate::pricing::quote_own;
use crate::provider::{AbsencePolicy, ProviderId, QueryOutcome, SubmitOutcome};
use crate::reference::MerchantReference;
use crate::transaction::sample::{self, Product};
use crate::transaction::{
    ApplyContext, CancelCause, GatewayStatus, Observation, PreparedAttempt, Status, Transition,
};
use crate::wallet::{WalletOrder, WalletTransfer};

/// 1,000.00 at 3.00 for a credit.
fn opening() -> Opening {
    let reference = MerchantReference::parse("order-1").unwrap();
    let naira = |minor| Money::from_minor(minor, Currency::Ngn);
    let transfer = WalletTransfer {
        reference: reference.clone(),
        amount: naira(100_000),
        narration: Narration::parse("Messages").unwrap(),
    };
    let order = WalletOrder::priced(&transfer, naira(300)).unwrap();
    let draft = sample::draft(Product::Airtime);
    let by = ProviderId::gateway();
    let prepared = PreparedAttempt::derived(by, (&draft.account, &reference), FIRST);
    let draft = Draft {
        reference,
        order: Order::Wallet(order),
        quote: quote_own(transfer.amount, "credit-price:2026-01-01".to_owned()).unwrap(),
        prepared,
        ..draft
    };
    draft.open(at(0), at(1))
}

#[test]
fn the_price_leaves_one_wallet_and_what_it_buys_arrives_in_the_other() {
    let opening = opening();
    let tx = &opening.transaction;
    assert_eq!((tx.version, tx.sequence, tx.attempt()), (1, 2, None));
    let seen = (tx.status(), tx.gateway_status());
    assert_eq!(seen, (Status::Successful, GatewayStatus::Delivered));
    let events: Vec<_> = opening.events().map(|it| (it.sequence, it.kind)).collect();
    assert_eq!(events, [(1, EventKind::Opened), (2, EventKind::Successful)]);
    let available = LedgerAccount::Available(tx.account.clone());
    let held = LedgerAccount::Held(tx.account.clone());
    let sales = LedgerAccount::CreditSales;
    let price = tx.quote.price;
    let credits = Money::from_minor(33_333, Currency::Crd);
    let moved: Vec<_> = opening
        .transfers()
        .map(|it| (it.kind, it.debit.clone(), it.credit.clone(), it.amount))
        .collect();
    let expected = [
        (TransferKind::Hold, available.clone(), held.clone(), price),
        (TransferKind::TransferOut, held, sales.clone(), price),
        (TransferKind::TransferIn, sales, available, credits),
    ];
    assert_eq!(moved, expected);
    let lines: Vec<_> = opening.transfers().map(|it| it.narration.clone()).collect();
    let line = Some("Wallet 333.33 CRD: Messages".to_owned());
    assert_eq!(lines, [line.clone(), None, line]);
}

#[test]
fn a_family_has_a_provider_or_brings_its_own() {
    let order = opening().transaction.order;
    assert!(order.arrives().is_some() && !order.service().has_provider());
    for product in Product::ALL {
        let order = sample::draft(product).order;
        assert!(order.arrives().is_none() && order.recipient().is_none());
        assert!(order.service().has_provider());
    }
    let own: Vec<_> = Service::all().filter(|it| !it.has_provider()).collect();
    assert_eq!(own, [Service::Wallet, Service::User]);
}

#[test]
fn an_order_that_brings_more_than_its_amount_buys_is_seen() {
    let Order::Wallet(order) = opening().transaction.order else {
        panic!("another family");
    };
    assert!(Order::Wallet(order.clone()).is_exact());
    let arrives = Money::from_minor(33_334, Currency::Crd);
    assert!(!Order::Wallet(WalletOrder { arrives, ..order }).is_exact());
}

#[test]
fn nothing_that_is_observed_changes_it() {
    let tx = opening().transaction;
    let cautious = AbsencePolicy::CAUTIOUS;
    let next = tx.prepared.first().clone();
    for observation in [
        answer(SubmitOutcome::NotSent),
        answer(SubmitOutcome::Reversed),
        finding(QueryOutcome::NotFound),
        finding(QueryOutcome::Reversed),
        Observation::Takeover { attempt: FIRST },
        Observation::Due,
        Observation::Cancellation(CancelCause::Requested),
    ] {
        let context = ApplyContext {
            next: Some(&next),
            ..ApplyContext::new(at(60 * 24), &cautious)
        };
        let after = tx.clone().apply(&observation, context);
        assert_eq!(
            after,
            Transition::Unchanged(Box::new(tx.clone())),
            "{observation:?}"
        );
    }
}
