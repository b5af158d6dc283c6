//! What the gateway counts and times of its own work, for those who operate it. It must never wait
//! or fail, and must never be given whose a payment or a request was.

use domain::order::Service;
use domain::provider::ProviderId;
use domain::transaction::Status;
use std::fmt::Debug;
use std::time::Duration;

/// A request of the interface that was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredRequest {
    /// Its method; `OTHER` for any that is not ours.
    pub method: &'static str,
    /// Its path as the interface lists it; none for any other.
    pub path: Option<&'static str>,
    /// The status of the answer.
    pub status: u16,
    /// How long it took.
    pub took: Duration,
}

/// A limit with which a request or a connection was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NamedLimit {
    /// Requests of an account in a minute.
    RequestRate,
    /// Minutes of an hour in which that was exceeded.
    HourlyBlock,
    /// Requests of an account at a time.
    RequestsAtOnce,
    /// Logins that failed.
    FailedLogins,
    /// Open connections.
    Connections,
    /// Payments under way.
    PaymentsAtOnce,
    /// Change sets that wait for the store.
    StoreQueue,
    /// The bytes of a request.
    BodyBytes,
}

impl NamedLimit {
    /// Every limit.
    pub const ALL: [Self; 8] = [
        Self::RequestRate,
        Self::HourlyBlock,
        Self::RequestsAtOnce,
        Self::FailedLogins,
        Self::Connections,
        Self::PaymentsAtOnce,
        Self::StoreQueue,
        Self::BodyBytes,
    ];

    /// The word for it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::RequestRate => "request_rate",
            Self::HourlyBlock => "hourly_block",
            Self::RequestsAtOnce => "requests_at_once",
            Self::FailedLogins => "failed_logins",
            Self::Connections => "connections",
            Self::PaymentsAtOnce => "payments_at_once",
            Self::StoreQueue => "store_queue",
            Self::BodyBytes => "body_bytes",
        }
    }
}

/// What a payment is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredPayment<'a> {
    /// What was bought.
    pub service: Service,
    /// Who delivers it.
    pub provider: &'a ProviderId,
}

/// What a provider was called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProviderCallKind {
    /// To deliver an order.
    Submit,
    /// To say what became of one.
    Query,
}

impl ProviderCallKind {
    /// The word for it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Submit => "submit",
            Self::Query => "query",
        }
    }
}

/// A call of a provider that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderCall<'a> {
    /// Who was called.
    pub provider: &'a ProviderId,
    /// What for.
    pub kind: ProviderCallKind,
    /// What came of it, in a word.
    pub outcome: &'static str,
    /// How long it took.
    pub took: Duration,
}

/// Where a list was read, where there is a standby for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ListSource {
    /// The server that is written to, since the standby could not be read.
    Primary,
    /// The standby.
    Standby,
}

impl ListSource {
    /// The word for it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Standby => "standby",
        }
    }
}

/// What became of a batch of change sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommittedBatch {
    /// How many change sets it had.
    pub size: usize,
    /// Whether it was made durable.
    pub is_durable: bool,
    /// How long that took, from its first statement on.
    pub took: Duration,
}

/// Counts and times. A method that is not overridden counts nothing.
pub trait Measurements: Debug + Send + Sync {
    /// A request was answered.
    fn request_answered(&self, _request: MeasuredRequest) {}

    /// A limit refused something.
    fn limit_hit(&self, _limit: NamedLimit) {}

    /// A payment was opened, or queued.
    fn payment_opened(&self, _payment: MeasuredPayment<'_>) {}

    /// It is not known yet what became of a payment; whether its provider has acknowledged it.
    fn payment_in_doubt(&self, _payment: MeasuredPayment<'_>, _is_acknowledged: bool) {}

    /// A payment came to its end, so long after it was opened.
    fn payment_ended(&self, _payment: MeasuredPayment<'_>, _status: Status, _after: Duration) {}

    /// A provider was called.
    fn provider_called(&self, _call: ProviderCall<'_>) {}

    /// A batch was committed, or was not.
    fn batch_committed(&self, _batch: CommittedBatch) {}

    /// So many wallets and transactions were read that no gateway wrote as they are, and refused.
    fn altered_rows_read(&self, _rows: usize) {}

    /// A page of a list or of a report was read; only where there is a standby for that.
    fn list_read(&self, _from: ListSource) {}

    /// A webhook event was sent, so long after it came to be; whether the endpoint accepted it.
    fn delivery_attempted(&self, _is_accepted: bool, _age: Duration) {}
}

/// Nothing is counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unmeasured;

impl Measurements for Unmeasured {}
