//! Delivery receipts (DLR) and messages of people: what a provider reports on a session that the
//! adapter itself has bound. Neither may be acknowledged before it is stored, and a receipt must
//! never stand for the acceptance of parts of which the provider said nothing.

use crate::PortError;
use crate::callbacks::MessageReport;
use async_trait::async_trait;
use domain::messaging::ProviderMessageId;
use domain::provider::{ProviderId, ProviderTransactionId};
use domain::reference::ProviderReference;
use domain::sms::DeliveryStatus;
use domain::time::Timestamp;
use std::fmt;
use std::sync::Arc;

/// How much of a message one identity of a provider stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageExtent {
    /// The part with this index; the first is 0.
    Part(u8),
    /// Every part: the provider took the message as one.
    All,
}

/// What a provider calls a message, or one part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedPart {
    /// The provider's identity of it, in the form in which its receipts are looked up.
    pub id: ProviderTransactionId,
    /// What that identity stands for.
    pub extent: MessageExtent,
}

/// Whether a provider accepted a message as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Acceptance {
    /// It accepted every part.
    Whole,
    /// It accepted some parts; of the others it refused one, or did not answer.
    Partial,
}

/// The parts of a message that a provider accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedMessage {
    /// What the provider's attempt is known by here.
    pub reference: ProviderReference,
    /// How many parts the message has, the others included.
    pub parts: u8,
    /// Whether all of them were accepted.
    pub acceptance: Acceptance,
    /// Those that were accepted.
    pub accepted: Vec<AcceptedPart>,
}

/// What is stored of one identity of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPart {
    /// The attempt it belongs to.
    pub reference: ProviderReference,
    /// What it stands for.
    pub extent: MessageExtent,
    /// How many parts the message has.
    pub parts: u8,
    /// Whether every part of the message was accepted.
    pub acceptance: Acceptance,
}

/// The identities that providers gave to messages. Nothing that money rests on is among it, so it
/// is forgotten after a time.
#[async_trait]
pub trait MessageIds: Send + Sync + fmt::Debug {
    /// Stores the identities of a message, all or none. A provider that gives an identity a second
    /// time means its latest message by it.
    ///
    /// # Errors
    /// When the store failed.
    async fn remember(
        &self,
        provider: &ProviderId,
        message: &AcceptedMessage,
        now: Timestamp,
    ) -> Result<(), PortError>;

    /// What a provider means by an identity.
    ///
    /// # Errors
    /// When the store failed.
    async fn known_part(
        &self,
        provider: &ProviderId,
        id: &ProviderTransactionId,
    ) -> Result<Option<KnownPart>, PortError>;

    /// How many parts the message of an attempt has, where the provider accepted every one.
    ///
    /// # Errors
    /// When the store failed.
    async fn accepted_whole(
        &self,
        provider: &ProviderId,
        reference: &ProviderReference,
    ) -> Result<Option<u8>, PortError>;

    /// Forgets what was stored before a moment, `most` identities at a time; answers how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget(&self, before: Timestamp, most: u32) -> Result<u64, PortError>;
}

/// A delivery receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryReceipt {
    /// The identity it is about, in the form in which it was remembered.
    pub id: ProviderTransactionId,
    /// What became of the message or part.
    pub status: DeliveryStatus,
}

/// What became of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReceiptResult {
    /// It is stored, or says nothing new: it may be acknowledged.
    Stored,
    /// No message is known under its identity, or not yet: a receipt may overtake the answer.
    Unmatched,
    /// The store did not answer: the provider must repeat it.
    Failed,
}

/// What became of a message of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageResult {
    /// It is recorded, now or before, or it is of no one account: it may be acknowledged.
    Taken,
    /// The store did not answer, or it is not known yet of which environment it is: the provider
    /// must repeat it.
    Failed,
}

/// What an adapter hands over: the identities it was given, and the receipts and the messages of
/// people that came.
#[async_trait]
pub trait ReceiptBook: Send + Sync + fmt::Debug {
    /// Stores the identities of a message. The adapter calls this before it answers
    /// [`submit`](crate::provider::Provider::submit), so that receipts find their attempt after a
    /// crash and on every instance.
    ///
    /// # Errors
    /// When the store failed: the message is accepted all the same, and its receipts find nothing.
    async fn remember(&self, message: &AcceptedMessage) -> Result<(), PortError>;

    /// Applies a receipt. It is acknowledged to the provider only where this answers
    /// [`ReceiptResult::Stored`].
    async fn apply(&self, receipt: &DeliveryReceipt) -> ReceiptResult;

    /// How many parts the message of an attempt has, where the provider accepted every one: what a
    /// query is answered from.
    ///
    /// # Errors
    /// When the store failed.
    async fn accepted_whole(&self, reference: &ProviderReference) -> Result<Option<u8>, PortError>;

    /// Takes a message of a person. It is acknowledged to the provider only where this answers
    /// [`MessageResult::Taken`]. One that was recorded under its identity before changes nothing.
    async fn take_message(&self, report: MessageReport) -> MessageResult;

    /// Whether a message of a person is recorded under an identity: for a provider that gives
    /// messages none, whose adapter has to make one that a repeated message has again.
    ///
    /// # Errors
    /// When the store failed.
    async fn has_message(&self, id: &ProviderMessageId) -> Result<bool, PortError>;
}

/// A provider that reports by itself, over sessions of its own.
#[async_trait]
pub trait Receipts: Send + Sync + fmt::Debug {
    /// Begins to keep sessions up and to hand over what comes. Called once, within the runtime, by
    /// a process that serves; it does not wait.
    fn attach(&self, book: Arc<dyn ReceiptBook>);

    /// Ends the sessions in an orderly way: waits for answers that are outstanding, takes leave,
    /// and closes. Called once nothing is submitted any more.
    async fn close(&self);
}
