//! What is queued, and may not leave the queue. A store that was set back must neither send nor
//! give back what may have been delivered.

use super::BatchPlanner;
use super::settling::SettlementState;
use crate::planner::read_set::{leaves_by_decision, sends_what_was_queued};
use domain::account::AccountStatus;
use domain::change_set::StateChange;
use ports::PortError;
use ports::ledger_store::CommitOutcome;

impl BatchPlanner<'_> {
    /// Why what is queued may be neither sent nor cancelled now: as for an opening, a provider may
    /// know the reference from before the store was set back.
    pub(super) fn may_leave_the_queue(
        &self,
        advance: &StateChange,
    ) -> Result<Option<CommitOutcome>, PortError> {
        if !leaves_by_decision(advance) {
            return Ok(None);
        }
        if self.held {
            return Ok(Some(CommitOutcome::Suspended));
        }
        let tx = &advance.transaction;
        let state = self.wallet_state((&tx.account, tx.quote.price.currency()))?;
        let Some(state) = state else {
            return Ok(Some(CommitOutcome::AccountUnknown));
        };
        if sends_what_was_queued(advance) {
            if state.status == AccountStatus::Suspended {
                return Ok(Some(CommitOutcome::AccountSuspended));
            }
            if let Some(breach) = state.frozen.breach(tx.order.service()) {
                return Ok(Some(CommitOutcome::Frozen(breach)));
            }
        }
        let name = (tx.account.as_str(), tx.reference.as_str());
        let noted = self.settlement_state(name, &advance.undated)?;
        Ok(match noted {
            SettlementState { waits: true, .. } => Some(CommitOutcome::ReferenceUnsettled),
            SettlementState {
                is_booked: true, ..
            } => Some(CommitOutcome::ReferenceSettled),
            SettlementState { .. } => None,
        })
    }
}
