//! Every check of the audit can fail: each is shown the offence it is there for, planted past the
//! triggers and constraints that would have stopped it. That those do stop it must not be tested
//! here.
#![cfg(test)]

mod attempts;
mod bookings;
mod collections;
mod history;
mod invoices;
mod money;
mod refunds;
mod schema;
#[path = "../stage/mod.rs"]
mod stage;
mod support;
mod transactions;
mod vouchers;

use crate::support::{AuditedDatabase, outcome};
use ports::audit::{Audit, CheckOutcome, Serving};
use testkit::builders::{START, at};

#[tokio::test]
async fn a_store_in_which_everything_has_happened_is_clean() {
    let books = AuditedDatabase::lived_in().await;
    let store = books.open().await;
    for result in store.audit(START, Serving::Yes).await.unwrap() {
        assert!(
            matches!(result.outcome, CheckOutcome::Holds { examined } if examined > 0),
            "{result:?}"
        );
    }
    let idle = store.audit(at(1_000_000), Serving::No).await.unwrap();
    assert!(matches!(
        outcome(&idle, "I13"),
        CheckOutcome::NotApplicable { .. }
    ));
    store.close().await;
}
