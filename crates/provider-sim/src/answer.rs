//! What the provider says about an entry of its book. It must not touch the book: saying changes
//! nothing.

use crate::book::{BookEntry, Effect, Fate, Product, RefusalKind};
use crate::catalogue::SandboxCatalogue;
use crate::change::Change;
use crate::hlr;
use crate::sms;
use crate::vend::{PaidMeter, TokenState, vend};
use domain::provider::{Finding, Fulfilment, Outcome, Receipt, Refusal, UnknownCause};
use domain::time::Timestamp;

/// How far what is told of a delivery has come.
#[derive(Debug, Clone, Copy)]
struct Progress {
    token: TokenState,
    /// What happened to the parts of a message.
    steps: usize,
}

impl Progress {
    /// A delivery of a moment ago.
    const fn begun(token: TokenState) -> Self {
        Self { token, steps: 0 }
    }
}

/// The provider's own answer to a request it has booked.
pub(crate) fn outcome(entry: &BookEntry, catalogue: &SandboxCatalogue) -> Outcome {
    let delivered = |token| {
        receipt(entry, Progress::begun(token), catalogue).map_or(
            Outcome::Unknown(UnknownCause::Unreadable),
            Outcome::Delivered,
        )
    };
    match entry.fate {
        Fate::Refused(kind) => Outcome::Declined(refusal(kind)),
        Fate::Delivered | Fate::Slow { .. } | Fate::Reversed { .. } => delivered(TokenState::Made),
        Fate::TokenLater { .. } => delivered(TokenState::Awaited),
        Fate::Later { .. } | Fate::Never => Outcome::Pending,
    }
}

/// What the provider says when asked about an entry.
pub(crate) fn finding(entry: &BookEntry, now: Timestamp, catalogue: &SandboxCatalogue) -> Finding {
    if !entry.arrived(now) {
        return Finding::NotFound;
    }
    match (entry.effects(now), entry.fate) {
        (Effect::Refused, Fate::Refused(kind)) => Finding::Declined(refusal(kind)),
        (Effect::Delivered, _) => {
            let token = TokenState::Made;
            let steps = steps_by(entry, now);
            delivered(entry, Progress { token, steps }, catalogue)
        }
        (Effect::Reversed, _) => Finding::Reversed,
        // The payment is taken and the token is not made: half a yes.
        (Effect::Awaited, Fate::TokenLater { .. }) => {
            delivered(entry, Progress::begun(TokenState::Awaited), catalogue)
        }
        (Effect::Awaited | Effect::Refused, _) => Finding::Pending,
    }
}

/// What the provider says of its own accord.
pub(crate) fn told(entry: &BookEntry, change: Change, catalogue: &SandboxCatalogue) -> Finding {
    match change {
        Change::TakenBack => Finding::Reversed,
        Change::Receipt { steps } => {
            let token = TokenState::Made;
            delivered(entry, Progress { token, steps }, catalogue)
        }
    }
}

fn delivered(entry: &BookEntry, progress: Progress, catalogue: &SandboxCatalogue) -> Finding {
    receipt(entry, progress, catalogue).map_or(Finding::Unknown, Finding::Delivered)
}

fn steps_by(entry: &BookEntry, now: Timestamp) -> usize {
    match &entry.product {
        Product::Sms { parts, .. } => sms::steps_by(entry, *parts, now),
        Product::Airtime { .. }
        | Product::CableTv { .. }
        | Product::Electricity { .. }
        | Product::Internet { .. }
        | Product::Bank { .. }
        | Product::Hlr { .. } => 0,
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
        Product::Airtime { .. } => Fulfilment::Airtime,
        Product::CableTv { .. } => Fulfilment::CableTv,
        Product::Electricity {
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
        Product::Internet { .. } => Fulfilment::Internet,
        Product::Sms { parts, .. } => {
            Fulfilment::Sms(sms::dispatch(entry, *parts, progress.steps)?)
        }
        Product::Bank { .. } => Fulfilment::Bank,
        Product::Hlr { origin, .. } => {
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
