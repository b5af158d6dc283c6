//! Codes over the interface: made, looked up, redeemed, rolled back and ended.

use crate::testing::{RouteTestWorld, TestAnswer, get, post};
use serde_json::Value;

const EXPIRY: &str = "2026-12-31T00:00:00Z";

fn batch(reference: &str, kind: &str, rest: &str) -> String {
    format!(r#"{{"mrcReference":"{reference}","vchType":"{kind}","vchExpiry":"{EXPIRY}",{rest}}}"#)
}

fn redemption(reference: &str, code: &str, rest: &str) -> String {
    format!(r#"{{"mrcReference":"{reference}","vchCode":"{code}",{rest}}}"#)
}

async fn made(world: &RouteTestWorld, kind: &str, rest: &str) -> (String, String) {
    let answer = world.send(post("/voucher/create", batch("batch-1", kind, rest)));
    let answer = answer.await;
    answer.assert_success(200);
    let first = &answer.json["vouchers"][0];
    let text = |name: &str| first[name].as_str().unwrap().to_owned();
    (text("vchCode"), text("vchIdentifier"))
}

async fn redeem(world: &RouteTestWorld, body: String) -> TestAnswer {
    world.send(post("/voucher/redeem", body)).await
}

async fn balance(world: &RouteTestWorld) -> Value {
    world.send(get("/account/balance")).await.json["accBalance"].clone()
}

#[tokio::test]
async fn a_gift_card_is_paid_for_used_in_parts_rolled_back_and_ended() {
    let world = RouteTestWorld::new().await;
    let rest = r#""vchAmount":"500.00","vchCount":2"#;
    let (code, id) = made(&world, "giftcard", rest).await;
    assert_eq!(balance(&world).await, "9,000.00");
    let used = redemption("use-1", &code, r#""amount":"200.00""#);
    let answer = redeem(&world, used.clone()).await;
    answer.assert_success(200);
    assert_eq!(answer.json["vchDiscount"], "200.00");
    assert_eq!(answer.json["vchBalance"], "300.00");
    assert_eq!(balance(&world).await, "9,200.00");
    let again = redeem(&world, used).await;
    again.assert_success(200);
    assert_eq!(again.text, answer.text);
    assert_eq!(balance(&world).await, "9,200.00");
    let back = r#"{"mrcReference":"back-1","mrcOriginal":"use-1","reason":"Returned"}"#;
    for _ in 0..2 {
        let answer = world.send(post("/voucher/rollback", back)).await;
        answer.assert_success(200);
        assert_eq!(answer.json["vchBalance"], "500.00");
        assert_eq!(answer.json["vchStatus"], "Active");
    }
    assert_eq!(balance(&world).await, "9,000.00");
    let used = redemption("use-1", &code, r#""amount":"200.00""#);
    let taken_back = redeem(&world, used).await;
    taken_back.assert_error(409, None, "/params/mrcReference");
    assert_eq!(balance(&world).await, "9,000.00");
    let void = format!(r#"{{"vchIdentifier":"{id}","version":3,"reason":"Lost"}}"#);
    for _ in 0..2 {
        let answer = world.send(post("/voucher/void", void.clone())).await;
        answer.assert_success(200);
        assert_eq!(answer.json["vchStatus"], "Void");
        assert_eq!(answer.json["vchBalance"], "0.00");
    }
    assert_eq!(balance(&world).await, "9,500.00");
    let ended = redemption("use-2", &code, r#""amount":"1""#);
    let refused = redeem(&world, ended).await;
    refused.assert_error(409, None, "/params/vchCode");
}

#[tokio::test]
async fn codes_are_shown_again_for_a_day_and_then_no_more() {
    let world = RouteTestWorld::new().await;
    let body = batch("batch-1", "voucher", r#""vchAmount":"500.00","vchCount":3"#);
    let first = world.send(post("/voucher/create", body.clone())).await;
    first.assert_success(200);
    let again = world.send(post("/voucher/create", body.clone())).await;
    assert_eq!(again.text, first.text);
    assert_eq!(balance(&world).await, "8,500.00");
    world
        .clock
        .advance(application::voucher::CODES_SHOWN_FOR)
        .await;
    let later = world.send(post("/voucher/create", body)).await;
    later.assert_success(200);
    assert_eq!(later.json["vouchers"][0]["vchCode"], Value::Null);
    let same = &first.json["vouchers"][0]["vchIdentifier"];
    assert_eq!(&later.json["vouchers"][0]["vchIdentifier"], same);
    let other = batch("batch-1", "voucher", r#""vchAmount":"500.01","vchCount":3"#);
    let taken = world.send(post("/voucher/create", other)).await;
    taken.assert_error(422, None, "/params/mrcReference");
}

#[tokio::test]
async fn codes_that_cannot_be_made_are_refused_with_the_remedy() {
    let world = RouteTestWorld::new().await;
    let create = |body: String| world.send(post("/voucher/create", body));
    let dear = batch("b", "voucher", r#""vchAmount":"10,000.01""#);
    create(dear).await.assert_error(400, Some(807), "/request");
    assert_eq!(balance(&world).await, "10,000.00");
    let much = batch(
        "b",
        "voucher",
        r#""vchAmount":"90000000000000","vchCount":1000"#,
    );
    let much = create(much).await;
    much.assert_error(400, Some(814), "/params/vchAmount");
    let rest = r#""vchAmount":"1""#;
    for moment in ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let ended = batch("b", "voucher", rest).replace(EXPIRY, moment);
        let refused = create(ended).await;
        refused.assert_error(400, None, "/params/vchExpiry");
    }
}

#[tokio::test]
async fn a_code_lowers_one_payment_within_its_rules() {
    let world = RouteTestWorld::new().await;
    let rest = r#""vchPercent":"10","vchUses":5,"vchServices":["airtime"],"vchMinimum":"100""#;
    let (code, _) = made(&world, "promo", rest).await;
    let bought = r#"{"mrcReference":"order-1","countryCode":"566","number":"2348031234567",
        "billing":"prepaid","amount":"1000"}"#;
    let bought = world.send(post("/payment/airtime", bought)).await;
    bought.assert_success(200);
    let asked = redemption("use-1", &code, r#""amount":"50""#);
    let refused = redeem(&world, asked).await;
    refused.assert_error(400, Some(814), "/params/amount");
    assert!(refused.json["errors"]["params"]["mrcTarget"][0].is_string());
    for (target, amount, name) in [
        ("order-2", "500", "mrcTarget"),
        ("order-1", "5000", "amount"),
    ] {
        let rest = format!(r#""amount":"{amount}","mrcTarget":"{target}""#);
        let refused = redeem(&world, redemption("use-1", &code, &rest)).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        let said = &refused.json["errors"]["params"][name][0];
        assert!(said.is_string(), "{}", refused.text);
    }
    let rest = r#""amount":"900","mrcTarget":"order-1""#;
    let answer = redeem(&world, redemption("use-1", &code, rest)).await;
    answer.assert_success(200);
    assert_eq!(answer.json["vchDiscount"], "90.00");
    assert_eq!(answer.json["vchUses"], 4);
    let second = redeem(&world, redemption("use-2", &code, rest)).await;
    second.assert_error(409, None, "/params/mrcTarget");
    let other = redemption("use-1", &code, r#""amount":"800","mrcTarget":"order-1""#);
    let taken = redeem(&world, other).await;
    taken.assert_error(422, None, "/params/mrcReference");
}

#[tokio::test]
async fn what_was_refunded_is_lowered_by_what_is_left_of_its_price_alone() {
    let world = RouteTestWorld::new().await;
    let (code, _) = made(&world, "coupon", r#""vchAmount":"10","vchUses":5"#).await;
    for (order, rest) in [("whole", ""), ("part", r#","txnAmount":"900""#)] {
        let bought = format!(
            r#"{{"mrcReference":"{order}","countryCode":"566","number":"2348031234567",
                "billing":"prepaid","amount":"1000"}}"#
        );
        let bought = world.send(post("/payment/airtime", bought)).await;
        bought.assert_success(200);
        let refund = format!(
            r#"{{"mrcReference":"back-{order}","mrcOriginal":"{order}","rfdReason":"x"{rest}}}"#
        );
        let refunded = world.send(post("/billing/refund", refund)).await;
        refunded.assert_success(200);
    }
    for (order, amount, name) in [("whole", "50", "mrcTarget"), ("part", "71", "amount")] {
        let rest = format!(r#""amount":"{amount}","mrcTarget":"{order}""#);
        let refused = redeem(&world, redemption("use-1", &code, &rest)).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        let said = &refused.json["errors"]["params"][name][0];
        assert!(said.is_string(), "{}", refused.text);
    }
    let rest = r#""amount":"70","mrcTarget":"part""#;
    let answer = redeem(&world, redemption("use-1", &code, rest)).await;
    answer.assert_success(200);
}

#[tokio::test]
async fn a_lookup_says_what_a_code_would_do_and_nothing_of_others() {
    let world = RouteTestWorld::new().await;
    let rest = r#""vchPercent":"10","vchServices":["airtime"]"#;
    let (code, _) = made(&world, "coupon", rest).await;
    let look = |query: String| world.send(get(&format!("/voucher/lookup?vchCode={query}")));
    for (query, off) in [
        (format!("{code}&amount=1000"), "100.00"),
        (format!("{code}&amount=1000&service=airtime"), "100.00"),
        (format!("{code}&amount=1000&service=bank"), "0.00"),
    ] {
        let answer = look(query).await;
        answer.assert_success(200);
        assert_eq!(answer.json["vchDiscount"], off);
        assert_eq!(answer.json["vchStatus"], "Active");
    }
    assert_eq!(look(code).await.json["vchDiscount"], Value::Null);
    let unknown = look("01234-56789-ABCDE-FGHJT".to_owned()).await;
    unknown.assert_error(404, None, "/params/vchCode");
    let wrong = look("01234-56789-ABCDE-FGHJX".to_owned()).await;
    wrong.assert_error(400, None, "/params/vchCode");
}

#[tokio::test]
async fn what_there_is_not_is_answered_404_and_what_was_changed_409() {
    let world = RouteTestWorld::new().await;
    let (code, id) = made(&world, "giftcard", r#""vchAmount":"500.00""#).await;
    let post_to = |path: &'static str, body: String| world.send(post(path, body));
    let unknown = redemption("use-9", "01234-56789-ABCDE-FGHJT", r#""amount":"1""#);
    let unknown = post_to("/voucher/redeem", unknown).await;
    unknown.assert_error(404, None, "/params/vchCode");
    let back = |reference: &str, original: &str| {
        format!(
            r#"{{"mrcReference":"{reference}","mrcOriginal":"{original}","reason":"Returned"}}"#
        )
    };
    let none = post_to("/voucher/rollback", back("back-1", "use-9")).await;
    none.assert_error(404, None, "/params/mrcOriginal");
    let void = |id: &str, version: u32| {
        format!(r#"{{"vchIdentifier":"{id}","version":{version},"reason":"Lost"}}"#)
    };
    let none = post_to("/voucher/void", void("7-1", 1)).await;
    none.assert_error(404, None, "/params/vchIdentifier");
    let changed = post_to("/voucher/void", void(&id, 7)).await;
    changed.assert_error(409, None, "/params/version");
    let used = redemption("use-1", &code, r#""amount":"500""#);
    redeem(&world, used).await.assert_success(200);
    let done = post_to("/voucher/rollback", back("back-1", "use-1")).await;
    done.assert_success(200);
    let again = post_to("/voucher/rollback", back("back-2", "use-1")).await;
    again.assert_error(409, None, "/params/mrcOriginal");
    let other = post_to("/voucher/rollback", back("back-1", "use-2")).await;
    other.assert_error(422, None, "/params/mrcReference");
}
