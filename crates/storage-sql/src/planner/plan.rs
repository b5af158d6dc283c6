//! What must be written for a batch. It holds accepted changes only; a rejected change set must
//! leave nothing in it but its verdict.

use super::wallet_state::{NewStatementEntry, WalletState};
use crate::PART;
use domain::account::AccountId;
use domain::batch::BatchOpening;
use domain::change_set::{Funding, Opening, StateChange};
use domain::collection::CollectedPayment;
use domain::event::Event;
use domain::ledger::{LedgerAccount, Transfer};
use domain::money::Money;
use domain::reference::TransactionNumber;
use domain::reference_settlement::ReferenceSettlement;
use domain::statement::{Direction, StatementEntry};
use domain::time::Timestamp;
use domain::transaction::Transaction;
use domain::voucher::{Voucher, VoucherIssue, VoucherRedemption, VoucherVoiding};
use domain::webhook::Topic;
use ports::PortError;
use ports::ledger_store::CommitOutcome;
use std::borrow::Cow;
use std::sync::Arc;

/// A batch, judged.
#[derive(Debug, Default)]
pub struct BatchPlan<'a> {
    /// What becomes of each change set, in their order, once the rest is durable.
    pub verdicts: Vec<Result<CommitOutcome, PortError>>,
    /// Transactions to insert.
    pub openings: Vec<&'a Opening>,
    /// Batches to insert, whose transactions are among those.
    pub batches: Vec<&'a BatchOpening>,
    /// Transactions to move on, each once, to where the batch leaves them.
    pub movements: Vec<Movement<'a>>,
    /// Transactions that stay in the queue and may be sent from another moment on, each of which
    /// must still be in it.
    pub requeued: Vec<(&'a Transaction, Timestamp)>,
    /// Transactions that leave the queue, each of which must still be in it.
    pub unqueued: Vec<&'a Transaction>,
    /// Fundings to insert; the entry of each says which transfer booked it.
    pub fundings: Vec<(&'a Funding, usize)>,
    /// What other accounts were paid by transactions: the entry of each is on the payee's
    /// statement.
    pub user_credits: Vec<(&'a Transaction, usize)>,
    /// References to settle, each of which must wait to be settled still.
    pub settlements: Vec<Cow<'a, ReferenceSettlement>>,
    /// Transfers to append, in order.
    pub entries: Vec<NewTransfer<'a>>,
    /// Events to append, in order.
    pub events: Vec<NewEvent<'a>>,
    /// What is to be delivered of them, in order.
    pub announced: Vec<NewDelivery<'a>>,
    /// Wallets as the batch leaves them.
    pub wallet_states: Vec<WalletState>,
    /// What becomes of codes.
    pub vouchers: VoucherPlan<'a>,
    /// Payments to collections to insert.
    pub collected: Vec<&'a CollectedPayment>,
}

/// What must be written of codes.
#[derive(Debug, Default)]
pub struct VoucherPlan<'a> {
    /// Batches to insert, with their codes.
    pub issues: Vec<&'a VoucherIssue>,
    /// Codes to move on, each once, to where the batch leaves them.
    pub moved: Vec<VoucherMovement>,
    /// Redemptions to insert.
    pub redemptions: Vec<VoucherRedemption>,
    /// Redemptions that are rolled back; some may be among those.
    pub rollbacks: Vec<VoucherRedemption>,
    /// Codes that are ended, each with the money that it gives back.
    pub voids: Vec<(&'a VoucherVoiding, Money)>,
}

impl VoucherPlan<'_> {
    /// Whether nothing must be written.
    pub const fn is_empty(&self) -> bool {
        self.issues.is_empty() && self.moved.is_empty()
    }

    /// The payments that are lowered now, each by a redemption that the batch leaves as it is.
    pub fn targeted(&self) -> impl Iterator<Item = (&VoucherRedemption, TransactionNumber)> {
        let stays = |made: &&VoucherRedemption| !self.is_rolled_back(made);
        let made = self.redemptions.iter().filter(stays);
        made.filter_map(|made| Some((made, made.target?)))
    }

    /// The payments that were lowered before the batch and are no more.
    pub fn freed(&self) -> impl Iterator<Item = (&VoucherRedemption, TransactionNumber)> {
        let is_stored = |back: &&VoucherRedemption| {
            let mut made = self.redemptions.iter();
            !made.any(|made| is_same(made, back))
        };
        let back = self.rollbacks.iter().filter(is_stored);
        back.filter_map(|back| Some((back, back.target?)))
    }

    fn is_rolled_back(&self, made: &VoucherRedemption) -> bool {
        self.rollbacks.iter().any(|back| is_same(made, back))
    }
}

fn is_same(one: &VoucherRedemption, other: &VoucherRedemption) -> bool {
    (&one.account, &one.reference) == (&other.account, &other.reference)
}

/// A code moves on.
#[derive(Debug, Clone)]
pub struct VoucherMovement {
    /// The code as the batch leaves it.
    pub voucher: Voucher,
    /// The version the stored code has before the batch.
    pub from_version: u32,
}

impl BatchPlan<'_> {
    /// Takes the verdict on the one change set it was made for, which must be that it is done once
    /// the rest is written; `what` names it.
    ///
    /// # Errors
    /// When it was refused.
    pub fn only_is_done(&mut self, what: &str) -> Result<(), PortError> {
        match self.verdicts.pop() {
            Some(Ok(CommitOutcome::Done)) => Ok(()),
            Some(Err(error)) => Err(error),
            other => Err(PortError::new(
                PART,
                format!("{what} cannot be booked: {other:?}"),
            )),
        }
    }

    /// Whether nothing must be written.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
            && self.movements.is_empty()
            && self.entries.is_empty()
            && self.settlements.is_empty()
            && self.vouchers.is_empty()
            && self.collected.is_empty()
    }
}

/// A transaction moves on.
#[derive(Debug, Clone, Copy)]
pub struct Movement<'a> {
    /// The last step of the batch for this transaction.
    pub advance: &'a StateChange,
    /// The version the stored transaction has before the batch, after its openings.
    pub from_version: u32,
}

/// An event to append.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'a> {
    /// The account of its transaction, whose number alone is not unique.
    pub account: &'a AccountId,
    /// The event.
    pub event: &'a Event,
}

/// What is to be delivered to one endpoint of the account.
#[derive(Debug, Clone)]
pub struct NewDelivery<'a> {
    /// Whose endpoint.
    pub account: &'a AccountId,
    /// The number of the endpoint.
    pub endpoint: i64,
    /// What it is to merchants.
    pub topic: Topic,
    /// The content of the event.
    pub observation: PlannedObservation<'a>,
}

/// The content of an event.
#[derive(Debug, Clone)]
pub enum PlannedObservation<'a> {
    /// An event of a transaction.
    Event {
        /// The event.
        event: &'a Event,
        /// The transaction as the event left it.
        transaction: &'a Transaction,
    },
    /// What happened to the account's money.
    Line(Arc<LineEvent>),
}

/// A statement entry that an account is notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEvent {
    /// The line.
    pub line: StatementEntry,
    /// The threshold that the balance fell below, in a low-balance event.
    pub low_balance_threshold: Option<Money>,
}

/// A transfer to append.
#[derive(Debug, Clone)]
pub struct NewTransfer<'a> {
    /// Whose it is: the account whose change set made it, and whose its transaction is, for the
    /// number alone is not unique; or the other account that is paid.
    pub owner: &'a AccountId,
    /// The transfer.
    pub transfer: Cow<'a, Transfer>,
    /// Its line on a merchant's statement, if it changes what the merchant can spend.
    pub line: Option<NewStatementEntry>,
}

impl NewTransfer<'_> {
    /// The line as it is shown, but for the transaction it belongs to.
    pub(super) fn statement(&self) -> Option<StatementEntry> {
        let (line, transfer) = (self.line?, self.transfer.as_ref());
        let after = line.available_after;
        let before = match line.direction {
            Direction::Debit => after.checked_add(transfer.amount),
            Direction::Credit => after.checked_sub(transfer.amount),
        };
        Some(StatementEntry {
            position: line.position,
            transaction: None,
            direction: line.direction,
            narration: transfer.narration.clone().unwrap_or_default(),
            amount: transfer.amount,
            before: before?,
            after,
            at: transfer.at,
        })
    }

    /// Whose statement the line is on.
    pub fn account(&self) -> Option<&AccountId> {
        self.line?;
        let transfer = self.transfer.as_ref();
        [&transfer.debit, &transfer.credit]
            .into_iter()
            .find_map(|leg| match leg {
                LedgerAccount::Available(id) => Some(id),
                LedgerAccount::Held(_)
                | LedgerAccount::Float(_)
                | LedgerAccount::CommissionRevenue
                | LedgerAccount::ChargesRevenue
                | LedgerAccount::VatPayable
                | LedgerAccount::LevyPayable
                | LedgerAccount::Funding
                | LedgerAccount::Loss
                | LedgerAccount::CostVariance
                | LedgerAccount::CreditSales
                | LedgerAccount::Transit
                | LedgerAccount::Refunds
                | LedgerAccount::Collections
                | LedgerAccount::Adjustments
                | LedgerAccount::Vouchers(_) => None,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::BatchPlan;
    use ports::PortError;
    use ports::ledger_store::CommitOutcome;

    #[test]
    fn only_a_change_set_that_is_done_may_be_written() {
        let taken = |verdict| {
            let verdicts = Vec::from_iter(verdict);
            let mut plan = BatchPlan {
                verdicts,
                ..BatchPlan::default()
            };
            plan.only_is_done("a loss")
        };
        taken(Some(Ok(CommitOutcome::Done))).unwrap();
        let refused = taken(Some(Ok(CommitOutcome::InsufficientFunds))).unwrap_err();
        assert!(
            refused.to_string().contains("a loss cannot be booked"),
            "{refused}"
        );
        let failed = PortError::new("ledger", "unreadable");
        let failed = taken(Some(Err(failed))).unwrap_err();
        assert!(failed.to_string().contains("unreadable"), "{failed}");
        taken(None).unwrap_err();
    }
}
