//! The time in which a merchant waits for an answer, as the payment flow sees it. It must come to
//! an end whatever the clock does.

use crate::gateway::Gateway;
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, State, Status, Transaction};
use std::time::Duration;

/// When the answer window of a transaction begins: what was queued is sent long after it was
/// opened.
pub(crate) fn begins_at(transaction: &Transaction) -> Timestamp {
    let is_first = transaction.attempt() == Some(AttemptNumber::FIRST);
    let sent = transaction.state.started_at().filter(|_| is_first);
    sent.unwrap_or(transaction.opened_at)
}

/// Whether waiting longer cannot help: the state is final, it is sent at a later moment, or only a
/// person can go on.
pub(crate) fn is_answer(transaction: &Transaction) -> bool {
    match transaction.status() {
        Status::Successful | Status::Failed | Status::Reversed => true,
        Status::Pending => matches!(transaction.state, State::Queued(_) | State::Review(_)),
    }
}

/// The answer window of a transaction.
pub(crate) struct Window<'a> {
    gateway: &'a Gateway,
    end: Timestamp,
    /// Counted besides, so that a clock that is set back does not keep us here for hours.
    slept: Duration,
    /// How often a store has failed in it.
    failures: u32,
}

impl<'a> Window<'a> {
    pub(crate) fn of(gateway: &'a Gateway, transaction: &Transaction) -> Self {
        let length = gateway.parts().settings.answer_window;
        Self {
            gateway,
            end: begins_at(transaction).plus(length),
            slept: Duration::ZERO,
            failures: 0,
        }
    }

    /// Sleeps for a pause, unless the window ends before the pause does.
    pub(crate) async fn is_over_before(&mut self, pause: Duration) -> bool {
        let parts = self.gateway.parts();
        self.slept = self.slept.saturating_add(pause);
        let over = self.gateway.now().plus(pause) >= self.end;
        if over || self.slept >= parts.settings.answer_window {
            return true;
        }
        parts.clock.sleep(pause).await;
        false
    }

    /// Sleeps until a store that has failed once more is worth another try, unless the window ends
    /// before that.
    pub(crate) async fn is_over_before_the_next_try(&mut self) -> bool {
        let settings = &self.gateway.parts().settings;
        let pause = settings.store_retry_after(self.failures);
        self.failures = self.failures.saturating_add(1);
        self.is_over_before(pause).await
    }
}

#[cfg(test)]
mod tests {
    use super::begins_at;
    use domain::transaction::Observation;
    use testkit::builders::{advance, airtime, at, not_sent};

    #[test]
    fn the_window_begins_when_a_merchant_asks_or_the_queue_is_left() {
        let asked = airtime().opened_at(at(10)).transaction();
        assert_eq!(begins_at(&asked), at(10));
        let queued = airtime().opened_at(at(10)).queued(at(20), at(90));
        let queued = queued.transaction();
        assert_eq!(begins_at(&queued), at(10));
        let sent = advance(&queued, &Observation::Due, at(30)).transaction;
        assert_eq!(begins_at(&sent), at(30));
        // The second attempt is made while a merchant waits, or not at all.
        let resent = advance(&asked, &not_sent(&asked), at(15)).transaction;
        assert_eq!(begins_at(&resent), at(10));
    }
}
