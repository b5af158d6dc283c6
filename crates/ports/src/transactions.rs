//! Reading transactions, wallets and statements, and claiming what recovery must look at. Reads
//! never wait for writes.

use crate::PortError;
use crate::backlog::OpenState;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::event::Event;
use domain::ledger::{Transfer, Wallet};
use domain::order::Service;
use domain::reference::{MerchantReference, ProviderReference, TransactionNumber};
use domain::statement::{StatementPage, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, Transaction};
use domain::user::Payee;
use std::time::Duration;

/// Which transactions of an account are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionRange {
    /// Of these products; none for an empty list.
    pub services: Vec<Service>,
    /// Accepted at this moment or later.
    pub from: Option<Timestamp>,
    /// Accepted before this moment.
    pub until: Option<Timestamp>,
    /// At most so many, the newest of them.
    pub limit: u32,
}

/// Reading what was committed.
#[async_trait]
pub trait Transactions: Send + Sync + std::fmt::Debug {
    /// The transaction an account made under a reference.
    ///
    /// # Errors
    /// When the store failed.
    async fn by_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError>;

    /// The newest transactions of an account within a range, newest first; of those accepted at one
    /// moment the one with the highest number first.
    ///
    /// # Errors
    /// When the store failed.
    async fn newest(
        &self,
        account: &AccountId,
        range: &TransactionRange,
    ) -> Result<Vec<Transaction>, PortError>;

    /// The transaction one of whose attempts a provider knows by a reference of its own form: one
    /// without a dot. Those that are derived from a merchant's reference are found by that.
    ///
    /// # Errors
    /// When the store failed.
    async fn by_provider_reference(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<Transaction>, PortError>;

    /// The wallets of an account in the order of [`domain::money::Currency::ALL`]; an unknown
    /// account has none.
    ///
    /// # Errors
    /// When the store failed.
    async fn wallets(&self, account: &AccountId) -> Result<Vec<Wallet>, PortError>;

    /// A part of the statement of one of an account's wallets; an unknown account has an empty one.
    ///
    /// # Errors
    /// When the store failed.
    async fn statement(
        &self,
        account: &AccountId,
        query: &StatementQuery,
    ) -> Result<StatementPage, PortError>;

    /// Every transfer of the transaction an account has under a number, in the order they were
    /// made.
    ///
    /// # Errors
    /// When the store failed.
    async fn transfers(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Transfer>, PortError>;

    /// Every event of the transaction an account has under a number, in order.
    ///
    /// # Errors
    /// When the store failed.
    async fn events(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Event>, PortError>;

    /// Transactions that are not final, in one state, at most `limit`: those accepted first, of
    /// one moment by account and number.
    ///
    /// # Errors
    /// When the store failed.
    async fn unsettled(&self, state: OpenState, limit: u32) -> Result<Vec<Transaction>, PortError>;

    /// When the transaction an account has under a number is looked at next, where nothing brings
    /// that forward; `None` for one that is final or waits for a person.
    ///
    /// # Errors
    /// When the store failed.
    async fn due_at(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<Timestamp>, PortError>;
}

/// A claim on unresolved transactions: the end of its lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The moment of the claim.
    pub now: Timestamp,
    /// How long it lasts.
    pub lease: Duration,
    /// Most transactions to claim.
    pub limit: u32,
}

/// A transaction that was claimed of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedPlace {
    /// The transaction.
    pub transaction: Transaction,
    /// Whether it may be sent. It was queued before a person resumed payments otherwise: the store
    /// was set back, and may have forgotten that the transaction was cancelled.
    pub is_confirmed: bool,
}

/// An attempt as this instance recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptKey {
    /// Whose transaction it belongs to.
    pub account: AccountId,
    /// The number of the transaction.
    pub number: TransactionNumber,
    /// Which attempt.
    pub attempt: AttemptNumber,
    /// The version of the transaction that recorded the attempt.
    pub version: u32,
}

/// A queued transfer with the account that has the identity it pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimableTransfer {
    /// The transfer.
    pub transaction: Transaction,
    /// The account.
    pub payee: Payee,
}

/// Claiming unresolved transactions, so that two workers never follow one up at a time. A claim
/// only saves work: what keeps money right is the version every write is conditional on, and the
/// permit to send.
#[async_trait]
pub trait Leases: Send + Sync + std::fmt::Debug {
    /// Claims transactions that are due, longest due first: each becomes due again when its lease
    /// ends.
    ///
    /// # Errors
    /// When the store failed.
    async fn claim_due(&self, claim: Claim) -> Result<Vec<Transaction>, PortError>;

    /// Claims queued transactions whose moment has come: each may be claimed again when its lease
    /// ends. They are not among those that are due.
    ///
    /// Accounts take turns: what is claimed is the first of each account, then the second of each,
    /// and so on, in this order; those of one account, and those of one turn, longest due first,
    /// among what is looked at. A store may look at some thousands of what is due: what became due
    /// first, what became due last and, further on with each claim, what is between. What it finds
    /// there of the accounts in `except` is passed over.
    ///
    /// # Errors
    /// When the store failed.
    async fn claim_queued(
        &self,
        claim: Claim,
        except: &[AccountId],
    ) -> Result<Vec<ClaimedPlace>, PortError>;

    /// Queued transfers whose address an active account has now, the payer being active and another
    /// one, at most `limit`, in no order. None is claimed by this: each is paid by a step of its
    /// own.
    ///
    /// # Errors
    /// When the store failed.
    async fn claimable(&self, limit: u32) -> Result<Vec<ClaimableTransfer>, PortError>;

    /// How many queued transfers of an account wait for an address to be one's.
    ///
    /// # Errors
    /// When the store failed.
    async fn unclaimed(&self, account: &AccountId) -> Result<u64, PortError>;

    /// Makes due at once what was claimed by processes that cannot be alive any more. A store that
    /// one process owns alone knows so at start; a shared store waits for the leases to end.
    /// Returns how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn reclaim_orphans(&self, now: Timestamp) -> Result<u64, PortError>;

    /// Makes due at `now` plus `longest` what is due later than that: nothing that is undecided may
    /// wait longer, whatever a clock showed when it was written. Returns how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn bound_due(&self, now: Timestamp, longest: Duration) -> Result<u64, PortError>;

    /// Whether an attempt is still this instance's to send: being sent, unclaimed, unchanged since
    /// it was recorded, and not due by the time of the store, whatever the clock of the caller
    /// shows.
    ///
    /// A store that one process owns alone may always say yes, where the application keeps its own
    /// recovery from attempts that are being sent.
    ///
    /// # Errors
    /// When the store failed: the attempt must not be sent.
    async fn may_send(&self, attempt: &AttemptKey) -> Result<bool, PortError>;
}
