//! What waits in a store, in numbers, and whether the store works: what operators watch. It must
//! never change anything, and never take longer the more is finished.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::webhook::EndpointId;
use std::time::Duration;

/// A state in which a payment is not final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpenState {
    /// Waits for its time or for an approval.
    Queued,
    /// On its way to its provider.
    Sending,
    /// Its outcome is not known yet.
    InDoubt,
    /// Waits for a person.
    Review,
}

impl OpenState {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::Queued, Self::Sending, Self::InDoubt, Self::Review];

    /// The word for it, which records use as well.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::InDoubt => "in_doubt",
            Self::Review => "review",
        }
    }

    /// Reads the word; `None` for that of a final state.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }
}

/// The ages by which open payments are counted.
pub const AGES: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_mins(1),
    Duration::from_mins(10),
    Duration::from_hours(1),
    Duration::from_hours(24),
];

/// The payments of one provider that are in one state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenPayments {
    /// Who delivers them.
    pub provider: ProviderId,
    /// Where they stand.
    pub state: OpenState,
    /// How many were opened at least so long ago, by [`AGES`].
    pub older_than: [u64; AGES.len()],
    /// When the oldest was opened.
    pub oldest_at: Timestamp,
}

/// The webhook events that wait for one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointBacklog {
    /// Whose endpoint it is.
    pub account: AccountId,
    /// The endpoint.
    pub endpoint: EndpointId,
    /// How many wait.
    pub waiting: u64,
    /// When the oldest of them came to be.
    pub oldest_at: Timestamp,
}

/// The webhook events that are not delivered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookBacklog {
    /// How many wait for an attempt.
    pub waiting: u64,
    /// When the oldest of them came to be.
    pub oldest_at: Option<Timestamp>,
    /// How many are attempted no more unless they are replayed.
    pub given_up: u64,
    /// The endpoints whose oldest event has waited longest.
    pub behind: Vec<EndpointBacklog>,
}

/// Connections to the store that are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolState {
    /// What they are for.
    pub name: &'static str,
    /// How many there are.
    pub open: u32,
    /// How many of them nothing uses.
    pub idle: u32,
}

/// A store that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreState {
    /// How many bytes it takes; none where it is kept nowhere.
    pub bytes: Option<u64>,
    /// The time by its own clock; none where it has none.
    pub clock: Option<Timestamp>,
    /// How many bytes of the write-ahead log the standby for lists has not replayed; none where
    /// there is no such standby, or it cannot be read.
    pub standby_behind_bytes: Option<u64>,
    /// The connections that reads share.
    pub pools: Vec<PoolState>,
}

/// Counts what waits.
#[async_trait]
pub trait Backlog: Send + Sync + std::fmt::Debug {
    /// The payments that are not final, by provider and state.
    ///
    /// # Errors
    /// When the store failed.
    async fn open_payments(&self, now: Timestamp) -> Result<Vec<OpenPayments>, PortError>;

    /// The webhook events that are not delivered, with so many endpoints at most.
    ///
    /// # Errors
    /// When the store failed.
    async fn webhook_events(&self, endpoints_max: u32) -> Result<WebhookBacklog, PortError>;

    /// The store, asked by a read.
    ///
    /// # Errors
    /// When it cannot be read.
    async fn read_state(&self) -> Result<StoreState, PortError>;

    /// Returns once the writer has come to it, and could have written.
    ///
    /// # Errors
    /// When nothing can be written.
    async fn await_writer(&self) -> Result<(), PortError>;
}
