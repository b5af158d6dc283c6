//! The permit to send: asked for when the connection stands, used right before the write.

use crate::server::{DEADLINE, ExchangeWorld, OK, ServerStep, request, say};
use async_trait::async_trait;
use domain::provider::SubmitOutcome;
use outbound_http::{ExchangeError, NotSentCause};
use ports::clock::Clock;
use ports::permit::{Granted, PERMIT_VALID, SendPermit, Withheld};
use std::sync::Arc;
use std::time::Duration;
use testkit::clock::ManualClock;
use testkit::permit::FixedPermit;
use tokio::sync::Semaphore;

async fn nothing_arrives(permit: &dyn SendPermit) -> ExchangeError {
    let world = ExchangeWorld::with(vec![vec![ServerStep::ReadToEnd]]).await;
    let sent = world.client.submit(request(), DEADLINE, permit).await;
    let error = sent.unwrap_err();
    assert_eq!(error.submit_outcome(), SubmitOutcome::NotSent);
    world.server.ended(1).await;
    assert_eq!(world.server.received(), [""]);
    error
}

#[tokio::test]
async fn where_the_permit_is_withheld_not_a_byte_arrives() {
    for why in [
        Withheld::BudgetSpent,
        Withheld::TakenOver,
        Withheld::Unconfirmed,
    ] {
        let error = nothing_arrives(&FixedPermit::withheld(why)).await;
        let ExchangeError::NotSent(NotSentCause::Withheld(shown)) = error else {
            panic!("{error:?}");
        };
        assert_eq!(shown, why);
    }
}

#[tokio::test]
async fn where_the_permit_has_ended_not_a_byte_arrives() {
    let error = nothing_arrives(&FixedPermit::granted_too_late()).await;
    let ended = ExchangeError::NotSent(NotSentCause::Withheld(Withheld::Ended));
    assert_eq!(format!("{error:?}"), format!("{ended:?}"));
}

/// A permit that is decided when a test says so.
#[derive(Debug)]
struct SlowPermit {
    clock: Arc<ManualClock>,
    asked: Semaphore,
    decided: Semaphore,
}

impl SlowPermit {
    fn new() -> Self {
        Self {
            clock: ManualClock::start(),
            asked: Semaphore::new(0),
            decided: Semaphore::new(0),
        }
    }
}

#[async_trait]
impl SendPermit for SlowPermit {
    async fn ask(&self) -> Result<Granted, Withheld> {
        self.asked.add_permits(1);
        let _decided = self.decided.acquire().await.unwrap();
        let until = self.clock.uptime().saturating_add(PERMIT_VALID);
        Ok(Granted::until(self.clock.clone(), until))
    }
}

#[tokio::test]
async fn a_permit_that_is_not_decided_in_time_sends_nothing() {
    let error = nothing_arrives(&SlowPermit::new()).await;
    let in_time = matches!(error, ExchangeError::NotSent(NotSentCause::TimedOut));
    assert!(in_time, "{error:?}");
}

#[tokio::test]
async fn the_permit_is_asked_for_once_the_connection_stands_and_before_the_first_byte() {
    let world = ExchangeWorld::with(vec![vec![ServerStep::Read, say(OK)]]).await;
    let permit = SlowPermit::new();
    let deciding = async {
        let _asked = permit.asked.acquire().await.unwrap();
        assert_eq!(
            world.server.received(),
            [""],
            "it stands, and carries nothing"
        );
        // Bytes that were on their way would arrive meanwhile.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(world.server.received(), [""]);
        permit.decided.add_permits(1);
    };
    let sending = world.client.submit(request(), DEADLINE, &permit);
    let (answer, ()) = tokio::join!(sending, deciding);
    assert_eq!(&answer.unwrap().body[..], b"ok");
}

#[tokio::test]
async fn a_connection_that_closes_while_the_permit_is_decided_is_replaced_under_a_new_permit() {
    let closes = vec![ServerStep::Read, say(OK), ServerStep::Pause];
    let serves = vec![ServerStep::Read, say(OK), ServerStep::Hang];
    let world = ExchangeWorld::with(vec![closes, serves]).await;
    world.submit().await.unwrap();
    let permit = SlowPermit::new();
    let deciding = async {
        permit.asked.acquire().await.unwrap().forget();
        assert_eq!(world.server.connections(), 1);
        world.server.ended(1).await;
        // The close must have reached the client, which is on this machine.
        tokio::time::sleep(Duration::from_millis(50)).await;
        permit.decided.add_permits(1);
        let asked_again = tokio::time::timeout(DEADLINE, permit.asked.acquire()).await;
        asked_again.unwrap().unwrap().forget();
    };
    let sending = world.client.submit(request(), DEADLINE, &permit);
    let (answer, ()) = tokio::join!(sending, deciding);
    assert_eq!(&answer.unwrap().body[..], b"ok");
    assert_eq!(world.server.connections(), 2);
    for received in world.server.received() {
        assert_eq!(received.matches("POST").count(), 1);
    }
}

#[tokio::test]
async fn a_question_needs_no_permit() {
    let world = ExchangeWorld::answering(OK).await;
    assert_eq!(&world.ask().await.unwrap().body[..], b"ok");
}
