//! `GET /payment/cabletv/smartcard`. It must show the biller's answer and nothing cached.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::cabletv::smartcard;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = smartcard::parse(&call.attributes, call.handling)?;
    let found = gateway.smartcard(&call.merchant, &query).await?;
    let fields = smartcard::view(&found, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The smartcard.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/payment/cabletv/smartcard?{query}")))
            .await
    }

    #[tokio::test]
    async fn a_card_is_shown_as_its_provider_knows_it() {
        let answer = ask("provider=2&number=0201234567").await;
        answer.assert_success(200);
        assert_eq!(answer.json["provider"], "2");
        assert_eq!(answer.json["number"], "0201234567");
        assert_eq!(answer.json["customerName"], "Chinedu Obi");
        assert_eq!(answer.json["productCost"], answer.json["productPrice"]);
        assert_eq!(answer.json["dueDate"], "2026-01-25");
    }

    #[tokio::test]
    async fn a_lookup_without_an_answer_says_whose_fault_it_is() {
        let unknown = ask("provider=2&number=0201230014").await;
        unknown.assert_error(404, Some(824), "/params/number");
        let unreachable = ask("provider=2&number=0201230012").await;
        unreachable.assert_error(503, Some(824), "/system");
        let unusable = ask("provider=2&number=0201230006").await;
        unusable.assert_error(502, Some(820), "/system");
        let unlisted = ask("provider=9&number=0201234567").await;
        unlisted.assert_error(404, Some(820), "/params/provider");
    }

    #[tokio::test]
    async fn missing_filters_are_all_named() {
        let answer = ask("").await;
        for filter in ["provider", "number"] {
            answer.assert_error(405, Some(820), &format!("/params/{filter}"));
        }
    }
}
