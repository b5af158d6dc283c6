//! Invoices over HTTP: the world's clock stands at 10:00 on 15-01-2026 in Lagos.

use crate::testing::{RouteTestWorld, TestAnswer, bare, get, post, request_of};

const PATH: &str = "/billing/invoice";

fn yams(reference: &str, more: &str) -> String {
    format!(
        r#"{{"mrcReference":"{reference}","customerName":"Ada Obi","currency":"NGN",
            "items":[{{"name":"Yam","quantity":2,"amount":"2,000.00","vatRate":"7.5"}},
            {{"name":"Basket","quantity":1,"amount":"700.00"}}],
            "dueDate":"31-01-2026 12:00:00"{more}}}"#
    )
}

async fn created(world: &RouteTestWorld, reference: &str, more: &str) -> TestAnswer {
    let made = world.send(post(PATH, yams(reference, more))).await;
    made.assert_success(201);
    made
}

async fn change(
    world: &RouteTestWorld,
    act: &str,
    (invoice, version): (&TestAnswer, u32),
) -> TestAnswer {
    let number = &invoice.json["invIdentifier"];
    let body = format!(r#"{{"invIdentifier":{number},"version":{version}}}"#);
    world.send(post(&format!("{PATH}/{act}"), body)).await
}

async fn pay(world: &RouteTestWorld, invoice: &TestAnswer, (reference, amount): (&str, &str)) {
    let number = &invoice.json["invIdentifier"];
    let body = format!(
        r#"{{"mrcReference":"{reference}","colIdentifier":{number},"colAmount":"{amount}"}}"#
    );
    let paid = world.send(post("/collection/simulate", body)).await;
    paid.assert_success(200);
}

async fn report(world: &RouteTestWorld, reference: &str) -> TestAnswer {
    let path = format!("{PATH}/transaction?mrcReference={reference}");
    let answer = world.send(get(&path)).await;
    answer.assert_success(200);
    answer
}

#[tokio::test]
async fn a_draft_is_opened_under_the_next_number_and_paid_in_parts() {
    let world = RouteTestWorld::new().await;
    let first = created(&world, "first", "").await;
    assert_eq!(first.json["invNumber"], "INV-000001");
    assert_eq!(first.json["invStatus"], "Open");
    let draft = created(&world, "second", r#","invDraft":true"#).await;
    assert_eq!(draft.json["invStatus"], "Draft");
    for name in ["invNumber", "colReference", "bankFullname", "chkUrl"] {
        assert!(draft.json[name].is_null(), "{name}: {}", draft.text);
    }
    assert_eq!(draft.header("etag"), "\"1\"");
    let opened = change(&world, "open", (&draft, 1)).await;
    opened.assert_success(200);
    assert_eq!(opened.json["invNumber"], "INV-000002");
    assert_eq!(opened.json["invTotal"], "5,000.00");
    assert_eq!(opened.json["invVat"], "300.00");
    assert_eq!(opened.json["bankFullname"], "Sandbox Bank");
    assert_eq!(opened.header("etag"), "\"2\"");
    let again = change(&world, "open", (&draft, 1)).await;
    again.assert_success(200);
    assert_eq!(again.json["version"], 2);
    pay(&world, &draft, ("part-1", "2,000.00")).await;
    let part = report(&world, "second").await;
    assert_eq!(part.json["invStatus"], "Open");
    assert_eq!(part.json["invPaid"], "2,000.00");
    assert_eq!(part.json["invDue"], "3,000.00");
    let void = change(&world, "void", (&draft, 2)).await;
    void.assert_error(409, None, "/params/invIdentifier");
    pay(&world, &draft, ("part-2", "3,000.00")).await;
    let paid = report(&world, "second").await;
    assert_eq!(paid.json["invStatus"], "Paid");
    assert_eq!(paid.json["invDue"], "0.00");
}

#[tokio::test]
async fn a_void_invoice_keeps_its_number_and_is_credited_still() {
    let world = RouteTestWorld::new().await;
    let made = created(&world, "first", "").await;
    let stale = change(&world, "void", (&made, 7)).await;
    stale.assert_error(409, None, "/params/version");
    let body = format!(
        r#"{{"invIdentifier":{},"version":1}}"#,
        made.json["invIdentifier"]
    );
    let mut other = post(&format!("{PATH}/void"), body);
    let tag = "\"7\"".parse().unwrap();
    other.headers_mut().insert("if-match", tag);
    let other = world.send(other).await;
    other.assert_error(412, None, "/params/If-Match");
    let void = change(&world, "void", (&made, 1)).await;
    void.assert_success(200);
    assert_eq!(void.json["invStatus"], "Void");
    assert_eq!(void.json["invNumber"], "INV-000001");
    assert_eq!(void.json["invDue"], "0.00");
    let open = change(&world, "open", (&made, 2)).await;
    open.assert_error(409, None, "/params/invIdentifier");
    pay(&world, &made, ("late", "5,000.00")).await;
    let late = report(&world, "first").await;
    assert_eq!(late.json["invStatus"], "Void");
    assert_eq!(late.json["invPaid"], "5,000.00");
    let next = created(&world, "second", "").await;
    assert_eq!(next.json["invNumber"], "INV-000002");
    let draft = created(&world, "third", r#","invDraft":true"#).await;
    let void = change(&world, "void", (&draft, 1)).await;
    assert_eq!(void.json["invStatus"], "Void");
    assert!(void.json["invNumber"].is_null(), "{}", void.text);
}

#[tokio::test]
async fn a_reference_and_a_key_lead_to_one_invoice() {
    let world = RouteTestWorld::new().await;
    let keyed = |body: String| {
        let mut request = post(PATH, body);
        let key = "key-1".parse().unwrap();
        request.headers_mut().insert("idempotency-key", key);
        request
    };
    let first = world.send(keyed(yams("first", ""))).await;
    first.assert_success(201);
    let again = world.send(keyed(yams("first", ""))).await;
    again.assert_success(201);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.json["invNumber"], "INV-000001");
    let other = world.send(keyed(yams("other", ""))).await;
    other.assert_error(422, None, "/params/Idempotency-Key");
    let taken = world.send(post(PATH, yams("first", ""))).await;
    taken.assert_error(422, None, "/params/mrcReference");
    let path = format!("{PATH}/transaction?mrcReference=first");
    assert_eq!(taken.header("location"), path);
    let draft = created(&world, "later", r#","invDraft":true"#).await;
    let collect = |reference: &str| {
        let fee = format!(
            r#"{{"mrcReference":"{reference}","payerName":"Ada","colPurpose":"fee",
                "colAmount":"1.00","dueDate":"31-01-2026 12:00:00"}}"#
        );
        post("/collection/invoice", fee)
    };
    world.send(collect("fee")).await.assert_success(201);
    let taken = world.send(collect("later")).await;
    taken.assert_error(422, None, "/params/mrcReference");
    let path = format!("{PATH}/transaction?mrcReference=later");
    assert_eq!(taken.header("location"), path);
    let taken = world.send(post(PATH, yams("fee", ""))).await;
    taken.assert_error(422, None, "/params/mrcReference");
    let opened = change(&world, "open", (&draft, 1)).await;
    assert_eq!(opened.json["invNumber"], "INV-000002");
    let next = created(&world, "second", "").await;
    assert_eq!(next.json["invNumber"], "INV-000003");
}

#[tokio::test]
async fn the_collection_of_an_invoice_is_its_invoices() {
    let world = RouteTestWorld::new().await;
    let made = created(&world, "first", "").await;
    for step in ["suspend", "resume", "close"] {
        let body = format!(r#"{{"colIdentifier":{}}}"#, made.json["invIdentifier"]);
        let step = world.send(post(&format!("/collection/{step}"), body)).await;
        step.assert_error(404, None, "/params/colIdentifier");
    }
    for kind in ["account", "invoice"] {
        let path = format!("/collection/{kind}/transaction?mrcReference=first");
        let none = world.send(get(&path)).await;
        none.assert_error(404, None, "/params/mrcReference");
    }
    let foreign = format!("{PATH}/transaction?mrcReference=first");
    let foreign = world.send(bare(request_of("other", "GET", &foreign))).await;
    foreign.assert_error(404, None, "/params/mrcReference");
    let unknown = r#"{"invIdentifier":7,"version":1}"#;
    let unknown = world.send(post(&format!("{PATH}/void"), unknown)).await;
    unknown.assert_error(404, None, "/params/invIdentifier");
    for (date, name) in [
        ("14-01-2026 12:00:00", "dueDate"),
        ("31-01-2036 12:00:00", "dueDate"),
    ] {
        let body = yams("bad", "").replace("31-01-2026 12:00:00", date);
        let refused = world.send(post(PATH, body)).await;
        refused.assert_error(400, None, &format!("/params/{name}"));
    }
    let all = world.send(get(&format!("{PATH}?length=1"))).await;
    all.assert_success(200);
    assert_eq!(all.header("total"), "1");
    assert_eq!(all.json["invoices"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_document_of_an_invoice_says_how_it_is_paid() {
    let world = RouteTestWorld::new().await;
    let made = created(&world, "first", "").await;
    created(&world, "second", r#","invDraft":true"#).await;
    let shown = async |reference: &str| {
        let path = format!("{PATH}/pdf?mrcReference={reference}");
        let asked = request_of("shop", "GET", &path);
        let document = world
            .send(bare(asked.header("accept", "application/pdf")))
            .await;
        assert_eq!(document.status, 200);
        assert_eq!(document.header("content-type"), "application/pdf");
        document
    };
    let document = shown("first").await;
    let named = "attachment; filename=\"INV-000001.pdf\"";
    assert_eq!(document.header("content-disposition"), named);
    let payable = made.json["colReference"].as_str().unwrap();
    for expected in [
        "(Invoice INV-000001)",
        "(5,000.00)",
        "(Sandbox Bank)",
        payable,
    ] {
        assert!(
            document.text.contains(expected),
            "{expected}: {}",
            document.text
        );
    }
    let draft = shown("second").await;
    assert!(draft.text.contains("This is a draft"), "{}", draft.text);
    let none = world
        .send(get(&format!("{PATH}/pdf?mrcReference=none")))
        .await;
    none.assert_error(404, None, "/params/mrcReference");
}
