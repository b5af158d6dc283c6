//! The permit to send: asked for by a provider's adapter right before its first byte, so that an
//! attempt which was taken over or has waited too long is never sent. A permit must never be
//! decided by the wall clock of this machine.

use crate::clock::Clock;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;

/// How long writing may begin after the store was asked, or the commit that stands for its answer
/// was begun: longer than the step from the permit to the first byte takes, and a small part of
/// the quarantine of any provider.
pub const PERMIT_VALID: Duration = Duration::from_secs(1);

/// Permission to send one attempt.
#[async_trait]
pub trait SendPermit: Send + Sync + std::fmt::Debug {
    /// Whether the attempt may be sent now. An adapter asks once its connection stands, immediately
    /// before it writes; it may ask again, but writes once.
    ///
    /// # Errors
    /// When the attempt must not be sent, or nothing proves that it may: the adapter writes nothing
    /// and answers [`domain::provider::SubmitOutcome::NotSent`].
    async fn ask(&self) -> Result<Granted, Withheld>;
}

/// Why an attempt must not be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Withheld {
    /// Too much time has passed since the attempt was recorded.
    #[error("the attempt was not sent in time")]
    BudgetSpent,
    /// The attempt is no longer this instance's to send.
    #[error("the attempt is no longer this instance's to send")]
    TakenOver,
    /// The store did not say that the attempt may be sent.
    #[error("the store did not confirm that the attempt may be sent")]
    Unconfirmed,
    /// The permit was granted, and ended before writing began.
    #[error("the permit ended before writing began")]
    Ended,
}

/// A granted permit. It proves nothing until [`Self::begin_writing`] was called.
#[derive(Debug)]
#[must_use = "a permit counts only with `begin_writing`, immediately before the first byte"]
pub struct Granted {
    clock: Arc<dyn Clock>,
    until: Duration,
}

impl Granted {
    /// A permit by the uptime of a clock, valid as long as the uptime is less than `until`.
    pub const fn until(clock: Arc<dyn Clock>, until: Duration) -> Self {
        Self { clock, until }
    }

    /// Uses the permit up. Call it immediately before the first byte is written, with nothing to
    /// wait for in between.
    ///
    /// # Errors
    /// When the permit has ended: nothing may be written.
    pub fn begin_writing(self) -> Result<(), Withheld> {
        if self.clock.uptime() < self.until {
            Ok(())
        } else {
            Err(Withheld::Ended)
        }
    }
}
