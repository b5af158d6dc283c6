//! The columns of batches and their payments. Each must be bound in the order the statement numbers
//! them.

use super::Statement;
use crate::rows::{bigint, integer, key};
use domain::batch::BatchOpening;

/// Batches to insert.
#[derive(Default)]
pub(in crate::writer) struct BatchColumns<'a> {
    account: Vec<&'a str>,
    number: Vec<i64>,
    reference: Vec<&'a str>,
    idempotency_key: Vec<Option<&'a str>>,
    request_fingerprint: Vec<Option<&'a [u8]>>,
    kind: Vec<&'static str>,
    on_failure: Vec<&'static str>,
    payments: Vec<i32>,
    currency: Vec<&'static str>,
    total: Vec<i64>,
    price: Vec<i64>,
    opened_at: Vec<i64>,
}

impl<'a> BatchColumns<'a> {
    pub(in crate::writer) fn push(&mut self, opening: &'a BatchOpening) {
        let batch = opening.batch();
        let idempotency = batch.idempotency.as_ref();
        self.account.push(batch.account.as_str());
        self.number.push(bigint(batch.number.get()));
        self.reference.push(batch.reference.as_str());
        self.idempotency_key
            .push(idempotency.map(|it| it.key.as_str()));
        self.request_fingerprint
            .push(idempotency.map(|it| it.fingerprint.0.as_slice()));
        self.kind.push(batch.kind.code());
        self.on_failure.push(batch.on_failure.code());
        self.payments.push(integer(batch.count));
        self.currency.push(batch.total.currency().code());
        self.total.push(batch.total.minor());
        self.price.push(batch.price.minor());
        self.opened_at.push(batch.opened_at.as_millis());
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.number.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.number)
            .bind(self.reference)
            .bind(self.idempotency_key)
            .bind(self.request_fingerprint)
            .bind(self.kind)
            .bind(self.on_failure)
            .bind(self.payments)
            .bind(self.currency)
            .bind(self.total)
            .bind(self.price)
            .bind(self.opened_at)
    }
}

/// Payments of batches to insert, in the order of their requests.
#[derive(Default)]
pub(in crate::writer) struct BatchItemColumns<'a> {
    account: Vec<&'a str>,
    batch: Vec<i64>,
    position: Vec<i16>,
    transaction: Vec<i64>,
}

impl<'a> BatchItemColumns<'a> {
    pub(in crate::writer) fn push(&mut self, opening: &'a BatchOpening) {
        let batch = opening.batch();
        for (position, item) in (1..).zip(opening.items()) {
            self.account.push(batch.account.as_str());
            self.batch.push(bigint(batch.number.get()));
            self.position.push(position);
            self.transaction.push(key(item.transaction.number));
        }
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.transaction.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.batch)
            .bind(self.position)
            .bind(self.transaction)
    }
}
