//! What another account is paid: over as it is opened, or once an account has the address, or given
//! back.

use super::{FIRST, answer, at, finding};
use crate::account::{AccountId, AccountIdentity, AccountName, EmailAddress};
use crate::bank::Narration;
use crate::event::EventKind;
use crate::ledger::{LedgerAccount, Transfer, TransferKind};
use crate::money::{Currency, Money};
use crate::opening::{Draft, Opening};
use crate::order::{Order, Service};
use crate::pricing::quote_own;
use crate::provider::{AbsencePolicy, ProviderId, QueryOutcome, SubmitOutcome};
use crate::transaction::sample::{self, Product};
use crate::transaction::{
    ApplyContext, CancelCause, Observation, PreparedAttempt, StateChange, Status, Transaction,
    Transition,
};
use crate::user::{Payee, Recipient, UserOrder};

fn payee() -> Payee {
    Payee {
        account: AccountId::parse("kiosk").unwrap(),
        name: AccountName::parse("Ade Stores").unwrap(),
    }
}

fn opening(recipient: Recipient) -> Opening {
    let amount = Money::from_minor(100_000, Currency::Ngn);
    let order = UserOrder {
        identity: AccountIdentity::Email(EmailAddress::parse("owner@kiosk.example").unwrap()),
        amount,
        narration: Narration::parse("Rent").unwrap(),
        from: AccountName::parse("Shop").unwrap(),
        recipient,
    };
    let draft = sample::draft(Product::Airtime);
    let name = (&draft.account, &draft.reference);
    let prepared = PreparedAttempt::derived(ProviderId::gateway(), name, FIRST);
    let draft = Draft {
        order: Order::User(order),
        quote: quote_own(amount, "user-transfer:free".to_owned()).unwrap(),
        prepared,
        ..draft
    };
    draft.open(at(0), at(1))
}

fn waiting() -> Transaction {
    opening(Recipient::Unclaimed { until: at(100) }).transaction
}

fn applied(tx: &Transaction, observation: &Observation, second: u64) -> Option<StateChange> {
    let context = ApplyContext::new(at(second), &AbsencePolicy::CAUTIOUS);
    match tx.clone().apply(observation, context) {
        Transition::Changed(step) => Some(*step),
        Transition::Unchanged(_) => None,
    }
}

fn moved<'a>(
    transfers: impl IntoIterator<Item = &'a Transfer>,
) -> Vec<(TransferKind, LedgerAccount, LedgerAccount)> {
    let parts = |it: &Transfer| (it.kind, it.debit.clone(), it.credit.clone());
    transfers.into_iter().map(parts).collect()
}

/// What pays the account, after the hold.
fn paid(tx: &Transaction) -> [(TransferKind, LedgerAccount, LedgerAccount); 2] {
    let transit = LedgerAccount::Transit;
    let held = LedgerAccount::Held(tx.account.clone());
    let credited = LedgerAccount::Available(payee().account);
    [
        (TransferKind::TransferOut, held, transit.clone()),
        (TransferKind::UserCredit, transit, credited),
    ]
}

#[test]
fn an_account_that_is_known_is_paid_as_the_transfer_is_opened() {
    let opening = opening(Recipient::Account(payee()));
    let tx = &opening.transaction;
    assert_eq!((tx.status(), tx.attempt()), (Status::Successful, None));
    assert_eq!(tx.payee(), Some(&payee()));
    let events: Vec<_> = opening.events().map(|it| it.kind).collect();
    assert_eq!(events, [EventKind::Opened, EventKind::Successful]);
    let mut transfers = moved(opening.transfers());
    assert_eq!(transfers.remove(0).0, TransferKind::Hold);
    assert_eq!(transfers, paid(tx));
    assert!(opening.transfers().all(|it| it.amount == tx.quote.price));
    let owners: Vec<_> = opening.transfers().map(|it| it.transaction).collect();
    assert_eq!(owners, [Some(tx.number), Some(tx.number), None]);
}

#[test]
fn what_no_account_has_claimed_is_held_until_one_does() {
    let tx = waiting();
    assert_eq!((tx.status(), tx.payee()), (Status::Pending, None));
    assert!(applied(&tx, &Observation::Due, 99).is_none());
    let step = applied(&tx, &Observation::Claimed(payee()), 99).unwrap();
    assert_eq!(step.transaction.status(), Status::Successful);
    assert_eq!(step.transaction.payee(), Some(&payee()));
    assert_eq!(step.event.unwrap().kind, EventKind::Successful);
    assert_eq!(moved(&step.transfers), paid(&tx));
    for observation in [
        Observation::Claimed(payee()),
        Observation::Cancellation(CancelCause::Expired),
        Observation::Due,
        answer(SubmitOutcome::Reversed),
        finding(QueryOutcome::NotFound),
    ] {
        let again = applied(&step.transaction, &observation, 101);
        assert!(again.is_none(), "{observation:?}");
    }
}

#[test]
fn what_is_not_claimed_in_time_comes_back() {
    for observation in [Observation::Due, Observation::Claimed(payee())] {
        let step = applied(&waiting(), &observation, 100).unwrap();
        assert_eq!(step.transaction.status(), Status::Failed);
        let kinds: Vec<_> = step.transfers.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [TransferKind::Release], "{observation:?}");
        let claimed = Observation::Claimed(payee());
        assert!(applied(&step.transaction, &claimed, 101).is_none());
    }
}

#[test]
fn what_a_provider_is_to_deliver_is_claimed_by_no_account() {
    let queued = crate::transaction::Queued {
        send_from: at(0),
        expires_at: at(100),
    };
    let opening = sample::draft(Product::Airtime).queue(at(0), queued);
    let claimed = Observation::Claimed(payee());
    assert!(applied(&opening.transaction, &claimed, 1).is_none());
    assert_ne!(opening.transaction.order.service(), Service::User);
}

#[test]
fn the_statement_of_the_payer_shows_enough_of_an_address_to_recognise_it() {
    let lines = opening(Recipient::Account(payee()));
    let lines: Vec<_> = lines.transfers().map(|it| it.narration.clone()).collect();
    let paid = Some("Transfer to o***@kiosk.example".to_owned());
    assert_eq!(
        lines,
        [paid, None, Some("Transfer from Shop: Rent".to_owned())]
    );
    let phone = crate::phone::PhoneNumber::parse("2348031234567").unwrap();
    assert_eq!(AccountIdentity::Phone(phone).masked(), "***4567");
}

#[test]
fn a_name_is_masked_and_its_words_are_recognised() {
    for (name, masked) in [
        ("Ade Stores", "A** S*****"),
        ("Ọjà & Sons", "Ọ** & S***"),
        ("x", "x"),
        ("  two   blanks ", "t** b*****"),
    ] {
        assert_eq!(AccountName::parse(name).unwrap().masked(), masked);
    }
}
