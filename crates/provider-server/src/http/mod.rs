//! The listening socket: it accepts connections, ends them at shutdown, and waits for what the
//! provider is working on. It must not serve without encryption to another machine.

mod exchange;
mod routes;

use crate::attempts::{Attempts, UnknownAnswers};
use crate::references::{ReferenceStore, ReferenceStoreError, ReferenceSync};
use crate::served::ServedProvider;
use crate::tls::{ServerIdentity, ServerIdentityError};
use arc_swap::ArcSwap;
use domain::reference::ProviderReference;
use exchange::Exchanges;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use ports::clock::Clock;
use provider_protocol::signature::SignatureKeys;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Most connections at once: each instance of a gateway keeps a few hundred at the most.
const CONNECTIONS_MAX: usize = 1024;

/// How long a handshake may take.
const HANDSHAKE_MAX: Duration = Duration::from_secs(5);

/// How long the head of a request may take to come.
const HEAD_MAX: Duration = Duration::from_secs(30);

/// Largest head of a request.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// How long accepting pauses when the system has no file descriptor for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How a provider is served.
#[derive(Debug)]
pub struct ServerSettings {
    /// The keys both sides share.
    pub keys: SignatureKeys,
    /// The file of the references that were seen.
    pub references: PathBuf,
    /// Whether each is on the disk before the provider acts.
    pub sync: ReferenceSync,
    /// The certificate; without one only this machine is served.
    pub identity: Option<ServerIdentity>,
    /// What is answered where the provider itself does not know.
    pub unknown: UnknownAnswers,
    /// How long requests under way may take at shutdown.
    pub grace: Duration,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The references cannot be stored.
    #[error("cannot use {}", path.display())]
    References {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: ReferenceStoreError,
    },
    /// The certificate cannot be used.
    #[error(transparent)]
    Identity(#[from] ServerIdentityError),
    /// The address is another machine's to reach, and there is no certificate.
    #[error("{0} can be reached by other machines; give a certificate, or listen on 127.0.0.1")]
    Plain(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// The keys of a server, which can be replaced while it runs.
#[derive(Debug, Clone)]
pub struct ServedKeys(Arc<ArcSwap<SignatureKeys>>);

impl ServedKeys {
    /// The keys in force now.
    pub fn in_force(&self) -> Arc<SignatureKeys> {
        self.0.load_full()
    }

    /// Verifies and signs by other keys from now on.
    pub fn replace(&self, keys: SignatureKeys) {
        self.0.store(Arc::new(keys));
    }
}

/// A server that listens and does not answer yet.
pub struct ProviderServer {
    listener: TcpListener,
    address: SocketAddr,
    scheme: &'static str,
    exchanges: Arc<Exchanges>,
    acceptor: Option<TlsAcceptor>,
    grace: Duration,
}

impl std::fmt::Debug for ProviderServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderServer")
            .field("address", &self.address)
            .field("scheme", &self.scheme)
            .finish_non_exhaustive()
    }
}

impl ProviderServer {
    /// Opens the references and listens; port 0 takes any that is free.
    pub async fn bind(
        address: SocketAddr,
        served: ServedProvider,
        settings: ServerSettings,
    ) -> Result<Self, ServerError> {
        if settings.identity.is_none() && !address.ip().is_loopback() {
            return Err(ServerError::Plain(address));
        }
        let path = settings.references;
        let references = ReferenceStore::open(&path, settings.sync)
            .map_err(|source| ServerError::References { path, source })?;
        let acceptor = settings
            .identity
            .map(ServerIdentity::acceptor)
            .transpose()?;
        let scheme = if acceptor.is_some() { "https" } else { "http" };
        let failed = |source| ServerError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let clock = settings.clock;
        let attempts = Attempts::new(served, (references, Arc::clone(&clock)), settings.unknown);
        Ok(Self {
            listener,
            address,
            scheme,
            exchanges: Arc::new(Exchanges::new(attempts, (settings.keys, clock), scheme)),
            acceptor,
            grace: settings.grace,
        })
    }

    /// The address it listens on.
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The attempts whose first answer is not the last word, for a provider that calls back. It is
    /// asked for once.
    pub fn undecided(&self) -> mpsc::Receiver<ProviderReference> {
        self.exchanges.attempts.undecided.receiver()
    }

    /// Its keys.
    pub fn keys(&self) -> ServedKeys {
        ServedKeys(self.exchanges.keys())
    }

    /// The base address for a gateway's configuration, where it is called by its IP address.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// Serves until `stop`; then accepts no more, and gives what is under way the grace period.
    pub async fn run(self, stop: CancellationToken) {
        let connections = TaskTracker::new();
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = self.accept((&connections, &places), &stop) => {}
        }
        let Self {
            listener,
            exchanges,
            grace,
            ..
        } = self;
        drop(listener);
        connections.close();
        exchanges.attempts.tasks.close();
        let ended = async {
            connections.wait().await;
            exchanges.attempts.tasks.wait().await;
        };
        if timeout(grace, ended).await.is_err() {
            let open = exchanges.attempts.tasks.len();
            tracing::warn!(
                open,
                "attempts are under way at the end of the grace period"
            );
        }
    }

    async fn accept(
        &self,
        (connections, places): (&TaskTracker, &Arc<Semaphore>),
        stop: &CancellationToken,
    ) {
        loop {
            // The semaphore is never closed.
            let Ok(place) = Arc::clone(places).acquire_owned().await else {
                return;
            };
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let connection = serve(
                        (stream, self.acceptor.clone()),
                        Arc::clone(&self.exchanges),
                        stop.clone(),
                    );
                    connections.spawn(async move {
                        connection.await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

/// Serves one connection to its end.
async fn serve(
    (stream, acceptor): (TcpStream, Option<TlsAcceptor>),
    exchanges: Arc<Exchanges>,
    stop: CancellationToken,
) {
    // An answer is one packet; waiting to fill one would only delay it.
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let Some(acceptor) = acceptor else {
        return converse(stream, exchanges, stop).await;
    };
    match timeout(HANDSHAKE_MAX, acceptor.accept(stream)).await {
        Ok(Ok(stream)) => converse(stream, exchanges, stop).await,
        Ok(Err(error)) => tracing::debug!(%error, "a connection ended before its first request"),
        Err(_) => tracing::debug!("a handshake took too long"),
    }
}

async fn converse<S>(stream: S, exchanges: Arc<Exchanges>, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(|request| exchanges.answer(request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_MAX)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
