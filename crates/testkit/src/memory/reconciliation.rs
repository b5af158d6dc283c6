//! Suspending payments and resuming them, in plain lists.

use super::{MemoryStore, Shelves};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::{MerchantReference, ProviderReference};
use domain::transaction::Transaction;
use ports::PortError;
use ports::journal::JournalId;
use ports::reconciliation::{
    Acknowledgement, Clearance, Comparison, JournalState, Reconciliation, ReferencedAttempt,
    Registered, Suspension, SuspensionNumber, UnsettledReference,
};

/// What is known of suspensions.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    suspension: Option<Suspension>,
    number: i64,
    journals: Vec<JournalRow>,
    unsettled: Vec<UnsettledReference>,
}

#[derive(Debug, Clone)]
struct JournalRow {
    journal: JournalId,
    in_use: bool,
    compared: Option<i64>,
    missing: u64,
}

impl Ledger {
    pub(super) const fn is_suspended(&self) -> bool {
        self.suspension.is_some()
    }

    pub(super) fn is_unsettled(&self, account: &AccountId, name: &MerchantReference) -> bool {
        self.unsettled.iter().any(|it| {
            it.reference
                .parts()
                .is_some_and(|(of, under, _)| of == *account && under == *name)
        })
    }

    pub(super) fn suspend(&mut self, because: &str, clearance: Clearance) {
        let stays = |now: &Suspension| now.clearance >= clearance;
        if self.suspension.as_ref().is_some_and(stays) {
            return;
        }
        if self.suspension.is_none() {
            self.number += 1;
        }
        self.suspension = Some(Suspension {
            since: "2026-11-21T10:00:00Z".to_owned(),
            because: because.to_owned(),
            clearance,
        });
    }

    pub(super) fn resume(&mut self) {
        self.suspension = None;
    }

    fn row(&mut self, journal: &JournalId) -> Option<&mut JournalRow> {
        self.journals.iter_mut().find(|row| row.journal == *journal)
    }
}

impl Shelves {
    fn has_row(&self, key: &ReferencedAttempt) -> bool {
        let is_it = |tx: &Transaction| tx.account == key.account && tx.reference == key.reference;
        self.transaction_where(is_it)
            .is_some_and(|row| row.transaction.attempt() >= key.attempt)
    }
}

#[async_trait]
impl Reconciliation for MemoryStore {
    async fn suspension(&self) -> Result<Option<Suspension>, PortError> {
        Ok(self.shelves().reconciliation.suspension.clone())
    }

    async fn suspend(&self, because: &str, clearance: Clearance) -> Result<(), PortError> {
        self.shelves().reconciliation.suspend(because, clearance);
        Ok(())
    }

    async fn has_attempts(&self) -> Result<bool, PortError> {
        Ok(!self.shelves().transactions.is_empty())
    }

    async fn compare(&self, attempts: &[ReferencedAttempt]) -> Result<Comparison, PortError> {
        let shelves = self.shelves();
        let places = attempts.iter().enumerate();
        let without_row = places.filter(|(_, key)| !shelves.has_row(key));
        Ok(Comparison {
            without_row: without_row.map(|(place, _)| place).collect(),
            suspension: SuspensionNumber(shelves.reconciliation.number),
        })
    }

    async fn register(&self, journal: &JournalId) -> Result<Registered, PortError> {
        let known = &mut self.shelves().reconciliation;
        if let Some(row) = known.row(journal) {
            row.in_use = true;
            return Ok(Registered::Known);
        }
        known.journals.push(JournalRow {
            journal: journal.clone(),
            in_use: true,
            compared: None,
            missing: 0,
        });
        Ok(Registered::New)
    }

    async fn compared(
        &self,
        journal: &JournalId,
        missing: u64,
        since: SuspensionNumber,
    ) -> Result<(), PortError> {
        let known = &mut self.shelves().reconciliation;
        if let Some(row) = known.row(journal) {
            row.compared = Some(since.0);
            row.missing = missing;
        }
        let (number, suspension) = (known.number, known.suspension.as_ref());
        let by_journals = suspension.is_some_and(|it| it.clearance == Clearance::Journals);
        let mut in_use = known.journals.iter().filter(|row| row.in_use);
        if by_journals && in_use.all(|row| row.compared == Some(number) && row.missing == 0) {
            known.resume();
        }
        Ok(())
    }

    async fn release(&self, journal: &JournalId) -> Result<(), PortError> {
        let known = &mut self.shelves().reconciliation;
        if let Some(row) = known.row(journal).filter(|row| row.missing == 0) {
            row.in_use = false;
        }
        Ok(())
    }

    async fn journals(&self) -> Result<Vec<JournalState>, PortError> {
        let known = &self.shelves().reconciliation;
        let mut states: Vec<_> = known
            .journals
            .iter()
            .map(|row| JournalState {
                journal: row.journal.clone(),
                in_use: row.in_use,
                compared: row.compared == Some(known.number),
                missing: row.missing,
            })
            .collect();
        states.sort_by(|a, b| a.journal.cmp(&b.journal));
        Ok(states)
    }

    async fn missing(
        &self,
        references: &[ProviderReference],
    ) -> Result<Vec<ProviderReference>, PortError> {
        let shelves = self.shelves();
        let has = |wanted: &ProviderReference| {
            wanted.parts().is_some_and(|(account, reference, attempt)| {
                shelves.has_row(&ReferencedAttempt {
                    account,
                    reference,
                    attempt,
                })
            })
        };
        let mut missing: Vec<_> = references.iter().filter(|it| !has(it)).cloned().collect();
        missing.sort();
        Ok(missing)
    }

    async fn acknowledge(&self, word: &Acknowledgement) -> Result<bool, PortError> {
        let known = &mut self.shelves().reconciliation;
        if known.suspension.is_none() {
            return Ok(false);
        }
        known.resume();
        let number = known.number;
        for row in &mut known.journals {
            row.in_use &= row.compared == Some(number) && row.missing == 0;
        }
        for reference in &word.missing {
            let noted = known.unsettled.iter().any(|it| it.reference == *reference);
            if !noted && reference.parts().is_some() {
                known.unsettled.push(UnsettledReference {
                    reference: reference.clone(),
                    provider: word.provider.clone(),
                    since: "2026-11-21T10:00:00Z".to_owned(),
                });
            }
        }
        Ok(true)
    }

    async fn unsettled(&self) -> Result<Vec<UnsettledReference>, PortError> {
        Ok(self.shelves().reconciliation.unsettled.clone())
    }
}
