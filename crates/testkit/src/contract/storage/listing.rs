//! Laws of reading the newest transactions of an account.

use super::setup::Stores;
use crate::builders::{PurchaseBuilder, account_id, airtime, at, sms};
use domain::order::Service;
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use ports::transactions::TransactionRange;

/// A purchase of `shop`, accepted at the moment of its number.
fn bought(purchase: PurchaseBuilder, n: u64) -> PurchaseBuilder {
    purchase.nth(n).opened_at(at(n))
}

/// Airtime accepted at 1, 2 and 4, a message at 3, and airtime of another account at 2.
async fn history(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_account("kiosk", "10,000.00").await;
    for n in [4, 1, 2] {
        stores.has_opened(&bought(airtime(), n)).await;
    }
    stores.has_opened(&bought(sms(), 3)).await;
    stores.has_opened(&bought(airtime(), 2).by("kiosk")).await;
}

fn all(services: &[Service]) -> TransactionRange {
    TransactionRange {
        services: services.to_vec(),
        from: None,
        until: None,
        limit: 100,
    }
}

/// The moments at which what was read was accepted.
async fn read(stores: &Stores, account: &str, range: &TransactionRange) -> Vec<Timestamp> {
    let found = stores
        .transactions
        .newest(&account_id(account), range)
        .await;
    let found = found.expect("read the newest transactions");
    assert!(found.iter().all(|it| it.account.as_str() == account));
    found.iter().map(|it| it.opened_at).collect()
}

/// Of the products that are named, the newest first, and nothing of another account.
pub async fn the_newest_transactions_of_products_come_first(stores: &Stores) {
    history(stores).await;
    let airtime_only = all(&[Service::Airtime]);
    assert_eq!(
        read(stores, "shop", &airtime_only).await,
        [at(4), at(2), at(1)]
    );
    let both = all(&[Service::Sms, Service::Airtime]);
    let moments = read(stores, "shop", &both).await;
    assert_eq!(moments, [at(4), at(3), at(2), at(1)]);
    assert_eq!(read(stores, "kiosk", &both).await, [at(2)]);
    assert_eq!(read(stores, "shop", &all(&[Service::Bank])).await, []);
    assert_eq!(read(stores, "shop", &all(&[])).await, []);
    assert_eq!(read(stores, "ghost", &both).await, []);
    let everything: Vec<_> = Service::all().collect();
    assert_eq!(read(stores, "shop", &all(&everything)).await, moments);
}

/// The beginning of a range is in it and its end is not; of what is within, the newest are read.
pub async fn a_range_of_transactions_has_two_ends_and_a_limit(stores: &Stores) {
    history(stores).await;
    let both = all(&[Service::Sms, Service::Airtime]);
    let within = |from: Option<u64>, until: Option<u64>, limit| TransactionRange {
        from: from.map(at),
        until: until.map(at),
        limit,
        ..both.clone()
    };
    for (range, expected) in [
        (within(Some(2), Some(4), 9), vec![at(3), at(2)]),
        (within(Some(3), None, 9), vec![at(4), at(3)]),
        (within(None, Some(3), 9), vec![at(2), at(1)]),
        (within(Some(5), None, 9), vec![]),
        (within(Some(3), Some(3), 9), vec![]),
        (within(None, None, 2), vec![at(4), at(3)]),
        (within(None, Some(4), 2), vec![at(3), at(2)]),
        (within(Some(1), Some(4), 1), vec![at(3)]),
    ] {
        assert_eq!(read(stores, "shop", &range).await, expected, "{range:?}");
    }
}

/// Of those accepted at one moment, the one with the highest number is the newest.
pub async fn transactions_of_one_moment_are_in_the_order_of_their_numbers(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    for n in [2, 3, 1] {
        stores.has_opened(&airtime().nth(n).opened_at(at(7))).await;
    }
    let range = TransactionRange {
        limit: 2,
        ..all(&[Service::Airtime])
    };
    let shop = account_id("shop");
    let found = stores.transactions.newest(&shop, &range).await.unwrap();
    let references: Vec<_> = found.iter().map(|it| it.reference.as_str()).collect();
    let expected = [3, 2].map(|n| airtime().nth(n).transaction().reference);
    assert_eq!(
        references,
        expected.each_ref().map(MerchantReference::as_str)
    );
}
