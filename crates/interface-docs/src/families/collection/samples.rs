//! What the samples of collections show.

use super::{ACCOUNT, END, INVOICE, NUMBER};
use crate::states::{Sample, lagos, sample};
use domain::collection::{
    CollectedPayment, Collection, CollectionKind, CollectionPaid, CollectionPayer,
    CollectionSource, CollectionState, VirtualAccount,
};
use domain::money::{Currency, Money};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use testkit::builders::{
    START, collected, naira, payment_reference, receiving_account, reference, virtual_account,
};
use wire::collection::{CollectionContext, CollectionsPart, view_one};
use wire::page::{LENGTH_MAX, Paging};
use wire::tree::Object;

pub(super) fn number() -> TransactionNumber {
    TransactionNumber::try_new(NUMBER).expect("a number")
}

pub(super) fn account_made() -> CollectionState {
    CollectionState {
        collection: Collection {
            number: number(),
            reference: reference(ACCOUNT),
            amount: Some(naira("5,000.00")),
            expires_at: Some(END),
            ..virtual_account("shop", NUMBER)
        },
        paid: paid_so_far(0),
    }
}

/// One of which nothing is known but who pays.
pub(super) fn least() -> CollectionState {
    let made = account_made();
    let kind = match made.collection.kind {
        CollectionKind::Account(account) => CollectionKind::Account(VirtualAccount {
            email: None,
            phone: None,
            identity: None,
            ..account
        }),
        kind @ (CollectionKind::Invoice { .. }
        | CollectionKind::Checkout(_)
        | CollectionKind::Bill(_)) => kind,
    };
    CollectionState {
        collection: Collection {
            kind,
            amount: None,
            expires_at: None,
            ..made.collection
        },
        paid: made.paid,
    }
}

pub(super) fn accounts(status: u16, message: &'static str) -> Vec<Sample> {
    let least = one((status, "least"), &least(), message);
    let mut samples = shown(status, &account_made(), message);
    samples.push(least.unseen());
    samples
}

/// What is made, and what is shown where the operator names no account to pay to.
pub(super) fn invoices() -> Vec<Sample> {
    let message = "The payment reference can be paid.";
    let mut samples = shown(201, &invoice_made(0), message);
    let zone = lagos();
    let context = CollectionContext {
        receiving: None,
        now: START,
        zone: &zone,
    };
    samples.push(Sample {
        status: 201,
        ..sample("nowhere", message, view_one(&invoice_made(0), context)).unseen()
    });
    samples
}

/// A payment of which the bank says nothing more.
pub(super) fn bare() -> CollectedPayment {
    CollectedPayment {
        payer: CollectionPayer::default(),
        ..paid()
    }
}

pub(super) fn invoice_made(paid: i64) -> CollectionState {
    CollectionState {
        collection: Collection {
            number: number(),
            reference: reference(INVOICE),
            expires_at: Some(END),
            ..payment_reference("shop", NUMBER)
        },
        paid: paid_so_far(paid),
    }
}

pub(super) fn paid_so_far(minor: i64) -> CollectionPaid {
    let paid = Money::from_minor(minor, Currency::Ngn);
    CollectionPaid {
        total: paid,
        largest: paid,
        fees: Money::zero(Currency::Ngn),
        count: u64::from(paid.is_positive()),
    }
}

pub(super) fn paid() -> CollectedPayment {
    let collection = invoice_made(200_000).collection;
    CollectedPayment {
        source: CollectionSource::Sandbox,
        amount: naira("2,000.00"),
        ..collected(
            &collection,
            (7_213_340_025, "3fa95c017be24d9088e1c6a2d45b70"),
            "2,000.00",
        )
    }
}

pub(super) fn paging() -> Paging<()> {
    Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    }
}

pub(super) const fn part(all: &[CollectionState]) -> CollectionsPart<'_> {
    CollectionsPart {
        collections: all,
        total: 1,
    }
}

pub(super) fn in_context(view: impl FnOnce(CollectionContext<'_>) -> Object) -> Object {
    let (receiving, zone) = (receiving_account(), lagos());
    view(CollectionContext {
        receiving: Some(&receiving),
        now: START,
        zone: &zone,
    })
}

pub(super) fn shown(status: u16, state: &CollectionState, message: &'static str) -> Vec<Sample> {
    vec![one((status, "made"), state, message)]
}

pub(super) fn one(
    (status, name): (u16, &'static str),
    state: &CollectionState,
    message: &'static str,
) -> Sample {
    let fields = in_context(|context| view_one(state, context));
    Sample {
        status,
        ..sample(name, message, fields)
    }
}
