//! What a lookup came to, in one word. Where nothing was found, nothing is charged, and the price
//! says so.

use domain::money::Money;
use domain::paid_lookup::{LookupCategory, LookupFindings, LookupMiss, LookupOrder};
use domain::transaction::{Delivered, Disproven, Proof, State, Transaction};

/// What a lookup came to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ShownLookup<'a> {
    /// No answer yet.
    Pending,
    /// The provider answered.
    Found(&'a LookupFindings),
    /// It was paid for, and what it found is not known.
    Unavailable,
    /// Nothing was found.
    Missed(LookupMiss),
    /// It was not made.
    Failed,
}

impl<'a> ShownLookup<'a> {
    pub(crate) fn of(transaction: &'a Transaction, order: &LookupOrder) -> Self {
        match &transaction.state {
            State::Queued(_) | State::Sending(_) | State::InDoubt(_) | State::Review(_) => {
                Self::Pending
            }
            State::Successful(delivered) => Self::after(delivered),
            State::Reversed(reversed) => Self::after(&reversed.delivered),
            State::Failed(disproven) => Self::missed(order.category, disproven),
            State::Cancelled(_) | State::Booked(_) => Self::Failed,
        }
    }

    fn after(delivered: &'a Delivered) -> Self {
        let findings = delivered.fulfilment.lookup_findings();
        findings
            .filter(|findings| findings.is_known())
            .map_or(Self::Unavailable, Self::Found)
    }

    /// A provider that contradicted itself said nothing reliable.
    fn missed(category: LookupCategory, disproven: &Disproven) -> Self {
        if disproven.contradicted_at.is_some() {
            return Self::Failed;
        }
        match &disproven.proof {
            Proof::Refused(refusal) => {
                LookupMiss::of(category, refusal).map_or(Self::Failed, Self::Missed)
            }
            Proof::NotSent | Proof::Absent(_) | Proof::Ruled(_) | Proof::TakenBack => Self::Failed,
        }
    }

    /// `lkpStatus`; none while there is no answer.
    pub(crate) const fn word(self) -> Option<&'static str> {
        match self {
            Self::Pending => None,
            Self::Found(_) => Some("found"),
            Self::Unavailable => Some("unavailable"),
            Self::Missed(LookupMiss::NoRecord) => Some("noRecord"),
            Self::Missed(LookupMiss::Unreachable) => Some("unreachable"),
            Self::Failed => Some("failed"),
        }
    }

    /// What was found.
    pub(crate) const fn findings(self) -> Option<&'a LookupFindings> {
        match self {
            Self::Found(findings) => Some(findings),
            Self::Pending | Self::Unavailable | Self::Missed(_) | Self::Failed => None,
        }
    }
}

/// What the lookup costs: nothing once its price was given back.
pub(crate) fn price(transaction: &Transaction) -> Money {
    let price = transaction.quote.price;
    match &transaction.state {
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Successful(_)
        | State::Booked(_) => price,
        State::Failed(_) | State::Cancelled(_) | State::Reversed(_) => {
            Money::zero(price.currency())
        }
    }
}
