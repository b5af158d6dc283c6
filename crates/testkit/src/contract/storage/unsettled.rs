//! Laws of what is not final: where it stands, and when it is looked at next.

use super::setup::Stores;
use crate::builders::{account_id, airtime, at, delivered, kobo, mismatched, pending};
use domain::transaction::Transaction;
use ports::backlog::OpenState;

/// Until it is final, unless a person is waited for.
pub async fn when_a_payment_is_looked_at_next_is_known_until_it_is_final(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    let due = async |tx: &Transaction| {
        let due = stores.transactions.due_at(&tx.account, tx.number);
        due.await.expect("when it is due")
    };
    let sending = stores.has_opened(&airtime().nth(1).due_at(at(30))).await;
    assert_eq!(due(&sending).await, Some(at(30)));
    let queued = airtime().nth(2).queued(at(60), at(70));
    let queued = stores.has_opened(&queued).await;
    assert_eq!(due(&queued).await, Some(at(60)));
    let reviewed = stores.has_opened(&airtime().nth(3)).await;
    let reviewed = stores
        .has_applied(&reviewed, &mismatched(&reviewed), at(1))
        .await;
    assert_eq!(due(&reviewed).await, None);
    let done = stores
        .has_applied(&sending, &delivered(&sending), at(2))
        .await;
    assert_eq!(due(&done).await, None);
    let ghost = account_id("ghost");
    let unknown = stores.transactions.due_at(&ghost, queued.number);
    assert_eq!(unknown.await.unwrap(), None);
}

/// Only what is in a state now is listed, what was accepted first, up to the limit.
pub async fn what_is_not_final_is_listed_by_state_oldest_first(stores: &Stores) {
    stores.has_account("shop", "100,000.00").await;
    let mut waiting: Vec<Transaction> = Vec::new();
    // The order of the numbers is not the order of time.
    for (n, second) in [(5, 1), (9, 2), (2, 3), (7, 4)] {
        let tx = stores
            .has_opened(&airtime().nth(n).opened_at(at(second)))
            .await;
        waiting.push(
            stores
                .has_applied(&tx, &mismatched(&tx), at(second + 10))
                .await,
        );
    }
    let open = stores.has_opened(&airtime().nth(3)).await;
    let verdict = domain::transaction::Verdict::NotDelivered;
    let ruled = waiting.remove(1);
    stores
        .has_applied(&ruled, &crate::builders::ruled(verdict), at(30))
        .await;

    let doubted = stores.has_applied(&open, &pending(&open), at(1)).await;
    let sending = stores.has_opened(&airtime().nth(8).opened_at(at(40))).await;
    let later = airtime().nth(6).opened_at(at(50));
    let queued = stores.has_opened(&later.queued(at(60), at(70))).await;
    let listed = |state, limit| stores.transactions.unsettled(state, limit);
    for (state, expected) in [
        (OpenState::Review, waiting.as_slice()),
        (OpenState::InDoubt, std::slice::from_ref(&doubted)),
        (OpenState::Sending, std::slice::from_ref(&sending)),
        (OpenState::Queued, std::slice::from_ref(&queued)),
    ] {
        assert_eq!(listed(state, 10).await.unwrap(), expected, "{state:?}");
    }
    assert_eq!(listed(OpenState::Review, 2).await.unwrap(), waiting[..2]);
    assert_eq!(waiting[0].quote.price, kobo(97_000));
}
