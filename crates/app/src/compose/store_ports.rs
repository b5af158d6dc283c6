//! What a store is asked through. It must not name a store: any that implements the ports will do.

use std::sync::Arc;

use ports::access_keys::AccessKeys;
use ports::account_changes::AccountChanges;
use ports::account_users::AccountUsers;
use ports::accounts::Accounts;
use ports::allowlists::Allowlists;
use ports::audit::Audit;
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
use ports::ledger_store::LedgerStore;
use ports::messaging_library::MessagingLibrary;
use ports::operators::OperatorLog;
use ports::peers::Peers;
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
use ports::transactions::{Leases, Transactions};
use ports::vouchers::Vouchers;
use ports::webhooks::{Endpoints, Outbox};

/// What a store is asked through.
#[derive(Debug, Clone)]
pub(crate) struct Ports {
    pub(crate) ledger: Arc<dyn LedgerStore>,
    pub(crate) transactions: Arc<dyn Transactions>,
    pub(crate) batches: Arc<dyn Batches>,
    pub(crate) groups: Arc<dyn Groups>,
    pub(crate) library: Arc<dyn MessagingLibrary>,
    pub(crate) access_keys: Arc<dyn AccessKeys>,
    pub(crate) spending_limits: Arc<dyn SpendingLimits>,
    pub(crate) freezes: Arc<dyn Freezes>,
    pub(crate) allowlists: Arc<dyn Allowlists>,
    pub(crate) account_changes: Arc<dyn AccountChanges>,
    pub(crate) request_log: Arc<dyn RequestLog>,
    pub(crate) incoming: Arc<dyn IncomingMessages>,
    pub(crate) users: Arc<dyn AccountUsers>,
    pub(crate) refunds: Arc<dyn Refunds>,
    pub(crate) top_ups: Arc<dyn TopUps>,
    pub(crate) collections: Arc<dyn Collections>,
    pub(crate) invoices: Arc<dyn Invoices>,
    pub(crate) bookings: Arc<dyn Bookings>,
    pub(crate) vouchers: Arc<dyn Vouchers>,
    pub(crate) recurring: Arc<dyn RecurringPayments>,
    pub(crate) reports: Arc<dyn Reports>,
    pub(crate) report_runs: Arc<dyn ReportRuns>,
    pub(crate) leases: Arc<dyn Leases>,
    pub(crate) changes: Arc<dyn ProviderChanges>,
    pub(crate) message_ids: Arc<dyn MessageIds>,
    pub(crate) accounts: Arc<dyn Accounts>,
    pub(crate) senders: Arc<dyn Senders>,
    pub(crate) endpoints: Arc<dyn Endpoints>,
    pub(crate) outbox: Arc<dyn Outbox>,
    pub(crate) audit: Arc<dyn Audit>,
    pub(crate) peers: Arc<dyn Peers>,
    pub(crate) reconciliation: Arc<dyn Reconciliation>,
    pub(crate) retention: Arc<dyn RetentionStore>,
    pub(crate) change_requests: Arc<dyn ChangeRequestStore>,
    pub(crate) operators: Arc<dyn OperatorLog>,
    pub(crate) backlog: Arc<dyn Backlog>,
    pub(crate) catalogue: Arc<dyn CatalogueVersions>,
    pub(crate) environments: Arc<dyn ProviderEnvironments>,
    pub(crate) secret_proofs: Arc<dyn SecretProofs>,
    pub(crate) floats: Arc<dyn ProviderFloats>,
    pub(crate) readings: Arc<dyn BalanceReadings>,
    pub(crate) tranches: Arc<dyn FloatTranches>,
}

/// What a store keeps of who may do what, and whom groups pay.
pub(super) trait AccessStore:
    AccessKeys
    + SpendingLimits
    + Freezes
    + Allowlists
    + AccountChanges
    + RequestLog
    + AccountUsers
    + Groups
    + MessagingLibrary
{
}

impl<S> AccessStore for S where
    S: AccessKeys
        + SpendingLimits
        + Freezes
        + Allowlists
        + AccountChanges
        + RequestLog
        + AccountUsers
        + Groups
        + MessagingLibrary
{
}

/// What merchants collect, bill and give out as codes, and what their customers book.
pub(super) trait SalesStore: Collections + Invoices + Bookings + Vouchers {}

impl<S: Collections + Invoices + Bookings + Vouchers> SalesStore for S {}

/// What operators ask for, decide and set.
pub(super) trait OperatorStore:
    ChangeRequestStore + OperatorLog + CatalogueVersions + ProviderEnvironments + StoreFacts
{
}

impl<S> OperatorStore for S where
    S: ChangeRequestStore + OperatorLog + CatalogueVersions + ProviderEnvironments + StoreFacts
{
}

/// What a store knows of itself: its secrets, and what waits in it.
pub(super) trait StoreFacts: SecretProofs + Backlog {}

impl<S: SecretProofs + Backlog> StoreFacts for S {}

/// What a store keeps of messages, and for how long.
pub(super) trait MessageStore:
    MessageIds + Senders + IncomingMessages + RetentionStore
{
}

impl<S: MessageIds + Senders + IncomingMessages + RetentionStore> MessageStore for S {}

/// Keeps our money at providers.
pub(super) trait FloatStore: ProviderFloats + BalanceReadings + FloatTranches {}

impl<S: ProviderFloats + BalanceReadings + FloatTranches> FloatStore for S {}

impl Ports {
    pub(super) fn of<S>(store: &Arc<S>, peers: Arc<dyn Peers>) -> Self
    where
        S: LedgerStore
            + Transactions
            + Batches
            + AccessStore
            + Refunds
            + TopUps
            + SalesStore
            + RecurringPayments
            + Reports
            + ReportRuns
            + Leases
            + ProviderChanges
            + Accounts
            + Endpoints
            + Outbox
            + Audit
            + Reconciliation
            + MessageStore
            + OperatorStore
            + FloatStore
            + 'static,
    {
        Self {
            ledger: Arc::clone(store) as _,
            transactions: Arc::clone(store) as _,
            batches: Arc::clone(store) as _,
            groups: Arc::clone(store) as _,
            library: Arc::clone(store) as _,
            access_keys: Arc::clone(store) as _,
            spending_limits: Arc::clone(store) as _,
            freezes: Arc::clone(store) as _,
            allowlists: Arc::clone(store) as _,
            account_changes: Arc::clone(store) as _,
            request_log: Arc::clone(store) as _,
            incoming: Arc::clone(store) as _,
            users: Arc::clone(store) as _,
            refunds: Arc::clone(store) as _,
            top_ups: Arc::clone(store) as _,
            collections: Arc::clone(store) as _,
            invoices: Arc::clone(store) as _,
            bookings: Arc::clone(store) as _,
            vouchers: Arc::clone(store) as _,
            recurring: Arc::clone(store) as _,
            reports: Arc::clone(store) as _,
            report_runs: Arc::clone(store) as _,
            leases: Arc::clone(store) as _,
            changes: Arc::clone(store) as _,
            message_ids: Arc::clone(store) as _,
            accounts: Arc::clone(store) as _,
            senders: Arc::clone(store) as _,
            endpoints: Arc::clone(store) as _,
            outbox: Arc::clone(store) as _,
            audit: Arc::clone(store) as _,
            reconciliation: Arc::clone(store) as _,
            retention: Arc::clone(store) as _,
            change_requests: Arc::clone(store) as _,
            operators: Arc::clone(store) as _,
            backlog: Arc::clone(store) as _,
            catalogue: Arc::clone(store) as _,
            environments: Arc::clone(store) as _,
            secret_proofs: Arc::clone(store) as _,
            floats: Arc::clone(store) as _,
            readings: Arc::clone(store) as _,
            tranches: Arc::clone(store) as _,
            peers,
        }
    }
}
