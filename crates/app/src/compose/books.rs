//! What the sandbox provider's journal says, for comparison with ours. It must not judge.

use std::path::Path;

use anyhow::Context as _;
use domain::provider::ProviderId;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::audit::Serving;
use ports::clock::Clock as _;
use provider_sim::journal::{EntryEffect, ReadError};

use super::AdminContext;
use super::sandbox::journal_path;
use super::sandbox_clock::SandboxClock;
use crate::provider_reconciliation::{self, Fact, Judged, ProviderEntry};

impl AdminContext {
    /// Our attempts, the journals of the sandbox's accounts, and our attempts again. They are one
    /// comparison, so that an order which two accounts delivered is found.
    /// `None` where we have attempts and the journal of their account is not here.
    pub(crate) async fn ledger_and_journal(
        &self,
        serving: Serving,
    ) -> anyhow::Result<Option<provider_reconciliation::LedgerPair>> {
        let mut all = provider_reconciliation::LedgerPair::default();
        for provider in &self.sandboxes {
            let Some(pair) = self.ledger_and_journal_of(provider, serving).await? else {
                return Ok(None);
            };
            all.before.extend(pair.before);
            all.theirs.extend(pair.theirs);
            all.after.extend(pair.after);
            all.noted.extend(pair.noted);
        }
        Ok(Some(all))
    }

    async fn ledger_and_journal_of(
        &self,
        provider: &ProviderId,
        serving: Serving,
    ) -> anyhow::Result<Option<provider_reconciliation::LedgerPair>> {
        let read = self.changes.cursor(provider).await?;
        let asked_at = self.now();
        let before = self.audit.attempts(provider).await?;
        let path = journal_path(&self.data, provider);
        let entries = sandbox_journal(&path)?;
        // One without an entry was made here by a command that asked: the server that the attempts
        // are of keeps its own elsewhere.
        if !before.is_empty() && entries.is_empty() {
            return Ok(None);
        }
        let after = self.audit.attempts(provider).await?;
        let noted = self.reconciliation.noted(provider).await?;
        let now = SandboxClock::read(&self.data).now();
        // What was due before both is booked by now, or it was passed over.
        let read_at = read.map(|cursor| cursor.read_at);
        let read_at = match serving {
            Serving::Yes => read_at.max(Some(asked_at)),
            Serving::No => read_at,
        };
        let judged = |since: Timestamp| {
            let overdue =
                read_at.is_some_and(|read_at| read_at > since.plus(provider_reconciliation::GRACE));
            if overdue {
                Judged::Overdue
            } else {
                Judged::Young
            }
        };
        let witnessed = entries.into_iter().map(|entry| ProviderEntry {
            fact: match entry.effects(now) {
                EntryEffect::Awaited => Fact::Awaited,
                EntryEffect::Refused => Fact::Refused,
                EntryEffect::Delivered => Fact::Delivered,
                EntryEffect::Reversed => Fact::Reversed(judged(entry.reversed_at().unwrap_or(now))),
            },
            ordered: entry.ordered,
            delivered: entry.amount,
            reference: entry.reference,
        });
        let theirs = witnessed.collect();
        Ok(Some(provider_reconciliation::LedgerPair {
            before,
            theirs,
            after,
            noted,
        }))
    }

    /// The providers whose record is not compared with our attempts: those that are configured, are
    /// not the sandbox, and were given any.
    pub(crate) async fn not_compared(&self) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for provider in &self.elsewhere {
            if !self.audit.attempts(provider).await?.is_empty() {
                names.push(provider.to_string());
            }
        }
        Ok(names)
    }

    /// Every reference the sandbox provider was ever asked under.
    pub(crate) fn sandbox_references(&self) -> anyhow::Result<Vec<ProviderReference>> {
        let mut references = Vec::new();
        for provider in &self.sandboxes {
            let entries = sandbox_journal(&journal_path(&self.data, provider))?;
            references.extend(entries.into_iter().map(|entry| entry.reference));
        }
        Ok(references)
    }
}

/// The provider's journal; a provider that was never asked has none.
fn sandbox_journal(path: &Path) -> anyhow::Result<Vec<provider_sim::journal::SandboxEntry>> {
    match provider_sim::journal::read(path) {
        Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.with_context(|| format!("{} cannot be compared", path.display())),
    }
}
