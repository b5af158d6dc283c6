//! Subscriptions over HTTP: the world's clock stands at 10:00 on 15-01-2026 in Lagos.

use crate::testing::{RouteTestWorld, TestAnswer, get, post};

const PATH: &str = "/billing/subscription";

fn airtime(reference: &str, more: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","subService":"airtime","countryCode":566,
            "number":"2348031234567","amount":"100.00","billing":"prepaid","subInterval":"month",
            "subStart":"31-01-2026 09:00:00","subOnFailure":"retry"{more}}}"#
    )
}

async fn change(world: &RouteTestWorld, act: &str, version: &str) -> TestAnswer {
    let body = format!(r#"{{"mrcReference":"monthly","version":{version}}}"#);
    world.send(post(&format!("{PATH}/{act}"), body)).await
}

#[tokio::test]
async fn a_subscription_is_made_shown_and_listed() {
    let world = RouteTestWorld::new().await;
    let made = world
        .send(post(PATH, airtime("monthly", ",\"subCount\":12")))
        .await;
    made.assert_success(201);
    for (name, value) in [
        ("subService", "airtime"),
        ("subOrder", "Airtime MTN 2348031234567"),
        ("subStatus", "Active"),
        ("subInterval", "month"),
        ("subStart", "31-01-2026 09:00:00"),
        ("subNext", "31-01-2026 09:00:00"),
        ("subOnFailure", "retry"),
    ] {
        assert_eq!(made.json[name], value, "{name}");
    }
    assert_eq!(
        (
            made.json["version"].as_u64(),
            made.json["subCount"].as_u64()
        ),
        (Some(1), Some(12))
    );
    assert_eq!(made.header("etag"), "\"1\"");
}

#[tokio::test]
async fn a_subscription_is_found_again() {
    let world = RouteTestWorld::new().await;
    let asked = || post(PATH, airtime("monthly", ",\"subCount\":12"));
    let made = world.send(asked()).await;
    let again = world.send(asked()).await;
    again.assert_success(200);
    assert_eq!(again.json["subIdentifier"], made.json["subIdentifier"]);
    let shown = world.send(get(made.header("location"))).await;
    shown.assert_success(200);
    assert_eq!(shown.json["subIdentifier"], made.json["subIdentifier"]);
    let all = world.send(get(PATH)).await;
    all.assert_success(200);
    assert_eq!(all.json["subscriptions"].as_array().unwrap().len(), 1);
    let runs = world
        .send(get(&format!("{PATH}/runs?mrcReference=monthly")))
        .await;
    runs.assert_success(200);
    assert_eq!(runs.json["runs"].as_array().unwrap().len(), 0);
    let other = world.send(post(PATH, airtime("monthly", ""))).await;
    other.assert_error(422, None, "/params/mrcReference");
}

#[tokio::test]
async fn a_subscription_is_paused_resumed_and_cancelled_from_the_version_that_was_seen() {
    let world = RouteTestWorld::new().await;
    world
        .send(post(PATH, airtime("monthly", "")))
        .await
        .assert_success(201);
    let paused = change(&world, "pause", "1").await;
    paused.assert_success(200);
    assert_eq!(paused.json["subStatus"], "Paused");
    assert!(paused.json["subNext"].is_null());
    change(&world, "resume", "1")
        .await
        .assert_error(409, None, "/params/version");
    let resumed = change(&world, "resume", "2").await;
    resumed.assert_success(200);
    assert_eq!(resumed.json["subNext"], "31-01-2026 09:00:00");
    let mut request = post(
        &format!("{PATH}/cancel"),
        r#"{"mrcReference":"monthly","version":3}"#,
    );
    request
        .headers_mut()
        .insert("if-match", "\"2\"".parse().unwrap());
    world
        .send(request)
        .await
        .assert_error(412, None, "/params/If-Match");
    change(&world, "cancel", "3").await.assert_success(200);
    change(&world, "resume", "4")
        .await
        .assert_error(409, None, "/request");
    let unknown = world
        .send(post(
            &format!("{PATH}/pause"),
            r#"{"subIdentifier":7,"version":1}"#,
        ))
        .await;
    unknown.assert_error(404, None, "/params/subIdentifier");
}

#[tokio::test]
async fn everything_that_is_wrong_is_named_at_once() {
    let world = RouteTestWorld::new().await;
    let body = r#"{"mrcReference":"a b","subService":"airtime","countryCode":566,"number":"x",
        "amount":"-1","billing":"cash","subInterval":"year","subStart":"soon","subCount":0,
        "subOnFailure":"hope","qteIdentifier":"qte_x"}"#;
    let answer = world.send(post(PATH, body)).await;
    for name in [
        "mrcReference",
        "number",
        "amount",
        "billing",
        "subInterval",
        "subStart",
        "subCount",
        "subOnFailure",
        "qteIdentifier",
    ] {
        assert!(
            answer.json["errors"]["params"][name].is_array(),
            "{name}: {}",
            answer.text
        );
    }
    let answer = world
        .send(post(
            PATH,
            airtime("a", "").replace("\"airtime\"", "\"hlr\""),
        ))
        .await;
    answer.assert_error(400, None, "/params/subService");
    let past = airtime("a", "").replace("31-01-2026", "14-01-2026");
    world
        .send(post(PATH, past))
        .await
        .assert_error(400, None, "/params/subStart");
}
