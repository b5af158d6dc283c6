//! Accounts at providers that operators paused. The signed log of operators is the only record: an
//! account is paused while its last signed act there is a pause. A pause must never change what was
//! given to a provider before.

use crate::availability::{Availability, PausedProviders};
use crate::operators::{Operators, is_signed};
use domain::operator::{Act, Actor, OperatorName, OperatorOrder, Roster};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often an instance looks for new acts. A pause is obeyed by every instance within this and
/// the time of one query; a look costs one read of an index.
const READ_INTERVAL: Duration = Duration::from_secs(1);

/// The acts that pauses are read from: who is an operator, and what operators said.
const ACTS: [Act; 4] = [
    Act::OperatorAdd,
    Act::OperatorRevoke,
    Act::ProviderPause,
    Act::ProviderResume,
];

/// A pause of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderPause {
    /// The operator who paused it.
    pub by: OperatorName,
    /// Since when.
    pub since: Timestamp,
    /// Why, in the operator's words.
    pub reason: String,
}

impl ProviderPause {
    /// Most characters of a reason: it is one line of a table.
    pub const REASON_LENGTH_MAX: usize = 200;

    /// What an operator signs to pause an account.
    pub fn order(provider: &ProviderId, reason: &str) -> OperatorOrder {
        let order = OperatorOrder::new(Act::ProviderPause);
        order.under(provider).with(reason)
    }

    /// What an operator signs to end a pause.
    pub fn end(provider: &ProviderId) -> OperatorOrder {
        OperatorOrder::new(Act::ProviderResume).under(provider)
    }
}

impl Operators {
    /// The accounts that are paused. An entry that no operator of its moment signed counts for
    /// nothing here, neither a pause nor its end: the audit names it (I19).
    ///
    /// # Errors
    /// When the store failed.
    pub async fn paused_providers(&self) -> Result<PausedProviders, PortError> {
        let mut roster = Roster::default();
        let mut paused = PausedProviders::new();
        for entry in self.log.of_acts(&ACTS).await? {
            let Actor::Operator(by) = &entry.actor else {
                continue;
            };
            if !is_signed(&entry, &roster) {
                continue;
            }
            // Of an entry that is refused nothing is taken in.
            let _ = roster.take_in(&entry);
            let Ok(provider) = ProviderId::parse(&entry.order.reference) else {
                continue;
            };
            if entry.order.act == Act::ProviderPause {
                let pause = ProviderPause {
                    by: by.clone(),
                    since: entry.at,
                    reason: entry.order.detail.clone(),
                };
                paused.insert(provider, pause);
            } else if entry.order.act == Act::ProviderResume {
                paused.remove(&provider);
            }
        }
        Ok(paused)
    }
}

/// Reads the pauses again and again, so that every instance obeys what is signed at any.
#[derive(Debug)]
pub struct PauseReader {
    operators: Operators,
    availability: Arc<Availability>,
    /// The last entry of the log that was taken in.
    read_until: Option<u64>,
    is_failing: bool,
}

impl PauseReader {
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
        let paused = self.operators.paused_providers().await?;
        report(&self.availability.paused(), &paused);
        self.availability.set_paused(paused);
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
                        "pauses of providers were not read; those that are known stay in force");
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
