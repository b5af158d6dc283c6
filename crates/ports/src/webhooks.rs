//! Telling merchants of events: their endpoints, what is to be delivered to them, and which
//! addresses may be delivered to at all. Deliveries are recorded by the commit that makes the
//! event; nothing here must be able to make one without the other.

use crate::PortError;
use crate::account_changes::SealedChange;
use async_trait::async_trait;
use domain::account::{Account, AccountId};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::time::Timestamp;
use domain::webhook::{
    Attempt, Delivery, DeliveryId, DeliveryOutcome, DisabledBecause, Endpoint, EndpointId, Secret,
    SecretVersion, Target, WebhookEvent, WebhookEventId,
};
use std::num::NonZeroU32;
use std::time::Duration;

/// What became of making an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointRegistration {
    /// Stored.
    Done,
    /// The number is in use; draw another.
    IdTaken,
    /// The account has as many as it may have ([`domain::webhook::ENDPOINTS_MAX`]).
    TooMany,
    /// No such account.
    AccountUnknown,
}

/// A change of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointChange {
    /// The next secret, from a moment on; nothing where it may have none yet
    /// ([`Endpoint::may_rotate`]). It is made from this generation of the pepper.
    Rotate(Timestamp, u32),
    /// Nothing more is recorded for it or delivered to it.
    Disable(DisabledBecause, Timestamp),
    /// It is served again, as if it had never failed; what waited is due at once.
    Enable(Timestamp),
}

/// Endpoints of accounts. An endpoint must never be shown to another account.
#[async_trait]
pub trait Endpoints: Send + Sync + std::fmt::Debug {
    /// Stores an endpoint of an account.
    ///
    /// # Errors
    /// When the store failed.
    async fn register(
        &self,
        endpoint: &Endpoint,
        noted: &SealedChange,
    ) -> Result<EndpointRegistration, PortError>;

    /// The endpoints of an account, oldest first.
    ///
    /// # Errors
    /// When the store failed.
    async fn endpoints(&self, account: &AccountId) -> Result<Vec<Endpoint>, PortError>;

    /// Changes an endpoint and answers it as it is afterwards; `None` where the account has none of
    /// this number. What is so already stays as it is: disabling twice keeps the first cause.
    ///
    /// # Errors
    /// When the store failed.
    async fn change(
        &self,
        endpoint: (&AccountId, EndpointId),
        change: EndpointChange,
        noted: &SealedChange,
    ) -> Result<Option<Endpoint>, PortError>;

    /// Removes an endpoint with all its deliveries; `false` where there is none. They are invisible
    /// from then on; [`Outbox::forget_delivered`] deletes them, and until then the number of the
    /// endpoint stays taken.
    ///
    /// # Errors
    /// When the store failed.
    async fn remove(
        &self,
        endpoint: (&AccountId, EndpointId),
        now: Timestamp,
        noted: &SealedChange,
    ) -> Result<bool, PortError>;
}

/// What an account has beyond the deliveries it may store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageExcess {
    /// Whose.
    pub account: AccountId,
    /// Events before this moment are beyond.
    pub before: Timestamp,
}

/// A claim on deliveries that are due: the end of its lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryClaim {
    /// The moment of the claim.
    pub now: Timestamp,
    /// How long it lasts.
    pub lease: Duration,
    /// Most deliveries to claim.
    pub limit: u32,
    /// Most of them to one endpoint.
    pub per_endpoint: u32,
    /// Endpoints to leave alone: they have as much under way as they can take.
    pub except: Vec<(AccountId, EndpointId)>,
    /// Only deliveries that a merchant requested and waits for: test events and single replays.
    pub only_asked_for: bool,
}

impl DeliveryClaim {
    /// By when deliveries must have become due that no merchant requested; `None` where none of
    /// these is claimed. What a merchant requested may be claimed at any time.
    pub fn due_by(&self) -> Option<Timestamp> {
        (!self.only_asked_for).then_some(self.now)
    }
}

/// A claimed delivery with all that is needed to make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The delivery.
    pub delivery: Delivery,
    /// To whom.
    pub endpoint: Endpoint,
    /// Whose, for the representation it is shown in.
    pub account: Account,
}

/// An attempt that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptResult {
    /// Whose.
    pub account: AccountId,
    /// Of which delivery.
    pub delivery: DeliveryId,
    /// Which attempt since it was last asked for, counted from 1: a result of an attempt that is
    /// not the next one is noted and changes nothing.
    pub number: u16,
    /// The round of the delivery that it was begun in: where the delivery was asked for again
    /// since, the result is noted and changes nothing.
    pub round: u32,
    /// What happened.
    pub attempt: Attempt,
    /// What it means.
    pub outcome: DeliveryOutcome,
    /// The number of the event that says so, should its endpoint be given up by it.
    pub event: TransactionNumber,
}

/// An endpoint that was given up while results were recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointDisabled {
    /// Whose.
    pub account: AccountId,
    /// Which.
    pub endpoint: EndpointId,
    /// Why.
    pub because: DisabledBecause,
}

/// Which deliveries are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryQuery {
    /// To this endpoint only.
    pub endpoint: Option<EndpointId>,
    /// Only what waits for the merchant.
    pub parked: bool,
    /// Deliveries to skip.
    pub offset: u64,
    /// Most deliveries to answer.
    pub length: u32,
    /// By the moment of their event.
    pub sort: Sort,
}

/// A part of an account's deliveries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryPage {
    /// The deliveries, each with the attempts that were recorded last for it, oldest first, at most
    /// [`ATTEMPTS_SHOWN`](domain::webhook::ATTEMPTS_SHOWN).
    pub deliveries: Vec<(Delivery, Vec<Attempt>)>,
    /// How many the account has, counted up to
    /// [`COUNTED_MAX`](domain::webhook::COUNTED_MAX).
    pub total: u64,
    /// How many of them were asked for, counted as far.
    pub found: u64,
}

/// Asking for deliveries again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Which.
    pub what: ReplayOf,
    /// Most that may be asked for together.
    pub most: u64,
    /// The moment they are due.
    pub now: Timestamp,
}

impl Replay {
    /// Whether it goes before whatever waits: what is asked for alone does.
    pub const fn is_requested(&self) -> bool {
        matches!(self.what, ReplayOf::One(_))
    }
}

/// What is to be delivered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayOf {
    /// This.
    One(DeliveryId),
    /// The events of an endpoint within a time, the end not included.
    Range {
        /// To whom.
        endpoint: EndpointId,
        /// From when.
        from: Timestamp,
        /// Until when.
        until: Timestamp,
    },
}

/// What became of asking for deliveries again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replayed {
    /// So many are due now.
    Done(u64),
    /// The account has no such endpoint or delivery.
    Unknown,
    /// There are more than may be asked for together.
    TooMany,
}

/// Until when deliveries may wait, whatever a clock showed when they were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatestDue {
    /// Those that were never tried: the end of a claim made now.
    pub untried: Timestamp,
    /// The others: the end of the longest pause that begins now.
    pub retried: Timestamp,
}

/// What waits to be delivered.
#[async_trait]
pub trait Outbox: Send + Sync + std::fmt::Debug {
    /// Claims deliveries to enabled endpoints that are due, those that a merchant requested first,
    /// then longest due first: each becomes due again when its lease ends. Where more is due than
    /// may be claimed, endpoints share. Of one transaction and endpoint, what happened later is not
    /// claimed while what happened earlier was never tried.
    ///
    /// # Errors
    /// When the store failed.
    async fn claim_deliveries(&self, claim: &DeliveryClaim) -> Result<Vec<Claimed>, PortError>;

    /// Records attempts that ended, all or none, in their order: of one delivery several may count,
    /// each the next one after the one before. A success ends the failing of an endpoint, a failure
    /// begins it; an endpoint that answers 410, or failed for too long, is disabled, and the same
    /// commit notifies the other subscribed endpoints of its account. Answers which were disabled.
    /// Results of an endpoint that cannot be read are skipped. Of a delivery that is replayed again
    /// and again, attempts older than the newest
    /// [`ATTEMPTS_SHOWN`](domain::webhook::ATTEMPTS_SHOWN) may be deleted.
    ///
    /// # Errors
    /// When the store failed: the attempts may be made again.
    async fn record_attempts(
        &self,
        ended: &[AttemptResult],
    ) -> Result<Vec<EndpointDisabled>, PortError>;

    /// Records an event that no transaction caused, for one endpoint of an account or for all that
    /// subscribe to its topic, due since its moment, and before whatever waits where it is
    /// [requested](WebhookEvent::is_requested). Answers for how many; one that is recorded already
    /// is not counted.
    ///
    /// # Errors
    /// When the store failed.
    async fn announce(
        &self,
        account: &AccountId,
        endpoint: Option<EndpointId>,
        event: &WebhookEvent,
    ) -> Result<u64, PortError>;

    /// The endpoint for which an event that no transaction caused is recorded, if it is; the oldest
    /// where there are several.
    ///
    /// # Errors
    /// When the store failed.
    async fn announced_to(
        &self,
        account: &AccountId,
        event: &WebhookEventId,
    ) -> Result<Option<EndpointId>, PortError>;

    /// A part of an account's deliveries.
    ///
    /// # Errors
    /// When the store failed.
    async fn deliveries(
        &self,
        account: &AccountId,
        query: &DeliveryQuery,
    ) -> Result<DeliveryPage, PortError>;

    /// The deliveries of every event of the transaction an account has under a number, each with
    /// its last attempts as in a page: by the moment of their event, of one moment by its sequence
    /// and then by endpoint. Those to a removed endpoint are not among them.
    ///
    /// # Errors
    /// When the store failed.
    async fn deliveries_of(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<(Delivery, Vec<Attempt>)>, PortError>;

    /// Makes deliveries due again in their next round, with all attempts before them; none where
    /// there are more than may be asked for together.
    ///
    /// # Errors
    /// When the store failed.
    async fn replay(&self, account: &AccountId, replay: &Replay) -> Result<Replayed, PortError>;

    /// Forgets all deliveries to endpoints that were removed, then what was delivered before a
    /// moment, `most` at a time; answers how many. What waits for an endpoint that is there is
    /// never forgotten. An endpoint that was removed before the moment goes after all that was for
    /// it.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_delivered(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;

    /// The accounts that have `kept` deliveries or more, with the moment of the oldest event of the
    /// `kept` newest deliveries.
    ///
    /// # Errors
    /// When the store failed.
    async fn excess(&self, kept: NonZeroU32) -> Result<Vec<StorageExcess>, PortError>;

    /// Forgets deliveries of an account beyond what it may store, made or not, the oldest first,
    /// `most` at a time; answers how many. Those of one moment stay together.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_excess(&self, excess: &StorageExcess, most: u32) -> Result<u64, PortError>;

    /// Makes deliveries that are due later than they may be due at the latest moment they may be,
    /// `most` at a time; answers how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn bound_due(&self, latest: LatestDue, most: u32) -> Result<u64, PortError>;
}

/// The secrets of endpoints. They are derived from the secret of the installation and never stored,
/// so a reader of the store can sign nothing.
pub trait Secrets: Send + Sync + std::fmt::Debug {
    /// The secret of one generation of an endpoint; always the same, and none where this process
    /// lacks what it is made from.
    fn secret(
        &self,
        account: &AccountId,
        endpoint: EndpointId,
        generation: SecretVersion,
    ) -> Option<Secret>;
}

/// Why an address is not delivered to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectedUrl {
    /// It breaks a rule, which the text says.
    #[error("{0}")]
    Rule(String),
    /// Whether it breaks one cannot be said: no server of the DNS answers for its name.
    #[error("its name cannot be looked up at the moment")]
    NotLookedUp,
}

/// Which addresses may be delivered to.
#[async_trait]
pub trait WebhookUrlPolicy: Send + Sync + std::fmt::Debug {
    /// Looks at an address as the merchant with an account wrote it. What its name resolves to is
    /// looked at as well, and again with every delivery: names change.
    ///
    /// # Errors
    /// Says which rule the address breaks.
    async fn check(&self, account: &AccountId, url: &str) -> Result<Target, RejectedUrl>;

    /// The form in which [`check`](Self::check) answers an address, without a lookup.
    ///
    /// # Errors
    /// Says which rule the address breaks.
    fn form(&self, url: &str) -> Result<Target, RejectedUrl>;
}
