//! `GET /vas/lookup`. It must not ask a provider for a report.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use domain::order::Service;
use domain::paid_lookup::LookupCategory;
use wire::paid_lookup::lookup::{self, LookupRequest};
use wire::transaction::reference_of;

const CATEGORY: LookupCategory = LookupCategory::Record;

pub(super) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let find = |code: &_| gateway.lookup_definition(CATEGORY, code);
    match lookup::parse(&call.attributes, call.handling, find) {
        Ok(LookupRequest::Lookup(query)) => {
            call.repeatable_by_reference()?;
            let paid = gateway.look_up(&call.merchant, *query).await;
            let paid = led_to_report((&gateway, &call), CATEGORY, paid).await?;
            Ok(payment::paid(&paid, &call.zone()))
        }
        Ok(LookupRequest::Report(reference)) => {
            let service = Service::Lookup(CATEGORY);
            let report = gateway.report(&call.merchant, service, &reference);
            payment::report(report.await?.as_ref(), &call.zone())
        }
        Err(violations) => led_to_report((&gateway, &call), CATEGORY, Err(violations)).await,
    }
}

/// A refusal with the report of an earlier lookup under its reference, where there is one: what is
/// sold, and what it asks for, may have changed since it was paid for.
pub(in crate::routes) async fn led_to_report<T>(
    (gateway, call): (&Gateway, &AuthenticatedRequest),
    category: LookupCategory,
    result: Result<T, impl Into<HttpReply>>,
) -> Result<T, HttpReply> {
    let refused = match result {
        Ok(answer) => return Ok(answer),
        Err(refused) => refused.into(),
    };
    let Some(reference) = reference_of(&call.attributes) else {
        return Err(refused);
    };
    let service = Service::Lookup(category);
    let earlier = gateway.report(&call.merchant, service, &reference).await;
    match earlier {
        Ok(Some(_)) => Err(refused.located(&wire::report_path(service, &reference))),
        Ok(None) | Err(_) => Err(refused),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, bare, get, request_of};
    use serde_json::Value;

    const SIM: &str = "lkpCode=sim-age&number=2348031234567&cnsReference=consent-1";

    async fn look_up(world: &RouteTestWorld, filters: &str) -> TestAnswer {
        world.send(get(&format!("/vas/lookup?{filters}"))).await
    }

    async fn balance(world: &RouteTestWorld) -> Value {
        let answer = world.send(get("/account/balance")).await;
        answer.json["accBalance"].clone()
    }

    #[tokio::test]
    async fn a_lookup_is_charged_once_per_reference() {
        let world = RouteTestWorld::new().await;
        let filters = format!("{SIM}&mrcReference=look-1&parameters=days:30");
        let first = look_up(&world, &filters).await;
        first.assert_success(200);
        assert_eq!(first.json["txnStatus"], "Successful");
        assert_eq!(first.json["lkpStatus"], "found");
        assert_eq!(first.json["results"][0]["value"], "14-03-2021");
        assert_eq!(first.json["parameters"][0]["value"], "30");
        assert_eq!(first.json["cnsReference"], "consent-1");
        assert_eq!(first.json["price"], "15.00");
        assert_eq!(balance(&world).await, "9,985.00");
        let again = look_up(&world, &filters).await;
        assert_eq!((again.status, &again.json), (200, &first.json));
        let report = look_up(&world, "mrcReference=look-1").await;
        assert_eq!((report.status, &report.json), (200, &first.json));
        for other in [
            filters.replace("567&", "568&"),
            filters.replace("consent-1", "consent-2"),
            filters.replace("days:30", "days:31"),
        ] {
            let refused = look_up(&world, &other).await;
            refused.assert_error(422, None, "/params/mrcReference");
            assert_eq!(
                refused.header("location"),
                "/vas/lookup?mrcReference=look-1"
            );
        }
        assert_eq!(balance(&world).await, "9,985.00");
    }

    #[tokio::test]
    async fn a_lookup_about_a_person_without_consent_is_refused_and_not_charged() {
        let world = RouteTestWorld::new().await;
        let without = SIM.replace("&cnsReference=consent-1", "");
        let refused = look_up(&world, &without).await;
        refused.assert_error(403, None, "/params/cnsReference");
        // One that was paid for is still found by its reference.
        let filters = format!("{SIM}&mrcReference=look-1");
        look_up(&world, &filters).await.assert_success(200);
        for changed in [
            format!("{without}&mrcReference=look-1"),
            filters.replace("sim-age", "sim-years"),
        ] {
            let refused = look_up(&world, &changed).await;
            assert!([400, 403].contains(&refused.status), "{}", refused.text);
            assert_eq!(
                refused.header("location"),
                "/vas/lookup?mrcReference=look-1"
            );
        }
        // What cannot be read is said first.
        let wrong = look_up(&world, &without.replace("2348031234567", "1")).await;
        wrong.assert_error(400, Some(822), "/params/number");
        assert_eq!(balance(&world).await, "9,985.00");
    }

    #[tokio::test]
    async fn a_lookup_without_an_answer_in_time_leads_to_its_report() {
        let world = RouteTestWorld::new().await;
        let filters = SIM.replace("2348031234567", "2348031230010");
        let path = format!("/vas/lookup?{filters}&mrcReference=look-1");
        let answer = world.send_and_wait(get(&path)).await;
        answer.assert_success(202);
        assert_eq!(answer.json["lkpStatus"], Value::Null);
        assert_eq!(answer.header("location"), "/vas/lookup?mrcReference=look-1");
        let report = look_up(&world, "mrcReference=look-1").await;
        assert_eq!(report.json["txnStatus"], "Pending");
    }

    #[tokio::test]
    async fn the_report_of_a_lookup_is_its_merchants_alone() {
        let world = RouteTestWorld::new().await;
        let filters = format!("{SIM}&mrcReference=look-1");
        look_up(&world, &filters).await.assert_success(200);
        let ours = "/vas/lookup?mrcReference=look-1";
        let foreign = world.send(bare(request_of("other", "GET", ours))).await;
        foreign.assert_error(404, None, "/params/mrcReference");
        for elsewhere in ["/vas/hlrlookup", "/geolocation/device"] {
            let other = world
                .send(get(&format!("{elsewhere}?mrcReference=look-1")))
                .await;
            other.assert_error(404, None, "/params/mrcReference");
        }
    }

    #[tokio::test]
    async fn a_head_request_makes_no_lookup() {
        let world = RouteTestWorld::new().await;
        let path = format!("/vas/lookup?{SIM}&mrcReference=look-1");
        let head = world.send(bare(request_of("shop", "HEAD", &path))).await;
        assert_eq!((head.status, head.header("allow")), (405, "GET, OPTIONS"));
        assert_eq!(balance(&world).await, "10,000.00");
    }
}
