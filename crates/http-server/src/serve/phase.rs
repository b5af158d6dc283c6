//! The phase of a connection between two requests. It must not know the requests.

use std::any::Any;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The phase of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// A new connection that has sent nothing yet.
    Fresh,
    /// Part of a request's head has been read.
    Head,
    /// A request is being read or processed.
    Busy,
    /// The answer is decided and may not be written yet.
    Answering,
    /// The answer is written and no byte of the next request has arrived.
    Idle,
}

impl Phase {
    /// Whether the next byte is the first of a request.
    pub(super) fn awaits_first_byte(self) -> bool {
        matches!(self, Self::Fresh | Self::Idle)
    }

    /// Whether the rest of a request's head is awaited.
    pub(super) fn awaits_head(self) -> bool {
        matches!(self, Self::Fresh | Self::Head | Self::Idle)
    }
}

/// Numbers the moments at which connections began to wait.
#[derive(Debug, Clone, Default)]
pub(super) struct ServeCommand(Arc<AtomicU64>);

/// The phase of one connection, shared by its input and output, its service and the connection
/// slots. The first two run in one task, so no ordering between threads is needed beyond the task's
/// own; the slots look only for a connection that most likely waits.
#[derive(Debug, Clone)]
pub(super) struct ConnectionPhase(Arc<State>);

#[derive(Debug)]
struct State {
    phase: AtomicU8,
    /// The number of the moment at which it began to wait for a request.
    since: AtomicU64,
    order: ServeCommand,
    /// The value that is kept until the answer is written.
    held: Mutex<Option<PhaseHandle>>,
}

/// A value of any type, released when it is dropped.
pub(super) type PhaseHandle = Arc<dyn Any + Send + Sync>;

impl ConnectionPhase {
    pub(super) fn new(order: &ServeCommand) -> Self {
        Self(Arc::new(State {
            phase: AtomicU8::new(Phase::Fresh as u8),
            since: AtomicU64::new(order.next()),
            order: order.clone(),
            held: Mutex::default(),
        }))
    }

    pub(super) fn set(&self, phase: Phase) {
        if phase.awaits_first_byte() {
            self.0.since.store(self.0.order.next(), Ordering::Relaxed);
            self.hold(None);
        }
        self.0.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Keeps a value until the answer is written, or the connection ends.
    pub(super) fn hold(&self, held: Option<PhaseHandle>) {
        let mut slot = self.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = held;
    }

    pub(super) fn get(&self) -> Phase {
        let stored = self.0.phase.load(Ordering::Relaxed);
        [Phase::Fresh, Phase::Head, Phase::Busy, Phase::Answering]
            .into_iter()
            .find(|phase| *phase as u8 == stored)
            .unwrap_or(Phase::Idle)
    }

    /// The number of the moment since which it waits for a request, where it does.
    pub(super) fn waits_since(&self) -> Option<u64> {
        let waits = self.get().awaits_head();
        waits.then(|| self.0.since.load(Ordering::Relaxed))
    }
}

impl ServeCommand {
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_what_is_read() {
        let shared = ConnectionPhase::new(&ServeCommand::default());
        assert_eq!(shared.get(), Phase::Fresh);
        for phase in [Phase::Head, Phase::Busy, Phase::Answering, Phase::Idle] {
            shared.set(phase);
            assert_eq!(shared.get(), phase);
        }
    }

    #[test]
    fn what_is_held_is_let_go_once_the_answer_is_written_or_the_connection_ends() {
        let shared = ConnectionPhase::new(&ServeCommand::default());
        let held: PhaseHandle = Arc::new("a turn");
        shared.hold(Some(Arc::clone(&held)));
        shared.set(Phase::Answering);
        assert_eq!(Arc::strong_count(&held), 2);
        shared.set(Phase::Idle);
        assert_eq!(Arc::strong_count(&held), 1);
        shared.hold(Some(Arc::clone(&held)));
        drop(shared);
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[test]
    fn a_connection_waits_from_its_first_moment_and_from_each_answer_on() {
        let order = ServeCommand::default();
        let (first, second) = (ConnectionPhase::new(&order), ConnectionPhase::new(&order));
        assert!(first.waits_since() < second.waits_since());
        first.set(Phase::Head);
        assert!(first.waits_since() < second.waits_since());
        for phase in [Phase::Busy, Phase::Answering] {
            first.set(phase);
            assert_eq!(first.waits_since(), None);
        }
        first.set(Phase::Idle);
        assert!(first.waits_since() > second.waits_since());
    }
}
