//! The tasks that run beside requests, by name, so that a stop that takes long says what it waits
//! for.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

/// How often a stop that goes on says what it waits for.
const SAID_EVERY: Duration = Duration::from_secs(5);

/// How many tasks of each name run.
type Running = Arc<Mutex<BTreeMap<&'static str, usize>>>;

/// The named tasks of a server.
#[derive(Debug, Default)]
pub(crate) struct BackgroundTasks {
    tracker: TaskTracker,
    running: Running,
}

/// One task that runs; what is dropped, even by a panic, runs no more.
struct Counted {
    name: &'static str,
    running: Running,
}

impl Counted {
    fn new(name: &'static str, running: Running) -> Self {
        {
            let mut names = running.lock().unwrap_or_else(PoisonError::into_inner);
            let count = names.entry(name).or_default();
            *count = count.saturating_add(1);
        }
        Self { name, running }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut names = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = names.get_mut(self.name) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                names.remove(self.name);
            }
        }
    }
}

impl BackgroundTasks {
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        name: &'static str,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let counted = Counted::new(name, Arc::clone(&self.running));
        self.tracker.spawn(async move {
            let ended = task.await;
            drop(counted);
            ended
        })
    }

    /// Returns once every task has ended.
    pub(super) async fn ended(&self) {
        self.tracker.close();
        self.tracker.wait().await;
    }

    /// The names of the tasks that run, in alphabetical order.
    pub(super) fn running(&self) -> String {
        let names = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        names.keys().copied().collect::<Vec<_>>().join(", ")
    }
}

/// Waits for one step of a stop, and says now and then what it waits for.
pub(super) async fn waited<T>(
    waiting_for: impl Fn() -> String,
    step: impl Future<Output = T>,
) -> T {
    let mut step = pin!(step);
    loop {
        if let Ok(ended) = tokio::time::timeout(SAID_EVERY, &mut step).await {
            return ended;
        }
        tracing::info!(waiting_for = waiting_for(), "still stopping");
    }
}

/// As [`waited`], for a step that may be cut off.
pub(super) async fn waited_at_most(
    limit: Duration,
    waiting_for: impl Fn() -> String,
    step: impl Future<Output = ()>,
) {
    if tokio::time::timeout(limit, waited(&waiting_for, step))
        .await
        .is_err()
    {
        tracing::warn!(
            waiting_for = waiting_for(),
            "stopped without waiting any longer: nothing of a payment is left to do here"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn a_task_is_named_until_it_ends() {
        let tasks = BackgroundTasks::default();
        let (release, released) = oneshot::channel::<()>();
        let slow = tasks.spawn("delivery of events", released);
        let failing = tasks.spawn("retention", async { panic!("a task that fails") });
        assert!(failing.await.is_err());
        assert_eq!(tasks.running(), "delivery of events");
        let given_up = waited_at_most(Duration::from_millis(10), || tasks.running(), tasks.ended());
        given_up.await;
        assert_eq!(tasks.running(), "delivery of events");
        release.send(()).expect("it waits");
        slow.await.expect("it ends").expect("it was released");
        tasks.ended().await;
        assert_eq!(tasks.running(), "");
    }
}
