//! References that a provider knows and the store did not: what they forbid to open, and settling
//! them. One that waits is settled at most once, also within a batch.

use super::{BatchPlanner, Name};
use crate::planner::plan::LineEvent;
use crate::record::{NotedRow, RecordError};
use domain::reference::{ProviderReference, UndatedReference};
use domain::reference_settlement::{ReferenceSettlement, ReferenceToSettle, SettledAs};
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::borrow::Cow;

/// The name that settles a reference whose attempt is stored again: no person decides that.
const GATEWAY: &str = "gateway";

/// A noted reference while a batch is judged.
pub(super) struct PlannedSettlement<'a> {
    row: &'a NotedRow,
    state: Result<Option<SettledAs>, RecordError>,
}

impl<'a> PlannedSettlement<'a> {
    pub(super) fn of(row: &'a NotedRow) -> Self {
        Self {
            row,
            state: row.settled_as(),
        }
    }

    /// Whether it stands, or may stand, for a merchant's reference.
    fn is_under(&self, (account, reference): Name<'_>, undated: &[UndatedReference]) -> bool {
        if self.row.account.is_empty() {
            return undated.iter().any(|it| self.row.reference == it.as_str());
        }
        self.row.account == account && self.row.reference == reference
    }
}

/// What the references noted under a merchant's reference say of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SettlementState {
    /// One waits to be settled.
    pub(super) waits: bool,
    /// A delivery under it was booked.
    pub(super) is_booked: bool,
}

impl<'a> BatchPlanner<'a> {
    pub(super) fn settlement_state(
        &self,
        name: Name<'_>,
        undated: &[UndatedReference],
    ) -> Result<SettlementState, PortError> {
        let mut standing = SettlementState::default();
        let under = self.noted.iter();
        for noted in under.filter(|noted| noted.is_under(name, undated)) {
            match noted.state.as_ref().map_err(unreadable)? {
                None => standing.waits = true,
                Some(settled) => standing.is_booked |= settled.is_booked(),
            }
        }
        Ok(standing)
    }

    pub(super) fn settle(
        &mut self,
        settlement: &'a ReferenceSettlement,
    ) -> Result<CommitOutcome, PortError> {
        let Some(place) = self.waiting(settlement.reference()) else {
            return Ok(CommitOutcome::ReferenceSettled);
        };
        if let Some((account, reference, _)) = settlement.parts() {
            let name = (account.as_str(), reference.as_str());
            let stored = match self.references.get(&name) {
                Some(id) => Some(self.transaction(*id)?),
                None => None,
            };
            if !settlement.fits(stored.as_deref()) {
                return Ok(CommitOutcome::SettlementUnfounded);
            }
            if let SettledAs::Charged(amount) = settlement.settled_as() {
                if self.is_charged(name, settlement.undated()) {
                    return Ok(CommitOutcome::SettlementUnfounded);
                }
                if self.wallet_state((account, amount.currency()))?.is_none() {
                    return Ok(CommitOutcome::AccountUnknown);
                }
            }
        }
        let owner = settlement.owner();
        let moved = match self.movement(owner, settlement.transfer().map(Cow::Owned)) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict(),
        };
        let (entry, fallen_below) = self.accept(moved);
        if fallen_below.is_some() {
            self.notify_statement_entry((owner, entry), |line| LineEvent {
                line,
                low_balance_threshold: fallen_below,
            });
        }
        self.note(place, Cow::Borrowed(settlement));
        Ok(CommitOutcome::Done)
    }

    /// A transaction has come to an attempt: where its reference waited, that is settled with the
    /// same step, so that nothing else can be booked for it.
    pub(super) fn reopened(&mut self, tx: &Transaction, at: Timestamp) {
        let Some(attempt) = tx.attempt() else {
            return;
        };
        let reference = tx.provider_reference(attempt);
        let Some(place) = self.waiting(&reference) else {
            return;
        };
        let decided = (GATEWAY.to_owned(), at);
        let parts = (tx.account.clone(), tx.reference.clone(), attempt);
        let waits = ReferenceToSettle::new(reference, tx.provider().clone());
        let waits = waits.standing_for(parts, Vec::new());
        if let Ok(settled) = ReferenceSettlement::try_new(waits, SettledAs::Reopened, decided) {
            self.note(place, Cow::Owned(settled));
        }
    }

    fn note(&mut self, place: usize, settlement: Cow<'a, ReferenceSettlement>) {
        if let Some(noted) = self.noted.get_mut(place) {
            noted.state = Ok(Some(settlement.settled_as()));
        }
        self.plan.settlements.push(settlement);
    }

    /// Where a reference that waits to be settled is among those of the batch.
    fn waiting(&self, reference: &ProviderReference) -> Option<usize> {
        let waits = |noted: &PlannedSettlement<'_>| {
            noted.row.provider_reference == reference.as_str() && matches!(noted.state, Ok(None))
        };
        self.noted.iter().position(waits)
    }

    fn is_charged(&self, name: Name<'_>, undated: &[UndatedReference]) -> bool {
        let charged = |noted: &PlannedSettlement<'_>| {
            matches!(noted.state, Ok(Some(SettledAs::Charged(_))) | Err(_))
        };
        self.noted
            .iter()
            .any(|noted| noted.is_under(name, undated) && charged(noted))
    }
}

fn unreadable(error: &RecordError) -> PortError {
    PortError::new(
        crate::PART,
        format!("a settled reference cannot be read: {error}"),
    )
    .with_trouble(ports::PortErrorKind::Record)
}

#[cfg(test)]
mod tests {
    use super::PlannedSettlement;
    use crate::record::NotedRow;
    use domain::reference::UndatedReference;

    #[test]
    fn a_noted_reference_is_of_its_account_and_its_name_alone() {
        let row = NotedRow {
            account: "shop".to_owned(),
            reference: "order-1".to_owned(),
            ..NotedRow::default()
        };
        let noted = PlannedSettlement::of(&row);
        assert!(noted.is_under(("shop", "order-1"), &[]));
        for other in [
            ("shop", "order-2"),
            ("kiosk", "order-1"),
            ("kiosk", "order-2"),
        ] {
            assert!(!noted.is_under(other, &[]), "{other:?}");
        }
        let row = NotedRow {
            reference: "without-its-date".to_owned(),
            ..NotedRow::default()
        };
        let noted = PlannedSettlement::of(&row);
        let may_stand_for = |undated: &str| {
            let undated = UndatedReference::new(undated);
            noted.is_under(("shop", "order-1"), &[undated])
        };
        assert!(may_stand_for("without-its-date"));
        assert!(!may_stand_for("another"));
    }
}
