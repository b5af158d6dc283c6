//! What operators freeze beside the running server: an account, a service, a key, a provider and
//! every payment. Merchants see it and do not lift it.

use serde_json::{Value, json};
use std::time::Duration;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders;
use tests::orders::OrderFamily;
use tests::patience::{Deadline, pause};
use tests::process::GatewayProcess;

const NUMBER: &str = "2348031234567";

/// How long an instance may take to read what was signed, with the time of a busy machine.
const READ_MAX: Duration = Duration::from_secs(10);

async fn buy(merchant: &TestMerchant, reference: &str) -> HttpAnswer {
    let order = orders::airtime(reference, NUMBER, "1000");
    merchant.buy(OrderFamily::Airtime, &order).await
}

/// Buys under new references until it is answered with a status, and answers that reply.
async fn buy_until(merchant: &TestMerchant, (name, status): (&str, u16)) -> HttpAnswer {
    let deadline = Deadline::after(READ_MAX);
    for nth in 0.. {
        let reply = buy(merchant, &format!("{name}-{nth}")).await;
        if reply.status == status {
            return reply;
        }
        assert!(!deadline.is_over(), "{reply:?}");
        pause().await;
    }
    unreachable!("the loop ends by its assertion")
}

fn done(folder: &GatewayFolder, words: &[&str]) -> Value {
    folder.run(&[words, &["--json"]].concat()).well().json()
}

#[tokio::test]
async fn an_operator_freezes_an_account_and_its_services_and_the_merchant_lifts_neither() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Frozen", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let shop = ["account", "--identity", &account.identity];
    let reason = ["--reason", "chargebacks, case 12"];
    for (of, scope) in [(&[][..], "account"), (&["--service", "airtime"], "service")] {
        let words = |verb| [&[verb], &shop[..], of, &reason].concat();
        let frozen = done(&folder, &words("freeze"));
        assert_eq!(frozen["status"], json!("Frozen"), "{frozen}");
        assert_eq!(
            (&frozen["scope"], &frozen["changed"]),
            (&json!(scope), &json!(true))
        );
        let again = done(&folder, &words("freeze"));
        assert_eq!(again["changed"], json!(false), "{again}");
        let refused = buy(&merchant, "order-1").await.with_status(403);
        assert!(
            refused.body.contains("frozen by the operator"),
            "{refused:?}"
        );
        let listed = merchant.get("/security/freeze").await.with_status(200);
        let freeze = &listed.json()["freezes"][0];
        assert_eq!(freeze["frzSetBy"], json!("Operator"), "{listed:?}");
        assert_eq!(
            freeze["reason"],
            json!("chargebacks, case 12"),
            "{listed:?}"
        );
        assert_eq!(freeze["frzMadeBy"], Value::Null, "{listed:?}");
        let mut lift = json!({"scope": scope, "reason": "mine"});
        if scope == "service" {
            lift["service"] = json!("airtime");
        }
        let refused = merchant.post("/security/unfreeze", &lift).await;
        assert_eq!(refused.status, 403, "{refused:?}");
        let ended = done(&folder, &words("unfreeze"));
        assert_eq!(ended["status"], json!("Active"), "{ended}");
        let again = done(&folder, &words("unfreeze"));
        assert_eq!(again["changed"], json!(false), "{again}");
    }
    // The server remembers accounts for a second.
    buy_until(&merchant, ("order", 200)).await;
    let log = folder.run(&["operator", "log"]).well();
    // What is frozen already is signed and set again.
    assert_eq!(log.stdout.matches("account-freeze").count(), 4, "{log:?}");
    assert_eq!(log.stdout.matches("account-unfreeze").count(), 2, "{log:?}");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn an_operator_freezes_a_key_which_opens_nothing_until_it_goes_on() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Frozen", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let keys = merchant.get("/account/permissions").await.with_status(200);
    let key = keys.json()["permissions"][0]["keyIdentifier"].clone();
    let key = key.as_str().expect("the key of the request").to_owned();
    let words = |verb| {
        let what = ["account", "--identity", &account.identity, "--key", &key];
        [&[verb], &what[..], &["--reason", "published"]].concat()
    };
    let frozen = done(&folder, &words("freeze"));
    assert_eq!(frozen["keyIdentifier"], json!(key), "{frozen}");
    buy_until(&merchant, ("key", 403)).await;
    let _lifted = done(&folder, &words("unfreeze"));
    buy_until(&merchant, ("again", 200)).await;
}

#[tokio::test]
async fn every_payment_is_frozen_by_one_command_and_goes_on_by_another() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Frozen", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    buy(&merchant, "before").await.with_status(200);
    let reason = ["--reason", "a fault in the prices"];
    let words = |verb| [&[verb, "all"], &reason[..]].concat();
    let frozen = done(&folder, &words("freeze"));
    assert_eq!(
        (&frozen["scope"], &frozen["changed"]),
        (&json!("all"), &json!(true))
    );
    let refused = buy_until(&merchant, ("frozen", 503)).await;
    assert!(
        refused.body.contains("frozen by the operator"),
        "{refused:?}"
    );
    assert_eq!(refused.header("retry-after"), Some("60"), "{refused:?}");
    merchant.get("/account/balance").await.with_status(200);
    let again = done(&folder, &words("freeze"));
    assert_eq!(
        (&again["changed"], &again["frozenBy"]),
        (&json!(false), &json!("alpha"))
    );
    let status = folder.run(&["status", "--json"]).json();
    assert_eq!(
        status["frozen"]["reason"],
        json!("a fault in the prices"),
        "{status}"
    );
    let said = status["attention"].to_string();
    assert!(said.contains("an operator froze payments"), "{status}");
    let lifted = done(&folder, &words("unfreeze"));
    assert_eq!(
        (&lifted["status"], &lifted["changed"]),
        (&json!("Active"), &json!(true))
    );
    buy_until(&merchant, ("after", 200)).await;
}

#[test]
fn what_cannot_be_frozen_is_named() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Frozen", "1000000.00");
    let refused = |words: &[&str]| {
        let reason = ["--reason", "a test"];
        folder
            .run(&[&["freeze"], words, &reason].concat())
            .refused()
            .stderr
    };
    let identity = account.identity.as_str();
    let unknown = refused(&["account", "--identity", "nothing_here"]);
    assert!(
        unknown.contains("there is no account nothing_here"),
        "{unknown}"
    );
    let service = refused(&["account", "--identity", identity, "--service", "taxi"]);
    assert!(service.contains("--service must be one of"), "{service}");
    let key = refused(&[
        "account",
        "--identity",
        identity,
        "--key",
        "00c3a5d97b21f04e",
    ]);
    assert!(key.contains("names no key that opens"), "{key}");
    let provider = refused(&["provider", "nowhere"]);
    assert!(
        provider.contains("there is no [provider.nowhere]"),
        "{provider}"
    );
    let log = folder.run(&["operator", "log"]).well();
    assert!(!log.stdout.contains("freeze"), "{log:?}");
}
