//! `GET /transfer/bulk/transaction` and those of payroll and messages. It must show of a batch what
//! is stored, no more and no less.

use super::unknown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use application::batches::{ALL_ITEMS, BatchReport};
use domain::batch::BatchKind;
use http::StatusCode;
use wire::bulk::report::{self, BatchPart, ReportForm};
use wire::bulk::{csv, outcome};
use wire::zone::Zone;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    kind: BatchKind,
) -> Result<HttpReply, HttpReply> {
    let query = report::parse(&call.attributes, call.handling)?;
    let page = match query.form {
        ReportForm::Csv => ALL_ITEMS,
        ReportForm::Page => collection::page_of(&query.paging),
    };
    let named = (kind, &query.reference);
    let found = gateway.batch(&call.merchant, named, page).await?;
    let found = found.ok_or_else(|| unknown(kind))?;
    if query.form == ReportForm::Csv {
        return file(&found, &call.zone());
    }
    let part = BatchPart {
        batch: &found.batch,
        progress: &found.progress,
        items: &found.items,
    };
    let fields = report::view(part, &query, &call.zone());
    let links = report::link_header(part, &query);
    let reply = HttpReply::success(StatusCode::OK, outcome(kind, &found.progress), fields);
    Ok(collection::part(reply, found.batch.count, &links))
}

/// All payments as a file.
fn file(found: &BatchReport, zone: &Zone) -> Result<HttpReply, HttpReply> {
    let rows = csv::rows(found.batch.kind, &found.items, zone).map_err(|error| {
        tracing::error!(%error, "the payments of a batch cannot be written");
        HttpReply::broken()
    })?;
    let name = format!("{}.csv", found.batch.reference);
    Ok(HttpReply::csv(rows.into()).attached(&name))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, bare, get, post, request_of};
    use application::QueueWorker;

    fn order(numbers: &[&str]) -> String {
        let item = |(n, number): (usize, &&str)| {
            format!(
                r#"{{"mrcReference":"item-{n}","bankIdentifier":"00000000058",
                    "accountNumber":"{number}","txnAmount":"1,000.00","txnNarration":"Pay, {n}"}}"#
            )
        };
        let items: Vec<_> = numbers.iter().enumerate().map(item).collect();
        format!(
            r#"{{"mrcReference":"run-1","items":[{}]}}"#,
            items.join(",")
        )
    }

    async fn sent(numbers: &[&str]) -> RouteTestWorld {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post("/transfer/bulk", order(numbers))).await;
        answer.assert_success(202);
        QueueWorker::new(&world.gateway).sweep().await.unwrap();
        world
    }

    #[tokio::test]
    async fn the_report_shows_how_far_it_has_come_and_what_became_of_each() {
        let world = sent(&["0123476789", "0123510001", "0123476789"]).await;
        let report = "/transfer/bulk/transaction?mrcReference=run-1";
        let whole = world.send(get(report)).await;
        whole.assert_success(200);
        assert_eq!(whole.json["batStatus"], "Completed");
        assert_eq!(whole.json["counts"]["successful"], 2);
        assert_eq!(whole.json["counts"]["failed"], 1);
        let items = whole.json["items"].as_array().unwrap();
        let statuses: Vec<_> = items.iter().map(|it| it["txnStatus"].as_str()).collect();
        let expected = ["Successful", "Failed", "Successful"];
        assert_eq!(statuses, expected.map(Some));
        // As its own report.
        let own = world.send(get("/transfer/bank/transaction?mrcReference=item-1"));
        let own = own.await;
        for (name, value) in items[1].as_object().unwrap() {
            assert_eq!(own.json[name], *value, "{name}");
        }
        let part = world
            .send(get(&format!("{report}&offset=2&length=1")))
            .await;
        assert_eq!(part.header("total"), "3");
        assert_eq!(part.json["items"][0]["mrcReference"], "item-2");
        assert_eq!(part.json["query"]["found"], 3);
    }

    #[tokio::test]
    async fn the_report_comes_as_a_file_of_all_rows() {
        let world = sent(&["0123476789", "0123510001"]).await;
        let report = "/transfer/bulk/transaction?mrcReference=run-1&format=csv";
        let file = world.send(get(report)).await;
        assert_eq!(file.status, 200);
        assert_eq!(
            file.header("content-type"),
            "text/csv; charset=utf-8; header=present"
        );
        let named = "attachment; filename=\"run-1.csv\"";
        assert_eq!(file.header("content-disposition"), named);
        let rows: Vec<_> = file.text.lines().collect();
        assert_eq!(rows.len(), 3, "{}", file.text);
        assert!(rows[0].starts_with("mrcReference,txnReference,txnStatus,"));
        assert!(rows[1].starts_with("item-0,"), "{}", rows[1]);
        assert!(
            rows[1].contains(",Successful,Delivered,00000000058,"),
            "{}",
            rows[1]
        );
        assert!(rows[2].contains(",Failed,Rejected,"), "{}", rows[2]);
        assert!(rows[2].ends_with(",\"Pay, 1\""), "{}", rows[2]);
    }

    #[tokio::test]
    async fn another_accounts_batch_and_a_payout_are_none() {
        let world = sent(&["0123476789"]).await;
        let path = |name: &str| format!("/transfer/bulk/transaction?mrcReference={name}");
        let foreign = request_of("other", "GET", &path("run-1"));
        let answers = [
            world.send(bare(foreign)).await,
            world.send(get(&path("item-0"))).await,
            world.send(get(&path("run-2"))).await,
        ];
        for answer in &answers {
            answer.assert_error(404, None, "/params/mrcReference");
        }
        let missing = world.send(get("/transfer/bulk/transaction")).await;
        missing.assert_error(405, None, "/params/mrcReference");
    }
}
