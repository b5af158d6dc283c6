//! The signals a serving process understands. None may end it while money is under way but those
//! that ask it to stop.

use anyhow::Context as _;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask a process to stop.
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

/// The signals that do not: without a handler each of them would end the process at once.
pub(crate) struct OtherSignals {
    hangup: Signal,
    user_1: Signal,
    user_2: Signal,
}

/// What a signal asks for that does not stop the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalRequest {
    /// To read the configuration and the certificate again.
    Reload,
    /// Nothing: the signal has this name and no meaning here.
    Nothing(&'static str),
}

impl StopSignals {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// Returns when one has come.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

impl OtherSignals {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            hangup: listen(SignalKind::hangup())?,
            user_1: listen(SignalKind::user_defined1())?,
            user_2: listen(SignalKind::user_defined2())?,
        })
    }

    /// What the next one asks for.
    pub(crate) async fn next(&mut self) -> SignalRequest {
        tokio::select! {
            _ = self.hangup.recv() => SignalRequest::Reload,
            _ = self.user_1.recv() => SignalRequest::Nothing("SIGUSR1"),
            _ = self.user_2.recv() => SignalRequest::Nothing("SIGUSR2"),
        }
    }
}

fn listen(kind: SignalKind) -> anyhow::Result<Signal> {
    signal(kind).context("signals cannot be listened for")
}
