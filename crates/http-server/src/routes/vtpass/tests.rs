//! Purchases in VTpass's shape over the edge: what each code stands for, and above all that none
//! that a client takes for failed is answered while a transaction may exist.

use super::VtpassPath;
use super::unknown_ids::UNDER_WAY_FOR;
use crate::layers::body::Body;
use crate::layers::bucket::Quota;
use crate::layers::host::ServedHosts;
use crate::layers::negotiation::AnswerFormat;
use crate::layers::request_id::RequestIds;
use crate::layers::security_headers::TransportSecurity;
use crate::reply::HttpReply;
use crate::settings::{BODY_BYTES_MAX, VtpassRequests};
use crate::testing::{
    RouteTestWorld, TestAnswer, bare, body, client, get, key_of, post, request_of,
};
use http::header::{CONTENT_TYPE, HOST};
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use ports::PortErrorKind;
use serde_json::{Value, json};
use std::num::NonZeroU32;
use std::time::Duration;
use testkit::faults::Fault;

const PAY: &str = "/vtpass/api/pay";
const REQUERY: &str = "/vtpass/api/requery";
const VERIFY: &str = "/vtpass/api/merchant-verify";
const REPORT: &str = "/payment/airtime/transaction?mrcReference=";

/// Codes after which clients of VTpass wait and query, instead of giving the money back.
const OPEN: [&str; 3] = ["014", "083", "099"];

async fn serving() -> RouteTestWorld {
    RouteTestWorld::with(|settings| settings.vtpass = VtpassRequests::Served).await
}

/// A POST of an account, with the headers of VTpass.
fn of(account: &str, path: &str, kind: &str, bytes: impl Into<bytes::Bytes>) -> Request<Body> {
    Request::builder()
        .method("POST")
        .uri(path)
        .header(HOST, "localhost")
        .header("api-key", account)
        .header("secret-key", key_of(account))
        .header(CONTENT_TYPE, kind)
        .body(body(bytes))
        .unwrap()
}

fn sent(path: &str, json: &Value) -> Request<Body> {
    of("shop", path, "application/json", json.to_string())
}

fn airtime(id: &str, phone: &str, amount: impl Into<Value>) -> Value {
    let amount: Value = amount.into();
    json!({"request_id": id, "serviceID": "mtn", "phone": phone, "amount": amount})
}

fn read(target: &str) -> Request<Body> {
    let request = Request::builder().uri(target).header(HOST, "localhost");
    let request = request.header("api-key", "shop");
    bare(request.header("public-key", key_of("shop")))
}

impl RouteTestWorld {
    async fn pays(&self, json: &Value) -> TestAnswer {
        self.send(sent(PAY, json)).await
    }

    async fn requeries(&self, id: &str) -> TestAnswer {
        self.send(sent(REQUERY, &json!({"request_id": id}))).await
    }

    /// Nothing was bought under an id, which is said once it cannot be under way any more.
    async fn finds_unused(&self, id: &str) {
        check(&self.requeries(id).await, 200, "083");
        let second = Duration::from_secs(1);
        self.clock
            .advance(UNDER_WAY_FOR.saturating_sub(second))
            .await;
        check(&self.requeries(id).await, 200, "083");
        self.clock.advance(second).await;
        check(&self.requeries(id).await, 200, "015");
        check(&self.requeries(id).await, 200, "015");
    }

    async fn balance(&self) -> Value {
        let read = self.send(get("/account/balance")).await;
        read.json["accBalance"].clone()
    }
}

#[track_caller]
fn check(answer: &TestAnswer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{}", answer.text);
    assert_eq!(answer.json["code"], code, "{}", answer.text);
    assert!(answer.json["response_description"].is_string());
}

fn word(answer: &TestAnswer) -> &Value {
    &answer.json["content"]["transactions"]["status"]
}

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
