//! Messages between the instances of a gateway that share one store. Correct balances must not
//! depend on them: messages get lost, and the store is authoritative.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use std::fmt::Debug;
use std::future::pending;

/// A message of one instance to the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerMessage {
    /// An account was opened, or its keys, its status or its settings changed. The store publishes
    /// it in the commit that makes the change, so that every change has its message and no message
    /// precedes the change it is about.
    AccountChanged(AccountId),
    /// What accounts spent of their budgets, at most [`UsageDelta::IN_A_WORD`] entries.
    Usage(Vec<UsageDelta>),
}

/// Requests of an account that were admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageDelta {
    /// Whose.
    pub account: AccountId,
    /// Which budget they were counted against.
    pub class: RateLimitClass,
    /// How many, since the last message of the instance.
    pub count: u32,
}

impl UsageDelta {
    /// Most entries in one message: at some 50 bytes each, they stay below the 8,000 bytes that
    /// databases carry in one notification.
    pub const IN_A_WORD: usize = 128;
}

/// What requests are counted together against one budget of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RateLimitClass {
    /// What makes a transaction.
    Payments,
    /// What makes many at once.
    Bulks,
    /// What is answered from our own ledger and lists.
    Reads,
    /// Requests to an outside system: a biller, a bank, a network.
    Lookups,
}

impl RateLimitClass {
    /// Every class.
    pub const ALL: [Self; 4] = [Self::Payments, Self::Bulks, Self::Reads, Self::Lookups];

    /// Its code in messages between instances; it stays the same in every version.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Payments => "payments",
            Self::Bulks => "bulk requests",
            Self::Reads => "reads",
            Self::Lookups => "lookups",
        }
    }
}

/// What a subscription yields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerEvent {
    /// A message of another instance, or of the store.
    Message(PeerMessage),
    /// The channel works: it was tested, to the other end and back, since this or [`Self::Missed`]
    /// came last, and every message from before then has been received by now.
    Alive,
    /// Messages may have been missed: the channel was down, fell behind, or brought one that cannot
    /// be read. It works again from here on.
    Missed,
}

/// The other instances.
#[async_trait]
pub trait Peers: Send + Sync + Debug {
    /// Publishes a message to every other subscribed instance. It is not acknowledged, and not
    /// stored for instances that are away. The caller may stop waiting at any time; whether the
    /// message was published is then unknown.
    ///
    /// # Errors
    /// When the message could not be handed over. It may have been published all the same.
    async fn publish(&self, word: PeerMessage) -> Result<(), PortError>;

    /// The next event, each once and in order. One subscriber calls this again and again. It
    /// answers [`PeerEvent::Alive`] several times a second, between messages too; while the channel
    /// is down it does not return. A change of an account reaches every instance, the one that made
    /// it included.
    async fn subscribe(&self) -> PeerEvent;
}

/// The peers of a process that has its store to itself. Administrative commands may change accounts
/// beside it without a message, so the channel is never alive.
#[derive(Debug, Clone, Copy, Default)]
pub struct SingleInstance;

#[async_trait]
impl Peers for SingleInstance {
    async fn publish(&self, _word: PeerMessage) -> Result<(), PortError> {
        Ok(())
    }

    async fn subscribe(&self) -> PeerEvent {
        pending().await
    }
}
