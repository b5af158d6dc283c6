//! Instances sell no more of our money at a provider than was paid in, whichever of them sells it.

use super::support::request::Request;
use super::support::{World, seconds};
use application::float_reserve::TrancheKeeper;
use application::providers::Providers;
use application::submission_guard::GuardSettings;
use application::{Gateway, RequestError};
use domain::float::Prefunding;
use domain::float_reserve::TrancheHolder;
use domain::order::Service;
use domain::provider::UnknownCause;
use domain::transaction::Status;
use ports::float::PrefundOutcome;
use std::collections::BTreeMap;
use testkit::builders::{at, naira, provider_id, reference};
use testkit::provider::ScriptedReply;

/// Two instances over one store, each of which has 2,000.00 at once; an order is 1,000.00.
struct ReservedWorld {
    world: World,
    instances: [(Gateway, TrancheKeeper); 2],
}

impl ReservedWorld {
    /// With so much paid in, of which both have leased.
    async fn with(paid_in: &str) -> Self {
        let world = World::new().await;
        let instance = |holder| {
            let gateway = world.gateway_with(|parts| {
                let settings = GuardSettings {
                    tranche: Some(naira("2,000.00")),
                    ..GuardSettings::default()
                };
                let guards = BTreeMap::from([(provider_id("sandbox"), settings)]);
                let routes =
                    Service::delivered().map(|service| (service, world.network.clone() as _));
                parts.providers = Providers::new(routes.collect()).guarded_by(guards);
            });
            let tranches = world.stores.tranches.clone();
            let keeper = TrancheKeeper::new(&gateway, tranches, TrancheHolder(holder));
            (gateway, keeper)
        };
        let instances = [instance(1), instance(2)];
        let mut reserved = Self { world, instances };
        reserved.pays_in("first", paid_in).await;
        reserved.lease().await;
        reserved
    }

    async fn pays_in(&self, under: &str, amount: &str) {
        let prefunding = Prefunding {
            provider: provider_id("sandbox"),
            reference: reference(under),
            amount: naira(amount),
            reason: "transfer".to_owned(),
            by: "alpha".to_owned(),
            at: at(1),
        };
        let entered = self.world.stores.floats.prefund(&prefunding).await;
        assert_eq!(entered.unwrap(), PrefundOutcome::Done);
    }

    async fn lease(&mut self) {
        for (_, keeper) in &mut self.instances {
            keeper.look().await;
        }
    }

    async fn buy(&self, instance: usize, under: &str) -> Result<Status, RequestError> {
        let request = Request::buy(&self.instances[instance].0, under);
        self.world.pass(seconds(1)).await;
        let answer = request.answer().await;
        answer.map(|result| result.transaction.status())
    }

    fn sent(&self) -> usize {
        self.world.provider.submissions().len()
    }
}

#[tokio::test]
async fn all_instances_together_sell_no_more_than_was_paid_in() {
    let mut it = ReservedWorld::with("3,500.00").await;
    for (instance, under) in [(0, "a"), (0, "b"), (1, "c")] {
        let bought = it.buy(instance, under).await;
        assert_eq!(bought.unwrap(), Status::Successful);
    }
    for (instance, under) in [(0, "d"), (1, "e")] {
        let refused = it.buy(instance, under).await;
        assert!(
            matches!(refused, Err(RequestError::ProviderUnavailable(_))),
            "{refused:?}"
        );
    }
    // What the orders cost less than their amounts is found by the next count, and is too little.
    it.world.pass(seconds(70)).await;
    it.lease().await;
    assert!(it.buy(0, "f").await.is_err());
    assert_eq!(it.sent(), 3);
    it.pays_in("second", "1,000.00").await;
    it.world.pass(seconds(5)).await;
    it.lease().await;
    assert_eq!(it.buy(0, "d").await.unwrap(), Status::Successful);
}

#[tokio::test]
async fn what_is_certainly_not_delivered_can_be_sold_again_and_what_is_unknown_cannot() {
    let mut it = ReservedWorld::with("1,000.00").await;
    it.world.provider.on_submit(ScriptedReply::decline());
    assert_eq!(it.buy(0, "refused").await.unwrap(), Status::Failed);
    let unknown = ScriptedReply::answer_lost(UnknownCause::ConnectionLost);
    it.world.provider.on_submit(unknown);
    let bought = it.buy(0, "unknown").await;
    assert!(bought.is_ok(), "{bought:?}");
    assert!(it.buy(0, "none-left").await.is_err());
    it.world.pass(seconds(70)).await;
    it.lease().await;
    assert!(it.buy(0, "still-none").await.is_err());
    assert_eq!(it.sent(), 2);
}

#[tokio::test]
async fn a_tranche_that_was_not_renewed_is_not_sold() {
    let mut it = ReservedWorld::with("5,000.00").await;
    it.world.pass(seconds(301)).await;
    assert!(it.buy(0, "late").await.is_err());
    it.lease().await;
    assert_eq!(it.buy(0, "late").await.unwrap(), Status::Successful);
}
