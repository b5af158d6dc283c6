//! The tasks of the streams of an HTTP/2 connection. They must end with their connection, and each
//! must end when its client takes the answer too slowly.

use super::requests::Requests;
use crate::serve::write_deadline::time_for;
use hyper::rt::Executor;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::task::TaskTracker;

tokio::task_local! {
    /// Is notified once the answer of the task's stream is decided.
    static ANSWERED: Arc<AnswerProgress>;
}

/// How far the answer of a stream has come.
#[derive(Debug, Default)]
struct AnswerProgress {
    /// It is sent from now on.
    begun: Notify,
    /// Bytes of it that were handed over.
    sent: AtomicU64,
}

/// The tasks of one connection; dropping it ends them.
#[derive(Debug)]
pub(super) struct StreamTasks(Arc<Inner>);

/// Starts the tasks of streams. It does not keep them: each task has one of these.
#[derive(Debug, Clone)]
pub(super) struct StreamExecutor(Weak<Inner>);

#[derive(Debug)]
struct Inner {
    tasks: Mutex<JoinSet<()>>,
    /// Those of all connections: one that is ended ends at its next wait, which a shutdown awaits.
    all: TaskTracker,
    requests: Arc<Requests>,
    /// How long the client may take no byte of an answer.
    limit: Duration,
}

impl StreamTasks {
    pub(super) fn new(all: TaskTracker, requests: Arc<Requests>, limit: Duration) -> Self {
        Self(Arc::new(Inner {
            tasks: Mutex::default(),
            all,
            requests,
            limit,
        }))
    }

    pub(super) fn executor(&self) -> StreamExecutor {
        StreamExecutor(Arc::downgrade(&self.0))
    }
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        // Without the connection there is no stream either.
        let Some(inner) = self.0.upgrade() else {
            return;
        };
        let (requests, limit) = (Arc::clone(&inner.requests), inner.limit);
        let mut tasks = inner.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // Ended tasks are kept until they are asked for.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(inner.all.track_future(async move {
            let answered = Arc::new(AnswerProgress::default());
            let mut stream = pin!(ANSWERED.scope(Arc::clone(&answered), stream));
            tokio::select! {
                biased;
                () = stream.as_mut() => {}
                // What the library has of the stream is dropped, which resets it.
                () = too_slow(&answered, &requests, limit) => {
                    tracing::debug!("the client takes the answer of a stream too slowly");
                }
            }
        }));
    }
}

/// Says that the answer of the stream whose task this is will be sent now.
pub(super) fn answer_begins() {
    if ANSWERED
        .try_with(|answer| answer.begun.notify_one())
        .is_err()
    {
        tracing::debug!("an answer has no deadline: it is sent outside the task of its stream");
    }
}

/// Counts bytes that were handed over of the answer of the stream whose task this is.
pub(super) fn answer_goes_on(bytes: usize) {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    // Without a deadline nothing is counted towards it.
    let _ = ANSWERED.try_with(|answer| answer.sent.fetch_add(bytes, Ordering::Relaxed));
}

/// Waits until the client has taken too little for too long since the answer began. Streams share
/// its link, so what it takes of others counts too, but for no more than this one's part of it: an
/// answer that it does not take at all is not kept open by another that it does.
async fn too_slow(answer: &AnswerProgress, requests: &Requests, limit: Duration) {
    answer.begun.notified().await;
    let sent_before = requests.sent();
    let (mut wait, mut earned) = (limit, Duration::ZERO);
    loop {
        tokio::time::sleep(wait).await;
        let own = answer.sent.load(Ordering::Relaxed);
        let for_its_part = own.saturating_mul(requests.under_way().max(1));
        let sent = requests.sent().saturating_sub(sent_before);
        let earned_now = time_for(sent.min(for_its_part)).max(earned);
        wait = earned_now.saturating_sub(earned);
        earned = earned_now;
        if wait.is_zero() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::phase::{ConnectionPhase, ServeCommand};

    const LIMIT: Duration = Duration::from_secs(30);

    /// How long a client may take so many bytes a second, for a hundred seconds at most.
    /// One of `streams`, of which it takes so many bytes of this one.
    async fn seconds(rate: usize, own: usize, streams: usize) -> Option<u64> {
        let requests = Requests::new(ConnectionPhase::new(&ServeCommand::default()));
        let _under_way: Vec<_> = (0..streams).map(|_| requests.begin()).collect();
        let answered = AnswerProgress::default();
        answered.begun.notify_one();
        let take = async {
            for _ in 0..100 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                requests.send(rate);
                answered.sent.fetch_add(own as u64, Ordering::Relaxed);
            }
        };
        let begun = tokio::time::sleep(Duration::ZERO).deadline();
        tokio::select! {
            () = too_slow(&answered, &requests, LIMIT) => {
                let now = tokio::time::sleep(Duration::ZERO).deadline();
                Some(now.duration_since(begun).as_secs())
            }
            () = take => None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_takes_as_much_as_over_http1_or_loses_the_answer() {
        assert_eq!(seconds(0, 0, 1).await, Some(30));
        let half = 8 * 1024;
        let slow = seconds(half, half, 1).await.unwrap();
        assert!((55..65).contains(&slow), "{slow}");
        assert_eq!(seconds(2 * half, 2 * half, 1).await, None);
        // Its link is shared.
        assert_eq!(seconds(2 * half, half, 2).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_not_taken_is_not_kept_open_by_others() {
        assert_eq!(seconds(1 << 20, 0, 100).await, Some(30));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_not_answered_yet_has_no_deadline_here() {
        let requests = Requests::new(ConnectionPhase::new(&ServeCommand::default()));
        let pending = AnswerProgress::default();
        let hour = Duration::from_hours(1);
        let slow = tokio::time::timeout(hour, too_slow(&pending, &requests, LIMIT));
        assert!(slow.await.is_err());
    }
}
