//! A code is spent once over all instances. It must show it by what is left in the balance, and by
//! the audit.

use tests::fleet::Fleet;
use tests::folder::OPEN;
use tests::provider_journal;
use tests::vouchers;

#[tokio::test(flavor = "multi_thread")]
async fn redemptions_of_one_code_at_every_instance_spend_it_once() {
    let fleet = Fleet::start(OPEN);
    let merchants = fleet.merchants();
    let [first, ..] = &merchants;
    let before = first.balance().await;
    let [code, promo] = vouchers::make(first).await;
    let done = vouchers::redeem(&merchants, 1_000, (&code, "500.00")).await;
    assert_eq!(done.len(), 1, "{done:?}");
    let counted = vouchers::redeem(&merchants, 90, (&promo, "500.00")).await;
    assert_eq!(counted.len(), 10, "{counted:?}");
    assert_eq!(first.balance().await, before);
    provider_journal::audit_is_clean(&fleet.account.folder);
}
