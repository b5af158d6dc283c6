//! The gateway's money at the sandbox: what was paid in, less what it took for what it delivered.
//! It must follow from the journal and the time alone, so that a restart changes no answer.

use crate::journal::{EntryEffect, SandboxEntry};
use crate::settings::SandboxFloat;
use crate::simulator::Simulator;
use domain::float::{
    PROVIDER_STATEMENT_LINES_MAX, ProviderBalance, ProviderStatementLine, ProviderStatementPage,
    StatedOutcome, StatementCursor, StatementPeriod,
};
use domain::money::Money;
use domain::provider::{AttemptDetails, QueryOutcome, SubmitOutcome};
use domain::time::Timestamp;
use ports::PortError;

/// How many entries are read at a time.
const ENTRIES_AT_A_TIME: usize = 500;

impl SandboxFloat {
    /// What is taken for a delivery; `None` for one in another currency than it is paid in.
    fn cost(&self, amount: Money) -> Option<Money> {
        let same = amount.currency() == self.paid_in.currency();
        same.then(|| self.takes.of(amount)).flatten()
    }
}

impl Simulator {
    /// The gateway's money here, where any was paid in.
    pub const fn float(&self) -> Option<&SandboxFloat> {
        self.settings.float.as_ref()
    }

    /// What is reported beside an answer to a submission.
    pub(crate) fn details_of_submission(&self, outcome: &SubmitOutcome) -> AttemptDetails {
        match outcome {
            SubmitOutcome::Delivered(receipt) => self.details(receipt.amount),
            SubmitOutcome::Declined(_)
            | SubmitOutcome::NotSent
            | SubmitOutcome::Pending
            | SubmitOutcome::Reversed
            | SubmitOutcome::Unknown(_) => AttemptDetails::default(),
        }
    }

    /// What is reported beside an answer to a query.
    pub(crate) fn details_of_finding(&self, finding: &QueryOutcome) -> AttemptDetails {
        match finding {
            QueryOutcome::Delivered(receipt) => self.details(receipt.amount),
            QueryOutcome::Declined(_)
            | QueryOutcome::Pending
            | QueryOutcome::NotFound
            | QueryOutcome::Reversed
            | QueryOutcome::Unknown => AttemptDetails::default(),
        }
    }

    fn details(&self, amount: Money) -> AttemptDetails {
        let float = self.settings.float.as_ref();
        AttemptDetails {
            cost: float.and_then(|float| float.cost(amount)),
            ..AttemptDetails::default()
        }
    }

    /// What is left; `None` where nothing was ever paid in.
    pub(crate) async fn left(&self) -> Result<Option<ProviderBalance>, PortError> {
        let Some(float) = &self.settings.float else {
            return Ok(None);
        };
        let now = self.clock.now();
        let mut available = float.paid_in;
        let mut place = Some(0);
        while let Some(from) = place {
            let (entries, next) = self.read_entries(from, ENTRIES_AT_A_TIME).await?;
            let delivered = entries
                .iter()
                .filter(|entry| entry.effects(now) == EntryEffect::Delivered);
            for cost in delivered.filter_map(|entry| float.cost(entry.amount)) {
                available = available.checked_sub(cost).ok_or_else(|| {
                    PortError::new(crate::PROVIDER_ID, "the float is beyond the largest amount")
                })?;
            }
            place = next;
        }
        Ok(Some(ProviderBalance {
            available,
            held: None,
            at: now,
        }))
    }

    /// A page of what was done in a period; `None` where nothing was ever paid in.
    pub(crate) async fn stated(
        &self,
        period: StatementPeriod,
        after: Option<&StatementCursor>,
    ) -> Result<Option<ProviderStatementPage>, PortError> {
        let Some(float) = &self.settings.float else {
            return Ok(None);
        };
        let now = self.clock.now();
        let wrong = || PortError::new(crate::PROVIDER_ID, "the cursor is none of this statement");
        let mut place = match after {
            None => Some(0),
            Some(after) => Some(after.as_str().parse().map_err(|_| wrong())?),
        };
        let mut lines = Vec::new();
        while let Some(from) = place.filter(|_| lines.len() < PROVIDER_STATEMENT_LINES_MAX) {
            // No more than still fits, so that the place after them is where the next page begins.
            let room = PROVIDER_STATEMENT_LINES_MAX.saturating_sub(lines.len());
            let (entries, next) = self.read_entries(from, room).await?;
            let within = entries.iter().filter(|entry| period.contains(entry.at));
            lines.extend(within.map(|entry| line(entry, float, now)));
            place = next;
        }
        let next = place.map(|place| StatementCursor::parse(&place.to_string()));
        Ok(Some(ProviderStatementPage {
            lines,
            next: next.transpose().map_err(|_| wrong())?,
        }))
    }

    async fn read_entries(
        &self,
        from: u64,
        limit: usize,
    ) -> Result<(Vec<SandboxEntry>, Option<u64>), PortError> {
        let read = self.look(|| self.journal.entries_from(from, limit)).await;
        read.map_err(|error| PortError::caused(crate::PROVIDER_ID, "reading the journal", error))
    }
}

fn line(entry: &SandboxEntry, float: &SandboxFloat, now: Timestamp) -> ProviderStatementLine {
    let outcome = match entry.effects(now) {
        EntryEffect::Awaited => StatedOutcome::Open,
        EntryEffect::Refused => StatedOutcome::Declined,
        EntryEffect::Delivered => StatedOutcome::Delivered,
        EntryEffect::Reversed => StatedOutcome::Reversed,
    };
    let charged = outcome == StatedOutcome::Delivered;
    ProviderStatementLine {
        reference: Some(entry.reference.clone()),
        id: None,
        amount: entry.amount,
        cost: float.cost(entry.amount).filter(|_| charged),
        outcome,
        at: entry.at,
    }
}
