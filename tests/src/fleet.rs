//! The instances of one gateway: processes over one data folder and one database. It must start and
//! end each as a process that knows nothing of the others.

use crate::account::TestAccount;
use crate::folder::GatewayFolder;
use crate::merchant::TestMerchant;
use crate::process::{GatewayProcess, Launch};
use std::net::SocketAddr;

/// As many as fail in different ways: one is killed, one takes over, one goes on.
pub const THREE: usize = 3;

/// Some instances and the account that buys of them.
#[derive(Debug)]
pub struct Fleet {
    /// Gone before their database is.
    instances: Vec<GatewayProcess>,
    launch: Launch,
    pub account: TestAccount,
}

impl Fleet {
    /// Starts three that are all alike.
    #[must_use]
    pub fn start(settings: &str) -> Self {
        Self::launch(settings, &[], &Launch::default())
    }

    /// Starts the first ones each in its own way, and as many more as there are missing.
    #[must_use]
    pub fn launch(settings: &str, first: &[Launch], launch: &Launch) -> Self {
        let mut fleet = Self {
            instances: Vec::new(),
            launch: launch.clone(),
            account: TestAccount::within(GatewayFolder::shared(settings)),
        };
        let others = std::iter::repeat(launch);
        for launch in first.iter().chain(others).take(THREE) {
            let instance = GatewayProcess::launch(&fleet.account.folder, launch);
            fleet.instances.push(instance);
        }
        fleet
    }

    /// One of those that are there.
    #[must_use]
    pub fn instance(&self, index: usize) -> &GatewayProcess {
        &self.instances[index]
    }

    /// Where they listen.
    #[must_use]
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.instances.iter().map(GatewayProcess::address).collect()
    }

    /// The numbers of their processes.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        self.instances.iter().map(GatewayProcess::process).collect()
    }

    /// The account's client, of each instance.
    #[must_use]
    pub fn merchants(&self) -> [TestMerchant; THREE] {
        let first = self.account.merchant(&self.instances[0]);
        [0, 1, 2].map(|index| first.at(self.instances[index].address()))
    }

    /// Takes an instance out, whatever becomes of it.
    #[must_use]
    pub fn take(&mut self, index: usize) -> GatewayProcess {
        self.instances.remove(index)
    }

    /// Starts another one.
    pub fn add(&mut self) {
        let instance = GatewayProcess::launch(&self.account.folder, &self.launch);
        self.instances.push(instance);
    }

    /// Ends all of them in order.
    ///
    /// # Panics
    /// When one does not.
    pub async fn end(&mut self) {
        for instance in self.instances.drain(..) {
            assert!(instance.terminate().await.success());
        }
    }
}
