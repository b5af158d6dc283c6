//! `GET /geolocation/device`: by what the device receives, which costs nothing, or by its number,
//! which is charged. What the device receives must not be logged.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::paid_lookup::led_to_report;
use crate::routes::payment;
use application::Gateway;
use application::RequestError;
use application::geolocation::{DeviceQuery, NotLocated};
use domain::order::Service;
use domain::paid_lookup::LookupCategory;
use http::StatusCode;
use wire::geolocation::{device, number};

const BY_NUMBER: LookupCategory = LookupCategory::Device;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    if number::is_named(&call.attributes) {
        return by_number(gateway, call).await;
    }
    if number::is_report(&call.attributes) {
        return report(gateway, call).await;
    }
    by_signals(&gateway, &call)
}

async fn by_number(gateway: Gateway, call: AuthenticatedRequest) -> Result<HttpReply, HttpReply> {
    let definition = gateway.only_lookup(BY_NUMBER);
    let service = Service::Lookup(BY_NUMBER);
    let definition = definition.ok_or(RequestError::ProviderUnavailable(service))?;
    let from = (&gateway, &call);
    let request = number::parse(&call.attributes, call.handling, definition);
    let request = led_to_report(from, BY_NUMBER, request).await?;
    call.repeatable_by_reference()?;
    let paid = gateway.look_up(&call.merchant, request.query).await;
    let paid = led_to_report(from, BY_NUMBER, paid).await?;
    let zone = call.zone();
    let fields = number::located(&paid.transaction, request.circle, &zone);
    Ok(payment::paid_with(&paid, fields))
}

async fn report(gateway: Gateway, call: AuthenticatedRequest) -> Result<HttpReply, HttpReply> {
    let request = number::parse_report(&call.attributes, call.handling)?;
    let service = Service::Lookup(BY_NUMBER);
    let found = gateway.report(&call.merchant, service, &request.reference);
    let zone = call.zone();
    payment::report_with(found.await?.as_ref(), |transaction| {
        number::located(transaction, request.circle, &zone)
    })
}

fn by_signals(gateway: &Gateway, call: &AuthenticatedRequest) -> Result<HttpReply, HttpReply> {
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

    #[tokio::test]
    async fn a_device_is_located_by_its_number_and_charged_once() {
        let world = RouteTestWorld::new().await;
        let by_number = "countryCode=566&number=2348031234567&cnsReference=consent-1";
        let circle = "locationLatitude=6.455&locationLongitude=3.384&radius=5000";
        let path = format!("/geolocation/device?{by_number}&mrcReference=look-1");
        let first = world.send(get(&format!("{path}&{circle}"))).await;
        first.assert_success(200);
        assert_eq!(first.json["locationSource"], "network");
        assert_eq!(first.json["locationAccuracy"], 350);
        assert_eq!(first.json["isInside"], "true");
        assert_eq!(first.json["price"], "15.00");
        let again = world.send(get(&path)).await;
        again.assert_success(200);
        assert_eq!(again.json["txnReference"], first.json["txnReference"]);
        assert_eq!(again.json["isInside"], serde_json::Value::Null);
        let report = "/geolocation/device?mrcReference=look-1";
        let far = "locationLatitude=9.07&locationLongitude=7.4&radius=5000";
        let report = world.send(get(&format!("{report}&{far}"))).await;
        report.assert_success(200);
        assert_eq!(report.json["isInside"], "false");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "9,985.00");
    }

    #[tokio::test]
    async fn a_device_is_not_located_without_the_consent_of_the_person() {
        let world = RouteTestWorld::new().await;
        let path = "/geolocation/device?countryCode=566&number=2348031234567";
        let refused = world.send(get(path)).await;
        refused.assert_error(403, None, "/params/cnsReference");
        let both = world.send(get(&format!("{path}&cells=1,1,1,1"))).await;
        both.assert_error(400, None, "/params/cells");
        let balance = world.send(get("/account/balance")).await;
        assert_eq!(balance.json["accBalance"], "10,000.00");
    }
}
