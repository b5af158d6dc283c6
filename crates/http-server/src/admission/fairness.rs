//! Tests how much one account or one address may take from the others, through the whole edge. The
//! clock moves only when a test moves it.

use crate::layers::bucket::Quota;
use crate::layers::client_address::Peer;
use crate::layers::security_headers::TransportSecurity;
use crate::testing::{CLIENT, RouteTestWorld, bare, get, request_of};
use std::num::NonZeroU32;
use std::time::Duration;

const BALANCE: &str = "/account/balance";

/// The number of reads one account may have in flight.
const READS_AT_ONCE: usize = 16;

#[tokio::test]
async fn an_answer_that_is_not_taken_keeps_the_turn_of_its_account_and_of_no_other() {
    let world = RouteTestWorld::new().await;
    let ask = async |account: &str| {
        let request = bare(request_of(account, "GET", BALANCE));
        let peer = Peer {
            address: CLIENT,
            transport: TransportSecurity::Tls,
        };
        world.edge.answer_over(peer, None, request).await
    };
    let mut not_taken = Vec::new();
    for _ in 0..READS_AT_ONCE {
        not_taken.push(ask("shop").await);
    }
    let mut next = Box::pin(ask("shop"));
    let early = tokio::time::timeout(Duration::from_millis(100), next.as_mut()).await;
    assert!(early.is_err(), "a read more was answered");
    assert_eq!(ask("other").await.response.status(), 200);
    drop(not_taken.pop());
    assert_eq!(next.await.response.status(), 200);
}

#[tokio::test]
async fn a_source_that_tries_many_identities_is_not_read_for_and_known_accounts_go_on() {
    let world = RouteTestWorld::new().await;
    assert_eq!(world.send(get(BALANCE)).await.status, 200);
    let tries = async |number: u32| {
        let identity = format!("nobody-{number}");
        let request = request_of(&identity, "GET", BALANCE);
        world.send(bare(request)).await.status
    };
    for number in 0..300 {
        assert_eq!(tries(number).await, 401, "{number}");
    }
    assert_eq!(tries(300).await, 429);
    assert_eq!(world.send(get(BALANCE)).await.status, 200);
    let unread = world.send(bare(request_of("other", "GET", BALANCE))).await;
    assert_eq!((unread.status, unread.header("retry-after")), (429, "1"));
    world.clock.advance(Duration::from_millis(200)).await;
    let read = world.send(bare(request_of("other", "GET", BALANCE))).await;
    assert_eq!(read.status, 200);
}

#[tokio::test]
async fn an_account_that_goes_on_after_sixty_refusals_is_refused_with_a_pause() {
    let world = RouteTestWorld::with(|settings| {
        let three = NonZeroU32::new(3).unwrap();
        settings.limits.reads = Quota::per_minute(three);
    })
    .await;
    let mut refused = 0;
    while refused < 60 {
        refused += u32::from(world.send(get(BALANCE)).await.status == 429);
    }
    let mut slow = Box::pin(world.send(get(BALANCE)));
    let early = tokio::time::timeout(Duration::from_millis(100), slow.as_mut()).await;
    assert!(early.is_err(), "it was refused at once");
    let (slow, ()) = tokio::join!(slow, world.clock.advance(Duration::from_millis(500)));
    assert_eq!(slow.status, 429);
    let other = bare(request_of("other", "GET", BALANCE));
    assert_eq!(world.send(other).await.status, 200);
}
