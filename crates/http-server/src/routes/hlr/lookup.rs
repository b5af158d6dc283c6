//! `GET /vas/hlrlookup`. It must not query a register for a report.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::payment;
use application::Gateway;
use application::hlr::LineKind;
use application::hlr::{LookedUp, NotMobile};
use domain::money::Currency;
use domain::order::Service;
use http::StatusCode;
use wire::hlr::lookup::{self, LookupQuery, PhoneLine};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = match lookup::parse(&call.attributes, call.handling)? {
        LookupQuery::Lookup(query) => {
            call.repeatable_by_reference()?;
            query
        }
        LookupQuery::Report(reference) => {
            let report = gateway.report(&call.merchant, Service::Hlr, &reference);
            return payment::report(report.await?.as_ref(), &call.zone());
        }
    };
    match gateway.look_up_number(&call.merchant, query).await? {
        LookedUp::Queried(paid) => Ok(payment::paid(&paid, &call.zone())),
        LookedUp::NotMobile(found) => Ok(not_mobile(&found, call.merchant.account.currency)),
    }
}

fn not_mobile(found: &NotMobile, currency: Currency) -> HttpReply {
    let fields = lookup::not_mobile(&lookup::NotMobileNumber {
        reference: found.reference.as_ref(),
        number: &found.number,
        country: found.country,
        line: phone_line(found.kind),
        currency,
    });
    let message = "The number is not a mobile one; no network was queried and nothing was charged.";
    HttpReply::success(StatusCode::OK, message, fields)
}

pub(in crate::routes) const fn phone_line(kind: Option<LineKind>) -> PhoneLine {
    match kind {
        Some(LineKind::Mobile) => PhoneLine::Mobile,
        Some(LineKind::FixedLine) => PhoneLine::FixedLine,
        Some(LineKind::Other) => PhoneLine::Other,
        None => PhoneLine::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post, request_of};
    use ports::PortErrorKind;
    use serde_json::Value;
    use testkit::faults::Fault;

    const PATH: &str = "/vas/hlrlookup";

    async fn look_up(world: &RouteTestWorld, filters: &str) -> TestAnswer {
        world.send(get(&format!("{PATH}?{filters}"))).await
    }

    async fn balance(world: &RouteTestWorld) -> Value {
        let answer = world.send(get("/account/balance")).await;
        answer.json["accBalance"].clone()
    }

    #[tokio::test]
    async fn a_mobile_number_is_asked_about_and_charged() {
        let world = RouteTestWorld::new().await;
        let answer = look_up(&world, "countryCode=566&number=2348031234567").await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Successful");
        assert_eq!(answer.json["hlrStatus"], "ok");
        assert_eq!(answer.json["isPorted"], true);
        assert_eq!(answer.json["networkOrigin"], "MTN");
        assert_eq!(answer.json["networkCurrent"], "Airtel");
        assert_eq!(answer.json["countryName"], "Nigeria");
        assert_eq!(answer.json["price"], "5.00");
        assert_eq!(balance(&world).await, "9,995.00");
        // A reference was generated for it, under which it can be found again.
        let reference = answer.json["mrcReference"].as_str().unwrap();
        let report = look_up(&world, &format!("mrcReference={reference}")).await;
        report.assert_success(200);
        assert_eq!(report.json["txnReference"], answer.json["txnReference"]);
    }

    #[tokio::test]
    async fn a_lookup_that_another_site_makes_a_browser_send_is_refused_and_not_charged() {
        let world = RouteTestWorld::new().await;
        let target = format!("{PATH}?countryCode=566&number=2348031234567");
        let sent = |mode: &'static str| {
            let asked = request_of("shop", "GET", &target);
            bare(
                asked
                    .header("sec-fetch-site", "cross-site")
                    .header("sec-fetch-mode", mode),
            )
        };
        for mode in ["no-cors", "navigate"] {
            world
                .send(sent(mode))
                .await
                .assert_error(403, None, "/request");
        }
        assert_eq!(balance(&world).await, "10,000.00");
        world.send(sent("cors")).await.assert_success(200);
        assert_eq!(balance(&world).await, "9,995.00");
        // A request without a charge is not refused.
        let asked = request_of("shop", "GET", "/account/balance");
        let asked = asked.header("sec-fetch-site", "cross-site");
        let read = world
            .send(bare(asked.header("sec-fetch-mode", "navigate")))
            .await;
        read.assert_success(200);
    }

    #[tokio::test]
    async fn a_lookup_repeated_under_its_reference_is_charged_once() {
        let world = RouteTestWorld::new().await;
        let filters = "mrcReference=order-1&countryCode=566&number=2348031234567";
        let first = look_up(&world, filters).await;
        first.assert_success(200);
        let again = look_up(&world, filters).await;
        again.assert_success(200);
        assert_eq!(again.json, first.json);
        assert_eq!(balance(&world).await, "9,995.00");
        let without = look_up(&world, "countryCode=566&number=2348031234567").await;
        without.assert_success(200);
        assert_eq!(balance(&world).await, "9,990.00");
    }

    #[tokio::test]
    async fn a_lookup_under_a_key_alone_is_refused_and_not_charged() {
        let world = RouteTestWorld::new().await;
        for (path, reference) in [
            (
                "/vas/hlrlookup?countryCode=566&number=2348031234567",
                "look-1",
            ),
            (
                "/vas/lookup?lkpCode=sim-age&number=2348031234567&cnsReference=c",
                "look-2",
            ),
            (
                "/geolocation/device?countryCode=566&number=2348031234567&cnsReference=c",
                "look-3",
            ),
        ] {
            let before = balance(&world).await;
            let keyed = |path: &str| {
                let asked = request_of("shop", "GET", path);
                bare(asked.header("idempotency-key", "key-1"))
            };
            let refused = world.send(keyed(path)).await;
            refused.assert_error(400, None, "/params/mrcReference");
            assert_eq!(balance(&world).await, before);
            let under = format!("{path}&mrcReference={reference}");
            world.send(keyed(&under)).await.assert_success(200);
        }
    }

    #[tokio::test]
    async fn a_lookup_that_cannot_be_taken_now_is_not_charged_and_says_when_to_come_back() {
        let world = RouteTestWorld::new().await;
        let filters = "mrcReference=order-1&countryCode=566&number=2348031234567";
        let known = look_up(&world, filters).await;
        known.assert_success(200);
        let other = filters.replace("order-1", "order-2");
        world
            .ledger
            .on_next(Fault::Refused(PortErrorKind::Unreachable));
        look_up(&world, &other).await.assert_untaken("5");
        world.store.hold_openings();
        look_up(&world, &other).await.assert_untaken("60");
        assert_eq!(balance(&world).await, "9,995.00");
        // An earlier result is returned again, without a charge.
        let again = look_up(&world, filters).await;
        assert_eq!((again.status, &again.json), (200, &known.json));
    }

    #[tokio::test]
    async fn a_head_request_makes_no_query_and_is_not_charged() {
        let world = RouteTestWorld::new().await;
        let filters = format!("{PATH}?mrcReference=order-1&countryCode=566&number=2348031234567");
        let head = world.send(bare(request_of("shop", "HEAD", &filters))).await;
        assert_eq!((head.status, head.header("allow")), (405, "GET, OPTIONS"));
        assert_eq!(balance(&world).await, "10,000.00");
        let report = look_up(&world, "mrcReference=order-1").await;
        report.assert_error(404, None, "/params/mrcReference");
    }

    #[tokio::test]
    async fn a_reference_used_for_something_else_is_refused_and_nothing_is_charged() {
        let world = RouteTestWorld::new().await;
        let first = "mrcReference=order-1&countryCode=566&number=2348031234567";
        look_up(&world, first).await.assert_success(200);
        let other = "mrcReference=order-1&countryCode=566&number=2348031234568";
        let refused = look_up(&world, other).await;
        refused.assert_error(422, None, "/params/mrcReference");
        let report = "/vas/hlrlookup?mrcReference=order-1";
        assert_eq!(refused.header("location"), report);
        let top_up = r#"{"mrcReference":"order-2","countryCode":566,"number":"2348031234567",
            "amount":"100","billing":"prepaid"}"#;
        let bought = world.send(post("/payment/airtime", top_up)).await;
        bought.assert_success(200);
        let before = balance(&world).await;
        let taken = "mrcReference=order-2&countryCode=566&number=2348031234567";
        let refused = look_up(&world, taken).await;
        refused.assert_error(422, None, "/params/mrcReference");
        let report = "/payment/airtime/transaction?mrcReference=order-2";
        assert_eq!(refused.header("location"), report);
        assert_eq!(balance(&world).await, before);
    }

    #[tokio::test]
    async fn a_number_that_is_no_mobile_one_is_reported_without_a_query_or_a_charge() {
        let world = RouteTestWorld::new().await;
        for (number, kind, status) in [
            ("2342011234567", "fixed-line", Some("fixed-line")),
            ("2348001234567", "other", None),
            ("23480312345", "invalid", Some("invalid")),
        ] {
            let filters = format!("mrcReference=order-1&countryCode=566&number={number}");
            let answer = look_up(&world, &filters).await;
            answer.assert_success(200);
            assert_eq!(answer.json["mrcReference"], "order-1");
            assert_eq!(answer.json["txnReference"], Value::Null);
            assert_eq!(answer.json["numberType"], kind);
            assert_eq!(answer.json["isMobile"], false);
            assert_eq!(answer.json["isValid"], kind != "invalid");
            assert_eq!(answer.json["hlrStatus"].as_str(), status);
            assert_eq!(answer.json["price"], "0.00");
            assert_eq!(answer.json["currency"], "NGN");
        }
        assert_eq!(balance(&world).await, "10,000.00");
        // The reference stays unused.
        let report = look_up(&world, "mrcReference=order-1").await;
        report.assert_error(404, None, "/params/mrcReference");
    }

    #[tokio::test]
    async fn a_lookup_without_an_answer_in_time_is_accepted_and_leads_to_its_report() {
        let world = RouteTestWorld::new().await;
        let filters = "mrcReference=order-1&countryCode=566&number=2348031230010";
        let answer = world.send_and_wait(get(&format!("{PATH}?{filters}"))).await;
        answer.assert_success(202);
        assert_eq!(answer.json["hlrStatus"], Value::Null);
        let report = "/vas/hlrlookup?mrcReference=order-1";
        assert_eq!(answer.header("location"), report);
        let report = world.send(get(report)).await;
        report.assert_success(200);
        assert_eq!(report.json["txnStatus"], "Pending");
        assert_eq!(report.json["txnReference"], answer.json["txnReference"]);
    }

    #[tokio::test]
    async fn a_lookup_that_failed_is_not_charged() {
        let world = RouteTestWorld::new().await;
        let answer = look_up(&world, "countryCode=566&number=2348031230001").await;
        answer.assert_success(200);
        assert_eq!(answer.json["txnStatus"], "Failed");
        assert_eq!(answer.json["hlrStatus"], "failed");
        assert_eq!(balance(&world).await, "10,000.00");
        let poor = request_of(
            "poor",
            "GET",
            &format!("{PATH}?countryCode=566&number=2348031234567"),
        );
        world
            .send(bare(poor))
            .await
            .assert_error(400, Some(807), "/request");
    }

    #[tokio::test]
    async fn the_report_of_a_lookup_is_its_merchants_alone() {
        let world = RouteTestWorld::new().await;
        let filters = "mrcReference=order-1&countryCode=566&number=2348031234567";
        look_up(&world, filters).await.assert_success(200);
        let ours = format!("{PATH}?mrcReference=order-1");
        let foreign = world.send(bare(request_of("other", "GET", &ours))).await;
        foreign.assert_error(404, None, "/params/mrcReference");
        let unknown = look_up(&world, "mrcReference=order-2").await;
        unknown.assert_error(404, None, "/params/mrcReference");
        let elsewhere = "/messaging/sms/transaction?mrcReference=order-1";
        let other_family = world.send(get(elsewhere)).await;
        other_family.assert_error(404, None, "/params/mrcReference");
    }

    #[tokio::test]
    async fn missing_filters_and_countries_without_a_register_are_named() {
        let world = RouteTestWorld::new().await;
        let nothing = world.send(get(PATH)).await;
        nothing.assert_error(405, Some(851), "/params/countryCode");
        nothing.assert_error(405, Some(851), "/params/number");
        assert_eq!(nothing.header("allow"), "GET, OPTIONS");
        let half = look_up(&world, "mrcReference=order-1&number=2348031234567").await;
        half.assert_error(405, Some(851), "/params/countryCode");
        let unserved = look_up(&world, "countryCode=288&number=2348031234567").await;
        unserved.assert_error(400, Some(851), "/params/countryCode");
        let nowhere = look_up(&world, "countryCode=999&number=2348031234567").await;
        nowhere.assert_error(400, Some(851), "/params/countryCode");
    }
}
