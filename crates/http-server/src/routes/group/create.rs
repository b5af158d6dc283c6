//! `POST /transfer/group`. It must not look members up: a group may be made while banks are away.

use super::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::{Gateway, ReplayMark};
use http::StatusCode;
use wire::group::{content, path};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = content::parse(&call.attributes, call.handling)?;
    let created = gateway.create_group(&call.merchant, wanted, call.retry_key());
    let created = created.await?;
    let zone = call.zone();
    let reply = match created.replay {
        ReplayMark::New => shown(StatusCode::CREATED, "The group.", (&created.group, &zone)),
        ReplayMark::Replayed => {
            let message = "The group of the first request, as it is now.";
            shown(StatusCode::OK, message, (&created.group, &zone)).replayed()
        }
    };
    Ok(reply.located(&path(created.group.id)))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, bare, get, post, post_of, request_of};
    use domain::bank::GROUPS_MAX;
    use http::HeaderValue;
    use ports::groups::{GroupCreation, Groups};
    use testkit::builders::group;

    const PATH: &str = "/transfer/group";

    fn members(count: u32) -> String {
        let member = |n| {
            format!(
                r#"{{"bankIdentifier":"00000000058","accountNumber":"{n:010}",
                    "accountName":"Ada {n}"}}"#
            )
        };
        (1..=count).map(member).collect::<Vec<_>>().join(",")
    }

    fn body(name: &str, count: u32) -> String {
        format!(r#"{{"grpName":"{name}","members":[{}]}}"#, members(count))
    }

    fn change(group: &str, version: u32, name: &str) -> String {
        let more = format!(r#"{{"grpIdentifier":{group},"version":{version},"#);
        body(name, 2).replacen('{', &more, 1)
    }

    async fn made(world: &RouteTestWorld) -> String {
        let made = world.send(post(PATH, body("Staff", 1))).await;
        made.assert_success(201);
        assert_eq!(made.header("etag"), "\"1\"");
        made.json["grpIdentifier"].to_string()
    }

    #[tokio::test]
    async fn a_group_is_made_found_changed_and_deleted() {
        let world = RouteTestWorld::new().await;
        let id = made(&world).await;
        let one = format!("{PATH}?grpIdentifier={id}");
        let found = world.send(get(&one)).await;
        found.assert_success(200);
        assert_eq!(found.header("etag"), "\"1\"");
        assert_eq!(found.json["members"][0]["accountName"], "Ada 1");
        let changed = post("/transfer/group/update", change(&id, 1, "Drivers"));
        let changed = world.send(changed).await;
        changed.assert_success(200);
        assert_eq!(changed.header("etag"), "\"2\"");
        assert_eq!(changed.json["version"], 2);
        assert_eq!(changed.json["grpName"], "Drivers");
        let listed = world.send(get(PATH)).await;
        assert_eq!(listed.header("total"), "1");
        assert_eq!(listed.json["groups"][0]["grpCount"], 2);
        let named = format!(r#"{{"grpIdentifier":{id},"version":2}}"#);
        let deleted = world
            .send(post("/transfer/group/delete", named.clone()))
            .await;
        deleted.assert_success(200);
        let gone = world.send(get(&one)).await;
        gone.assert_error(404, None, "/params/grpIdentifier");
        let again = world.send(post("/transfer/group/delete", named)).await;
        again.assert_error(404, None, "/params/grpIdentifier");
    }

    #[tokio::test]
    async fn a_change_of_a_version_that_was_replaced_is_refused() {
        let world = RouteTestWorld::new().await;
        let id = made(&world).await;
        let update = |version, name| post("/transfer/group/update", change(&id, version, name));
        world.send(update(1, "Drivers")).await.assert_success(200);
        // The same change again was made already.
        let again = world.send(update(1, "Drivers")).await;
        again.assert_success(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json["version"], 2);
        let stale = world.send(update(1, "Cooks")).await;
        stale.assert_error(409, None, "/params/version");
        let mut matching = update(2, "Cooks");
        let tag = HeaderValue::from_static("\"1\"");
        matching.headers_mut().insert("if-match", tag);
        let failed = world.send(matching).await;
        failed.assert_error(412, None, "/params/If-Match");
        let mut matching = update(2, "Cooks");
        let tag = HeaderValue::from_static("\"2\"");
        matching.headers_mut().insert("if-match", tag);
        world.send(matching).await.assert_success(200);
        let named = format!(r#"{{"grpIdentifier":{id},"version":2}}"#);
        let stale = world.send(post("/transfer/group/delete", named)).await;
        stale.assert_error(409, None, "/params/version");
    }

    #[tokio::test]
    async fn a_group_of_another_account_does_not_exist() {
        let world = RouteTestWorld::new().await;
        let id = made(&world).await;
        let theirs = request_of("other", "GET", &format!("{PATH}?grpIdentifier={id}"));
        let theirs = bare(theirs);
        let found = world.send(theirs).await;
        found.assert_error(404, None, "/params/grpIdentifier");
        let update = post_of("other", "/transfer/group/update", change(&id, 1, "Mine"));
        let changed = world.send(update).await;
        changed.assert_error(404, None, "/params/grpIdentifier");
    }

    #[tokio::test]
    async fn a_retry_is_answered_with_the_first() {
        let world = RouteTestWorld::new().await;
        let keyed = |body: String| {
            let mut request = post(PATH, body);
            let key = HeaderValue::from_static("try-1");
            request.headers_mut().insert("idempotency-key", key);
            request
        };
        let first = world.send(keyed(body("Staff", 2))).await;
        first.assert_success(201);
        let again = world.send(keyed(body(" Staff ", 2))).await;
        again.assert_success(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json["grpIdentifier"], first.json["grpIdentifier"]);
        let other = world.send(keyed(body("Cooks", 2))).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
    }

    #[tokio::test]
    async fn members_and_groups_have_limits() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, body("Staff", 1_000))).await;
        answer.assert_success(201);
        let answer = world.send(post(PATH, body("Staff", 1_001))).await;
        answer.assert_error(413, None, "/request");
        for id in 1..u64::from(GROUPS_MAX) {
            let made = world.store.create_group(&group("shop", id)).await;
            assert_eq!(made.unwrap(), GroupCreation::Done);
        }
        let more = world.send(post(PATH, body("Staff", 1))).await;
        more.assert_error(409, None, "/request");
    }
}
