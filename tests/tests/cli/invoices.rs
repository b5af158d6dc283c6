//! Invoices from the draft to the money, over the interface and from the command line beside the
//! running server.

use serde_json::{Value, json};
use std::time::Duration;
use tests::folder::{GatewayFolder, PAID_TO, QUICK};
use tests::merchant::TestMerchant;
use tests::patience::{eventually, time_of_day};
use tests::process::GatewayProcess;

const PATH: &str = "/billing/invoice";

fn yams(reference: &str, due: &str) -> Value {
    json!({
        "mrcReference": reference, "customerName": "Ada Obi", "currency": "NGN", "dueDate": due,
        "items": [
            {"name": "Yam", "quantity": 2, "amount": "2,000.00", "vatRate": "7.5"},
            {"name": "Basket", "quantity": 1, "amount": "700.00"},
        ],
    })
}

async fn report(merchant: &TestMerchant, reference: &str) -> Value {
    let path = format!("{PATH}/transaction?mrcReference={reference}");
    merchant.get(&path).await.with_status(200).json()
}

#[tokio::test]
async fn a_draft_is_opened_paid_in_parts_and_printed() {
    let folder = GatewayFolder::with(&[QUICK, PAID_TO].concat());
    let account = folder.account("Invoices", "100.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let mut draft = yams("yams-1", "2030-01-01T00:00:00Z");
    draft["invDraft"] = true.into();
    let made = merchant.post(PATH, &draft).await.with_status(201);
    assert_eq!(made.json()["invNumber"], Value::Null);
    let number = made.json()["invIdentifier"].clone();
    let opens = json!({"invIdentifier": number, "version": 1});
    let opened = merchant.post(&format!("{PATH}/open"), &opens).await;
    assert_eq!(opened.with_status(200).text("invNumber"), "INV-000001");
    let pay = |reference: &str, amount: &str| {
        let mut paid = json!({"mrcReference": reference, "colAmount": amount});
        paid["colIdentifier"] = number.clone();
        paid
    };
    let paid = merchant
        .post("/collection/simulate", &pay("p-1", "1,999.99"))
        .await;
    paid.with_status(200);
    let part = report(&merchant, "yams-1").await;
    assert_eq!(part["invStatus"], "Open");
    assert_eq!(
        (&part["invPaid"], &part["invDue"]),
        (&json!("1,999.99"), &json!("3,000.01"))
    );
    let voids = json!({"invIdentifier": number, "version": 2});
    let refused = merchant.post(&format!("{PATH}/void"), &voids).await;
    refused.with_status(409);
    let paid = merchant
        .post("/collection/simulate", &pay("p-2", "3,000.01"))
        .await;
    paid.with_status(200);
    let whole = report(&merchant, "yams-1").await;
    assert_eq!(whole["invStatus"], "Paid");
    let balance = merchant.get("/account/balance").await.with_status(200);
    assert_eq!(balance.text("accBalance"), "5,100.00");
    let pages = merchant
        .get(&format!("{PATH}/pdf?mrcReference=yams-1"))
        .await;
    let pages = pages.with_status(200);
    assert_eq!(pages.header("content-type"), Some("application/pdf"));
    for shown in [
        "(Invoice INV-000001)",
        "(Ada Obi)",
        "(5,000.00)",
        "(300.00)",
        "(Paid)",
    ] {
        assert!(pages.body.contains(shown), "{shown}: {pages:?}");
    }
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}

#[tokio::test]
async fn what_the_bank_reports_is_credited_to_overdue_and_void_invoices() {
    let folder = GatewayFolder::with(&[QUICK, PAID_TO].concat());
    let account = folder.live_account("Invoices", "100.00");
    let server = GatewayProcess::start(&folder);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let soon = time_of_day().plus(Duration::from_secs(2)).as_millis();
    let soon = jiff::Timestamp::from_millisecond(soon).unwrap().to_string();
    let made = merchant
        .post(PATH, &yams("late", &soon))
        .await
        .with_status(201);
    let other = yams("void", "2030-01-01T00:00:00Z");
    let other = merchant.post(PATH, &other).await.with_status(201);
    assert_eq!(other.text("invNumber"), "INV-000002");
    let voids = json!({"invIdentifier": other.json()["invIdentifier"], "version": 1});
    let voided = merchant.post(&format!("{PATH}/void"), &voids).await;
    assert_eq!(voided.with_status(200).text("invStatus"), "Void");
    eventually("an overdue invoice", Duration::from_secs(30), async || {
        let late = report(&merchant, "late").await;
        (late["invStatus"] == "Overdue").then_some(())
    })
    .await;
    for (session, payee) in [
        ("S1", made.text("colReference")),
        ("S2", other.text("colReference")),
    ] {
        let named = [
            "--payee",
            &payee,
            "--session",
            session,
            "--amount",
            "5000.00",
        ];
        folder
            .run(&[&["collection", "record"][..], &named[..]].concat())
            .well();
    }
    let late = report(&merchant, "late").await;
    assert_eq!(
        (&late["invStatus"], &late["invDue"]),
        (&json!("Paid"), &json!("0.00"))
    );
    let void = report(&merchant, "void").await;
    assert_eq!(
        (&void["invStatus"], &void["invPaid"]),
        (&json!("Void"), &json!("5,000.00"))
    );
    assert_eq!(void["invNumber"], "INV-000002");
    let balance = merchant.get("/account/balance").await.with_status(200);
    assert_eq!(balance.text("accBalance"), "10,100.00");
    let audit = folder.run(&["audit", "--json"]).well().json();
    assert_eq!(audit["status"], "clean", "{audit}");
}
