//! The steps of codes. A code must be judged as the steps before it in the batch leave it.

use super::{BatchPlanner, Id, Name};
use crate::planner::plan::{LineEvent, VoucherMovement};
use crate::planner::read_set::VoucherRows;
use crate::record::{VoucherRedemptionRow, VoucherRow};
use domain::account::{AccountId, AccountStatus};
use domain::ledger::Transfer;
use domain::voucher::{
    Voucher, VoucherId, VoucherIssue, VoucherRedeeming, VoucherRedemption, VoucherRefusal,
    VoucherRollback, VoucherRollingBack, VoucherStep, VoucherVoiding,
};
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What is known of codes while a batch is judged.
#[derive(Default)]
pub(super) struct PlannedVouchers<'a> {
    references: HashSet<Name<'a>>,
    numbers: HashSet<Id<'a>>,
    codes: HashMap<(&'a str, VoucherId), &'a VoucherRow>,
    redemptions: HashMap<Name<'a>, &'a VoucherRedemptionRow>,
    rollbacks: HashSet<Name<'a>>,
    targets: HashSet<Id<'a>>,
}

impl<'a> PlannedVouchers<'a> {
    pub(super) fn of(rows: &'a VoucherRows) -> Self {
        let mut planned = Self::default();
        let number = |stored: i64| u64::try_from(stored).unwrap_or_default();
        for row in &rows.batches {
            let account = row.account.as_str();
            planned.references.insert((account, &row.reference));
            planned.numbers.insert((account, number(row.number)));
        }
        for row in &rows.codes {
            // A code whose number is outside its range is none that a step can name.
            let position = u32::try_from(row.position).unwrap_or_default();
            let batch = domain::reference::TransactionNumber::try_new(number(row.batch.number));
            if let Ok(batch) = batch {
                let id = VoucherId { batch, position };
                planned.codes.insert((&row.batch.account, id), row);
            }
        }
        for row in &rows.redemptions {
            let account = row.account.as_str();
            planned.redemptions.insert((account, &row.reference), row);
            let rollback = row.rollback.as_ref();
            let rollback = rollback.map(|it| (account, it.reference.as_str()));
            planned.rollbacks.extend(rollback);
        }
        let targets = rows.targets.iter();
        let targets = targets.map(|(account, target)| (account.as_str(), number(*target)));
        planned.targets.extend(targets);
        planned
    }
}

/// What becomes of a step before its money is looked at.
type Judged<T> = Result<Result<T, VoucherRefusal>, PortError>;

/// Ends a step that is refused.
macro_rules! accepted {
    ($judged:expr) => {
        match $judged {
            Ok(accepted) => accepted,
            Err(refused) => return Ok(CommitOutcome::VoucherRefused(refused)),
        }
    };
}

impl<'a> BatchPlanner<'a> {
    pub(super) fn voucher(&mut self, step: &'a VoucherStep) -> Result<CommitOutcome, PortError> {
        if self.held {
            return Ok(CommitOutcome::Suspended);
        }
        let Some(state) = self.wallet_state(step.wallet())? else {
            return Ok(CommitOutcome::AccountUnknown);
        };
        if state.status == AccountStatus::Suspended {
            return Ok(CommitOutcome::AccountSuspended);
        }
        if let Some(breach) = state.frozen.breach_of_account()
            && step.is_new()
        {
            return Ok(CommitOutcome::Frozen(breach));
        }
        match step {
            VoucherStep::Issue(issue) => self.issue(issue),
            VoucherStep::Redeem(step) => self.redeem(step),
            VoucherStep::RollBack(step) => self.roll_back(step),
            VoucherStep::Void(step) => self.void(step),
        }
    }

    fn issue(&mut self, issue: &'a VoucherIssue) -> Result<CommitOutcome, PortError> {
        let batch = &issue.batch;
        let name = (batch.account.as_str(), batch.reference.as_str());
        let id = (batch.account.as_str(), batch.number.get());
        if self.vouchers.references.contains(&name) {
            let taken = VoucherRefusal::ReferenceTaken;
            return Ok(CommitOutcome::VoucherRefused(taken));
        }
        if self.vouchers.numbers.contains(&id) {
            let taken = VoucherRefusal::NumberTaken;
            return Ok(CommitOutcome::VoucherRefused(taken));
        }
        if let Some(refused) = self.book_vouchers(&batch.account, batch.transfer())? {
            return Ok(refused);
        }
        self.vouchers.references.insert(name);
        self.vouchers.numbers.insert(id);
        self.plan.vouchers.issues.push(issue);
        Ok(CommitOutcome::Done)
    }

    fn redeem(&mut self, step: &'a VoucherRedeeming) -> Result<CommitOutcome, PortError> {
        let account = step.account.as_str();
        let name = (account, step.reference.as_str());
        if self.redemption(name)?.is_some() {
            let taken = VoucherRefusal::ReferenceTaken;
            return Ok(CommitOutcome::VoucherRefused(taken));
        }
        let voucher = accepted!(self.known_voucher(&step.account, step.voucher)?);
        let used = accepted!(voucher.redeemed(step.amount, step.at));
        let target = step.target.map(|number| (account, number.get()));
        if target.is_some_and(|target| self.vouchers.targets.contains(&target)) {
            let taken = VoucherRefusal::TargetTaken;
            return Ok(CommitOutcome::VoucherRefused(taken));
        }
        let redemption = VoucherRedemption {
            account: step.account.clone(),
            reference: step.reference.clone(),
            voucher: step.voucher,
            amount: step.amount,
            target: step.target,
            discount: used.discount,
            returned: used.returned,
            left: used.voucher.left,
            at: step.at,
            rollback: None,
        };
        let transfers = redemption.transfers(&used.voucher);
        if let Some(refused) = self.book_vouchers(&step.account, transfers)? {
            return Ok(refused);
        }
        self.vouchers.targets.extend(target);
        self.plan.vouchers.redemptions.push(redemption);
        self.move_voucher(used.voucher, voucher.version);
        Ok(CommitOutcome::Done)
    }

    fn roll_back(&mut self, step: &'a VoucherRollingBack) -> Result<CommitOutcome, PortError> {
        let account = step.account.as_str();
        let name = (account, step.reference.as_str());
        if self.vouchers.rollbacks.contains(&name) {
            let taken = VoucherRefusal::ReferenceTaken;
            return Ok(CommitOutcome::VoucherRefused(taken));
        }
        let original = self.redemption((account, step.original.as_str()))?;
        let original = original.filter(|made| made.voucher == step.voucher);
        let mut original = accepted!(original.ok_or(VoucherRefusal::Unknown));
        let voucher = accepted!(self.known_voucher(&step.account, step.voucher)?);
        let restored = accepted!(voucher.restored(&original));
        let transfer = original.restoring(&voucher, step.at);
        if let Some(refused) = self.book_vouchers(&step.account, transfer)? {
            return Ok(refused);
        }
        original.rollback = Some(VoucherRollback {
            reference: step.reference.clone(),
            reason: step.reason.clone(),
            left: restored.left,
            at: step.at,
        });
        let freed = original.target.map(|number| (account, number.get()));
        if let Some(freed) = freed {
            self.vouchers.targets.remove(&freed);
        }
        self.vouchers.rollbacks.insert(name);
        self.plan.vouchers.rollbacks.push(original);
        self.move_voucher(restored, voucher.version);
        Ok(CommitOutcome::Done)
    }

    fn void(&mut self, step: &'a VoucherVoiding) -> Result<CommitOutcome, PortError> {
        let voucher = accepted!(self.known_voucher(&step.account, step.voucher)?);
        if voucher.voided_at.is_some() {
            return Ok(CommitOutcome::Done);
        }
        let ended = accepted!(voucher.voided(step.seen, step.at));
        let transfer = voucher.returning(step.at);
        if let Some(refused) = self.book_vouchers(&step.account, transfer)? {
            return Ok(refused);
        }
        self.plan.vouchers.voids.push((step, voucher.left.balance));
        self.move_voucher(ended, voucher.version);
        Ok(CommitOutcome::Done)
    }

    /// Books what moves, and notifies the account of what leaves it with little.
    fn book_vouchers(
        &mut self,
        account: &'a AccountId,
        transfers: impl IntoIterator<Item = Transfer>,
    ) -> Result<Option<CommitOutcome>, PortError> {
        let transfers = transfers.into_iter().map(Cow::Owned);
        let moved = match self.movement(account, transfers) {
            Ok(moved) => moved,
            Err(immovable) => return immovable.into_verdict().map(Some),
        };
        let (entry, fallen_below) = self.accept(moved);
        if fallen_below.is_some() {
            self.notify_statement_entry((account, entry), |line| LineEvent {
                line,
                low_balance_threshold: fallen_below,
            });
        }
        Ok(None)
    }

    /// The code as the steps before leave it.
    fn known_voucher(&self, account: &'a AccountId, id: VoucherId) -> Judged<Voucher> {
        let moved = self.plan.vouchers.moved.iter();
        let mut moved = moved.map(|movement| &movement.voucher);
        if let Some(planned) = moved.find(|it| it.account == *account && it.id == id) {
            return Ok(Ok(planned.clone()));
        }
        let Some(row) = self.vouchers.codes.get(&(account.as_str(), id)) else {
            return Ok(Err(VoucherRefusal::Unknown));
        };
        row.restore().map(Ok)
    }

    fn redemption(
        &self,
        (account, name): Name<'a>,
    ) -> Result<Option<VoucherRedemption>, PortError> {
        let plan = &self.plan.vouchers;
        let is_it = |it: &&VoucherRedemption| {
            it.account.as_str() == account && it.reference.as_str() == name
        };
        let mut planned = plan.rollbacks.iter().chain(&plan.redemptions);
        if let Some(planned) = planned.find(is_it) {
            return Ok(Some(planned.clone()));
        }
        let stored = self.vouchers.redemptions.get(&(account, name));
        stored.map(|row| row.restore()).transpose()
    }

    fn move_voucher(&mut self, voucher: Voucher, from_version: u32) {
        let moved = &mut self.plan.vouchers.moved;
        let is_it = |movement: &&mut VoucherMovement| {
            movement.voucher.account == voucher.account && movement.voucher.id == voucher.id
        };
        match moved.iter_mut().find(is_it) {
            Some(movement) => movement.voucher = voucher,
            None => moved.push(VoucherMovement {
                voucher,
                from_version,
            }),
        }
    }
}
