//! The kinds of events an endpoint can ask for. A word, once given out, must never change.

use crate::event::EventKind;

/// A kind of event, as merchants name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// A transaction waits for its outcome.
    TransactionPending,
    /// A transaction was delivered.
    TransactionSuccessful,
    /// A transaction was certainly not delivered, and the price given back.
    TransactionFailed,
    /// A delivered transaction was taken back, and the price given back.
    TransactionReversed,
    /// A person must decide about a transaction.
    TransactionReview,
    /// A delivery receipt changed the status of a message.
    MessageStatus,
    /// The gateway refunded a delivered transaction.
    TransactionRefunded,
    /// A person sent a message to a sender of the account.
    MessageReceived,
    /// Money was paid into the account.
    AccountCredited,
    /// A payment took the available balance below the low-balance threshold.
    AccountLowBalance,
    /// The file of a report is there.
    ReportReady,
    /// An endpoint of the account is served no longer.
    WebhookDisabled,
    /// A trial, asked for by the merchant.
    Ping,
}

impl Topic {
    /// Every topic, in the order they are listed in.
    pub const ALL: [Self; 13] = [
        Self::TransactionPending,
        Self::TransactionSuccessful,
        Self::TransactionFailed,
        Self::TransactionReversed,
        Self::TransactionReview,
        Self::MessageStatus,
        Self::TransactionRefunded,
        Self::MessageReceived,
        Self::AccountCredited,
        Self::AccountLowBalance,
        Self::ReportReady,
        Self::WebhookDisabled,
        Self::Ping,
    ];

    /// The word merchants read.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TransactionPending => "transaction.pending",
            Self::TransactionSuccessful => "transaction.successful",
            Self::TransactionFailed => "transaction.failed",
            Self::TransactionReversed => "transaction.reversed",
            Self::TransactionReview => "transaction.review",
            Self::MessageStatus => "message.status",
            Self::TransactionRefunded => "transaction.refunded",
            Self::MessageReceived => "message.received",
            Self::AccountCredited => "account.credited",
            Self::AccountLowBalance => "account.low_balance",
            Self::ReportReady => "report.ready",
            Self::WebhookDisabled => "webhook.disabled",
            Self::Ping => "ping",
        }
    }

    /// Reads a word; `None` for any other.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.code() == code)
    }

    /// The topic of an event of a transaction. Events that change nothing for the merchant have
    /// none: the opening, the beginning of an attempt, a loss of the gateway.
    pub const fn of(kind: EventKind) -> Option<Self> {
        match kind {
            EventKind::Pending => Some(Self::TransactionPending),
            EventKind::Successful => Some(Self::TransactionSuccessful),
            EventKind::Failed => Some(Self::TransactionFailed),
            EventKind::Reversed => Some(Self::TransactionReversed),
            EventKind::Review => Some(Self::TransactionReview),
            EventKind::MessageStatus => Some(Self::MessageStatus),
            EventKind::Refunded => Some(Self::TransactionRefunded),
            EventKind::Opened
            | EventKind::Begun
            | EventKind::Reopened
            | EventKind::Resent
            | EventKind::LateDelivered
            | EventKind::LateReversed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_read_back_from_its_word() {
        for topic in Topic::ALL {
            assert_eq!(Topic::from_code(topic.code()), Some(topic));
        }
        for other in ["", "Ping", "transaction", "transaction.opened", "ping "] {
            assert_eq!(Topic::from_code(other), None, "{other:?}");
        }
    }

    #[test]
    fn a_merchant_has_a_topic_for_every_status_a_report_can_show() {
        let reported: Vec<_> = EventKind::ALL.into_iter().filter_map(Topic::of).collect();
        let of_transactions = Topic::ALL.into_iter().take(7);
        for topic in of_transactions {
            assert!(reported.contains(&topic), "{topic:?}");
        }
        assert_eq!(reported.len(), 7);
    }
}
