//! `POST /transfer/international`. It must leave every decision about the order to the application.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use wire::international::transfer;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let command = transfer::parse(&call.attributes, call.handling)?;
    let purchase = call.purchase(command);
    let paid = gateway.pay_international(&call.merchant, purchase).await?;
    Ok(payment::paid(&paid, &call.zone()))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get, post};

    const PATH: &str = "/transfer/international";

    async fn quote(world: &RouteTestWorld) -> String {
        let asked = r#"{"countryCode":288,"dstCurrency":"GHS","srcAmount":"5,000.00"}"#;
        let answer = world.send(post("/transfer/international/quote", asked));
        let quote = answer.await.json["qteIdentifier"]
            .as_str()
            .map(str::to_owned);
        quote.unwrap()
    }

    fn order(quote: &str, bank: &str) -> String {
        format!(
            r#"{{"mrcReference":"order-1","qteIdentifier":"{quote}","accountName":"Ama Mensah",
                "bankIdentifier":"{bank}","accountNumber":"1441000126789",
                "address":"12 High Street, Accra","txnPurpose":"goods"}}"#
        )
    }

    #[tokio::test]
    async fn a_transfer_is_charged_the_price_of_its_quote() {
        let world = RouteTestWorld::new().await;
        let quote = quote(&world).await;
        let answer = world.send(post(PATH, order(&quote, "GCBLGHAC"))).await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["intStatus"], "Delivered");
        assert_eq!(answer.json["dstAmount"], "42.50");
        assert_eq!(answer.json["price"], "5,591.25");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "4,408.75");
        let path = "/transfer/international/transaction?mrcReference=order-1";
        let report = world.send(get(path)).await;
        assert_eq!(report.json["qteRate"], "0.0085");
    }

    #[tokio::test]
    async fn what_cannot_be_paid_is_refused_with_its_place_and_leaves_the_reference_unused() {
        let world = RouteTestWorld::new().await;
        let quote = quote(&world).await;
        let elsewhere = world.send(post(PATH, order(&quote, "DEUTDEFF"))).await;
        elsewhere.assert_error(400, Some(840), "/params/bankIdentifier");
        let changed = format!("{quote}A");
        let changed = world.send(post(PATH, order(&changed, "GCBLGHAC"))).await;
        changed.assert_error(400, None, "/params/qteIdentifier");
        let paid = world.send(post(PATH, order(&quote, "GCBLGHAC"))).await;
        paid.assert_success(200);
    }
}
