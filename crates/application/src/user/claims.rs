//! Paying what waited for an account to have an address, once one has it. A transfer must be paid
//! once, to an account that has the address.

use crate::gateway::Gateway;
use crate::payment::entry::Entry;
use domain::change_set::ChangeSet;
use domain::reference::TransactionNumber;
use domain::transaction::{ApplyContext, Observation, Transaction, Transition};
use domain::user::Payee;
use ports::ledger_store::CommitOutcome;
use ports::transactions::ClaimableTransfer;
use ports::{CommitState, PortError};
use std::collections::HashMap;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often accounts are looked for: an operator who has just entered an address waits this long,
/// and each look reads every transfer that waits.
const PAUSE: Duration = Duration::from_secs(5);

/// Most transfers that are paid at a time.
const CLAIMED_MAX: u32 = 256;

/// How often a transfer is read back whose commit may have been made.
const REREADS_MAX: u8 = 5;

/// How long is waited before it is read once more.
const REREAD_PAUSE: Duration = Duration::from_secs(1);

/// Pays what waits for an account.
#[derive(Debug)]
pub struct ClaimWorker {
    gateway: Gateway,
    /// What was refused, and until when in uptime it is left alone.
    refused: HashMap<TransactionNumber, Duration>,
}

impl ClaimWorker {
    /// The worker of a gateway.
    pub fn new(gateway: &Gateway) -> Self {
        Self {
            gateway: gateway.clone(),
            refused: HashMap::new(),
        }
    }

    /// Works until it is stopped.
    pub async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.sweep(&stop).await {
                tracing::error!(%error, "transfers to new accounts could not be looked for");
            }
            self.gateway.pause(PAUSE, &stop).await;
        }
    }

    /// One round, cut short where it is stopped; returns how many were paid.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn sweep(&mut self, stop: &CancellationToken) -> Result<usize, PortError> {
        let parts = self.gateway.parts();
        if parts.reconciliation.suspension().await?.is_some() {
            return Ok(0);
        }
        let uptime = self.gateway.uptime();
        self.refused.retain(|_, until| uptime < *until);
        let mut paid = 0;
        for claimable in parts.leases.claimable(CLAIMED_MAX).await? {
            if stop.is_cancelled() || self.gateway.payment_freeze().is_some() {
                break;
            }
            let number = claimable.transaction.number;
            if self.refused.contains_key(&number) {
                continue;
            }
            if self.gateway.claim(claimable).await {
                paid += 1;
            } else {
                let until = uptime.saturating_add(parts.settings.lease);
                self.refused.insert(number, until);
            }
        }
        Ok(paid)
    }
}

impl Gateway {
    /// Pays a transfer that waited; `false` where it still waits, or that is not known.
    async fn claim(&self, claimable: ClaimableTransfer) -> bool {
        let ClaimableTransfer { transaction, payee } = claimable;
        if !self.is_identified(&transaction, &payee).await {
            let (number, payee) = (transaction.number, payee.account);
            tracing::error!(txnReference = %number, %payee,
                "has not the identity that the transfer is for; a row of the queue may be forged");
            return false;
        }
        let now = self.now();
        let profile = self.profile_of(&transaction);
        let observation = Observation::Claimed(payee);
        let context = ApplyContext::new(now, &profile);
        let Transition::Changed(mut step) = transaction.apply(&observation, context) else {
            return false;
        };
        let after = step.transaction.clone();
        step.undated = self.undated_references(&after.account, &after.reference);
        let is_booked = after.is_booked();
        let entry = async {
            if is_booked {
                Some(Entry::append(self, &after).await)
            } else {
                None
            }
        };
        let (committed, entry) = tokio::join!(self.commit(ChangeSet::Advance(step), &after), entry);
        match committed {
            Ok(CommitOutcome::Done) => {
                entry.map(Entry::confirm);
                is_booked
            }
            Ok(refused) => {
                entry.inspect(Entry::void);
                let number = after.number;
                tracing::info!(txnReference = %number, ?refused,
                    "a transfer that waits is not paid");
                false
            }
            Err(error) if error.effect == CommitState::Nothing => {
                entry.inspect(Entry::void);
                false
            }
            Err(_) => self.reread(&after, entry).await,
        }
    }

    /// Whether an account has the identity that a transfer is for, now: the row that led to it is
    /// not sealed, and the order is.
    async fn is_identified(&self, transaction: &Transaction, payee: &Payee) -> bool {
        let (accounts, order) = (&self.parts().accounts, &transaction.order);
        let Some(identity) = order.awaited() else {
            return false;
        };
        let Ok(Some(owner)) = accounts.credentials(&transaction.account).await else {
            return false;
        };
        let environment = owner.account.environment;
        let found = accounts.account_by_identity(environment, identity).await;
        found.is_ok_and(|found| found.is_some_and(|found| found.id == payee.account))
    }

    /// The commit's outcome was lost: what is stored is the truth, and the journal is to know it.
    async fn reread(&self, planned: &Transaction, entry: Option<Entry>) -> bool {
        let transactions = &self.parts().transactions;
        for _ in 0..REREADS_MAX {
            let stored = transactions
                .by_reference(&planned.account, &planned.reference)
                .await;
            match stored {
                Ok(Some(stored)) => {
                    let is_paid = stored.is_booked() && stored.payee() == planned.payee();
                    if is_paid {
                        entry.map(Entry::confirm);
                    }
                    return is_paid;
                }
                Ok(None) => return false,
                Err(error) => {
                    let number = planned.number;
                    tracing::warn!(%error, txnReference = %number, "a claim was not read back");
                    self.wait(REREAD_PAUSE).await;
                }
            }
        }
        false
    }
}
