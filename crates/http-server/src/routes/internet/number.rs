//! `GET /payment/internet/number`. It must not guess the operator of a number.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::internet::number;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = number::parse(&call.attributes, call.handling)?;
    let provider = gateway
        .data_provider_of(&call.merchant, &query.number, query.country)
        .await?;
    let fields = number::view(&query, &provider);
    Ok(HttpReply::success(
        StatusCode::OK,
        "The provider of the number.",
        fields,
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/payment/internet/number?{query}")))
            .await
    }

    #[tokio::test]
    async fn a_number_leads_to_the_provider_that_sells_data_for_it() {
        let answer = ask("countryCode=566&number=%2B2348031234567").await;
        answer.assert_success(200);
        assert_eq!(answer.json["identifier"], "1");
        assert_eq!(answer.json["number"], "2348031234567");
        assert_eq!(answer.json["brandname"], "MTN");
    }

    #[tokio::test]
    async fn a_number_without_an_answer_says_why() {
        let nobodys = ask("countryCode=566&number=2347001234567").await;
        nobodys.assert_error(400, Some(820), "/params/number");
        assert!(!nobodys.text.contains("airtime"), "{}", nobodys.text);
        let elsewhere = ask("countryCode=566&number=447911123456").await;
        elsewhere.assert_error(400, Some(822), "/params/number");
        let abroad = ask("countryCode=288&number=2348031234567").await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
    }

    #[tokio::test]
    async fn missing_filters_are_all_named() {
        let answer = ask("").await;
        for filter in ["countryCode", "number"] {
            answer.assert_error(405, Some(851), &format!("/params/{filter}"));
        }
    }
}
