//! Bookings over HTTP: the world's clock stands at 10:00 on Thursday 15-01-2026 in Lagos.

use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post, request_of};
use serde_json::Value;
use std::time::Duration;

fn haircut(reference: &str, more: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","bkgName":"Haircut","bkgTimezone":"Africa/Lagos",
            "bkgHours":["Thu 12:00-14:00","Fri 09:00-10:00"],"bkgMinutes":30,
            "bkgTeam":["Ada","Bola"],"currency":"NGN"{more}}}"#
    )
}

const PAID_BEFORE: &str =
    r#","amount":"5,000.00","bkgHold":15,"redirectUrl":"https://shop.example/done""#;

async fn offered(world: &RouteTestWorld, more: &str) -> Value {
    let body = haircut("cut", more);
    let made = world.send(post("/booking/service", body)).await;
    made.assert_success(201);
    made.json["bkgService"].clone()
}

fn wanted(reference: &str, (service, start): (&Value, &str), more: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","bkgService":{service},"bkgStart":"{start}",
            "customerName":"Ngozi Eze","customerPhone":"2348031234567"{more}}}"#
    )
}

async fn book(world: &RouteTestWorld, reference: &str, of: (&Value, &str)) -> TestAnswer {
    let body = wanted(reference, of, "");
    world.send(post("/booking/appointment", body)).await
}

async fn report(world: &RouteTestWorld, reference: &str) -> TestAnswer {
    let path = format!("/booking/appointment?mrcReference={reference}");
    let answer = world.send(get(&path)).await;
    answer.assert_success(200);
    answer
}

async fn change(
    world: &RouteTestWorld,
    step: &str,
    (appointment, version): (&TestAnswer, u32),
    more: &str,
) -> TestAnswer {
    let number = &appointment.json["bkgIdentifier"];
    let body = format!(r#"{{"bkgIdentifier":{number},"version":{version}{more}}}"#);
    world.send(post(&format!("/booking/{step}"), body)).await
}

async fn free(world: &RouteTestWorld, service: &Value) -> Vec<(String, usize)> {
    let path = format!("/booking/slots?bkgService={service}&from=15-01-2026&to=15-01-2026");
    let answer = world.send(get(&path)).await;
    answer.assert_success(200);
    let slots = answer.json["slots"].as_array().unwrap().iter();
    let shown = slots.map(|slot| {
        let start = slot["bkgStart"].as_str().unwrap();
        let team = slot["bkgTeam"].as_array().unwrap().len();
        assert_eq!(slot["bkgSeats"], team);
        (start[11..16].to_owned(), team)
    });
    shown.collect()
}

const NOON: &str = "15-01-2026 12:00:00";
const HALF_PAST: &str = "15-01-2026 12:30:00";

#[tokio::test]
async fn a_time_is_booked_once_with_each_of_the_team() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, "").await;
    let all = [("12:00", 2), ("12:30", 2), ("13:00", 2), ("13:30", 2)];
    let all = all.map(|(at, team)| (at.to_owned(), team));
    assert_eq!(free(&world, &service).await, all);
    for (reference, staff) in [("one", "Ada"), ("two", "Bola")] {
        let booked = book(&world, reference, (&service, NOON)).await;
        booked.assert_success(201);
        assert_eq!(booked.json["bkgStatus"], "Booked");
        assert_eq!(booked.json["bkgStaff"], staff);
        assert_eq!(booked.json["bkgEnd"], HALF_PAST);
        assert_eq!(booked.json["price"], "0.00");
        assert_eq!(booked.header("etag"), "\"1\"");
        let location = format!("/booking/appointment?mrcReference={reference}");
        assert_eq!(booked.header("location"), location);
    }
    let taken = book(&world, "three", (&service, NOON)).await;
    taken.assert_error(409, None, "/params/bkgStart");
    assert!(taken.text.contains("bkgStart"), "{}", taken.text);
    assert_eq!(free(&world, &service).await, all[1..]);
    let again = book(&world, "one", (&service, HALF_PAST)).await;
    assert_eq!(again.status, 422, "{}", again.text);
    let day = "/booking/appointments?from=15-01-2026&to=15-01-2026&length=1";
    let listed = world.send(get(day)).await;
    listed.assert_success(200);
    assert_eq!(listed.json["query"]["total"], 2);
    assert_eq!(listed.json["appointments"][0]["bkgStart"], NOON);
    assert!(listed.header("link").contains("offset=1"));
}

#[tokio::test]
async fn a_time_that_the_service_has_not_is_refused_with_the_reason() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, r#","bkgNotice":150,"bkgHorizon":7"#).await;
    for (start, said) in [
        (
            "15-01-2026 12:15:00",
            "too soon; the service is booked 150 minutes before",
        ),
        ("15-01-2026 12:45:00", "GET /booking/slots"),
        ("16-01-2026 10:00:00", "GET /booking/slots"),
        (
            "22-01-2026 12:00:00",
            "too far away; the service is booked 7 days ahead",
        ),
    ] {
        let refused = book(&world, "one", (&service, start)).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        assert!(refused.text.contains(said), "{start}: {}", refused.text);
    }
    let body = wanted("one", (&service, HALF_PAST), r#","bkgStaff":"Chi""#);
    let stranger = world.send(post("/booking/appointment", body)).await;
    assert_eq!(stranger.status, 400, "{}", stranger.text);
    assert!(stranger.text.contains("bkgTeam"), "{}", stranger.text);
    let nowhere = book(&world, "one", (&Value::from(1), HALF_PAST)).await;
    assert_eq!(nowhere.status, 404, "{}", nowhere.text);
    assert_eq!(free(&world, &service).await.len(), 3);
}

#[tokio::test]
async fn what_is_paid_before_is_held_until_then() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, PAID_BEFORE).await;
    let held = book(&world, "one", (&service, NOON)).await;
    held.assert_success(201);
    assert_eq!(held.json["bkgStatus"], "Held");
    assert_eq!(held.json["bkgHeldUntil"], "15-01-2026 10:15:00");
    assert!(
        held.json["chkUrl"]
            .as_str()
            .unwrap()
            .contains("/checkout/pay/")
    );
    let session = world
        .send(get("/checkout/session/transaction?mrcReference=one"))
        .await;
    session.assert_success(200);
    assert_eq!(session.json["chkIdentifier"], held.json["bkgIdentifier"]);
    let number = &held.json["bkgIdentifier"];
    let pay = |reference: &str, amount: &str| {
        let body = format!(
            r#"{{"mrcReference":"{reference}","colIdentifier":{number},"colAmount":"{amount}"}}"#
        );
        post("/collection/simulate", body)
    };
    world
        .send(pay("pay-1", "1,000.00"))
        .await
        .assert_success(200);
    let part = report(&world, "one").await;
    assert_eq!(part.json["bkgStatus"], "Held");
    assert_eq!(part.json["bkgPaid"], "1,000.00");
    change(&world, "complete", (&held, 1), "")
        .await
        .assert_error(409, None, "/params/bkgIdentifier");
    world
        .send(pay("pay-2", "4,000.00"))
        .await
        .assert_success(200);
    let paid = report(&world, "one").await;
    assert_eq!(paid.json["bkgStatus"], "Booked");
    for name in ["bkgHeldUntil", "chkUrl"] {
        assert!(paid.json[name].is_null(), "{}", paid.text);
    }
    let used = book(&world, "one", (&service, HALF_PAST)).await;
    assert_eq!(used.status, 422, "{}", used.text);
    assert_eq!(
        used.header("location"),
        "/booking/appointment?mrcReference=one"
    );
    let completed = change(&world, "complete", (&held, 1), "").await;
    completed.assert_success(200);
    assert_eq!(completed.json["bkgStatus"], "Completed");
}

#[tokio::test]
async fn a_hold_that_is_over_gives_its_time_away() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, PAID_BEFORE).await;
    for reference in ["one", "two"] {
        book(&world, reference, (&service, NOON))
            .await
            .assert_success(201);
    }
    book(&world, "three", (&service, NOON))
        .await
        .assert_error(409, None, "/params/bkgStart");
    world.clock.advance(Duration::from_mins(16)).await;
    assert_eq!(free(&world, &service).await[0], ("12:00".to_owned(), 2));
    assert_eq!(report(&world, "one").await.json["bkgStatus"], "Held");
    book(&world, "three", (&service, NOON))
        .await
        .assert_success(201);
    assert_eq!(report(&world, "one").await.json["bkgStatus"], "Cancelled");
    assert_eq!(report(&world, "two").await.json["bkgStatus"], "Held");
}

#[tokio::test]
async fn an_appointment_is_moved_and_called_off_from_the_version_that_was_seen() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, PAID_BEFORE).await;
    let one = book(&world, "one", (&service, NOON)).await;
    let start = r#","bkgStart":"15-01-2026 12:30:00""#;
    change(&world, "reschedule", (&one, 2), start)
        .await
        .assert_error(409, None, "/params/version");
    let moved = change(&world, "reschedule", (&one, 1), start).await;
    moved.assert_success(200);
    assert_eq!(moved.json["bkgStart"], HALF_PAST);
    assert_eq!(moved.json["version"], 2);
    assert_eq!(moved.json["bkgHeldUntil"], "15-01-2026 10:15:00");
    let again = change(&world, "reschedule", (&one, 1), start).await;
    again.assert_success(200);
    assert_eq!(again.json["version"], 2);
    let number = &one.json["bkgIdentifier"];
    let body = format!(r#"{{"bkgIdentifier":{number},"version":2}}"#);
    let stale = request_of("shop", "POST", "/booking/cancel")
        .header("content-type", "application/json")
        .header("if-match", "\"1\"")
        .body(crate::testing::body(body))
        .unwrap();
    assert_eq!(world.send(stale).await.status, 412);
    let reason = r#","bkgReason":"Rain""#;
    let off = change(&world, "cancel", (&one, 2), reason).await;
    off.assert_success(200);
    assert_eq!(off.json["bkgStatus"], "Cancelled");
    assert_eq!(off.json["bkgReason"], "Rain");
    change(&world, "cancel", (&one, 2), "")
        .await
        .assert_success(200);
    change(&world, "miss", (&one, 3), "")
        .await
        .assert_error(409, None, "/params/bkgIdentifier");
    let session = world
        .send(get("/checkout/session/transaction?mrcReference=one"))
        .await;
    assert_eq!(session.json["chkStatus"], "Cancelled");
    assert_eq!(free(&world, &service).await.len(), 4);
}

#[tokio::test]
async fn a_service_is_changed_and_taken_back_from_offer() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, "").await;
    let terms = haircut("x", r#","bkgOffered":false"#);
    let terms = terms.replace(
        r#""mrcReference":"x""#,
        &format!(r#""bkgService":{service},"version":1"#),
    );
    let changed = world
        .send(post("/booking/service/change", terms.clone()))
        .await;
    changed.assert_success(200);
    assert_eq!(
        (&changed.json["version"], &changed.json["bkgOffered"]),
        (&2.into(), &false.into())
    );
    world
        .send(post("/booking/service/change", terms.clone()))
        .await
        .assert_success(200);
    let other = terms.replace("Haircut", "Shave");
    world
        .send(post("/booking/service/change", other))
        .await
        .assert_error(409, None, "/params/version");
    book(&world, "one", (&service, NOON))
        .await
        .assert_error(409, None, "/params/bkgService");
    let path = format!("/booking/slots?bkgService={service}&from=15-01-2026&to=15-01-2026");
    assert_eq!(world.send(get(&path)).await.status, 409);
    let again = world
        .send(post("/booking/service", haircut("cut", "")))
        .await;
    assert_eq!(again.status, 422, "{}", again.text);
    let listed = world.send(get("/booking/service")).await;
    listed.assert_success(200);
    assert_eq!(listed.json["services"][0]["bkgService"], service);
}

#[tokio::test]
async fn an_appointment_is_given_to_calendars() {
    let world = RouteTestWorld::new().await;
    let service = offered(&world, "").await;
    book(&world, "one", (&service, NOON))
        .await
        .assert_success(201);
    let path = "/booking/calendar?mrcReference=one";
    let request = request_of("shop", "GET", path).header("accept", "text/calendar");
    let file = world.send(bare(request)).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.header("content-type"), "text/calendar; charset=utf-8");
    assert!(file.header("content-disposition").contains("one.ics"));
    for line in [
        "DTSTART:20260115T110000Z",
        "DTEND:20260115T113000Z",
        "SUMMARY:Haircut with Ada",
    ] {
        assert!(file.text.contains(line), "{line} in {}", file.text);
    }
    let fields = world.send(get(&format!("{path}&format=json"))).await;
    fields.assert_success(200);
    assert_eq!(fields.json["mrcReference"], "one");
}
