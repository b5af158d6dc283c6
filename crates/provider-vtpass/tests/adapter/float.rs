//! What is left in the wallet. An answer that is not the published one must be an error.

use crate::bench::{VtpassBench, open_with};
use crate::fake::{API_KEY, PUBLIC_KEY, SECRET_KEY};
use ports::provider::Provider;
use provider_vtpass::{ConfirmRefusals, VtpassKeys, VtpassProvider};
use testkit::builders::naira;

async fn bench() -> (VtpassBench, VtpassProvider) {
    let bench = VtpassBench::with(ConfirmRefusals::Yes).await;
    let keys = VtpassKeys::parse(API_KEY, SECRET_KEY).unwrap();
    let keys = keys.with_public(PUBLIC_KEY).unwrap();
    let provider = open_with(bench.fake.port, keys, ConfirmRefusals::Yes);
    (bench, provider)
}

#[tokio::test]
async fn the_balance_is_exact_and_in_naira() {
    let (bench, provider) = bench().await;
    let balance = provider.balance().await.unwrap().unwrap();
    assert_eq!(
        (balance.available, balance.held),
        (naira("17,305.75"), None)
    );
    for (body, available) in [
        (r#"{"code":1,"contents":{"balance":"50"}}"#, "50.00"),
        (r#"{"code":"1","contents":{"balance":0}}"#, "0.00"),
    ] {
        bench.fake.replace("balance", 200, body);
        let balance = provider.balance().await.unwrap().unwrap();
        assert_eq!(balance.available, naira(available), "{body}");
    }
    let overdrawn = r#"{"code":1,"contents":{"balance":-5.25}}"#;
    bench.fake.replace("balance", 200, overdrawn);
    let balance = provider.balance().await.unwrap().unwrap();
    assert_eq!(balance.available.minor(), -525);
}

#[tokio::test]
async fn what_is_not_the_published_answer_is_an_error() {
    let (bench, provider) = bench().await;
    for (status, body) in [
        (200, r#"{"code":0,"contents":{"balance":50}}"#),
        (200, r#"{"code":1,"contents":{"balance":1e3}}"#),
        (200, r#"{"code":1,"contents":{"balance":12.345}}"#),
        (200, r#"{"code":1,"contents":{}}"#),
        (200, r#"{"code":1,"balance":50}"#),
        (200, "<html></html>"),
        (401, r#"{"code":1,"contents":{"balance":50}}"#),
        (502, ""),
    ] {
        bench.fake.replace("balance", status, body);
        let error = provider.balance().await.unwrap_err();
        assert!(error.to_string().contains("balance"), "{error}");
    }
}

#[tokio::test]
async fn without_the_public_key_nothing_is_asked() {
    let bench = VtpassBench::with(ConfirmRefusals::Yes).await;
    assert_eq!(bench.provider.balance().await.unwrap(), None);
    assert_eq!(bench.fake.book().seen.len(), 0);
}
