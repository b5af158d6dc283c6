//! One account at Reloadly as a provider: top-ups and queries. It must keep nothing but its
//! connections and its token.

use crate::outcome::AskedTopup;
use crate::settings::ReloadlySettings;
use crate::table::ReloadlyAnswers;
use crate::token::CachedToken;
use async_trait::async_trait;
use domain::airtime::AirtimeOrder;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::float::ProviderBalance;
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::{ProviderReference, UndatedReference};
use domain::transaction::PreparedAttempt;
use http::HeaderValue;
use http::header::{ACCEPT, AUTHORIZATION};
use outbound_http::reference::{hash_base32, is_hash_base32};
use outbound_http::tls::ClientTlsError;
use outbound_http::{OutboundAnswer, OutboundClient, OutboundRequest, escaped};
use ports::PortError;
use ports::callbacks::Callbacks;
use ports::clock::Clock;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Naming, OwnReferences, Provider, ProviderAnswer};
use ports::provider_limits::ProviderLimits;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;

/// The version of the interface that is spoken.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/com.reloadly.topups-v1+json");

const UNAUTHORIZED: u16 = 401;

/// For how long a number that was recharged is not recharged again.
const LOOKALIKE: Duration = Duration::from_mins(2);

/// One account at Reloadly.
#[derive(Debug)]
pub struct ReloadlyProvider {
    id: ProviderId,
    client: OutboundClient,
    pub(crate) auth: OutboundClient,
    pub(crate) token: CachedToken,
    pub(crate) clock: Arc<dyn Clock>,
    answers: ReloadlyAnswers,
    pub(crate) settings: ReloadlySettings,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TopupDocument<'a> {
    operator_id: u64,
    amount: Box<RawValue>,
    use_local_amount: bool,
    custom_identifier: &'a str,
    recipient_phone: RecipientPhone<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecipientPhone<'a> {
    country_code: &'static str,
    number: &'a str,
}

impl ReloadlyProvider {
    /// Opens an account. Nothing is sent.
    pub fn open(
        id: ProviderId,
        settings: ReloadlySettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, ClientTlsError> {
        let client =
            |target| OutboundClient::new(target, settings.outbound.clone(), Arc::clone(&clock));
        Ok(Self {
            id,
            client: client(settings.target.clone())?,
            auth: client(settings.auth.clone())?,
            token: CachedToken::default(),
            answers: ReloadlyAnswers::embedded(),
            settings,
            clock,
        })
    }

    /// A top-up that can be made, and the operator that makes it. The amount of one abroad would be
    /// in the currency of the account, which no request says.
    fn topup<'a>(&self, order: &'a Order) -> Option<(&'a AirtimeOrder, u64)> {
        let Order::Airtime(topup) = order else {
            return None;
        };
        let is_ours = topup.country == CountryCode::NIGERIA
            && topup.billing == Billing::Prepaid
            && topup.amount.currency() == Currency::Ngn;
        let operator = self.settings.operators.of(topup)?;
        is_ours.then_some((topup, operator))
    }

    /// Asks something that changes nothing.
    pub(crate) async fn question(&self, path: String) -> Option<OutboundAnswer> {
        let token = self.authorization().await?;
        let request = authorized(OutboundRequest::get(path), token);
        match self.client.ask(request, self.settings.question).await {
            Ok(answer) => {
                self.forget_a_refused_token(&answer);
                Some(answer)
            }
            Err(error) => {
                tracing::warn!(%error, "Reloadly did not answer a question");
                None
            }
        }
    }

    fn forget_a_refused_token(&self, answer: &OutboundAnswer) {
        if answer.status == UNAUTHORIZED {
            self.token.forget();
        }
    }

    fn age(&self, attempt: &AttemptQuery<'_>) -> Option<Duration> {
        let passed = attempt.started_at?.as_millis();
        let passed = self.clock.now().as_millis().saturating_sub(passed);
        Some(Duration::from_millis(
            u64::try_from(passed).unwrap_or_default(),
        ))
    }
}

fn authorized(request: OutboundRequest, token: HeaderValue) -> OutboundRequest {
    request.with(AUTHORIZATION, token).with(ACCEPT, ACCEPTED)
}

#[async_trait]
impl Provider for ReloadlyProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    /// How soon after a top-up it is reported is not published.
    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    fn serves(&self, order: &Order) -> bool {
        self.topup(order).is_some()
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
        let key = self.settings.credentials.webhook.as_ref();
        key.map(|_| self as &dyn Callbacks)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let reference = &submission.reference;
        let Some((topup, operator_id)) = self.topup(&submission.order) else {
            return SubmitOutcome::NotSent.into();
        };
        let Some(token) = self.authorization().await else {
            return SubmitOutcome::NotSent.into();
        };
        let Ok(document) = document((topup, operator_id), reference) else {
            return SubmitOutcome::NotSent.into();
        };
        let request = authorized(OutboundRequest::post_json("topups", document), token);
        let sent = self
            .client
            .submit(request, submission.deadline, permit)
            .await;
        let asked = AskedTopup {
            reference,
            order: Some(&submission.order),
            age: None,
        };
        match sent {
            Ok(answer) => {
                self.forget_a_refused_token(&answer);
                asked.submitted(&answer, &self.answers)
            }
            Err(error) => {
                tracing::warn!(%error, %reference, "Reloadly did not answer a top-up");
                error.submit_outcome().into()
            }
        }
    }

    /// By the provider's identity, where an answer carried it: that says more than the report.
    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let path = if let Some(id) = attempt.id {
            format!("topups/{}/status", escaped(id.as_str()))
        } else {
            let reference = escaped(attempt.reference.as_str());
            format!("topups/reports/transactions?customIdentifier={reference}&page=1&size=10")
        };
        let Some(answer) = self.question(path).await else {
            return QueryOutcome::Unknown.into();
        };
        let asked = AskedTopup {
            reference: attempt.reference,
            order: attempt.order,
            age: self.age(attempt),
        };
        match attempt.id {
            Some(_) => asked.status(&answer, &self.answers),
            None => asked.reported(&answer, &self.answers),
        }
    }

    /// An equal order for a number within two minutes is refused.
    fn limits(&self, _: Service) -> ProviderLimits {
        ProviderLimits {
            lookalike: Some(LOOKALIKE),
            ..ProviderLimits::NONE
        }
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        self.naira_balance().await
    }
}

fn document(
    (topup, operator_id): (&AirtimeOrder, u64),
    reference: &ProviderReference,
) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&TopupDocument {
        operator_id,
        amount: RawValue::from_string(decimal(topup.amount))?,
        use_local_amount: true,
        custom_identifier: reference.as_str(),
        recipient_phone: RecipientPhone {
            country_code: "NG",
            number: topup.number.digits(),
        },
    })
}

/// An amount in naira as a number of JSON: `1000.00`.
fn decimal(amount: Money) -> String {
    amount.to_string().replace(',', "")
}

impl OwnReferences for ReloadlyProvider {
    fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        UndatedReference::new(hash_base32(derived.as_str()))
    }

    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        is_hash_base32(reference.as_str()).then(|| UndatedReference::new(reference.as_str()))
    }
}
