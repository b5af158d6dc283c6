//! The statement: every movement of the balance, in parts that fit together. It must add up line by
//! line.

use serde_json::Value;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::orders::{AIRTIME, OrderFamily};
use tests::process::GatewayProcess;
use tests::provider_journal::minor;

/// Purchases made, a third of them refused by the provider.
const PURCHASES: u64 = 9;

async fn lines(merchant: &TestMerchant, query: &str) -> (Vec<Value>, Value) {
    let answer = merchant.get(&format!("/account/statement?{query}")).await;
    let body = answer.with_status(200).json();
    (body["statements"].as_array().unwrap().clone(), body)
}

#[tokio::test]
async fn a_statement_adds_up_line_by_line_and_its_parts_make_the_whole() {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Statement", "100000.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    for n in 0..PURCHASES {
        let ending = if n % 3 == 0 { "0001" } else { "0000" };
        let order = OrderFamily::Airtime.order(&format!("line-{n}"), ending);
        merchant.post(AIRTIME, &order).await.with_status(200);
    }
    let (all, body) = lines(&merchant, "").await;
    let expected = 1 + PURCHASES + PURCHASES / 3;
    assert_eq!(all.len() as u64, expected, "{body}");
    check_sums(&all, &merchant.balance().await.0);
    check_parts(&merchant, &all).await;

    let (debits, body) = lines(&merchant, "stmType=Debit").await;
    assert_eq!(debits.len() as u64, PURCHASES);
    assert_eq!(
        (&body["query"]["found"], &body["query"]["total"]),
        (&9.into(), &expected.into())
    );
    let (newest, _) = lines(&merchant, "sort=desc&length=1").await;
    assert_eq!(newest.first(), all.last());
    let (none, body) = lines(&merchant, "offset=1000").await;
    assert!(none.is_empty() && body["metadata"]["total"] == 0, "{body}");
}

/// Each line begins where the one before ended, and moves what it says.
fn check_sums(lines: &[Value], balance: &str) {
    let mut running = 0;
    for line in lines {
        let of = |field: &str| minor(line[field].as_str().unwrap());
        assert_eq!(of("balBefore"), running, "{line}");
        running = match line["stmType"].as_str() {
            Some("Debit") => running - of("stmAmount"),
            Some("Credit") => running + of("stmAmount"),
            _ => panic!("{line}"),
        };
        assert_eq!(of("balAfter"), running, "{line}");
    }
    assert_eq!(running, minor(balance));
}

/// Following `Link` from the first part to the last gives every line once.
async fn check_parts(merchant: &TestMerchant, all: &[Value]) {
    let mut next = Some("/account/statement?length=5".to_owned());
    let mut seen = Vec::new();
    while let Some(path) = next {
        let answer = merchant.get(&path).await.with_status(200);
        assert_eq!(answer.header("total"), Some(&*all.len().to_string()));
        seen.extend(answer.json()["statements"].as_array().unwrap().clone());
        let links = answer.header("link").expect("parts are linked");
        for relation in ["first", "last"] {
            assert!(links.contains(&format!("rel=\"{relation}\"")), "{links}");
        }
        let found = links
            .split(", ")
            .find(|link| link.ends_with("rel=\"next\""));
        let path = |link: &str| link.split(['<', '>']).nth(1).map(str::to_owned);
        next = found.and_then(path);
    }
    assert_eq!(seen, all);
}
