//! Tests that requests take slots over HTTP/2 as they do over HTTP/1.1. Slots must come back.

use super::super::support::{Running, SHORT};
use super::client::request;
use super::frames::{HEADERS, bodiless, get, reset};

#[tokio::test]
async fn a_request_there_is_no_slot_for_is_refused_and_the_connection_stays() {
    // A quarter of them is for one address.
    let running = Running::start(|settings| settings.connections_max = 8).await;
    let mut frames = running.frames(&[]).await;
    let three = [1, 3, 5].map(bodiless).concat();
    assert!(frames.writer.write(&three).await);
    // Two wait for their bodies, and one is refused.
    let refused = frames.reader.until(|frame| frame.kind == HEADERS).await;
    assert_eq!(refused.unwrap().stream, 5);
    assert!(frames.writer.write(&reset(3)).await);
    // A slot is given back with its request.
    let mut stream = 7;
    loop {
        let get = get(stream, "/account/balance");
        assert!(frames.writer.write(&get).await);
        let answer = frames.reader.until(|frame| frame.kind == HEADERS).await;
        if answer.unwrap().is_ok(stream) {
            break;
        }
        stream += 2;
        tokio::time::sleep(SHORT / 10).await;
    }
}

#[tokio::test]
async fn a_connection_there_is_no_slot_for_is_refused_in_the_envelope() {
    let running = Running::start(|settings| settings.connections_max = 1).await;
    let account = running.http2().await;
    assert_eq!(account.get("/account/balance").await.status, 200);
    let second = running.http2().await;
    // GOAWAY would have arrived by now if it were not to ask.
    tokio::time::sleep(SHORT).await;
    let refused = second.ask(request("GET", "/healthz")).await;
    refused.assert_error(503, "system");
    assert_eq!(refused.header("retry-after"), Some("1"));
    second.closed().await.unwrap();
    assert_eq!(account.get("/account/balance").await.status, 200);
}
