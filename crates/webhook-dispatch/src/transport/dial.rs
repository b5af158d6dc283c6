//! Names on their way to being dialled. It must hand on only addresses that were all judged fit:
//! one of them is dialled right after, without another check.

use crate::guard::{Guard, LookupPriority, Port};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::SocketAddr;
use std::sync::Arc;

/// The guard as the resolver of a client.
#[derive(Debug)]
pub(super) struct Dial {
    guard: Arc<Guard>,
    port: Port,
    asker: LookupPriority,
}

impl Dial {
    pub(super) const fn new(guard: Arc<Guard>, port: Port, asker: LookupPriority) -> Self {
        Self { guard, port, asker }
    }
}

impl Resolve for Dial {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, port, asker) = (Arc::clone(&self.guard), self.port, self.asker);
        Box::pin(async move {
            let addresses = guard.addresses(name.as_str(), port, asker).await?;
            // A port of zero stands for that of the URL.
            let dialled = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            let dialled: Addrs = Box::new(dialled);
            Ok(dialled)
        })
    }
}
