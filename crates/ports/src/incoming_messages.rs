//! Messages that people sent to the senders of accounts. A message is recorded together with its
//! event, and once; it must never be shown to another account.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::messaging::{Conversation, IncomingMessage, IncomingMessagesQuery, ProviderMessageId};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use std::fmt;

/// What became of recording a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncomingRecording {
    /// It is recorded, with its event.
    Recorded,
    /// It was recorded before; nothing was done.
    Repeated,
    /// The account has another one of its number; draw another.
    NumberTaken,
}

/// Some messages of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncomingMessagesPage {
    /// The messages of the part.
    pub messages: Vec<IncomingMessage>,
    /// How many are kept.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

/// Incoming messages.
#[async_trait]
pub trait IncomingMessages: Send + Sync + fmt::Debug {
    /// Records a message, and its event for every endpoint that subscribes to such events, in one
    /// commit. A message that its provider reported before, whichever account it was recorded for,
    /// changes nothing and makes no second event.
    ///
    /// # Errors
    /// When the store failed: nothing was done, or both.
    async fn record_incoming(
        &self,
        message: &IncomingMessage,
    ) -> Result<IncomingRecording, PortError>;

    /// Whether a message is recorded that a provider reported under an identity, for whichever
    /// account.
    ///
    /// # Errors
    /// When the store failed.
    async fn has_incoming(
        &self,
        provider: &ProviderId,
        id: &ProviderMessageId,
    ) -> Result<bool, PortError>;

    /// A part of the messages of an account, by the moment they were recorded.
    ///
    /// # Errors
    /// When the store failed.
    async fn incoming_messages(
        &self,
        account: &AccountId,
        query: &IncomingMessagesQuery,
    ) -> Result<IncomingMessagesPage, PortError>;

    /// When a provider received the person's last message of a conversation; `None` where none is
    /// kept.
    ///
    /// # Errors
    /// When the store failed.
    async fn last_incoming(
        &self,
        account: &AccountId,
        conversation: Conversation<'_>,
    ) -> Result<Option<Timestamp>, PortError>;
}
