//! Tests the limits on heads, bodies and connections. Durations are not tested here.

use super::support::{Running, SHORT, closed, get, post_head, receive, send};
use crate::settings::{BODY_BYTES_MAX, HEAD_BYTES_MAX, HEADERS_MAX};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

#[tokio::test]
async fn a_head_beyond_its_limit_is_refused_in_the_envelope() {
    let running = Running::start(|_| {}).await;
    let filler = "x".repeat(HEAD_BYTES_MAX);
    let long = format!("GET /?{filler} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let many = "x-many: y\r\n".repeat(HEADERS_MAX + 1);
    let many = format!("GET / HTTP/1.1\r\n{many}\r\n");
    for request in [long, many] {
        let mut stream = running.tls().await;
        send(&mut stream, request).await;
        receive(&mut stream).await.assert_error(413, "request");
        closed(&mut stream).await;
    }
}

#[tokio::test]
async fn a_body_one_byte_too_large_is_refused_after_it_was_sent() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(BODY_BYTES_MAX + 1, "")).await;
    send(&mut stream, vec![b' '; BODY_BYTES_MAX + 1]).await;
    receive(&mut stream).await.assert_error(413, "request");
}

#[tokio::test]
async fn a_body_far_too_large_is_refused_before_it_is_sent() {
    let running = Running::start(|_| {}).await;
    for extra in ["expect: 100-continue\r\n", ""] {
        let mut stream = running.tls().await;
        send(&mut stream, post_head(1_000_000_000, extra)).await;
        receive(&mut stream).await.assert_error(413, "request");
        closed(&mut stream).await;
    }
}

/// Requests the account's balance, so that the connection counts for the account.
async fn known(running: &Running) -> TlsStream<TcpStream> {
    let mut stream = running.tls().await;
    send(&mut stream, get("/account/balance")).await;
    assert_eq!(receive(&mut stream).await.status, 200);
    stream
}

#[tokio::test]
async fn a_stranger_that_waits_gives_its_place_up_and_an_account_does_not() {
    let running = Running::start(|settings| settings.connections_max = 4).await;
    let mut account = known(&running).await;
    let mut strangers = Vec::new();
    for _ in 0..20 {
        let mut stranger = running.tls().await;
        send(&mut stranger, get("/healthz")).await;
        assert_eq!(receive(&mut stranger).await.status, 200);
        strangers.push(stranger);
    }
    closed(&mut strangers[0]).await;
    send(&mut account, get("/account/balance")).await;
    assert_eq!(receive(&mut account).await.status, 200);
}

#[tokio::test]
async fn a_connection_there_is_no_place_for_is_refused_in_the_envelope() {
    let running = Running::start(|settings| settings.connections_max = 1).await;
    let account = known(&running).await;
    let mut second = running.tls().await;
    send(&mut second, get("/healthz")).await;
    let refused = receive(&mut second).await;
    refused.assert_error(503, "system");
    assert!(
        refused.is_cut() && refused.head.contains("retry-after: 1\r\n"),
        "{}",
        refused.head
    );
    closed(&mut second).await;
    drop(account);
    let again = async || {
        let mut third = running.tls().await;
        send(&mut third, get("/healthz")).await;
        receive(&mut third).await.status
    };
    while again().await != 200 {
        tokio::time::sleep(SHORT / 10).await;
    }
}
