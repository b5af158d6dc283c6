//! The statement of an account, read line by line, beside what it must say. It must not ask the
//! gateway for sums: it adds the lines up itself.

use super::expected::{ExpectedBooks, LineKey, LineSum};
use crate::account::BALANCE;
use crate::folder::{GatewayFolder, MerchantCredentials};
use crate::merchant::TestMerchant;
use crate::orders::OrderFamily;
use crate::patience;
use crate::provider_journal::minor;
use crate::purchases::{LastAnswer, PurchaseEnd, PurchaseFollower, TestPurchase};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// Waits until all payments have come to their end and all files are there, and demands that the
/// statements of both accounts have the lines that the answers lead to, and no others. Gives the
/// payments.
///
/// # Panics
/// When a line is missing, is there twice or was not asked for.
pub async fn check(
    folder: &GatewayFolder,
    (payer, credentials): (&TestMerchant, &MerchantCredentials),
    recipient: &TestMerchant,
    (mut expected, within): (ExpectedBooks, Duration),
) -> Vec<PurchaseEnd> {
    assert!(!expected.reports.is_empty(), "no file of a report was made");
    let runs = runs(payer, &expected.subscriptions, within).await;
    expected.payments.extend(runs);
    files_are_there(payer, &expected.reports, within).await;
    let follower = PurchaseFollower {
        folder,
        merchant: payer,
        identity: &credentials.identity,
    };
    let endings = follower.until_settled(&expected.payments, within).await;
    for ending in &endings {
        assert!(
            ending.keeps_its_answer(),
            "what was said is no longer so: {ending:?}"
        );
    }
    expected.check_decisions(&endings);
    expected.add_payments(&endings);
    let suspended: i64 = endings.iter().map(PurchaseEnd::suspended).sum();
    for currency in ["NGN", "CRD"] {
        has_lines(payer, &expected.lines, currency).await;
    }
    has_lines(recipient, &expected.received, "NGN").await;
    let (_, held) = payer.balance().await;
    assert_eq!(minor(&held), expected.unclaimed + suspended, "what is held");
    endings
}

/// The payments of subscriptions, once each has had its run.
async fn runs(merchant: &TestMerchant, numbers: &[String], within: Duration) -> Vec<TestPurchase> {
    let mut payments = Vec::new();
    for number in numbers {
        let path = format!("/billing/subscription/runs?subIdentifier={number}");
        let reference = patience::eventually("a run", within, async || {
            let runs = merchant.get(&path).await.with_status(200).json();
            let runs = runs["runs"].as_array().expect("runs").clone();
            assert!(runs.len() <= 1, "{runs:?}");
            let reference = runs.first()?["mrcReference"].as_str();
            let has_payment = !runs.first()?["txnReference"].is_null();
            reference.filter(|_| has_payment).map(str::to_owned)
        });
        payments.push(TestPurchase {
            family: OrderFamily::Airtime,
            reference: reference.await,
            ending: "0000",
            received: LastAnswer::Accepted("Pending".to_owned()),
        });
    }
    payments
}

async fn files_are_there(merchant: &TestMerchant, numbers: &[String], within: Duration) {
    for number in numbers {
        let path = format!("/reporting/run?repIdentifier={number}");
        patience::eventually("a file of a report", within, async || {
            let run = merchant.get(&path).await.with_status(200);
            let status = run.text("repStatus");
            assert!(["Pending", "Ready"].contains(&&*status), "{run:?}");
            (status == "Ready").then_some(())
        })
        .await;
    }
}

/// Demands that the lines of a currency come to what is expected under each key, that each follows
/// from the one before, and that the balance is what the last one says.
async fn has_lines(
    merchant: &TestMerchant,
    expected: &BTreeMap<LineKey, LineSum>,
    currency: &'static str,
) {
    let opening = if currency == "NGN" { BALANCE.0 } else { 0 };
    let mut wanted = expected.clone();
    wanted.retain(|(of, _), _| *of == currency);
    if opening > 0 {
        let key = (currency, "Opening balance".to_owned());
        wanted.entry(key).or_default().add(opening);
    }
    let mut found = BTreeMap::<_, LineSum>::new();
    let mut after = 0;
    for line in lines(merchant, currency).await {
        let number = |field: &str| minor(line[field].as_str().expect("an amount"));
        let amount = match line["stmType"].as_str() {
            Some("Credit") => number("stmAmount"),
            _ => -number("stmAmount"),
        };
        assert_eq!(number("balBefore"), after, "{line}");
        after += amount;
        assert_eq!(number("balAfter"), after, "{line}");
        found.entry((currency, key(&line))).or_default().add(amount);
    }
    let name = format!("the balance in {currency}");
    let shown = merchant
        .get("/account/balance")
        .await
        .with_status(200)
        .json();
    let shown = shown["balances"].as_array().expect("balances").clone();
    let shown = shown.iter().find(|it| it["accCurrency"] == currency);
    let available = shown.map_or(0, |it| minor(it["accBalance"].as_str().expect("an amount")));
    assert_eq!(available, after, "{name}");
    // A payment that failed has two lines, which come to nothing.
    let is_undone = |line: &LineSum| (line.amount, line.lines) == (0, 2);
    let differs: Vec<_> = found
        .keys()
        .chain(wanted.keys())
        .map(|key| (key, found.get(key), wanted.get(key)))
        .filter(|(_, found, wanted)| found != wanted)
        .filter(|(_, found, wanted)| wanted.is_some() || !found.is_some_and(is_undone))
        .collect();
    assert!(differs.is_empty(), "line, found, expected: {differs:#?}");
}

async fn lines(merchant: &TestMerchant, currency: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    loop {
        let offset = lines.len();
        let path = format!("/account/statement?stmCurrency={currency}&offset={offset}");
        let page = merchant.get(&path).await.with_status(200).json();
        let page = page["statements"].as_array().expect("lines").clone();
        if page.is_empty() {
            return lines;
        }
        lines.extend(page);
    }
}

/// The reference of a line; what it narrates where it has none, without the number of a payment.
fn key(line: &Value) -> String {
    if let Some(reference) = line["mrcReference"].as_str() {
        return reference.to_owned();
    }
    let narration = line["stmNarration"].as_str().expect("a narration");
    match narration.split_once(": ") {
        Some((before, of)) if before.starts_with("Payment ") => format!("Payment: {of}"),
        _ => narration.to_owned(),
    }
}
