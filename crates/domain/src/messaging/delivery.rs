//! What becomes of a message that can be read. A status must never take back what was known before.

use crate::provider::Fulfilment;
use crate::time::Timestamp;

/// What is known of a message that the platform took over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageStatus {
    /// The platform has it.
    Submitted,
    /// The platform does not know.
    Unknown,
    /// The person's device has it.
    Delivered,
    /// The person has seen it. Final.
    Read,
    /// It could not be delivered. Final.
    Failed,
}

impl MessageStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [
        Self::Submitted,
        Self::Unknown,
        Self::Delivered,
        Self::Read,
        Self::Failed,
    ];

    /// The lower-case word for records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Unknown => "unknown",
            Self::Delivered => "delivered",
            Self::Read => "read",
            Self::Failed => "failed",
        }
    }

    /// Reads the word of a record; `None` for any other word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// Whether the person's device has it.
    pub const fn is_on_device(self) -> bool {
        matches!(self, Self::Delivered | Self::Read)
    }

    /// Whether another status says more. A device that has the message does not lose it again, so a
    /// failure says nothing after that.
    const fn gives_way_to(self, received: Self) -> bool {
        match self {
            Self::Submitted => !matches!(received, Self::Submitted),
            Self::Unknown => received.is_on_device() || matches!(received, Self::Failed),
            Self::Delivered => matches!(received, Self::Read),
            Self::Read | Self::Failed => false,
        }
    }
}

/// A message that the platform took over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageDelivery {
    /// How far it came.
    pub status: MessageStatus,
    /// When the person saw it, where the platform says so.
    pub read_at: Option<Timestamp>,
}

impl MessageDelivery {
    /// A message that the platform took over a moment ago.
    pub const SUBMITTED: Self = Self {
        status: MessageStatus::Submitted,
        read_at: None,
    };

    /// The same after another receipt; `None` where that adds nothing.
    #[must_use]
    pub fn after(self, received: Self) -> Option<Self> {
        self.status
            .gives_way_to(received.status)
            .then_some(received)
    }
}

impl Fulfilment {
    /// How far a message came that can be read; `None` of any other family.
    pub const fn message_delivery(&self) -> Option<MessageDelivery> {
        match self.rcs() {
            Some(delivery) => Some(delivery.message()),
            None => self.whatsapp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MessageStatus::{Delivered, Failed, Read, Submitted, Unknown};
    use super::*;

    #[test]
    fn every_status_is_read_back_from_its_word() {
        for status in MessageStatus::ALL {
            assert_eq!(MessageStatus::from_code(status.code()), Some(status));
        }
        assert_eq!(MessageStatus::from_code("Read"), None);
    }

    #[test]
    fn a_status_gives_way_to_what_says_more_and_to_nothing_else() {
        let expected = [
            (Submitted, vec![Unknown, Delivered, Read, Failed]),
            (Unknown, vec![Delivered, Read, Failed]),
            (Delivered, vec![Read]),
            (Read, vec![]),
            (Failed, vec![]),
        ];
        for (known, adds) in expected {
            let adding = MessageStatus::ALL.into_iter();
            let adding = adding.filter(|received| known.gives_way_to(*received));
            assert_eq!(adding.collect::<Vec<_>>(), adds, "{known:?}");
        }
    }

    #[test]
    fn the_time_of_reading_comes_with_its_receipt() {
        let read = MessageDelivery {
            status: Read,
            read_at: Some(Timestamp::from_millis(7)),
        };
        assert_eq!(MessageDelivery::SUBMITTED.after(read), Some(read));
        assert_eq!(read.after(read), None);
    }
}
