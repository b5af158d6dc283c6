//! `GET /payment/electricity/discos`. It must list the companies in the order it is given them.

use crate::call::Call;
use crate::reply::Reply;
use application::Gateway;
use application::electricity::Retrieve;
use http::StatusCode;
use wire::electricity::discos;

pub(in crate::routes) async fn handle(gateway: Gateway, call: Call) -> Result<Reply, Reply> {
    let query = discos::parse(&call.attributes, call.handling)?;
    let which = match query.retrieve {
        discos::Retrieve::Buyable => Retrieve::Buyable,
        discos::Retrieve::All => Retrieve::All,
    };
    let found = gateway.discos(&call.merchant, query.country, which)?;
    let message = "The distribution companies.";
    Ok(Reply::success(
        StatusCode::OK,
        message,
        discos::view(&found),
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{World, get};

    #[tokio::test]
    async fn the_list_holds_what_can_be_paid_now_or_everything_active() {
        let world = World::new().await;
        let now = world
            .send(get("/payment/electricity/discos?countryCode=566"))
            .await;
        now.assert_success(200);
        assert_eq!(now.json["discos"][0]["identifier"], "101");
        assert_eq!(now.json["discos"][0]["comPrepaid"], "2.50");
        assert_eq!(now.json["metadata"]["total"], 1);
        let all = world
            .send(get(
                "/payment/electricity/discos?countryCode=566&retrieve=all",
            ))
            .await;
        assert_eq!(all.json["metadata"]["total"], 2);
    }

    #[tokio::test]
    async fn the_country_is_needed_and_must_be_served() {
        let world = World::new().await;
        let missing = world.send(get("/payment/electricity/discos")).await;
        missing.assert_error(405, Some(851), "/params/countryCode");
        let abroad = world
            .send(get("/payment/electricity/discos?countryCode=288"))
            .await;
        abroad.assert_error(400, Some(851), "/params/countryCode");
        let other = world
            .send(get(
                "/payment/electricity/discos?countryCode=566&retrieve=some",
            ))
            .await;
        other.assert_error(400, None, "/params/retrieve");
    }
}
