//! Laws of keeping and auditing: whatever can happen to a transaction reads back as it was, and
//! leaves the books right.

use super::setup::Stores;
use crate::builders::{
    account_id, airtime, at, declined, delivered, electricity, finding, not_sent, number,
    provider_id, receipt, receipt_of, reference, reversed, voice_call,
};
use crate::strategies::{self, ArbitraryHistory};
use domain::change_set::ChangeSet;
use domain::opening::Draft;
use domain::provider::{QueryOutcome, SubmitOutcome};
use domain::transaction::{AttemptNumber, Observation, Transaction};
use ports::audit::{Booked, BookedState, CheckOutcome, Serving};
use ports::ledger_store::CommitOutcome;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// How many random histories a law stores: every kind of state comes up many times among so many.
const HISTORIES: u64 = 48;

/// Stores a history step by step; whatever is stored must read back as it was.
async fn play(stores: &Stores, history: &ArbitraryHistory) {
    let opening = &history.opening;
    has_payees(stores, history).await;
    let opened = stores.commit(ChangeSet::Open(Box::new(opening.clone())));
    assert_eq!(opened.await, CommitOutcome::Done);
    let mut transfers: Vec<_> = opening.transfers().cloned().collect();
    let mut events: Vec<_> = opening.events().copied().collect();
    assert_eq!(
        stores.reread(&opening.transaction).await.as_ref(),
        Some(&opening.transaction)
    );
    for step in &history.steps {
        assert_eq!(stores.step(step).await, CommitOutcome::Done);
        let read = stores.reread(&step.transaction).await;
        assert_eq!(read.as_ref(), Some(&step.transaction));
        transfers.extend(step.transfers.iter().cloned());
        events.extend(step.event);
    }
    // What another account is paid is that account's.
    transfers.retain(|transfer| transfer.transaction.is_some());
    let last = history.last();
    assert_eq!(stores.transfers(last).await, transfers);
    assert_eq!(stores.events(last).await, events);
}

/// Opens the other accounts that a history pays.
async fn has_payees(stores: &Stores, history: &ArbitraryHistory) {
    let opening = std::iter::once(&history.opening.transaction);
    let steps = history.steps.iter().map(|step| &step.transaction);
    for payee in opening.chain(steps).filter_map(Transaction::payee) {
        let known = stores.accounts.credentials(&payee.account).await;
        if known.expect("find an account").is_none() {
            stores.has_account(payee.account.as_str(), "1.00").await;
        }
    }
}

/// Draws histories of `shop`, the same on every run, each under names of its own.
fn drawn(count: u64) -> Vec<ArbitraryHistory> {
    let mut runner = TestRunner::deterministic();
    let mut draw = |n: u64| {
        let named = move |draft: Draft| Draft {
            number: number(n),
            reference: reference(&format!("drawn-{n}")),
            ..draft
        };
        let drafts = strategies::drafts(account_id("shop")).prop_map(named);
        let tree = strategies::histories(drafts).new_tree(&mut runner);
        tree.expect("a history").current()
    };
    (1..=count).map(&mut draw).collect()
}

/// Every state, doubt, proof, evidence and order, stored on purpose.
pub async fn every_kind_of_transaction_reads_back_equal(stores: &Stores) {
    stores.has_account("shop", "5,000,000.00").await;
    stores.has_credits("shop", "credits", "10,000.00").await;
    for history in strategies::every_state() {
        play(stores, &history).await;
    }
    stores.must_be_clean(at(0)).await;
}

/// Random orders with random words in them, moved on by random observations.
pub async fn random_histories_read_back_equal(stores: &Stores) {
    stores.has_account("shop", "90,000,000,000.00").await;
    stores
        .has_credits("shop", "credits", "9,000,000,000.00")
        .await;
    for history in drawn(HISTORIES) {
        play(stores, &history).await;
    }
}

/// Whatever was learned in whatever order, every invariant holds.
pub async fn the_audit_is_clean_after_random_histories(stores: &Stores) {
    stores.must_be_clean(at(0)).await;
    stores.has_account("shop", "90,000,000,000.00").await;
    stores
        .has_credits("shop", "credits", "9,000,000,000.00")
        .await;
    for (n, history) in drawn(HISTORIES).iter().enumerate() {
        play(stores, history).await;
        if n.is_multiple_of(12) {
            stores.must_be_clean(at(0)).await;
        }
    }
    stores.must_be_clean(at(0)).await;
}

/// A check that looked at nothing proves nothing: each says how much it looked at.
pub async fn the_audit_looks_at_what_is_stored(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    for n in 1..=3 {
        let tx = stores.has_opened(&electricity().nth(n)).await;
        stores.has_applied(&tx, &delivered(&tx), at(1)).await;
    }
    let checks = stores.audit.audit(at(2), Serving::No).await.expect("audit");
    let required = [
        "I1", "I2", "I3", "I4", "I5", "I6", "I10", "I11", "I14", "I15", "I16",
    ];
    for invariant in required {
        let check = checks.iter().find(|check| check.invariant == invariant);
        let check = check.unwrap_or_else(|| panic!("{invariant} is not checked"));
        let looked = matches!(check.outcome, CheckOutcome::Holds { examined } if examined > 0);
        assert!(looked, "{check:?}");
        assert!(!check.rule.is_empty());
    }
}

/// Every attempt made at a provider is listed as it ended, and none of another provider.
pub async fn attempts_are_listed_as_they_ended(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    let mut expected = Vec::new();
    let mut note = |tx: &Transaction, attempt, state| {
        let attempt = AttemptNumber::try_new(attempt).expect("an attempt");
        expected.push(Booked {
            reference: tx.provider_reference(attempt),
            state,
            amount: tx.order.amount(),
            id: tx.reported.of(attempt).id.clone(),
            cost: tx.reported.of(attempt).cost.unwrap_or(tx.charged().cost),
        });
    };
    let buy = async |n| stores.has_opened(&airtime().nth(n)).await;
    let open = buy(1).await;
    note(&open, 1, BookedState::Open);
    let yes = buy(2).await;
    let yes = stores.has_applied(&yes, &delivered(&yes), at(1)).await;
    note(&yes, 1, BookedState::Delivered);
    let back = buy(3).await;
    let back = stores.has_applied(&back, &delivered(&back), at(1)).await;
    let back = stores.has_applied(&back, &reversed(&back), at(2)).await;
    note(&back, 1, BookedState::Reversed);
    let no = buy(4).await;
    let no = stores.has_applied(&no, &declined(&no), at(1)).await;
    note(&no, 1, BookedState::Disproven);
    let lost = buy(5).await;
    let lost = stores.has_applied(&lost, &declined(&lost), at(1)).await;
    let late = finding(&lost, QueryOutcome::Delivered(receipt(&lost)));
    let lost = stores.has_applied(&lost, &late, at(2)).await;
    note(&lost, 1, BookedState::Lost);
    let twice = buy(6).await;
    let twice = stores.has_applied(&twice, &not_sent(&twice), at(1)).await;
    let first = AttemptNumber::FIRST;
    let late = Observation::Answer {
        attempt: first,
        outcome: SubmitOutcome::Delivered(receipt_of(
            &twice.provider_reference(first),
            &twice.order,
        )),
    };
    let twice = stores.has_applied(&twice, &late, at(2)).await;
    let twice = stores.has_applied(&twice, &delivered(&twice), at(3)).await;
    note(&twice, 1, BookedState::Lost);
    note(&twice, 2, BookedState::Delivered);
    // A call that took less than was held.
    let call = stores.has_opened(&voice_call().nth(8)).await;
    let call = stores.has_applied(&call, &delivered(&call), at(1)).await;
    note(&call, 1, BookedState::Delivered);
    stores
        .has_opened(&airtime().nth(7).sold_by("airwave"))
        .await;

    let listed = stores.audit.attempts(&provider_id("sandbox")).await;
    let mut listed = listed.expect("list attempts");
    listed.sort_by(|left, right| left.reference.cmp(&right.reference));
    assert_eq!(listed, expected);
    let other = stores.audit.attempts(&provider_id("airwave")).await;
    assert_eq!(other.expect("list attempts").len(), 1);
    let foreign = stores.audit.attempts(&provider_id("nobody")).await;
    assert_eq!(foreign.expect("list attempts"), []);
}
