//! A process that can die: a gateway on a runtime of its own. When it is dropped, everything it was
//! doing stops where it stands.

use super::World;
use application::{Gateway, Parts};
use std::future::Future;
use tokio::runtime::{Builder, Runtime};

/// One life of a gateway.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) gateway: Gateway,
    runtime: Runtime,
}

impl Process {
    pub(crate) fn start(world: &World) -> Self {
        Self::start_with(world, |_| ())
    }

    pub(crate) fn start_with(world: &World, change: impl FnOnce(&mut Parts)) -> Self {
        Self {
            gateway: world.gateway_with(change),
            runtime: runtime(),
        }
    }

    /// Lets the process live until something is done.
    pub(crate) fn run<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }

    /// Kills it.
    pub(crate) fn crash(self) {
        drop(self);
    }
}

/// Does something outside every process.
pub(crate) fn outside<F: Future>(work: F) -> F::Output {
    runtime().block_on(work)
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}
