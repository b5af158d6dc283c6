//! The columns of what is to be delivered. Each must be bound in the order the statement numbers
//! them.

use super::{Statement, json};
use ports::PortError;
use storage_sql::field_cipher::FieldCipher;
use storage_sql::planner;
use storage_sql::record::{AnnouncedRow, ConfidentialDocument};

/// Deliveries to insert.
#[derive(Default)]
pub(in crate::writer) struct DeliveryColumns<'a> {
    account: Vec<&'a str>,
    endpoint: Vec<i64>,
    number: Vec<i64>,
    sequence: Vec<i32>,
    topic: Vec<&'static str>,
    at: Vec<i64>,
    state: Vec<Option<&'static str>>,
    version: Vec<Option<i32>>,
    updated_at: Vec<Option<i64>>,
    progress: Vec<Option<String>>,
    shown: Vec<Option<String>>,
    currency: Vec<&'static str>,
}

impl<'a> DeliveryColumns<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        announced: &'a planner::NewDelivery<'_>,
        cipher: &FieldCipher,
    ) -> Result<(), PortError> {
        let row = AnnouncedRow::of(announced, cipher)?;
        self.account.push(row.account);
        self.endpoint.push(row.endpoint);
        self.number.push(row.number);
        self.sequence.push(row.sequence);
        self.topic.push(row.topic);
        self.at.push(row.at);
        self.state.push(row.state);
        self.version.push(row.version);
        self.updated_at.push(row.updated_at);
        self.progress.push(
            row.progress
                .map(ConfidentialDocument::into_text)
                .transpose()?,
        );
        self.currency.push(row.currency);
        self.shown.push(row.shown.as_ref().map(json).transpose()?);
        Ok(())
    }

    pub(in crate::writer) fn count(&self) -> usize {
        self.endpoint.len()
    }

    pub(in crate::writer) fn bind(self, statement: Statement<'a>) -> Statement<'a> {
        statement
            .bind(self.account)
            .bind(self.endpoint)
            .bind(self.number)
            .bind(self.sequence)
            .bind(self.topic)
            .bind(self.at)
            .bind(self.state)
            .bind(self.version)
            .bind(self.updated_at)
            .bind(self.progress)
            .bind(self.shown)
            .bind(self.currency)
    }
}
