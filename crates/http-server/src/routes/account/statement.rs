//! `GET /account/statement`. It must return pages, never everything at once.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::account::statement;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let currency = call.merchant.account.currency;
    let query = statement::parse(&call.attributes, call.handling, currency)?;
    let page = gateway.statement(&call.merchant, &query).await?;
    let fields = statement::view(&page, &query, &call.zone());
    let links = statement::link_header(&page, &query);
    let reply = HttpReply::success(StatusCode::OK, "The statement.", fields);
    Ok(collection::part(reply, page.found, &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post};

    #[tokio::test]
    async fn a_page_says_how_much_there_is_and_where_the_rest_is() {
        let world = RouteTestWorld::new().await;
        for reference in ["order-1", "order-2"] {
            let body = format!(
                r#"{{"mrcReference":"{reference}","countryCode":566,"number":"2348031234567",
                    "amount":"1000","billing":"prepaid"}}"#
            );
            world
                .send(post("/payment/airtime", body))
                .await
                .assert_success(200);
        }
        let page = world.send(get("/account/statement?length=2")).await;
        page.assert_success(200);
        assert_eq!(page.json["metadata"]["total"], 2);
        assert_eq!(page.json["query"]["found"], 3);
        assert_eq!(page.header("total"), "3");
        let next = "</account/statement?offset=2&length=2&sort=asc&stmCurrency=NGN>; rel=\"next\"";
        assert!(page.header("link").contains(next), "{:?}", page.headers);
        assert_eq!(page.json["statements"][1]["stmType"], "Debit");
        assert_eq!(page.json["statements"][1]["balAfter"], "9,030.00");
    }

    #[tokio::test]
    async fn parts_that_cannot_be_are_refused() {
        let world = RouteTestWorld::new().await;
        let answer = world
            .send(get("/account/statement?length=101&offset=-1&sort=up"))
            .await;
        for filter in ["length", "offset", "sort"] {
            answer.assert_error(400, None, &format!("/params/{filter}"));
        }
    }
}
