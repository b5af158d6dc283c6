//! Settings of a run of the sandbox. It must not hold what a number forces: that is the script,
//! the same in every run.

use crate::draw::Draw;
use domain::money::Money;
use domain::percent::Percent;
use domain::provider::AbsencePolicy;
use std::time::Duration;

/// How the sandbox behaves in this run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimSettings {
    /// Everything that looks random is derived from this: the same seed, the same answers.
    pub seed: u64,
    /// The delay of what happens "later": pending deliveries, late tokens, reversals. All receipts
    /// of a message are reported once within it, and again within twice the delay.
    pub later: Duration,
    /// How long a slow delivery takes.
    pub slow: Duration,
    /// How the gateway should read this provider's silence.
    pub profile: AbsencePolicy,
    /// How long a request and its answer travel together.
    pub latency: LatencyRange,
    /// Faults that strike numbers which force nothing.
    pub faults: Faults,
    /// Whether the journal outlasts a crash of the machine.
    pub sync: JournalSync,
    /// Whether numbers force what becomes of a request.
    pub forced: ForcedOutcomes,
    /// The gateway's money here; without any, it keeps no account of it and reports no cost.
    pub float: Option<SandboxFloat>,
}

/// The gateway's money at the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxFloat {
    /// What the gateway has paid in, once and for all.
    pub paid_in: Money,
    /// What is taken for a delivery, in percent of its amount.
    pub takes: Percent,
}

/// Whether the last four digits of a number force what becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForcedOutcomes {
    /// They do.
    #[default]
    On,
    /// They force nothing: this is the provider that delivers what another one refuses.
    Off,
}

/// Whether an entry of the journal is on the disk before its request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JournalSync {
    /// The kernel has it: it outlasts the process, not the machine.
    #[default]
    Off,
    /// Each entry is synced alone. It stops a thread while the disk writes, and is meant for proofs
    /// about crashes of the machine.
    EachEntry,
}

impl Default for SimSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            later: Duration::from_secs(5),
            slow: Duration::from_secs(25),
            profile: AbsencePolicy::CAUTIOUS,
            latency: LatencyRange::default(),
            faults: Faults::default(),
            sync: JournalSync::Off,
            forced: ForcedOutcomes::On,
            float: None,
        }
    }
}

/// Shortest and longest latency; each request draws its own, evenly, from its reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LatencyRange {
    pub min: Duration,
    pub max: Duration,
}

impl LatencyRange {
    /// The latency of one request.
    pub(crate) fn drawn(self, draw: &Draw) -> Duration {
        let micros = |bound: Duration| u64::try_from(bound.as_micros()).unwrap_or(u64::MAX);
        let bounds = (micros(self.min), micros(self.max));
        if bounds.0 == bounds.1 {
            return self.min;
        }
        Duration::from_micros(draw.between("latency", bounds))
    }
}

/// How many requests in a thousand meet a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// Delivered, but the answer says nothing.
    pub answer_lost_per_mille: u16,
    /// Never arrived; the gateway sees the same as for a lost answer.
    pub request_lost_per_mille: u16,
    /// Refused before the first byte.
    pub not_sent_per_mille: u16,
}

/// The settings contradict themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSettings {
    #[error("the fault rates together must not exceed 1000 per mille")]
    Faults,
    #[error("the shortest latency must not exceed the longest")]
    Latency,
    #[error("the longest latency must not exceed {} seconds", SimSettings::LATENCY_MAX.as_secs())]
    LatencyTooLong,
}

impl SimSettings {
    /// Longest latency: a request under way longer than this could arrive after the gateway has
    /// rightly concluded that it never will.
    pub const LATENCY_MAX: Duration = Duration::from_mins(2);

    pub(crate) fn check(&self) -> Result<(), InvalidSettings> {
        let Faults {
            answer_lost_per_mille,
            request_lost_per_mille,
            not_sent_per_mille,
        } = self.faults;
        let rates = [
            answer_lost_per_mille,
            request_lost_per_mille,
            not_sent_per_mille,
        ];
        if rates.into_iter().map(u32::from).sum::<u32>() > 1000 {
            return Err(InvalidSettings::Faults);
        }
        if self.latency.min > self.latency.max {
            return Err(InvalidSettings::Latency);
        }
        if self.latency.max > Self::LATENCY_MAX {
            return Err(InvalidSettings::LatencyTooLong);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_contradict_themselves_are_refused() {
        let check = |change: fn(&mut SimSettings)| {
            let mut settings = SimSettings::default();
            change(&mut settings);
            settings.check()
        };
        assert_eq!(check(|_| ()), Ok(()));
        assert_eq!(
            check(|s| {
                s.faults.not_sent_per_mille = 600;
                s.faults.request_lost_per_mille = 401;
            }),
            Err(InvalidSettings::Faults)
        );
        assert_eq!(
            check(|s| s.latency.min = Duration::from_millis(1)),
            Err(InvalidSettings::Latency)
        );
        assert_eq!(
            check(|s| s.latency.max = Duration::from_secs(121)),
            Err(InvalidSettings::LatencyTooLong)
        );
    }
}
