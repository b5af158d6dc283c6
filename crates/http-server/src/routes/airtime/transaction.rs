//! `GET /payment/airtime/transaction`. It must answer one account's question with nothing of
//! another.

use crate::call::Call;
use crate::reply::Reply;
use crate::routes::payment;
use application::Gateway;
use domain::order::Service;
use wire::airtime::transaction;

pub(in crate::routes) async fn handle(gateway: Gateway, call: Call) -> Result<Reply, Reply> {
    let reference = transaction::parse(&call.attributes, call.handling)?;
    let report = gateway.report(&call.merchant, Service::Airtime, &reference);
    payment::report(report.await?.as_ref(), &call.zone())
}

#[cfg(test)]
mod tests {
    use crate::testing::{World, bare, get, post, request_of};

    const PAY: &str = "/payment/airtime";
    const ORDER: &str = r#"{"mrcReference":"order-1","countryCode":566,"number":"2348031234567",
        "amount":"100","billing":"prepaid"}"#;
    const REPORT: &str = "/payment/airtime/transaction?mrcReference=order-1";

    #[tokio::test]
    async fn the_report_shows_what_the_payment_showed() {
        let world = World::new().await;
        let paid = world.send(post(PAY, ORDER)).await;
        paid.assert_success(200);
        let report = world.send(get(REPORT)).await;
        report.assert_success(200);
        for (name, value) in paid.json.as_object().unwrap() {
            assert_eq!(&report.json[name], value, "{name}");
        }
    }

    #[tokio::test]
    async fn what_is_not_the_merchants_does_not_exist_for_him() {
        let world = World::new().await;
        world.send(post(PAY, ORDER)).await.assert_success(200);
        let never = "/payment/airtime/transaction?mrcReference=order-2";
        let family = "/payment/electricity/transaction?mrcReference=order-1";
        let foreign = bare(request_of("other", "GET", REPORT));
        let answers = [
            world.send(get(never)).await,
            world.send(get(family)).await,
            world.send(foreign).await,
        ];
        let shown = answers.map(|answer| {
            answer.assert_error(404, None, "/params/mrcReference");
            let id = answer.header("x-request-id").to_owned();
            answer.text.replace(&id, "the id")
        });
        assert_eq!(shown[0], shown[1]);
        assert_eq!(shown[0], shown[2]);
    }

    #[tokio::test]
    async fn a_report_without_a_reference_lacks_a_filter() {
        let world = World::new().await;
        let missing = world.send(get("/payment/airtime/transaction")).await;
        missing.assert_error(405, None, "/params/mrcReference");
        assert_eq!(missing.header("allow"), "GET, HEAD, OPTIONS");
        let invalid = world
            .send(get("/payment/airtime/transaction?mrcReference=a%20b"))
            .await;
        invalid.assert_error(400, None, "/params/mrcReference");
    }
}
