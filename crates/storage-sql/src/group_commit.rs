//! One writer for all: callers hand change sets over and wait; the writer takes whatever is
//! waiting, judges it together and makes it durable with one commit. It must never wait for more to
//! come: a lone request is not delayed by batching.

use crate::PART;
use crate::planner::{BatchPlan, ReadSet, WorkingSet, plan};
use async_trait::async_trait;
use domain::change_set::ChangeSet;
use ports::ledger_store::CommitOutcome;
use ports::measurements::{CommittedBatch, Measurements};
use ports::{PortError, PortErrorKind};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

mod writers;

pub use writers::Writers;

/// Most change sets made durable together. At this size the fixed cost of a commit is below a
/// hundredth of the whole, and the last of a batch still waits only milliseconds for the first.
pub const BATCH_MAX: usize = 256;

/// Most requests waiting for the writer, a few tenths of a second of its work. A request beyond it
/// gets the error at once, instead of after its own deadline.
pub const QUEUE_MAX: usize = 4096;

/// How often a batch is planned again because another process wrote in between. Each conflict means
/// that another writer made progress, and a batch that loses this often in a row shares its rows
/// with so many others that its parts alone have the better chance.
pub const CONFLICTS_MAX: usize = 4;

/// Why a batch was not made durable.
#[derive(Debug)]
pub enum CommitError {
    /// A row broke a constraint: nothing of the batch is stored, and trying its parts alone finds
    /// the one that broke it.
    Refused(PortError),
    /// Another process wrote in between: nothing of the batch is stored. Judged again over what is
    /// stored now, it may pass.
    Conflict(PortError),
    /// The store failed: whether the batch is stored is unknown.
    Unknown(PortError),
}

impl CommitError {
    /// The same of a step that had written nothing yet.
    fn unwritten(self) -> Self {
        match self {
            Self::Unknown(error) => Self::Unknown(error.with_nothing_done()),
            certain @ (Self::Refused(_) | Self::Conflict(_)) => certain,
        }
    }

    /// The failure itself, which says whether anything may be stored.
    pub fn into_inner(self) -> PortError {
        match self {
            Self::Refused(error) | Self::Conflict(error) => error.with_nothing_done(),
            Self::Unknown(error) => error,
        }
    }
}

/// A store that can make a batch durable. The calls for one batch come in order: `begin`, then
/// `commit` or `abandon`.
#[async_trait]
pub trait BatchStore: Send + Sized + 'static {
    /// Shuts every other writer out and reads what a batch needs. Nothing may be kept from an
    /// earlier batch: other processes write as well. Nothing is stored by it, whatever the error.
    async fn begin(&mut self, needs: &ReadSet<'_>) -> Result<WorkingSet, CommitError>;

    /// Writes a plan, which is not empty, and makes it durable.
    async fn commit(&mut self, plan: &BatchPlan<'_>) -> Result<(), CommitError>;

    /// Leaves the store as it was before `begin`, also after an error of either.
    async fn abandon(&mut self);

    /// Lets go of the database; nothing comes after it.
    async fn close(self);
}

/// Work under way on the writer.
pub type QueuedWork<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A piece of work that needs the writer for itself.
type Job<S> = Box<dyn for<'a> FnOnce(&'a mut S) -> QueuedWork<'a, ()> + Send>;

enum Request<S> {
    Commit(Waiting),
    Alone(Job<S>),
    Close(oneshot::Sender<()>),
}

struct Waiting {
    change: ChangeSet,
    reply: oneshot::Sender<Result<CommitOutcome, PortError>>,
}

/// The queue in front of a store's writer. When the last handle is dropped the writer finishes what
/// is queued and ends.
pub struct GroupCommit<S> {
    queue: mpsc::Sender<Request<S>>,
}

impl<S> std::fmt::Debug for GroupCommit<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self
            .queue
            .max_capacity()
            .saturating_sub(self.queue.capacity());
        f.debug_struct("GroupCommit")
            .field("waiting", &waiting)
            .finish_non_exhaustive()
    }
}

impl<S: BatchStore> GroupCommit<S> {
    /// Starts the writer on the runtime this is called in.
    pub fn new(store: S, measurements: Arc<dyn Measurements>) -> Self {
        let (queue, requests) = mpsc::channel(QUEUE_MAX);
        let writer = Writer {
            store,
            requests,
            measurements,
        };
        #[expect(
            clippy::disallowed_methods,
            reason = "the one writer: it ends when its queue is closed, which `close` waits for"
        )]
        tokio::spawn(writer.run());
        Self { queue }
    }

    /// Hands a change set over and returns once it is durable or rejected.
    pub async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        let (reply, verdict) = oneshot::channel();
        self.hand_over(Request::Commit(Waiting { change, reply }))?;
        verdict.await.map_err(|_| gone())?
    }

    /// Runs work on the writer between two batches. Once handed over it runs to its end, whether or
    /// not the caller still waits.
    pub async fn alone<T, F>(&self, work: F) -> Result<T, PortError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut S) -> QueuedWork<'a, T> + Send + 'static,
    {
        let (reply, result) = oneshot::channel();
        let job: Job<S> = Box::new(move |store| {
            Box::pin(async move {
                // The caller may be gone; the work is done all the same.
                let _ = reply.send(work(store).await);
            })
        });
        self.hand_over(Request::Alone(job))?;
        result.await.map_err(|_| gone())
    }

    /// Accepts nothing more and returns once everything queued is done and the writer has ended.
    pub async fn close(&self) {
        // An error means that the writer has ended already.
        let _ = self.start_closing().await.await;
    }

    /// Stops accepting requests; the returned receiver resolves when the writer has ended.
    async fn start_closing(&self) -> oneshot::Receiver<()> {
        let (reply, closed) = oneshot::channel();
        // If the writer has ended, the send fails and drops the reply, which closes the receiver.
        let _ = self.queue.send(Request::Close(reply)).await;
        closed
    }

    fn hand_over(&self, request: Request<S>) -> Result<(), PortError> {
        let refused = |error| match error {
            mpsc::error::TrySendError::Full(_) => {
                let what = format!("the store is saturated: {QUEUE_MAX} are waiting already");
                PortError::new(PART, what).with_trouble(PortErrorKind::Busy)
            }
            mpsc::error::TrySendError::Closed(_) => gone(),
        };
        let handed_over = self.queue.try_send(request);
        handed_over.map_err(|error| refused(error).with_nothing_done())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a commit took is measured and decides nothing"
)]
fn stopwatch() -> tokio::time::Instant {
    tokio::time::Instant::now()
}

fn gone() -> PortError {
    PortError::new(PART, "the store is closed")
}

struct Writer<S> {
    store: S,
    requests: mpsc::Receiver<Request<S>>,
    measurements: Arc<dyn Measurements>,
}

impl<S: BatchStore> Writer<S> {
    async fn run(mut self) {
        let mut closers = Vec::new();
        let mut batch = Vec::new();
        let mut next = None;
        loop {
            let request = match next.take() {
                Some(request) => Some(request),
                None => self.requests.recv().await,
            };
            match request {
                None => break,
                Some(Request::Close(reply)) => {
                    self.requests.close();
                    closers.push(reply);
                }
                Some(Request::Alone(job)) => job(&mut self.store).await,
                Some(Request::Commit(first)) => {
                    batch.push(first);
                    next = self.gather(&mut batch);
                    self.settle(std::mem::take(&mut batch)).await;
                }
            }
        }
        // The connection closes first, so that a caller who waits can reuse the files at once.
        self.store.close().await;
        for closer in closers {
            let _ = closer.send(());
        }
    }

    /// Takes what is waiting, up to a full batch; returns the request that ended it, if one did.
    fn gather(&mut self, batch: &mut Vec<Waiting>) -> Option<Request<S>> {
        while batch.len() < BATCH_MAX {
            match self.requests.try_recv().ok()? {
                Request::Commit(waiting) => batch.push(waiting),
                other @ (Request::Alone(_) | Request::Close(_)) => return Some(other),
            }
        }
        None
    }

    /// Makes a batch durable and answers everyone in it; a batch that does not pass as a whole is
    /// tried one by one, so that one that cannot be stored fails alone.
    async fn settle(&mut self, batch: Vec<Waiting>) {
        let (changes, replies): (Vec<_>, Vec<_>) = batch
            .into_iter()
            .map(|waiting| (waiting.change, waiting.reply))
            .unzip();
        let begun = stopwatch();
        let persisted = self.persist(&changes).await;
        self.measurements.batch_committed(CommittedBatch {
            size: changes.len(),
            is_durable: persisted.is_ok(),
            took: begun.elapsed(),
        });
        let verdicts = match persisted {
            Ok(verdicts) => verdicts,
            // A store that is away is not asked once more for each: all would wait for nothing.
            Err(CommitError::Refused(error) | CommitError::Conflict(error))
                if changes.len() > 1 && error.trouble != PortErrorKind::Unreachable =>
            {
                tracing::warn!(%error, size = changes.len(), "a batch did not pass: one by one");
                self.one_by_one(&changes).await
            }
            Err(error) => everyone(changes.len(), error.into_inner()),
        };
        for (reply, verdict) in replies.into_iter().zip(verdicts) {
            // A caller that hung up reads the result by reference.
            let _ = reply.send(verdict);
        }
    }

    /// Stops where the store cannot be reached: each of the rest would wait as long in vain.
    async fn one_by_one(&mut self, changes: &[ChangeSet]) -> Vec<Result<CommitOutcome, PortError>> {
        let mut verdicts = Vec::with_capacity(changes.len());
        for change in changes {
            let single = self.persist(std::slice::from_ref(change)).await;
            match single.map_err(CommitError::into_inner) {
                Ok(mut single) => verdicts.push(single.pop().unwrap_or_else(|| Err(gone()))),
                Err(error) if error.trouble == PortErrorKind::Unreachable => {
                    let mut reported = everyone(changes.len() - verdicts.len(), error).into_iter();
                    verdicts.extend(reported.next());
                    // The others were not even tried.
                    verdicts.extend(reported.map(|it| it.map_err(PortError::with_nothing_done)));
                    break;
                }
                Err(error) => verdicts.push(Err(error)),
            }
        }
        verdicts
    }

    /// Tries until it is not another process that is in the way, or too often.
    async fn persist(
        &mut self,
        changes: &[ChangeSet],
    ) -> Result<Vec<Result<CommitOutcome, PortError>>, CommitError> {
        for _ in 0..CONFLICTS_MAX {
            match self.attempt(changes).await {
                Err(CommitError::Conflict(error)) => {
                    tracing::debug!(%error, size = changes.len(), "judging a batch again");
                }
                done => return done,
            }
        }
        self.attempt(changes).await
    }

    /// One begin, one plan, one commit.
    async fn attempt(
        &mut self,
        changes: &[ChangeSet],
    ) -> Result<Vec<Result<CommitOutcome, PortError>>, CommitError> {
        let needs = ReadSet::of(changes);
        let known = match self.store.begin(&needs).await {
            Ok(known) => known,
            Err(error) => {
                self.store.abandon().await;
                return Err(error.unwritten());
            }
        };
        let altered = known.altered();
        if altered > 0 {
            self.measurements.altered_rows_read(altered);
        }
        let plan = plan(changes, &known);
        if plan.is_empty() {
            self.store.abandon().await;
        } else if let Err(error) = self.store.commit(&plan).await {
            self.store.abandon().await;
            return Err(error);
        }
        Ok(plan.verdicts)
    }
}

/// The same failure for everyone in a batch.
fn everyone(count: usize, error: PortError) -> Vec<Result<CommitOutcome, PortError>> {
    if count == 1 {
        return vec![Err(error)];
    }
    let (trouble, effect) = (error.trouble, error.effect);
    let shared = Shared(Arc::new(error));
    let again = |_| {
        let error = PortError::caused(PART, "commit a batch", shared.clone());
        Err(PortError {
            trouble,
            effect,
            ..error
        })
    };
    (0..count).map(again).collect()
}

/// A failure that several callers receive.
#[derive(Debug, Clone)]
struct Shared(Arc<PortError>);

impl std::fmt::Display for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Shared {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.0.as_ref())
    }
}
