//! Payouts through Paystack's interface: an answer that is lost, a callback that a transfer was
//! returned, and a gateway that is killed in between. Money must not leave twice.

use crate::paystack_server::{FakePaystack, SECRET_KEY, TransferFate};
use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha512;
use std::fmt::Write as _;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::{TestMerchant, send, try_send};
use tests::orders::{GTBANK, OrderFamily, PAYOUT, account_number, payout};
use tests::patience;
use tests::process::GatewayProcess;

/// A gateway whose payouts go through an account at Paystack.
fn settings(port: u16) -> String {
    format!(
        "{QUICK}
[provider.bank]
adapter = \"paystack\"
environment = \"test\"
url = \"http://127.0.0.1:{port}\"
secret_key = \"{SECRET_KEY}\"

[[route]]
product = \"bank\"
provider = \"bank\"
"
    )
}

/// A payout to an account that meets a fate.
fn fated(fake: &FakePaystack, reference: &str, (ending, outcome): (&str, TransferFate)) -> Value {
    let account = account_number(GTBANK.1, ending);
    let order = payout(reference, (GTBANK.0, &account), "20,000.00");
    fake.book().fates.insert(account, outcome);
    order
}

async fn ends_as(merchant: &TestMerchant, reference: &str, status: &str) {
    let report = OrderFamily::Bank.report(reference);
    patience::eventually("the end of a payout", Duration::from_secs(40), async || {
        let answer = merchant.get(&report).await.with_status(200);
        (answer.txn_status() == status).then_some(())
    })
    .await;
}

/// What the provider knows the only transfer to an account by.
fn transfer_to(fake: &FakePaystack, ending: &str) -> String {
    let account = account_number(GTBANK.1, ending);
    let book = fake.book();
    let mut to = book.transfers.iter().filter(|(_, it)| it.goes_to(&account));
    let (reference, _) = to.next().expect("a transfer");
    assert!(to.next().is_none(), "one transfer to {account}");
    reference.clone()
}

/// Posts an event to the gateway; the status of the answer.
async fn callback(merchant: &TestMerchant, event: String, key: &str) -> u16 {
    let mut mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(event.as_bytes());
    let mut signature = String::new();
    for byte in mac.finalize().into_bytes() {
        write!(signature, "{byte:02x}").unwrap();
    }
    let request = merchant.anonymous(Method::POST, "/provider/bank/callback");
    let request = request
        .header("x-paystack-signature", signature)
        .body(event);
    try_send(request).await.expect("an answer").status
}

/// How often the server was asked to pay.
fn payments_asked_for(fake: &FakePaystack) -> usize {
    let seen = &fake.book().seen;
    seen.iter().filter(|it| it.path == "/transfer").count()
}

#[tokio::test]
async fn payouts_are_made_once_whatever_becomes_of_the_answer() {
    let fake = FakePaystack::start(0).await;
    let folder = GatewayFolder::with(&settings(fake.port));
    let account = folder.account("Payouts", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);

    let order = fated(&fake, "paid", ("4567", TransferFate::Paid));
    let paid = merchant.post(PAYOUT, &order).await.with_status(200);
    assert_eq!(paid.txn_status(), "Successful");
    let whose = merchant.get(&OrderFamily::Bank.report("paid")).await;
    assert!(whose.body.contains("OKAFOR CHIDI 67"), "{}", whose.body);

    // Refused by our balance: another route could have paid, and there is none.
    let order = fated(&fake, "poor", ("4568", TransferFate::Refused));
    let refused = merchant.post(PAYOUT, &order).await.with_status(200);
    assert_eq!(refused.txn_status(), "Failed");

    // Paid, and the answer is lost: found by a query under our reference.
    let order = fated(&fake, "lost", ("4569", TransferFate::AnswerLost));
    merchant.post(PAYOUT, &order).await;
    ends_as(&merchant, "lost", "Successful").await;

    // Taken, and failed: the query says so.
    let order = fated(&fake, "failed", ("4570", TransferFate::Failed));
    merchant.post(PAYOUT, &order).await;
    ends_as(&merchant, "failed", "Failed").await;

    // Being processed when the gateway is killed.
    let order = fated(&fake, "later", ("4571", TransferFate::Later));
    merchant.post(PAYOUT, &order).await.with_status(202);
    server.kill();
    fake.let_time_pass();
    let server = GatewayProcess::start(&folder);
    let merchant = merchant.at(server.address());
    ends_as(&merchant, "later", "Successful").await;

    assert_eq!(payments_asked_for(&fake), 5);
    for ending in ["4567", "4569", "4571"] {
        assert_eq!(fake.payouts(&transfer_to(&fake, ending)), 1, "{ending}");
    }
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
    assert_eq!(audit["notCompared"], json!(["bank"]), "{audit}");
}

#[tokio::test]
async fn a_transfer_that_was_returned_is_known_by_its_callback() {
    let fake = FakePaystack::start(0).await;
    let folder = GatewayFolder::with(&settings(fake.port));
    let account = folder.account("Returned", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let before = merchant.balance().await;

    let order = fated(&fake, "back", ("4567", TransferFate::TakenBack));
    let paid = merchant.post(PAYOUT, &order).await.with_status(200);
    assert_eq!(paid.txn_status(), "Successful");
    let reference = transfer_to(&fake, "4567");
    let early = fake.event(&reference);
    fake.let_time_pass();
    let event = fake.event(&reference);
    assert!(event.contains("transfer.reversed"), "{event}");

    // An event that is not signed by the key of the account changes nothing and asks nothing.
    let asked = fake.book().seen.len();
    let forged = callback(&merchant, event.clone(), "sk_test_another").await;
    assert!((400..500).contains(&forged), "{forged}");
    assert_eq!(fake.book().seen.len(), asked);
    ends_as(&merchant, "back", "Successful").await;

    // An event says what it says; what is true is asked for.
    assert_eq!(callback(&merchant, early, SECRET_KEY).await, 200);
    ends_as(&merchant, "back", "Reversed").await;
    for _ in 0..2 {
        assert_eq!(callback(&merchant, event.clone(), SECRET_KEY).await, 200);
    }
    assert_eq!(merchant.balance().await, before);
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

/// A command runs while the server answers it, on another thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_its_bank_does_not_know_is_not_paid() {
    let fake = FakePaystack::start(0).await;
    let folder = GatewayFolder::with(&settings(fake.port));
    let account = folder.account("Unknown", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let number = (0..10)
        .map(|digit| format!("999000000{digit}"))
        .find(|number| account_number_fits(number))
        .expect("an account number");
    let order = payout("unknown", (GTBANK.0, &number), "20,000.00");
    let answer = send(merchant.posting(PAYOUT, order.to_string())).await;
    assert_eq!(answer.status, 404, "{}", answer.body);
    assert_eq!(payments_asked_for(&fake), 0);
    let tested = folder.run(&["provider", "test", "bank", "--json"]).well();
    assert_eq!(tested.json()["well"], true);
}

/// Whether a number has the check digit of its bank.
fn account_number_fits(number: &str) -> bool {
    let digits = GTBANK.1.chars().chain(number.chars());
    let digits: Vec<u32> = digits.filter_map(|c| c.to_digit(10)).collect();
    let (check, rest) = digits.split_last().expect("digits");
    let weighted = rest.iter().zip([3, 7, 3].iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    *check == (10 - sum % 10) % 10
}
