//! How a promise about absence becomes the policy the gateway reads silence by. A policy must never
//! conclude absence earlier than the provider promised.

use domain::family::AbsenceEnds;
use domain::provider::AbsencePolicy;
use domain::transaction::Age;
use provider_protocol::signature::CLOCK_WINDOW;
use provider_protocol::{AbsenceProof, ServiceProfile};
use std::time::Duration;

/// How long after an attempt was recorded its `notAfter` is at the latest.
const NOT_AFTER_MAX: Duration = Duration::from_mins(10);

/// The policy of a provider whose promises are not known, or that promises nothing: a person
/// decides, and is asked after this age without evidence.
const fn never(review_after: Duration) -> AbsencePolicy {
    AbsencePolicy {
        not_found_min: u32::MAX,
        review_after,
        ends: AbsenceEnds::Search,
        ..AbsencePolicy::CAUTIOUS
    }
}

/// The policy for a service.
pub(crate) fn policy(profile: Option<&ServiceProfile>, review_after: Duration) -> AbsencePolicy {
    match profile.map(|profile| profile.absence) {
        None | Some(AbsenceProof::Never) => never(review_after),
        // A seal settles it before this matters.
        Some(AbsenceProof::Sealed) => AbsencePolicy {
            quarantine: AbsencePolicy::CAUTIOUS.quarantine + CLOCK_WINDOW,
            ..AbsencePolicy::CAUTIOUS
        },
        Some(AbsenceProof::After {
            seconds,
            count,
            spacing,
        }) => AbsencePolicy {
            quarantine: NOT_AFTER_MAX
                .saturating_add(Duration::from_secs(seconds))
                .saturating_add(CLOCK_WINDOW)
                .saturating_add(Age::STEP_MAX),
            not_found_min: count.max(2),
            not_found_spacing: Duration::from_secs(spacing),
            ..AbsencePolicy::CAUTIOUS
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provider_protocol::{CallbackUse, DuplicateRule, IncomingUse};

    const DAY: Duration = Duration::from_hours(24);

    fn promised(absence: AbsenceProof) -> AbsencePolicy {
        let profile = ServiceProfile {
            duplicate: DuplicateRule::Replay,
            absence,
            settle_seconds: 600,
            reversal_days: 0,
            retention_days: 400,
            lookalike_seconds: 0,
            cooling_off_seconds: 0,
            max_concurrent: 1,
            per_second: 1,
            deadline_seconds: 1,
            multi_effect: false,
            callback: CallbackUse::None,
            incoming: IncomingUse::None,
        };
        policy(Some(&profile), DAY)
    }

    #[test]
    fn absence_is_concluded_no_earlier_than_promised() {
        let after = promised(AbsenceProof::After {
            seconds: 3_600,
            count: 1,
            spacing: 300,
        });
        assert!(after.quarantine >= Duration::from_hours(1) + NOT_AFTER_MAX + CLOCK_WINDOW);
        assert_eq!(after.not_found_min, 2, "one answer never proves absence");
        assert_eq!(after.not_found_spacing, Duration::from_mins(5));
        assert_eq!(promised(AbsenceProof::Never), never(DAY));
        assert_eq!(policy(None, DAY), never(DAY));
    }

    #[test]
    fn the_setting_is_for_providers_whose_silence_proves_nothing() {
        let minutes = Duration::from_mins(15);
        let asked = policy(None, minutes);
        assert_eq!(asked.review_after, minutes);
        assert_eq!(
            (asked.not_found_min, asked.ends),
            (u32::MAX, AbsenceEnds::Search)
        );
        for absence in [
            AbsenceProof::Sealed,
            AbsenceProof::After {
                seconds: 60,
                count: 2,
                spacing: 60,
            },
        ] {
            assert_eq!(promised(absence).review_after, DAY);
        }
    }
}
