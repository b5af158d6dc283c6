//! Signed requests over starts of the server, and as the documentation has them. The example must
//! work as it is printed.

use std::process::Command;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::process::GatewayProcess;
use tests::provider_journal;
use tests::signing::SigningMerchant;

const BALANCE: &str = "/account/balance";
const EXAMPLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../docs/examples/signing/signed_request.py"
);

#[tokio::test]
async fn a_key_signs_over_a_start_as_it_was_made() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Signing", "10000.00");
    let server = GatewayProcess::start(&folder);
    let owner = TestMerchant::new(&folder, server.address(), &account);
    let till = SigningMerchant::make(&owner, "read").await;
    till.get(BALANCE, "first").await.with_status(200);
    let refused = till.merchant.get(BALANCE).await.with_status(401);
    assert_eq!(refused.json()["serviceCode"], 802, "{refused:?}");
    server.terminate().await;
    let server = GatewayProcess::start(&folder);
    let till = till.as_client(&owner.at(server.address()));
    till.get(BALANCE, "second").await.with_status(200);
    till.get(BALANCE, "second").await.with_status(401);
    till.merchant.get(BALANCE).await.with_status(401);
    let shown = till.get("/account/permissions", "third").await;
    assert!(shown.with_status(200).body.contains("\"keySigned\":true"));
    provider_journal::audit_is_clean(&folder);
}

#[tokio::test]
async fn the_example_buys_as_it_is_printed() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Example", "10000.00");
    let server = GatewayProcess::start(&folder);
    let owner = TestMerchant::new(&folder, server.address(), &account);
    let till = SigningMerchant::make(&owner, "pay").await;
    let authority = folder.beside("authority.pem");
    std::fs::write(&authority, folder.certificate()).expect("the certificate");
    let mut python = Command::new("python3");
    python
        .arg(EXAMPLE)
        .env("MANILLA_URL", format!("https://{}", server.address()))
        .env("MANILLA_IDENTITY", &account.identity)
        .env("MANILLA_KEY", &till.key)
        .env("MANILLA_KEY_ID", &till.id)
        .env("MANILLA_SIGNING_SECRET", &till.secret)
        .env("MANILLA_CA", &authority);
    let ran = tokio::task::spawn_blocking(move || python.output());
    let ran = ran.await.expect("a thread").expect("python3");
    let errors = String::from_utf8_lossy(&ran.stderr);
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{errors}");
    assert_eq!(printed.trim(), "200 Successful", "{errors}");
    let example = std::fs::read_to_string(EXAMPLE).expect("the example");
    let page = include_str!("../../../docs/REQUEST-SIGNING.md");
    assert!(page.contains(&format!("```python\n{example}```\n")));
}
