//! `POST /transfer/wallet`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::wallet::transfer;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let command = transfer::parse(&call.attributes, call.handling)?;
    let purchase = call.purchase(command);
    let paid = gateway.transfer_to_wallet(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/transfer/wallet";

    fn order(reference: &str, amount: &str) -> String {
        format!(
            r#"{{"mrcReference":"{reference}","walFrom":"NGN","walTo":"CRD",
                "txnAmount":"{amount}","txnNarration":"Messages of June"}}"#
        )
    }

    #[tokio::test]
    async fn money_becomes_credits_at_once_and_both_statements_show_it() {
        let world = RouteTestWorld::new().await;
        let answer = world.send(post(PATH, order("order-1", "1,000.01"))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["gtwStatus"], "Delivered");
        assert_eq!(answer.json["crdPrice"], "4.00");
        assert_eq!(answer.json["crdAmount"], "250.00");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "8,999.99");
        assert_eq!(balance.json["accHeld"], "0.00");
        assert_eq!(balance.json["crdBalance"], "250.00");
        for (currency, kind, amount) in [("NGN", "Debit", "1,000.01"), ("CRD", "Credit", "250.00")]
        {
            let lines = format!("/account/statement?mrcReference=order-1&stmCurrency={currency}");
            let lines = world.send(get(&lines)).await;
            let line = &lines.json["statements"][0];
            assert_eq!(line["stmType"], kind, "{currency}");
            assert_eq!(line["stmAmount"], amount, "{currency}");
        }
        let again = world.send(post(PATH, order("order-1", "1,000.01"))).await;
        again.assert_error(422, None, "/params/mrcReference");
        let report = world
            .send(get("/transfer/wallet/transaction?mrcReference=order-1"))
            .await;
        assert_eq!(report.json["crdAmount"], "250.00");
    }

    #[tokio::test]
    async fn what_cannot_be_moved_is_refused_and_uses_no_reference() {
        let world = RouteTestWorld::new().await;
        for (amount, status, service, place) in [
            ("0.03", 400, Some(814), "/params/txnAmount"),
            ("10,000.01", 400, Some(807), "/request"),
        ] {
            let answer = world.send(post(PATH, order("order-1", amount))).await;
            answer.assert_error(status, service, place);
        }
        let least = world.send(post(PATH, order("order-1", "0.04"))).await;
        least.assert_success(200);
        assert_eq!(least.json["crdAmount"], "0.01");
    }
}
