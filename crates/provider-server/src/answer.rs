//! What a provider says, as the object of an attempt. A delivery without the token that was bought
//! must be pending, and what cannot be echoed must be unknown.

use crate::references::BoundRequest;
use domain::provider::{AttemptDetails, Fulfilment, QueryOutcome, Receipt, Refusal, SubmitOutcome};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use provider_protocol::{AttemptAnswer, AttemptState, RefusalDocument, write_receipt};

/// An answer about a reference that is bound to a request, as of a moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnswerFor<'a> {
    pub(crate) reference: &'a ProviderReference,
    pub(crate) bound: &'a BoundRequest,
    pub(crate) now: Timestamp,
}

impl AnswerFor<'_> {
    /// A state, with what every answer echoes.
    pub(crate) fn state(self, state: AttemptState) -> AttemptAnswer {
        AttemptAnswer {
            service: Some(self.bound.service.code().to_owned()),
            amount: Some(self.bound.amount.into()),
            beneficiary: Some(self.bound.beneficiary.clone()),
            ..AttemptAnswer::new(self.reference, state, self.now)
        }
    }

    pub(crate) fn declined(self, refusal: &Refusal) -> AttemptAnswer {
        AttemptAnswer {
            refusal: Some(RefusalDocument::from(refusal)),
            ..self.state(AttemptState::Declined)
        }
    }

    /// What the provider delivered, with the amount it says.
    fn delivered(self, receipt: &Receipt) -> AttemptAnswer {
        let unknown = self.state(AttemptState::Unknown);
        let known_by = self.bound.inner.as_deref();
        let known_by = known_by.unwrap_or_else(|| self.reference.as_str());
        if receipt.reference.as_str() != known_by {
            return unknown;
        }
        if self.bound.takes_token && !has_token(&receipt.fulfilment) {
            return self.state(AttemptState::Pending);
        }
        let Ok(document) = write_receipt(&receipt.fulfilment) else {
            return unknown;
        };
        AttemptAnswer {
            service: Some(receipt.fulfilment.service().code().to_owned()),
            amount: Some(receipt.amount.into()),
            receipt: document,
            ..self.state(AttemptState::Delivered)
        }
    }

    /// What came of a submission; `None` where nothing was sent, which the provider has to settle.
    pub(crate) fn submitted(self, outcome: &SubmitOutcome) -> Option<AttemptAnswer> {
        Some(match outcome {
            SubmitOutcome::Delivered(receipt) => self.delivered(receipt),
            SubmitOutcome::Declined(refusal) => self.declined(refusal),
            SubmitOutcome::Pending => self.state(AttemptState::Pending),
            SubmitOutcome::Reversed => self.state(AttemptState::Reversed),
            SubmitOutcome::Unknown(_) => self.state(AttemptState::Unknown),
            SubmitOutcome::NotSent => return None,
        })
    }

    /// What the provider says when it is asked; `None` where it has no trace of the reference.
    pub(crate) fn found(self, finding: &QueryOutcome) -> Option<AttemptAnswer> {
        Some(match finding {
            QueryOutcome::Delivered(receipt) => self.delivered(receipt),
            QueryOutcome::Declined(refusal) => self.declined(refusal),
            QueryOutcome::Pending => self.state(AttemptState::Pending),
            QueryOutcome::Reversed => self.state(AttemptState::Reversed),
            QueryOutcome::Unknown => self.state(AttemptState::Unknown),
            QueryOutcome::NotFound => return None,
        })
    }
}

/// The answer with what the provider reported besides.
pub(crate) fn with_details(answer: AttemptAnswer, details: &AttemptDetails) -> AttemptAnswer {
    let id = details.id.as_ref().map(|id| id.as_str().to_owned());
    AttemptAnswer {
        provider_reference: id,
        cost: details.cost.map(Into::into),
        commission: details.commission.map(Into::into),
        ..answer
    }
}

fn has_token(fulfilment: &Fulfilment) -> bool {
    let vended = fulfilment.vend().is_some_and(|vend| vend.token.is_some());
    let receipt = fulfilment.bill_receipt();
    vended || receipt.is_some_and(|receipt| receipt.token.is_some())
}
