//! Laws of erasing. Whatever is erased, money and states must stay as they were.

use super::setup::Stores;
use crate::builders::{at, delivered, electricity, reference, reversed};
use domain::provider::Fulfilment;
use domain::transaction::{Reversed, State, Transaction};

/// The number of the meter token of a stored payment, if it still has one.
async fn token(stores: &Stores, tx: &Transaction) -> Option<String> {
    let found = stores.transactions.by_reference(&tx.account, &tx.reference);
    let found = found.await.expect("read").expect("it was opened");
    let (State::Successful(delivered) | State::Reversed(Reversed { delivered, .. })) = found.state
    else {
        panic!("{} was not delivered", found.reference);
    };
    let Fulfilment::Electricity(vend) = delivered.fulfilment else {
        panic!("a vend: {:?}", delivered.fulfilment);
    };
    let token = vend.token.expect("a prepaid vend has a token");
    token.number.map(|number| number.digits().to_owned())
}

/// Tokens of payments before a moment are erased, the oldest first; what else a payment is stays,
/// and a payment whose token was erased can be taken back.
pub async fn old_meter_tokens_are_erased_and_nothing_else(stores: &Stores) {
    stores.has_account("shop", "50,000.00").await;
    let mut bought = Vec::new();
    for (n, opened) in [(1, 10), (2, 20), (3, 30)] {
        let name = reference(&format!("order-{n}"));
        let purchase = electricity()
            .nth(n)
            .reference(name.as_str())
            .opened_at(at(opened));
        let tx = stores.has_opened(&purchase).await;
        bought.push(
            stores
                .has_applied(&tx, &delivered(&tx), at(opened + 1))
                .await,
        );
    }
    let before = stores.balances("shop").await;
    let erase = async |before, most| {
        let erased = stores.retention.erase_tokens(at(before), most).await;
        erased.expect("erase")
    };
    assert_eq!(erase(10, 9).await, 0);
    assert_eq!(erase(30, 1).await, 1);
    assert_eq!(token(stores, &bought[0]).await, None);
    assert!(token(stores, &bought[1]).await.is_some());
    assert_eq!(erase(30, 9).await, 1);
    assert_eq!(erase(30, 9).await, 0);
    assert_eq!(token(stores, &bought[1]).await, None);
    assert!(token(stores, &bought[2]).await.is_some());
    assert_eq!(stores.balances("shop").await, before);
    let first = stores
        .transactions
        .by_reference(&bought[0].account, &bought[0].reference);
    let first = first.await.expect("read").expect("it was opened");
    let reversed = stores.has_applied(&first, &reversed(&first), at(50)).await;
    assert_eq!(token(stores, &reversed).await, None);
    stores.must_be_clean(at(60)).await;
}
