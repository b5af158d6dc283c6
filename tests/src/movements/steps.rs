//! The steps of a client: what it asks for, and what the statement must say then.

use super::client::Client;
use super::expected::AnnouncedTopUp;
use crate::bulk::{BULK, batch};
use crate::orders::{GTBANK, OrderFamily, account_number, payout};
use crate::patience::time_of_day;
use crate::provider_journal::minor;
use crate::purchases::{LastAnswer, TestPurchase};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::PoisonError;
use std::time::Duration;

/// Delivered, refused, delivered with its answer lost, delivered slowly.
const ENDINGS: [&str; 4] = ["0000", "0001", "0003", "0007"];

/// What a client does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Credits,
    Account,
    Unclaimed,
    Codes,
    Collection,
    Checkout,
    Invoice,
    Refund,
    Bulk,
    Payroll,
    Approval,
    Subscription,
    TopUp,
    Report,
}

impl Step {
    pub(super) const ALL: [Self; 14] = [
        Self::Credits,
        Self::Account,
        Self::Unclaimed,
        Self::Codes,
        Self::Collection,
        Self::Checkout,
        Self::Invoice,
        Self::Refund,
        Self::Bulk,
        Self::Payroll,
        Self::Approval,
        Self::Subscription,
        Self::TopUp,
        Self::Report,
    ];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Credits => "credits",
            Self::Account => "account",
            Self::Unclaimed => "unclaimed",
            Self::Codes => "codes",
            Self::Collection => "collection",
            Self::Checkout => "checkout",
            Self::Invoice => "invoice",
            Self::Refund => "refund",
            Self::Bulk => "bulk",
            Self::Payroll => "payroll",
            Self::Approval => "approval",
            Self::Subscription => "subscription",
            Self::TopUp => "topup",
            Self::Report => "report",
        }
    }

    pub(super) async fn take(self, client: &mut Client) {
        let reference = client.reference(self.word());
        match self {
            Self::Credits => credits(client, &reference).await,
            Self::Account => account(client, &reference).await,
            Self::Unclaimed => unclaimed(client, &reference).await,
            Self::Codes => codes(client, &reference).await,
            Self::Collection => collection(client, &reference).await,
            Self::Checkout => checkout(client, &reference).await,
            Self::Invoice => invoice(client, &reference).await,
            Self::Refund => refund(client, &reference).await,
            Self::Bulk => bulk(client, &reference).await,
            Self::Payroll => payroll(client, &reference).await,
            Self::Approval => approval(client, &reference).await,
            Self::Subscription => subscription(client, &reference).await,
            Self::TopUp => top_up(client, &reference).await,
            Self::Report => report(client).await,
        }
    }
}

async fn credits(client: &mut Client, reference: &str) {
    let body = json!({
        "mrcReference": reference, "walFrom": "NGN", "walTo": "CRD", "txnAmount": "40.00",
        "txnNarration": "Messages",
    });
    let answer = client
        .post("/transfer/wallet", &body)
        .await
        .with_status(200);
    client
        .expected
        .line("NGN", reference, -minor(&answer.text("price")));
    client
        .expected
        .line("CRD", reference, minor(&answer.text("crdAmount")));
}

async fn account(client: &mut Client, reference: &str) {
    let body = json!({
        "mrcReference": reference, "usrIdentity": client.accounts.recipient_identity,
        "txnAmount": "25.00", "txnNarration": reference,
    });
    let answer = client.post("/transfer/user", &body).await.with_status(200);
    assert_eq!(answer.text("clmStatus"), "Claimed");
    client.expected.line("NGN", reference, -2_500);
    let from = client.accounts.payer_name;
    let key = ("NGN", format!("Transfer from {from}: {reference}"));
    client.expected.received.entry(key).or_default().add(2_500);
}

async fn unclaimed(client: &mut Client, reference: &str) {
    let body = json!({
        "mrcReference": reference, "usrIdentity": format!("{reference}@shop.example"),
        "txnAmount": "10.00", "txnNarration": "Later",
    });
    client.post("/transfer/user", &body).await.with_status(202);
    client.expected.line("NGN", reference, -1_000);
    client.expected.unclaimed += 1_000;
}

/// A gift card of 500.00, of which 200.00 are redeemed; that is rolled back or not, and what is
/// left is voided or not.
async fn codes(client: &mut Client, reference: &str) {
    let body = json!({
        "mrcReference": reference, "vchType": "giftcard", "vchAmount": "500.00",
        "vchExpiry": "2029-12-31T00:00:00Z",
    });
    let made = client.post("/voucher/create", &body).await.with_status(200);
    let key = format!("Codes {reference}: 1 made");
    client.expected.line("NGN", key, -50_000);
    let code = made.json()["vouchers"][0].clone();
    let (text, id) = (
        &code["vchCode"],
        code["vchIdentifier"].as_str().expect("an identifier"),
    );
    let used = format!("{reference}-used");
    let body = json!({"mrcReference": used, "vchCode": text, "amount": "200.00"});
    client.post("/voucher/redeem", &body).await.with_status(200);
    client
        .expected
        .line("NGN", format!("Code {id}: redeemed for {used}"), 20_000);
    let mut left = 30_000;
    if client.chance.below(2) == 0 {
        let body = json!({
            "mrcReference": format!("{reference}-back"), "mrcOriginal": used, "reason": "Sent back",
        });
        client
            .post("/voucher/rollback", &body)
            .await
            .with_status(200);
        client
            .expected
            .line("NGN", format!("Code {id}: {used} rolled back"), -20_000);
        left = 50_000;
    }
    if client.chance.below(2) == 0 {
        let body = json!({"vchIdentifier": id, "reason": "Lost"});
        client.post("/voucher/void", &body).await.with_status(200);
        client
            .expected
            .line("NGN", format!("Code {id}: voided"), left);
    }
}

async fn collection(client: &mut Client, reference: &str) {
    let body = json!({"mrcReference": reference, "customerName": "Ada Obi"});
    let made = client
        .post("/collection/account", &body)
        .await
        .with_status(201);
    let number = made.json()["colIdentifier"].clone();
    for payment in 0..=client.chance.below(3) {
        let body = json!({
            "mrcReference": format!("{reference}-{payment}"), "colIdentifier": number,
            "colAmount": "150.00",
        });
        simulate(client, reference, &body).await;
    }
}

/// A payment to a collection, which may be sent again and is credited once.
async fn simulate(client: &mut Client, reference: &str, body: &Value) {
    let answer = client
        .post("/collection/simulate", body)
        .await
        .with_status(200);
    let net = minor(&answer.text("colNet"));
    client
        .expected
        .line("NGN", format!("Payment: {reference}"), net);
}

/// A session whose page is paid: its form says how many payments it showed, so that it can be sent
/// again.
async fn checkout(client: &mut Client, reference: &str) {
    let body = json!({
        "mrcReference": reference, "amount": "300.00", "currency": "NGN",
        "chkChannels": "transfer", "redirectUrl": "https://shop.example/orders",
        "customerEmail": "ada@shop.example",
    });
    let opened = client
        .post("/checkout/session", &body)
        .await
        .with_status(201);
    let url = opened.text("chkUrl");
    let (_, name) = url.rsplit_once('/').expect("the address of a page");
    let path = format!("/checkout/pay/{name}");
    let paid = client
        .answer_and_repeat(|at| {
            let form = "application/x-www-form-urlencoded";
            let request = at.payer.anonymous(Method::POST, &path);
            request.header("content-type", form).body("pay=exact-0")
        })
        .await;
    assert_eq!(paid.status, 303, "{paid:?}");
    client
        .expected
        .line("NGN", format!("Payment: {reference}"), 30_000);
}

async fn invoice(client: &mut Client, reference: &str) {
    let yam = json!({"name": "Yam", "quantity": 1, "amount": "1,000.00", "vatRate": "7.5"});
    let body = json!({
        "mrcReference": reference, "customerName": "Ada Obi", "items": [yam],
        "dueDate": "2030-01-01T00:00:00Z", "currency": "NGN",
    });
    let made = client
        .post("/billing/invoice", &body)
        .await
        .with_status(201);
    let body = json!({
        "mrcReference": format!("{reference}-paid"), "colIdentifier": made.json()["invIdentifier"],
        "colAmount": "1,075.00",
    });
    simulate(client, reference, &body).await;
}

async fn refund(client: &mut Client, reference: &str) {
    let ending = client.chance.pick::<&'static str>(&ENDINGS);
    let order = OrderFamily::Airtime.order(reference, ending);
    let answer = client.post("/payment/airtime", &order).await;
    let is_delivered = answer.status == 200 && answer.txn_status() == "Successful";
    client.paid(payment(OrderFamily::Airtime, reference, ending), &answer);
    if is_delivered {
        let body = json!({
            "mrcReference": format!("{reference}-back"), "mrcOriginal": reference,
            "rfdReason": "The customer received nothing.",
        });
        let back = client.post("/billing/refund", &body).await.with_status(200);
        assert_eq!(back.text("rfdStatus"), "Completed");
        client.expected.given_back.insert(reference.to_owned());
    }
}

/// Payouts that are accepted together; some of them are cancelled before they are sent.
async fn bulk(client: &mut Client, reference: &str) {
    let (body, payouts) = batch(reference, 5, &ENDINGS);
    client.post(BULK, &body).await.with_status(202);
    client
        .expected
        .payments
        .extend(payouts.into_iter().map(accepted));
    if client.chance.below(3) == 0 {
        let body = json!({"mrcReference": reference});
        let answer = client.post("/transfer/bulk/cancel", &body).await;
        answer.with_status(200);
    }
}

async fn payroll(client: &mut Client, reference: &str) {
    let member = |place: usize| {
        let (bank, code) = GTBANK;
        json!({
            "mrcReference": format!("{reference}-{place}"), "staffIdentifier": format!("E-{place}"),
            "bankIdentifier": bank, "accountNumber": account_number(code, ENDINGS[place]),
            "payGross": "250.00", "payNet": "200.00",
            "deductions": [{"dedType": "paye", "dedAmount": "50.00"}],
        })
    };
    let items: Vec<_> = (0..ENDINGS.len()).map(member).collect();
    let today = crate::merchant::today();
    let (month, year) = (&today[3..5], &today[6..10]);
    let body = json!({
        "mrcReference": reference, "payPeriod": format!("{year}-{month}"), "payDate": today,
        "items": items,
    });
    client
        .post("/transfer/payroll", &body)
        .await
        .with_status(202);
    for (place, ending) in ENDINGS.into_iter().enumerate() {
        let payout = payment(OrderFamily::Bank, &format!("{reference}-{place}"), ending);
        client.expected.payments.push(accepted(payout));
    }
}

/// A payout of a user that the owner approves or refuses.
async fn approval(client: &mut Client, reference: &str) {
    let (bank, code) = GTBANK;
    let account = account_number(code, "0000");
    let body = payout(reference, (bank, &account), "400,100.00");
    let asked = client.post_as_user("/transfer/bank/payout", &body).await;
    client.paid(
        payment(OrderFamily::Bank, reference, "0000"),
        &asked.with_status(202),
    );
    let decision = *client.chance.pick(&["approve", "refuse"]);
    let body = json!({"mrcReference": reference, "decision": decision});
    // A decision has the reference of what it is about, and no key: repeating it changes nothing.
    let decided = client
        .answer_and_repeat(|at| at.payer.posting("/account/approvals", body.to_string()))
        .await;
    decided.with_status(200);
    let is_approved = decision == "approve";
    client
        .expected
        .decided
        .insert(reference.to_owned(), is_approved);
}

async fn subscription(client: &mut Client, reference: &str) {
    let start = time_of_day().plus(Duration::from_secs(3));
    let start = jiff::Timestamp::from_millisecond(start.as_millis()).expect("a moment");
    let body = json!({
        "mrcReference": reference, "subService": "airtime", "countryCode": 566,
        "number": "2348031230000", "amount": "100.00", "billing": "prepaid",
        "subInterval": "day", "subCount": 1, "subOnFailure": "skip",
        "subStart": start.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    });
    let made = client.post("/billing/subscription", &body).await;
    assert!([200, 201].contains(&made.status), "{made:?}");
    let number = made.json()["subIdentifier"].to_string();
    client.expected.subscriptions.push(number);
}

async fn top_up(client: &mut Client, reference: &str) {
    let amount = "500.00";
    let body = json!({"mrcReference": reference, "amount": amount, "txnChannel": "manual"});
    let answer = client.post("/account/topup", &body).await;
    answer.with_status(202);
    client
        .expected
        .line("NGN", format!("Top-up {reference}"), minor(amount));
    let reference = reference.to_owned();
    let mut announced = client
        .announced
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    announced.push(AnnouncedTopUp { reference, amount });
}

async fn report(client: &mut Client) {
    let today = crate::merchant::today();
    let path = format!("/reporting/transactions/all?from={today}&to={today}&format=csv");
    let asked = client
        .answer(|at| at.payer.request(Method::GET, &path))
        .await;
    // One is made at a time.
    if asked.status != 409 {
        assert!([200, 202].contains(&asked.status), "{asked:?}");
        client.expected.reports.push(asked.text("repIdentifier"));
    }
}

fn payment(family: OrderFamily, reference: &str, ending: &'static str) -> TestPurchase {
    TestPurchase {
        family,
        reference: reference.to_owned(),
        ending,
        received: LastAnswer::Nothing,
    }
}

fn accepted(purchase: TestPurchase) -> TestPurchase {
    TestPurchase {
        received: LastAnswer::Accepted("Pending".to_owned()),
        ..purchase
    }
}
