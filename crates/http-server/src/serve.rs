//! The listening socket: it accepts connections, refuses those without a slot, and ends all of them
//! at shutdown. It must never wait for one connection before it accepts the next.

mod connection;
mod connection_limits;
mod deadline_io;
mod handshakes;
mod http2;
mod phase;
mod tls;
mod write_deadline;

pub use tls::{ShownCertificate, TlsError, TlsMaterial, certificate_ends_at};

use crate::edge::Edge;
use crate::settings::{EdgeSettings, REFUSED_AT_ONCE_MAX};
use application::Gateway;
use application::measuring::NamedLimit;
use application::peers::Budgets;
use connection::Host;
use connection_limits::Places;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long accepting pauses when the system has no file descriptor or memory for a connection:
/// long enough for one to end, short enough to go unnoticed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on: in use, not of this machine, or not permitted.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },
    /// Certificate or key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    certificate: ShownCertificate,
    host: Arc<Host>,
    settings: EdgeSettings,
}

/// The result of serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServeSummary {
    /// Every request in flight was answered.
    Finished,
    /// The grace period was over before these many connections ended; they were cut.
    Cut(usize),
}

impl HttpServer {
    /// Listens on an address; port 0 takes any that is free. Connections wait until [`Self::run`].
    pub async fn bind(
        address: SocketAddr,
        tls: TlsMaterial,
        gateway: Gateway,
        settings: EdgeSettings,
    ) -> Result<Self, ServeError> {
        let edge = Edge::new(gateway, &settings);
        Self::with_edge(address, tls, edge, settings).await
    }

    async fn with_edge(
        address: SocketAddr,
        tls: TlsMaterial,
        edge: Edge,
        settings: EdgeSettings,
    ) -> Result<Self, ServeError> {
        let certificate = ShownCertificate::new(tls)?;
        let acceptor = certificate.acceptor(settings.http2)?;
        let failed = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let host = Arc::new(Host::new(edge, acceptor, &settings));
        Ok(Self {
            listener,
            address,
            certificate,
            host,
            settings,
        })
    }

    /// The address it listens on.
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The certificate it presents, which can be replaced while it runs.
    pub fn certificate(&self) -> ShownCertificate {
        self.certificate.clone()
    }

    /// See [`Edge::budgets`].
    pub fn budgets(&self) -> Arc<dyn Budgets> {
        self.host.edge.budgets()
    }

    /// Serves until `stop`; then accepts no more connections, answers requests that still arrive
    /// within a moment, closes idle connections and gives requests in flight the grace period.
    pub async fn run(self, stop: CancellationToken) -> ServeSummary {
        let connections = TaskTracker::new();
        let accept = self.accept(&connections);
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = accept => {}
        }
        let Self {
            listener,
            host,
            settings,
            ..
        } = self;
        // From here on the system refuses connections by itself.
        drop(listener);
        host.last.cancel();
        connections.close();
        // Ends early once there is no connection left to wait for.
        let _ = tokio::time::timeout(settings.linger, connections.wait()).await;
        host.stop.cancel();
        let finished = tokio::time::timeout(settings.grace, connections.wait()).await;
        let summary = if finished.is_ok() {
            ServeSummary::Finished
        } else {
            let open = connections.len();
            tracing::warn!(open, "connections are cut at the end of the grace period");
            host.cut.cancel();
            connections.wait().await;
            ServeSummary::Cut(open)
        };
        host.streams.close();
        host.streams.wait().await;
        summary
    }

    async fn accept(&self, connections: &TaskTracker) {
        let proxies = self.host.edge.proxies().clone();
        let places = Places::new(self.settings.connections_max, proxies);
        let refusing = Arc::new(Semaphore::new(REFUSED_AT_ONCE_MAX));
        loop {
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    // Answers are one packet each; waiting to fill one would only delay them.
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "the connection is gone already");
                        continue;
                    }
                    let host = Arc::clone(&self.host);
                    if let Some(place) = places.take(from.ip(), &host.cut) {
                        connections
                            .spawn(async move { host.serve(stream, from.ip(), place).await });
                    } else if let Ok(permit) = Arc::clone(&refusing).try_acquire_owned() {
                        connections.spawn(async move {
                            host.refuse(stream, from.ip()).await;
                            drop(permit);
                        });
                    } else {
                        host.edge.limit_hit(NamedLimit::Connections);
                    }
                }
                Err(error) if is_of_the_connection(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

/// Whether the error concerns only the connection that was to be accepted.
fn is_of_the_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

#[cfg(test)]
mod tests;
