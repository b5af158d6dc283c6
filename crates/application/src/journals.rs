//! Comparing the attempt journals of this machine with the store. An attempt that the store lacks
//! is opened again as a question to its provider and never sent; payments stay suspended until no
//! journal lacks a row and, where the store was set back, until a person acknowledges it.

mod pass;
mod prune;
mod reopen;

use crate::gateway::Gateway;
use domain::provider::ProviderId;
use pass::{Pass, Progress};
use ports::PortError;
use ports::journal::{JournalId, JournalStanding, JournalledAttempt};
use ports::reconciliation::{Clearance, Registered, SuspensionNumber};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Entries compared with one look at the store.
const PAGE: usize = 2_000;

/// Pages compared in one round, so that a long journal leaves the store to payments in between.
const PAGES_PER_ROUND: usize = 8;

/// How often the store is asked whether payments are suspended, and how long a long journal rests
/// between two parts of it.
const ROUND: Duration = Duration::from_secs(1);

/// How soon a journal that lacks rows is compared again: what kept them from being opened again,
/// such as a wallet without its fundings, may have been mended.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// How often the journal is looked at for what need not be kept any longer.
const PRUNE_AFTER: Duration = Duration::from_mins(10);

/// Compares journals with the store while the gateway runs.
#[derive(Debug)]
pub struct Journals {
    gateway: Gateway,
    own: JournalId,
    /// The comparison under way.
    pass: Option<Pass>,
    /// The suspension that the last whole comparison belongs to, and what it found.
    last: Option<(SuspensionNumber, u64)>,
    /// The uptime from which on journals that lack rows are compared again.
    again_at: Duration,
    /// The uptime from which on the journal is pruned again.
    prune_at: Duration,
}

impl Journals {
    /// Registers the journal of this process and compares the newest entries of every journal that
    /// this machine keeps: a store that was set back lacks those first. What is older is compared
    /// by [`Self::run`].
    ///
    /// # Errors
    /// When a journal or the store failed.
    pub async fn start(gateway: &Gateway) -> Result<Self, PortError> {
        let parts = gateway.parts();
        let all = parts.journal.journals().await?;
        let own = all
            .first()
            .cloned()
            .ok_or_else(|| PortError::new("attempt-journal", "this process has no journal"))?;
        let registered = parts.reconciliation.register(&own).await?;
        let uptime = gateway.uptime();
        let mut journals = Self {
            gateway: gateway.clone(),
            own,
            pass: Some(Pass::over(all)),
            last: None,
            again_at: uptime,
            prune_at: uptime.saturating_add(PRUNE_AFTER),
        };
        let compared = match journals.go_on(1).await {
            Ok(compared) => compared,
            Err(error) => {
                let because = format!("the attempt journal cannot be compared: {error}");
                parts
                    .reconciliation
                    .suspend(&because, Clearance::Records)
                    .await?;
                tracing::error!(%error, "payments are suspended: a journal cannot be compared");
                Progress::Some
            }
        };
        if compared == Progress::NothingJournalled
            && registered == Registered::New
            && parts.reconciliation.has_transactions().await?
        {
            let because = "this instance has no journal of the payments that are stored, and no \
                           other instance serves them";
            parts
                .reconciliation
                .suspend(because, Clearance::Records)
                .await?;
            tracing::error!("payments are suspended: no journal vouches for the database");
        }
        Ok(journals)
    }

    /// Compares until it is stopped, and ends the use of the journal then.
    pub async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "the attempt journal could not be compared");
            }
            self.gateway.pause(ROUND, &stop).await;
        }
    }

    /// Notes that this process ended in order: nothing waits for its journal from now on.
    pub async fn release(gateway: &Gateway, own: &JournalId) {
        if let Err(error) = gateway.parts().reconciliation.release(own).await {
            tracing::warn!(%error, "the attempt journal was not released");
        }
    }

    /// The journal that this process writes.
    pub const fn own(&self) -> &JournalId {
        &self.own
    }

    /// One round: goes on with a comparison, or begins one where payments were suspended since the
    /// last.
    ///
    /// # Errors
    /// When a journal or the store failed.
    pub async fn round(&mut self) -> Result<(), PortError> {
        let parts = self.gateway.parts();
        if self.pass.is_none() && self.is_wanted().await? {
            let all = parts.journal.journals().await?;
            self.pass = Some(Pass::over(all));
        }
        self.go_on(PAGES_PER_ROUND).await?;
        let uptime = self.gateway.uptime();
        if self.pass.is_none() && uptime >= self.prune_at {
            self.prune_at = uptime.saturating_add(PRUNE_AFTER);
            self.gateway.prune_journal().await?;
        }
        Ok(())
    }

    /// Whether the journals must be compared once more.
    async fn is_wanted(&self) -> Result<bool, PortError> {
        let Some((since, missing)) = self.last else {
            return Ok(true);
        };
        if missing > 0 {
            return Ok(self.gateway.uptime() >= self.again_at);
        }
        let number = self.gateway.parts().reconciliation.compare(&[]).await?;
        Ok(number.suspension != since)
    }

    /// Compares some pages of the comparison under way.
    async fn go_on(&mut self, pages: usize) -> Result<Progress, PortError> {
        let Some(mut pass) = self.pass.take() else {
            return Ok(Progress::Done);
        };
        for _ in 0..pages {
            match pass.page(&self.gateway).await {
                Ok(Progress::Some) => {}
                Ok(ended) => {
                    self.finish(&pass).await?;
                    return Ok(ended);
                }
                Err(error) => {
                    // It goes on where it was.
                    self.pass = Some(pass);
                    return Err(error);
                }
            }
        }
        self.pass = Some(pass);
        Ok(Progress::Some)
    }

    /// Notes what a whole comparison found.
    async fn finish(&mut self, pass: &Pass) -> Result<(), PortError> {
        let Some(since) = pass.since() else {
            return Ok(());
        };
        for (journal, missing) in pass.found() {
            let reconciliation = &self.gateway.parts().reconciliation;
            reconciliation.compared(journal, missing, since).await?;
        }
        let missing = pass.missing();
        if missing > 0 {
            tracing::error!(
                missing,
                "journalled attempts have no row and cannot be opened again"
            );
        }
        if pass.has_reopened() {
            // What a provider reported of them meanwhile had no transaction to be applied to.
            let changes = &self.gateway.parts().changes;
            changes.make_due(self.gateway.now()).await?;
        }
        self.last = Some((since, missing));
        self.again_at = self.gateway.uptime().saturating_add(AGAIN_AFTER);
        Ok(())
    }
}

/// Whether the store must have what an entry shows: an attempt that may have been sent, or a
/// transaction that the gateway books alone, once it is certain that it was stored. To book one
/// whose commit is uncertain could do what its merchant was refused.
fn must_be_stored(entry: &JournalledAttempt) -> bool {
    match entry.standing {
        JournalStanding::Confirmed => true,
        JournalStanding::Unknown => entry.provider.as_str() != ProviderId::GATEWAY,
        JournalStanding::NeverSent => false,
    }
}
