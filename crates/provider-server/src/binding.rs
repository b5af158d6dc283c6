//! What a reference is bound to, and what can be said of one that is bound to nothing. Of such a
//! one nothing may be said that has to be echoed.

use crate::references::BoundRequest;
use domain::order::Order;
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use domain::transaction::PreparedAttempt;
use provider_protocol::{AttemptAnswer, AttemptState, RefusalDocument, sealed};
use sha2::{Digest, Sha256};

pub(crate) fn bound_to(
    order: &Order,
    prepared: &PreparedAttempt,
    (body, reference): (&[u8], &ProviderReference),
) -> BoundRequest {
    let inner = (prepared.reference != *reference).then(|| prepared.reference.to_string());
    BoundRequest {
        hash: Sha256::digest(body).into(),
        service: order.service(),
        amount: order.amount(),
        beneficiary: order.digits().to_owned(),
        takes_token: order.takes_token(),
        inner,
        adapter_state: prepared.adapter_state.clone(),
    }
}

pub(crate) fn inner_reference(
    reference: &ProviderReference,
    bound: Option<&BoundRequest>,
) -> ProviderReference {
    let inner = bound.and_then(|bound| bound.inner.as_deref());
    inner.map_or_else(|| reference.clone(), ProviderReference::from_echo)
}

/// What can be said of a reference that is bound to nothing here: that it is absent, or sealed.
/// Anything else the provider says of it cannot be echoed, so it is unknown.
pub(crate) fn unbound(
    reference: &ProviderReference,
    finding: &QueryOutcome,
    now: Timestamp,
) -> AttemptAnswer {
    let state = |state| AttemptAnswer::new(reference, state, now);
    match finding {
        QueryOutcome::NotFound => state(AttemptState::Absent),
        QueryOutcome::Declined(refusal) if *refusal == sealed() => unbound_seal(reference, now),
        QueryOutcome::Delivered(_)
        | QueryOutcome::Declined(_)
        | QueryOutcome::Pending
        | QueryOutcome::Reversed
        | QueryOutcome::Unknown => state(AttemptState::Unknown),
    }
}

pub(crate) fn unbound_seal(reference: &ProviderReference, now: Timestamp) -> AttemptAnswer {
    AttemptAnswer {
        refusal: Some(RefusalDocument::from(&sealed())),
        ..AttemptAnswer::new(reference, AttemptState::Declined, now)
    }
}
