//! One attempt at an adapter under test: prepared as the flow prepares it, sent, asked about, and
//! what came of it as a word, so that tables of expectations can be read. It must decide nothing
//! that an adapter decides.

use crate::builders::submission;
use crate::permit::FixedPermit;
use domain::order::Order;
use domain::provider::{QueryOutcome, RefusalKind, Submission, SubmitOutcome};
use ports::provider::{AttemptQuery, Naming, Provider, ProviderAnswer};

/// An attempt at an order under a reference of ours, prepared as the flow does.
pub fn prepared(provider: &dyn Provider, under: &str, order: Order) -> Submission {
    let sent = submission(under, order);
    let prepared = provider.prepare(Naming {
        derived: sent.reference.clone(),
        order: &sent.order,
        started_at: sent.started_at,
    });
    Submission {
        reference: prepared.reference,
        adapter_state: prepared.adapter_state,
        ..sent
    }
}

/// Sends it, with a permit that is granted.
pub async fn submit(provider: &dyn Provider, sent: &Submission) -> ProviderAnswer<SubmitOutcome> {
    provider.submit(sent, &FixedPermit::granted()).await
}

/// Asks about it with all that is stored of it.
pub async fn query(provider: &dyn Provider, sent: &Submission) -> ProviderAnswer<QueryOutcome> {
    let asked = AttemptQuery {
        adapter_state: sent.adapter_state.as_deref(),
        order: Some(&sent.order),
        started_at: Some(sent.started_at),
        ..AttemptQuery::by(&sent.reference)
    };
    provider.query(&asked).await
}

/// What came of sending it, in a word.
pub fn of_submit(outcome: &SubmitOutcome) -> String {
    match outcome {
        SubmitOutcome::Delivered(_) => "delivered".into(),
        SubmitOutcome::Declined(refusal) => declined(refusal.kind).into(),
        SubmitOutcome::NotSent => "not sent".into(),
        SubmitOutcome::Pending => "pending".into(),
        SubmitOutcome::Reversed => "reversed".into(),
        SubmitOutcome::Unknown(cause) => format!("unknown {cause:?}"),
    }
}

/// What was found, in a word.
pub fn of_query(outcome: &QueryOutcome) -> String {
    match outcome {
        QueryOutcome::Delivered(_) => "delivered".into(),
        QueryOutcome::Declined(refusal) => declined(refusal.kind).into(),
        QueryOutcome::Pending => "pending".into(),
        QueryOutcome::NotFound => "not found".into(),
        QueryOutcome::Reversed => "reversed".into(),
        QueryOutcome::Unknown => "unknown".into(),
    }
}

fn declined(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Order => "declined Order",
        RefusalKind::Account => "declined Account",
        RefusalKind::Moment { .. } => "declined Moment",
        RefusalKind::Lookalike => "declined Lookalike",
    }
}
