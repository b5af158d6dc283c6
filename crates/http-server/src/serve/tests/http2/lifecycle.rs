//! Tests how an HTTP/2 connection ends: idle, unused, and at a shutdown. A client must be able to
//! know which of its requests were answered.

use super::super::support::{Running, SHORT};
use super::client::Answer;
use super::frames::{END_HEADERS, GOAWAY, HEADERS, frame, head};
use crate::serve::ServeSummary;
use std::time::Duration;
use tokio::net::TcpStream;

#[tokio::test]
async fn a_connection_without_a_next_request_is_closed_with_goaway() {
    let running = Running::start(|settings| settings.idle_timeout = SHORT).await;
    let client = running.http2().await;
    for _ in 0..2 {
        assert_eq!(client.get("/account/balance").await.status, 200);
    }
    client.closed().await.unwrap();
}

#[tokio::test]
async fn a_connection_that_asks_nothing_is_closed() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    running.http2().await.closed().await.unwrap();
    // Neither does a head that stalls keep it, nor a preface that does not come.
    let mut frames = running.frames(&[]).await;
    let half = frame(HEADERS, 0, 1, &head("GET", "/healthz"));
    assert!(frames.writer.write(&half).await);
    frames.reader.ended().await;
    let mut silent = running.tls_for(&["h2"]).await;
    while tokio::io::AsyncReadExt::read_u8(&mut silent).await.is_ok() {}
}

#[tokio::test]
async fn a_client_that_answers_no_goaway_is_cut_all_the_same() {
    let running = Running::start(|settings| settings.head_timeout = SHORT).await;
    let mut frames = running.frames(&[]).await;
    assert_eq!(frames.reader.ended().await, Some(0));
}

#[tokio::test]
async fn a_request_that_takes_long_to_answer_is_not_cut() {
    let running = Running::start(|settings| {
        settings.head_timeout = SHORT;
        settings.idle_timeout = SHORT;
        settings.write_timeout = SHORT;
    })
    .await;
    let client = running.http2().await;
    let pending = client.pay("order-1").await;
    running.world.clock.until_sleepers(2).await;
    tokio::time::sleep(3 * SHORT).await;
    running.world.clock.advance(Duration::from_secs(20)).await;
    assert_eq!(Answer::of(pending).await.unwrap().status, 202);
}

#[tokio::test]
async fn a_body_that_stops_coming_is_answered_and_reset() {
    let running = Running::start(|settings| settings.body_timeout = SHORT).await;
    let mut frames = running.frames(&[]).await;
    let post = frame(HEADERS, END_HEADERS, 1, &head("POST", "/payment/airtime"));
    assert!(frames.writer.write(&post).await);
    let answer = frames.reader.until(|frame| frame.kind == HEADERS);
    assert!(answer.await.is_some());
    assert!(
        frames
            .reader
            .until(|frame| frame.is_reset(1, 0))
            .await
            .is_some()
    );
}

#[tokio::test]
async fn a_shutdown_answers_what_is_under_way_and_closes_with_goaway() {
    let running = Running::start(|_| {}).await;
    let client = running.http2().await;
    let pending = client.pay("order-1").await;
    running.world.clock.until_sleepers(2).await;
    let idle = running.http2().await;
    assert_eq!(idle.get("/healthz").await.status, 200);
    running.stop.cancel();
    idle.closed().await.unwrap();
    running.world.clock.advance(Duration::from_secs(20)).await;
    let answer = Answer::of(pending).await.unwrap();
    assert_eq!((answer.status, answer.header("connection")), (202, None));
    client.closed().await.unwrap();
    assert_eq!(running.served.await.unwrap(), ServeSummary::Finished);
}

#[tokio::test]
async fn a_client_that_had_connected_before_a_shutdown_is_answered_once() {
    let running = Running::start(|_| {}).await;
    let fresh = running.http2().await;
    running.stop.cancel();
    while TcpStream::connect(running.address).await.is_ok() {}
    // GOAWAY would have arrived by now if it were not to ask.
    tokio::time::sleep(SHORT).await;
    assert_eq!(fresh.get("/healthz").await.status, 200);
    fresh.closed().await.unwrap();
    assert_eq!(running.served.await.unwrap(), ServeSummary::Finished);
}

#[tokio::test]
async fn a_shutdown_waits_for_no_client_that_says_nothing() {
    let running = Running::start(|settings| settings.linger = SHORT).await;
    let mut frames = running.frames(&[]).await;
    running.stop.cancel();
    let goaway = frames.reader.until(|frame| frame.kind == GOAWAY).await;
    assert_eq!(goaway.unwrap().code(4), 0);
    assert_eq!(running.served.await.unwrap(), ServeSummary::Finished);
}

#[tokio::test]
async fn a_request_that_outlasts_the_grace_period_is_cut() {
    let running = Running::start(|settings| settings.grace = SHORT).await;
    let client = running.http2().await;
    let pending = client.pay("order-1").await;
    running.world.clock.until_sleepers(2).await;
    running.stop.cancel();
    assert_eq!(running.served.await.unwrap(), ServeSummary::Cut(1));
    assert!(Answer::of(pending).await.is_err());
}
