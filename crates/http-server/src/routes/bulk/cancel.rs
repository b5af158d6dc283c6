//! `POST /transfer/bulk/cancel` and those of payroll and messages. It must not cancel what was
//! sent.

use super::unknown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use domain::batch::BatchKind;
use http::StatusCode;
use wire::bulk::{cancel, outcome, view};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
    kind: BatchKind,
) -> Result<HttpReply, HttpReply> {
    let reference = cancel::parse(&call.attributes, call.handling)?;
    let named = (kind, &reference);
    let found = gateway.cancel_batch(&call.merchant, named).await?;
    let found = found.ok_or_else(|| unknown(kind))?;
    let fields = view(&found.batch, &found.progress, &call.zone());
    Ok(HttpReply::success(
        StatusCode::OK,
        outcome(kind, &found.progress),
        fields,
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post, post_of};
    use application::QueueWorker;

    const ORDER: &str = r#"{"mrcReference":"run-1","items":[
        {"mrcReference":"a","bankIdentifier":"00000000058","accountNumber":"0123476789",
            "txnAmount":"1,000.00","txnNarration":"Pay"},
        {"mrcReference":"b","bankIdentifier":"00000000058","accountNumber":"0123476789",
            "txnAmount":"1,000.00","txnNarration":"Pay"}]}"#;

    const CANCEL: &str = r#"{"mrcReference":"run-1"}"#;

    #[tokio::test]
    async fn what_was_not_sent_is_cancelled_and_its_price_given_back() {
        let world = RouteTestWorld::new().await;
        let made = world.send(post("/transfer/bulk", ORDER)).await;
        made.assert_success(202);
        for _ in 0..2 {
            let cancelled = world.send(post("/transfer/bulk/cancel", CANCEL)).await;
            cancelled.assert_success(200);
            assert_eq!(cancelled.json["batStatus"], "Cancelled");
            assert_eq!(cancelled.json["counts"]["failed"], 2);
        }
        QueueWorker::new(&world.gateway).sweep().await.unwrap();
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "10,000.00");
        let payout = world.send(get("/transfer/bank/transaction?mrcReference=a"));
        let payout = payout.await;
        assert_eq!(payout.json["txnStatus"], "Failed");
        assert!(
            payout.text.contains("cancelled before it was sent"),
            "{}",
            payout.text
        );
    }

    #[tokio::test]
    async fn what_was_sent_comes_to_its_own_end() {
        let world = RouteTestWorld::new().await;
        world
            .send(post("/transfer/bulk", ORDER))
            .await
            .assert_success(202);
        QueueWorker::new(&world.gateway).sweep().await.unwrap();
        let late = world.send(post("/transfer/bulk/cancel", CANCEL)).await;
        late.assert_success(200);
        assert_eq!(late.json["batStatus"], "Completed");
        assert_eq!(late.json["counts"]["successful"], 2);
    }

    #[tokio::test]
    async fn only_a_merchants_own_is_cancelled_and_not_while_payments_are_suspended() {
        let world = RouteTestWorld::new().await;
        world
            .send(post("/transfer/bulk", ORDER))
            .await
            .assert_success(202);
        let foreign = post_of("other", "/transfer/bulk/cancel", CANCEL);
        let foreign = world.send(foreign).await;
        foreign.assert_error(404, None, "/params/mrcReference");
        world.store.hold_openings();
        let held = world.send(post("/transfer/bulk/cancel", CANCEL)).await;
        assert_eq!(held.status, 503, "{}", held.text);
        let missing = world.send(post("/transfer/bulk/cancel", "{}")).await;
        missing.assert_error(400, None, "/params/mrcReference");
    }
}
