//! Payments to collections. A session must be looked for among those that are stored and those of
//! the batch.

use super::BatchPlanner;
use crate::planner::plan::LineEvent;
use crate::record::CollectedRow;
use domain::collection::CollectedPayment;
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::borrow::Cow;
use std::collections::HashMap;

/// The words of a source and of its session.
type SessionName<'a> = (&'a str, &'a str);

/// A payment that is known of a session.
#[derive(Debug, Clone, Copy)]
enum KnownSession<'a> {
    Stored(&'a CollectedRow),
    Planned(&'a CollectedPayment),
}

/// What is known of sessions while a batch is judged.
#[derive(Debug, Default)]
pub(super) struct PlannedSessions<'a>(HashMap<SessionName<'a>, KnownSession<'a>>);

impl<'a> PlannedSessions<'a> {
    pub(super) fn of(rows: &'a [CollectedRow]) -> Self {
        let name = |row: &'a CollectedRow| (row.source.as_str(), row.session.as_str());
        let known = rows.iter();
        Self(
            known
                .map(|row| (name(row), KnownSession::Stored(row)))
                .collect(),
        )
    }
}

impl<'a> BatchPlanner<'a> {
    /// Money that arrived is credited whatever its account may do, and also while nothing new is
    /// opened.
    pub(super) fn collect(
        &mut self,
        payment: &'a CollectedPayment,
    ) -> Result<CommitOutcome, PortError> {
        let wallet = (&payment.account, payment.amount.currency());
        if self.wallet_state(wallet)?.is_none() {
            return Ok(CommitOutcome::AccountUnknown);
        }
        let name = (payment.source.code(), payment.session.as_str());
        match self.sessions.0.get(&name) {
            Some(KnownSession::Planned(known)) => {
                return Ok(CommitOutcome::SessionTaken(Box::new((*known).clone())));
            }
            Some(KnownSession::Stored(row)) => {
                return Ok(CommitOutcome::SessionTaken(Box::new(row.restore()?)));
            }
            None => {}
        }
        let transfers = payment.transfers().into_iter().map(Cow::Owned);
        let moved = match self.movement(&payment.account, transfers) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict(),
        };
        let (entry, _) = self.accept(moved);
        self.sessions.0.insert(name, KnownSession::Planned(payment));
        self.plan.collected.push(payment);
        self.notify_statement_entry((&payment.account, entry), |line| LineEvent {
            line,
            low_balance_threshold: None,
        });
        Ok(CommitOutcome::Done)
    }
}
