//! Codes. What becomes of one must be judged by its state alone, and written with its money.

use super::ledger_store::verdict;
use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::{AccountId, AccountStatus};
use domain::ledger::Transfer;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::voucher::{
    Voucher, VoucherBatch, VoucherCodeHash, VoucherId, VoucherIssue, VoucherRedeeming,
    VoucherRedemption, VoucherRefusal, VoucherRollback, VoucherRollingBack, VoucherStep,
    VoucherVoiding,
};
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use ports::vouchers::Vouchers;

/// What is stored of codes, in the order it was made.
#[derive(Debug, Clone, Default)]
pub(super) struct VoucherTables {
    pub(super) batches: Vec<VoucherBatch>,
    pub(super) codes: Vec<(VoucherCodeHash, Voucher)>,
    pub(super) redemptions: Vec<VoucherRedemption>,
}

impl VoucherTables {
    fn code(&self, account: &AccountId, id: VoucherId) -> Option<&Voucher> {
        let mut codes = self.codes.iter().map(|(_, code)| code);
        codes.find(|code| code.account == *account && code.id == id)
    }

    fn put(&mut self, next: &Voucher) {
        let codes = self.codes.iter_mut().map(|(_, code)| code);
        for code in codes {
            if code.account == next.account && code.id == next.id {
                *code = next.clone();
            }
        }
    }

    fn redemption(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Option<&VoucherRedemption> {
        let mut made = self.redemptions.iter();
        made.find(|made| made.account == *account && made.reference == *reference)
    }

    fn rolled_back(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Option<&VoucherRedemption> {
        let mut made = self.redemptions.iter();
        made.find(|made| {
            let rollback = made.rollback.as_ref();
            made.account == *account && rollback.is_some_and(|it| it.reference == *reference)
        })
    }

    fn is_lowered(&self, account: &AccountId, target: TransactionNumber) -> bool {
        let mut made = self.redemptions.iter();
        made.any(|made| {
            made.account == *account && made.target == Some(target) && made.rollback.is_none()
        })
    }
}

impl MemoryTables {
    pub(super) fn voucher(&mut self, step: &VoucherStep) -> CommitOutcome {
        if self.reconciliation.is_suspended() {
            return CommitOutcome::Suspended;
        }
        let Some(owner) = self.account(step.wallet().0) else {
            return CommitOutcome::AccountUnknown;
        };
        if owner.account.status == AccountStatus::Suspended {
            return CommitOutcome::AccountSuspended;
        }
        if let Some(breach) = owner.frozen.breach_of_account()
            && step.is_new()
        {
            return CommitOutcome::Frozen(breach);
        }
        let done = match step {
            VoucherStep::Issue(issue) => self.issue(issue),
            VoucherStep::Redeem(step) => self.redeem(step),
            VoucherStep::RollBack(step) => self.roll_back(step),
            VoucherStep::Void(step) => self.void(step),
        };
        match done {
            Ok(outcome) => outcome,
            Err(refused) => CommitOutcome::VoucherRefused(refused),
        }
    }

    fn issue(&mut self, issue: &VoucherIssue) -> Result<CommitOutcome, VoucherRefusal> {
        let batch = &issue.batch;
        let known = self.vouchers.batches.iter();
        let known: Vec<_> = known.filter(|it| it.account == batch.account).collect();
        if known.iter().any(|it| it.reference == batch.reference) {
            return Err(VoucherRefusal::ReferenceTaken);
        }
        if known.iter().any(|it| it.number == batch.number) {
            return Err(VoucherRefusal::NumberTaken);
        }
        if let Some(refused) = self.move_for_vouchers(&batch.account, batch.transfer()) {
            return Ok(refused);
        }
        let codes = issue.hashes.iter().zip(batch.ids());
        let codes = codes.map(|(hash, id)| (*hash, Voucher::of(batch, id.position)));
        self.vouchers.codes.extend(codes);
        self.vouchers.batches.push(batch.clone());
        Ok(CommitOutcome::Done)
    }

    fn redeem(&mut self, step: &VoucherRedeeming) -> Result<CommitOutcome, VoucherRefusal> {
        let (account, vouchers) = (&step.account, &self.vouchers);
        if vouchers.redemption(account, &step.reference).is_some() {
            return Err(VoucherRefusal::ReferenceTaken);
        }
        let voucher = vouchers.code(account, step.voucher);
        let voucher = voucher.ok_or(VoucherRefusal::Unknown)?;
        let used = voucher.redeemed(step.amount, step.at)?;
        let is_lowered = |target| vouchers.is_lowered(account, target);
        if step.target.is_some_and(is_lowered) {
            return Err(VoucherRefusal::TargetTaken);
        }
        let made = VoucherRedemption {
            account: account.clone(),
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
        let transfers = made.transfers(&used.voucher);
        if let Some(refused) = self.move_for_vouchers(account, transfers) {
            return Ok(refused);
        }
        self.vouchers.redemptions.push(made);
        self.vouchers.put(&used.voucher);
        Ok(CommitOutcome::Done)
    }

    fn roll_back(&mut self, step: &VoucherRollingBack) -> Result<CommitOutcome, VoucherRefusal> {
        let (account, vouchers) = (&step.account, &self.vouchers);
        if vouchers.rolled_back(account, &step.reference).is_some() {
            return Err(VoucherRefusal::ReferenceTaken);
        }
        let original = vouchers.redemption(account, &step.original);
        let original = original.filter(|made| made.voucher == step.voucher);
        let original = original.ok_or(VoucherRefusal::Unknown)?;
        let voucher = vouchers.code(account, step.voucher);
        let voucher = voucher.ok_or(VoucherRefusal::Unknown)?;
        let restored = voucher.restored(original)?;
        let transfer = original.restoring(voucher, step.at);
        if let Some(refused) = self.move_for_vouchers(account, transfer) {
            return Ok(refused);
        }
        for made in &mut self.vouchers.redemptions {
            if made.account == *account && made.reference == step.original {
                made.rollback = Some(VoucherRollback {
                    reference: step.reference.clone(),
                    reason: step.reason.clone(),
                    left: restored.left,
                    at: step.at,
                });
            }
        }
        self.vouchers.put(&restored);
        Ok(CommitOutcome::Done)
    }

    fn void(&mut self, step: &VoucherVoiding) -> Result<CommitOutcome, VoucherRefusal> {
        let voucher = self.vouchers.code(&step.account, step.voucher);
        let voucher = voucher.ok_or(VoucherRefusal::Unknown)?;
        let ended = voucher.voided(step.seen, step.at)?;
        let transfer = voucher.returning(step.at);
        if let Some(refused) = self.move_for_vouchers(&step.account, transfer) {
            return Ok(refused);
        }
        self.vouchers.put(&ended);
        Ok(CommitOutcome::Done)
    }

    /// Books what moves, and notifies the account of what leaves it with little.
    fn move_for_vouchers(
        &mut self,
        account: &AccountId,
        transfers: impl IntoIterator<Item = Transfer>,
    ) -> Option<CommitOutcome> {
        let transfers: Vec<_> = transfers.into_iter().collect();
        let wallets = match self.wallets_after(&transfers) {
            Ok(wallets) => wallets,
            Err(unbookable) => return Some(verdict(unbookable)),
        };
        let below = self.fallen_below(&wallets);
        self.put_wallets(wallets);
        let moved = transfers.into_iter();
        self.transfers
            .extend(moved.map(|transfer| (account.clone(), transfer)));
        if let Some(below) = below {
            self.notify_statement_entry((account, below.currency()), Some(below));
        }
        None
    }
}

#[async_trait]
impl Vouchers for MemoryStore {
    async fn voucher_batch(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherBatch>, PortError> {
        let tables = self.tables();
        let mut batches = tables.vouchers.batches.iter();
        let found = batches.find(|it| it.account == *account && it.reference == *reference);
        Ok(found.cloned())
    }

    async fn voucher_of_code(
        &self,
        account: &AccountId,
        code: VoucherCodeHash,
    ) -> Result<Option<Voucher>, PortError> {
        let tables = self.tables();
        let mut codes = tables.vouchers.codes.iter();
        let found = codes.find(|(hash, it)| it.account == *account && *hash == code);
        Ok(found.map(|(_, voucher)| voucher.clone()))
    }

    async fn voucher(
        &self,
        account: &AccountId,
        id: VoucherId,
    ) -> Result<Option<Voucher>, PortError> {
        Ok(self.tables().vouchers.code(account, id).cloned())
    }

    async fn voucher_redemption(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherRedemption>, PortError> {
        let tables = self.tables();
        Ok(tables.vouchers.redemption(account, reference).cloned())
    }

    async fn voucher_rolled_back(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<VoucherRedemption>, PortError> {
        let tables = self.tables();
        Ok(tables.vouchers.rolled_back(account, reference).cloned())
    }
}
