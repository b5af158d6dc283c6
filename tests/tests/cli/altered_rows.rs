//! Rows that were written past the gateway, as its operator meets them. What each store refuses
//! must not be repeated here.

use crate::audit::{change, kept};
use tests::merchant::TestMerchant;
use tests::orders::OrderFamily;
use tests::process::GatewayProcess;
use tests::provider_journal;

#[tokio::test]
async fn a_forged_balance_is_not_spent_until_a_person_has_put_it_right() {
    let folder = kept().await;
    let account = folder.account("Second", "100000.00");
    let forged = format!(
        "UPDATE wallets SET available = available + 100000, mac = '1:AAAAAAAAAAAAAAAAAAAAAA'
        WHERE account = '{}' AND currency = 'NGN'",
        account.identity
    );
    change(&folder, &forged).unwrap();
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let (path, order) = (OrderFamily::Airtime.path(), |reference: &str| {
        OrderFamily::Airtime.order(reference, "0000")
    });
    let refused = merchant.post(path, &order("forged-1")).await;
    assert_eq!(refused.status, 503, "{refused:?}");
    let said = "its row was changed by other means than the gateway";
    assert!(server.log().contains(said), "{}", server.log());
    assert!(server.interrupt().await.success());
    let audit = folder.run(&["audit"]).refused();
    let named = format!(
        "the wallet of {} in NGN was written by other means than the gateway",
        account.identity
    );
    assert!(audit.stdout.contains(&named), "{audit:?}");
    let again = [
        "key-ring",
        "authenticate",
        "--altered",
        "--reason",
        "ticket 4711",
    ];
    let given = folder.run(&again).well();
    assert!(
        given.stdout.contains("is not the sum of its transfers"),
        "{given:?}"
    );
    let right = forged.replace("+ 100000", "- 100000");
    change(&folder, &right).unwrap();
    let given = folder.run(&again).well();
    assert!(
        given.stdout.contains("0 transactions and 1 wallets"),
        "{given:?}"
    );
    provider_journal::audit_is_clean(&folder);
    let log = folder.run(&["operator", "log"]).well();
    assert!(log.stdout.contains("rows-authenticate"), "{log:?}");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let bought = merchant.post(path, &order("forged-1")).await;
    assert_eq!(bought.status, 200, "{bought:?}");
    assert!(server.interrupt().await.success());
    let done = folder.run(&["key-ring", "authenticate"]).well();
    assert!(done.stdout.contains("nothing was changed"), "{done:?}");
}
