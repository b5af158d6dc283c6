//! TLS handshakes, a few at a time. Each costs about a millisecond of work, which any stranger can
//! ask for: many that begin at once must not keep requests of other connections waiting, and one
//! that stalls must hold up no other.

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
    /// One processor is left to requests, where there is more than one.
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

    /// Makes a handshake. A turn is held while there is something to compute, never while the
    /// client is waited for.
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
