//! Reads what operators said: pauses of providers, maintenance that was announced, and the freeze
//! of every account's payments. A failure of the store must leave in force what was read before.

use crate::announced_maintenance::MaintenanceNotice;
use crate::availability::{Availability, OperatorsSaid, PausedProviders};
use crate::operators::Operators;
use crate::payment_freeze::PaymentFreeze;
use crate::provider_pauses::ProviderPause;
use ports::PortError;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often an instance looks for new acts. Each is obeyed by every instance within this and the
/// time of one query; a look costs one read of an index.
const READ_INTERVAL: Duration = Duration::from_secs(1);

/// Reads the log again and again, so that every instance obeys what is signed at any.
#[derive(Debug)]
pub struct AvailabilityReader {
    operators: Operators,
    availability: Arc<Availability>,
    /// The last entry of the log that was taken in.
    read_until: Option<u64>,
    is_failing: bool,
}

impl AvailabilityReader {
    /// A reader that has read nothing yet.
    pub const fn new(operators: Operators, availability: Arc<Availability>) -> Self {
        Self {
            operators,
            availability,
            read_until: None,
            is_failing: false,
        }
    }

    /// Takes in what was signed since the last time. Wait for it once before the first payment is
    /// let in.
    ///
    /// # Errors
    /// When the store failed: what was read before stays in force.
    pub async fn read(&mut self) -> Result<(), PortError> {
        let last = self.operators.log.last().await?.map(|it| it.number);
        if self.read_until.is_some() && self.read_until == last.or(Some(0)) {
            return Ok(());
        }
        let said = OperatorsSaid {
            paused: self.operators.paused_providers().await?,
            announced: self.operators.announced_maintenance().await?,
            frozen: self.operators.frozen_payments().await?,
        };
        report(&self.availability.paused(), &said.paused);
        report_maintenance(&self.availability.announced(), &said.announced);
        report_freeze(self.availability.frozen().as_deref(), said.frozen.as_ref());
        self.availability.set(said);
        self.read_until = last.or(Some(0));
        Ok(())
    }

    /// Reads until it is stopped.
    pub async fn run(mut self, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = self.operators.clock.sleep(READ_INTERVAL) => {}
                () = stop.cancelled() => return,
            }
            match self.read().await {
                Ok(()) => self.is_failing = false,
                Err(error) if !self.is_failing => {
                    self.is_failing = true;
                    tracing::warn!(%error,
                        "what operators said was not read; what is known stays in force");
                }
                Err(_) => {}
            }
        }
    }
}

/// Logs what changed.
fn report(before: &PausedProviders, after: &PausedProviders) {
    for (provider, pause) in after {
        if before.get(provider) != Some(pause) {
            let ProviderPause { by, reason, .. } = pause;
            tracing::warn!(%provider, %by, reason, "a provider is paused: it is given nothing new");
        }
    }
    for provider in before.keys().filter(|it| !after.contains_key(*it)) {
        tracing::info!(%provider, "a provider is no longer paused");
    }
}

/// Logs that payments were frozen, or go on.
fn report_freeze(before: Option<&PaymentFreeze>, after: Option<&PaymentFreeze>) {
    if before == after {
        return;
    }
    if let Some(PaymentFreeze { by, reason, .. }) = after {
        tracing::warn!(%by, reason, "payments are frozen: nothing new is paid");
    } else {
        tracing::info!("payments are no longer frozen");
    }
}

/// Logs what was announced, and what is over or ended before its time.
fn report_maintenance(before: &[MaintenanceNotice], after: &[MaintenanceNotice]) {
    for MaintenanceNotice { time, by, reason } in after.iter().filter(|it| !before.contains(it)) {
        tracing::warn!(%time, %by, reason, "maintenance is announced");
    }
    for MaintenanceNotice { time, .. } in before.iter().filter(|it| !after.contains(it)) {
        tracing::info!(%time, "maintenance is not announced any more");
    }
}
