//! Who serves a number, as the server knows it.

use crate::bench::{bench, open};
use crate::fake::MTN;
use domain::country::CountryCode;
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use ports::number_operators::NumberOperators;
use ports::provider::LookupFailure;
use serde_json::json;
use testkit::builders::phone;
use testkit::clock::ManualClock;
use testkit::http_server::ServedAnswer;

const NUMBER: &str = "2348031234567";
const LOOKUP: &str = "GET /operators/mnp-lookup/phone/2348031234567/countries/NG";

fn number() -> PhoneNumber {
    phone(NUMBER)
}

#[tokio::test]
async fn a_number_is_served_by_the_network_that_its_operator_is_mapped_to() {
    let bench = bench().await;
    let served = bench
        .provider
        .served_number(&number(), CountryCode::NIGERIA)
        .await;
    let mtn = ServedNumber {
        number: number(),
        operator: ServingOperator::Named("mtn".to_owned()),
    };
    assert_eq!(served, Ok(mtn));
    let seen = bench.fake.book().seen.clone();
    let asked = seen.last().unwrap();
    assert_eq!(format!("{} {}", asked.method, asked.path), LOOKUP);
}

#[tokio::test]
async fn an_answer_that_is_not_sure_names_no_network() {
    let bench = bench().await;
    let failed = |code: &str| json!({"errorCode": code, "message": "no"}).to_string();
    let unknown = LookupFailure::Unknown;
    let (unreachable, unusable) = (LookupFailure::Unreachable, LookupFailure::Unusable);
    for (status, body, failure) in [
        (200, json!({"operatorId": 77}).to_string(), unknown),
        (200, json!({"name": "MTN Nigeria"}).to_string(), unusable),
        (
            200,
            json!({"operatorId": MTN, "country": {"isoName": "GH"}}).to_string(),
            unusable,
        ),
        (200, "<html>".to_owned(), unusable),
        (404, failed("COULD_NOT_AUTO_DETECT_OPERATOR"), unknown),
        (404, failed("INVALID_PHONE_NUMBER"), unknown),
        (404, json!({"error": "Not Found"}).to_string(), unreachable),
        (403, failed("INACTIVE_ACCOUNT"), unreachable),
        (429, failed("TOO_MANY_REQUESTS"), unreachable),
        (500, failed("INVALID_PHONE_NUMBER"), unreachable),
    ] {
        let answer = ServedAnswer::Json(status, body.clone());
        bench.fake.replace(LOOKUP, answer);
        let served = bench
            .provider
            .served_number(&number(), CountryCode::NIGERIA)
            .await;
        assert_eq!(served, Err(failure), "{status} {body}");
    }
}

#[tokio::test]
async fn numbers_elsewhere_and_wrong_credentials_ask_nothing() {
    let bench = bench().await;
    let ghana = CountryCode::parse("288").unwrap();
    let served = bench.provider.served_number(&number(), ghana).await;
    assert_eq!(served, Err(LookupFailure::Unknown));
    let stranger = open(bench.fake.port, "another-secret", &ManualClock::start());
    let served = stranger
        .served_number(&number(), CountryCode::NIGERIA)
        .await;
    assert_eq!(served, Err(LookupFailure::Unreachable));
    let seen = bench.fake.book().seen.clone();
    assert!(seen.iter().all(|it| it.path == "/oauth/token"), "{seen:?}");
}
