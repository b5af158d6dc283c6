//! Laws of the statement: what changed what an account can spend, line by line.

use super::setup::{Stores, whole};
use crate::builders::{airtime, at, declined, delivered, funding, reference, reversed};
use domain::change_set::ChangeSet;
use domain::statement::{Direction, Sort, StatementEntry, StatementQuery};
use ports::ledger_store::CommitOutcome;

/// Six lines for `shop`: paid in, order-1 held and delivered, order-2 held and released, paid in,
/// order-1 returned.
async fn history(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    let first = stores.has_opened(&airtime().nth(1)).await;
    let first = stores.has_applied(&first, &delivered(&first), at(1)).await;
    let second = stores
        .has_opened(&airtime().nth(2).worth("300.00").opened_at(at(2)))
        .await;
    stores.has_applied(&second, &declined(&second), at(3)).await;
    let credit = ChangeSet::Fund(funding("shop", "slip-1", "500.00"));
    assert_eq!(stores.commit(credit).await, CommitOutcome::Done);
    stores.has_applied(&first, &reversed(&first), at(4)).await;
}

fn sums(lines: &[StatementEntry]) -> Vec<i64> {
    let signed = |line: &StatementEntry| match line.direction {
        Direction::Debit => -line.amount.minor(),
        Direction::Credit => line.amount.minor(),
    };
    lines.iter().map(signed).collect()
}

/// Every line starts at the balance the one before it left, and the last leaves the wallet's.
pub async fn statement_lines_chain_from_balance_to_balance(stores: &Stores) {
    history(stores).await;
    let page = stores.statement("shop", &whole()).await;
    let moved = [1_000_000, -97_000, -29_100, 29_100, 50_000, 97_000];
    assert_eq!(sums(&page.entries), moved);
    let mut balance = 0;
    for (line, position) in page.entries.iter().zip(1..) {
        assert_eq!(line.before.minor(), balance);
        balance += sums(std::slice::from_ref(line))[0];
        assert_eq!(line.after.minor(), balance);
        assert_eq!(line.position, position);
    }
    assert_eq!(stores.balances("shop").await, (balance, 0));
    let named: Vec<_> = page
        .entries
        .iter()
        .map(|line| line.transaction.clone())
        .collect();
    let (one, two) = (
        airtime().nth(1).transaction(),
        airtime().nth(2).transaction(),
    );
    let (one, two) = (
        Some((one.number, one.reference)),
        Some((two.number, two.reference)),
    );
    assert_eq!(named, [None, one.clone(), two.clone(), two, None, one]);
    let reported: Vec<_> = page
        .entries
        .iter()
        .map(|line| line.narration.as_str())
        .collect();
    let expected = [
        "Paid in: opening-balance",
        "Airtime MTN 2348031234567",
        "Airtime MTN 2348031234567",
        "Released: Airtime MTN 2348031234567",
        "Paid in: slip-1",
        "Reversed: Airtime MTN 2348031234567",
    ];
    assert_eq!(reported, expected);
    assert_eq!(page.entries[3].at, at(3));
}

/// Pages cut the same lines, say how many there are, and a page beyond the end is empty.
pub async fn a_statement_is_read_in_pages(stores: &Stores) {
    history(stores).await;
    let all = stores.statement("shop", &whole()).await.entries;
    for (offset, length) in [(0, 1), (1, 3), (4, 3), (5, 100), (6, 1), (1_000_000, 1)] {
        let query = StatementQuery {
            offset,
            length,
            ..whole()
        };
        let page = stores.statement("shop", &query).await;
        let skipped = usize::try_from(offset).unwrap();
        let taken = usize::try_from(length).unwrap();
        let expected: Vec<_> = all.iter().skip(skipped).take(taken).cloned().collect();
        assert_eq!(page.entries, expected, "{offset} {length}");
        assert_eq!((page.total, page.found), (6, 6));
    }
}

/// Newest first is oldest first backwards, pages included.
pub async fn a_statement_is_read_from_either_end(stores: &Stores) {
    history(stores).await;
    let mut backwards = stores.statement("shop", &whole()).await.entries;
    backwards.reverse();
    let query = StatementQuery {
        sort: Sort::Descending,
        ..whole()
    };
    assert_eq!(stores.statement("shop", &query).await.entries, backwards);
    let query = StatementQuery {
        offset: 1,
        length: 2,
        ..query
    };
    assert_eq!(
        stores.statement("shop", &query).await.entries,
        backwards[1..3]
    );
}

/// Filters leave `total` alone and say in `found` how many lines satisfy them.
pub async fn a_statement_is_filtered_by_reference_and_direction(stores: &Stores) {
    history(stores).await;
    let ask = async |under: Option<&str>, direction, length| {
        let query = StatementQuery {
            reference: under.map(reference),
            direction,
            length,
            ..whole()
        };
        let page = stores.statement("shop", &query).await;
        assert_eq!(page.total, 6);
        (sums(&page.entries), page.found)
    };
    let (debit, credit) = (Some(Direction::Debit), Some(Direction::Credit));
    assert_eq!(
        ask(Some("order-1"), None, 100).await,
        (vec![-97_000, 97_000], 2)
    );
    assert_eq!(ask(Some("order-1"), credit, 100).await, (vec![97_000], 1));
    assert_eq!(ask(None, debit, 100).await, (vec![-97_000, -29_100], 2));
    assert_eq!(ask(None, credit, 2).await, (vec![1_000_000, 29_100], 4));
    assert_eq!(ask(Some("order-9"), None, 100).await, (vec![], 0));
    // A funding reference is the operator's, not a transaction's.
    assert_eq!(ask(Some("slip-1"), None, 100).await, (vec![], 0));
}

/// Another account's lines are neither shown nor counted, under whatever reference.
pub async fn a_statement_shows_nothing_of_other_accounts(stores: &Stores) {
    history(stores).await;
    stores.has_account("kiosk", "700.00").await;
    stores
        .has_opened(&airtime().nth(1).number(9).by("kiosk").worth("100.00"))
        .await;
    let page = stores.statement("kiosk", &whole()).await;
    assert_eq!(sums(&page.entries), [70_000, -9_700]);
    assert_eq!((page.total, page.found), (2, 2));
    assert_eq!(stores.statement("shop", &whole()).await.total, 6);
    let query = StatementQuery {
        reference: Some(reference("order-1")),
        ..whole()
    };
    assert_eq!(stores.statement("kiosk", &query).await.found, 1);
}
