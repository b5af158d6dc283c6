//! Connections that are used again. One that may be stale must not cost a payment.

use crate::server::{ExchangeWorld, OK, ServerStep, say};
use std::time::Duration;
use tokio::time::sleep;

/// What a server did must have reached the client's machine, which is this one.
const ARRIVAL: Duration = Duration::from_millis(50);

#[tokio::test]
async fn one_connection_serves_one_request_after_the_other() {
    let world = ExchangeWorld::with(vec![vec![
        ServerStep::Read,
        say(OK),
        ServerStep::Read,
        say(OK),
        ServerStep::Hang,
    ]])
    .await;
    for _ in 0..2 {
        assert_eq!(&world.submit().await.unwrap().body[..], b"ok");
    }
    assert_eq!(world.server.connections(), 1);
}

#[tokio::test]
async fn a_connection_that_waited_too_long_is_not_used_again() {
    let world =
        ExchangeWorld::with(vec![vec![ServerStep::Read, say(OK), ServerStep::ReadToEnd]]).await;
    world.submit().await.unwrap();
    world.clock.advance(Duration::from_secs(10)).await;
    world.submit().await.unwrap();
    assert_eq!(world.server.connections(), 2);
    world.server.ended(1).await;
}

#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_is_replaced_before_anything_is_written() {
    for closed_by in [
        vec![ServerStep::Read, say(OK)],
        vec![
            ServerStep::Read,
            say(OK),
            ServerStep::Pause,
            ServerStep::Reset,
        ],
        vec![
            ServerStep::Read,
            say(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"),
        ],
    ] {
        let world = ExchangeWorld::with(vec![closed_by]).await;
        for connections in 1..=3 {
            assert_eq!(&world.submit().await.unwrap().body[..], b"ok");
            world.server.ended(connections).await;
            sleep(ARRIVAL).await;
            assert_eq!(world.server.connections(), connections);
        }
        for received in world.server.received() {
            assert_eq!(received.matches("POST").count(), 1);
        }
    }
}

/// The end of one answer must not be taken for the next one.
#[tokio::test]
async fn a_connection_on_which_more_arrived_than_was_asked_for_is_not_used_again() {
    let other = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother";
    let script = vec![ServerStep::Read, say(OK), say(other), ServerStep::ReadToEnd];
    let world = ExchangeWorld::with(vec![script]).await;
    for connections in 1..=2 {
        assert_eq!(&world.submit().await.unwrap().body[..], b"ok");
        sleep(ARRIVAL).await;
        assert_eq!(world.server.connections(), connections);
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_is_not_followed_by_another_request_on_its_connection() {
    let too_large = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";
    let world = ExchangeWorld::with(vec![
        vec![ServerStep::Read, say(too_large), ServerStep::ReadToEnd],
        vec![ServerStep::Read, say(OK), ServerStep::Hang],
    ])
    .await;
    world.submit().await.unwrap_err();
    assert_eq!(&world.submit().await.unwrap().body[..], b"ok");
    assert_eq!(world.server.connections(), 2);
}
