//! Tests requests and answers on one encrypted connection, in their order. No limit is reached and
//! no deadline passes here.

use super::support::{Running, SHORT, get, post_head, receive, receive_head, send};
use crate::testing::authorization;
use tokio::io::AsyncReadExt;

#[tokio::test]
async fn requests_follow_one_another_on_one_connection() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    for _ in 0..3 {
        send(&mut stream, get("/account/balance")).await;
        let received = receive(&mut stream).await;
        assert_eq!(received.status, 200);
        assert_eq!(received.json["accBalance"], "10,000.00");
    }
    // Two requests sent at once are answered in their order.
    let both = get("/account/balance") + &get("/nothing");
    send(&mut stream, both).await;
    assert_eq!(receive(&mut stream).await.status, 200);
    assert_eq!(receive(&mut stream).await.status, 404);
}

#[tokio::test]
async fn head_is_answered_without_a_body_and_the_next_request_with_one() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    let head = get("/account/balance").replace("GET", "HEAD");
    send(&mut stream, head + &get("/nothing")).await;
    let head = receive_head(&mut stream).await;
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert!(!head.contains("content-length: 0\r\n"), "{head}");
    assert_eq!(receive(&mut stream).await.status, 404);
}

#[tokio::test]
async fn a_rejected_request_leaves_the_connection_usable() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    let stranger = post_head(2, "").replace("Basic", "Bearer");
    send(&mut stream, stranger).await;
    // A client that is still sending would lose an answer that arrived with the end of the
    // connection.
    let early = tokio::time::timeout(SHORT, stream.read_u8()).await;
    assert!(early.is_err(), "the answer came before the body");
    send(&mut stream, "{}").await;
    receive(&mut stream).await.assert_error(401, "request");
    send(&mut stream, get("/account/balance")).await;
    assert_eq!(receive(&mut stream).await.status, 200);
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let running = Running::start(|_| {}).await;
    let authorization = authorization("shop");
    let request = |version: &str, hosts: &str| {
        format!(
            "GET /account/balance HTTP/{version}\r\n{hosts}authorization: {authorization}\r\n\r\n"
        )
    };
    for hosts in ["", "host: a\r\nhost: b\r\n", "host: a\r\nhost: a\r\n"] {
        let mut stream = running.tls().await;
        send(&mut stream, request("1.1", hosts)).await;
        receive(&mut stream).await.assert_error(400, "request");
    }
    for (version, hosts) in [("1.0", ""), ("1.1", "host: a\r\n")] {
        let mut stream = running.tls().await;
        send(&mut stream, request(version, hosts)).await;
        assert_eq!(receive(&mut stream).await.status, 200, "{version}");
    }
}

#[tokio::test]
async fn a_client_that_waits_for_100_continue_receives_it() {
    let running = Running::start(|_| {}).await;
    let mut stream = running.tls().await;
    send(&mut stream, post_head(2, "expect: 100-continue\r\n")).await;
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).await.unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    send(&mut stream, "{}").await;
    let received = receive(&mut stream).await;
    assert_eq!(received.status, 400);
    assert!(received.json["errors"]["params"].is_object());
}
