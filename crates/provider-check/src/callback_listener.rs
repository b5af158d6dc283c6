//! Takes the callbacks of a provider on this machine, as a gateway would, and refuses the first
//! about each reference so that it has to be repeated. It must not judge what came: the checks do.

use crate::wire_message::{WireAnswer, WireRequest};
use ports::clock::Clock;
use provider_protocol::{AttemptCallback, CallbackKind, MESSAGE_RECEIVED, read};
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// What the address of callbacks ends in, as at a gateway.
const PATH: &str = "/provider/check/callback";

/// Most callbacks that are kept: a run orders a few hundred times at most.
const KEPT_MAX: usize = 2_000;

/// Most connections at once.
const CONNECTIONS_MAX: usize = 64;

/// How long a callback may take to come whole.
const READ_MAX: Duration = Duration::from_secs(15);

/// A place to listen at before the run begins.
#[derive(Debug)]
pub(crate) struct BoundListener {
    listener: StdListener,
    pub(crate) url: String,
}

impl BoundListener {
    /// Listens at an address of this machine.
    ///
    /// # Errors
    /// When it is another machine's to reach, or is taken.
    pub(crate) fn bind(address: SocketAddr) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "callbacks are taken on this machine alone, such as 127.0.0.1:9300",
            ));
        }
        let listener = StdListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}{PATH}", listener.local_addr()?);
        Ok(Self { listener, url })
    }
}

/// A callback as it came.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedCallback {
    pub(crate) request: WireRequest,
    /// The reference that it names, where it can be read.
    pub(crate) named: Option<AttemptCallback>,
    /// The second since 1970 at which it came.
    pub(crate) at: i64,
    /// What it was answered with.
    pub(crate) answered: u16,
}

type Kept = Arc<Mutex<Vec<ReceivedCallback>>>;

/// Listens until it is dropped.
#[derive(Debug)]
pub(crate) struct CallbackListener {
    kept: Kept,
    _stop: DropGuard,
}

impl CallbackListener {
    /// Takes callbacks from now on.
    ///
    /// # Errors
    /// When the runtime cannot take the socket over.
    pub(crate) fn start(bound: BoundListener, clock: Arc<dyn Clock>) -> io::Result<Self> {
        let listener = TcpListener::from_std(bound.listener)?;
        let kept: Kept = Arc::default();
        let stop = CancellationToken::new();
        let (stopped, shared) = (stop.clone(), Arc::clone(&kept));
        TaskTracker::new().spawn(async move {
            tokio::select! {
                () = accept(listener, (shared, clock)) => {}
                () = stopped.cancelled() => {}
            }
        });
        Ok(Self {
            kept,
            _stop: stop.drop_guard(),
        })
    }

    /// What came, from a number on.
    pub(crate) fn since(&self, number: usize) -> Vec<ReceivedCallback> {
        let kept = entries(&self.kept);
        kept.get(number..).unwrap_or_default().to_vec()
    }

    /// How many came.
    pub(crate) fn count(&self) -> usize {
        entries(&self.kept).len()
    }
}

fn entries(kept: &Kept) -> MutexGuard<'_, Vec<ReceivedCallback>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, (kept, clock): (Kept, Arc<dyn Clock>)) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let connections = TaskTracker::new();
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let (kept, clock) = (Arc::clone(&kept), Arc::clone(&clock));
        connections.spawn(async move {
            let at = clock.now().as_millis().div_euclid(1_000);
            // Where the provider has gone there is nothing to say.
            let _ = timeout(READ_MAX, take(stream, (&kept, at))).await;
            drop(place);
        });
    }
}

/// Takes one callback; the connection ends with it.
async fn take(mut stream: TcpStream, (kept, at): (&Kept, i64)) -> io::Result<()> {
    let Some(request) = WireRequest::read(&mut stream).await? else {
        return Ok(());
    };
    let answered = keep(kept, request, at);
    let answer = WireAnswer::new(answered, Vec::new(), b"{}".to_vec());
    stream.write_all(&answer.bytes()).await?;
    stream.shutdown().await
}

/// Keeps a callback and says with which status it is answered: the first about a reference with
/// 503, later ones with 200.
fn keep(kept: &Kept, request: WireRequest, at: i64) -> u16 {
    let kind: Option<CallbackKind> = read(&request.body).ok();
    if kind.is_some_and(|it| it.kind == MESSAGE_RECEIVED) {
        // It is about what a person wrote, and no attempt.
        return 200;
    }
    let named: Option<AttemptCallback> = read(&request.body).ok();
    let mut kept = entries(kept);
    let about = |it: &ReceivedCallback| {
        let (before, now) = (it.named.as_ref(), named.as_ref());
        before.map(|it| &it.data.reference) == now.map(|it| &it.data.reference)
    };
    let answered = if kept.iter().any(about) { 200 } else { 503 };
    if kept.len() < KEPT_MAX {
        kept.push(ReceivedCallback {
            request,
            named,
            at,
            answered,
        });
    }
    answered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_listened_at() {
        let bound = BoundListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        assert!(bound.url.starts_with("http://127.0.0.1:"), "{}", bound.url);
        assert!(bound.url.ends_with(PATH));
        for address in ["0.0.0.0:0", "192.0.2.1:9300"] {
            assert!(BoundListener::bind(address.parse().unwrap()).is_err());
        }
    }

    #[test]
    fn the_first_about_each_reference_is_refused() {
        let kept = Kept::default();
        let answers = ["a", "a", "b", "a", "b"].map(|reference| {
            let body = serde_json::to_vec(&AttemptCallback::changed(reference)).unwrap();
            let request = WireRequest {
                body,
                ..WireRequest::default()
            };
            keep(&kept, request, 0)
        });
        assert_eq!(answers, [503, 200, 503, 200, 200]);
    }
}
