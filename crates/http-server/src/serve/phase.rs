//! Where a connection stands between two requests. It must not know what the requests are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Phase {
    /// A new connection that has sent nothing yet.
    Fresh,
    /// Part of a request's head has been read.
    Head,
    /// A request is being read or worked on.
    Busy,
    /// The answer is decided and may not be written yet.
    Answering,
    /// The answer is written and no byte of the next request has come.
    Idle,
}

impl Phase {
    /// Whether the next byte is the first of a request.
    pub(super) fn awaits_first_byte(self) -> bool {
        matches!(self, Self::Fresh | Self::Idle)
    }

    /// Whether the bytes of a request's head are what is waited for.
    pub(super) fn awaits_head(self) -> bool {
        matches!(self, Self::Fresh | Self::Head | Self::Idle)
    }
}

/// The phase of one connection, known to its input and output and to its service. Both run in one
/// task, so no ordering between threads is needed beyond the task's own.
#[derive(Debug, Clone)]
pub(super) struct Shared(Arc<AtomicU8>);

impl Shared {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU8::new(Phase::Fresh as u8)))
    }

    pub(super) fn set(&self, phase: Phase) {
        self.0.store(phase as u8, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> Phase {
        let stored = self.0.load(Ordering::Relaxed);
        [Phase::Fresh, Phase::Head, Phase::Busy, Phase::Answering]
            .into_iter()
            .find(|phase| *phase as u8 == stored)
            .unwrap_or(Phase::Idle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_what_is_read() {
        let shared = Shared::new();
        assert_eq!(shared.get(), Phase::Fresh);
        for phase in [Phase::Head, Phase::Busy, Phase::Answering, Phase::Idle] {
            shared.set(phase);
            assert_eq!(shared.get(), phase);
        }
    }
}
