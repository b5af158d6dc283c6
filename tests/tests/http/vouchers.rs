//! A code is spent once, however many ask at once. It must show it by what is left in the balance,
//! and by the audit.

use serde_json::json;
use tests::folder::{GatewayFolder, OPEN};
use tests::merchant::TestMerchant;
use tests::process::GatewayProcess;
use tests::provider_journal;
use tests::vouchers;

/// Redemptions of one code under different references, at once.
const AT_ONCE: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_redemptions_of_one_code_spend_it_once() {
    let folder = GatewayFolder::with(OPEN);
    let account = folder.account("Vouchers", "10000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let [code, promo] = vouchers::make(&merchant).await;
    assert_eq!(merchant.balance().await.0, "9,500.00");
    let merchants = [merchant];
    let done = vouchers::redeem(&merchants, AT_ONCE, (&code, "500.00")).await;
    assert_eq!(done.len(), 1, "{done:?}");
    let [merchant] = &merchants;
    assert_eq!(merchant.balance().await.0, "10,000.00");
    // The same request again is answered as it was.
    let body = json!({"mrcReference": done[0].reference, "vchCode": code, "amount": "500.00"});
    let again = merchant.post("/voucher/redeem", &body).await;
    assert_eq!(again.with_status(200).body, done[0].body);
    let counted = vouchers::redeem(&merchants, 100, (&promo, "500.00")).await;
    assert_eq!(counted.len(), 10, "{counted:?}");
    assert_eq!(merchant.balance().await.0, "10,000.00");
    provider_journal::audit_is_clean(&folder);
}
