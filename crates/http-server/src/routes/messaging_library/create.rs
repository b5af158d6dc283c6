//! `POST /messaging/template` and `POST /messaging/flow`.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::{Gateway, ReplayMark};
use domain::messaging_library::{LibraryContent, LibraryName};
use http::StatusCode;
use wire::messaging_library::{flow as flow_wire, path, template as template_wire, view};

pub(in crate::routes) async fn template(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = template_wire::parse(&call.attributes, call.handling)?;
    let words = ("The template.", "The template of the first request.");
    keep(&gateway, &call, (wanted, words)).await
}

pub(in crate::routes) async fn flow(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let wanted = flow_wire::parse(&call.attributes, call.handling)?;
    let words = ("The flow.", "The flow of the first request.");
    keep(&gateway, &call, (wanted, words)).await
}

async fn keep(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    (wanted, (made, replayed)): ((LibraryName, LibraryContent), (&'static str, &'static str)),
) -> Result<HttpReply, HttpReply> {
    let kept = gateway.keep_item(&call.merchant, wanted, call.retry_key());
    let kept = kept.await?;
    let fields = view(&kept.item, &call.zone());
    let reply = match kept.replay {
        ReplayMark::New => HttpReply::success(StatusCode::CREATED, made, fields),
        ReplayMark::Replayed => HttpReply::success(StatusCode::OK, replayed, fields).replayed(),
    };
    Ok(reply.located(&path(kept.item.content.kind(), kept.item.id)))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, bare, get, post, post_of, request_of};
    use domain::messaging_library::LIBRARY_MAX;
    use http::HeaderValue;
    use ports::messaging_library::{LibraryCreation, MessagingLibrary};
    use testkit::builders::kept_template;

    const PATH: &str = "/messaging/template";

    fn body(name: &str) -> String {
        format!(r#"{{"tplName":"{name}","content":"Dear {{first}}, we open at 9."}}"#)
    }

    #[tokio::test]
    async fn a_template_is_made_found_and_deleted_by_its_account_alone() {
        let world = RouteTestWorld::new().await;
        let made = world.send(post(PATH, body("Hours"))).await;
        made.assert_success(201);
        let id = made.json["tplIdentifier"].to_string();
        let one = format!("{PATH}?tplIdentifier={id}");
        assert_eq!(made.header("location"), one);
        let found = world.send(get(&one)).await;
        assert_eq!(found.json["content"], "Dear {first}, we open at 9.");
        let theirs = world.send(bare(request_of("other", "GET", &one))).await;
        theirs.assert_error(404, None, "/params/tplIdentifier");
        let named = format!(r#"{{"tplIdentifier":{id}}}"#);
        let delete = "/messaging/template/delete";
        let refused = world.send(post_of("other", delete, named.clone())).await;
        refused.assert_error(404, None, "/params/tplIdentifier");
        world
            .send(post(delete, named.clone()))
            .await
            .assert_success(200);
        let gone = world.send(get(&one)).await;
        gone.assert_error(404, None, "/params/tplIdentifier");
        let again = world.send(post(delete, named)).await;
        again.assert_error(404, None, "/params/tplIdentifier");
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
        let first = world.send(keyed(body("Hours"))).await;
        first.assert_success(201);
        let again = world.send(keyed(body(" Hours "))).await;
        again.assert_success(200);
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json["tplIdentifier"], first.json["tplIdentifier"]);
        let other = world.send(keyed(body("Closing"))).await;
        other.assert_error(422, None, "/params/Idempotency-Key");
    }

    #[tokio::test]
    async fn an_account_has_so_many_templates() {
        let world = RouteTestWorld::new().await;
        for id in 1..=u64::from(LIBRARY_MAX) {
            let kept = world.store.keep(&kept_template("shop", 1_000 + id)).await;
            assert_eq!(kept.unwrap(), LibraryCreation::Done);
        }
        let more = world.send(post(PATH, body("Hours"))).await;
        more.assert_error(409, None, "/request");
    }

    #[tokio::test]
    async fn messages_of_a_template_that_was_deleted_are_not_sent_again() {
        let world = RouteTestWorld::new().await;
        let made = world.send(post(PATH, body("Hours"))).await;
        let id = made.json["tplIdentifier"].to_string();
        let bulk = |reference: &str| {
            format!(
                r#"{{"mrcReference":"{reference}","countryCode":566,"sender":100000000001,
                    "type":"text","tplIdentifier":{id},"items":[{{"mrcReference":"{reference}-1",
                    "number":"2348031234567","fields":[{{"name":"first","value":"Ada"}}]}}]}}"#
            )
        };
        let sent = world.send(post("/messaging/bulk", bulk("news"))).await;
        sent.assert_success(202);
        let named = format!(r#"{{"tplIdentifier":{id}}}"#);
        let deleted = world.send(post("/messaging/template/delete", named)).await;
        deleted.assert_success(200);
        // It is not answered as if nothing had been sent.
        let again = world.send(post("/messaging/bulk", bulk("news"))).await;
        again.assert_error(422, None, "/params/mrcReference");
        assert_eq!(
            again.header("location"),
            "/messaging/bulk/transaction?mrcReference=news"
        );
        let other = world.send(post("/messaging/bulk", bulk("other"))).await;
        other.assert_error(404, None, "/params/tplIdentifier");
    }
}
