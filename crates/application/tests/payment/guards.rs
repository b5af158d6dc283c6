//! What stands between the flow and a provider: limits, the spacing of equal orders, and the
//! circuit breaker. What finds no place is never sent, and no order is lost by it.

use super::support::provider::ExposedProvider;
use super::support::request::Request;
use super::support::{BALANCE, World, seconds};
use application::providers::Providers;
use application::submission_guard::{BreakerLimits, GuardSettings};
use application::{Gateway, RequestError};
use domain::order::Service;
use domain::provider::{AbsencePolicy, RefusalKind, UnknownCause};
use domain::transaction::{AttemptNumber, Evidence, PassedOverReason, State, Status};
use ports::provider_limits::ProviderLimits;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::provider_id;
use testkit::provider::{ScriptedProvider, ScriptedReply};

const BREAKER: GuardSettings = GuardSettings {
    limits: ProviderLimits::NONE,
    breaker: Some(BreakerLimits {
        failures: 3,
        of_last: 5,
        open_for: Duration::from_mins(5),
        trials: 1,
    }),
    tranche: None,
};

const fn limits(limits: ProviderLimits) -> GuardSettings {
    GuardSettings {
        limits,
        breaker: None,
        tranche: None,
    }
}

const ONE_AT_A_TIME: GuardSettings = limits(ProviderLimits {
    max_concurrent: NonZeroU32::new(1),
    ..ProviderLimits::NONE
});

const SPACED: GuardSettings = limits(ProviderLimits {
    lookalike: Some(Duration::from_mins(2)),
    ..ProviderLimits::NONE
});

/// A gateway whose first provider is guarded, with or without a second one.
struct GuardedWorld {
    world: World,
    other: Arc<ScriptedProvider>,
    gateway: Gateway,
}

impl GuardedWorld {
    async fn alone(settings: GuardSettings) -> Self {
        Self::new(settings, false).await
    }

    async fn beside_another(settings: GuardSettings) -> Self {
        Self::new(settings, true).await
    }

    async fn new(settings: GuardSettings, has_other: bool) -> Self {
        let world = World::new().await;
        let clock = world.clock.clone();
        let other = ScriptedProvider::named("other", AbsencePolicy::CAUTIOUS, clock.clone());
        let other = Arc::new(other);
        let exposed = (world.exposed.store.clone(), clock);
        let second = ExposedProvider::new(other.clone(), world.faults.clone(), exposed);
        let gateway = world.gateway_with(|parts| {
            let mut routes: Vec<(Service, Arc<dyn ports::provider::Provider>)> = Vec::new();
            for service in Service::delivered() {
                routes.push((service, world.network.clone()));
                if has_other {
                    routes.push((service, second.clone()));
                }
            }
            let guards = BTreeMap::from([(provider_id("sandbox"), settings)]);
            parts.providers = Providers::new(routes).guarded_by(guards);
        });
        Self {
            world,
            other,
            gateway,
        }
    }

    /// What a purchase comes to while the merchant waits.
    async fn buy(&self, reference: &str) -> Result<Status, RequestError> {
        let request = Request::buy(&self.gateway, reference);
        self.world.pass(seconds(25)).await;
        let answer = request.answer().await;
        answer.map(|result| result.transaction.status())
    }

    fn given(&self) -> [usize; 2] {
        [&self.world.provider, &self.other].map(|it| it.submissions().len())
    }

    /// Opens the breaker of the first provider by refusals that are its own fault.
    async fn fails(&self, times: usize) {
        for number in 0..times {
            let refused = ScriptedReply::decline_for(RefusalKind::Account);
            self.world.provider.on_submit(refused);
            self.buy(&format!("failing-{number}")).await.unwrap();
        }
    }
}

fn is_unavailable(refused: &Result<Status, RequestError>) -> bool {
    matches!(
        refused,
        Err(RequestError::ProviderUnavailable(Service::Airtime))
    )
}

#[tokio::test]
async fn an_open_breaker_passes_the_provider_over_until_a_trial_succeeds() {
    let it = GuardedWorld::beside_another(BREAKER).await;
    it.fails(3).await;
    assert_eq!(it.given(), [3, 3]);
    assert_eq!(it.buy("order-1").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [3, 4]);
    let tx = it.world.stored("order-1").await;
    let route = tx.prepared.route_of(AttemptNumber::FIRST).unwrap();
    assert_eq!(route.passed_over[0].reason, PassedOverReason::BreakerOpen);
    // Setting the clock moves nothing: the time it is open is measured by the uptime.
    it.world.wall.set_forward(Duration::from_hours(1));
    assert_eq!(it.buy("order-2").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [3, 5]);
    it.world.pass(seconds(300)).await;
    assert_eq!(it.buy("order-3").await.unwrap(), Status::Successful);
    assert_eq!(it.buy("order-4").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [5, 5]);
}

#[tokio::test]
async fn without_another_provider_an_open_breaker_refuses_before_anything_is_opened() {
    let it = GuardedWorld::alone(BREAKER).await;
    it.fails(3).await;
    assert!(is_unavailable(&it.buy("order-1").await));
    assert!(it.world.stores.read("shop", "order-1").await.is_none());
    assert_eq!(it.world.wallet().await, (BALANCE, 0));
    it.world.pass(seconds(300)).await;
    assert_eq!(it.buy("order-1").await.unwrap(), Status::Successful);
    it.world.is_right().await;
}

#[tokio::test]
async fn a_provider_that_does_not_answer_opens_its_breaker_and_refusals_of_orders_do_not() {
    let it = GuardedWorld::alone(BREAKER).await;
    for number in 0..6 {
        let refused = ScriptedReply::decline_for(RefusalKind::Order);
        it.world.provider.on_submit(refused);
        let bought = it.buy(&format!("refused-{number}")).await;
        assert_eq!(bought.unwrap(), Status::Failed);
    }
    for number in 0..3 {
        let silent = ScriptedReply::request_lost(UnknownCause::Timeout);
        it.world.provider.on_submit(silent);
        let bought = it.buy(&format!("silent-{number}")).await;
        assert_eq!(bought.unwrap(), Status::Pending);
    }
    assert!(is_unavailable(&it.buy("order-1").await));
    it.world.is_right().await;
}

#[tokio::test]
async fn a_provider_that_flaps_is_given_one_trial_each_time() {
    let it = GuardedWorld::alone(BREAKER).await;
    it.fails(3).await;
    for round in 0..5 {
        it.world.pass(seconds(300)).await;
        let refused = ScriptedReply::decline_for(RefusalKind::Account);
        it.world.provider.on_submit(refused);
        let trial = it.buy(&format!("trial-{round}")).await;
        assert_eq!(trial.unwrap(), Status::Failed);
        assert!(is_unavailable(&it.buy(&format!("after-{round}")).await));
    }
    assert_eq!(it.given()[0], 3 + 5);
    it.world.is_right().await;
}

#[tokio::test]
async fn what_finds_no_place_goes_to_another_provider_or_is_refused() {
    for (has_other, given) in [(true, [1, 1]), (false, [1, 0])] {
        let it = GuardedWorld::new(ONE_AT_A_TIME, has_other).await;
        it.world
            .provider
            .on_submit(ScriptedReply::deliver().after(seconds(10)));
        let slow = Request::buy(&it.gateway, "slow");
        it.world.pass(seconds(1)).await;
        let second = Request::buy(&it.gateway, "second");
        it.world.pass(seconds(15)).await;
        let second = second.answer().await;
        assert_eq!(second.is_ok(), has_other);
        let slow = slow.answer().await.unwrap();
        assert_eq!(slow.transaction.status(), Status::Successful);
        assert_eq!(it.given(), given);
        // The place is free again.
        assert_eq!(it.buy("third").await.unwrap(), Status::Successful);
        assert_eq!(it.given()[0], 2);
        it.world.is_right().await;
    }
}

#[tokio::test]
async fn an_equal_order_is_not_sent_to_the_same_provider_within_its_time() {
    let it = GuardedWorld::alone(SPACED).await;
    assert_eq!(it.buy("order-1").await.unwrap(), Status::Successful);
    let refused = it.buy("order-2").await;
    assert!(matches!(
        refused,
        Err(RequestError::Lookalike(Service::Airtime))
    ));
    assert!(it.world.stores.read("shop", "order-2").await.is_none());
    // A repeated request is no new order.
    let repeated = it.buy("order-1").await;
    assert!(matches!(repeated, Err(RequestError::ReferenceTaken { .. })));
    it.world.pass(seconds(120)).await;
    assert_eq!(it.buy("order-2").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [2, 0]);
    it.world.is_right().await;
}

#[tokio::test]
async fn an_equal_order_may_go_to_another_provider() {
    let it = GuardedWorld::beside_another(SPACED).await;
    assert_eq!(it.buy("order-1").await.unwrap(), Status::Successful);
    assert_eq!(it.buy("order-2").await.unwrap(), Status::Successful);
    assert_eq!(it.given(), [1, 1]);
    let tx = it.world.stored("order-2").await;
    let route = tx.prepared.route_of(AttemptNumber::FIRST).unwrap();
    assert_eq!(route.passed_over[0].reason, PassedOverReason::Lookalike);
    it.world.is_right().await;
}

#[tokio::test]
async fn what_is_undecided_is_spaced_and_what_was_refused_is_not() {
    let it = GuardedWorld::alone(SPACED).await;
    let refused = ScriptedReply::decline_for(RefusalKind::Account);
    it.world.provider.on_submit(refused);
    assert_eq!(it.buy("order-1").await.unwrap(), Status::Failed);
    let lost = ScriptedReply::request_lost(UnknownCause::ConnectionLost);
    it.world.provider.on_submit(lost);
    assert_eq!(it.buy("order-2").await.unwrap(), Status::Pending);
    let equal = it.buy("order-3").await;
    assert!(matches!(equal, Err(RequestError::Lookalike(_))));
    assert_eq!(it.given(), [2, 0]);
}

#[tokio::test]
async fn equal_orders_that_come_at_once_are_sent_once() {
    let it = GuardedWorld::alone(SPACED).await;
    it.world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(5)));
    let requests: Vec<Request> = (0..8)
        .map(|number| Request::buy(&it.gateway, &format!("order-{number}")))
        .collect();
    it.world.pass(seconds(25)).await;
    let mut delivered = 0;
    for request in requests {
        let answer = request.answer().await;
        let status = answer.map(|result| result.transaction.status());
        delivered += usize::from(matches!(status, Ok(Status::Successful)));
        assert!(!matches!(status, Ok(Status::Pending)));
    }
    assert_eq!((delivered, it.given()), (1, [1, 0]));
    it.world.is_right().await;
}

#[tokio::test]
async fn a_deadline_of_the_account_makes_a_late_answer_unknown() {
    let it = GuardedWorld::alone(limits(ProviderLimits {
        deadline: Some(seconds(2)),
        ..ProviderLimits::NONE
    }))
    .await;
    it.world
        .provider
        .on_submit(ScriptedReply::deliver().after(seconds(10)));
    let request = Request::buy(&it.gateway, "order-1");
    it.world.pass(seconds(1)).await;
    assert_eq!(it.given(), [1, 0]);
    it.world.pass(seconds(2)).await;
    let tx = it.world.stored("order-1").await;
    // The answer would have come after ten seconds: it was asked for once the deadline had passed.
    let State::Successful(delivered) = &tx.state else {
        panic!("{:?}", tx.state);
    };
    assert_eq!(delivered.evidence, Evidence::Found);
    it.world.pass(seconds(25)).await;
    request.answer().await.unwrap();
    it.world.is_right().await;
}
