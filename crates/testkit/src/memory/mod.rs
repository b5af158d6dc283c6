//! The reference store: plain lists behind one lock, written so that its rightness can be seen. It
//! is what other stores are compared with, so it must share no code with any of them.

mod access_keys;
mod account_changes;
mod account_users;
mod accounts;
mod allowlists;
mod audit;
mod backlog;
mod balance_readings;
mod batches;
mod bookings;
mod catalogue_versions;
mod change_requests;
mod changes;
mod collections;
mod delivery_lists;
mod endpoints;
mod float;
mod float_tranches;
mod forgetting;
mod freezes;
mod incoming_messages;
mod invoices;
mod leases;
mod ledger_store;
mod message_ids;
mod messaging_library;
mod notifications;
mod operators;
mod outbox;
mod payout_groups;
mod provider_environments;
mod reads;
mod reconciliation;
mod recurring;
mod refunds;
mod report_runs;
mod reports;
mod request_log;
mod retention;
mod secret_proofs;
mod senders;
mod settling;
mod spending_limits;
mod top_ups;
mod vouchers;

use crate::clock::ManualClock;
use domain::account::{Account, AccountId};
use domain::bank::Group;
use domain::change_set::Funding;
use domain::credential::{KeyId, KeyRecord};
use domain::environment::Environment;
use domain::event::Event;
use domain::float::Prefunding;
use domain::float_forecast::BalanceReading;
use domain::float_reserve::FloatReserve;
use domain::freeze::FrozenServices;
use domain::invoice::Invoice;
use domain::ledger::{Transfer, Wallet};
use domain::messaging::IncomingMessage;
use domain::messaging_library::LibraryItem;
use domain::operations::change_request::ChangeRequest;
use domain::operator::OperatorEntry;
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::refund::{RefundDecision, RefundRequest};
use domain::request_log::LoggedRequest;
use domain::sms::Sender;
use domain::time::Timestamp;
use domain::top_up::AccountTopUp;
use domain::transaction::Transaction;
use domain::webhook::{Attempt, Delivery, Endpoint, EndpointId};
use ports::access_keys::SealedAccessKey;
use ports::account_changes::ChainedChange;
use ports::account_users::SealedUser;
use ports::allowlists::SealedAllowlist;
use ports::catalogue_versions::CatalogueVersion;
use ports::changes::{Cursor, DeadLetter};
use ports::clock::Clock;
use ports::freezes::SealedFreeze;
use ports::operators::SignedEffect;
use ports::reconciliation::Clearance;
use ports::secret_proofs::SecretKind;
use ports::spending_limits::SealedLimit;
use ports::{PortError, PortErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in memory that implements every storage port.
#[derive(Debug)]
pub struct MemoryStore {
    tables: Mutex<MemoryTables>,
    /// The store's own time, which is no instance's.
    clock: Arc<dyn Clock>,
}

/// Everything stored at a moment.
#[derive(Debug, Clone)]
pub struct MemoryBackup(MemoryTables);

/// Everything stored. Lists are in the order things were stored.
#[derive(Debug, Clone, Default)]
struct MemoryTables {
    accounts: Vec<AccountRow>,
    fundings: Vec<Funding>,
    prefundings: Vec<Prefunding>,
    /// How our money at each provider is divided among instances.
    reserves: BTreeMap<ProviderId, FloatReserve>,
    /// By provider and span.
    balance_readings: BTreeMap<(ProviderId, i64), BalanceReading>,
    /// The environment of each provider that was registered.
    environments: BTreeMap<ProviderId, Environment>,
    /// Proofs of secrets, of each acceptance.
    secret_proofs: Vec<BTreeMap<(SecretKind, u32), [u8; 32]>>,
    transactions: Vec<TransactionRow>,
    batches: Vec<batches::BatchRow>,
    payout_groups: Vec<Group>,
    messaging_library: Vec<LibraryItem>,
    access_keys: Vec<SealedAccessKey>,
    access_revocations: BTreeMap<(AccountId, KeyId), Timestamp>,
    /// When keys end whose place another one takes.
    access_ends: BTreeMap<(AccountId, KeyId), Timestamp>,
    account_users: Vec<SealedUser>,
    /// Versions of limits, in the order they were set.
    spending_limits: Vec<SealedLimit>,
    /// Versions of freezes, in the order they were set.
    freezes: Vec<SealedFreeze>,
    /// What was changed, in the order it was.
    account_changes: Vec<ChainedChange>,
    /// Requests as they were answered.
    request_log: Vec<LoggedRequest>,
    /// Messages that people sent, in the order they were recorded.
    incoming_messages: Vec<IncomingMessage>,
    /// Versions of allowlists, in the order they were set.
    allowlists: Vec<SealedAllowlist>,
    top_ups: Vec<AccountTopUp>,
    refunds: Vec<RefundRequest>,
    /// By account and number of the refund.
    refund_decisions: BTreeMap<(AccountId, TransactionNumber), RefundDecision>,
    vouchers: vouchers::VoucherTables,
    collections: collections::CollectionTables,
    /// Invoices, in the order they were created.
    invoices: Vec<Invoice>,
    bookings: bookings::BookingTables,
    recurring: recurring::RecurringTables,
    /// Runs of reports, in the order they began.
    report_runs: Vec<report_runs::RunEntry>,
    /// Each with the account it was booked for: the number of its transaction alone is not unique.
    transfers: Vec<(AccountId, Transfer)>,
    /// Each with the account of its transaction.
    events: Vec<(AccountId, Event)>,
    senders: Vec<Sender>,
    endpoints: Vec<Endpoint>,
    /// Those that were removed, as long as their numbers stay taken.
    removed: Vec<Removed>,
    deliveries: Vec<DeliveryRow>,
    /// How far the changes of each provider were read.
    cursors: BTreeMap<ProviderId, Cursor>,
    /// Changes that could not be applied, in the order they came; those that were applied since
    /// are among them.
    dead_letters: Vec<DeadLetter>,
    /// Transactions whose record cannot be read.
    unreadable: BTreeSet<(AccountId, MerchantReference)>,
    /// Whether nothing new may be opened, and what journals and persons say of it.
    reconciliation: reconciliation::Ledger,
    /// What providers call messages.
    message_ids: Vec<message_ids::RememberedId>,
    operator_log: Vec<OperatorEntry>,
    change_requests: Vec<ChangeRequest>,
    /// Versions of the catalogue, each with its document.
    catalogue_versions: Vec<(CatalogueVersion, String)>,
    /// References that were settled, and payments that were resumed.
    decided: Vec<SignedEffect>,
}

#[derive(Debug, Clone)]
struct AccountRow {
    account: Account,
    /// One in every currency, in the order of [`Currency::ALL`](domain::money::Currency::ALL).
    wallets: Vec<Wallet>,
    /// Live keys, oldest first.
    keys: Vec<KeyRecord>,
    /// What of it is frozen, apart from its keys.
    frozen: FrozenServices,
}

#[derive(Debug, Clone)]
struct TransactionRow {
    transaction: Transaction,
    /// When it must be looked at next.
    due_at: Option<Timestamp>,
    /// Whether a process holds it until `due_at`: it claimed it, or is sending its attempt.
    leased: bool,
    /// Whether it was claimed since it was last written.
    claimed: bool,
    /// Whether it was queued when a person resumed payments.
    unconfirmed: bool,
}

#[derive(Debug, Clone)]
struct Removed {
    account: AccountId,
    endpoint: EndpointId,
    at: Timestamp,
}

#[derive(Debug, Clone)]
struct DeliveryRow {
    delivery: Delivery,
    /// Whether it goes before whatever waits.
    requested: bool,
    /// Every attempt that was made for it, in the order they were recorded.
    log: Vec<Attempt>,
    /// The last attempt that counted: what was answered to it is kept.
    last: Option<Attempt>,
}

impl MemoryStore {
    /// An empty store, shared as the core wants it, whose own time stands still.
    pub fn new() -> Arc<Self> {
        Self::with_clock(ManualClock::start())
    }

    /// An empty store with a clock of its own.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            tables: Mutex::default(),
            clock,
        })
    }

    /// Opens nothing new from now on: every opening is answered
    /// [`CommitOutcome::Suspended`](ports::ledger_store::CommitOutcome::Suspended).
    pub fn hold_openings(&self) {
        let suspended = &mut self.tables().reconciliation;
        suspended.suspend("a test says so", Clearance::Person);
    }

    /// Opens transactions again.
    pub fn allow_openings(&self) {
        self.tables().reconciliation.resume();
    }

    /// A copy of everything stored, as a backup is.
    pub fn backup(&self) -> MemoryBackup {
        MemoryBackup(self.tables().clone())
    }

    /// Puts a backup in the place of what is stored.
    pub fn restore(&self, backup: &MemoryBackup) {
        *self.tables() = backup.0.clone();
    }

    /// Makes the record of a transaction unreadable: reading or advancing it fails from now on.
    pub fn make_unreadable(&self, account: &AccountId, reference: &MerchantReference) {
        let name = (account.clone(), reference.clone());
        self.tables().unreadable.insert(name);
    }

    /// Makes every record readable again.
    pub fn mend(&self) {
        self.tables().unreadable.clear();
    }

    fn tables(&self) -> MutexGuard<'_, MemoryTables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a store answers of a record that it cannot read.
fn unreadable(number: TransactionNumber) -> PortError {
    let what = format!("transaction {number} cannot be read");
    PortError::new("memory", what)
        .with_trouble(PortErrorKind::Record)
        .with_nothing_done()
}

impl MemoryTables {
    fn is_unreadable(&self, account: &AccountId, reference: &MerchantReference) -> bool {
        let name = (account.clone(), reference.clone());
        self.unreadable.contains(&name)
    }

    fn account(&self, id: &AccountId) -> Option<&AccountRow> {
        self.accounts.iter().find(|row| row.account.id == *id)
    }

    fn account_mut(&mut self, id: &AccountId) -> Option<&mut AccountRow> {
        self.accounts.iter_mut().find(|row| row.account.id == *id)
    }

    fn transaction_where(&self, wanted: impl Fn(&Transaction) -> bool) -> Option<&TransactionRow> {
        self.transactions
            .iter()
            .find(|row| wanted(&row.transaction))
    }

    fn numbered(&self, account: &AccountId, number: TransactionNumber) -> Option<&TransactionRow> {
        self.transaction_where(|tx| tx.account == *account && tx.number == number)
    }
}

#[cfg(test)]
mod tests;
