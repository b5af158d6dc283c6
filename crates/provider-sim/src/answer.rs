//! What the provider says about an entry of its book. It must not touch the book: saying changes
//! nothing.

use crate::book::{BookEntry, Effect, Fate, Product, RefusalKind};
use crate::catalogue::SandboxCatalogue;
use crate::vend::{PaidMeter, TokenState, vend};
use domain::provider::{Finding, Fulfilment, Outcome, Receipt, Refusal, UnknownCause};
use domain::time::Timestamp;

/// The provider's own answer to a request it has booked.
pub(crate) fn outcome(entry: &BookEntry, catalogue: &SandboxCatalogue) -> Outcome {
    let delivered = |token| {
        receipt(entry, token, catalogue).map_or(
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
    let delivered =
        |token| receipt(entry, token, catalogue).map_or(Finding::Unknown, Finding::Delivered);
    match (entry.effects(now), entry.fate) {
        (Effect::Refused, Fate::Refused(kind)) => Finding::Declined(refusal(kind)),
        (Effect::Delivered, _) => delivered(TokenState::Made),
        (Effect::Reversed, _) => Finding::Reversed,
        // The payment is taken and the token is not made: half a yes.
        (Effect::Awaited, Fate::TokenLater { .. }) => delivered(TokenState::Awaited),
        (Effect::Awaited | Effect::Refused, _) => Finding::Pending,
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

fn receipt(entry: &BookEntry, token: TokenState, catalogue: &SandboxCatalogue) -> Option<Receipt> {
    let fulfilment = match &entry.product {
        Product::Airtime { .. } => Fulfilment::Airtime,
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
            Fulfilment::Electricity(vend(entry, paid, token)?)
        }
    };
    Some(Receipt {
        reference: entry.reference.clone(),
        amount: entry.amount,
        fulfilment,
    })
}
