//! The provider: attempts are sent and asked about. It must keep nothing between calls but idle
//! connections.

use crate::answer::VtpassAnswer;
use crate::codes::CodeTable;
use crate::outcome::AskedAttempt;
use crate::request::VtpassPurchase;
use crate::services::ServiceTable;
use crate::settings::VtpassSettings;
use async_trait::async_trait;
use domain::float::ProviderBalance;
use domain::order::{Order, Service};
use domain::provider::{
    AbsencePolicy, AttemptDetails, ProviderId, QueryOutcome, Submission, SubmitOutcome,
    UnknownCause,
};
use domain::reference::{ProviderReference, UndatedReference};
use domain::time::Timestamp;
use domain::transaction::PreparedAttempt;
use http::HeaderName;
use jiff::tz::offset;
use outbound_http::reference::{hash_base32, is_of_hash_base32};
use outbound_http::tls::ClientTlsError;
use outbound_http::{OutboundClient, OutboundRequest};
use ports::PortError;
use ports::callbacks::Callbacks;
use ports::clock::Clock;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Naming, OwnReferences, PriceList, Provider, ProviderAnswer};
use serde::Serialize;
use std::sync::Arc;

pub(crate) const API_KEY: HeaderName = HeaderName::from_static("api-key");
const SECRET_KEY: HeaderName = HeaderName::from_static("secret-key");
const PUBLIC_KEY: HeaderName = HeaderName::from_static("public-key");

/// Lagos is an hour ahead of UTC all year.
const LAGOS_HOURS: i8 = 1;

/// How many characters of the hash follow the date: 100 bits.
const HASH_CHARACTERS: usize = 20;

/// How many digits the date and the minute take.
const MINUTE_CHARACTERS: usize = 12;

/// How long a reference is.
pub(crate) const REFERENCE_LENGTH: usize = MINUTE_CHARACTERS + HASH_CHARACTERS;

/// One account at VTpass.
#[derive(Debug)]
pub struct VtpassProvider {
    id: ProviderId,
    pub(crate) client: OutboundClient,
    pub(crate) clock: Arc<dyn Clock>,
    codes: CodeTable,
    pub(crate) services: ServiceTable,
    pub(crate) settings: VtpassSettings,
}

/// Why an account cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenVtpassError {
    /// The telephone for meters and smartcards is not one of Nigeria.
    #[error(
        "the telephone for meters and smartcards must be a number in Nigeria, 234 and 10 digits"
    )]
    Phone,
    /// TLS cannot be set up.
    #[error("the connection to VTpass cannot be set up")]
    Tls(#[from] ClientTlsError),
}

#[derive(Serialize)]
struct RequeryDocument<'a> {
    request_id: &'a str,
}

impl VtpassProvider {
    /// Opens an account. Nothing is sent.
    pub fn open(
        id: ProviderId,
        settings: VtpassSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, OpenVtpassError> {
        if crate::request::local(&settings.phone).is_none() {
            return Err(OpenVtpassError::Phone);
        }
        let target = settings.target.clone();
        Ok(Self {
            id,
            client: OutboundClient::new(target, settings.outbound.clone(), Arc::clone(&clock))?,
            clock,
            codes: CodeTable::embedded(),
            services: ServiceTable::embedded(),
            settings,
        })
    }

    /// An order as it is bought; `variation` is what the catalogue calls its plan here, if
    /// anything.
    fn purchase<'a>(
        &'a self,
        order: &Order,
        variation: Option<&'a str>,
    ) -> Option<VtpassPurchase<'a>> {
        VtpassPurchase::of(order, (&self.services, &self.settings), variation)
    }

    /// A GET with the keys of the account; `None` where it was given no key for lists.
    pub(crate) fn get(&self, path: &str) -> Option<OutboundRequest> {
        let public = self.settings.keys.public.clone()?;
        let request = OutboundRequest::get(path)
            .with(API_KEY, self.settings.keys.api.clone())
            .with(PUBLIC_KEY, public);
        Some(request)
    }

    /// A POST with the keys of the account.
    fn post(&self, path: &str, document: Vec<u8>) -> OutboundRequest {
        OutboundRequest::post_json(path, document)
            .with(API_KEY, self.settings.keys.api.clone())
            .with(SECRET_KEY, self.settings.keys.secret.clone())
    }

    /// Asks something that changes nothing.
    pub(crate) async fn question(
        &self,
        path: &str,
        document: &(impl Serialize + Sync),
    ) -> Option<outbound_http::OutboundAnswer> {
        let document = serde_json::to_vec(document).ok()?;
        let asked = self
            .client
            .ask(self.post(path, document), self.settings.question);
        match asked.await {
            Ok(answer) => Some(answer),
            Err(error) => {
                tracing::warn!(%error, path, "VTpass did not answer a question");
                None
            }
        }
    }
}

#[async_trait]
impl Provider for VtpassProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    /// How soon after a purchase the record can be found is not published.
    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    fn serves(&self, order: &Order) -> bool {
        self.purchase(order, None).is_some()
    }

    fn serves_as(&self, order: &Order, code: &str) -> bool {
        self.purchase(order, Some(code)).is_some()
    }

    /// The variation code is kept with the attempt: the catalogue may call the plan otherwise by
    /// the time it is asked about.
    fn prepare_as(&self, naming: Naming<'_>, code: &str) -> PreparedAttempt {
        PreparedAttempt {
            adapter_state: Some(code.to_owned()),
            ..self.prepare(naming)
        }
    }

    fn price_list(&self) -> Option<&dyn PriceList> {
        let has_key = self.settings.keys.public.is_some();
        has_key.then_some(self as &dyn PriceList)
    }

    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        PreparedAttempt {
            provider: self.id.clone(),
            reference: request_id(&naming.derived, naming.started_at),
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
        let variation = submission.adapter_state.as_deref();
        let Some(purchase) = self.purchase(&submission.order, variation) else {
            return SubmitOutcome::NotSent.into();
        };
        let Ok(document) = purchase.document(reference.as_str()) else {
            return SubmitOutcome::NotSent.into();
        };
        let request = self.post("pay", document);
        let answer = match self
            .client
            .submit(request, submission.deadline, permit)
            .await
        {
            Ok(answer) => answer,
            Err(error) => {
                tracing::warn!(%error, %reference, "VTpass did not answer a purchase");
                return error.submit_outcome().into();
            }
        };
        if let Some(cause) = answer.unexpected_status() {
            return SubmitOutcome::Unknown(cause).into();
        }
        let Some(answer) = VtpassAnswer::read(&answer.body) else {
            return SubmitOutcome::Unknown(UnknownCause::Unreadable).into();
        };
        let asked = AskedAttempt {
            reference,
            order: Some((&submission.order, &purchase.credited)),
        };
        let by = (&self.codes, self.settings.confirm_refusals);
        ProviderAnswer {
            outcome: asked.submitted(&answer, by),
            details: details(asked, &answer),
        }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let document = RequeryDocument {
            request_id: attempt.reference.as_str(),
        };
        let Some(answer) = self.question("requery", &document).await else {
            return QueryOutcome::Unknown.into();
        };
        if answer.unexpected_status().is_some() {
            return QueryOutcome::Unknown.into();
        }
        let Some(answer) = VtpassAnswer::read(&answer.body) else {
            return QueryOutcome::Unknown.into();
        };
        // An order that is no longer served, because its plan was taken off the list, was sent
        // when it was: its digits are compared all the same.
        let variation = attempt.adapter_state;
        let purchase = attempt
            .order
            .and_then(|order| self.purchase(order, variation));
        let credited = purchase.map(|purchase| purchase.credited);
        let order = attempt
            .order
            .map(|order| (order, credited.as_deref().unwrap_or(order.digits())));
        let asked = AskedAttempt {
            reference: attempt.reference,
            order,
        };
        ProviderAnswer {
            outcome: asked.found(&answer, &self.codes),
            details: details(asked, &answer),
        }
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        self.wallet().await
    }
}

/// An answer about another attempt reports nothing of this one.
fn details(asked: AskedAttempt<'_>, answer: &VtpassAnswer) -> AttemptDetails {
    if asked.is_named_by(answer) {
        answer.details()
    } else {
        AttemptDetails::default()
    }
}

/// The date and minute in Lagos at which the attempt was recorded, as the provider wants them, and
/// a part of the hash of our reference.
fn request_id(derived: &ProviderReference, started_at: Timestamp) -> ProviderReference {
    let moment = jiff::Timestamp::from_millisecond(started_at.as_millis()).unwrap_or_default();
    let minute = offset(LAGOS_HOURS)
        .to_datetime(moment)
        .strftime("%Y%m%d%H%M");
    ProviderReference::from_echo(format!("{minute}{}", hash_of(derived)))
}

fn hash_of(derived: &ProviderReference) -> String {
    let mut hash = hash_base32(derived.as_str());
    hash.truncate(HASH_CHARACTERS);
    hash
}

impl OwnReferences for VtpassProvider {
    fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        UndatedReference::new(hash_of(derived))
    }

    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        let (minute, hash) = reference.as_str().split_at_checked(MINUTE_CHARACTERS)?;
        let is_minute = minute.bytes().all(|b| b.is_ascii_digit());
        let is_hash = hash.len() == HASH_CHARACTERS && is_of_hash_base32(hash);
        (is_minute && is_hash).then(|| UndatedReference::new(hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_identity_begins_with_the_minute_in_lagos() {
        let derived = ProviderReference::from_echo("shop.order-7.1");
        for (millis, minute) in [
            (1_735_686_000_000, "202501010000"),
            (1_735_685_999_999, "202412312359"),
            (1_709_203_500_000, "202402291145"),
        ] {
            let id = request_id(&derived, Timestamp::from_millis(millis));
            assert_eq!(id.as_str(), format!("{minute}tejhlv4b6oorh4mth5eh"));
        }
    }
}
