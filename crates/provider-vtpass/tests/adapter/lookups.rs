//! Meters and smartcards as the server knows them.

use crate::bench::VtpassBench;
use domain::billing::Billing;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::electricity::{DiscoCode, Meter, MeterNumber};
use domain::money::Money;
use ports::provider::{LookupFailure, Meters, Smartcards};
use provider_vtpass::ConfirmRefusals;
use serde_json::{Value, json};
use testkit::builders::{naira, provider_code};

async fn bench() -> VtpassBench {
    VtpassBench::with(ConfirmRefusals::Yes).await
}

async fn meter(bench: &VtpassBench, disco: &str, digits: &str) -> Result<Meter, LookupFailure> {
    let disco = DiscoCode::parse(disco).unwrap();
    let digits = MeterNumber::parse(digits).unwrap();
    bench
        .provider
        .meter(&disco, &digits, Billing::Prepaid)
        .await
}

async fn card(bench: &VtpassBench, digits: &str) -> Result<Smartcard, LookupFailure> {
    let digits = SmartcardNumber::parse(digits).unwrap();
    bench
        .provider
        .smartcard(&provider_code("202"), &digits)
        .await
}

#[tokio::test]
async fn customers_are_found_as_their_billers_know_them() {
    let bench = bench().await;
    let meter = meter(&bench, "106", "1111111111111").await.unwrap();
    assert_eq!(meter.brandname, "Ikeja Electric");
    assert_eq!(meter.tariff.rate, None, "the interface has no tariff");
    assert_eq!(meter.owner, "ADAEZE OKONKWO");
    assert_eq!(
        (meter.debt, meter.minimum),
        (Some(naira("1,250.50")), naira("500.00"))
    );
    assert_eq!(
        meter.maximum.minor(),
        Money::MAX_MINOR,
        "zero means no limit"
    );
    let card = card(&bench, "1212121212").await.unwrap();
    assert_eq!(
        (card.brandname.as_str(), card.status.as_str()),
        ("GOtv", "ACTIVE")
    );
    assert!(card.due_at.is_some() && card.customer_name == "CHINEDU OBI");
    let asked = bench.fake.book().seen.clone();
    let expected = json!({"serviceID": "ikeja-electric", "billersCode": "1111111111111",
                          "type": "prepaid"});
    assert_eq!(
        (asked[0].path.as_str(), &asked[0].body),
        ("merchant-verify", &expected)
    );
    assert_eq!(
        asked[1].body,
        json!({"serviceID": "gotv", "billersCode": "1212121212"})
    );
}

#[tokio::test]
async fn a_wrong_number_is_unknown_although_it_is_answered_as_processed() {
    let bench = bench().await;
    let unknown = LookupFailure::Unknown;
    assert_eq!(
        meter(&bench, "106", "0000000000000").await.unwrap_err(),
        unknown
    );
    assert_eq!(card(&bench, "0000000000").await.unwrap_err(), unknown);
    assert_eq!(
        meter(&bench, "999", "1111111111111").await.unwrap_err(),
        unknown
    );
    for content in [
        json!({"error": "BILLER NOT REACHABLE"}),
        json!({"WrongBillersCode": "true"}),
    ] {
        let body = json!({"code": "000", "content": content}).to_string();
        bench.fake.replace("merchant-verify", 200, body);
        assert_eq!(card(&bench, "1212121212").await.unwrap_err(), unknown);
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_says_nothing_of_the_customer() {
    let bench = bench().await;
    let answers: [(u16, Value, LookupFailure); 7] = [
        (200, json!({"code": "030"}), LookupFailure::Unreachable),
        (500, json!({"code": "000"}), LookupFailure::Unreachable),
        (200, json!({"code": "011"}), LookupFailure::Unusable),
        (200, json!({"code": "087"}), LookupFailure::Unusable),
        (
            200,
            json!({"code": "000", "content": []}),
            LookupFailure::Unusable,
        ),
        (
            200,
            json!({"code": "000", "content": {}}),
            LookupFailure::Unusable,
        ),
        (
            200,
            json!({"code": "000", "content": {"Customer_Name": "A", "Meter_Number": "2222222"}}),
            LookupFailure::Unusable,
        ),
    ];
    for (status, body, expected) in answers {
        bench
            .fake
            .replace("merchant-verify", status, body.to_string());
        let failed = meter(&bench, "106", "1111111111111").await.unwrap_err();
        assert_eq!(failed, expected, "{body}");
    }
}
