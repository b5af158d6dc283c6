//! Whose an account is, and what is left of our money, as the server knows them.

use crate::bench::{GTBANK, PaystackBench, bench};
use domain::bank::{AccountKind, AccountNumber, BankAccount, BankIdentifier};
use ports::banks::BankAccounts;
use ports::provider::{LookupFailure, Provider as _};
use serde_json::{Value, json};
use testkit::builders::naira;
use testkit::http_server::ServedAnswer;

async fn account(
    bench: &PaystackBench,
    bank: &str,
    number: &str,
) -> Result<BankAccount, LookupFailure> {
    let bank = BankIdentifier::parse(bank).unwrap();
    let number = AccountNumber::parse(number).unwrap();
    bench.provider.account(&bank, &number).await
}

#[tokio::test]
async fn an_account_is_found_as_its_bank_knows_it() {
    let bench = bench().await;
    let found = account(&bench, GTBANK, "0123456789").await.unwrap();
    assert_eq!(found.name, "OKAFOR CHIDI 89");
    assert_eq!(
        (found.bank.as_str(), found.number.digits()),
        (GTBANK, "0123456789")
    );
    assert_eq!(found.kind, AccountKind::Savings);
    let seen = bench.fake.book().seen[0].clone();
    let asked = (
        seen.parameter("account_number"),
        seen.parameter("bank_code"),
    );
    assert_eq!(asked, (Some("0123456789"), Some("058")));
}

#[tokio::test]
async fn an_account_that_is_not_there_is_told_from_a_bank_that_is_not_reached() {
    let bench = bench().await;
    let unknown = account(&bench, GTBANK, "9990000000").await;
    assert_eq!(unknown, Err(LookupFailure::Unknown));
    let unmapped = account(&bench, "NGNIP999999", "0123456789").await;
    assert_eq!(unmapped, Err(LookupFailure::Unreachable));
    let named = |number: &str, name: &str| {
        json!({"status": true, "data": {"account_number": number, "account_name": name}})
            .to_string()
    };
    for (answer, expected) in [
        (ServedAnswer::Broken, LookupFailure::Unreachable),
        (
            ServedAnswer::Json(500, "{}".into()),
            LookupFailure::Unreachable,
        ),
        (
            ServedAnswer::Json(429, "{}".into()),
            LookupFailure::Unreachable,
        ),
        (
            ServedAnswer::Json(401, json!({"status": false}).to_string()),
            LookupFailure::Unreachable,
        ),
        (
            ServedAnswer::Json(400, json!({"status": false, "message": "x"}).to_string()),
            LookupFailure::Unusable,
        ),
        (
            ServedAnswer::Page(200, "<html></html>".into()),
            LookupFailure::Unusable,
        ),
        (
            ServedAnswer::Json(200, named("0123456788", "A B")),
            LookupFailure::Unusable,
        ),
        (
            ServedAnswer::Json(200, named("0123456789", " ")),
            LookupFailure::Unusable,
        ),
        (
            ServedAnswer::Json(200, named("0123456789", "A B").replace("true", "false")),
            LookupFailure::Unusable,
        ),
    ] {
        bench
            .fake
            .book()
            .replaced
            .insert("/bank/resolve".into(), answer.clone());
        let found = account(&bench, GTBANK, "0123456789").await;
        assert_eq!(found, Err(expected), "{answer:?}");
    }
}

#[tokio::test]
async fn the_balance_is_the_one_in_naira() {
    let bench = bench().await;
    let balance = bench.provider.balance().await.unwrap().unwrap();
    assert_eq!(
        (balance.available, balance.held),
        (naira("17,000.00"), None)
    );
    let replace = |body: Value| {
        let answer = ServedAnswer::Json(200, body.to_string());
        let replaced = &mut bench.fake.book().replaced;
        replaced.insert("/balance".into(), answer);
    };
    replace(json!({"status": true, "data": [{"currency": "GHS", "balance": 1}]}));
    assert_eq!(bench.provider.balance().await.unwrap(), None);
    for body in [
        json!({"status": true}),
        json!({"status": false, "data": [{"currency": "NGN", "balance": 1}]}),
        json!({"status": true, "data": [{"currency": "NGN", "balance": 1.5}]}),
        json!({"status": true, "data": [{"currency": "NGN", "balance": 1},
                                        {"currency": "NGN", "balance": 2}]}),
    ] {
        replace(body.clone());
        assert!(bench.provider.balance().await.is_err(), "{body}");
    }
}
