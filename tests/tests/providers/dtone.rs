//! Airtime through DT One's interface: an answer that is lost, a refusal that another provider
//! makes good, and a callback. A number must be credited once.

use crate::dtone_server::{API_KEY, API_SECRET, FakeDtone, RANGED, TransactionFate};
use reqwest::Method;
use serde_json::Value;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, try_send};
use tests::orders::{AIRTIME, OrderFamily, airtime};
use tests::patience;
use tests::process::GatewayProcess;

/// A gateway whose airtime goes through an account at DT One, and what that cannot deliver to the
/// sandbox within the program.
fn settings(port: u16) -> String {
    format!(
        "{QUICK}
[provider.far]
adapter = \"dtone\"
environment = \"test\"
url = \"http://127.0.0.1:{port}/v1\"
api_key = \"{API_KEY}\"
api_secret = \"{API_SECRET}\"
airtime_products = \"NG:mtn={RANGED}\"

[[route]]
product = \"airtime\"
provider = \"far\"
priority = 1

[[route]]
product = \"airtime\"
provider = \"sandbox\"
priority = 2
"
    )
}

/// An order whose number meets a fate.
fn fated(fake: &FakeDtone, reference: &str, (ending, outcome): (&str, TransactionFate)) -> Value {
    let number = format!("234803123{ending}");
    fake.book().fates.insert(format!("+{number}"), outcome);
    airtime(reference, &number, "1,000.00")
}

async fn ends_as(merchant: &TestMerchant, reference: &str, status: &str) {
    let report = OrderFamily::Airtime.report(reference);
    patience::eventually(
        "the end of a payment",
        Duration::from_secs(40),
        async || {
            let answer = merchant.get(&report).await.with_status(200);
            (answer.txn_status() == status).then_some(())
        },
    )
    .await;
}

/// How many transactions credit a number.
fn deliveries_to(fake: &FakeDtone, ending: &str) -> usize {
    let number = format!("+234803123{ending}");
    let book = fake.book();
    let to = book
        .transactions
        .iter()
        .filter(|(_, it)| it.goes_to(&number));
    let references: Vec<String> = to.map(|(reference, _)| reference.clone()).collect();
    drop(book);
    let delivered = references.iter().filter(|it| fake.deliveries(it) == 1);
    delivered.count()
}

#[tokio::test]
async fn airtime_is_delivered_once_whatever_becomes_of_the_answer() {
    let fake = FakeDtone::start(0).await;
    let folder = GatewayFolder::with(&settings(fake.port));
    let account = folder.account("Airtime", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);

    let order = fated(&fake, "plain", ("4567", TransactionFate::Completed));
    let answer = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");

    // Delivered, and the answer is lost: found by our reference, and nothing else delivers it.
    let order = fated(&fake, "lost", ("4568", TransactionFate::AnswerLost));
    merchant.post(AIRTIME, &order).await;
    ends_as(&merchant, "lost", "Successful").await;

    // The operator is not available: certainly nothing was delivered, and the next provider does.
    let order = fated(&fake, "down", ("4569", TransactionFate::Declined));
    let answer = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");

    let delivered: Vec<_> = ["4567", "4568", "4569"]
        .iter()
        .map(|ending| deliveries_to(&fake, ending))
        .collect();
    assert_eq!(delivered, [1, 1, 0]);
    let posts = fake.book().seen.clone();
    let posts = posts.iter().filter(|it| it.method == "POST");
    assert_eq!(posts.count(), 3);
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn a_transaction_that_was_reversed_is_known_by_its_callback() {
    let fake = FakeDtone::start(0).await;
    let folder = GatewayFolder::with(&settings(fake.port));
    let account = folder.account("Reversed", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let before = merchant.balance().await;

    let order = fated(&fake, "back", ("4567", TransactionFate::TakenBack));
    let answer = merchant.post(AIRTIME, &order).await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");
    let reference = fake
        .book()
        .transactions
        .keys()
        .next()
        .cloned()
        .expect("one");
    fake.let_time_pass();
    let body = fake.callback(&reference);
    let request = merchant.anonymous(Method::POST, "/provider/far/callback");
    let answer = try_send(request.body(body)).await.expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.body);
    ends_as(&merchant, "back", "Reversed").await;
    assert_eq!(merchant.balance().await, before);
}
