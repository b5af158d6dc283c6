//! Which messages of other instances are accepted. A message must be accepted once, and only from a
//! process that has the key ring.

use super::message::ACCOUNT_CHANGED;
use crate::sealing::{MessageSealing, ReplayWindow, SealedMessage, Unsealed};

/// How many probes lie between two log entries about refused messages: a minute.
const CALLS_BETWEEN_LINES: u32 = 300;

/// Filters what arrives on the notification channel, and counts what it refuses.
#[derive(Debug)]
pub(super) struct MessageFilter {
    accounts: ReplayWindow,
    spent: ReplayWindow,
    /// An account may have changed: a message came under a key that is not known here.
    unreadable: bool,
    refused: u64,
    logged: u64,
    /// How many probes must be sent before the next log entry.
    calls_left: u32,
}

impl MessageFilter {
    pub(super) fn since(database_time: u64) -> Self {
        Self {
            // Reading an account anew is always right, so an old message about one is accepted.
            accounts: ReplayWindow::default(),
            spent: ReplayWindow::since(database_time),
            unreadable: false,
            refused: 0,
            logged: 0,
            calls_left: 0,
        }
    }

    /// The message, where it arrives for the first time from a process that has the key ring.
    pub(super) fn accept(
        &mut self,
        sealing: &MessageSealing,
        channel: &str,
        text: &str,
    ) -> Option<SealedMessage> {
        let seen = match channel {
            ACCOUNT_CHANGED => &mut self.accounts,
            _ => &mut self.spent,
        };
        match sealing.open(channel, text) {
            Ok(message) if seen.is_new(&message) => return Some(message),
            Ok(_) | Err(Unsealed::Forged) => {}
            Err(Unsealed::UnknownKey) => self.unreadable |= channel == ACCOUNT_CHANGED,
        }
        self.refused = self.refused.saturating_add(1);
        None
    }

    /// Whether a change of an account may have been missed, asked with every probe. Logs once in a
    /// while how many messages were refused.
    pub(super) fn has_missed(&mut self) -> bool {
        self.calls_left = self.calls_left.saturating_sub(1);
        if self.refused > self.logged && self.calls_left == 0 {
            tracing::warn!(
                refused = self.refused,
                "messages between instances were refused: they were forged, sent again, or sealed \
                 under another key ring; let only roles of the gateway connect to the database, \
                 and give every instance the same key ring"
            );
            self.logged = self.refused;
            self.calls_left = CALLS_BETWEEN_LINES;
        }
        std::mem::take(&mut self.unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::{CALLS_BETWEEN_LINES, MessageFilter};
    use crate::peers::message::{ACCOUNT_CHANGED, SPENT, message};
    use crate::sealing::MessageSealing;
    use key_ring::KeyRing;

    fn sealing(secret: u8, session: u8) -> MessageSealing {
        MessageSealing::new(&KeyRing::generate([secret; 32], ""), [session; 16])
    }

    #[test]
    fn what_is_refused_is_counted_and_logged_once_in_a_while() {
        let (one, other, stranger) = (sealing(1, 1), sealing(1, 2), sealing(2, 3));
        let mut filter = MessageFilter::since(0);
        let sent = message(&one, SPENT, b"x".to_vec()).unwrap();
        assert!(filter.accept(&other, SPENT, &sent).is_some());
        assert!(filter.accept(&other, SPENT, &sent).is_none(), "again");
        assert!(filter.accept(&other, SPENT, "shop").is_none(), "forged");
        assert_eq!((filter.refused, filter.logged), (2, 0));
        assert!(!filter.has_missed());
        assert_eq!(filter.logged, 2);
        assert!(filter.accept(&other, SPENT, "shop").is_none());
        for _ in 1..CALLS_BETWEEN_LINES {
            assert!(!filter.has_missed());
            assert_eq!(filter.logged, 2);
        }
        assert!(!filter.has_missed());
        assert_eq!(filter.logged, 3);

        let foreign = message(&stranger, SPENT, b"x".to_vec()).unwrap();
        assert!(filter.accept(&other, SPENT, &foreign).is_none());
        assert!(!filter.has_missed(), "nothing is forgotten for it");
        let foreign = message(&stranger, ACCOUNT_CHANGED, b"shop".to_vec()).unwrap();
        assert!(filter.accept(&other, ACCOUNT_CHANGED, &foreign).is_none());
        assert!(filter.has_missed(), "an account may have changed");
        assert!(!filter.has_missed(), "once");
    }
}
