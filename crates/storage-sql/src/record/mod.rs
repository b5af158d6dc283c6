//! Transactions as records. A record carries its version and is read back under every rule of the
//! domain: what does not pass is an error that names the transaction, never a guess or a panic.

mod access;
mod account_change;
mod allowlist;
mod approval;
mod attempt;
mod attempt_route;
mod backlog;
mod batch;
mod booking;
mod catalogue;
mod change;
mod change_requests;
mod collection;
mod confidential;
mod delivered;
mod environment;
mod flow;
mod freeze;
mod fulfilment;
mod group;
mod incoming;
mod invoice;
mod labelled_value;
mod ledger;
mod library;
mod limit;
mod merchant;
mod message_id;
mod noted;
mod obstacles;
mod operators;
mod order;
mod payee;
mod prepared;
mod proof;
mod quote;
mod recurring;
mod refund;
mod report;
mod reported;
mod request_log;
mod row;
mod run;
mod sale_items;
mod scalar;
mod secret_proof;
mod sender;
mod state;
mod top_up;
mod voucher;
mod webhook;

pub use access::{
    AccessKeyRow, LiveKeyRow, UserRow, UserStepRow, live_access_keys, unless_unreadable,
    user_number, users_with_steps,
};
pub use account_change::{AccountChangeRow, last_change};
pub use allowlist::{AllowlistObstacles, AllowlistRow, allowlist_obstacle};
pub use attempt::{AttemptRow, attempts};
pub use backlog::{EndpointBacklogColumns, OpenPaymentsRow, opened_up_to, webhook_backlog};
pub use batch::{BatchRow, counted_batches};
pub use booking::{
    AppointmentObstacles, AppointmentRow, BookableServiceRow, OccupationRow, ServiceObstacles,
    appointment_obstacle, chosen, service_obstacle,
};
pub use catalogue::{CatalogueVersionColumns, catalogue_version, change_lines};
pub use change::{DeadLetterRow, cursor, finding, position};
pub use change_requests::{ChangeRequestColumns, change_request, change_request_columns};
pub use collection::{CollectedRow, CollectionRow};
pub use confidential::{ConfidentialDocument, opened_progress, token};
pub(crate) use environment::environment;
pub use environment::{account_environment, provider_environment, registered_elsewhere};
pub use freeze::{
    FreezeObstacles, FreezeRow, freeze_obstacle, freeze_target, frozen_key_targets, frozen_targets,
    frozen_wallets, target_of_record,
};
pub use group::{GroupRow, group_members};
pub use incoming::{IncomingRow, incoming_message};
pub use invoice::{InvoiceRow, opened_after};
pub use ledger::{LineRow, TransferRow, direction_code, event};
pub use library::{LibraryRow, library_document};
pub use limit::{LimitObstacles, LimitRow, limit_obstacle, limited_services};
pub use merchant::{MerchantRow, account_status_code, in_order, key, listed};
pub use message_id::{MessageIdRow, message_ids, parts_of};
pub use noted::NotedRow;
pub use obstacles::{
    CollectionObstacles, InvoiceObstacles, InvoiceOpeningObstacles, KeyObstacles, RefundObstacles,
    TopUpObstacles, UserObstacles, collection_obstacle, invoice_obstacle, invoice_opening_obstacle,
    key_obstacle, recurring_obstacle, refund_obstacle, top_up_obstacle, user_obstacle,
};
pub use operators::{EffectColumns, EntryColumns, EntryRow, effect, entry, paid_by_address};
pub use order::claim;
pub use payee::payee;
pub use recurring::{
    RecurringProgressRow, RecurringRow, RecurringRunRow, stored_number as recurring_number,
};
pub use refund::{RefundDecisionRow, RefundRow};
pub use report::{AcceptedRow, SettledRow, entry_after, number_after};
pub use reported::reported_of;
pub use request_log::LoggedRequestRow;
pub(crate) use row::authentic;
pub use row::{AccountRow, FundingRow, TransactionRow};
pub use run::{RunRow, opened_part, run_request, sealed_part};
pub use secret_proof::secret_proof;
pub use sender::SenderRow;
pub use state::code as state_code;
pub use top_up::TopUpRow;
pub use voucher::{VoucherBatchRow, VoucherRedemptionRow, VoucherRollbackRow, VoucherRow};
pub use webhook::{
    AnnouncedRow, Announcement, AttemptRecord, DeliveryRow, EndpointRow, EventKey, HealthColumns,
    HealthRow, SubscriberRow, endpoint_key, endpoint_of_key, excess, log, moments, progress,
    secret_peppers, target, topics,
};

use crate::field_cipher::sealed_under;
use domain::order::Order;
use domain::pricing::Quote;
use domain::transaction::{
    Approval, AttemptRoute, Disproven, PreparedAttempt, ReportedDetails, State, Transaction,
};
use serde::{Deserialize, Serialize};

/// The version written today. A change of shape raises it, and the reader keeps the older ones.
const VERSION: u32 = 1;

/// Why a record cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The text does not have the shape of the record.
    #[error("{document} does not have the shape of its record")]
    Shape {
        /// Which document.
        document: &'static str,
        /// What the parser says.
        #[source]
        source: serde_json::Error,
    },
    /// Written by a version of the gateway that knows more.
    #[error("{document} is of version {found}; this gateway reads up to {VERSION}")]
    Version {
        /// Which document.
        document: &'static str,
        /// Its version.
        found: u32,
    },
    /// It does not open with the keys there are, or not in this row.
    #[error(
        "{document} is sealed under another key than generation {generation} of the key ring, or \
         was copied from another row"
    )]
    Sealed {
        /// Which document or field.
        document: &'static str,
        /// The generation it names.
        generation: String,
    },
    /// A value breaks the rules of its type.
    #[error("{0} holds a value that its rules do not allow")]
    Value(&'static str),
    /// Its authentication code is of other values.
    #[error("its row was changed by other means than the gateway")]
    Altered,
    /// Its authentication code cannot be checked.
    #[error(
        "its row was written under generation {0} of the key ring, which is not in the one here"
    )]
    MissingKey(u32),
}

/// What never changes of a transaction: what was bought and at what price.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredPurchase<'a> {
    v: u32,
    #[serde(borrow)]
    order: order::OrderRecord<'a>,
    quote: quote::QuoteRecord<'a>,
}

impl<'a> StoredPurchase<'a> {
    /// The record of a transaction's order and quote, borrowed from it.
    pub fn of(tx: &'a Transaction) -> Self {
        Self {
            v: VERSION,
            order: (&tx.order).into(),
            quote: (&tx.quote).into(),
        }
    }

    /// Reads a record back.
    pub fn restore(text: &'a str) -> Result<(Order, Quote), RecordError> {
        let record: Self = read("purchase", text, |record: &Self| record.v)?;
        Ok((record.order.restore()?, record.quote.restore()?))
    }
}

/// What changes as a transaction moves on: its state and the attempts before the current one. Where
/// it is stored, its meter token stands apart, so that it can be erased.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredProgress<'a> {
    v: u32,
    #[serde(borrow)]
    state: state::StateRecord<'a>,
    #[serde(borrow)]
    earlier: Vec<proof::DisprovenRecord<'a>>,
    /// Where its attempts go; none where that follows from the transaction itself.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    prepared: Vec<prepared::PreparedRecord<'a>>,
    /// What providers reported of the attempts; none where they reported nothing.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    reported: Vec<reported::DetailsRecord<'a>>,
    /// The routes that its attempts took; none where no route is known.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    routes: Vec<Option<attempt_route::RouteRecord<'a>>>,
    /// What it needs before it is sent; none where its price was above no limit.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    approval: Option<approval::ApprovalRecord<'a>>,
}

/// Where a transaction stands, read back.
#[derive(Debug)]
pub struct RestoredProgress {
    /// Its state.
    pub state: State,
    /// The attempts before the current one.
    pub earlier: Vec<Disproven>,
    /// Where its attempts go; none where that follows from the transaction itself.
    pub prepared: Vec<PreparedAttempt>,
    /// What providers reported of them.
    pub reported: ReportedDetails,
    /// The routes that its first and second attempt took.
    pub routes: [Option<AttemptRoute>; 2],
    /// What it needs before it is sent.
    pub approval: Option<Approval>,
}

impl<'a> StoredProgress<'a> {
    /// The record of where a transaction stands, borrowed from it.
    pub fn of(tx: &'a Transaction) -> Self {
        Self {
            v: VERSION,
            state: (&tx.state).into(),
            earlier: tx.earlier.iter().map(Into::into).collect(),
            prepared: prepared::of(tx),
            reported: reported::of(tx),
            routes: attempt_route::of(tx),
            approval: tx.approval.as_ref().map(Into::into),
        }
    }

    /// Reads a record back, with the meter token where that stands apart.
    pub fn restore(text: &'a str, token: Option<&'a str>) -> Result<RestoredProgress, RecordError> {
        let mut record: Self = read("progress", text, |record: &Self| record.v)?;
        // An event of a payment from before its token was known has no place for it.
        if let (Some(place), Some(token)) = (record.state.token(), token) {
            *place = Some(token.into());
        }
        let earlier = record
            .earlier
            .into_iter()
            .map(proof::DisprovenRecord::restore);
        let prepared = record.prepared.into_iter();
        Ok(RestoredProgress {
            state: record.state.restore()?,
            earlier: earlier.collect::<Result<_, _>>()?,
            prepared: prepared
                .map(prepared::PreparedRecord::restore)
                .collect::<Result<_, _>>()?,
            reported: reported::restored(record.reported)?,
            routes: attempt_route::restored(record.routes)?,
            approval: record
                .approval
                .map(approval::ApprovalRecord::restore)
                .transpose()?,
        })
    }
}

/// Refuses a field that is still sealed after it was to be opened.
fn opened(document: &'static str, text: &str) -> Result<(), RecordError> {
    match sealed_under(text) {
        None => Ok(()),
        Some(generation) => Err(RecordError::Sealed {
            document,
            generation: generation.to_owned(),
        }),
    }
}

/// Parses a document and checks its version; a document that does not parse is asked for its
/// version alone, so that a newer one is reported as what it is.
fn read<'a, T: Deserialize<'a>>(
    document: &'static str,
    text: &'a str,
    version: fn(&T) -> u32,
) -> Result<T, RecordError> {
    #[derive(Deserialize)]
    struct Versioned {
        v: u32,
    }
    opened(document, text)?;
    let found = match serde_json::from_str::<T>(text) {
        Ok(record) if version(&record) == VERSION => return Ok(record),
        Ok(record) => version(&record),
        Err(source) => match serde_json::from_str::<Versioned>(text) {
            Ok(Versioned { v }) if v != VERSION => v,
            Ok(_) | Err(_) => return Err(RecordError::Shape { document, source }),
        },
    };
    Err(RecordError::Version { document, found })
}
