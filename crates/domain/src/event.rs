//! What happened to a transaction, numbered without a gap. An event must be committed together with
//! the change it records.

use crate::reference::TransactionNumber;
use crate::time::Timestamp;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// Accepted and paid for, about to be sent or queued.
    Opened,
    /// It left the queue: its first attempt was recorded and is about to be sent.
    Begun,
    /// Its first attempt, which the store had forgotten, was recorded again.
    Reopened,
    /// The provider's answer is awaited or unknown.
    Pending,
    /// The first attempt certainly did not happen; a second was opened.
    Resent,
    /// Delivered.
    Successful,
    /// Certainly not delivered; the price was given back.
    Failed,
    /// A person must decide.
    Review,
    /// Delivered and taken back; the price was given back.
    Reversed,
    /// Delivered after the price was given back: the gateway's loss.
    LateDelivered,
    /// A delivery that was booked as the gateway's loss was taken back: the loss is undone.
    LateReversed,
    /// A delivery receipt changed the status of a message.
    MessageStatus,
    /// The gateway gave a part of the price, or all of it, back for a delivered payment.
    Refunded,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 13] = [
        Self::Opened,
        Self::Begun,
        Self::Reopened,
        Self::Pending,
        Self::Resent,
        Self::Successful,
        Self::Failed,
        Self::Review,
        Self::Reversed,
        Self::LateDelivered,
        Self::LateReversed,
        Self::MessageStatus,
        Self::Refunded,
    ];

    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Begun => "begun",
            Self::Reopened => "reopened",
            Self::Pending => "pending",
            Self::Resent => "resent",
            Self::Successful => "successful",
            Self::Failed => "failed",
            Self::Review => "review",
            Self::Reversed => "reversed",
            Self::LateDelivered => "late_delivered",
            Self::LateReversed => "late_reversed",
            Self::MessageStatus => "message_status",
            Self::Refunded => "refunded",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// One numbered event of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The transaction.
    pub transaction: TransactionNumber,
    /// 1 for the first event of the transaction, then 2, 3, …
    pub sequence: u32,
    /// What happened.
    pub kind: EventKind,
    /// When it was decided.
    pub at: Timestamp,
}
