//! What is bought and read in VTpass's shape: one charge for one request, and each outcome under
//! the code that a client of VTpass acts on. It must
//! count what was charged by the account itself.

use super::{PAY, REPORT, VERIFY, airtime, check, read, sent, serving, word};
use crate::testing::{RouteTestWorld, get, post};
use ports::PortErrorKind;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::faults::Fault;

#[tokio::test]
async fn nothing_is_served_where_no_operator_says_so() {
    let world = RouteTestWorld::new().await;
    let order = airtime("202611250900a", "08031234567", 100);
    world.pays(&order).await.assert_error(401, None, "/request");
    let known = post(PAY, order.to_string());
    world.send(known).await.assert_error(404, None, "/request");
    assert_eq!(world.balance().await, "10,000.00");
}

#[tokio::test]
async fn a_purchase_is_one_of_the_interface_with_one_charge() {
    let world = serving().await;
    let order = airtime("202611250900a", "08031234567", 100);
    let paid = world.pays(&order).await;
    check(&paid, 200, "000");
    assert_eq!(word(&paid), "delivered");
    assert_eq!(paid.json["requestId"], "202611250900a");
    let shown = &paid.json["content"]["transactions"];
    assert_eq!(shown["unique_element"], "08031234567");
    assert_eq!(shown["amount"], 100);
    assert_eq!(shown["total_amount"], 97);
    assert_eq!(shown["commission"], 3);
    assert!(paid.headers.contains_key("ratelimit-remaining"));
    let report = world.send(get(&format!("{REPORT}202611250900a"))).await;
    report.assert_success(200);
    assert_eq!(report.json["number"], "2348031234567");
    assert_eq!(report.json["txnStatus"], "Successful");
    assert_eq!(world.balance().await, "9,903.00");
    let requeried = world.requeries("202611250900a").await;
    assert_eq!(requeried.text, paid.text);
}

#[tokio::test]
async fn a_request_id_never_buys_twice_and_a_repeat_is_never_called_failed() {
    let world = serving().await;
    let order = airtime("one", "08031234567", "100.00");
    check(&world.pays(&order).await, 200, "000");
    for repeat in [
        order.clone(),
        airtime("one", "08031234567", 200),
        airtime("one", "08031234567", 1),
        airtime("one", "08031234567", "much"),
        airtime("one", "0803", 100),
        airtime("one", "08091234567", 100),
        json!({"request_id": "one", "serviceID": "bank-deposit"}),
        json!({"request_id": "one", "serviceID": "mtn", "quantity": 7}),
        json!({"request_id": "one"}),
    ] {
        check(&world.pays(&repeat).await, 200, "014");
    }
    world.gateway.drain().await;
    check(&world.pays(&order).await, 200, "014");
    let other = airtime("two", "08031234567", 100);
    // Another instance may be opening it.
    check(&world.pays(&other).await, 200, "083");
    world.finds_unused("two").await;
    assert_eq!(world.balance().await, "9,903.00");
}

#[tokio::test]
async fn one_reference_is_one_purchase_whichever_interface_it_came_by() {
    let world = serving().await;
    let ours = r#"{"mrcReference":"ours","countryCode":566,"number":"2348031234567",
        "amount":"100","billing":"prepaid"}"#;
    let bought = world.send(post("/payment/airtime", ours)).await;
    bought.assert_success(200);
    let theirs = airtime("ours", "08031234567", 100);
    check(&world.pays(&theirs).await, 200, "014");
    check(&world.requeries("ours").await, 200, "000");
    let theirs = airtime("theirs", "08031234567", 100);
    check(&world.pays(&theirs).await, 200, "000");
    let repeated = post("/payment/airtime", ours.replace("ours", "theirs"));
    let repeated = world.send(repeated).await;
    repeated.assert_error(422, None, "/params/mrcReference");
    assert_eq!(world.balance().await, "9,806.00");
}

#[tokio::test]
async fn what_is_not_known_is_pending_and_what_failed_was_not_charged() {
    let world = serving().await;
    let pending = sent(PAY, &airtime("later", "08031230010", 100));
    let pending = world.send_and_wait(pending).await;
    check(&pending, 200, "099");
    assert_eq!(word(&pending), "pending");
    check(&world.requeries("later").await, 200, "099");
    let again = airtime("later", "08031230010", 100);
    check(&world.pays(&again).await, 200, "014");
    let failed = world.pays(&airtime("no", "08031230001", 100)).await;
    check(&failed, 200, "016");
    assert_eq!(word(&failed), "failed");
    check(&world.requeries("no").await, 200, "016");
    // A failed purchase is not tried again under its id.
    let again = airtime("no", "08031234567", 100);
    check(&world.pays(&again).await, 200, "014");
    assert_eq!(world.balance().await, "9,903.00");
}

#[tokio::test]
async fn a_store_that_does_not_answer_fails_no_purchase() {
    let world = serving().await;
    for (id, fault) in [
        ("refused", Fault::Refused(PortErrorKind::Unreachable)),
        ("failed", Fault::Refused(PortErrorKind::Failed)),
    ] {
        world.ledger.on_next(fault);
        let order = airtime(id, "08031234567", 100);
        check(&world.pays(&order).await, 200, "083");
        world.finds_unused(id).await;
    }
    world.store.hold_openings();
    let order = airtime("held", "08031234567", 100);
    check(&world.pays(&order).await, 200, "083");
    // Records may have been lost: that it is not stored is no proof.
    check(&world.requeries("held").await, 200, "083");
    world.store.allow_openings();
    world.finds_unused("held").await;
    check(&world.pays(&order).await, 200, "000");
}

#[tokio::test]
async fn what_is_being_opened_is_neither_unused_nor_failed() {
    let world = serving().await;
    world.finds_unused("slow").await;
    let slow = Fault::Delayed(Duration::from_secs(3));
    world.ledger.on_next(slow);
    let order = airtime("slow", "08031234567", 100);
    let (paid, ()) = tokio::join!(world.pays(&order), async {
        world.clock.advance(Duration::from_secs(1)).await;
        check(&world.requeries("slow").await, 200, "083");
        let other = airtime("slow", "08031234567", 1);
        check(&world.pays(&other).await, 200, "014");
        world.clock.advance(Duration::from_secs(2)).await;
    });
    check(&paid, 200, "000");
    check(&world.requeries("slow").await, 200, "000");
}

#[tokio::test]
async fn customers_plans_services_and_the_balance_are_read() {
    let world = serving().await;
    let meter = |number: &str| {
        let asked = json!({"serviceID": "abuja-electric", "type": "prepaid"});
        let mut asked = asked.as_object().unwrap().clone();
        asked.insert("billersCode".to_owned(), json!(number));
        Value::Object(asked)
    };
    let found = world.send(sent(VERIFY, &meter("04123456789"))).await;
    assert_eq!(found.json["content"]["Customer_Name"], "Adaeze Okonkwo");
    let unknown = world.send(sent(VERIFY, &meter("04123450014"))).await;
    assert_eq!(unknown.json["code"], "000");
    assert_eq!(unknown.json["content"]["WrongBillersCode"], true);
    let unreachable = world.send(sent(VERIFY, &meter("04123450012"))).await;
    check(&unreachable, 200, "030");
    let short = world.send(sent(VERIFY, &meter("1"))).await;
    check(&short, 200, "011");
    let balance = world.send(read("/vtpass/api/balance")).await;
    assert_eq!(balance.json["contents"]["balance"], 10000);
    let listed = world.send(read("/vtpass/api/service-categories")).await;
    assert_eq!(listed.json["content"][0]["identifier"], "airtime");
    let listed = world
        .send(read("/vtpass/api/services?identifier=data"))
        .await;
    assert_eq!(listed.json["content"][0]["serviceID"], "mtn-data");
    let target = "/vtpass/api/service-variations?serviceID=";
    let unknown = world.send(read(&format!("{target}waec"))).await;
    check(&unknown, 200, "012");
    let airtime = world.send(read(&format!("{target}mtn"))).await;
    assert_eq!(airtime.json["content"]["variations"], json!([]));
    let nowhere = world.send(read("/vtpass/api/options")).await;
    check(&nowhere, 404, "083");
    let verb = world.send(read(PAY)).await;
    check(&verb, 405, "083");
    assert_eq!(verb.header("allow"), "POST, OPTIONS");
}
