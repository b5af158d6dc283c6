//! TLS handshakes, a few at a time. Each costs about a millisecond of work, which any client can
//! cause: many that begin at once must not delay requests of other connections, and one that stalls
//! must not block another.

use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::ready;
use std::thread::available_parallelism;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::PollSemaphore;

/// Accepts TLS connections.
pub(super) struct Handshakes {
    acceptor: TlsAcceptor,
    /// One processor is left for requests, where there is more than one.
    turns: Arc<Semaphore>,
}

impl Handshakes {
    pub(super) fn new(acceptor: TlsAcceptor) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            acceptor,
            turns: Arc::new(Semaphore::new(processors.saturating_sub(1).max(1))),
        }
    }

    /// Makes a handshake. A permit is taken while there is something to compute, never while
    /// waiting for the client.
    pub(super) async fn accept<S>(&self, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut turns = PollSemaphore::new(Arc::clone(&self.turns));
        let mut handshake = pin!(self.acceptor.accept(stream));
        poll_fn(|context| {
            let _turn = ready!(turns.poll_acquire(context));
            handshake.as_mut().poll(context)
        })
        .await
    }
}
