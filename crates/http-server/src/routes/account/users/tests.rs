//! Users over the interface: the invitation, the activation, the end.

use crate::testing::{RouteTestWorld, bare, get, post, post_of, request_of};
use base64::prelude::{BASE64_STANDARD, Engine};
use http::Request;
use http::header::{AUTHORIZATION, HeaderValue};

const PATH: &str = "/account/users";
const ACTIVATE: &str = "/account/users/activate";
const DISABLE: &str = "/account/users/disable";

fn invitation(email: &str, role: &str) -> String {
    format!(r#"{{"usrEmail":"{email}","usrName":"Ada","usrRole":"{role}"}}"#)
}

/// The number and the code of a user who was invited.
async fn invited(world: &RouteTestWorld, email: &str, role: &str) -> (u64, String) {
    let invited = world.send(post(PATH, invitation(email, role))).await;
    invited.assert_success(201);
    assert_eq!(invited.json["usrStatus"], "Invited");
    let code = invited.json["activationCode"].as_str().unwrap();
    let id = invited.json["usrIdentifier"].as_u64().unwrap();
    (id, code.to_owned())
}

fn activation(id: u64, code: &str) -> String {
    format!(r#"{{"usrIdentifier":{id},"activationCode":"{code}"}}"#)
}

#[tokio::test]
async fn a_user_is_invited_activated_given_a_key_and_disabled() {
    let world = RouteTestWorld::new().await;
    let (id, code) = invited(&world, "ada@shop.example", "viewer").await;
    let found = world.send(get(&format!("{PATH}?usrIdentifier={id}"))).await;
    found.assert_success(200);
    assert!(!found.text.contains("activationCode"), "{}", found.text);
    let key = format!(r#"{{"keyName":"Ada","keyScopes":"read","usrIdentifier":{id}}}"#);
    let early = world.send(post("/account/keys", key.clone())).await;
    early.assert_error(400, None, "/params/usrIdentifier");
    let wrong = world
        .send(post(ACTIVATE, activation(id, "00000-00000")))
        .await;
    wrong.assert_error(400, Some(805), "/params/activationCode");
    assert!(wrong.text.contains("4 more may be tried"), "{}", wrong.text);
    let active = world.send(post(ACTIVATE, activation(id, &code))).await;
    active.assert_success(200);
    assert_eq!(active.json["usrStatus"], "Active");
    let again = world.send(post(ACTIVATE, activation(id, &code))).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    let wide = key.replace("read", "read,pay");
    let wide = world.send(post("/account/keys", wide)).await;
    wide.assert_error(400, None, "/params/keyScopes");
    assert!(wide.text.contains("role viewer"), "{}", wide.text);
    let made = world.send(post("/account/keys", key)).await;
    made.assert_success(201);
    assert_eq!(made.json["usrIdentifier"], id);
    let pair = format!("shop:{}", made.json["keySecret"].as_str().unwrap());
    let ask = async || {
        let pair = BASE64_STANDARD.encode(&pair);
        let builder = Request::builder().method("GET").uri("/account/balance");
        let builder = builder.header(AUTHORIZATION, format!("Basic {pair}"));
        world.send(bare(builder)).await
    };
    ask().await.assert_success(200);
    let named = format!(r#"{{"usrIdentifier":{id}}}"#);
    let disabled = world.send(post(DISABLE, named.clone())).await;
    disabled.assert_success(200);
    assert_eq!(disabled.json["usrStatus"], "Disabled");
    let refused = ask().await;
    refused.assert_error(401, Some(802), "/request");
    assert!(refused.text.contains("not active"), "{}", refused.text);
    let again = world.send(post(DISABLE, named)).await;
    assert_eq!(again.header("idempotency-replayed"), "true");
    let late = world.send(post(ACTIVATE, activation(id, &code))).await;
    late.assert_error(409, None, "/params/usrIdentifier");
    let listed = world.send(get(PATH)).await;
    assert_eq!(listed.header("total"), "1");
    assert_eq!(listed.json["users"][0]["usrStatus"], "Disabled");
}

#[tokio::test]
async fn a_retry_shows_the_user_without_the_code() {
    let world = RouteTestWorld::new().await;
    let keyed = |email: &str| {
        let mut request = post(PATH, invitation(email, "viewer"));
        let key = HeaderValue::from_static("try-1");
        request.headers_mut().insert("idempotency-key", key);
        request
    };
    let first = world.send(keyed("ada@shop.example")).await;
    first.assert_success(201);
    let again = world.send(keyed("ADA@shop.example")).await;
    again.assert_success(200);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["usrIdentifier"], first.json["usrIdentifier"]);
    assert_eq!(again.json.get("activationCode"), None);
    let other = world.send(keyed("bola@shop.example")).await;
    other.assert_error(422, None, "/params/Idempotency-Key");
    let taken = post(PATH, invitation("ada@shop.example", "owner"));
    let taken = world.send(taken).await;
    taken.assert_error(409, Some(821), "/params/usrEmail");
}

#[tokio::test]
async fn a_user_of_another_account_does_not_exist() {
    let world = RouteTestWorld::new().await;
    let (id, code) = invited(&world, "ada@shop.example", "viewer").await;
    let found = request_of("other", "GET", &format!("{PATH}?usrIdentifier={id}"));
    let found = world.send(bare(found)).await;
    found.assert_error(404, None, "/params/usrIdentifier");
    let theirs = [
        post_of("other", ACTIVATE, activation(id, &code)),
        post_of("other", DISABLE, format!(r#"{{"usrIdentifier":{id}}}"#)),
    ];
    for request in theirs {
        let answer = world.send(request).await;
        answer.assert_error(404, None, "/params/usrIdentifier");
    }
    let listed = world.send(bare(request_of("other", "GET", PATH))).await;
    assert_eq!(listed.header("total"), "0");
}
