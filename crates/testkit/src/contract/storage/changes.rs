//! Laws of the cursors of providers' changes and of the dead-letter list. A change in it must never
//! be lost, and a cursor never go back by itself.

use super::setup::Stores;
use crate::builders::{
    advance, airtime, at, credits, dead_letter, delivered, funding, kobo, provider_id, receipt_of,
    refusal, reversed, sms,
};
use domain::change_set::{ChangeSet, Funding};
use domain::money::Money;
use domain::provider::{QueryOutcome, Receipt};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::audit::{CheckOutcome, Serving};
use ports::changes::{ChangeStatus, Cursor, CursorMove, DeadLetter, Retried, SetAside};
use ports::ledger_store::CommitOutcome;

/// More than any of these laws puts aside.
const MANY: u64 = 1_000;

async fn moved(stores: &Stores, from: u64, to: u64, second: u64) -> u64 {
    let step = CursorMove {
        provider: provider_id("sandbox"),
        from,
        to,
        read_at: at(second),
    };
    stores.changes.advance(&step).await.expect("move a cursor")
}

async fn cursor(stores: &Stores, provider: &str) -> Option<(u64, Timestamp)> {
    let read = stores.changes.cursor(&provider_id(provider)).await;
    let cursor = read.expect("read a cursor");
    cursor.map(|Cursor { position, read_at }| (position, read_at))
}

async fn set_aside(stores: &Stores, letter: &DeadLetter) -> SetAside {
    let done = stores.changes.set_aside(letter, MANY).await;
    done.expect("put into the dead-letter list")
}

async fn open(stores: &Stores) -> Vec<DeadLetter> {
    let open = stores.changes.open_letters(100).await;
    open.expect("list the dead letters")
}

async fn due(stores: &Stores, second: u64, limit: u32) -> Vec<u64> {
    let due = stores.changes.due(at(second), limit).await;
    let due = due.expect("find what is due").into_iter();
    due.map(|letter| letter.id.position).collect()
}

/// Each provider has one; it says how far was read, and when.
pub async fn a_cursor_moves_forward_only(stores: &Stores) {
    assert_eq!(cursor(stores, "sandbox").await, None);
    assert_eq!(moved(stores, 0, 7, 1).await, 7);
    assert_eq!(cursor(stores, "sandbox").await, Some((7, at(1))));
    assert_eq!(moved(stores, 7, 9, 2).await, 9);
    // Another instance had read less: it neither moves the cursor back nor says when it read.
    assert_eq!(moved(stores, 7, 8, 3).await, 9);
    assert_eq!(moved(stores, 0, 3, 3).await, 9);
    assert_eq!(cursor(stores, "sandbox").await, Some((9, at(2))));
    assert_eq!(moved(stores, 9, 9, 4).await, 9);
    assert_eq!(moved(stores, 8, 12, 5).await, 12);
    assert_eq!(cursor(stores, "sandbox").await, Some((12, at(5))));
    assert_eq!(cursor(stores, "other").await, None);
}

/// What a reader knows of a store that was set back since says nothing about it.
pub async fn a_cursor_of_a_store_that_was_set_back_stays_behind(stores: &Stores) {
    assert_eq!(moved(stores, 40, 50, 1).await, 0);
    assert_eq!(cursor(stores, "sandbox").await, None);
    assert_eq!(moved(stores, 0, 10, 1).await, 10);
    assert_eq!(moved(stores, 40, 50, 2).await, 10);
    assert_eq!(cursor(stores, "sandbox").await, Some((10, at(1))));
}

/// Whatever was reported; putting it there again changes nothing.
pub async fn a_dead_letter_reads_back_as_it_was_put_there(stores: &Stores) {
    let (top_up, message) = (airtime().transaction(), sms().transaction());
    let receipt = receipt_of(&ProviderReference::from_echo("x"), &message.order);
    let other = Receipt {
        reference: ProviderReference::from_echo("an echo\nof another"),
        amount: credits("0.01"),
        ..receipt_of(&ProviderReference::from_echo("x"), &top_up.order)
    };
    let findings = [
        QueryOutcome::Reversed,
        QueryOutcome::Delivered(receipt),
        QueryOutcome::Delivered(other),
        QueryOutcome::Declined(refusal()),
        QueryOutcome::Pending,
        QueryOutcome::NotFound,
        QueryOutcome::Unknown,
    ];
    let mut letters = Vec::new();
    for (position, finding) in (0_u64..).zip(findings) {
        let reason = format!("\"{position}\" is none of ours \u{1f600}");
        letters.push(DeadLetter {
            finding,
            reason,
            ..dead_letter(position, "shop.order-1.1", 1)
        });
    }
    for letter in &letters {
        assert_eq!(set_aside(stores, letter).await, SetAside::Done);
        let again = DeadLetter {
            reason: "another".to_owned(),
            tries: 7,
            ..letter.clone()
        };
        assert_eq!(set_aside(stores, &again).await, SetAside::Known);
    }
    assert_eq!(open(stores).await, letters);
}

/// Positions of a provider that inserts a change before others move.
pub async fn two_changes_at_one_position_are_two_dead_letters(stores: &Stores) {
    let (first, second) = (
        dead_letter(5, "shop.order-1.1", 1),
        dead_letter(5, "shop.order-2.1", 1),
    );
    assert_eq!(set_aside(stores, &first).await, SetAside::Done);
    assert_eq!(set_aside(stores, &second).await, SetAside::Done);
    assert_eq!(open(stores).await, [first, second]);
}

/// What is open counts, what was resolved does not.
pub async fn the_dead_letter_list_has_an_end(stores: &Stores) {
    let put = async |letter: &DeadLetter| {
        let done = stores.changes.set_aside(letter, 2).await;
        done.expect("put into the dead-letter list")
    };
    let letters = [1, 2, 3].map(|position| dead_letter(position, "shop.order-1.1", 1));
    assert_eq!(put(&letters[0]).await, SetAside::Done);
    assert_eq!(put(&letters[1]).await, SetAside::Done);
    assert_eq!(put(&letters[2]).await, SetAside::Full);
    assert_eq!(put(&letters[1]).await, SetAside::Known);
    assert_eq!(open(stores).await, letters[..2]);
    assert!(stores.changes.resolve(&letters[0].id, at(2)).await.unwrap());
    assert_eq!(put(&letters[2]).await, SetAside::Done);
    assert_eq!(open(stores).await, letters[1..]);
}

/// Longest due first; a try in vain says when the next may be.
pub async fn dead_letters_are_due_again_after_a_try_in_vain(stores: &Stores) {
    for (position, second) in [(1, 30), (2, 10), (3, 20)] {
        let letter = dead_letter(position, "shop.order-1.1", second);
        assert_eq!(set_aside(stores, &letter).await, SetAside::Done);
    }
    assert_eq!(due(stores, 9, 10).await, []);
    assert_eq!(due(stores, 20, 10).await, [2, 3]);
    assert_eq!(due(stores, 30, 2).await, [2, 3]);
    let second = dead_letter(2, "shop.order-1.1", 10);
    let retried = Retried {
        at: at(20),
        due_at: at(80),
        reason: "transaction 7 cannot be read".to_owned(),
    };
    let again = stores.changes.retried(&second.id, &retried).await;
    assert!(again.unwrap());
    assert_eq!(due(stores, 79, 10).await, [3, 1]);
    assert_eq!(due(stores, 80, 10).await, [3, 1, 2]);
    let tried = DeadLetter {
        reason: retried.reason,
        tried_at: at(20),
        tries: 2,
        status: ChangeStatus::Open { due_at: at(80) },
        ..second
    };
    assert_eq!(open(stores).await[0], tried);
    assert_eq!(stores.changes.make_due(at(15)).await.unwrap(), 3);
    assert_eq!(due(stores, 15, 10).await, [1, 2, 3]);
    assert_eq!(due(stores, 14, 10).await, []);
}

/// It is tried no more; should it fail once more, it is opened again and keeps its first moment.
pub async fn a_dead_letter_that_was_applied_is_open_no_more(stores: &Stores) {
    let first = dead_letter(1, "shop.order-1.1", 1);
    assert_eq!(set_aside(stores, &first).await, SetAside::Done);
    assert!(stores.changes.resolve(&first.id, at(5)).await.unwrap());
    assert!(!stores.changes.resolve(&first.id, at(6)).await.unwrap());
    let retried = Retried {
        at: at(6),
        due_at: at(7),
        reason: String::new(),
    };
    let again = stores.changes.retried(&first.id, &retried).await;
    assert!(!again.unwrap());
    assert_eq!(
        (open(stores).await, due(stores, 99, 10).await),
        (vec![], vec![])
    );
    assert_eq!(stores.changes.make_due(at(9)).await.unwrap(), 0);
    let later = DeadLetter {
        reason: "another".to_owned(),
        ..dead_letter(1, "shop.order-1.1", 10)
    };
    assert_eq!(set_aside(stores, &later).await, SetAside::Done);
    let reopened = DeadLetter {
        first_seen_at: at(1),
        ..later
    };
    assert_eq!(open(stores).await, [reopened]);
}

/// By provider, reference and reason, until it was applied.
pub async fn the_audit_names_every_open_dead_letter(stores: &Stores) {
    let first = dead_letter(1, "shop.order-1.1", 1);
    assert_eq!(set_aside(stores, &first).await, SetAside::Done);
    let checks = stores.audit.audit(at(2), Serving::No).await.unwrap();
    let mut outcomes = checks.into_iter().filter(|check| check.invariant == "I18");
    let outcome = outcomes.next().expect("I18 is checked").outcome;
    let CheckOutcome::Broken { offences } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(offences.len(), 1);
    for part in ["sandbox", "shop.order-1.1", "the wallet cannot hold more"] {
        assert!(offences[0].contains(part), "{part}: {offences:?}");
    }
    assert!(stores.changes.resolve(&first.id, at(5)).await.unwrap());
    stores.must_be_clean(at(6)).await;
}

/// The verdict differs from that of too little money: only making room helps.
pub async fn a_wallet_at_the_largest_amount_takes_no_more(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    let opened = stores.has_opened(&airtime().priced("970.00")).await;
    let sold = stores
        .has_applied(&opened, &delivered(&opened), at(1))
        .await;
    let fund = async |under: &str, minor: i64| {
        let paid_in = Funding {
            amount: kobo(minor),
            ..funding("shop", under, "1.00")
        };
        stores.commit(ChangeSet::Fund(paid_in)).await
    };
    let (left, _) = stores.balances("shop").await;
    assert_eq!(
        fund("slip-1", Money::MAX_MINOR - left).await,
        CommitOutcome::Done
    );
    assert_eq!(fund("slip-2", 1).await, CommitOutcome::BalanceLimit);
    let step = advance(&sold, &reversed(&sold), at(2));
    assert_eq!(stores.step(&step).await, CommitOutcome::BalanceLimit);
    assert_eq!(stores.reread(&sold).await, Some(sold));
    assert_eq!(stores.balances("shop").await, (Money::MAX_MINOR, 0));
    stores.must_be_clean(at(3)).await;
}
