//! The one way to write money and transactions. No handle of a database transaction ever crosses
//! this port: a change set goes in, a verdict comes out.

use crate::PortError;
use async_trait::async_trait;
use domain::batch::Batch;
use domain::change_set::ChangeSet;
use domain::collection::CollectedPayment;
use domain::freeze::FreezeBreach;
use domain::money::Money;
use domain::transaction::Transaction;
use domain::voucher::VoucherRefusal;

/// What became of a change set. Everything but [`CommitOutcome::Done`] left the store as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitOutcome {
    /// Applied and durable.
    Done,
    /// The store is older than what was promised from it: it was restored from a backup, or taken
    /// over from another with loss. Nothing new is opened until a person has compared it with the
    /// providers; what is open moves on.
    Suspended,
    /// No such account.
    AccountUnknown,
    /// The account is suspended.
    AccountSuspended,
    /// The account, or the service of the payment, is frozen.
    Frozen(FreezeBreach),
    /// The idempotency key was used before, by this transaction.
    KeyTaken(Box<Transaction>),
    /// The merchant's reference was used before, by this transaction.
    ReferenceTaken(Box<Transaction>),
    /// A batch of the account has the reference, or of another batch the idempotency key.
    BatchTaken(Box<Batch>),
    /// A provider knows the reference and the store does not: until that is settled nothing is
    /// opened under it.
    ReferenceUnsettled,
    /// Of an opening, or a step to a later attempt: what was delivered under the reference was
    /// settled from the provider's record, so nothing is opened under it ever again. Of a
    /// settlement: the reference does not wait to be settled.
    ReferenceSettled,
    /// What the store holds under the merchant's reference does not allow this settlement, see
    /// [`ReferenceSettlement::fits`](domain::reference_settlement::ReferenceSettlement::fits), or
    /// another attempt under it was charged before.
    SettlementUnfounded,
    /// The provider of an attempt belongs to another environment than the account, or than the
    /// provider of the attempt before.
    OtherEnvironment,
    /// The funding reference was used before, for this amount.
    FundingTaken(Money),
    /// The account has used the transaction number before; draw another.
    NumberTaken,
    /// The wallet in the price's currency does not hold the price.
    InsufficientFunds,
    /// More would be spent in the day than the account's limit, which is this.
    OverDailyLimit(Money),
    /// A wallet would hold more than the largest amount, [`Money::MAX_MINOR`].
    BalanceLimit,
    /// Another writer changed the transaction; this is its present state.
    VersionConflict(Box<Transaction>),
    /// The session was recorded before, for this payment.
    SessionTaken(Box<CollectedPayment>),
    /// The code, batch or redemption does not allow the step.
    VoucherRefused(VoucherRefusal),
}

/// Durable, atomic writes.
#[async_trait]
pub trait LedgerStore: Send + Sync + std::fmt::Debug {
    /// Applies a change set wholly or not at all; returns once it is durable. Guards are evaluated
    /// in the order [`CommitOutcome`] lists them. Concurrent calls may be made durable together.
    ///
    /// # Errors
    /// When the store failed. Unless the error says that nothing was done, whether it left the
    /// change applied is unknown: read it back by reference before doing anything that rests on it.
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError>;
}
