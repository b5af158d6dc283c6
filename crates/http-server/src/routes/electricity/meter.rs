//! `GET /payment/electricity/meter`. It must show the biller's answer and nothing cached.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::electricity::meter;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = meter::parse(&call.attributes, call.handling)?;
    let found = gateway.meter(&call.merchant, &query).await?;
    let fields = meter::view(&found, &call.zone());
    Ok(HttpReply::success(StatusCode::OK, "The meter.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        let target = format!("/payment/electricity/meter?{query}");
        world.send(get(&target)).await
    }

    #[tokio::test]
    async fn a_meter_is_shown_as_its_company_knows_it() {
        let answer = ask("disco=101&number=04123456789&billing=prepaid").await;
        answer.assert_success(200);
        assert_eq!(answer.json["number"], "04123456789");
        assert_eq!(answer.json["owner"], "Adaeze Okonkwo");
        assert_eq!(answer.json["debt"], "1,250.50");
        assert_eq!(answer.json["billing"], "Prepaid");
    }

    #[tokio::test]
    async fn a_lookup_without_an_answer_says_whose_fault_it_is() {
        let unknown = ask("disco=101&number=04123450014&billing=prepaid").await;
        unknown.assert_error(404, Some(823), "/params/number");
        let unreachable = ask("disco=101&number=04123450012&billing=prepaid").await;
        unreachable.assert_error(503, Some(823), "/system");
        let unusable = ask("disco=101&number=04123450006&billing=prepaid").await;
        unusable.assert_error(502, Some(820), "/system");
        let unlisted = ask("disco=999&number=04123456789&billing=prepaid").await;
        unlisted.assert_error(404, Some(820), "/params/disco");
    }

    #[tokio::test]
    async fn missing_filters_are_all_named() {
        let answer = ask("").await;
        for filter in ["disco", "number", "billing"] {
            answer.assert_error(405, Some(820), &format!("/params/{filter}"));
        }
    }
}
