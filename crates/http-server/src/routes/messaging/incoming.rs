//! `GET /messaging/incoming`. It must show messages of the account in the request alone.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::messaging::incoming::{self, IncomingPart};

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = incoming::parse(&call.attributes, call.handling)?;
    let found = gateway.incoming_messages(&call.merchant, &query).await;
    let found = found.map_err(|failed| HttpReply::unavailable(&failed))?;
    let part = IncomingPart {
        messages: &found.messages,
        total: found.total,
        found: found.found,
    };
    let fields = incoming::view(part, &query, &call.zone());
    let links = incoming::link_header(part, &query);
    let message = "Messages that people sent to your senders.";
    let reply = HttpReply::success(StatusCode::OK, message, fields);
    Ok(collection::part(reply, found.found, &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};
    use domain::messaging::IncomingMessage;
    use ports::incoming_messages::{IncomingMessages as _, IncomingRecording};
    use testkit::builders::incoming_message;

    const PATH: &str = "/messaging/incoming";

    async fn has_recorded(world: &RouteTestWorld, message: &IncomingMessage) {
        let recorded = world.store.record_incoming(message).await;
        assert_eq!(recorded.unwrap(), IncomingRecording::Recorded);
    }

    #[tokio::test]
    async fn an_account_sees_its_own_messages_alone() {
        let world = RouteTestWorld::new().await;
        has_recorded(&world, &incoming_message("shop", 7)).await;
        has_recorded(&world, &incoming_message("other", 8)).await;
        let answer = world.send(get(PATH)).await;
        answer.assert_success(200);
        let messages = answer.json["incomingMessages"].as_array().unwrap();
        assert_eq!(messages.len(), 1, "{}", answer.text);
        assert_eq!(messages[0]["msgIdentifier"], 7);
        assert_eq!(messages[0]["content"], "Yes, deliver on Friday.");
        let none = world.send(get(&format!("{PATH}?channel=whatsapp"))).await;
        assert_eq!(none.json["query"]["found"], 0);
        assert_eq!(none.json["query"]["total"], 1);
    }

    #[tokio::test]
    async fn a_filter_that_is_wrong_is_named_with_all_others() {
        let world = RouteTestWorld::new().await;
        let path = format!("{PATH}?channel=fax&number=12");
        let answer = world.send(get(&path)).await;
        assert_eq!(answer.status, 400, "{}", answer.text);
        let violations = &answer.json["errors"]["params"];
        assert!(violations["channel"].is_array() && violations["number"].is_array());
    }
}
