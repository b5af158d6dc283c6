//! What was changed, over the interface: each change is there once, with who made it, and no secret
//! is in it.

use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post, request_of};
use serde_json::{Value, json};

const AUDIT: &str = "/security/audit";

async fn done(world: &RouteTestWorld, path: &str, body: Value) -> TestAnswer {
    let answer = world.send(post(path, body.to_string())).await;
    assert!(
        [200, 201].contains(&answer.status),
        "{path}: {}",
        answer.text
    );
    answer
}

async fn changes(world: &RouteTestWorld, query: &str) -> Vec<Value> {
    let answer = world.send(get(&format!("{AUDIT}{query}"))).await;
    answer.assert_success(200);
    answer.json["changes"].as_array().unwrap().clone()
}

/// Makes every kind of change that a merchant makes; the secrets that were answered.
async fn change_everything(world: &RouteTestWorld) -> Vec<String> {
    let text = |answer: &TestAnswer, field: &str| answer.json[field].as_str().unwrap().to_owned();
    let key = json!({"keyName": "Till 1", "keyScopes": "read"});
    let key = done(world, "/account/keys", key).await;
    let id = text(&key, "keyIdentifier");
    let rotation = json!({"keyIdentifier": id});
    let rotated = done(world, "/security/rotate", rotation).await;
    let network = json!({"keyIdentifier": id, "alwNetwork": "203.0.113.0/24"});
    let network = done(world, "/security/allowlist", network).await;
    let network = json!({"alwIdentifier": text(&network, "alwIdentifier")});
    done(world, "/security/allowlist/remove", network).await;
    for path in ["/security/freeze", "/security/unfreeze"] {
        let order = json!({"scope": "service", "service": "bank", "reason": "lost"});
        done(world, path, order).await;
    }
    done(world, "/account/keys/revoke", json!({"keyIdentifier": id})).await;
    let user = json!({"usrEmail": "ada@shop.example", "usrName": "Ada", "usrRole": "viewer"});
    let user = done(world, "/account/users", user).await;
    let code = text(&user, "activationCode");
    let user = &user.json["usrIdentifier"];
    let wrong = json!({"usrIdentifier": user, "activationCode": "AAAAA-AAAAA"});
    let refused = world.send(post("/account/users/activate", wrong.to_string()));
    assert_eq!(refused.await.status, 400);
    let right = json!({"usrIdentifier": user, "activationCode": code});
    done(world, "/account/users/activate", right).await;
    done(
        world,
        "/account/users/disable",
        json!({"usrIdentifier": user}),
    )
    .await;
    done(
        world,
        "/account/limits",
        json!({"lmtService": "all", "lmtPerDay": "900.00"}),
    )
    .await;
    let endpoint = json!({"whkUrl": "https://shop.example/hidden-path"});
    let endpoint = done(world, "/webhook/endpoint", endpoint).await;
    let number = json!({"whkIdentifier": endpoint.json["whkIdentifier"]});
    for path in ["rotate", "disable", "enable", "delete"] {
        done(world, &format!("/webhook/{path}"), number.clone()).await;
    }
    vec![
        text(&key, "keySecret"),
        text(&rotated, "keySecret"),
        text(&endpoint, "whkSecret"),
        code,
        "hidden-path".to_owned(),
    ]
}

#[tokio::test]
async fn every_change_is_shown_once_with_who_made_it_and_without_secrets() {
    let world = RouteTestWorld::new().await;
    let secrets = Box::pin(change_everything(&world)).await;
    let all = changes(&world, "").await;
    let actions: Vec<_> = all
        .iter()
        .map(|it| it["audAction"].as_str().unwrap())
        .collect();
    let expected = [
        "key.made",
        "key.rotated",
        "network.allowed",
        "network.removed",
        "freeze.set",
        "freeze.lifted",
        "key.revoked",
        "user.invited",
        "user.code_refused",
        "user.activated",
        "user.disabled",
        "limit.set",
        "webhook.registered",
        "webhook.secret_rotated",
        "webhook.disabled",
        "webhook.enabled",
        "webhook.removed",
    ];
    assert_eq!(actions, expected);
    let mut previous = Value::String("0".repeat(64));
    for change in &all {
        assert_eq!(change["audActorType"], "key");
        assert_eq!(change["audActor"], change["keyIdentifier"]);
        assert_eq!(change["audIpAddress"], "192.0.2.1");
        assert_eq!(change["audRequestId"].as_str().unwrap().len(), 24);
        assert_eq!(change["audVerified"], true);
        assert_eq!(change["audPrevious"], previous);
        previous = change["audHash"].clone();
    }
    let shown = serde_json::to_string(&all).unwrap();
    for secret in secrets {
        assert!(!shown.contains(&secret), "{secret}");
    }
    let freeze = &all[4];
    assert_eq!(freeze["audTarget"], "service bank");
    assert_eq!(freeze["audBefore"], "status: Active");
    assert_eq!(freeze["audAfter"], "status: Frozen; reason: lost");
}

#[tokio::test]
async fn a_part_of_the_changes_is_asked_for_by_kind_and_moment() {
    let world = RouteTestWorld::new().await;
    Box::pin(change_everything(&world)).await;
    let one = changes(&world, "?audAction=LIMIT.SET").await;
    assert_eq!(one.len(), 1);
    assert_eq!(one[0]["audAfter"], "version: 1; day: 900.00");
    let last = changes(&world, "?sort=desc&length=2").await;
    assert_eq!(last[0]["audAction"], "webhook.removed");
    assert_eq!(last[1]["audHash"], last[0]["audPrevious"]);
    assert_eq!(changes(&world, "?to=14-01-2026").await, [Value::Null; 0]);
    assert_eq!(changes(&world, "?from=15-01-2026").await.len(), 17);
    // Another account sees its own.
    let other = world.send(bare(request_of("other", "GET", AUDIT))).await;
    assert_eq!(other.json["query"]["total"], 0);
}

#[tokio::test]
async fn a_change_that_was_altered_is_shown_as_not_verified() {
    let world = RouteTestWorld::new().await;
    Box::pin(change_everything(&world)).await;
    world.store.alter_change(5, |row| {
        row.sealed.change.after = Some("status: Frozen; reason: found".to_owned());
    });
    let all = changes(&world, "").await;
    let doubtful: Vec<_> = all
        .iter()
        .filter(|it| it["audVerified"] == false)
        .map(|it| it["audIdentifier"].clone())
        .collect();
    assert_eq!(doubtful, [5]);
}
