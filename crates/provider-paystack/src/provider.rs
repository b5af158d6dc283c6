//! One account at Paystack as a provider: transfers and queries. It must keep nothing but its
//! connections.

use crate::outcome::AskedTransfer;
use crate::settings::PaystackSettings;
use crate::table::PaystackAnswers;
use async_trait::async_trait;
use domain::bank::PayoutOrder;
use domain::family::AbsenceEnds;
use domain::float::ProviderBalance;
use domain::money::Currency;
use domain::order::{Order, Service};
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::{ProviderReference, UndatedReference};
use domain::transaction::PreparedAttempt;
use http::header::AUTHORIZATION;
use outbound_http::reference::{hash_base32, is_hash_base32};
use outbound_http::tls::ClientTlsError;
use outbound_http::{OutboundAnswer, OutboundClient, OutboundRequest, escaped};
use ports::PortError;
use ports::callbacks::Callbacks;
use ports::clock::Clock;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Naming, OwnReferences, Provider, ProviderAnswer};
use serde::Serialize;
use std::sync::Arc;

/// How our references begin, unlike those of other systems of the same account.
const PREFIX: &str = "mnl-";

/// One account at Paystack.
#[derive(Debug)]
pub struct PaystackProvider {
    id: ProviderId,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) client: OutboundClient,
    pub(crate) answers: PaystackAnswers,
    pub(crate) settings: PaystackSettings,
}

#[derive(Serialize)]
struct TransferDocument<'a> {
    source: &'static str,
    amount: i64,
    recipient: &'a str,
    reference: &'a str,
    reason: &'a str,
    currency: &'static str,
}

impl PaystackProvider {
    /// Opens an account. Nothing is sent.
    pub fn open(
        id: ProviderId,
        settings: PaystackSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientTlsError> {
        let target = settings.target.clone();
        Ok(Self {
            id,
            client: OutboundClient::new(target, settings.outbound.clone(), Arc::clone(&clock))?,
            clock,
            answers: PaystackAnswers::embedded(),
            settings,
        })
    }

    /// A payout that can be made, and what its bank is called.
    fn payout<'a>(&'a self, order: &'a Order) -> Option<(&'a PayoutOrder, &'a str)> {
        let Order::Bank(payout) = order else {
            return None;
        };
        let is_naira = payout.amount.currency() == Currency::Ngn;
        let code = self.settings.banks.code(&payout.account.bank)?;
        is_naira.then_some((payout, code))
    }

    /// A request with the key of the account.
    pub(crate) fn authorized(&self, request: OutboundRequest) -> OutboundRequest {
        request.with(AUTHORIZATION, self.settings.key.authorization.clone())
    }

    /// Asks something that changes nothing.
    pub(crate) async fn question(&self, path: String) -> Option<OutboundAnswer> {
        let request = self.authorized(OutboundRequest::get(path));
        match self.client.ask(request, self.settings.question).await {
            Ok(answer) => Some(answer),
            Err(error) => {
                tracing::warn!(%error, "Paystack did not answer a question");
                None
            }
        }
    }
}

#[async_trait]
impl Provider for PaystackProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    /// While a transfer is validated it is not found, and no time is published for that.
    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy {
            ends: AbsenceEnds::Search,
            ..AbsencePolicy::CAUTIOUS
        }
    }

    fn serves(&self, order: &Order) -> bool {
        self.payout(order).is_some()
    }

    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        PreparedAttempt {
            provider: self.id.clone(),
            reference: transfer_reference(&naming.derived),
            adapter_state: None,
        }
    }

    fn own_references(&self) -> Option<&dyn OwnReferences> {
        Some(self)
    }

    fn callbacks(&self) -> Option<&dyn Callbacks> {
        Some(self)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let reference = &submission.reference;
        let Some((payout, bank_code)) = self.payout(&submission.order) else {
            return SubmitOutcome::NotSent.into();
        };
        let recipient = match self.recipient(&payout.account, bank_code).await {
            Ok(recipient) => recipient,
            Err(outcome) => return outcome.into(),
        };
        let document = serde_json::to_vec(&TransferDocument {
            source: "balance",
            amount: payout.amount.minor(),
            recipient: &recipient,
            reference: reference.as_str(),
            reason: payout.narration.as_str(),
            currency: "NGN",
        });
        let Ok(document) = document else {
            return SubmitOutcome::NotSent.into();
        };
        let request = self.authorized(OutboundRequest::post_json("transfer", document));
        let sent = self
            .client
            .submit(request, submission.deadline, permit)
            .await;
        let asked = AskedTransfer {
            reference,
            order: Some(&submission.order),
        };
        match sent {
            Ok(answer) => asked.submitted(&answer, &self.answers),
            Err(error) => {
                tracing::warn!(%error, %reference, "Paystack did not answer a transfer");
                error.submit_outcome().into()
            }
        }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let path = format!("transfer/verify/{}", escaped(attempt.reference.as_str()));
        let Some(answer) = self.question(path).await else {
            return QueryOutcome::Unknown.into();
        };
        let asked = AskedTransfer {
            reference: attempt.reference,
            order: attempt.order,
        };
        asked.found(&answer, &self.answers)
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        self.naira_balance().await
    }
}

impl OwnReferences for PaystackProvider {
    fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        UndatedReference::new(transfer_reference(derived).as_str())
    }

    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        is_ours(reference.as_str()).then(|| UndatedReference::new(reference.as_str()))
    }
}

/// 36 characters of `a-z`, `2-7` and `-`: references have 16 to 50 of `a-z`, `0-9`, `-` and `_`.
fn transfer_reference(derived: &ProviderReference) -> ProviderReference {
    ProviderReference::from_echo(format!("{PREFIX}{}", hash_base32(derived.as_str())))
}

/// Whether a reference has the form of ours.
pub(crate) fn is_ours(reference: &str) -> bool {
    let hash = reference.strip_prefix(PREFIX);
    hash.is_some_and(is_hash_base32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_the_form_that_the_provider_takes() {
        let of = |derived: &str| transfer_reference(&ProviderReference::from_echo(derived));
        let reference = of("shop.order-7.1");
        assert_eq!(reference.as_str(), "mnl-tejhlv4b6oorh4mth5ehd4c6loedhbbg");
        assert!(is_ours(reference.as_str()));
        assert_ne!(of("shop.order-7.2"), reference);
        for other in [
            "",
            "mnl-",
            "mnl-TEJHLV4B6OORH4MTH5EHD4C6LOEDHBBG",
            "ref-tejhlv4b",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
