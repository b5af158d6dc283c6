//! What names mean. It must never keep an answer: who owns a name can change it at any moment, and
//! what was looked at must be what is dialled.

use async_trait::async_trait;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// How many names the machine looks up at a time. Each holds a thread for as long as a server of
/// the DNS is silent, and the runtime has some hundreds for everyone.
const LOOKUPS_MAX: usize = 64;

/// Asks what a name means.
#[async_trait]
pub trait Resolver: Send + Sync + std::fmt::Debug {
    /// Every address of a name, of both versions.
    ///
    /// # Errors
    /// When nobody knows the name, or nobody can be asked.
    async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks as every program of the machine does: its hosts file, its servers, its rules.
#[derive(Debug)]
pub struct SystemResolver {
    places: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        let places = Arc::new(Semaphore::new(LOOKUPS_MAX));
        Self { places }
    }
}

#[async_trait]
impl Resolver for SystemResolver {
    async fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let name = name.to_owned();
        let look_up = move || {
            // The place is held until the machine answers, also where nobody waits any more.
            let _place = place;
            let found = (name.as_str(), 0).to_socket_addrs()?;
            Ok(found.map(|address| address.ip()).collect())
        };
        spawn_blocking(look_up).await.map_err(io::Error::other)?
    }
}
