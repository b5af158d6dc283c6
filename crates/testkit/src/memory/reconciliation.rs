//! Suspending payments and resuming them, in plain lists.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference, UndatedReference};
use domain::reference_settlement::SettledAs;
use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use ports::PortError;
use ports::journal::JournalId;
use ports::operators::SignedEffect;
use ports::reconciliation::{
    AcknowledgeOutcome, Acknowledgement, Clearance, Comparison, JournalState, MissingReference,
    NotedReference, Reconciliation, ReferencedAttempt, Registered, Suspension, SuspensionNumber,
    UnsettledReference,
};
use std::collections::BTreeSet;

/// What is known of suspensions.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    suspension: Option<Suspension>,
    number: i64,
    journals: Vec<JournalRow>,
    pub(super) noted: Vec<NotedSettlement>,
    compared: Vec<(i64, ProviderId)>,
}

/// A reference that only a provider knew.
#[derive(Debug, Clone)]
pub(super) struct NotedSettlement {
    pub(super) entry: UnsettledReference,
    undated: Option<UndatedReference>,
    pub(super) settled_as: Option<SettledAs>,
}

/// A merchant's reference, and the forms in which a provider may know an attempt under it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) account: &'a AccountId,
    pub(super) name: &'a MerchantReference,
    pub(super) undated: &'a [UndatedReference],
}

impl NotedSettlement {
    pub(super) fn is_under(&self, wanted: Wanted<'_>) -> bool {
        match self.entry.reference.parts() {
            Some((of, under, _)) => of == *wanted.account && under == *wanted.name,
            None => self.is_one_of(wanted.undated),
        }
    }

    fn as_noted(&self) -> NotedReference {
        NotedReference {
            reference: self.entry.reference.clone(),
            settled_as: self.settled_as,
        }
    }

    fn is_one_of(&self, undated: &[UndatedReference]) -> bool {
        self.undated.as_ref().is_some_and(|it| undated.contains(it))
    }
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

    pub(super) fn is_unsettled(&self, wanted: Wanted<'_>) -> bool {
        let waits = |it: &NotedSettlement| it.is_under(wanted) && it.settled_as.is_none();
        self.noted.iter().any(waits)
    }

    /// Whether a delivery under a merchant's reference was settled with money.
    pub(super) fn is_booked(&self, wanted: Wanted<'_>) -> bool {
        let booked = |it: &NotedSettlement| {
            it.is_under(wanted) && it.settled_as.is_some_and(SettledAs::is_booked)
        };
        self.noted.iter().any(booked)
    }

    /// Whether an attempt was settled with money.
    fn has_booked(&self, key: &ReferencedAttempt) -> bool {
        let is_it = |it: &&NotedSettlement| it.entry.reference == key.provider_reference;
        let noted = self.noted.iter().find(is_it);
        noted.is_some_and(|it| it.settled_as.is_some_and(SettledAs::is_booked))
    }

    /// The transaction has come to an attempt that waited to be settled.
    pub(super) fn reopened(&mut self, tx: &Transaction) {
        let reference = tx.attempt().map(|attempt| tx.provider_reference(attempt));
        if let Some(noted) = reference.and_then(|reference| self.waiting(&reference)) {
            noted.settled_as = Some(SettledAs::Reopened);
        }
    }

    pub(super) fn waiting(
        &mut self,
        reference: &ProviderReference,
    ) -> Option<&mut NotedSettlement> {
        let waits =
            |it: &&mut NotedSettlement| it.entry.reference == *reference && it.settled_as.is_none();
        self.noted.iter_mut().find(waits)
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

impl MemoryTables {
    fn has_row(&self, key: &ReferencedAttempt) -> bool {
        let is_it = |tx: &Transaction| tx.account == key.account && tx.reference == key.reference;
        self.transaction_where(is_it).is_some_and(|row| {
            let tx = &row.transaction;
            matches!(tx.state, State::Booked(_)) || tx.attempt() >= Some(key.attempt)
        })
    }

    fn has(&self, wanted: &ProviderReference) -> bool {
        let is_it = |tx: &Transaction| {
            tx.attempts()
                .map(|it| tx.provider_reference(it))
                .any(|it| it == *wanted)
        };
        self.transaction_where(is_it).is_some()
    }
}

#[async_trait]
impl Reconciliation for MemoryStore {
    async fn suspension(&self) -> Result<Option<Suspension>, PortError> {
        Ok(self.tables().reconciliation.suspension.clone())
    }

    async fn suspend(&self, because: &str, clearance: Clearance) -> Result<(), PortError> {
        self.tables().reconciliation.suspend(because, clearance);
        Ok(())
    }

    async fn has_transactions(&self) -> Result<bool, PortError> {
        Ok(!self.tables().transactions.is_empty())
    }

    async fn has_queued(&self) -> Result<bool, PortError> {
        let tables = self.tables();
        let mut stored = tables.transactions.iter();
        Ok(stored.any(|row| {
            let tx = &row.transaction;
            matches!(tx.state, State::Queued(_)) && tx.order.service().has_provider()
        }))
    }

    async fn compare(&self, attempts: &[ReferencedAttempt]) -> Result<Comparison, PortError> {
        let tables = self.tables();
        let places = attempts.iter().enumerate();
        let without_row = places
            .filter(|(_, key)| !tables.has_row(key) && !tables.reconciliation.has_booked(key));
        Ok(Comparison {
            without_row: without_row.map(|(place, _)| place).collect(),
            suspension: SuspensionNumber(tables.reconciliation.number),
        })
    }

    async fn register(&self, journal: &JournalId) -> Result<Registered, PortError> {
        let known = &mut self.tables().reconciliation;
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
        let known = &mut self.tables().reconciliation;
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
        let known = &mut self.tables().reconciliation;
        if let Some(row) = known.row(journal).filter(|row| row.missing == 0) {
            row.in_use = false;
        }
        Ok(())
    }

    async fn journals(&self) -> Result<Vec<JournalState>, PortError> {
        let known = &self.tables().reconciliation;
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
        let tables = self.tables();
        let missing = references.iter().filter(|it| !tables.has(it));
        let mut missing: Vec<_> = missing.cloned().collect();
        missing.sort();
        Ok(missing)
    }

    async fn acknowledge(&self, word: &Acknowledgement) -> Result<AcknowledgeOutcome, PortError> {
        let mut tables = self.tables();
        if tables.reconciliation.suspension.is_none() {
            return Ok(AcknowledgeOutcome::NotSuspended);
        }
        for MissingReference { reference, undated } in &word.missing {
            let state = &tables.reconciliation;
            if state
                .noted
                .iter()
                .any(|it| it.entry.reference == *reference)
            {
                continue;
            }
            let settled_as = tables.has(reference).then_some(SettledAs::Reopened);
            let entry = UnsettledReference {
                reference: reference.clone(),
                provider: word.provider.clone(),
                since: "2026-11-21T10:00:00Z".to_owned(),
            };
            let noted = NotedSettlement {
                entry,
                undated: undated.clone(),
                settled_as,
            };
            tables.reconciliation.noted.push(noted);
        }
        let known = &mut tables.reconciliation;
        let number = known.number;
        let compared = (number, word.provider.clone());
        let is_new = !known.compared.contains(&compared);
        if is_new {
            known.compared.push(compared);
        }
        let is_compared = |id: &ProviderId| known.compared.contains(&(number, id.clone()));
        let wanted = word.wanted.iter();
        let mut waits: Vec<_> = wanted.filter(|id| !is_compared(id)).cloned().collect();
        waits.sort();
        if waits.is_empty() {
            known.resume();
            for row in &mut tables.transactions {
                row.unconfirmed = matches!(row.transaction.state, State::Queued(_));
                if row.unconfirmed && row.transaction.order.awaited().is_some() {
                    row.due_at = Some(Timestamp::from_millis(0));
                }
            }
            let known = &mut tables.reconciliation;
            for row in &mut known.journals {
                row.in_use &= row.compared == Some(number) && row.missing == 0;
            }
        }
        if is_new {
            let kept = SignedEffect::Resumption(word.provider.clone(), word.by.clone());
            tables.decided.push(kept);
        }
        Ok(if waits.is_empty() {
            AcknowledgeOutcome::Resumed
        } else {
            AcknowledgeOutcome::Waits(waits)
        })
    }

    async fn unsettled(&self) -> Result<Vec<UnsettledReference>, PortError> {
        let tables = self.tables();
        let noted = tables.reconciliation.noted.iter();
        let waiting = noted.filter(|it| it.settled_as.is_none());
        Ok(waiting.map(|it| it.entry.clone()).collect())
    }

    async fn recognised_by_form(&self) -> Result<Vec<ProviderId>, PortError> {
        let tables = self.tables();
        let noted = tables.reconciliation.noted.iter();
        let nameless = noted.filter(|it| it.entry.reference.parts().is_none());
        let counts = nameless.filter(|it| it.settled_as.is_none_or(SettledAs::is_booked));
        let providers: BTreeSet<_> = counts.map(|it| it.entry.provider.clone()).collect();
        Ok(providers.into_iter().collect())
    }

    async fn noted(&self, provider: &ProviderId) -> Result<Vec<NotedReference>, PortError> {
        let tables = self.tables();
        let noted = tables.reconciliation.noted.iter();
        let theirs = noted.filter(|it| it.entry.provider == *provider);
        let mut theirs: Vec<_> = theirs.map(NotedSettlement::as_noted).collect();
        theirs.sort_by(|a, b| a.reference.cmp(&b.reference));
        Ok(theirs)
    }

    async fn settled_as(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<SettledAs>, PortError> {
        let tables = self.tables();
        let mut noted = tables.reconciliation.noted.iter();
        let found = noted.find(|it| it.entry.reference == *reference);
        Ok(found.and_then(|it| it.settled_as))
    }

    async fn noted_as(
        &self,
        undated: &[UndatedReference],
    ) -> Result<Vec<NotedReference>, PortError> {
        let tables = self.tables();
        let noted = tables.reconciliation.noted.iter();
        let mut noted: Vec<_> = noted
            .filter(|it| it.is_one_of(undated))
            .map(NotedSettlement::as_noted)
            .collect();
        noted.sort_by(|a, b| a.reference.cmp(&b.reference));
        Ok(noted)
    }
}
