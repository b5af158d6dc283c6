//! I28: what was given back for a payment was asked for and approved, and is taken back with it.

use super::{Check, MemoryTables};
use domain::environment::Environment;
use domain::ledger::TransferKind;
use domain::operator::{Act, Actor, OperatorName};
use domain::refund::{RefundRequest, RefundVerdict};
use domain::transaction::Status;
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i28_refunds_were_approved(&self) -> CheckResult {
        let rule = "Every refund was asked for, approved by operators who signed, and taken back \
                    with a reversal";
        let mut check = Check::new("I28", rule);
        for tx in self.all() {
            let given = self.transfers_of(tx, TransferKind::Refund);
            let back = self.transfers_of(tx, TransferKind::RefundReversal);
            let may_be = |amount| {
                self.refunds.iter().any(|it| {
                    let is_of = it.account == tx.account && it.transaction == tx.number;
                    let verdict = self.refund_state(it).verdict();
                    is_of && it.amount == amount && verdict == Some(RefundVerdict::Approved)
                })
            };
            let amounts: Vec<_> = given.iter().map(|it| it.amount).collect();
            let taken: Vec<_> = back.iter().map(|it| it.amount).collect();
            let expected = match tx.status() {
                Status::Reversed => amounts.clone(),
                Status::Pending | Status::Successful | Status::Failed => Vec::new(),
            };
            let holds = amounts.len() <= 1
                && amounts.iter().all(|amount| may_be(*amount))
                && taken == expected;
            check.row(holds, || {
                format!("{}: gave {amounts:?} and took {taken:?}", tx.number)
            });
        }
        for refund in &self.refunds {
            self.i28_is_signed(refund, &mut check);
        }
        check.result()
    }

    /// Operators signed what was decided, and no reference decides of a live account.
    fn i28_is_signed(&self, refund: &RefundRequest, check: &mut Check) {
        let account = self.account(&refund.account);
        let is_live = account.is_some_and(|it| it.account.environment == Environment::Live);
        check.row(!is_live || refund.forced.is_none(), || {
            format!("{}: its reference decides", refund.reference)
        });
        let Some(decision) = self.refund_state(refund).decision else {
            return;
        };
        let act = match decision.verdict {
            RefundVerdict::Approved => Act::RefundApprove,
            RefundVerdict::Refused => Act::RefundRefuse,
        };
        let signed = |by: &OperatorName| {
            self.operator_log.iter().any(|entry| {
                let order = &entry.order;
                let is_of = order.account == refund.account.as_str()
                    && order.reference == refund.reference.as_str()
                    && order.amount == Some(refund.amount);
                is_of && order.act == act && entry.actor == Actor::Operator(by.clone())
            })
        };
        let mut by = std::iter::once(&decision.by).chain(&decision.confirmed_by);
        check.row(by.all(signed), || {
            format!("{}: {:?} is not signed", refund.reference, decision.verdict)
        });
    }
}
