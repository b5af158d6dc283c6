//! `GET` on the path of a product: its transactions. It must name no product: the route table maps
//! paths to products.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use crate::routes::row::{RouteHandler, operation};
use application::Gateway;
use application::transaction_list::TransactionFilter;
use domain::order::Service;
use http::StatusCode;
use wire::transaction_list::{self, ListPart};

/// The transactions of a product.
pub(super) fn listing(service: Service) -> RouteHandler {
    operation(move |gateway, call| handle(gateway, call, service))
}

async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    service: Service,
) -> Result<HttpReply, HttpReply> {
    let query = transaction_list::parse(&call.attributes, call.handling)?;
    let filter = TransactionFilter {
        services: vec![service],
        from: None,
        until: None,
        reference: query.reference.clone(),
        status: query.status,
        number: None,
        offset: query.offset,
        length: query.length,
        sort: query.sort,
    };
    let page = gateway.transactions(&call.merchant, &filter).await?;
    let part = ListPart {
        transactions: &page.transactions,
        total: page.total,
        found: page.found,
    };
    let fields = transaction_list::view(part, &query, &call.zone());
    let links = transaction_list::link_header(service, part, &query);
    let reply = HttpReply::success(StatusCode::OK, "The transactions.", fields);
    Ok(collection::part(reply, page.found, &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post, post_of};
    use serde_json::Value;
    use std::time::Duration;

    fn airtime(reference: &str, number: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","countryCode":566,"number":"{number}",
                "amount":"100","billing":"prepaid"}}"#
        )
    }

    /// Five top-ups of `shop`, the third of which is refused, a message, and a top-up of another
    /// account.
    async fn history() -> RouteTestWorld {
        let world = RouteTestWorld::new().await;
        for (reference, number) in [
            ("top-up-1", "2348031234567"),
            ("top-up-2", "2348031234567"),
            ("top-up-3", "2348031230001"),
            ("top-up-4", "2348031234567"),
            ("top-up-5", "2348031234567"),
        ] {
            let bought = post("/payment/airtime", airtime(reference, number));
            world.send(bought).await.assert_success(200);
            world.clock.advance(Duration::from_secs(1)).await;
        }
        let message = r#"{"mrcReference":"message-1","countryCode":566,"number":"2348031234567",
            "sender":"100000000001","type":"text","message":"Hello"}"#;
        let sent = post("/messaging/sms", message);
        world.send(sent).await.assert_success(200);
        let other = post_of(
            "other",
            "/payment/airtime",
            airtime("theirs", "2348031234567"),
        );
        world.send(other).await.assert_success(200);
        world
    }

    fn references(answer: &Value) -> Vec<&str> {
        let all = answer["transactions"].as_array().unwrap().iter();
        all.map(|it| it["mrcReference"].as_str().unwrap()).collect()
    }

    #[tokio::test]
    async fn a_product_lists_the_transactions_the_account_has_of_it_as_reported() {
        let world = history().await;
        let all = world.send(get("/payment/airtime")).await;
        all.assert_success(200);
        let expected = ["top-up-1", "top-up-2", "top-up-3", "top-up-4", "top-up-5"];
        assert_eq!(references(&all.json), expected);
        assert_eq!(all.header("total"), "5");
        let report = world
            .send(get("/payment/airtime/transaction?mrcReference=top-up-3"))
            .await;
        for (name, value) in all.json["transactions"][2].as_object().unwrap() {
            assert_eq!(report.json[name], *value, "{name}");
        }
        let messages = world.send(get("/messaging/sms")).await;
        assert_eq!(references(&messages.json), ["message-1"]);
        let none = world.send(get("/transfer/bank")).await;
        none.assert_success(200);
        assert_eq!(references(&none.json), [""; 0]);
    }

    #[tokio::test]
    async fn the_list_is_read_in_parts_and_filtered() {
        let world = history().await;
        let part = world
            .send(get("/payment/airtime?offset=1&length=2&sort=desc"))
            .await;
        part.assert_success(200);
        assert_eq!(references(&part.json), ["top-up-4", "top-up-3"]);
        assert_eq!(part.json["query"]["found"], 5);
        assert_eq!(part.json["metadata"]["total"], 2);
        let next = "</payment/airtime?offset=3&length=2&sort=desc>; rel=\"next\"";
        assert!(part.header("link").contains(next), "{:?}", part.headers);
        let failed = world.send(get("/payment/airtime?txnStatus=failed")).await;
        assert_eq!(references(&failed.json), ["top-up-3"]);
        assert_eq!(failed.json["query"]["total"], 5);
        assert_eq!(failed.json["query"]["found"], 1);
        let one = world
            .send(get("/payment/airtime?mrcReference=top-up-2"))
            .await;
        assert_eq!(references(&one.json), ["top-up-2"]);
        for foreign in ["theirs", "message-1", "nothing"] {
            let path = format!("/payment/airtime?mrcReference={foreign}");
            let none = world.send(get(&path)).await;
            assert_eq!(none.json["query"]["found"], 0, "{foreign}");
        }
        let refused = world.send(get("/payment/airtime?txnStatus=open")).await;
        refused.assert_error(400, None, "/params/txnStatus");
    }
}
