//! `GET /transfer/mobilemoney/enquiry`. It must show the operator's answer and nothing cached.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::mobile_money::enquiry;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = enquiry::parse(&call.attributes, call.handling)?;
    let asked = gateway.mobile_wallet(&call.merchant, (&query.operator, &query.number));
    let (operator, wallet) = asked.await?;
    let fields = enquiry::view(&operator, &wallet);
    Ok(HttpReply::success(StatusCode::OK, "The wallet.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(operator: &str, number: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        let query = format!("identifier={operator}&number={number}");
        let path = format!("/transfer/mobilemoney/enquiry?{query}");
        world.send(get(&path)).await
    }

    #[tokio::test]
    async fn a_wallet_is_shown_as_its_operator_knows_it() {
        let answer = ask("901", "2348031236789").await;
        answer.assert_success(200);
        assert_eq!(answer.json["brandname"], "MoMo PSB");
        assert_eq!(answer.json["accountName"], "FUNMILAYO ADEYEMI");
        assert_eq!(answer.json["number"], "2348031236789");
        assert_eq!(answer.json["accountStatus"], "available");
    }

    #[tokio::test]
    async fn an_enquiry_without_an_answer_says_whose_fault_it_is() {
        let unknown = ask("901", "2348031230014").await;
        unknown.assert_error(404, Some(822), "/params/number");
        let unreachable = ask("901", "2348031230012").await;
        unreachable.assert_error(503, Some(822), "/system");
        let unlisted = ask("999", "2348031236789").await;
        unlisted.assert_error(404, Some(820), "/params/identifier");
        let missing = RouteTestWorld::new().await;
        let missing = missing.send(get("/transfer/mobilemoney/enquiry")).await;
        missing.assert_error(405, Some(820), "/params/identifier");
        missing.assert_error(405, Some(820), "/params/number");
    }
}
