//! `GET /webhook/events`. It must list the event types, not the events that happened.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::webhook::events;

pub(in crate::routes) async fn handle(
    _: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = events::parse(&call.attributes, call.handling)?;
    let listing = events::listing();
    let fields = events::view(&listing, &paging);
    let links = events::link_header(&listing, &paging);
    let reply = HttpReply::success(StatusCode::OK, "The events there are.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};

    #[tokio::test]
    async fn what_an_endpoint_can_ask_for_is_listed_with_what_it_means() {
        let world = RouteTestWorld::new().await;
        let part = world.send(get("/webhook/events?offset=1&length=1")).await;
        part.assert_success(200);
        assert_eq!(part.json["events"][0]["evtType"], "account.low_balance");
        assert!(part.json["events"][0]["evtDescription"].is_string());
        assert_eq!(part.header("total"), "13");
        let refused = world.send(get("/webhook/events?orderby=evtDate")).await;
        refused.assert_error(400, None, "/params/orderby");
    }
}
