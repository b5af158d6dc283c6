//! Tests how the server starts and stops: its address and its grace period. A shutdown is always
//! requested here, never simulated by dropping the server.

use super::support::{Running, SHORT, closed, get, receive, send, start_payment};
use crate::serve::{HttpServer, ServeError, ServeSummary, TlsMaterial};
use crate::settings::EdgeSettings;
use std::time::Duration;
use tokio::net::TcpStream;

#[tokio::test]
async fn a_shutdown_closes_idle_connections_and_takes_no_more() {
    let running = Running::start(|settings| settings.linger = SHORT).await;
    let mut idle = running.tls().await;
    send(&mut idle, get("/healthz")).await;
    receive(&mut idle).await;
    let mut fresh = running.tls().await;
    let mut silent = running.plain().await;
    running.stop.cancel();
    closed(&mut idle).await;
    closed(&mut fresh).await;
    closed(&mut silent).await;
    assert_eq!(running.served.await.unwrap(), ServeSummary::Finished);
    assert!(TcpStream::connect(running.address).await.is_err());
}

#[tokio::test]
async fn a_request_that_was_on_its_way_when_a_shutdown_began_is_answered_and_the_last() {
    let running = Running::start(|_| {}).await;
    let (mut used, mut fresh) = (running.tls().await, running.tls().await);
    send(&mut used, get("/healthz")).await;
    receive(&mut used).await;
    running.stop.cancel();
    // Once connections are refused the shutdown has begun.
    while TcpStream::connect(running.address).await.is_ok() {}
    for stream in [&mut used, &mut fresh] {
        send(stream, get("/healthz")).await;
        let received = receive(stream).await;
        assert_eq!((received.status, received.is_cut()), (200, true));
        closed(stream).await;
    }
    assert_eq!(running.served.await.unwrap(), ServeSummary::Finished);
}

#[tokio::test]
async fn a_request_in_flight_is_answered_before_the_shutdown_ends() {
    let running = Running::start(|_| {}).await;
    let mut stream = start_payment(&running).await;
    running.stop.cancel();
    running.world.clock.advance(Duration::from_secs(20)).await;
    let received = receive(&mut stream).await;
    assert_eq!((received.status, received.is_cut()), (202, true));
    assert_eq!(running.served.await.unwrap(), ServeSummary::Finished);
}

#[tokio::test]
async fn a_request_that_outlasts_the_grace_period_is_cut() {
    let running = Running::start(|settings| settings.grace = SHORT).await;
    let mut stream = start_payment(&running).await;
    running.stop.cancel();
    assert_eq!(running.served.await.unwrap(), ServeSummary::Cut(1));
    closed(&mut stream).await;
}

#[tokio::test]
async fn an_address_in_use_is_named() {
    let running = Running::start(|_| {}).await;
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let tls = TlsMaterial::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let gateway = running.world.gateway.clone();
    let second = HttpServer::bind(running.address, tls, gateway, EdgeSettings::new(0)).await;
    let error = second.unwrap_err();
    assert!(matches!(error, ServeError::Listen { .. }));
    assert!(error.to_string().contains(&running.address.to_string()));
}
