//! The columns of transactions, their attempts and their events. Each must be bound in the order
//! the statement numbers them.

use super::Statement;
use crate::rows::{integer, key};
use domain::change_set::Opening;
use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use ports::PortError;
use sqlx::query::Query;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::planner::{self, Movement};
use storage_sql::record::{AttemptRow, StoredProgress, StoredPurchase, claim, state_code, token};

/// Transactions to insert.
#[derive(Default)]
pub(in crate::writer) struct NewTransactionColumns<'a> {
    account: Vec<&'a str>,
    number: Vec<i64>,
    reference: Vec<&'a str>,
    idempotency_key: Vec<Option<&'a str>>,
    request_fingerprint: Vec<Option<&'a [u8]>>,
    service: Vec<&'static str>,
    provider: Vec<&'a str>,
    state: Vec<&'static str>,
    currency: Vec<&'static str>,
    money: [Vec<i64>; 6],
    version: Vec<i32>,
    sequence: Vec<i32>,
    opened_at: Vec<i64>,
    updated_at: Vec<i64>,
    purchase: Vec<String>,
    progress: Vec<String>,
    purchase_mac: Vec<String>,
    progress_mac: Vec<String>,
}

impl<'a> NewTransactionColumns<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        opening: &'a Opening,
        cipher: &FieldCipher,
    ) -> Result<(), PortError> {
        let tx = &opening.transaction;
        let idempotency = tx.idempotency.as_ref();
        self.account.push(tx.account.as_str());
        self.number.push(key(tx.number));
        self.reference.push(tx.reference.as_str());
        self.idempotency_key
            .push(idempotency.map(|it| it.key.as_str()));
        self.request_fingerprint
            .push(idempotency.map(|it| it.fingerprint.0.as_slice()));
        self.service.push(tx.order.service().code());
        self.provider.push(tx.prepared.first().provider.as_str());
        self.state.push(state_code(&tx.state));
        self.currency.push(tx.quote.price.currency().code());
        let quote = &tx.quote;
        let money = [
            quote.amount,
            quote.price,
            quote.cost,
            quote.fee,
            quote.vat,
            quote.levy,
        ];
        for (column, money) in self.money.iter_mut().zip(money) {
            column.push(money.minor());
        }
        self.version.push(integer(tx.version));
        self.sequence.push(integer(tx.sequence));
        self.opened_at.push(tx.opened_at.as_millis());
        self.updated_at.push(tx.updated_at.as_millis());
        let purchase = StoredPurchase::stored(tx, cipher)?.into_text()?;
        self.purchase_mac
            .push(cipher.macs().purchase(tx, &purchase)?);
        self.purchase.push(purchase);
        let progress = StoredProgress::stored(tx, cipher)?.into_text()?;
        self.progress_mac
            .push(cipher.macs().progress(tx, &progress)?);
        self.progress.push(progress);
        Ok(())
    }

    /// The authentication codes; bound apart.
    pub(in crate::writer) fn macs(&mut self) -> [Vec<String>; 2] {
        [&mut self.purchase_mac, &mut self.progress_mac].map(std::mem::take)
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.number.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        let statement = statement
            .bind(self.account)
            .bind(self.number)
            .bind(self.reference)
            .bind(self.idempotency_key)
            .bind(self.request_fingerprint)
            .bind(self.service)
            .bind(self.provider)
            .bind(self.state)
            .bind(self.currency);
        let statement = self.money.into_iter().fold(statement, Query::bind);
        statement
            .bind(self.version)
            .bind(self.sequence)
            .bind(self.opened_at)
            .bind(self.updated_at)
            .bind(self.purchase)
            .bind(self.progress)
    }
}

/// Places in the queue to insert.
#[derive(Default)]
pub(in crate::writer) struct QueueColumns<'a> {
    account: Vec<&'a str>,
    transaction: Vec<i64>,
    due_at: Vec<i64>,
    claim_email: Vec<Option<&'a str>>,
    claim_phone: Vec<Option<&'a str>>,
    awaits_approval: Vec<bool>,
}

impl<'a> QueueColumns<'a> {
    /// The place of a transaction that is opened in the queue.
    pub(in crate::writer) fn push(&mut self, opening: &'a Opening) {
        let tx = &opening.transaction;
        if matches!(tx.state, State::Queued(_)) {
            self.account.push(tx.account.as_str());
            self.transaction.push(key(tx.number));
            self.due_at.push(opening.due_at.as_millis());
            let (email, phone) = claim(&tx.order);
            self.claim_email.push(email);
            self.claim_phone.push(phone);
            self.awaits_approval.push(tx.awaits_approval());
        }
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.transaction.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.transaction)
            .bind(self.due_at)
            .bind(self.claim_email)
            .bind(self.claim_phone)
            .bind(self.awaits_approval)
    }
}

/// Places of transactions that stay in the queue.
#[derive(Default)]
pub(in crate::writer) struct RequeueColumns<'a> {
    account: Vec<&'a str>,
    transaction: Vec<i64>,
    due_at: Vec<i64>,
    awaits_approval: Vec<bool>,
}

impl<'a> RequeueColumns<'a> {
    pub(in crate::writer) fn push(&mut self, tx: &'a Transaction, due_at: Timestamp) {
        self.account.push(tx.account.as_str());
        self.transaction.push(key(tx.number));
        self.due_at.push(due_at.as_millis());
        self.awaits_approval.push(tx.awaits_approval());
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.transaction.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.transaction)
            .bind(self.due_at)
            .bind(self.awaits_approval)
    }
}

/// Transactions to move on.
#[derive(Default)]
pub(in crate::writer) struct UpdatedTransactionColumns<'a> {
    account: Vec<&'a str>,
    number: Vec<i64>,
    from_version: Vec<i32>,
    state: Vec<&'static str>,
    version: Vec<i32>,
    sequence: Vec<i32>,
    updated_at: Vec<i64>,
    progress: Vec<String>,
    token: Vec<Option<String>>,
    progress_mac: Vec<String>,
}

impl<'a> UpdatedTransactionColumns<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        movement: &Movement<'a>,
        cipher: &FieldCipher,
    ) -> Result<(), PortError> {
        let tx = &movement.advance.transaction;
        self.account.push(tx.account.as_str());
        self.number.push(key(tx.number));
        self.from_version.push(integer(movement.from_version));
        self.state.push(state_code(&tx.state));
        self.version.push(integer(tx.version));
        self.sequence.push(integer(tx.sequence));
        self.updated_at.push(tx.updated_at.as_millis());
        let progress = StoredProgress::stored(tx, cipher)?.into_text()?;
        self.progress_mac
            .push(cipher.macs().progress(tx, &progress)?);
        self.progress.push(progress);
        self.token.push(token(tx, cipher)?);
        Ok(())
    }

    /// The authentication codes; bound apart.
    pub(in crate::writer) fn macs(&mut self) -> Vec<String> {
        std::mem::take(&mut self.progress_mac)
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.number.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.number)
            .bind(self.from_version)
            .bind(self.state)
            .bind(self.version)
            .bind(self.sequence)
            .bind(self.updated_at)
            .bind(self.progress)
            .bind(self.token)
    }
}

/// Attempts of transactions, undecided or ended.
#[derive(Default)]
pub(in crate::writer) struct NewAttemptColumns<'a> {
    account: Vec<&'a str>,
    transaction: Vec<i64>,
    number: Vec<i16>,
    state: Vec<&'static str>,
    provider_reference: Vec<String>,
    provider: Vec<Option<String>>,
    started_at: Vec<i64>,
    due_at: Vec<Option<i64>>,
    evidence: Vec<Option<&'static str>>,
    ended_at: Vec<Option<i64>>,
    contradicted_at: Vec<Option<i64>>,
    taken_back_at: Vec<Option<i64>>,
}

impl<'a> NewAttemptColumns<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        tx: &'a Transaction,
        attempt: AttemptRow,
        due_at: Option<Timestamp>,
    ) {
        self.account.push(tx.account.as_str());
        self.transaction.push(key(tx.number));
        self.number.push(i16::from(attempt.number));
        self.state.push(attempt.state);
        self.provider_reference.push(attempt.provider_reference);
        self.provider.push(attempt.provider);
        self.started_at.push(attempt.started_at);
        self.due_at.push(due_at.map(Timestamp::as_millis));
        self.evidence.push(attempt.evidence);
        self.ended_at.push(attempt.ended_at);
        self.contradicted_at.push(attempt.contradicted_at);
        self.taken_back_at.push(attempt.taken_back_at);
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.number.len()
    }

    /// The provider of each, where that is not its transaction's provider; bound apart.
    pub(in crate::writer) fn providers(&mut self) -> Vec<Option<String>> {
        std::mem::take(&mut self.provider)
    }

    pub(in crate::writer) fn bind_open(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.transaction)
            .bind(self.number)
            .bind(self.state)
            .bind(self.provider_reference)
            .bind(self.started_at)
            .bind(self.due_at)
    }

    pub(in crate::writer) fn bind_ended(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.transaction)
            .bind(self.number)
            .bind(self.state)
            .bind(self.provider_reference)
            .bind(self.started_at)
            .bind(self.evidence)
            .bind(self.ended_at)
            .bind(self.contradicted_at)
            .bind(self.taken_back_at)
    }
}

/// Events to append.
#[derive(Default)]
pub(in crate::writer) struct EventColumns<'a> {
    account: Vec<&'a str>,
    transaction: Vec<i64>,
    sequence: Vec<i32>,
    kind: Vec<&'static str>,
    at: Vec<i64>,
}

impl<'a> EventColumns<'a> {
    pub(in crate::writer) fn push(&mut self, new: &planner::NewEvent<'a>) {
        let event = new.event;
        self.account.push(new.account.as_str());
        self.transaction.push(key(event.transaction));
        self.sequence.push(integer(event.sequence));
        self.kind.push(event.kind.code());
        self.at.push(event.at.as_millis());
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.sequence.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.transaction)
            .bind(self.sequence)
            .bind(self.kind)
            .bind(self.at)
    }
}
