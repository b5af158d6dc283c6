//! Instances that exchange messages.

mod revocation;
mod spending;

use super::support::{PEPPER, World};
use application::Gateway;
use application::credentials::{Denied, hash_key, mint_key};
use application::peers::{Budgets, NoBudgets};
use domain::credential::KeyRecord;
use domain::environment::Environment;
use ports::peers::{Peers, SingleInstance};
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::{account, account_id};
use testkit::peers::{Hub, PROVEN_EVERY, PeerMember};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A gateway that listens, and the account `kiosk` in its store.
struct Instance {
    world: World,
    hub: Arc<Hub>,
    line: Arc<PeerMember>,
    gateway: Gateway,
    key: String,
    stop: CancellationToken,
    listening: JoinSet<()>,
}

impl Instance {
    /// One whose line is proven.
    async fn new() -> Self {
        let instance = Self::working(Arc::new(NoBudgets)).await;
        instance.world.pass(PROVEN_EVERY).await;
        instance
    }

    /// One whose line is not yet proven.
    async fn working(budgets: Arc<dyn Budgets>) -> Self {
        let world = World::new().await;
        let hub = Hub::new(world.clock.clone());
        let line = hub.join();
        Self::over(world, (hub, line.clone()), (line, budgets)).await
    }

    /// One whose channel is down, which it knows.
    async fn alone() -> Self {
        let world = World::new().await;
        let hub = Hub::new(world.clock.clone());
        let line = hub.join();
        Self::over(
            world,
            (hub, line),
            (Arc::new(SingleInstance), Arc::new(NoBudgets)),
        )
        .await
    }

    async fn over(
        world: World,
        (hub, line): (Arc<Hub>, Arc<PeerMember>),
        (peers, budgets): (Arc<dyn Peers>, Arc<dyn Budgets>),
    ) -> Self {
        let gateway = world.gateway_with(|parts| parts.peers = peers);
        let key = mint_key(Environment::Test, [1; 32]);
        let stop = CancellationToken::new();
        let mut listening = JoinSet::new();
        listening.spawn(gateway.clone().listen(budgets, stop.clone()));
        let instance = Self {
            world,
            hub,
            line,
            gateway,
            key,
            stop,
            listening,
        };
        instance.opens_account().await;
        instance
    }

    async fn opens_account(&self) {
        let new = account("kiosk").new_account();
        let record = KeyRecord {
            hash: hash_key(&PEPPER, &new.account.id, new.key.id, &self.key),
            ..new.key
        };
        let new = account("kiosk").with_key(record).new_account();
        self.world.stores.accounts.create(&new).await.unwrap();
    }

    async fn lets_in(&self) -> bool {
        match self.gateway.authenticate("kiosk", &self.key).await {
            Ok(_) => true,
            Err(Denied::UnknownOrWrong) => false,
            Err(other) => panic!("{other:?}"),
        }
    }

    /// How often the account was read of late.
    fn reads(&self) -> usize {
        self.world.faults.calls()
    }

    /// Revokes every key, as another process does; the store notifies the connected instances.
    async fn revoke(&self) {
        self.revoke_silently().await;
        self.hub.account_changed(&account_id("kiosk"));
    }

    async fn revoke_silently(&self) {
        let (id, now) = (account_id("kiosk"), self.world.now());
        let revoked = self.world.stores.accounts.revoke_keys(&id, None, now).await;
        assert_eq!(revoked.unwrap(), 1);
    }

    async fn pass(&self, time: Duration) {
        self.world.pass(time).await;
    }
}
