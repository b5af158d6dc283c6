//! `GET /transfer/bank/lookup`. It must look up the bank itself and nothing else.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::bank::lookup;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let identifier = lookup::parse(&call.attributes, call.handling)?;
    let bank = gateway.bank(&identifier)?;
    let fields = lookup::view(&bank);
    Ok(HttpReply::success(StatusCode::OK, "The bank.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/transfer/bank/lookup?{query}")))
            .await
    }

    #[tokio::test]
    async fn a_bank_is_the_whole_answer() {
        let answer = ask("bankIdentifier=00000000058").await;
        answer.assert_success(200);
        assert_eq!(answer.json["bankIdentifier"], "00000000058");
        assert_eq!(answer.json["bankFullname"], "Guaranty Trust Bank");
        assert_eq!(answer.json["codeTransfer"], "000013");
    }

    #[tokio::test]
    async fn a_bank_is_needed_well_formed_and_known() {
        let missing = ask("").await;
        missing.assert_error(405, Some(840), "/params/bankIdentifier");
        let malformed = ask("bankIdentifier=058").await;
        malformed.assert_error(400, Some(840), "/params/bankIdentifier");
        let unknown = ask("bankIdentifier=00000000059").await;
        unknown.assert_error(404, Some(840), "/params/bankIdentifier");
    }
}
