//! What a refusal of a payment means for its run. What passes by itself must not count as a
//! failure: the run is looked at again while it is in its time.

use crate::request_error::{LookupFailure, RequestError};
use domain::recurring::RunRefusal;

/// Why a run is refused; `None` where nothing definite is known, or the reason will pass without
/// the merchant.
pub(super) const fn refusal_of(error: &RequestError) -> Option<RunRefusal> {
    Some(match error {
        RequestError::InsufficientFunds(_) => RunRefusal::Balance,
        RequestError::OverLimit(_) => RunRefusal::Limit,
        RequestError::BelowMinimum(..) | RequestError::AboveMaximum(..) => RunRefusal::Amount,
        RequestError::NumberNotInPlan
        | RequestError::WrongCheckDigit
        | RequestError::BillUnknown
        | RequestError::Lookup(_, LookupFailure::Unknown) => RunRefusal::Customer,
        RequestError::CountryNotServed(_)
        | RequestError::NetworkNotServed
        | RequestError::NumberPorted
        | RequestError::ProviderUnknown(_)
        | RequestError::PlanUnknown(_)
        | RequestError::PlanWithdrawn(_)
        | RequestError::MessageTooLong
        | RequestError::Unpriceable
        | RequestError::Message(_)
        | RequestError::CurrencyNotServed(_)
        | RequestError::BeneficiaryElsewhere { .. } => RunRefusal::Product,
        RequestError::SenderUnknown | RequestError::SenderNotApproved => RunRefusal::Sender,
        RequestError::ReferenceTaken { .. }
        | RequestError::BatchTaken { .. }
        | RequestError::KeyReused => RunRefusal::Reference,
        RequestError::ReferenceSettled => RunRefusal::Settled,
        RequestError::Items(_)
        | RequestError::Quote(_)
        | RequestError::GroupUnknown
        | RequestError::PayDay(_)
        | RequestError::Payee(_)
        | RequestError::ConsentRequired
        | RequestError::Endpoint(_) => RunRefusal::Other,
        RequestError::ProviderUnavailable(_)
        | RequestError::Lookalike(_)
        | RequestError::Lookup(_, LookupFailure::Unreachable | LookupFailure::Unusable)
        | RequestError::Suspended
        | RequestError::Frozen(_)
        | RequestError::BatchLater(_)
        | RequestError::InProgress
        | RequestError::Draining
        | RequestError::Saturated
        | RequestError::ReconciliationRequired
        | RequestError::ReferenceUnsettled
        | RequestError::Store(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::freeze::{FreezeAuthority, FreezeBreach};
    use domain::order::Service;
    use ports::PortError;
    use testkit::builders::naira;

    #[test]
    fn what_may_have_been_stored_or_passes_by_itself_is_no_failure() {
        for passing in [
            RequestError::Store(PortError::new("books", "gone")),
            RequestError::ReconciliationRequired,
            RequestError::ReferenceUnsettled,
            RequestError::InProgress,
            RequestError::Draining,
            RequestError::Suspended,
            RequestError::Frozen(FreezeBreach::Account(FreezeAuthority::Merchant)),
            RequestError::ProviderUnavailable(Service::Airtime),
            RequestError::Lookup(Service::Bank, LookupFailure::Unreachable),
        ] {
            assert_eq!(refusal_of(&passing), None, "{passing}");
        }
        let definite = RequestError::InsufficientFunds(naira("1.00"));
        assert_eq!(refusal_of(&definite), Some(RunRefusal::Balance));
        let unknown = RequestError::Lookup(Service::Bank, LookupFailure::Unknown);
        assert_eq!(refusal_of(&unknown), Some(RunRefusal::Customer));
    }
}
