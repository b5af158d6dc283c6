//! `GET /account/transactions/{category}`. It must show the transactions of the account in the
//! request and of no other.

use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::unknown;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::transaction_list::TransactionFilter;
use http::StatusCode;
use wire::account::transactions::{self, HistoryQuery, TransactionCategory};
use wire::attribute::CATEGORY;
use wire::transaction_list::ListPart;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let Some(category) = TransactionCategory::parse(&call.path_word) else {
        return Err(unknown(&CATEGORY, &TransactionCategory::unknown()));
    };
    let zone = call.zone();
    let query = transactions::parse(category, (&call.attributes, call.handling), &zone)?;
    let page = gateway
        .transactions(&call.merchant, &filter(&query))
        .await?;
    let part = ListPart {
        transactions: &page.transactions,
        total: page.total,
        found: page.found,
    };
    let fields = transactions::view(part, &query, &zone);
    let links = transactions::link_header(part, &query);
    let reply = HttpReply::success(StatusCode::OK, "The transactions.", fields);
    Ok(collection::part(reply, page.found, &links))
}

fn filter(query: &HistoryQuery) -> TransactionFilter {
    TransactionFilter {
        services: query.category.services(),
        from: query.from,
        until: query.until,
        reference: None,
        status: query.status,
        number: query.number.clone(),
        offset: query.offset,
        length: query.length,
        sort: query.sort,
    }
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

    /// Two top-ups of `shop`, the second of which is refused, a message, and a top-up of another
    /// account.
    async fn history() -> RouteTestWorld {
        let world = RouteTestWorld::new().await;
        for (reference, number) in [("top-up-1", "2348031234567"), ("top-up-2", "2348031230001")] {
            let bought = post("/payment/airtime", airtime(reference, number));
            world.send(bought).await.assert_success(200);
            world.clock.advance(Duration::from_secs(1)).await;
        }
        let message = r#"{"mrcReference":"message-1","countryCode":566,"number":"2348031234567",
            "sender":"100000000001","type":"text","message":"Hello"}"#;
        let sent = post("/messaging/sms", message);
        world.send(sent).await.assert_success(200);
        let theirs = airtime("theirs", "2348031234567");
        let other = post_of("other", "/payment/airtime", theirs);
        world.send(other).await.assert_success(200);
        world
    }

    async fn listed(world: &RouteTestWorld, target: &str) -> Vec<String> {
        let answer = world
            .send(get(&format!("/account/transactions/{target}")))
            .await;
        answer.assert_success(200);
        let all = answer.json["transactions"].as_array().unwrap().iter();
        all.map(|it| it["mrcReference"].as_str().unwrap().to_owned())
            .collect()
    }

    #[tokio::test]
    async fn a_category_lists_its_product_and_all_lists_every_one() {
        let world = history().await;
        assert_eq!(listed(&world, "airtime").await, ["top-up-1", "top-up-2"]);
        assert_eq!(listed(&world, "sms").await, ["message-1"]);
        let all = ["top-up-1", "top-up-2", "message-1"];
        assert_eq!(listed(&world, "all").await, all);
        assert_eq!(listed(&world, "bank").await, [""; 0]);
        let found = listed(&world, "all?number=%2B2348031234567").await;
        assert_eq!(found, ["top-up-1", "message-1"]);
        assert_eq!(listed(&world, "all?txnStatus=failed").await, ["top-up-2"]);
        let newest = listed(&world, "all?sort=desc&length=1").await;
        assert_eq!(newest, ["message-1"]);
        assert_eq!(listed(&world, "all?to=01-01-2020").await, [""; 0]);
        assert_eq!(listed(&world, "all?from=01-01-2020").await, all);
    }

    #[tokio::test]
    async fn a_row_names_its_product() {
        let world = history().await;
        let answer = world.send(get("/account/transactions/all?length=1")).await;
        let row = &answer.json["transactions"][0];
        assert_eq!(row["txnType"], "airtime");
        assert_eq!(row["number"], "2348031234567");
        assert_eq!(row["amount"], "100.00");
        assert_eq!(answer.json["query"]["found"], 3);
        let next = "</account/transactions/all?offset=1&length=1&sort=asc>; rel=\"next\"";
        assert!(answer.header("link").contains(next), "{:?}", answer.headers);
    }

    #[tokio::test]
    async fn a_category_there_is_not_is_not_found() {
        let world = RouteTestWorld::new().await;
        for word in ["payout", "air%74ime", "%00"] {
            let answer = world
                .send(get(&format!("/account/transactions/{word}")))
                .await;
            answer.assert_error(404, None, "/params/category");
        }
        let posted = world.send(post("/account/transactions/sms", "{}")).await;
        posted.assert_error(405, None, "/request");
        assert_eq!(posted.header("allow"), "GET, HEAD, OPTIONS");
        let bare = world.send(get("/account/transactions")).await;
        assert_eq!(bare.status, 501);
        assert_ne!(bare.json["errors"]["system"], Value::Null);
    }
}
