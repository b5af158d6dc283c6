//! The provider as the gateway sees it. A request is written once, and never again by the adapter.

use crate::absence;
use crate::agreed::{Agreed, CapabilitiesError, REFRESH_EVERY};
use crate::exchange::{AnswerError, Exchanger, Unsigned};
use crate::grade;
use crate::judgement::{AnswerVerdict, Asked, judge, judge_answer};
use crate::settings::{HttpProviderError, HttpProviderSettings};
use async_trait::async_trait;
use domain::float::{ProviderBalance, ProviderStatementPage, StatementCursor, StatementPeriod};
use domain::order::{Order, Service};
use domain::phone::PhoneNumber;
use domain::provider::{
    AbsencePolicy, AttemptDetails, ProviderId, QueryOutcome, Submission, SubmitOutcome,
};
use domain::reference::ProviderReference;
use domain::transaction::PreparedAttempt;
use ports::PortError;
use ports::callbacks::Callbacks;
use ports::clock::Clock;
use ports::permit::SendPermit;
use ports::provider::{
    AttemptQuery, Changes, Naming, OwnReferences, PriceList, Provider, ProviderAnswer,
};
use ports::provider_limits::ProviderLimits;
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{
    AbsenceProof, AttemptChanges, AttemptRequest, Capabilities, Feature, IncomingUse,
    is_offer_code, read, read_reference, write,
};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// How long a question may take: it changes nothing and is asked again.
pub(crate) const ASK_WITHIN: Duration = Duration::from_secs(10);

/// How long after a failure the capabilities are read again, before they were ever read.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// A provider that speaks the protocol.
#[derive(Debug)]
pub struct HttpProvider {
    pub(crate) id: ProviderId,
    pub(crate) exchanger: Exchanger,
    /// What callbacks are verified with.
    pub(crate) keys: SignatureKeys,
    pub(crate) agreed: Agreed,
    review_after: Duration,
    /// From which uptime on the promises are read again.
    refresh_due_at: Mutex<Duration>,
    clock: Arc<dyn Clock>,
}

impl HttpProvider {
    /// An adapter. Nothing is submitted before it has read what the provider promises, by
    /// [`Self::refresh`] or with the first query.
    pub fn new(
        settings: HttpProviderSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, HttpProviderError> {
        let place = (settings.url.as_str(), settings.plain);
        let signing = (settings.keys.clone(), Arc::clone(&clock));
        Ok(Self {
            id: settings.id,
            exchanger: Exchanger::new(place, settings.authorities, signing)?,
            keys: settings.keys,
            agreed: Agreed::default(),
            review_after: settings.review_after,
            refresh_due_at: Mutex::default(),
            clock,
        })
    }

    /// Reads what the provider promises.
    pub async fn refresh(&self) -> Result<(), CapabilitiesError> {
        self.agreed.refresh(&self.exchanger, &self.id).await
    }

    /// Reads what the provider promises, where that was not read for five minutes. It is called
    /// with queries and the feed of changes, several times a minute, so the adapter needs no task
    /// of its own. A submission never waits for it: its permit ends within seconds. One caller
    /// reads while the others go on with what is known.
    async fn keep_current(&self) {
        let Ok(mut due_at) = self.refresh_due_at.try_lock() else {
            return;
        };
        if self.clock.uptime() < *due_at {
            return;
        }
        if let Err(error) = self.refresh().await {
            let error: &dyn std::error::Error = &error;
            tracing::error!(error, provider = %self.id, "capabilities were not taken up");
        }
        let known = self.agreed.capabilities().is_some();
        let pause = if known { REFRESH_EVERY } else { RETRY_AFTER };
        *due_at = self.clock.uptime().saturating_add(pause);
    }

    /// What the provider promised; `None` before it was read.
    pub fn capabilities(&self) -> Option<&Capabilities> {
        self.agreed.capabilities().map(AsRef::as_ref)
    }

    /// What came of a submission, and what was reported besides.
    async fn submitted(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> (SubmitOutcome, AttemptDetails) {
        let nothing = |outcome| (outcome, AttemptDetails::default());
        let Some(agreed) = self.agreed.kept() else {
            return nothing(SubmitOutcome::NotSent);
        };
        let (reference, order) = (&submission.reference, &submission.order);
        if !grade::sells(agreed, order.service()) {
            return nothing(SubmitOutcome::NotSent);
        }
        let request = AttemptRequest::new(reference, order, submission.not_after);
        let offer = submission.adapter_state.clone();
        let request = request.map(|request| AttemptRequest { offer, ..request });
        let carried = request.and_then(|request| request.reference().map(|_| request));
        let body = match carried.and_then(|request| write(&request)) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, %reference, "an order cannot be written");
                return nothing(SubmitOutcome::NotSent);
            }
        };
        let unsigned = Unsigned::Post("/attempts".to_owned(), body);
        let answer = self
            .exchanger
            .submit(unsigned, submission.deadline, permit)
            .await;
        match answer {
            Ok(body) => {
                let asked = Asked {
                    reference,
                    order: Some(order),
                    agreed,
                };
                let (verdict, details) = judge(&body, asked);
                (verdict.submitted(), details)
            }
            Err(error) if error.is_not_sent() => {
                log(&error, reference, "a request was not sent");
                nothing(SubmitOutcome::NotSent)
            }
            Err(error) => {
                log(&error, reference, "a request has no definite answer");
                nothing(SubmitOutcome::Unknown(error.cause()))
            }
        }
    }

    /// What a query found, and what was reported besides. What is absent is sealed, where the
    /// provider can and the attempt is one of ours.
    async fn found(&self, attempt: &AttemptQuery<'_>) -> (QueryOutcome, AttemptDetails) {
        if read_reference(attempt.reference.as_str()).is_err() {
            // Nothing was ever submitted under it: the protocol does not carry it.
            return (QueryOutcome::NotFound, AttemptDetails::default());
        }
        self.keep_current().await;
        let path = format!("/attempts/{}", attempt.reference);
        let (verdict, details) = self.asked(Unsigned::Get(path), attempt).await;
        let outcome = verdict.found();
        if outcome != QueryOutcome::NotFound || !self.seals(attempt) {
            return (outcome, details);
        }
        match self.sealed(attempt).await {
            // The seal was not confirmed; the query stands.
            (AnswerVerdict::Unknown(_) | AnswerVerdict::Absent, _) => (outcome, details),
            (verdict, details) => (verdict.found(), details),
        }
    }

    pub(crate) async fn sealed(
        &self,
        attempt: &AttemptQuery<'_>,
    ) -> (AnswerVerdict, AttemptDetails) {
        let path = format!("/attempts/{}/seal", attempt.reference);
        self.asked(Unsigned::Post(path, b"{}".to_vec()), attempt)
            .await
    }

    async fn asked(
        &self,
        unsigned: Unsigned,
        attempt: &AttemptQuery<'_>,
    ) -> (AnswerVerdict, AttemptDetails) {
        let unknown = |cause| (AnswerVerdict::Unknown(cause), AttemptDetails::default());
        let Some(agreed) = self.agreed.capabilities() else {
            return unknown(domain::provider::UnknownCause::ConnectionLost);
        };
        match self.exchanger.ask(unsigned, ASK_WITHIN).await {
            Ok(body) => judge(
                &body,
                Asked {
                    reference: attempt.reference,
                    order: attempt.order,
                    agreed,
                },
            ),
            Err(error) => {
                log(&error, attempt.reference, "a question was not answered");
                unknown(error.cause())
            }
        }
    }

    /// Whether an absent attempt is to be sealed. One that only the provider may know is not ours
    /// to seal.
    fn seals(&self, attempt: &AttemptQuery<'_>) -> bool {
        let (Some(order), Some(_)) = (attempt.order, attempt.started_at) else {
            return false;
        };
        let agreed = self
            .agreed
            .kept()
            .filter(|agreed| agreed.offers(Feature::Seal));
        let profile = agreed.and_then(|agreed| agreed.profile(order.service()));
        profile.is_some_and(|profile| profile.absence == AbsenceProof::Sealed)
    }

    /// Whether it promises something.
    pub(crate) fn offers(&self, feature: Feature) -> bool {
        let agreed = self.agreed.capabilities();
        agreed.is_some_and(|agreed| agreed.offers(feature))
    }
}

#[async_trait]
impl Provider for HttpProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, service: Service) -> AbsencePolicy {
        let agreed = self.agreed.capabilities();
        let profile = agreed.and_then(|agreed| agreed.profile(service));
        absence::policy(profile, self.review_after)
    }

    fn serves(&self, order: &Order) -> bool {
        let agreed = self.agreed.kept();
        agreed.is_some_and(|agreed| grade::sells(agreed, order.service()))
    }

    fn limits(&self, service: Service) -> ProviderLimits {
        let agreed = self.agreed.capabilities();
        let profile = agreed.and_then(|agreed| agreed.profile(service));
        profile.map_or(ProviderLimits::NONE, |profile| ProviderLimits {
            // Nothing is no promise: a provider that takes nothing does not list the service.
            max_concurrent: NonZeroU32::new(profile.max_concurrent),
            per_second: NonZeroU32::new(profile.per_second),
            lookalike: Some(Duration::from_secs(profile.lookalike_seconds))
                .filter(|time| !time.is_zero()),
            deadline: Some(Duration::from_secs(profile.deadline_seconds))
                .filter(|time| !time.is_zero()),
        })
    }

    fn prepare(&self, naming: Naming<'_>) -> PreparedAttempt {
        PreparedAttempt {
            provider: self.id.clone(),
            reference: self.form().reference(&naming.derived, naming.started_at),
            adapter_state: None,
        }
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let (outcome, details) = self.submitted(submission, permit).await;
        ProviderAnswer { outcome, details }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let (outcome, details) = self.found(attempt).await;
        ProviderAnswer { outcome, details }
    }

    fn serves_as(&self, order: &Order, code: &str) -> bool {
        self.offers(Feature::Catalogue) && is_offer_code(code) && self.serves(order)
    }

    fn prepare_as(&self, naming: Naming<'_>, code: &str) -> PreparedAttempt {
        PreparedAttempt {
            adapter_state: Some(code.to_owned()),
            ..self.prepare(naming)
        }
    }

    fn price_list(&self) -> Option<&dyn PriceList> {
        Some(self)
    }

    fn own_references(&self) -> Option<&dyn OwnReferences> {
        Some(self)
    }

    fn callbacks(&self) -> Option<&dyn Callbacks> {
        Some(self)
    }

    fn reports_messages_of(&self, service: Service, _: &PhoneNumber) -> bool {
        let agreed = self.agreed.kept();
        let profile = agreed.and_then(|agreed| agreed.profile(service));
        profile.is_some_and(|profile| profile.incoming == IncomingUse::All)
    }

    async fn make_ready(&self) -> Result<(), PortError> {
        let failed = |error| PortError::caused("provider-http", "reading capabilities", error);
        self.refresh().await.map_err(failed)
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        let none = Changes {
            findings: Vec::new(),
            messages: Vec::new(),
            next: cursor,
        };
        self.keep_current().await;
        let Some(agreed) = self.agreed.capabilities() else {
            return Ok(none);
        };
        if !agreed.offers(Feature::Changes) {
            return Ok(none);
        }
        let failed = |error: AnswerError| PortError::caused("provider-http", "asking", error);
        let asked = Unsigned::Get(format!("/attempts?after={cursor}"));
        let body = self
            .exchanger
            .ask(asked, ASK_WITHIN)
            .await
            .map_err(failed)?;
        let changes: AttemptChanges = read(&body)
            .map_err(|error| PortError::caused("provider-http", "reading changes", error))?;
        let end = cursor.saturating_add(changes.attempts.len() as u64);
        if changes.next != end {
            let what = format!(
                "changes after {cursor} end at {} and not {end}",
                changes.next
            );
            return Err(PortError::new("provider-http", what));
        }
        let finding = |answer| {
            let answer: provider_protocol::AttemptAnswer = answer;
            let reference = ProviderReference::from_echo(answer.reference.clone());
            let asked = Asked {
                reference: &reference,
                order: None,
                agreed,
            };
            let (verdict, _) = judge_answer(&answer, asked);
            (reference, verdict.found())
        };
        Ok(Changes {
            // People's messages come as callbacks.
            messages: Vec::new(),
            findings: changes.attempts.into_iter().map(finding).collect(),
            next: changes.next,
        })
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        self.keep_current().await;
        self.read_balance().await
    }

    async fn statement(
        &self,
        period: StatementPeriod,
        after: Option<&StatementCursor>,
    ) -> Result<Option<ProviderStatementPage>, PortError> {
        self.keep_current().await;
        self.read_statement(period, after).await
    }
}

fn log(error: &AnswerError, reference: &ProviderReference, what: &'static str) {
    let error: &dyn std::error::Error = error;
    tracing::warn!(error, %reference, "{what}");
}
