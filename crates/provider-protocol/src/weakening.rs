//! Comparing what a provider promises now with what it promised before. A weaker promise must not
//! be taken up by itself: the gateway's conclusions rest on the stronger one.

use crate::capabilities::{Capabilities, Feature};
use crate::profile::{AbsenceProof, DuplicateRule, IncomingUse, ServiceProfile};
use std::fmt;

/// A promise that is weaker than it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weakening {
    what: String,
}

impl fmt::Display for Weakening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// Every promise of `agreed` that `now` does not keep.
pub fn weakenings(agreed: &Capabilities, now: &Capabilities) -> Vec<Weakening> {
    let mut found = Vec::new();
    let mut weaker = |what: String| found.push(Weakening { what });
    if agreed.reference != now.reference {
        weaker("`reference` is another form".to_owned());
    }
    for feature in Feature::ALL {
        if feature.is_relied_on() && agreed.offers(feature) && !now.offers(feature) {
            weaker(format!("`features` lacks {}", feature.code()));
        }
    }
    for listed in &agreed.refusal_codes {
        let mut codes = now.refusal_codes.iter();
        match codes.find(|it| it.code == listed.code) {
            None => weaker(format!("`refusalCodes` lacks {}", listed.code)),
            Some(it) if it.kind != listed.kind => {
                weaker(format!("the code {} has another kind", listed.code));
            }
            Some(_) => {}
        }
    }
    for (service, before) in &agreed.services {
        match now.services.get(service) {
            None => weaker(format!("`services` lacks {service}")),
            Some(after) => {
                for what in fields(before, after) {
                    weaker(format!("`services.{service}.{what}` is weaker"));
                }
            }
        }
    }
    found
}

/// The fields of a profile that promise less than before.
fn fields(before: &ServiceProfile, after: &ServiceProfile) -> Vec<&'static str> {
    let no_replay =
        before.duplicate == DuplicateRule::Replay && after.duplicate == DuplicateRule::Error;
    let reports_less = before.incoming == IncomingUse::All && after.incoming == IncomingUse::None;
    let checks = [
        ("incoming", reports_less),
        ("duplicate", no_replay),
        ("absence", !proves(before.absence, after.absence)),
        (
            "settleSeconds",
            after.settle_seconds > before.settle_seconds,
        ),
        ("reversalDays", after.reversal_days > before.reversal_days),
        (
            "retentionDays",
            after.retention_days < before.retention_days,
        ),
        (
            "lookalikeSeconds",
            after.lookalike_seconds > before.lookalike_seconds,
        ),
        (
            "coolingOffSeconds",
            after.cooling_off_seconds > before.cooling_off_seconds,
        ),
        (
            "deadlineSeconds",
            after.deadline_seconds > before.deadline_seconds,
        ),
        ("multiEffect", after.multi_effect && !before.multi_effect),
    ];
    let weaker = checks.into_iter().filter(|(_, is_weaker)| *is_weaker);
    weaker.map(|(field, _)| field).collect()
}

/// Whether absence is proven now by everything that proved it before.
fn proves(before: AbsenceProof, after: AbsenceProof) -> bool {
    match (before, after) {
        (AbsenceProof::Never, _) | (_, AbsenceProof::Sealed) => true,
        (_, AbsenceProof::Never) | (AbsenceProof::Sealed, AbsenceProof::After { .. }) => false,
        (
            AbsenceProof::After {
                seconds,
                count,
                spacing,
            },
            AbsenceProof::After {
                seconds: seconds_now,
                count: count_now,
                spacing: spacing_now,
            },
        ) => seconds_now <= seconds && count_now <= count && spacing_now <= spacing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::read;

    fn agreed() -> Capabilities {
        read(include_bytes!("../tests/vectors/capabilities.json")).unwrap()
    }

    fn with(change: impl FnOnce(&mut Capabilities, &mut ServiceProfile)) -> Vec<String> {
        let mut now = agreed();
        let mut airtime = now.services["airtime"];
        change(&mut now, &mut airtime);
        if now.services.contains_key("airtime") {
            now.services.insert("airtime".to_owned(), airtime);
        }
        let found = weakenings(&agreed(), &now);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_stays_or_grows_stronger_is_no_weakening() {
        assert!(with(|_, _| {}).is_empty());
        assert!(with(|_, airtime| airtime.retention_days += 1).is_empty());
        assert!(with(|now, _| assert!(now.features.insert("more".to_owned()))).is_empty());
        assert!(with(|_, airtime| airtime.settle_seconds = 0).is_empty());
    }

    #[test]
    fn each_weaker_promise_is_named() {
        let replay = with(|_, airtime| airtime.duplicate = DuplicateRule::Error);
        assert_eq!(replay, ["`services.airtime.duplicate` is weaker"]);
        let after = AbsenceProof::After {
            seconds: 60,
            count: 2,
            spacing: 60,
        };
        let unsealed = with(|_, airtime| airtime.absence = after);
        assert_eq!(unsealed, ["`services.airtime.absence` is weaker"]);
        let kind = with(|now, _| now.refusal_codes[0].kind = "moment".to_owned());
        assert_eq!(kind, ["the code 51 has another kind"]);
        let gone = with(|now, _| assert!(now.services.remove("airtime").is_some()));
        assert_eq!(gone, ["`services` lacks airtime"]);
        let seal = with(|now, _| now.features.clear());
        assert_eq!(seal[0], "`features` lacks seal");
        let sum = with(|_, airtime| {
            airtime.settle_seconds += 1;
            airtime.reversal_days += 1;
            airtime.retention_days -= 1;
            airtime.lookalike_seconds += 1;
            airtime.cooling_off_seconds += 1;
            airtime.deadline_seconds += 1;
            airtime.multi_effect = true;
        });
        assert_eq!(sum.len(), 7, "{sum:?}");
    }
}
