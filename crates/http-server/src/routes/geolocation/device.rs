//! `GET /geolocation/device`. What the device receives must not be logged.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use application::geolocation::{DeviceQuery, NotLocated};
use http::StatusCode;
use wire::geolocation::device;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let request = device::parse(&call.attributes, call.handling)?;
    let query = DeviceQuery {
        access_points: request.access_points.clone(),
        cells: request.cells.clone(),
    };
    let found = gateway.locate_device(&call.merchant, &query);
    let found = found.map_err(not_located)?;
    let currency = call.merchant.account.currency;
    let at = (gateway.now(), &call.zone());
    let fields = device::view((&found, &request), at, currency);
    Ok(HttpReply::success(StatusCode::OK, "The device.", fields))
}

fn not_located(NotLocated: NotLocated) -> HttpReply {
    HttpReply::request(
        StatusCode::NOT_FOUND,
        "The device cannot be located.",
        "too little of what it receives is recorded here: send at least two access points, or more \
         cells, as it receives them",
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        world
            .send(get(&format!("/geolocation/device?{query}")))
            .await
    }

    #[tokio::test]
    async fn a_device_is_where_what_it_receives_is_recorded() {
        let wifi = "wifi=00:00:5e:00:53:01,-40;00:00:5e:00:53:02,-60";
        let circle = "locationLatitude=6.455&locationLongitude=3.384&radius=500";
        let answer = ask(&format!("{wifi}&cells=1,1,1,1&{circle}")).await;
        answer.assert_success(200);
        assert_eq!(answer.json["locationSource"], "wifi");
        assert_eq!(answer.json["isInside"], "true");
        assert_eq!(answer.json["price"], "0.00");
        let by_cells = ask("cells=1,1,1,1;1,1,1,2").await;
        by_cells.assert_success(200);
        assert_eq!(by_cells.json["locationSource"], "cell");
        assert!(by_cells.json["isInside"].is_null());
    }

    #[tokio::test]
    async fn what_is_not_recorded_is_not_found() {
        let twice = "wifi=00:00:5e:00:53:01,-40;00-00-5E-00-53-01,-50";
        for unknown in ["cells=621,30,1,1", "wifi=00:00:5e:00:53:01,-40", twice] {
            let answer = ask(unknown).await;
            answer.assert_error(404, None, "/request");
        }
    }
}
