//! Tests that slow clients are cut, and no others. Each test shortens the deadlines it is about and
//! never the others.

use super::support::{Running, SHORT, closed, get, post_head, receive, send, start_payment};
use std::time::Duration;
use tokio::io::AsyncReadExt;

#[tokio::test]
async fn a_body_that_stops_coming_is_answered_and_cut() {
    let running = Running::start(|settings| settings.body_timeout = SHORT).await;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(100, "") + "{").await;
    let received = receive(&mut stream).await;
    received.assert_error(408, "request");
    assert!(received.is_cut());
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_head_that_stalls_is_answered_and_cut() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    let mut encrypted = running.tls().await;
    send(&mut encrypted, "GET / HT").await;
    let received = receive(&mut encrypted).await;
    received.assert_error(408, "request");
    assert!(received.is_cut());
    closed(&mut encrypted).await;
    let mut clear = running.plain().await;
    send(&mut clear, "GET / HT").await;
    receive(&mut clear).await.assert_error(408, "request");
    closed(&mut clear).await;
}

#[tokio::test]
async fn a_second_head_that_stalls_is_answered_and_cut() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    let mut stream = running.tls().await;
    send(&mut stream, get("/healthz")).await;
    assert_eq!(receive(&mut stream).await.status, 200);
    send(&mut stream, "GET /he").await;
    receive(&mut stream).await.assert_error(408, "request");
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_connection_that_asks_nothing_is_cut_without_an_answer() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    let mut stream = running.tls().await;
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_connection_without_a_next_request_is_closed() {
    let running = Running::start(|settings| settings.idle_timeout = SHORT).await;
    let mut stream = running.tls().await;
    for _ in 0..2 {
        send(&mut stream, get("/healthz")).await;
        assert_eq!(receive(&mut stream).await.status, 200);
    }
    closed(&mut stream).await;
}

#[tokio::test]
async fn a_request_that_takes_long_to_answer_is_not_cut() {
    let running = Running::start(|settings| {
        settings.head_timeout = SHORT;
        settings.idle_timeout = SHORT;
    })
    .await;
    let mut stream = start_payment(&running).await;
    let early = tokio::time::timeout(2 * SHORT, stream.read_u8()).await;
    assert!(early.is_err(), "the connection was cut");
    running.world.clock.advance(Duration::from_secs(20)).await;
    assert_eq!(receive(&mut stream).await.status, 202);
}

#[tokio::test]
async fn a_connection_that_says_nothing_or_never_finishes_its_handshake_is_cut() {
    let running = Running::start(|settings| settings.tls_timeout = SHORT).await;
    let mut silent = running.plain().await;
    closed(&mut silent).await;
    let mut half = running.plain().await;
    send(&mut half, [0x16, 0x03, 0x01]).await;
    closed(&mut half).await;
}

#[tokio::test]
async fn handshakes_that_stall_hold_up_no_other() {
    let running = Running::start(|_| ()).await;
    let mut stalled = Vec::new();
    for _ in 0..64 {
        let mut half = running.half_tls().await;
        // The answer to its first flight: the server waits for the client now.
        half.read_u8().await.unwrap();
        stalled.push(half);
    }
    let mut stream = running.tls().await;
    send(&mut stream, get("/account/balance")).await;
    assert_eq!(receive(&mut stream).await.status, 200);
}
