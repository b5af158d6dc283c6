//! What the verified body of an answer says of an attempt. Only a listed state with an equal echo
//! is definite; everything else must come out as unknown.

use domain::order::{Order, Service};
use domain::paid_lookup::{LookupCategory, LookupMiss};
use domain::provider::{
    AttemptDetails, ProviderTransactionId, QueryOutcome, Receipt, Refusal, RefusalKind,
    SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::voice::UnansweredCall;
use provider_protocol::{
    Amount, AttemptAnswer, AttemptState, Capabilities, SEALED, read, read_receipt,
};

/// The attempt that is asked about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) reference: &'a ProviderReference,
    /// Without it only the reference can be compared.
    pub(crate) order: Option<&'a Order>,
    /// What the provider promised, for its list of codes.
    pub(crate) agreed: &'a Capabilities,
}

/// What an answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AnswerVerdict {
    Delivered(Receipt),
    Declined(Refusal),
    Pending,
    Reversed,
    Absent,
    Unknown(UnknownCause),
}

impl AnswerVerdict {
    /// As the outcome of a submission, in which nothing can be absent.
    pub(crate) fn submitted(self) -> SubmitOutcome {
        match self {
            Self::Delivered(receipt) => SubmitOutcome::Delivered(receipt),
            Self::Declined(refusal) => SubmitOutcome::Declined(refusal),
            Self::Pending => SubmitOutcome::Pending,
            Self::Reversed => SubmitOutcome::Reversed,
            Self::Absent => SubmitOutcome::Unknown(UnknownCause::Unlisted),
            Self::Unknown(cause) => SubmitOutcome::Unknown(cause),
        }
    }

    /// As the outcome of a query.
    pub(crate) fn found(self) -> QueryOutcome {
        match self {
            Self::Delivered(receipt) => QueryOutcome::Delivered(receipt),
            Self::Declined(refusal) => QueryOutcome::Declined(refusal),
            Self::Pending => QueryOutcome::Pending,
            Self::Reversed => QueryOutcome::Reversed,
            Self::Absent => QueryOutcome::NotFound,
            Self::Unknown(_) => QueryOutcome::Unknown,
        }
    }
}

/// The verdict of a verified body, and what it reports besides.
pub(crate) fn judge(body: &[u8], asked: Asked<'_>) -> (AnswerVerdict, AttemptDetails) {
    match read::<AttemptAnswer>(body) {
        Ok(answer) => judge_answer(&answer, asked),
        Err(error) => {
            tracing::warn!(%error, reference = %asked.reference, "an answer cannot be read");
            (
                AnswerVerdict::Unknown(UnknownCause::Unreadable),
                AttemptDetails::default(),
            )
        }
    }
}

/// The verdict of an answer, and what it reports besides.
pub(crate) fn judge_answer(
    answer: &AttemptAnswer,
    asked: Asked<'_>,
) -> (AnswerVerdict, AttemptDetails) {
    if answer.reference != asked.reference.as_str() {
        tracing::error!(reference = %asked.reference, "an answer is about another reference");
        return (
            AnswerVerdict::Unknown(UnknownCause::Unlisted),
            AttemptDetails::default(),
        );
    }
    let details = AttemptDetails {
        id: answer
            .provider_reference
            .as_deref()
            .and_then(ProviderTransactionId::parse),
        cost: money(answer.cost.as_ref()),
        commission: money(answer.commission.as_ref()),
    };
    (verdict(answer, asked), details)
}

fn verdict(answer: &AttemptAnswer, asked: Asked<'_>) -> AnswerVerdict {
    let unknown = AnswerVerdict::Unknown(UnknownCause::Unlisted);
    let never_given = answer.amount.is_none() && answer.beneficiary.is_none();
    match answer.state {
        AttemptState::Unknown | AttemptState::Unlisted => return unknown,
        AttemptState::Absent => return AnswerVerdict::Absent,
        AttemptState::Declined if never_given => {
            // Sealed before it came, so there is nothing to echo.
            let sealed = refusal(answer, asked).filter(|refusal| refusal.code == SEALED);
            return sealed.map_or(unknown, AnswerVerdict::Declined);
        }
        AttemptState::Delivered
        | AttemptState::Declined
        | AttemptState::Pending
        | AttemptState::Reversed => {}
    }
    if !echoes(answer, asked) {
        tracing::error!(reference = %asked.reference,
            "an answer echoes another service, amount or beneficiary");
        return unknown;
    }
    match answer.state {
        AttemptState::Pending => AnswerVerdict::Pending,
        AttemptState::Reversed => AnswerVerdict::Reversed,
        AttemptState::Delivered => delivered(answer, asked),
        AttemptState::Declined => refusal(answer, asked).map_or(unknown, AnswerVerdict::Declined),
        AttemptState::Unknown | AttemptState::Unlisted | AttemptState::Absent => unknown,
    }
}

fn delivered(answer: &AttemptAnswer, asked: Asked<'_>) -> AnswerVerdict {
    let unreadable = AnswerVerdict::Unknown(UnknownCause::Unreadable);
    let service = answer.service.as_deref().and_then(Service::from_code);
    let (Some(service), Some(amount)) = (service, money(answer.amount.as_ref())) else {
        return unreadable;
    };
    let fulfilment = match read_receipt(service, answer.receipt.as_deref()) {
        Ok(Some(fulfilment)) => fulfilment,
        // Without what was bought it is not delivered yet.
        Ok(None) => return AnswerVerdict::Pending,
        Err(error) => {
            tracing::error!(%error, reference = %asked.reference, "a receipt cannot be read");
            return unreadable;
        }
    };
    if asked
        .order
        .is_some_and(|order| !fulfilment.completes(order))
    {
        return AnswerVerdict::Pending;
    }
    AnswerVerdict::Delivered(Receipt {
        reference: asked.reference.clone(),
        amount,
        fulfilment,
    })
}

/// The refusal, where its code is listed with its kind.
fn refusal(answer: &AttemptAnswer, asked: Asked<'_>) -> Option<Refusal> {
    let refusal = answer.refusal()?;
    let listed = asked.agreed.lists(&refusal);
    if !listed {
        tracing::error!(reference = %asked.reference, code = refusal.code,
            "a refusal has a code that is not listed with this kind");
    }
    listed.then(|| final_refusal(refusal, answer))
}

/// A call that was made and not answered, and a lookup that found nothing, are refused for good,
/// whatever kind they are listed with: another provider would call the person again, or charge for
/// the same lookup.
fn final_refusal(refusal: Refusal, answer: &AttemptAnswer) -> Refusal {
    let calls = [Service::Voice.code(), Service::Ivr.code()];
    let service = answer.service.as_deref();
    let is_call = service.is_some_and(|service| calls.contains(&service));
    let category = service.and_then(LookupCategory::from_code);
    let is_missed = category.is_some_and(|it| LookupMiss::of(it, &refusal).is_some());
    let is_final = is_missed || (is_call && UnansweredCall::of(&refusal).is_some());
    if is_final {
        Refusal {
            kind: RefusalKind::Order,
            ..refusal
        }
    } else {
        refusal
    }
}

/// Whether an answer repeats what was ordered, as far as that is known here.
fn echoes(answer: &AttemptAnswer, asked: Asked<'_>) -> bool {
    let (Some(service), Some(amount), Some(beneficiary)) = (
        &answer.service,
        money(answer.amount.as_ref()),
        &answer.beneficiary,
    ) else {
        return false;
    };
    asked.order.is_none_or(|order| {
        service == order.service().code()
            && amount == order.amount()
            && beneficiary == order.digits()
    })
}

fn money(amount: Option<&Amount>) -> Option<domain::money::Money> {
    amount?.money("amount").ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_unanswered_call_and_a_lookup_that_found_nothing_are_no_matter_of_the_moment() {
        let kind = |service: &str, code: &str| {
            let text = json!({
                "reference": "r", "service": service, "state": "declined",
                "at": "2026-01-15T09:00:00Z", "sequence": 2,
                "refusal": {"kind": "moment", "code": code, "reason": "busy"},
            });
            let answer: AttemptAnswer = read(text.to_string().as_bytes()).unwrap();
            final_refusal(answer.refusal().unwrap(), &answer).kind
        };
        let moment = RefusalKind::Moment { retry_after: None };
        assert_eq!(kind("voice", "line-busy"), RefusalKind::Order);
        assert_eq!(kind("voice", "no-answer"), RefusalKind::Order);
        assert_eq!(kind("ivr", "no-answer"), RefusalKind::Order);
        assert_eq!(kind("voice", "91"), moment);
        assert_eq!(kind("airtime", "line-busy"), moment);
        assert_eq!(kind("lookup", "no-record"), RefusalKind::Order);
        assert_eq!(kind("device", "unreachable"), RefusalKind::Order);
        assert_eq!(kind("lookup", "unreachable"), moment);
        assert_eq!(kind("airtime", "no-record"), moment);
    }
}
