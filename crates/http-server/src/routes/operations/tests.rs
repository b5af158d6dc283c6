//! The status of products, as the payments of this gateway show it.

use crate::testing::{RouteTestWorld, get, post};
use domain::service_status::ServiceTraffic;

const PATH: &str = "/operations/status?service=airtime";

async fn buy(world: &RouteTestWorld, number: usize) {
    let order = format!(
        r#"{{"mrcReference":"order-{number}","countryCode":566,"number":"2348031234567",
            "amount":"100","billing":"prepaid"}}"#
    );
    let bought = world.send(post("/payment/airtime", order)).await;
    bought.assert_success(200);
}

#[tokio::test]
async fn both_ways_to_write_the_family_answer_the_same() {
    let world = RouteTestWorld::new().await;
    let one = world.send(get(PATH)).await;
    one.assert_success(200);
    let other = PATH.replace("/operations/", "/operation/");
    let other = world.send(get(&other)).await;
    assert_eq!(one.json, other.json);
    let links = ["link", "total"].map(|name| one.header(name).to_owned());
    assert_eq!(links, ["link", "total"].map(|name| other.header(name)));
    let none = world.send(get("/operation/statuses")).await;
    assert_eq!(none.status, 501);
}

#[tokio::test]
async fn a_rate_is_shown_from_the_fewest_payments_on_and_forgotten_after_a_while() {
    let world = RouteTestWorld::new().await;
    for number in 1..ServiceTraffic::FINALS_MIN {
        buy(&world, number).await;
    }
    let few = world.send(get(PATH)).await;
    let [whole, mtn] = [0, 1].map(|row| &few.json["services"][row]);
    assert_eq!(whole["biller"], serde_json::Value::Null);
    for row in [whole, mtn] {
        assert_eq!(row["prvStatus"], "Up");
        assert_eq!(row["prvSuccessRate"], serde_json::Value::Null);
        assert_eq!(row["prvLatency"], serde_json::Value::Null);
    }
    buy(&world, ServiceTraffic::FINALS_MIN).await;
    let enough = world.send(get(PATH)).await;
    let rows = enough.json["services"].as_array().unwrap();
    let mtn = rows.iter().find(|row| row["biller"] == "MTN").unwrap();
    for row in [&rows[0], mtn] {
        assert_eq!(row["prvSuccessRate"], "100.00");
        assert_eq!(row["prvLatency"], 0);
    }
    let other = world
        .send(get("/operations/status?service=electricity"))
        .await;
    let other = &other.json["services"][0]["prvSuccessRate"];
    assert_eq!(*other, serde_json::Value::Null);
    world
        .clock
        .advance(application::service_traffic::WINDOW)
        .await;
    let later = world.send(get(PATH)).await;
    let forgotten = &later.json["services"][0]["prvSuccessRate"];
    assert_eq!(*forgotten, serde_json::Value::Null);
}
