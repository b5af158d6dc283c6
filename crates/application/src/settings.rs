//! How long things may take and how many there may be. Whatever depends on providers, merchants or
//! machines must be set here; bounds that only end a loop stand beside it.

use domain::money::{Currency, Money};
use std::time::Duration;

/// The limits of the payment flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How long a merchant waits for a final answer before hearing "pending".
    pub answer_window: Duration,
    /// How long a provider may take to answer; a later answer counts as unknown.
    pub call_deadline: Duration,
    /// How long a lookup at a biller may take.
    pub lookup_deadline: Duration,
    /// How long a register may take to say who serves a number. The merchant waits for it before
    /// anything is sent, and without an answer the holder of the block counts, which is right for
    /// most numbers: more patience would cost every order more than it saves.
    pub number_lookup_deadline: Duration,
    /// For how long its answer counts: porting a number takes hours, and a customer who tries again
    /// does so within minutes.
    pub number_lookup_ttl: Duration,
    /// For how long a register that did not answer is not asked: while it is away, orders would
    /// otherwise each wait for the whole deadline.
    pub number_lookup_pause: Duration,
    /// How long a reverse DNS lookup may take. It is one field of an answer whose other fields are
    /// there at once, so a request should not wait long for it.
    pub reverse_dns_deadline: Duration,
    /// How long after its attempt was about to be recorded a submission may still begin, counted by
    /// the uptime of the machine. Past it, another instance may already be asking the provider, and
    /// a late first byte could come after "not found".
    pub send_within: Duration,
    /// How long a lease on a transaction lasts: more than `send_within` and `call_deadline`
    /// together.
    pub lease: Duration,
    /// The first pause before asking a provider again; each pause is twice the one before.
    pub recheck_first: Duration,
    /// The longest pause while the merchant waits.
    pub recheck_waiting_max: Duration,
    /// The longest pause afterwards.
    pub recheck_max: Duration,
    /// The first pause before trying a store again that failed while the merchant waits: most of
    /// a fault of one has passed by then. Each pause is twice the one before.
    pub store_retry_first: Duration,
    /// The longest of these pauses. A store that comes back after seconds is found within one more,
    /// and all payments that wait for it together do not keep it from coming back.
    pub store_retry_max: Duration,
    /// How long a repeated request waits for the first one before it is answered 409.
    pub replay_wait: Duration,
    /// How often a waiting repeated request looks.
    pub replay_poll: Duration,
    /// How long credentials are cached while the channel to the other instances is silent; zero
    /// switches the cache off.
    pub credential_ttl: Duration,
    /// How long credentials are cached while every change is published. Correctness does not depend
    /// on it; it bounds any case that was overlooked.
    pub credential_ttl_announced: Duration,
    /// How long after the last proof of the channel the others count as silent. Two proofs are some
    /// 200 ms apart; answers of the store are left a third of the second in which a revocation
    /// takes effect.
    pub peers_silence_max: Duration,
    /// How often usage is published. What all instances grant in this time is what an account may
    /// get beyond its limit, so it is short; five messages a second are a small load for a store.
    pub spent_interval: Duration,
    /// How often recovery looks for due transactions.
    pub recovery_interval: Duration,
    /// How many transactions recovery follows up at a time: enough that a provider which answers
    /// nothing until its deadline does not keep thousands waiting for their first question.
    pub recovery_batch: u32,
    /// How often providers are asked what changed without our asking.
    pub changes_interval: Duration,
    /// How many positions behind the stored cursor a provider's changes are read again after a
    /// start. A provider may insert a change before others it reported: the sandbox does where a
    /// machine's clock was set back. Applying a change again does nothing, and takes a read.
    pub changes_window: u64,
    /// The pause before a change that could not be applied is tried again; each pause is twice the
    /// one before.
    pub dead_letter_retry_first: Duration,
    /// The longest of these pauses.
    pub dead_letter_retry_max: Duration,
    /// How many changes may wait to be applied. A provider of which more cannot be applied has
    /// changed its ways, or our ledger is broken: reading on would only pile them up.
    pub dead_letters_max: u64,
    /// How long what is queued may wait for its first attempt: a day outlasts what providers are
    /// away for, and a payment that comes later than that is seldom wanted.
    pub queued_max: Duration,
    /// How many payments may be under way: each holds a task and its memory until its call has been
    /// answered or has reached `call_deadline`, so memory stays bounded when a provider hangs.
    pub payments_max: usize,
    /// Above this amount a ruling needs two persons.
    pub dual_control_above: Money,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            answer_window: Duration::from_secs(20),
            call_deadline: Duration::from_secs(30),
            lookup_deadline: Duration::from_secs(10),
            number_lookup_deadline: Duration::from_secs(2),
            number_lookup_ttl: Duration::from_mins(5),
            number_lookup_pause: Duration::from_secs(10),
            reverse_dns_deadline: Duration::from_millis(800),
            send_within: Duration::from_secs(5),
            lease: Duration::from_mins(1),
            recheck_first: Duration::from_millis(250),
            recheck_waiting_max: Duration::from_secs(2),
            recheck_max: Duration::from_mins(1),
            store_retry_first: Duration::from_millis(50),
            store_retry_max: Duration::from_secs(1),
            replay_wait: Duration::from_secs(2),
            replay_poll: Duration::from_millis(50),
            credential_ttl: Duration::from_millis(500),
            credential_ttl_announced: Duration::from_secs(30),
            peers_silence_max: Duration::from_millis(700),
            spent_interval: Duration::from_millis(200),
            recovery_interval: Duration::from_secs(1),
            recovery_batch: 512,
            changes_interval: Duration::from_secs(1),
            changes_window: 10_000,
            dead_letter_retry_first: Duration::from_mins(1),
            dead_letter_retry_max: Duration::from_hours(1),
            dead_letters_max: 10_000,
            queued_max: Duration::from_hours(24),
            payments_max: 4096,
            dual_control_above: Money::from_minor(10_000_000, Currency::Ngn),
        }
    }
}

impl Settings {
    /// The pause before asking again after so many questions without an answer, at most `longest`.
    pub(crate) fn recheck_after(&self, checks: u32, longest: Duration) -> Duration {
        doubled(self.recheck_first, checks).min(longest)
    }

    /// The longest time for which anything undecided is left alone: a lease, the answer window or
    /// the longest pause between two queries.
    pub(crate) fn longest_pause(&self) -> Duration {
        self.lease.max(self.answer_window).max(self.recheck_max)
    }

    /// The pause before trying a dead letter again that was tried so many times, at least once.
    pub(crate) fn dead_letter_retry_after(&self, tries: u32) -> Duration {
        doubled(self.dead_letter_retry_first, tries.saturating_sub(1))
            .min(self.dead_letter_retry_max)
    }

    /// The pause before trying a store again that has failed so many times.
    pub(crate) fn store_retry_after(&self, failures: u32) -> Duration {
        doubled(self.store_retry_first, failures).min(self.store_retry_max)
    }
}

fn doubled(first: Duration, times: u32) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let settings = Settings::default();
        let pause = |checks| {
            settings
                .recheck_after(checks, settings.recheck_max)
                .as_millis()
        };
        assert_eq!([pause(0), pause(1), pause(2)], [250, 500, 1_000]);
        assert_eq!(pause(40), 60_000);
        let pause = |failures| settings.store_retry_after(failures).as_millis();
        assert_eq!([pause(0), pause(1), pause(2)], [50, 100, 200]);
        assert_eq!(pause(40), 1_000);
        let pause = |tries| settings.dead_letter_retry_after(tries).as_secs();
        assert_eq!([pause(1), pause(2), pause(3)], [60, 120, 240]);
        assert_eq!(pause(40), 3_600);
    }

    #[test]
    fn revocation_takes_effect_within_a_second_with_and_without_the_other_instances() {
        let settings = Settings::default();
        let second = Duration::from_secs(1);
        assert!(settings.credential_ttl < second);
        assert!(settings.peers_silence_max < second);
    }

    #[test]
    fn a_lease_outlasts_sending_and_answering() {
        let settings = Settings::default();
        assert!(settings.lease > settings.send_within + settings.call_deadline);
    }
}
