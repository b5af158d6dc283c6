//! What only a bare connection can send: plain text, bodies around the limit, heads that are none,
//! requests cut short. It must get an answer in the envelope wherever an answer is due.

use crate::case::error;
use tests::answer::HttpAnswer;
use tests::folder::{GatewayFolder, MerchantCredentials, QUICK};
use tests::http_line::Dialler;
use tests::merchant::{TestMerchant, basic};
use tests::orders::{self, OrderFamily};
use tests::process::GatewayProcess;
use tests::shape;

/// The largest body (interface §8, maxPayload).
const BODY_BYTES_MAX: usize = 1_048_576;

struct Bench {
    folder: GatewayFolder,
    account: MerchantCredentials,
    server: GatewayProcess,
    dialler: Dialler,
}

fn bench() -> Bench {
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Connections", "1000000.00");
    let server = GatewayProcess::start(&folder);
    let dialler = Dialler::new(&folder, server.address());
    Bench {
        folder,
        account,
        server,
        dialler,
    }
}

impl Bench {
    fn post(&self, framing: &str) -> String {
        let MerchantCredentials { identity, key, .. } = &self.account;
        format!(
            "POST /payment/airtime HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\n\
             Content-Type: application/json\r\n{framing}\r\n\r\n",
            self.server.address(),
            basic(identity, key)
        )
    }

    fn merchant(&self) -> TestMerchant {
        TestMerchant::new(&self.folder, self.server.address(), &self.account)
    }
}

fn check(answer: &HttpAnswer, status: u16) {
    assert_eq!(answer.status, status, "{answer:?}");
    shape::check(
        &error(status, None, "{\"request\":[\"<text>\"]}"),
        &answer.body,
    );
    assert_eq!(
        answer.header("content-type"),
        Some("application/json"),
        "{answer:?}"
    );
    assert!(answer.header("x-request-id").is_some(), "{answer:?}");
}

#[tokio::test]
async fn a_request_in_plain_text_is_refused_on_the_same_port() {
    let bench = bench();
    let get = "GET /account/balance HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let order = orders::airtime("plain-1", "2348031230000", "100").to_string();
    let posted = bench.post(&format!("Content-Length: {}", order.len())) + &order;
    // The interface keeps locations to secure contexts.
    let device = "GET /geolocation/device?cells=621,30,1,1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for request in [get, &posted, device] {
        let mut line = bench.dialler.plain().await;
        line.send(request).await;
        check(&line.answer().await, 403);
    }
    let merchant = bench.merchant();
    assert_eq!(
        merchant
            .get(&OrderFamily::Airtime.report("plain-1"))
            .await
            .status,
        404
    );
}

/// An order of exactly so many bytes.
fn order_of(bytes: usize, reference: &str) -> String {
    let order = orders::airtime(reference, "2348031230000", "100").to_string();
    let open = format!("{},\"comment\":\"", order.trim_end_matches('}'));
    let padding = "x".repeat(bytes - open.len() - 2);
    format!("{open}{padding}\"}}")
}

#[tokio::test]
async fn the_largest_body_is_read_and_one_byte_more_is_not() {
    let bench = bench();
    let largest = order_of(BODY_BYTES_MAX, "largest");
    let larger = order_of(BODY_BYTES_MAX + 1, "larger");
    let mut line = bench.dialler.secure().await;
    line.send(bench.post(&format!("Content-Length: {}", largest.len())))
        .await;
    line.send(&largest).await;
    assert_eq!(
        line.answer().await.with_status(200).txn_status(),
        "Successful"
    );

    let mut line = bench.dialler.secure().await;
    line.send(bench.post(&format!("Content-Length: {}", larger.len())))
        .await;
    line.send(&larger).await;
    check(&line.answer().await, 413);

    let mut line = bench.dialler.secure().await;
    line.send(bench.post("Transfer-Encoding: chunked")).await;
    line.send(format!("{:x}\r\n{larger}\r\n0\r\n\r\n", larger.len()))
        .await;
    check(&line.answer().await, 413);

    let mut line = bench.dialler.secure().await;
    line.send(bench.post("Content-Length: 10000000000")).await;
    check(&line.answer().await, 413);
    let merchant = bench.merchant();
    assert_eq!(
        merchant
            .get(&OrderFamily::Airtime.report("larger"))
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn heads_that_are_too_large_or_no_http_are_refused_in_the_envelope() {
    let bench = bench();
    let bomb = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX-Bomb: {}\r\n\r\n",
        "x".repeat(100_000)
    );
    let lines = "X-Line: 1\r\n".repeat(200);
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n");
    for (request, status) in [
        (bomb, 413),
        (many, 413),
        ("nonsense\r\n\r\n".to_owned(), 400),
        (
            "GET /account/balance HTTP/1.1\r\nHost : x\r\n\r\n".to_owned(),
            400,
        ),
        ("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n".to_owned(), 400),
    ] {
        let mut line = bench.dialler.secure().await;
        line.send(&request).await;
        let answer = line.answer().await;
        check(&answer, status);
    }
}

#[tokio::test]
async fn one_connection_carries_many_requests_and_a_refusal_does_not_end_it() {
    let bench = bench();
    let MerchantCredentials { identity, key, .. } = &bench.account;
    let get = format!(
        "GET /account/balance HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n",
        basic(identity, key)
    );
    let mut line = bench.dialler.secure().await;
    for _ in 0..3 {
        line.send(&get).await;
        line.answer().await.with_status(200);
        line.send("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .await;
        check(&line.answer().await, 401);
        line.send(bench.post("Content-Length: 1") + "{").await;
        check(&line.answer().await, 400);
    }
    // Two requests at once are answered in order.
    line.send(format!(
        "{get}GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"
    ))
    .await;
    line.answer().await.with_status(200);
    check(&line.answer().await, 401);
}

#[tokio::test]
async fn a_client_that_expects_100_continue_is_answered_that_or_why_not() {
    let bench = bench();
    let order = orders::airtime("asked-first", "2348031230000", "100").to_string();
    let asking = |length: usize| {
        let framing = format!("Content-Length: {length}\r\nExpect: 100-continue");
        bench.post(&framing)
    };
    let mut line = bench.dialler.secure().await;
    line.send(asking(order.len())).await;
    assert_eq!(line.interim().await, 100);
    line.send(&order).await;
    let answer = line.answer().await.with_status(200);
    assert_eq!(answer.txn_status(), "Successful");
    let mut line = bench.dialler.secure().await;
    line.send(asking(BODY_BYTES_MAX + 1)).await;
    check(&line.answer().await, 413);
}

#[tokio::test]
async fn a_request_that_was_cut_short_orders_nothing() {
    let bench = bench();
    let order = orders::airtime("cut-1", "2348031230000", "100").to_string();
    let whole = bench.post(&format!("Content-Length: {}", order.len())) + &order;
    for sent in [
        1,
        whole.len() / 2,
        whole.len() - order.len(),
        whole.len() - 1,
    ] {
        let mut line = bench.dialler.secure().await;
        line.send(&whole[..sent]).await;
        drop(line);
    }
    let merchant = bench.merchant();
    // The server answers in the order it reads: a later request finds what an earlier one did.
    assert_eq!(
        merchant
            .get(&OrderFamily::Airtime.report("cut-1"))
            .await
            .status,
        404
    );
    assert_eq!(
        merchant.balance().await,
        ("1,000,000.00".to_owned(), "0.00".to_owned())
    );
}
