//! Money work runs in tasks of its own, so that a client that hangs up cannot cancel it half way.
//! This is the one place in this crate that spawns; shutdown waits for everything spawned here.

use crate::request_error::RequestError;
use std::future::Future;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

/// Places for background work on transactions that were claimed.
#[derive(Debug)]
pub(crate) struct WorkPlaces(Arc<Semaphore>);

impl WorkPlaces {
    pub(crate) fn new(count: usize) -> Self {
        Self(Arc::new(Semaphore::new(count)))
    }

    /// How many are free.
    pub(crate) fn free(&self) -> u32 {
        u32::try_from(self.0.available_permits()).unwrap_or(u32::MAX)
    }

    /// Returns once so many are free at a time.
    pub(crate) async fn are_free(&self, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        // Nothing closes the semaphore. They are given back at once: one taker has them all.
        drop(self.0.acquire_many(count).await);
    }

    /// Starts work in a place of its own; `None` where none is free. The place is taken here and
    /// not in the task, so that the next claim counts it. No other code takes places, so there is
    /// one for each that was counted free; without one the lease would bring the transaction back.
    pub(crate) fn start<F>(&self, tasks: &Tasks, work: F) -> Option<JoinHandle<()>>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let place = Arc::clone(&self.0).try_acquire_owned().ok()?;
        Some(tasks.spawn(async move {
            work.await;
            drop(place);
        }))
    }
}

/// The tasks of a gateway.
#[derive(Debug, Clone)]
pub(crate) struct Tasks {
    tracker: TaskTracker,
    places: Arc<Semaphore>,
}

impl Tasks {
    pub(crate) fn new(payments_max: usize) -> Self {
        let places = payments_max.min(Semaphore::MAX_PERMITS);
        Self {
            tracker: TaskTracker::new(),
            places: Arc::new(Semaphore::new(places)),
        }
    }

    /// How many more payments may be started.
    pub(crate) fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// Starts a payment, unless the gateway is draining or full.
    pub(crate) fn start_payment<F>(&self, payment: F) -> Result<(), RequestError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        // Counted before the drain is checked: one that begins in between waits for this one.
        let _counted = self.tracker.token();
        if self.tracker.is_closed() {
            return Err(RequestError::Draining);
        }
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return Err(RequestError::Saturated);
        };
        self.spawn(async move {
            payment.await;
            drop(place);
        });
        Ok(())
    }

    /// Starts background work that shutdown waits for.
    pub(crate) fn spawn<F>(&self, work: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        self.tracker.spawn(work)
    }

    /// Refuses new payments and waits for everything under way.
    pub(crate) async fn drain(&self) {
        self.tracker.close();
        self.tracker.wait().await;
    }
}
