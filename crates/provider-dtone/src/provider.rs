//! One account at DT One as a provider: transactions and queries. It must keep nothing but its
//! connections.

use crate::outcome::AskedTransaction;
use crate::request::DtonePurchase;
use crate::settings::DtoneSettings;
use crate::table::DtoneAnswers;
use async_trait::async_trait;
use domain::float::ProviderBalance;
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
use std::sync::Arc;

/// One account at DT One.
#[derive(Debug)]
pub struct DtoneProvider {
    id: ProviderId,
    pub(crate) clock: Arc<dyn Clock>,
    client: OutboundClient,
    answers: DtoneAnswers,
    settings: DtoneSettings,
}

impl DtoneProvider {
    /// Opens an account. Nothing is sent.
    pub fn open(
        id: ProviderId,
        settings: DtoneSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientTlsError> {
        let target = settings.target.clone();
        Ok(Self {
            id,
            client: OutboundClient::new(target, settings.outbound.clone(), Arc::clone(&clock))?,
            clock,
            answers: DtoneAnswers::embedded(),
            settings,
        })
    }

    fn purchase<'a>(&self, order: &'a Order) -> Option<DtonePurchase<'a>> {
        DtonePurchase::of(order, &self.settings.products)
    }

    fn authorized(&self, request: OutboundRequest) -> OutboundRequest {
        request.with(AUTHORIZATION, self.settings.keys.0.clone())
    }

    /// Asks something that changes nothing.
    pub(crate) async fn question(&self, path: String) -> Option<OutboundAnswer> {
        let request = self.authorized(OutboundRequest::get(path));
        match self.client.ask(request, self.settings.question).await {
            Ok(answer) => Some(answer),
            Err(error) => {
                tracing::warn!(%error, "DT One did not answer a question");
                None
            }
        }
    }
}

#[async_trait]
impl Provider for DtoneProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    /// How soon after a transaction it is listed is not published.
    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    fn serves(&self, order: &Order) -> bool {
        self.purchase(order).is_some()
    }

    /// The 32 characters of the hash: no limit is published, and these fit any.
    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        let hash = hash_base32(naming.derived.as_str());
        PreparedAttempt {
            provider: self.id.clone(),
            reference: ProviderReference::from_echo(hash),
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
        let Some(purchase) = self.purchase(&submission.order) else {
            return SubmitOutcome::NotSent.into();
        };
        let callback_url = self.settings.callback_url.as_deref();
        let Ok(document) = purchase.document(reference.as_str(), callback_url) else {
            return SubmitOutcome::NotSent.into();
        };
        let request = OutboundRequest::post_json("async/transactions", document);
        let request = self.authorized(request);
        let sent = self
            .client
            .submit(request, submission.deadline, permit)
            .await;
        let asked = AskedTransaction {
            reference,
            order: Some((&submission.order, Some(purchase.product))),
        };
        match sent {
            Ok(answer) => asked.submitted(&answer, &self.answers),
            Err(error) => {
                tracing::warn!(%error, %reference, "DT One did not answer a transaction");
                error.submit_outcome().into()
            }
        }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let reference = escaped(attempt.reference.as_str());
        let path = format!("transactions?external_id={reference}");
        let Some(answer) = self.question(path).await else {
            return QueryOutcome::Unknown.into();
        };
        let product = attempt.order.and_then(|order| self.purchase(order));
        let product = product.map(|purchase| purchase.product);
        let asked = AskedTransaction {
            reference: attempt.reference,
            order: attempt.order.map(|order| (order, product)),
        };
        asked.found(&answer, &self.answers)
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        self.naira_balance().await
    }
}

impl OwnReferences for DtoneProvider {
    fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        UndatedReference::new(hash_base32(derived.as_str()))
    }

    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        is_hash_base32(reference.as_str()).then(|| UndatedReference::new(reference.as_str()))
    }
}
