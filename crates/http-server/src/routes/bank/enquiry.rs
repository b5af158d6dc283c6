//! `GET /transfer/bank/enquiry`. It must show the bank's answer and nothing cached.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::bank::enquiry;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = enquiry::parse(&call.attributes, call.handling)?;
    let asked = gateway.bank_account(&call.merchant, (&query.bank, &query.number));
    let (bank, account) = asked.await?;
    let fields = enquiry::view(&bank, &account);
    Ok(HttpReply::success(StatusCode::OK, "The account.", fields))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(bank: &str, number: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        let query = format!("bankIdentifier={bank}&accountNumber={number}");
        world
            .send(get(&format!("/transfer/bank/enquiry?{query}")))
            .await
    }

    #[tokio::test]
    async fn an_account_is_shown_as_its_bank_knows_it() {
        let answer = ask("00000000058", "0123476789").await;
        answer.assert_success(200);
        assert_eq!(answer.json["bankFullname"], "Guaranty Trust Bank");
        assert_eq!(answer.json["accountName"], "FUNMILAYO ADEYEMI");
        assert_eq!(answer.json["accountNumber"], "0123476789");
        assert_eq!(answer.json["accountType"], "savings");
    }

    #[tokio::test]
    async fn an_enquiry_without_an_answer_says_whose_fault_it_is() {
        let typo = ask("00000000058", "1123476789").await;
        typo.assert_error(400, Some(842), "/params/accountNumber");
        let unknown = ask("00000000058", "0123480014").await;
        unknown.assert_error(404, Some(842), "/params/accountNumber");
        let unreachable = ask("00000000058", "0123530012").await;
        unreachable.assert_error(503, Some(842), "/system");
        let unusable = ask("00000000058", "0123450006").await;
        unusable.assert_error(502, Some(820), "/system");
        let unlisted = ask("00000000059", "0123476789").await;
        unlisted.assert_error(404, Some(840), "/params/bankIdentifier");
    }

    #[tokio::test]
    async fn missing_filters_are_all_named() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(get("/transfer/bank/enquiry")).await;
        for filter in ["bankIdentifier", "accountNumber"] {
            answer.assert_error(405, Some(840), &format!("/params/{filter}"));
        }
    }
}
