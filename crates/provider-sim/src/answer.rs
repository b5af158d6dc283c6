//! What the provider says about an entry of its book. It must not touch the book: saying changes
//! nothing.

use crate::bill;
use crate::catalogue::SandboxCatalogue;
use crate::change::Change;
use crate::hlr;
use crate::journal::{BookEntry, EntryEffect, EntryOutcome, RefusalKind, SandboxProduct};
use crate::sms;
use crate::vend::{PaidMeter, TokenState, vend};
use domain::provider::{Fulfilment, QueryOutcome, Receipt, Refusal, SubmitOutcome, UnknownCause};
use domain::time::Timestamp;
use ports::catalogue::Catalogue as _;

/// How far the reported part of a delivery has come.
#[derive(Debug, Clone, Copy)]
struct Progress {
    token: TokenState,
    /// What happened to the parts of a message.
    steps: usize,
}

impl Progress {
    /// A delivery of a moment ago.
    const fn started(token: TokenState) -> Self {
        Self { token, steps: 0 }
    }
}

/// The provider's own answer to a request it has booked.
pub(crate) fn outcome(entry: &BookEntry, catalogue: &SandboxCatalogue) -> SubmitOutcome {
    let delivered = |token| {
        receipt(entry, Progress::started(token), catalogue).map_or(
            SubmitOutcome::Unknown(UnknownCause::Unreadable),
            SubmitOutcome::Delivered,
        )
    };
    match entry.fate {
        EntryOutcome::Refused(kind) => SubmitOutcome::Declined(refusal(kind)),
        EntryOutcome::Delivered | EntryOutcome::Slow { .. } | EntryOutcome::Reversed { .. } => {
            delivered(TokenState::Made)
        }
        EntryOutcome::TokenLater { .. } => delivered(TokenState::Awaited),
        EntryOutcome::Later { .. } | EntryOutcome::Never => SubmitOutcome::Pending,
    }
}

/// What the provider says when asked about an entry.
pub(crate) fn finding(
    entry: &BookEntry,
    now: Timestamp,
    catalogue: &SandboxCatalogue,
) -> QueryOutcome {
    if !entry.arrived(now) {
        return QueryOutcome::NotFound;
    }
    match (entry.effects(now), entry.fate) {
        (EntryEffect::Refused, EntryOutcome::Refused(kind)) => {
            QueryOutcome::Declined(refusal(kind))
        }
        (EntryEffect::Delivered, _) => {
            let token = TokenState::Made;
            let steps = steps_by(entry, now);
            delivered(entry, Progress { token, steps }, catalogue)
        }
        (EntryEffect::Reversed, _) => QueryOutcome::Reversed,
        // The payment is taken and the token is not made: half a yes.
        (EntryEffect::Awaited, EntryOutcome::TokenLater { .. }) => {
            delivered(entry, Progress::started(TokenState::Awaited), catalogue)
        }
        (EntryEffect::Awaited | EntryEffect::Refused, _) => QueryOutcome::Pending,
    }
}

/// What the provider says of its own accord.
pub(crate) fn reported(
    entry: &BookEntry,
    change: Change,
    catalogue: &SandboxCatalogue,
) -> QueryOutcome {
    match change {
        Change::TakenBack => QueryOutcome::Reversed,
        Change::Receipt { steps } => {
            let token = TokenState::Made;
            delivered(entry, Progress { token, steps }, catalogue)
        }
    }
}

fn delivered(entry: &BookEntry, progress: Progress, catalogue: &SandboxCatalogue) -> QueryOutcome {
    receipt(entry, progress, catalogue).map_or(QueryOutcome::Unknown, QueryOutcome::Delivered)
}

fn steps_by(entry: &BookEntry, now: Timestamp) -> usize {
    match &entry.product {
        SandboxProduct::Sms { parts, .. } => sms::steps_by(entry, *parts, now),
        SandboxProduct::Airtime { .. }
        | SandboxProduct::CableTv { .. }
        | SandboxProduct::Electricity { .. }
        | SandboxProduct::Internet { .. }
        | SandboxProduct::Bank { .. }
        | SandboxProduct::Bill { .. }
        | SandboxProduct::Hlr { .. } => 0,
    }
}

/// The words for a refusal.
pub(crate) fn refusal(kind: RefusalKind) -> Refusal {
    let (code, reason) = match kind {
        RefusalKind::Declined => ("51", "declined by the biller"),
        RefusalKind::UnknownCustomer => ("14", "unknown to the biller"),
        RefusalKind::UnknownBiller => ("15", "no such biller"),
    };
    Refusal {
        code: code.to_owned(),
        reason: reason.to_owned(),
    }
}

/// The refusal of a request that cannot even be booked.
pub(crate) fn refusal_of_reference() -> Refusal {
    Refusal {
        code: "12".to_owned(),
        reason: "the reference is not acceptable".to_owned(),
    }
}

fn receipt(entry: &BookEntry, progress: Progress, catalogue: &SandboxCatalogue) -> Option<Receipt> {
    let fulfilment = match &entry.product {
        SandboxProduct::Airtime { .. } => Fulfilment::Airtime,
        SandboxProduct::CableTv { .. } => Fulfilment::CableTv,
        SandboxProduct::Electricity {
            disco,
            number,
            billing,
        } => {
            let paid = PaidMeter {
                record: catalogue.record(disco)?,
                number,
                billing: *billing,
            };
            Fulfilment::Electricity(vend(entry, paid, progress.token)?)
        }
        SandboxProduct::Internet { .. } => Fulfilment::Internet,
        SandboxProduct::Sms { parts, .. } => {
            Fulfilment::Sms(sms::dispatch(entry, *parts, progress.steps)?)
        }
        SandboxProduct::Bank { .. } => Fulfilment::Bank,
        SandboxProduct::Bill {
            category,
            biller,
            number,
            has_token,
        } => {
            let biller = catalogue.biller(*category, biller)?;
            let paid = (biller, number, *has_token);
            Fulfilment::Bill(bill::receipt(entry, paid, progress.token)?)
        }
        SandboxProduct::Hlr { origin, .. } => {
            let networks = catalogue.mobile_networks();
            Fulfilment::Hlr(hlr::report(entry, origin.as_deref(), networks))
        }
    };
    Some(Receipt {
        reference: entry.reference.clone(),
        amount: entry.amount,
        fulfilment,
    })
}
