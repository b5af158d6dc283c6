//! What is refused in VTpass's shape: it must buy nothing, and no refusal may be one that a client
//! takes for a failed purchase while there may be one.

use super::super::VtpassPath;
use super::{OPEN, PAY, REQUERY, VERIFY, airtime, check, of, sent, serving};
use crate::layers::bucket::Quota;
use crate::layers::host::ServedHosts;
use crate::layers::negotiation::AnswerFormat;
use crate::layers::request_id::RequestIds;
use crate::layers::security_headers::TransportSecurity;
use crate::reply::HttpReply;
use crate::settings::{BODY_BYTES_MAX, VtpassRequests};
use crate::testing::{RouteTestWorld, body, client, key_of, post, request_of};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HOST};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::num::NonZeroU32;

#[tokio::test]
async fn a_refusal_says_what_is_wrong_in_the_names_that_were_sent() {
    let world = serving().await;
    let meter = |number: &str, amount: Value| {
        json!({"request_id": "a", "serviceID": "abuja-electric", "variation_code": "prepaid",
            "billersCode": number, "amount": amount, "phone": "08031234567"})
    };
    let id = |id: &str| airtime(id, "08031234567", 100);
    let mut of_airtel = id("a");
    of_airtel["serviceID"] = json!("airtel");
    let mut call_me = meter("04123456789", json!(1000));
    call_me["phone"] = json!("0803");
    for (order, code, why) in [
        (airtime("a", "08031234567", 49.99), "013", "smallest"),
        (airtime("a", "08031234567", 60000), "017", "largest"),
        (airtime("a", "08031234567", 20000), "018", "wallet"),
        (airtime("a", "08031234567", "1e5"), "011", "amount"),
        (airtime("a", "08031234567", 1.001), "011", "amount"),
        (airtime("a", "0803", 100), "011", "phone"),
        (airtime("a", "447911123456", 100), "011", "phone"),
        (of_airtel.clone(), "011", "serviceID"),
        (call_me, "011", "phone"),
        (id("a b"), "085", "request_id"),
        (id(""), "011", "request_id"),
        (json!({"request_id": "a"}), "011", "serviceID"),
        (
            json!({"request_id": "a", "serviceID": "waec"}),
            "012",
            "serviceID",
        ),
        (meter("04123450014", json!(1000)), "011", "looked up"),
        (meter("04123450012", json!(1000)), "083", "looked up"),
        (meter("0412", json!(1000)), "011", "billersCode"),
        (meter("04123456789", json!(null)), "011", "amount"),
    ] {
        let refused = world.pays(&order).await;
        check(&refused, 200, code);
        let words = refused.json["content"]["errors"].as_str().unwrap();
        assert!(words.contains(why), "{words}");
    }
    world.finds_unused("a").await;
    assert_eq!(world.balance().await, "10,000.00");
    let paid = world.pays(&meter("04123456789", json!("1000.50"))).await;
    check(&paid, 200, "000");
    assert_eq!(paid.json["token"].as_str().map(str::len), Some(20));
    assert_eq!(paid.json["amount"], 1000.5);
    // The network is the one that is named: the number may have been ported to it.
    let ported = world.pays(&airtime("ported", "08091234567", 100)).await;
    check(&ported, 200, "000");
    let product = &ported.json["content"]["transactions"]["product_name"];
    assert_eq!(product, "MTN Airtime VTU");
}

#[tokio::test]
async fn bodies_that_cannot_be_read_buy_nothing() {
    let world = serving().await;
    let order = airtime("a", "08031234567", 100).to_string();
    let twice = order.replace("\"amount\"", "\"phone\":\"1\",\"amount\"");
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(BODY_BYTES_MAX));
    for (kind, bytes, status) in [
        ("application/json", "{", 400),
        ("application/json", "[]", 400),
        ("application/json", &*twice, 400),
        ("application/json", &*large, 413),
        ("text/plain", &*order, 415),
        ("multipart/form-data; boundary=x", &*order, 415),
        ("application/x-www-form-urlencoded", "request_id=%zz", 400),
    ] {
        let paid = world.send(of("shop", PAY, kind, bytes.to_owned())).await;
        check(&paid, status, "011");
        // A client that asked after a purchase must not take this for an answer about it.
        let asked = of("shop", REQUERY, kind, bytes.to_owned());
        check(&world.send(asked).await, status, "083");
    }
    let form = "request_id=form&serviceID=mtn&phone=08031234567&amount=100.00&quantity=";
    let kind = "application/x-www-form-urlencoded";
    check(&world.send(of("shop", PAY, kind, form)).await, 200, "000");
    check(&world.requeries("form").await, 200, "000");
    check(&world.requeries("a b").await, 200, "015");
    for unclear in [
        json!({}),
        json!({"requestId": "form"}),
        json!({"request_id": null}),
        json!({"request_id": ["form"]}),
    ] {
        check(&world.send(sent(REQUERY, &unclear)).await, 200, "083");
    }
    let in_query = sent("/vtpass/api/requery?request_id=form", &json!({}));
    check(&world.send(in_query).await, 200, "083");
    let with_slash = sent("/vtpass/api/requery/", &json!({"request_id": "form"}));
    check(&world.send(with_slash).await, 404, "083");
}

#[tokio::test]
async fn no_form_of_a_browser_that_remembers_credentials_buys() {
    let world = serving().await;
    let kind = "application/x-www-form-urlencoded";
    let form = |id: &str| format!("request_id={id}&serviceID=mtn&phone=08031234567&amount=100");
    let of_page = |path: &str, id: &str| {
        let request = request_of("shop", "POST", path).header(CONTENT_TYPE, kind);
        let request = request.header("origin", "https://page.example");
        request.body(body(form(id))).unwrap()
    };
    check(&world.send(of_page(PAY, "one")).await, 422, "083");
    assert_eq!(world.balance().await, "10,000.00");
    let own = of("shop", PAY, kind, form("one"));
    check(&world.send(own).await, 200, "000");
    // Nor is a repetition called failed.
    check(&world.send(of_page(PAY, "one")).await, 422, "083");
    check(&world.send(of_page(REQUERY, "one")).await, 422, "083");
    let json = airtime("two", "08031234567", 100).to_string();
    check(&world.send(post(PAY, json)).await, 200, "000");
    assert_eq!(world.balance().await, "9,806.00");
}

#[tokio::test]
async fn credentials_limits_and_suspensions_are_those_of_the_account() {
    let number = |it| NonZeroU32::new(it).unwrap();
    let world = RouteTestWorld::with(|settings| {
        settings.vtpass = VtpassRequests::Served;
        settings.limits.payments = Quota::new(number(2), number(2));
        settings.limits.reads = Quota::per_minute(number(3));
    })
    .await;
    let order = airtime("a", "08031234567", 100);
    let mut wrong = sent(PAY, &order);
    wrong.headers_mut().remove("secret-key");
    check(&world.send(wrong).await, 401, "087");
    let mut wrong = sent(PAY, &order);
    let other = key_of("other").parse().unwrap();
    wrong.headers_mut().insert("secret-key", other);
    check(&world.send(wrong).await, 401, "087");
    let closed = of("closed", PAY, "application/json", order.to_string());
    // Not 403, which clients take for a failed purchase.
    check(&world.send(closed).await, 503, "083");
    check(&world.pays(&order).await, 200, "000");
    check(&world.pays(&order).await, 200, "014");
    check(&world.pays(&order).await, 429, "083");
    for _ in 0..3 {
        check(&world.requeries("a").await, 200, "000");
    }
    check(&world.requeries("a").await, 429, "083");
    let basic = world.send(post(PAY, order.to_string())).await;
    check(&basic, 429, "083");
}

#[tokio::test]
async fn an_answer_without_a_slot_is_in_the_same_shape() {
    let world = serving().await;
    let peer = client(TransportSecurity::Tls);
    for path in [PAY, REQUERY, VERIFY] {
        let request = sent(path, &json!({"request_id": "a"}));
        let refused = world.edge.refuse_without_slot(peer, &request).response;
        assert_eq!(refused.status(), 503);
        let bytes = refused.into_body().collect().await.unwrap().to_bytes();
        let shown: Value = serde_json::from_slice(&bytes).unwrap();
        assert!(OPEN.contains(&shown["code"].as_str().unwrap()), "{shown}");
    }
}

#[tokio::test]
async fn a_purchase_that_did_not_reach_its_path_or_host_is_not_called_failed() {
    let world = RouteTestWorld::with(|settings| {
        settings.vtpass = VtpassRequests::Served;
        settings.hosts = Some(ServedHosts::new(vec!["localhost".to_owned()], None));
    })
    .await;
    let order = airtime("one", "08031234567", 100);
    check(&world.pays(&order).await, 200, "000");
    for (hosts, status) in [(&["other.example"][..], 421), (&["localhost"; 2], 400)] {
        let mut repeat = sent(PAY, &order);
        repeat.headers_mut().remove(HOST);
        for host in hosts {
            repeat.headers_mut().append(HOST, host.parse().unwrap());
        }
        check(&world.send(repeat).await, status, "083");
    }
    check(
        &world.send(sent("/vtpass/api/pay/", &order)).await,
        404,
        "083",
    );
    assert_eq!(world.balance().await, "9,903.00");
}

#[test]
fn no_failure_is_worded_as_a_client_would_take_for_a_failed_purchase() {
    for status in [
        400, 401, 403, 404, 405, 408, 413, 415, 421, 429, 500, 502, 503,
    ] {
        let sent = StatusCode::from_u16(status).unwrap();
        let reply = VtpassPath::shaped(HttpReply::system(sent, "No.", "try later"));
        let id = RequestIds::new(0).next();
        let shown = reply.render(AnswerFormat::Xml, &id);
        assert_eq!(shown.headers()[CONTENT_TYPE], "application/json");
        assert_ne!(shown.status(), 403);
        let json: Value = serde_json::from_slice(shown.body()).unwrap();
        let code = json["code"].as_str().unwrap();
        let expected = if status == 401 { "087" } else { "083" };
        assert_eq!(code, expected, "{status}");
    }
    let found = HttpReply::document(StatusCode::OK, "{}".into());
    let kept = VtpassPath::shaped(found);
    assert_eq!(kept.status(), 200);
}
