//! The list of plans, and orders under the codes of the catalogue.

use crate::bench::{VtpassBench, confirming, open_with};
use crate::fake::{API_KEY, PUBLIC_KEY, SECRET_KEY};
use crate::fake_record::Fate;
use domain::order::Service;
use domain::provider::SubmitOutcome;
use domain::subscription::BillerCode;
use ports::PortError;
use ports::provider::{AttemptQuery, ListedPlan, Naming, Provider};
use provider_vtpass::{ConfirmRefusals, VtpassKeys};
use serde_json::json;
use testkit::builders::{naira, plan_code, provider_code, submission};
use testkit::permit::FixedPermit;

/// What is asked of the list of plans with the public key.
async fn list(
    bench: &VtpassBench,
    (service, biller): (Service, &BillerCode),
) -> Result<Option<Vec<ListedPlan>>, PortError> {
    let keys = VtpassKeys::parse(API_KEY, SECRET_KEY).unwrap();
    let keys = keys.with_public(PUBLIC_KEY).unwrap();
    let provider = open_with(bench.fake.port, keys, ConfirmRefusals::Yes);
    provider.price_list().unwrap().plans(service, biller).await
}

async fn plans(bench: &VtpassBench, biller: &BillerCode) -> Option<Vec<ListedPlan>> {
    list(bench, (Service::Internet, biller)).await.unwrap()
}

#[tokio::test]
async fn plans_are_listed_with_their_fixed_prices() {
    let bench = confirming().await;
    let found = plans(&bench, &provider_code("301")).await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.code.as_str(), it.amount))
        .collect();
    assert_eq!(
        found,
        [("mtn-2gb-1500", Some(naira("1,500.00"))), ("mtn-any", None)]
    );
    assert_eq!(plans(&bench, &provider_code("999")).await, None);
    let other = provider_code("1");
    let airtime = list(&bench, (Service::Airtime, &other)).await;
    assert_eq!(airtime.unwrap(), None);
}

#[tokio::test]
async fn a_list_that_cannot_be_read_is_an_error_and_no_empty_list() {
    let bench = confirming().await;
    for (status, body) in [
        (200, json!({"content": {"errors": "no"}}).to_string()),
        (200, "<html></html>".to_owned()),
        (502, json!({"content": {"variations": []}}).to_string()),
        (
            200,
            json!({"content": {"variations": [{"name": "a"}]}}).to_string(),
        ),
    ] {
        bench
            .fake
            .replace("service-variations", status, body.clone());
        let found = list(&bench, (Service::Internet, &provider_code("301"))).await;
        assert!(found.is_err(), "{status} {body}");
    }
}

#[tokio::test]
async fn a_plan_is_bought_under_the_code_of_the_catalogue_and_no_other() {
    let bench = confirming().await;
    let mut order = bench.order_with(Service::Internet, Fate::Delivered).await;
    let domain::order::Order::Internet(data) = &mut order else {
        panic!("{order:?}");
    };
    // The settings map another plan.
    data.plan = plan_code("30999");
    assert!(!bench.provider.serves(&order));
    assert!(bench.provider.serves_as(&order, "mtn-new"));
    let sent = submission("order-1", order.clone());
    let prepared = bench.provider.prepare_as(
        Naming {
            derived: sent.reference.clone(),
            order: &order,
            started_at: sent.started_at,
        },
        "mtn-new",
    );
    assert_eq!(prepared.adapter_state.as_deref(), Some("mtn-new"));
    let sent = domain::provider::Submission {
        reference: prepared.reference.clone(),
        adapter_state: prepared.adapter_state.clone(),
        ..sent
    };
    let answer = bench.provider.submit(&sent, &FixedPermit::granted()).await;
    assert!(
        matches!(answer.outcome, SubmitOutcome::Delivered(_)),
        "{answer:?}"
    );
    let posted = bench.fake.book().seen.last().unwrap().body.clone();
    assert_eq!(posted["variation_code"], "mtn-new");
    let query = AttemptQuery {
        order: Some(&order),
        adapter_state: prepared.adapter_state.as_deref(),
        ..AttemptQuery::by(&prepared.reference)
    };
    let found = bench.provider.query(&query).await;
    assert!(
        matches!(found.outcome, domain::provider::QueryOutcome::Delivered(_)),
        "{found:?}"
    );
    let airtime = bench.order_with(Service::Airtime, Fate::Delivered).await;
    assert!(!bench.provider.serves_as(&airtime, "mtn-new"));
}
