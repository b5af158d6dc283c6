//! The columns of what is to be delivered. Each must be bound in the order the statement numbers
//! them.

use super::{Statement, integer, json};
use crate::transactions::key;
use ports::PortError;
use storage_sql::planner;
use storage_sql::record::{Progress, state_code};

/// Deliveries to insert.
#[derive(Default)]
pub(in crate::writer) struct Announced<'a> {
    account: Vec<&'a str>,
    endpoint: Vec<i64>,
    number: Vec<i64>,
    sequence: Vec<i32>,
    topic: Vec<&'static str>,
    at: Vec<i64>,
    state: Vec<&'static str>,
    version: Vec<i32>,
    updated_at: Vec<i64>,
    progress: Vec<String>,
}

impl<'a> Announced<'a> {
    pub(in crate::writer) fn push(
        &mut self,
        announced: &planner::Announced<'a>,
    ) -> Result<(), PortError> {
        let (event, tx) = (announced.event, announced.transaction);
        self.account.push(tx.account.as_str());
        self.endpoint.push(announced.endpoint);
        self.number.push(key(event.transaction));
        self.sequence.push(integer(event.sequence));
        self.topic.push(announced.topic.code());
        self.at.push(event.at.as_millis());
        self.state.push(state_code(&tx.state));
        self.version.push(integer(tx.version));
        self.updated_at.push(tx.updated_at.as_millis());
        self.progress.push(json(&Progress::of(tx))?);
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
    }
}
