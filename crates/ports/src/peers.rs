//! What the instances of a gateway that share one store tell each other. Nothing said here may be
//! needed for money to be right: words get lost, and the store has the last word.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use std::fmt::Debug;
use std::future::pending;

/// Something that one instance tells the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerMessage {
    /// An account was opened, or its keys, its status or its settings changed. The store says it
    /// itself, in the commit that makes the change and whoever makes it, so that no change is
    /// without its word and no word comes before its change can be read.
    AccountChanged(AccountId),
    /// What accounts spent of their budgets, at most [`UsageDelta::IN_A_WORD`] entries.
    Usage(Vec<UsageDelta>),
}

/// So many requests of an account were let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageDelta {
    /// Whose.
    pub account: AccountId,
    /// Which budget they were counted against.
    pub class: RateLimitClass,
    /// How many, since the instance last told.
    pub count: u32,
}

impl UsageDelta {
    /// How many entries one word holds at most: at some 50 bytes each, written out, they stay
    /// below the 8,000 bytes that databases carry in one notification.
    pub const IN_A_WORD: usize = 128;
}

/// What requests are counted together against one budget of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RateLimitClass {
    /// What makes a transaction.
    Payments,
    /// What is answered from our own books and lists.
    Reads,
    /// What somebody else is asked for: a biller, a bank, a network.
    Lookups,
}

impl RateLimitClass {
    /// Every class.
    pub const ALL: [Self; 3] = [Self::Payments, Self::Reads, Self::Lookups];

    /// The word it goes by between instances; it stays the same in every version.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Payments => "payments",
            Self::Reads => "reads",
            Self::Lookups => "lookups",
        }
    }
}

/// What an instance hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerEvent {
    /// Another instance, or the store, told something.
    Message(PeerMessage),
    /// The line works: it was tried, to the other end and back, since this or [`Self::Missed`] was
    /// last heard, and whatever was said before then has been heard by now.
    Alive,
    /// Words may have been missed: the line was down, fell behind, or brought one that cannot be
    /// read. From here on it works again.
    Missed,
}

/// The other instances.
#[async_trait]
pub trait Peers: Send + Sync + Debug {
    /// Tells every other instance that listens, and not oneself. Nobody answers, and nobody keeps
    /// the word for who does not listen. Whoever tells may stop waiting at any time; whether it was
    /// told is then unknown.
    ///
    /// # Errors
    /// When the word could not be handed over. It may have been told all the same.
    async fn publish(&self, word: PeerMessage) -> Result<(), PortError>;

    /// The next thing that is heard, each once and in the order in which it was said. One listener
    /// calls this again and again. It answers [`PeerEvent::Alive`] several times a second, between
    /// words too if they do not end; while the line is down it does not return. An account's change
    /// is heard by every instance, the one that made it included.
    async fn subscribe(&self) -> PeerEvent;
}

/// Nobody else: the peers of a process that has its store to itself. Since administrative commands
/// may change accounts beside it and nothing is heard of that, the line is never alive.
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
