//! What operators ask for over HTTP of providers and cases. What a kind of case cannot be decided
//! as must be refused here, and not when it is granted.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use domain::operations::CaseKind;
use domain::operations::change_request::{CaseDecision, ChangeReason, RequestedChange};
use domain::provider::ProviderId;
use domain::text;

/// Longest name of a case, in characters: a kind, an account and two references.
const CASE_LENGTH_MAX: usize = 200;

/// Reads which provider is to be paused, or to be given orders again.
pub fn parse_provider(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(RequestedChange, ChangeReason), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let provider = reader.required(&attribute::PROVIDER_NAME, ProviderId::parse);
    let enabled = reader.word(
        &attribute::PROVIDER_ENABLED,
        &[("true", true), ("false", false)],
    );
    let reason = reader.required(&attribute::REASON, ChangeReason::parse);
    reader.finish(|| {
        let provider = provider?;
        let change = if enabled? {
            RequestedChange::Resume(provider)
        } else {
            RequestedChange::Pause(provider)
        };
        Ok((change, reason?))
    })
}

/// Reads which case is to be decided, and how.
pub fn parse_case(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(RequestedChange, ChangeReason), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let case = reader.required(&attribute::CASE, |text| {
        let text = text::line(text, CASE_LENGTH_MAX).unwrap_or_default();
        let kind = kind_of(text);
        kind.map(|kind| (kind, text.to_owned()))
            .ok_or("must be a case as GET /operations/cases names it, such as review:shop:order-7")
    });
    let words = CaseDecision::ALL.map(|it| (it.word(), it));
    let decision = reader.word(&attribute::DECISION, &words);
    let reason = reader.required(&attribute::REASON, ChangeReason::parse);
    let decided = match (case, decision) {
        (Ok((kind, case)), Ok(decision)) => match unfit(kind, decision) {
            Some(message) => Err(reader.fault(&attribute::DECISION, message)),
            None => Ok(RequestedChange::Resolve(case, decision)),
        },
        (Err(invalid), _) | (_, Err(invalid)) => Err(invalid),
    };
    reader.finish(|| Ok((decided?, reason?)))
}

/// The kind that the name of a case begins with.
fn kind_of(case: &str) -> Option<CaseKind> {
    let (word, rest) = case.split_once(':')?;
    let mut kinds = CaseKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.word() == word)?;
    (!rest.is_empty()).then_some(kind)
}

/// Why a case of a kind cannot be decided so.
const fn unfit(kind: CaseKind, decision: CaseDecision) -> Option<&'static str> {
    match (kind, decision) {
        (CaseKind::Review, CaseDecision::Delivered | CaseDecision::Declined)
        | (CaseKind::Reference, CaseDecision::Delivered)
        | (
            CaseKind::LateDelivery | CaseKind::Difference | CaseKind::Settlement,
            CaseDecision::Reversed,
        ) => None,
        (CaseKind::Review, CaseDecision::Reversed) => {
            Some("must be delivered or declined for a review")
        }
        (CaseKind::Reference, CaseDecision::Declined | CaseDecision::Reversed) => {
            Some("must be delivered for a reference: what was not delivered needs no decision")
        }
        (
            CaseKind::LateDelivery | CaseKind::Difference | CaseKind::Settlement,
            CaseDecision::Delivered | CaseDecision::Declined,
        ) => Some("must be reversed for this kind: it is closed once it was made good"),
        (CaseKind::DeadLetter, _) => Some("decides no dead letter; run manilla dead-letter retry"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    #[test]
    fn a_pause_and_its_end_are_read() {
        let read = |enabled: &str| {
            let pairs = [
                ("prvIdentifier", "\"my-shop\""),
                ("prvEnabled", enabled),
                ("reason", "\"float\""),
            ];
            parse_provider(&body(&pairs), Handling::Strict)
        };
        let provider = ProviderId::parse("my-shop").unwrap();
        assert_eq!(
            read("false").unwrap().0,
            RequestedChange::Pause(provider.clone())
        );
        assert_eq!(read("true").unwrap().0, RequestedChange::Resume(provider));
        let refused = faults(read("\"maybe\""));
        assert!(
            refused.contains("prvEnabled: must be true or false"),
            "{refused}"
        );
    }

    #[test]
    fn each_kind_of_case_takes_its_decisions() {
        let read = |case: &str, decision: &str| {
            let quoted = |text: &str| format!("\"{text}\"");
            let pairs = [
                ("caseIdentifier", &*quoted(case)),
                ("decision", &*quoted(decision)),
                ("reason", "\"letter\""),
            ];
            parse_case(&body(&pairs), Handling::Strict)
        };
        for (case, decision) in [
            ("review:shop:order-1", "delivered"),
            ("review:shop:order-1", "Declined"),
            ("reference:my-shop:shop.order-1.1", "delivered"),
            ("late-delivery:my-shop:shop.order-1.1", "reversed"),
            ("difference:00", "reversed"),
            ("settlement:00", "reversed"),
        ] {
            let (change, _) = read(case, decision).unwrap();
            assert!(change.subject().ends_with(case), "{case}");
        }
        for (case, decision, fault) in [
            (
                "review:shop:order-1",
                "reversed",
                "decision: must be delivered or declined",
            ),
            (
                "reference:a:b",
                "declined",
                "decision: must be delivered for a reference",
            ),
            ("difference:00", "delivered", "decision: must be reversed"),
            (
                "dead-letter:1",
                "delivered",
                "decision: decides no dead letter",
            ),
            ("order-1", "delivered", "caseIdentifier: must be a case"),
            ("review:", "delivered", "caseIdentifier: must be a case"),
            (
                "review:shop:order-1",
                "x",
                "decision: must be delivered or declined or",
            ),
        ] {
            let refused = faults(read(case, decision));
            assert!(refused.contains(fault), "{case} {decision}: {refused}");
        }
    }
}
