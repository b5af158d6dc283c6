//! `GET /transfer/bulk` and those of payroll and messages. It must return pages, never everything
//! at once.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use domain::batch::BatchKind;
use http::StatusCode;
use wire::bulk::list::{self, BatchesPart, listed};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    kind: BatchKind,
) -> Result<HttpReply, HttpReply> {
    let query = list::parse(&call.attributes, call.handling)?;
    let wanted = collection::page_of(&query);
    let page = gateway.batches(&call.merchant, kind, wanted).await?;
    let part = BatchesPart {
        kind,
        batches: &page.batches,
        total: page.total,
    };
    let fields = list::view(part, &query, &call.zone());
    let links = list::link_header(part, &query);
    let reply = HttpReply::success(StatusCode::OK, listed(kind), fields);
    Ok(collection::part(reply, page.total, &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post, post_of};

    fn order(run: &str, item: &str) -> String {
        format!(
            r#"{{"mrcReference":"{run}","items":[{{"mrcReference":"{item}",
                "bankIdentifier":"00000000058","accountNumber":"0123476789",
                "txnAmount":"100","txnNarration":"Pay"}}]}}"#
        )
    }

    #[tokio::test]
    async fn a_merchants_own_are_listed_in_parts() {
        let world = RouteTestWorld::new().await;
        for (run, item) in [("run-1", "a"), ("run-2", "b")] {
            let answer = world.send(post("/transfer/bulk", order(run, item))).await;
            answer.assert_success(202);
        }
        let other = post_of("other", "/transfer/bulk", order("run-3", "a"));
        world.send(other).await.assert_success(202);
        let all = world.send(get("/transfer/bulk")).await;
        all.assert_success(200);
        assert_eq!(all.header("total"), "2");
        assert_eq!(all.json["batches"][0]["mrcReference"], "run-1");
        let part = world.send(get("/transfer/bulk?length=1&sort=desc")).await;
        assert_eq!(part.json["batches"][0]["mrcReference"], "run-2");
        assert_eq!(part.json["metadata"]["total"], 1);
        assert!(
            part.header("link").contains("offset=1"),
            "{:?}",
            part.headers
        );
    }
}
