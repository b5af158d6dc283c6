//! Tests requests and answers on one HTTP/2 connection. No limit is reached and no deadline passes
//! here.

use super::super::support::{Running, get, receive, send};
use super::client::{Answer, request};
use crate::settings::{HEADERS_MAX, Http2Support};
use h2::Reason;
use h2::client::Builder;
use std::time::Duration;

#[tokio::test]
async fn a_client_that_knows_both_speaks_http2_and_others_http1() {
    let running = Running::start(|_| {}).await;
    for (known, chosen) in [
        (&["http/1.1", "h2"][..], Some(&b"h2"[..])),
        (&["http/1.1"], Some(b"http/1.1")),
        (&[], None),
    ] {
        let stream = running.tls_for(known).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), chosen);
    }
    let off = Running::start(|settings| settings.http2 = Http2Support::Off).await;
    let mut stream = off.tls_for(&["h2", "http/1.1"]).await;
    let chosen = stream.get_ref().1.alpn_protocol();
    assert_eq!(chosen, Some(&b"http/1.1"[..]));
    send(&mut stream, get("/account/balance")).await;
    assert_eq!(receive(&mut stream).await.status, 200);
}

#[tokio::test]
async fn requests_are_answered_beside_each_other() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    // It has no outcome before the clock is advanced.
    let pending = client.pay("order-1").await;
    running.world.clock.until_sleepers(2).await;
    for _ in 0..3 {
        let answer = client.get("/account/balance").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["accCurrency"], "NGN");
        client.get("/nothing").await.assert_error(404, "request");
    }
    running.world.clock.advance(Duration::from_secs(20)).await;
    let answer = Answer::of(pending).await.unwrap();
    assert_eq!(answer.status, 202);
    assert_eq!(answer.json()["mrcReference"], "order-1");
    assert_eq!(answer.header("connection"), None);
    let length = answer.body.len().to_string();
    assert_eq!(answer.header("content-length"), Some(&*length));
    assert!(answer.header("strict-transport-security").is_some());
}

#[tokio::test]
async fn head_is_answered_without_a_body() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    let whole = client.get("/account/balance").await;
    let head = client.ask(request("HEAD", "/account/balance")).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    let length = whole.body.len().to_string();
    assert_eq!(head.header("content-length"), Some(&*length));
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    let with = |hosts: &[&str]| {
        let request = request("GET", "/account/balance");
        let hosts = hosts.iter();
        hosts.fold(request, |request, host| request.header("host", *host))
    };
    for hosts in [&[][..], &["localhost"], &["LOCALHOST"]] {
        assert_eq!(client.ask(with(hosts)).await.status, 200, "{hosts:?}");
    }
    for hosts in [&["other"][..], &["localhost", "localhost"], &[""]] {
        let answer = client.ask(with(hosts)).await;
        answer.assert_error(400, "request");
    }
}

#[tokio::test]
async fn a_host_that_is_not_served_is_refused_by_its_authority() {
    use crate::layers::host::ServedHosts;
    let running = Running::start(|settings| {
        settings.hosts = Some(ServedHosts::new(Vec::new(), None));
    })
    .await;
    let client = running.http2().await;
    let elsewhere = request("GET", "/healthz").uri("https://evil.test/healthz");
    client.ask(elsewhere).await.assert_error(421, "request");
    assert_eq!(client.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn as_many_header_lines_are_taken_as_over_http1() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    let with = |count: usize| {
        let request = request("GET", "/account/balance");
        (0..count).fold(request, |request, _| request.header("x-many", "y"))
    };
    assert_eq!(client.ask(with(HEADERS_MAX - 2)).await.status, 200);
    let one_more = client.ask(with(HEADERS_MAX - 1)).await;
    one_more.assert_error(413, "request");
}

#[tokio::test]
async fn a_large_answer_arrives_whole_through_a_small_window() {
    let running = Running::start(|_| {}).await;
    let whole = running.http2().await.get("/openapi.json").await;
    assert!(whole.body.len() > 100_000);
    for window in [16_384, 65_535] {
        let mut settings = Builder::new();
        settings.initial_window_size(window);
        let client = running.http2_with(&settings).await;
        assert!(client.get("/openapi.json").await.body == whole.body);
    }
}

#[tokio::test]
async fn a_rejected_body_leaves_the_connection_usable() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    let body = " ".repeat(3_000_000);
    let large = request("POST", "/payment/airtime").header("content-length", body.len());
    let answer = Answer::of(client.send(large, &body).await).await;
    // The library may report the reset that follows the answer in place of it.
    match answer {
        Ok(answer) => answer.assert_error(413, "request"),
        Err(error) => assert_eq!(error.reason(), Some(Reason::NO_ERROR)),
    }
    assert_eq!(client.get("/account/balance").await.status, 200);
}
