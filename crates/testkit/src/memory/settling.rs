//! Settling references that only a provider knew, in plain lists. It must ask the domain what may
//! be settled, as the stores do.

use super::MemoryTables;
use super::ledger_store::verdict;
use super::reconciliation::{NotedSettlement, Wanted};
use domain::reference_settlement::{ReferenceSettlement, SettledAs};
use domain::transaction::Transaction;
use ports::ledger_store::CommitOutcome;
use ports::operators::SignedEffect;

impl MemoryTables {
    /// Settles a reference that waits.
    pub(super) fn settle(&mut self, settlement: &ReferenceSettlement) -> CommitOutcome {
        let reference = settlement.reference();
        if self.reconciliation.waiting(reference).is_none() {
            return CommitOutcome::ReferenceSettled;
        }
        let settled_as = settlement.settled_as();
        if let Some((account, name, _)) = settlement.parts() {
            let wanted = Wanted {
                account,
                name,
                undated: settlement.undated(),
            };
            let is_it = |tx: &Transaction| tx.account == *account && tx.reference == *name;
            let stored = self.transaction_where(is_it).map(|row| &row.transaction);
            let is_charged = |it: &NotedSettlement| {
                it.is_under(wanted) && matches!(it.settled_as, Some(SettledAs::Charged(_)))
            };
            let charges = matches!(settled_as, SettledAs::Charged(_));
            let twice = charges && self.reconciliation.noted.iter().any(is_charged);
            if !settlement.fits(stored) || twice {
                return CommitOutcome::SettlementUnfounded;
            }
            if charges && self.account(account).is_none() {
                return CommitOutcome::AccountUnknown;
            }
        }
        let transfers: Vec<_> = settlement.transfer().into_iter().collect();
        let wallets = match self.wallets_after(&transfers) {
            Ok(wallets) => wallets,
            Err(unbookable) => return verdict(unbookable),
        };
        let fallen_below = self.fallen_below(&wallets);
        self.put_wallets(wallets);
        let owner = settlement.owner();
        let booked = transfers.into_iter().map(|it| (owner.clone(), it));
        self.transfers.extend(booked);
        if let Some(noted) = self.reconciliation.waiting(reference) {
            noted.settled_as = Some(settled_as);
        }
        if settled_as != SettledAs::Reopened {
            let by = settlement.by().to_owned();
            let settled = SignedEffect::Settlement(reference.clone(), settled_as, by);
            self.decided.push(settled);
        }
        if let Some(below) = fallen_below {
            self.notify_statement_entry((owner, below.currency()), Some(below));
        }
        CommitOutcome::Done
    }
}
