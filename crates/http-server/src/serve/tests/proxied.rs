//! Tests requests that a proxy forwards over an unencrypted connection. Nothing may be served here
//! unless the operator named the proxy and the proxy reports that its client used encryption.

use super::support::{Running, closed, get, receive, send};

fn passed_on(scheme: &str) -> String {
    let forwarded = format!("x-forwarded-proto: {scheme}\r\nx-forwarded-for: 192.0.2.7\r\n\r\n");
    get("/account/balance").replacen("\r\n\r\n", &format!("\r\n{forwarded}"), 1)
}

#[tokio::test]
async fn a_trusted_proxy_may_speak_in_the_clear_for_clients_that_did_not() {
    let trusting = Running::start(|settings| {
        settings.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap()];
    })
    .await;
    let mut stream = trusting.plain().await;
    // One connection carries the requests of many clients.
    for (scheme, status) in [("https", 200), ("http", 403), ("https", 200)] {
        send(&mut stream, passed_on(scheme)).await;
        let received = receive(&mut stream).await;
        assert_eq!(received.status, status, "{scheme}: {}", received.json);
        let asks_for_encryption = received.head.contains("strict-transport-security");
        assert_eq!(asks_for_encryption, scheme == "https");
    }
    send(&mut stream, get("/account/balance")).await;
    receive(&mut stream).await.assert_error(403, "request");
}

#[tokio::test]
async fn only_a_trusted_proxy_is_believed() {
    let running = Running::start(|settings| {
        settings.trusted_proxies = vec!["192.0.2.0/24".parse().unwrap()];
    })
    .await;
    let mut plain = running.plain().await;
    send(&mut plain, passed_on("https")).await;
    receive(&mut plain).await.assert_error(403, "request");
    closed(&mut plain).await;
    let mut encrypted = running.tls().await;
    send(&mut encrypted, passed_on("http")).await;
    assert_eq!(receive(&mut encrypted).await.status, 200);
}
