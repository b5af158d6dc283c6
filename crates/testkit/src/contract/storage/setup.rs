//! A store as the laws see it, and the steps they are written in. Every helper must panic where a
//! port fails: a law is about what ports answer.

use super::access_ports::AccessPorts;
use super::port_groups::{FloatPorts, OperatorPorts};
use crate::builders::{PurchaseBuilder, account, account_id, advance, reference};
use domain::change_set::{ChangeSet, StateChange};
use domain::event::Event;
use domain::ledger::{Transfer, Wallet};
use domain::money::{Currency, Money};
use domain::statement::{Sort, StatementPage, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::{Observation, Transaction};
use ports::access_keys::AccessKeys;
use ports::account_changes::AccountChanges;
use ports::account_users::AccountUsers;
use ports::accounts::{Accounts, Created};
use ports::allowlists::Allowlists;
use ports::audit::{Audit, CheckOutcome, Serving};
use ports::backlog::Backlog;
use ports::balance_readings::BalanceReadings;
use ports::batches::Batches;
use ports::bookings::Bookings;
use ports::catalogue_versions::CatalogueVersions;
use ports::change_requests::ChangeRequestStore;
use ports::changes::ProviderChanges;
use ports::collections::Collections;
use ports::float::ProviderFloats;
use ports::float_tranches::FloatTranches;
use ports::freezes::Freezes;
use ports::groups::Groups;
use ports::incoming_messages::IncomingMessages;
use ports::invoices::Invoices;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::messaging_library::MessagingLibrary;
use ports::operators::OperatorLog;
use ports::provider_environments::ProviderEnvironments;
use ports::receipts::MessageIds;
use ports::reconciliation::Reconciliation;
use ports::recurring::RecurringPayments;
use ports::refunds::Refunds;
use ports::report_runs::ReportRuns;
use ports::reports::Reports;
use ports::request_log::RequestLog;
use ports::retention::RetentionStore;
use ports::secret_proofs::SecretProofs;
use ports::senders::Senders;
use ports::spending_limits::SpendingLimits;
use ports::top_ups::TopUps;
use ports::transactions::{Claim, Leases, Transactions};
use ports::vouchers::Vouchers;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The storage ports of one store.
#[derive(Clone)]
pub struct Stores {
    /// Its writes.
    pub books: Arc<dyn LedgerStore>,
    /// Its reads.
    pub transactions: Arc<dyn Transactions>,
    /// Its batches.
    pub batches: Arc<dyn Batches>,
    /// Its groups of bank accounts.
    pub groups: Arc<dyn Groups>,
    /// The same store's templates and flows.
    pub library: Arc<dyn MessagingLibrary>,
    /// Keys that merchants make.
    pub access_keys: Arc<dyn AccessKeys>,
    /// Limits on what accounts spend.
    pub spending_limits: Arc<dyn SpendingLimits>,
    /// Freezes of accounts, keys and services.
    pub freezes: Arc<dyn Freezes>,
    /// What was changed of accounts.
    pub account_changes: Arc<dyn AccountChanges>,
    /// Requests as they were answered.
    pub request_log: Arc<dyn RequestLog>,
    /// Messages that people sent.
    pub incoming: Arc<dyn IncomingMessages>,
    /// Allowlists of keys.
    pub allowlists: Arc<dyn Allowlists>,
    /// Its users of accounts.
    pub users: Arc<dyn AccountUsers>,
    /// Its top-ups.
    pub top_ups: Arc<dyn TopUps>,
    /// Refunds that its accounts ask for.
    pub refunds: Arc<dyn Refunds>,
    /// Its collections.
    pub collections: Arc<dyn Collections>,
    /// Its invoices.
    pub invoices: Arc<dyn Invoices>,
    /// Its services and appointments.
    pub bookings: Arc<dyn Bookings>,
    /// Its subscriptions.
    pub recurring: Arc<dyn RecurringPayments>,
    /// Its codes.
    pub vouchers: Arc<dyn Vouchers>,
    /// What reports are made of.
    pub reports: Arc<dyn Reports>,
    /// Its files of reports.
    pub report_runs: Arc<dyn ReportRuns>,
    /// Its claims.
    pub leases: Arc<dyn Leases>,
    /// Its accounts.
    pub accounts: Arc<dyn Accounts>,
    /// Its senders.
    pub senders: Arc<dyn Senders>,
    /// Its requests of operators for changes.
    pub change_requests: Arc<dyn ChangeRequestStore>,
    /// Its log of what operators do.
    pub operators: Arc<dyn OperatorLog>,
    /// Its proofs of secrets.
    pub secret_proofs: Arc<dyn SecretProofs>,
    /// What waits in it.
    pub backlog: Arc<dyn Backlog>,
    /// Its versions of the catalogue.
    pub catalogue: Arc<dyn CatalogueVersions>,
    /// Its suspensions.
    pub reconciliation: Arc<dyn Reconciliation>,
    /// Its cursors of providers' changes, and its dead letters.
    pub changes: Arc<dyn ProviderChanges>,
    /// What providers call messages.
    pub message_ids: Arc<dyn MessageIds>,
    /// Its environments of providers.
    pub environments: Arc<dyn ProviderEnvironments>,
    /// Our money at providers.
    pub floats: Arc<dyn ProviderFloats>,
    /// Tranches of our money at providers.
    pub tranches: Arc<dyn FloatTranches>,
    /// Balances at providers as they were read.
    pub readings: Arc<dyn BalanceReadings>,
    /// Its erasing.
    pub retention: Arc<dyn RetentionStore>,
    /// Its audit.
    pub audit: Arc<dyn Audit>,
    /// What must live as long as the store, such as its folder.
    kept: Option<Arc<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stores").field(&self.books).finish()
    }
}

impl Stores {
    /// A store that implements every port itself.
    pub fn of<S>(store: Arc<S>) -> Self
    where
        S: LedgerStore
            + Transactions
            + Leases
            + Batches
            + Groups
            + MessagingLibrary
            + AccessPorts
            + TopUps
            + Refunds
            + Collections
            + Bookings
            + Invoices
            + Vouchers
            + RecurringPayments
            + Reports
            + ReportRuns
            + Accounts
            + Senders
            + OperatorPorts
            + Reconciliation
            + ProviderChanges
            + MessageIds
            + FloatPorts
            + 'static,
    {
        Self {
            books: store.clone(),
            transactions: store.clone(),
            leases: store.clone(),
            batches: store.clone(),
            groups: store.clone(),
            library: store.clone(),
            access_keys: store.clone(),
            spending_limits: store.clone(),
            freezes: store.clone(),
            allowlists: store.clone(),
            account_changes: store.clone(),
            request_log: store.clone(),
            incoming: store.clone(),
            users: store.clone(),
            top_ups: store.clone(),
            refunds: store.clone(),
            collections: store.clone(),
            invoices: store.clone(),
            bookings: store.clone(),
            vouchers: store.clone(),
            recurring: store.clone(),
            reports: store.clone(),
            report_runs: store.clone(),
            accounts: store.clone(),
            senders: store.clone(),
            change_requests: store.clone(),
            operators: store.clone(),
            secret_proofs: store.clone(),
            backlog: store.clone(),
            catalogue: store.clone(),
            reconciliation: store.clone(),
            changes: store.clone(),
            message_ids: store.clone(),
            environments: store.clone(),
            floats: store.clone(),
            readings: store.clone(),
            tranches: store.clone(),
            retention: store.clone(),
            audit: store,
            kept: None,
        }
    }

    /// Keeps something, such as a temporary folder, for as long as the store is used.
    #[must_use]
    pub fn keeping(mut self, kept: impl Any + Send + Sync) -> Self {
        self.kept = Some(Arc::new(kept));
        self
    }

    /// Opens an account with a balance.
    pub async fn has_account(&self, id: &str, balance: &str) {
        let new = account(id).with_balance(balance).new_account();
        let created = self.accounts.create(&new).await;
        assert_eq!(created.expect("create an account"), Created::Done);
    }

    /// What becomes of a change.
    pub async fn commit(&self, change: ChangeSet) -> CommitOutcome {
        self.books.commit(change).await.expect("commit")
    }

    /// What becomes of opening a purchase.
    pub async fn open(&self, purchase: &PurchaseBuilder) -> CommitOutcome {
        self.commit(purchase.clone().change()).await
    }

    /// Opens a purchase, which must succeed.
    pub async fn has_opened(&self, purchase: &PurchaseBuilder) -> Transaction {
        assert_eq!(self.open(purchase).await, CommitOutcome::Done);
        purchase.clone().transaction()
    }

    /// What becomes of a step.
    pub async fn step(&self, advance: &StateChange) -> CommitOutcome {
        self.commit(ChangeSet::Advance(Box::new(advance.clone())))
            .await
    }

    /// Applies an observation and commits the step it makes, which must succeed.
    pub async fn has_applied(
        &self,
        tx: &Transaction,
        observation: &Observation,
        now: Timestamp,
    ) -> Transaction {
        let advance = advance(tx, observation, now);
        assert_eq!(self.step(&advance).await, CommitOutcome::Done);
        advance.transaction
    }

    /// The transaction under a reference.
    pub async fn read(&self, account: &str, under: &str) -> Option<Transaction> {
        let (account, under) = (account_id(account), reference(under));
        let found = self.transactions.by_reference(&account, &under).await;
        found.expect("read a transaction")
    }

    /// The transaction as it is stored now.
    pub async fn reread(&self, tx: &Transaction) -> Option<Transaction> {
        self.read(tx.account.as_str(), tx.reference.as_str()).await
    }

    /// The naira wallet of an account, which must exist.
    pub async fn wallet(&self, account: &str) -> Wallet {
        self.wallet_in(account, Currency::Ngn).await
    }

    /// The wallet of an account in a currency, which must exist.
    pub async fn wallet_in(&self, account: &str, currency: Currency) -> Wallet {
        let found = self.transactions.wallets(&account_id(account)).await;
        let mut found = found.expect("read the wallets").into_iter();
        found
            .find(|wallet| wallet.currency() == currency)
            .expect("the account has a wallet in every currency")
    }

    /// What an account can spend and what is held in naira, in minor units.
    pub async fn balances(&self, account: &str) -> (i64, i64) {
        self.balances_in(account, Currency::Ngn).await
    }

    /// What an account can spend and what is held in a currency, in minor units.
    pub async fn balances_in(&self, account: &str, currency: Currency) -> (i64, i64) {
        let wallet = self.wallet_in(account, currency).await;
        (wallet.available.minor(), wallet.held.minor())
    }

    /// The transfers of a transaction.
    pub async fn transfers(&self, tx: &Transaction) -> Vec<Transfer> {
        let found = self.transactions.transfers(&tx.account, tx.number).await;
        found.expect("read transfers")
    }

    /// The events of a transaction.
    pub async fn events(&self, tx: &Transaction) -> Vec<Event> {
        let found = self.transactions.events(&tx.account, tx.number).await;
        found.expect("read events")
    }

    /// A part of a statement.
    pub async fn statement(&self, account: &str, query: &StatementQuery) -> StatementPage {
        let found = self
            .transactions
            .statement(&account_id(account), query)
            .await;
        found.expect("read a statement")
    }

    /// Claims what is due.
    pub async fn claim(&self, now: Timestamp, lease: Duration, limit: u32) -> Vec<Transaction> {
        let claim = Claim { now, lease, limit };
        self.leases.claim_due(claim).await.expect("claim")
    }

    /// Claims of the queue.
    pub async fn claim_queued(
        &self,
        now: Timestamp,
        lease: Duration,
        limit: u32,
    ) -> Vec<Transaction> {
        let claim = Claim { now, lease, limit };
        let claimed = self.leases.claim_queued(claim, &[]).await;
        let claimed = claimed.expect("claim of the queue").into_iter();
        let confirmed = claimed.map(|place| {
            assert!(place.is_confirmed, "{}", place.transaction.reference);
            place.transaction
        });
        confirmed.collect()
    }

    /// Every check of the audit must hold.
    pub async fn must_be_clean(&self, now: Timestamp) {
        for serving in [Serving::No, Serving::Yes] {
            let checks = self.audit.audit(now, serving).await.expect("audit");
            assert!(!checks.is_empty(), "an audit without checks finds nothing");
            for check in checks {
                // What is due waits in these tests: no recovery runs here.
                let late = check.invariant == "I13";
                let broken = matches!(check.outcome, CheckOutcome::Broken { .. });
                assert!(late || !broken, "{check:?}");
            }
        }
    }
}

/// The whole statement of the naira wallet, oldest first.
pub(super) fn whole() -> StatementQuery {
    StatementQuery {
        currency: Currency::Ngn,
        offset: 0,
        length: 100,
        sort: Sort::Ascending,
        reference: None,
        direction: None,
    }
}

/// Checks that a change set that was refused moved no money of `shop` and stored nothing of it.
pub(super) async fn nothing_was_stored(
    stores: &Stores,
    purchase: &PurchaseBuilder,
    balance: Money,
) {
    let tx = purchase.clone().transaction();
    let wallet = stores.wallet("shop").await;
    assert_eq!((wallet.available, wallet.held.minor()), (balance, 0));
    assert_eq!(stores.reread(&tx).await, None);
    assert_eq!(stores.transfers(&tx).await, []);
    assert_eq!(stores.events(&tx).await, []);
    assert_eq!(stores.statement("shop", &whole()).await.total, 1);
}
