//! Tests that unencrypted requests, and bytes that are not HTTP, are refused in the envelope.
//! Nothing here may be served.

use super::support::{Running, closed, get, post_head, receive, send};

#[tokio::test]
async fn a_request_in_the_clear_is_refused_and_the_connection_ends() {
    let running = Running::start(|_| {}).await;
    for request in [get("/account/balance"), post_head(2, "") + "{}"] {
        let mut stream = running.plain().await;
        send(&mut stream, request).await;
        let received = receive(&mut stream).await;
        received.assert_error(403, "request");
        assert!(!received.head.contains("strict-transport-security"));
        closed(&mut stream).await;
    }
}

#[tokio::test]
async fn what_is_not_http_is_refused_in_the_envelope() {
    let running = Running::start(|_| {}).await;
    let mut plain = running.plain().await;
    send(&mut plain, "hello\r\n\r\n").await;
    receive(&mut plain).await.assert_error(400, "request");
    closed(&mut plain).await;
    let mut tls = running.tls().await;
    send(&mut tls, "GET / HTTP/9.9\r\n\r\n").await;
    receive(&mut tls).await.assert_error(400, "request");
    closed(&mut tls).await;
}
