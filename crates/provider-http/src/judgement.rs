//! What the verified body of an answer says of an attempt. Only a listed state with an equal echo
//! is definite; everything else must come out as unknown.

use domain::order::{Order, Service};
use domain::provider::{
    AttemptDetails, ProviderTransactionId, QueryOutcome, Receipt, Refusal, SubmitOutcome,
    UnknownCause,
};
use domain::reference::ProviderReference;
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
pub(crate) enum Verdict {
    Delivered(Receipt),
    Declined(Refusal),
    Pending,
    Reversed,
    Absent,
    Unknown(UnknownCause),
}

impl Verdict {
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
pub(crate) fn judge(body: &[u8], asked: Asked<'_>) -> (Verdict, AttemptDetails) {
    match read::<AttemptAnswer>(body) {
        Ok(answer) => judge_answer(&answer, asked),
        Err(error) => {
            tracing::warn!(%error, reference = %asked.reference, "an answer cannot be read");
            (
                Verdict::Unknown(UnknownCause::Unreadable),
                AttemptDetails::default(),
            )
        }
    }
}

/// The verdict of an answer, and what it reports besides.
pub(crate) fn judge_answer(answer: &AttemptAnswer, asked: Asked<'_>) -> (Verdict, AttemptDetails) {
    if answer.reference != asked.reference.as_str() {
        tracing::error!(reference = %asked.reference, "an answer is about another reference");
        return (
            Verdict::Unknown(UnknownCause::Unlisted),
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

fn verdict(answer: &AttemptAnswer, asked: Asked<'_>) -> Verdict {
    let unknown = Verdict::Unknown(UnknownCause::Unlisted);
    let never_given = answer.amount.is_none() && answer.beneficiary.is_none();
    match answer.state {
        AttemptState::Unknown | AttemptState::Unlisted => return unknown,
        AttemptState::Absent => return Verdict::Absent,
        AttemptState::Declined if never_given => {
            // Sealed before it came, so there is nothing to echo.
            let sealed = refusal(answer, asked).filter(|refusal| refusal.code == SEALED);
            return sealed.map_or(unknown, Verdict::Declined);
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
        AttemptState::Pending => Verdict::Pending,
        AttemptState::Reversed => Verdict::Reversed,
        AttemptState::Delivered => delivered(answer, asked),
        AttemptState::Declined => refusal(answer, asked).map_or(unknown, Verdict::Declined),
        AttemptState::Unknown | AttemptState::Unlisted | AttemptState::Absent => unknown,
    }
}

fn delivered(answer: &AttemptAnswer, asked: Asked<'_>) -> Verdict {
    let unreadable = Verdict::Unknown(UnknownCause::Unreadable);
    let service = answer.service.as_deref().and_then(Service::from_code);
    let (Some(service), Some(amount)) = (service, money(answer.amount.as_ref())) else {
        return unreadable;
    };
    let fulfilment = match read_receipt(service, answer.receipt.as_deref()) {
        Ok(Some(fulfilment)) => fulfilment,
        // Without what was bought it is not delivered yet.
        Ok(None) => return Verdict::Pending,
        Err(error) => {
            tracing::error!(%error, reference = %asked.reference, "a receipt cannot be read");
            return unreadable;
        }
    };
    if asked
        .order
        .is_some_and(|order| !fulfilment.completes(order))
    {
        return Verdict::Pending;
    }
    Verdict::Delivered(Receipt {
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
    listed.then_some(refusal)
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
