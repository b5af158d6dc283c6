//! What reports answer over the interface.

use crate::CsvReports;
use crate::testing::{RouteTestWorld, bare, get, post, post_of, request_of};
use application::reports::files::ReportWriter;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn airtime(reference: &str, number: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","countryCode":566,"number":"{number}",
            "amount":"100","billing":"prepaid"}}"#
    )
}

/// A top-up of `shop`, and on the next day one that is refused and a message; and a top-up of
/// another account.
async fn history() -> RouteTestWorld {
    let world = RouteTestWorld::new().await;
    let bought = post("/payment/airtime", airtime("top-up-1", "2348031234567"));
    world.send(bought).await.assert_success(200);
    world.clock.advance(Duration::from_hours(24)).await;
    let bought = post("/payment/airtime", airtime("top-up-2", "2348031230001"));
    world.send(bought).await.assert_success(200);
    world.clock.advance(Duration::from_secs(1)).await;
    let message = r#"{"mrcReference":"message-1","countryCode":566,"number":"2348031234567",
        "sender":"100000000001","type":"text","message":"Hello"}"#;
    let sent = post("/messaging/sms", message);
    world.send(sent).await.assert_success(200);
    let theirs = airtime("theirs", "2348031234567");
    let other = post_of("other", "/payment/airtime", theirs);
    world.send(other).await.assert_success(200);
    world.clock.advance(Duration::from_secs(1)).await;
    world
}

const PERIOD: &str = "from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z";

async fn report(world: &RouteTestWorld, of: &str, filters: &str) -> Value {
    let answer = world
        .send(get(&format!("/reporting/{of}?{PERIOD}{filters}")))
        .await;
    answer.assert_success(200);
    answer.json.clone()
}

#[tokio::test]
async fn transactions_are_listed_with_their_totals() {
    let world = history().await;
    let all = report(&world, "transactions/all", "&length=1&sort=desc").await;
    assert_eq!(all["transactions"][0]["mrcReference"], "message-1");
    assert_eq!(all["query"]["found"], 3);
    let of_airtime = report(&world, "transactions/airtime", "").await;
    assert_eq!(of_airtime["transactions"].as_array().unwrap().len(), 2);
    let total = &of_airtime["totals"][0];
    let expected = json!({"count": 2, "face": "200.00", "commission": "6.00", "charges": "0.00",
        "vat": "0.00", "duty": "0.00", "net": "194.00", "currency": "NGN"});
    assert_eq!(*total, expected);
    let failed = report(&world, "transactions/all", "&txnStatus=failed").await;
    assert_eq!(failed["transactions"][0]["mrcReference"], "top-up-2");
    assert_eq!(failed["totals"][0]["net"], "97.00");
    let of_number = report(&world, "transactions/all", "&number=%2B2348031234567").await;
    assert_eq!(of_number["query"]["found"], 2);
    assert_eq!(of_number["query"]["total"], 3);
}

#[tokio::test]
async fn commission_is_of_what_was_delivered() {
    let world = history().await;
    let all = report(&world, "commission/all", "").await;
    let rows = all["commissions"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{all}");
    assert_eq!(rows[0]["service"], "airtime");
    assert_eq!(rows[0]["count"], 1);
    assert_eq!(rows[0]["net"], "97.00");
    assert_eq!(rows[1]["service"], "sms");
    let by_provider = report(&world, "commission/airtime", "&groupby=provider").await;
    assert_eq!(by_provider["commissions"][0]["provider"], "mtn");
    assert_eq!(by_provider["totals"].as_array().unwrap().len(), 1);
    let none = report(&world, "commission/gas", "").await;
    assert_eq!(none["commissions"], json!([]));
    assert_eq!(none["totals"], json!([]));
}

#[tokio::test]
async fn settlement_has_payments_in_among_everything_alone() {
    let world = history().await;
    let all = report(&world, "settlement/all", "&groupby=account").await;
    assert_eq!(all["settlements"][0]["credited"], "10,000.00");
    let balance = world.send(get("/account/balance")).await;
    assert_eq!(all["totals"][0]["net"], balance.json["accBalance"]);
    let of_airtime = report(&world, "settlement/airtime", "").await;
    let row = &of_airtime["settlements"][0];
    assert_eq!(
        (&row["captured"], &row["net"]),
        (&json!("97.00"), &json!("-97.00"))
    );
    assert_eq!(row["credited"], "0.00");
}

#[tokio::test]
async fn reconciliation_leaves_nothing_over() {
    let world = history().await;
    let all = report(&world, "reconciliation/airtime", "").await;
    let rows = all["reconciliations"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{all}");
    assert_eq!(rows[0]["captured"], "97.00");
    assert_eq!(rows[1]["released"], "97.00");
    let expected = json!({"count": 2, "held": "194.00", "captured": "97.00", "released": "97.00",
        "open": "0.00", "difference": "0.00", "currency": "NGN"});
    assert_eq!(all["totals"][0], expected);
}

#[tokio::test]
async fn a_wallet_is_shown_by_day_and_in_one() {
    let world = history().await;
    let one = report(&world, "float/all", "&groupby=account").await;
    assert_eq!(one["floats"].as_array().unwrap().len(), 2);
    assert_eq!(one["floats"][0]["day"], Value::Null);
    assert_eq!(one["totals"][0]["balOpening"], "0.00");
    let balance = world.send(get("/account/balance")).await;
    assert_eq!(one["totals"][0]["balClosing"], balance.json["accBalance"]);
    let by_day = report(&world, "float/all", "&length=100").await;
    // The days that have come, by the clock of the world.
    assert_eq!(by_day["query"]["found"], 2 * 16);
    let service = world
        .send(get(&format!("/reporting/float/airtime?{PERIOD}")))
        .await;
    service.assert_error(404, None, "/params/category");
}

#[tokio::test]
async fn the_pages_of_a_report_lead_to_one_another() {
    let world = history().await;
    let target = format!("/reporting/commission/all?{PERIOD}&length=1&groupby=day");
    let answer = world.send(get(&target)).await;
    assert_eq!(answer.header("total"), "2");
    let next = "</reporting/commission/all?offset=1&length=1&sort=asc\
                &from=2026-01-01T00:00:00.000Z&to=2026-12-31T00:00:00.000Z&groupby=day>; \
                rel=\"next\"";
    assert!(answer.header("link").contains(next), "{:?}", answer.headers);
    let target = format!("/reporting/transactions/sms?{PERIOD}&txnStatus=pending&number=1234");
    let answer = world.send(get(&target)).await;
    let first = "&txnStatus=Pending&number=1234>; rel=\"first\"";
    assert!(
        answer.header("link").contains(first),
        "{:?}",
        answer.headers
    );
}

#[tokio::test]
async fn a_report_there_is_not_is_not_found() {
    let world = RouteTestWorld::new().await;
    let answer = world
        .send(get(&format!("/reporting/commission/payout?{PERIOD}")))
        .await;
    answer.assert_error(404, None, "/params/category");
    let other = world
        .send(get(&format!("/reporting/sales/all?{PERIOD}")))
        .await;
    other.assert_error(501, None, "/system");
}

/// A file of a report, as the interface answers it.
async fn file(world: &RouteTestWorld, of: &str) -> (u16, Value) {
    let form = Arc::new(CsvReports);
    let writer = ReportWriter::new(world.gateway.clone(), form, Duration::from_hours(24));
    let asked = get(&format!("/reporting/{of}?{PERIOD}&format=csv"));
    let writing = async {
        tokio::task::yield_now().await;
        while writer.work(&CancellationToken::new()).await {}
        world.clock.advance(Duration::from_secs(11)).await;
    };
    let (answer, ()) = tokio::join!(world.send(asked), writing);
    (answer.status, answer.json)
}

#[tokio::test]
async fn a_report_is_a_file_with_its_sum() {
    let world = history().await;
    let (status, run) = Box::pin(file(&world, "transactions/airtime")).await;
    assert_eq!(status, 200, "{run}");
    assert_eq!(
        (&run["repStatus"], &run["repRows"]),
        (&json!("Ready"), &json!(2))
    );
    let read = world.send(get(run["repUrl"].as_str().unwrap())).await;
    assert_eq!(read.status, 200);
    assert_eq!(read.header("content-length"), run["repBytes"].to_string());
    let name = format!(
        "attachment; filename=\"{}\"",
        run["repName"].as_str().unwrap()
    );
    assert_eq!(read.header("content-disposition"), name);
    let lines: Vec<_> = read.text.lines().collect();
    assert!(lines[0].starts_with("repLine,mrcReference,txnReference,txnStatus"));
    assert!(lines[1].starts_with("row,top-up-1,"), "{lines:?}");
    assert_eq!(
        lines[3],
        "total,,,,,,,,200.00,6.00,0.00,0.00,0.00,194.00,NGN"
    );
    assert_eq!(run["repSha256"].as_str().unwrap().len(), 64);
    let known = world.send(get(&format!(
        "/reporting/run?repIdentifier={}",
        run["repIdentifier"].as_str().unwrap()
    )));
    assert_eq!(known.await.json["repStatus"], "Ready");
}

#[tokio::test]
async fn every_report_is_a_file() {
    let world = history().await;
    for (of, column) in [
        ("commission/all", "commission"),
        ("settlement/all", "credited"),
        ("float/all", "balClosing"),
        ("reconciliation/all", "difference"),
    ] {
        let (status, run) = Box::pin(file(&world, of)).await;
        assert_eq!(status, 200, "{of}: {run}");
        let read = world.send(get(run["repUrl"].as_str().unwrap())).await;
        let first = read.text.lines().next().unwrap().to_owned();
        assert!(first.split(',').any(|it| it == column), "{first}");
        assert!(read.text.contains("\r\ntotal,"), "{of}");
    }
}

#[tokio::test]
async fn a_file_is_of_its_account_for_a_time() {
    let world = history().await;
    let (_, run) = Box::pin(file(&world, "transactions/all")).await;
    let url = run["repUrl"].as_str().unwrap();
    let theirs = bare(request_of("other", "GET", url));
    let theirs = world.send(theirs).await;
    theirs.assert_error(404, None, "/params/repIdentifier");
    let unknown = world.send(get("/reporting/run?repIdentifier=1")).await;
    unknown.assert_error(404, None, "/params/repIdentifier");
    let bad = world
        .send(get("/reporting/run?repIdentifier=x&format=csv"))
        .await;
    bad.assert_error(400, None, "/params/repIdentifier");
    world.clock.advance(Duration::from_hours(25)).await;
    let late = world.send(get(url)).await;
    late.assert_error(409, None, "/request");
    let shown = url.replace("&format=csv", "");
    assert_eq!(world.send(get(&shown)).await.json["repStatus"], "Expired");
}
