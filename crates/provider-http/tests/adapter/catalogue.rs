//! What a provider lists: read page by page, whole or not at all, and ordered under its own codes.

use crate::fake::{FakeProvider, FakeReply, right};
use crate::support::{KEYS, adapter, sent};
use domain::listed_offer::ListedOffer;
use domain::provider::{Submission, SubmitOutcome};
use ports::provider::{Naming, Provider};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use testkit::permit::FixedPermit;

fn offer(product: &str, number: usize) -> Value {
    json!({
        "product": product, "code": format!("c-{number}"), "name": "An offer",
        "minimum": {"minor": 5_000, "currency": "NGN"}, "available": number != 1,
    })
}

fn page(offers: &[Value], next: Option<usize>) -> FakeReply {
    let mut page = json!({"service": "airtime", "offers": offers});
    if let Some(next) = next {
        page["next"] = json!(next);
    }
    FakeReply::Signed(200, page.to_string().into_bytes())
}

async fn listing() -> FakeProvider {
    let mut fake = FakeProvider::start().await;
    let offered = json!("catalogue");
    let mut features = fake.capabilities.lock().unwrap()["features"].clone();
    features.as_array_mut().unwrap().push(offered);
    fake.capabilities.lock().unwrap()["features"] = features;
    // What was promised first stands; another adapter reads it anew.
    fake.adapter = adapter(fake.adapter_url(), KEYS);
    fake.adapter.refresh().await.unwrap();
    fake
}

async fn read(fake: &FakeProvider, products: &[&str]) -> Result<Vec<ListedOffer>, String> {
    let list = fake.adapter.price_list().unwrap();
    let products: Vec<_> = products.iter().map(ToString::to_string).collect();
    let offers = list.offers(&products).await;
    offers.map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_list_is_read_to_its_last_page_and_by_product() {
    let fake = listing().await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let paths = Arc::clone(&asked);
    fake.replies(move |request| {
        paths.lock().unwrap().push(request.path.clone());
        if request.path.ends_with("after=0") {
            let offers = [offer("airtime.mtn", 0), offer("airtime.glo", 1)];
            page(&offers, Some(2))
        } else {
            page(&[offer("airtime.glo", 2)], None)
        }
    });
    let offers = read(&fake, &["airtime.glo"]).await.unwrap();
    let shown: Vec<_> = offers
        .iter()
        .map(|it| (it.code.as_str(), it.available))
        .collect();
    assert_eq!(shown, [("c-1", false), ("c-2", true)]);
    assert_eq!(
        *asked.lock().unwrap(),
        [
            "/v1/catalogue/airtime?after=0",
            "/v1/catalogue/airtime?after=2"
        ]
    );
    // What it does not deliver is not asked for.
    let others = read(&fake, &["water.601", "airtime"]).await;
    assert_eq!(others, Ok(Vec::new()));
    assert_eq!(asked.lock().unwrap().len(), 2);
    // The list of a service is read once for all of its products.
    let both = read(&fake, &["airtime.mtn", "airtime.glo"]).await;
    let codes: Vec<_> = both.unwrap().into_iter().map(|it| it.code).collect();
    assert_eq!(codes, ["c-0", "c-1", "c-2"]);
    assert_eq!(asked.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn a_list_that_is_not_whole_is_an_error_and_no_empty_list() {
    let fake = listing().await;
    let html = b"<html>a portal</html>".to_vec();
    let huge = json!({"service": "airtime", "offers": [], "more": "x".repeat(70_000)});
    let other = json!({"service": "internet", "offers": []});
    let whole = json!({"service": "airtime", "offers": [offer("airtime.mtn", 0)]});
    for reply in [
        FakeReply::Signed(200, html.clone()),
        FakeReply::Plain(200, "Content-Type: text/html\r\n", html),
        FakeReply::Signed(200, huge.to_string().into_bytes()),
        FakeReply::Signed(200, other.to_string().into_bytes()),
        FakeReply::Signed(500, whole.to_string().into_bytes()),
        FakeReply::Plain(200, "", whole.to_string().into_bytes()),
        FakeReply::Crossed(whole.to_string().into_bytes()),
        page(&[offer("airtime.mtn", 0), offer("airtime.mtn", 0)], None),
        page(&[offer("airtime.mtn", 0)], Some(0)),
        page(&[offer("internet.301", 0)], None),
        // The same page again and again.
        page(&[offer("airtime.mtn", 0)], Some(1)),
    ] {
        let shown = format!("{reply:?}");
        fake.replies(move |_| reply.clone());
        let found = read(&fake, &["airtime.mtn"]).await;
        assert!(found.is_err(), "{found:?}: {shown:.200}");
    }
}

#[tokio::test]
async fn an_order_goes_out_under_the_code_of_the_catalogue() {
    let fake = listing().await;
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&bodies);
    fake.replies(move |request| {
        seen.lock().unwrap().push(request.json());
        FakeReply::Signed(200, right(request, "delivered").to_string().into_bytes())
    });
    let plain = sent("coded.1", "4567");
    assert!(fake.adapter.serves_as(&plain.order, "mtn-2gb"));
    assert!(!fake.adapter.serves_as(&plain.order, "mtn 2gb"));
    let prepared = fake.adapter.prepare_as(
        Naming {
            derived: plain.reference.clone(),
            order: &plain.order,
            started_at: plain.started_at,
        },
        "mtn-2gb",
    );
    let coded = Submission {
        reference: prepared.reference,
        adapter_state: prepared.adapter_state,
        ..plain.clone()
    };
    for sent in [coded, plain] {
        let answer = fake.adapter.submit(&sent, &FixedPermit::granted()).await;
        let is_delivered = matches!(answer.outcome, SubmitOutcome::Delivered(_));
        assert!(is_delivered, "{answer:?}");
    }
    let bodies = bodies.lock().unwrap();
    assert_eq!(bodies[0]["offer"], "mtn-2gb");
    assert_eq!(bodies[1].get("offer"), None);
}

#[tokio::test]
async fn without_the_feature_there_is_no_list_and_no_code() {
    let fake = FakeProvider::start().await;
    fake.replies(|_| panic!("it is not asked"));
    assert_eq!(read(&fake, &["airtime.mtn"]).await, Ok(Vec::new()));
    assert!(!fake.adapter.serves_as(&sent("plain.1", "4567").order, "a"));
}
