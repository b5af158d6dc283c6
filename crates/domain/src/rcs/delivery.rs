//! What becomes of an RCS message: how far it came, whether the device takes RCS, and whether a
//! text message went instead. Nothing known may ever be taken back.

use crate::messaging::{MessageDelivery, MessageStatus};
use crate::provider::Fulfilment;

/// A message that the platform took over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RcsDelivery {
    message: MessageDelivery,
    capable: Option<bool>,
    fallback_used: bool,
}

impl RcsDelivery {
    /// A message that the platform took over a moment ago.
    pub const SUBMITTED: Self = Self {
        message: MessageDelivery::SUBMITTED,
        capable: None,
        fallback_used: false,
    };

    /// A message that came so far by RCS. A device that has it takes RCS, whatever else is said.
    pub const fn by_rcs(message: MessageDelivery, capable: Option<bool>) -> Self {
        let capable = if message.status.is_on_device() {
            Some(true)
        } else {
            capable
        };
        Self {
            message,
            capable,
            fallback_used: false,
        }
    }

    /// A message of which a text message was sent instead. Such a one is never known to be read;
    /// the device takes no RCS unless it was known to.
    pub const fn by_sms(message: MessageDelivery, capable: Option<bool>) -> Self {
        let message = match message.status {
            MessageStatus::Read => MessageDelivery {
                status: MessageStatus::Delivered,
                read_at: None,
            },
            MessageStatus::Submitted
            | MessageStatus::Unknown
            | MessageStatus::Delivered
            | MessageStatus::Failed => message,
        };
        let capable = match capable {
            Some(capable) => Some(capable),
            None => Some(false),
        };
        Self {
            message,
            capable,
            fallback_used: true,
        }
    }

    /// How far it came.
    pub const fn message(self) -> MessageDelivery {
        self.message
    }

    /// Whether the device takes RCS; `None` while that is not known.
    pub const fn capable(self) -> Option<bool> {
        self.capable
    }

    /// Whether a text message was sent instead.
    pub const fn fallback_used(self) -> bool {
        self.fallback_used
    }

    /// The same after another receipt; `None` where that adds nothing. A device that has the
    /// message by RCS is sent no text message instead; one that failed by RCS may be sent one.
    #[must_use]
    pub fn after(self, received: Self) -> Option<Self> {
        let known = if self.fallback_used {
            self.after_fallback(received)
        } else if received.fallback_used {
            self.to_fallback(received)
        } else {
            let message = self.message.after(received.message);
            // Nothing says less than no, and no less than yes.
            let capable = self.capable.max(received.capable);
            Self::by_rcs(message.unwrap_or(self.message), capable)
        };
        (known != self).then_some(known)
    }

    /// A receipt by RCS, late or again, says of the text message only that the device has the
    /// message either way.
    fn after_fallback(self, received: Self) -> Self {
        if !received.fallback_used && !received.message.status.is_on_device() {
            return self;
        }
        let message = self.message.after(received.message);
        Self::by_sms(message.unwrap_or(self.message), self.capable)
    }

    /// The way of the text message begins anew.
    fn to_fallback(self, received: Self) -> Self {
        if self.message.status.is_on_device() {
            return self;
        }
        Self::by_sms(received.message, self.capable.max(received.capable))
    }
}

impl Fulfilment {
    /// What became of an RCS message; `None` of any other family.
    pub const fn rcs(&self) -> Option<RcsDelivery> {
        if let Self::Rcs(delivery) = self {
            Some(*delivery)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MessageStatus::{Delivered, Failed, Read, Submitted, Unknown};
    use super::*;
    use crate::time::Timestamp;
    use proptest::prelude::*;

    fn reached(status: MessageStatus) -> MessageDelivery {
        MessageDelivery {
            status,
            read_at: (status == Read).then(|| Timestamp::from_millis(7)),
        }
    }

    #[test]
    fn a_device_that_has_the_message_takes_rcs() {
        for status in [Delivered, Read] {
            let delivery = RcsDelivery::by_rcs(reached(status), Some(false));
            assert_eq!(delivery.capable(), Some(true));
        }
        let failed = RcsDelivery::by_rcs(reached(Failed), Some(false));
        assert_eq!(failed.capable(), Some(false));
        assert_eq!(RcsDelivery::SUBMITTED.capable(), None);
    }

    #[test]
    fn a_text_message_is_never_read() {
        let sent = RcsDelivery::by_sms(reached(Read), None);
        assert_eq!(sent.message(), reached(Delivered));
        assert_eq!(sent.capable(), Some(false));
        assert!(sent.fallback_used());
        let read = RcsDelivery::by_rcs(reached(Read), None);
        let known = sent.after(read).unwrap_or(sent);
        assert_eq!(known.message(), reached(Delivered));
    }

    #[test]
    fn a_text_message_says_more_than_that_the_platform_has_it() {
        let sent = RcsDelivery::by_sms(reached(Submitted), None);
        assert_eq!(RcsDelivery::SUBMITTED.after(sent), Some(sent));
        let delivered = RcsDelivery::by_sms(reached(Delivered), None);
        assert_eq!(sent.after(delivered), Some(delivered));
        assert_eq!(delivered.after(sent), None);
        assert_eq!(delivered.after(RcsDelivery::SUBMITTED), None);
    }

    #[test]
    fn a_device_that_has_it_by_rcs_is_sent_no_text_message() {
        let delivered = RcsDelivery::by_rcs(reached(Delivered), None);
        for status in MessageStatus::ALL {
            assert_eq!(
                delivered.after(RcsDelivery::by_sms(reached(status), None)),
                None
            );
        }
        let read = RcsDelivery::by_rcs(reached(Read), None);
        assert_eq!(delivered.after(read), Some(read));
    }

    /// Receipts of a device that takes no RCS, in the order in which they are sent and not in it.
    #[test]
    fn a_message_that_failed_by_rcs_is_sent_as_a_text_message() {
        let failed = RcsDelivery::by_rcs(reached(Failed), Some(false));
        let sent = RcsDelivery::by_sms(reached(Submitted), None);
        let delivered = RcsDelivery::by_sms(reached(Delivered), None);
        let ways = [
            [failed, sent, delivered],
            [sent, failed, delivered],
            [sent, delivered, failed],
            [delivered, sent, failed],
        ];
        for way in ways {
            let known = way
                .into_iter()
                .fold(RcsDelivery::SUBMITTED, |known, received| {
                    known.after(received).unwrap_or(known)
                });
            assert_eq!(known, delivered, "{way:?}");
        }
        let lost = RcsDelivery::by_sms(reached(Failed), None);
        assert_eq!(sent.after(lost), Some(lost));
        assert_eq!(lost.after(delivered), None);
    }

    #[test]
    fn a_receipt_that_leaves_the_text_message_out_makes_no_device_take_rcs() {
        let sent = RcsDelivery::by_sms(reached(Submitted), None);
        let known = sent.after(RcsDelivery::by_rcs(reached(Delivered), None));
        assert_eq!(known, Some(RcsDelivery::by_sms(reached(Delivered), None)));
    }

    fn deliveries() -> impl Strategy<Value = RcsDelivery> {
        let status = proptest::sample::select(MessageStatus::ALL.to_vec());
        (status, any::<Option<bool>>(), any::<bool>()).prop_map(|(status, capable, by_sms)| {
            if by_sms {
                RcsDelivery::by_sms(reached(status), capable)
            } else {
                RcsDelivery::by_rcs(reached(status), capable)
            }
        })
    }

    /// How much a status says.
    fn rank(delivery: RcsDelivery) -> u8 {
        match delivery.message().status {
            Submitted => 0,
            Unknown => 1,
            Delivered => 2,
            Read | Failed => 3,
        }
    }

    proptest! {
        #[test]
        fn no_receipt_takes_back_what_was_known(
            received in proptest::collection::vec(deliveries(), 0..12),
        ) {
            let mut known = RcsDelivery::SUBMITTED;
            for received in received {
                let Some(after) = known.after(received) else { continue };
                prop_assert_ne!(after, known);
                // A text message that is sent instead has a way of its own.
                let begins = after.fallback_used() && !known.fallback_used();
                prop_assert!(begins || rank(after) >= rank(known));
                prop_assert!(!known.message().status.is_on_device()
                    || after.message().status.is_on_device());
                prop_assert!(after.capable() >= known.capable());
                prop_assert!(after.fallback_used() >= known.fallback_used());
                let is_read = after.message().status == Read;
                prop_assert!(!(is_read && after.fallback_used()));
                prop_assert_eq!(after.message().read_at.is_some(), is_read);
                prop_assert_eq!(after.after(received), None);
                known = after;
            }
        }
    }
}
