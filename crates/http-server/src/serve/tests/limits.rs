//! What is too much is refused or waits: heads, bodies, connections. How long anything may take is
//! not asked here.

use super::support::{Running, SHORT, closed, get, post_head, receive, send};
use crate::settings::{BODY_BYTES_MAX, HEAD_BYTES_MAX, HEADERS_MAX};

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

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_their_turn() {
    let running = Running::start(|settings| settings.connections_max = 1).await;
    let mut first = running.tls().await;
    send(&mut first, get("/healthz")).await;
    receive(&mut first).await;
    let mut second = std::pin::pin!(running.tls());
    let early = tokio::time::timeout(SHORT, second.as_mut()).await;
    assert!(early.is_err(), "the second connection did not wait");
    drop(first);
    let mut second = second.await;
    send(&mut second, get("/healthz")).await;
    assert_eq!(receive(&mut second).await.status, 200);
}
