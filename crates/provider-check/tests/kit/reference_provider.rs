//! The reference: `provider-server` over a provider that counts what it delivers. Nothing here may
//! be broken; what is broken stands between it and the kit.

use async_trait::async_trait;
use domain::country::CountryCode;
use domain::listed_offer::ListedOffer;
use domain::order::{Order, Service};
use domain::phone::{PhoneNumber, ServedNumber, ServingOperator};
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Refusal, RefusalKind, Submission, SubmitOutcome,
};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::PortError;
use ports::clock::Clock;
use ports::number_operators::NumberOperators;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Changes, LookupFailure, Provider, ProviderAnswer, Seals};
use provider_check::{
    CheckProgress, CheckReport, CheckScenario, CheckTarget, EffectCounter, ProviderCheckPlan,
    ProviderCheckReport,
};
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{
    AbsenceProof, CallbackUse, DuplicateRule, IncomingUse, ServiceProfile, sealed, write_order,
};
use provider_server::{
    ProviderServer, ReferenceSync, ServedCatalogue, ServedFloat, ServedLookups, ServedProvider,
    ServerIdentity, ServerSettings, UnknownAnswers,
};
use rustls_pki_types::CertificateDer;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;
use testkit::builders::{airtime, electricity, naira, receipt_of};
use testkit::clock::ManualClock;
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

pub(crate) const KEYS: &str = "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// The clock of the machine: the checks measure what really passes.
#[derive(Debug)]
pub(crate) struct MachineClock(Arc<ManualClock>);

impl MachineClock {
    pub(crate) fn shared() -> Arc<dyn Clock> {
        Arc::new(Self(ManualClock::start()))
    }
}

#[async_trait]
impl Clock for MachineClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the provider may be a process with the clock of the machine"
    )]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap())
    }

    fn uptime(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.now().as_millis()).unwrap())
    }

    fn suspended(&self) -> Duration {
        self.0.suspended()
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

/// Delivers at once, and counts it.
#[derive(Debug, Default)]
pub(crate) struct CountingProvider {
    orders: Mutex<HashMap<ProviderReference, QueryOutcome>>,
    delivered: Mutex<u64>,
    id: Option<ProviderId>,
}

impl CountingProvider {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            id: Some(ProviderId::parse("reference").unwrap()),
            ..Self::default()
        })
    }

    pub(crate) fn delivered(&self) -> u64 {
        *self.delivered.lock().unwrap()
    }

    fn end(&self, reference: &ProviderReference, order: &Order) -> QueryOutcome {
        let mut orders = self.orders.lock().unwrap();
        if let Some(before) = orders.get(reference) {
            return before.clone();
        }
        let end = if order.digits().ends_with("0001") {
            QueryOutcome::Declined(refused())
        } else {
            *self.delivered.lock().unwrap() += 1;
            QueryOutcome::Delivered(receipt_of(reference, order))
        };
        orders.insert(reference.clone(), end.clone());
        end
    }
}

fn refused() -> Refusal {
    Refusal {
        kind: RefusalKind::Order,
        code: "51".to_owned(),
        reason: "the number cannot be served".to_owned(),
    }
}

#[async_trait]
impl Provider for CountingProvider {
    fn id(&self) -> &ProviderId {
        self.id.as_ref().unwrap()
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy::CAUTIOUS
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        // Long enough for others to come in between.
        tokio::time::sleep(Duration::from_millis(2)).await;
        let granted = permit
            .ask()
            .await
            .map(ports::permit::Granted::begin_writing);
        if !matches!(granted, Ok(Ok(()))) {
            return SubmitOutcome::NotSent.into();
        }
        let end = self.end(&submission.reference, &submission.order);
        if submission.order.digits().ends_with("0002") {
            // It is delivered, and that is not said yet.
            return SubmitOutcome::Pending.into();
        }
        match end {
            QueryOutcome::Delivered(receipt) => SubmitOutcome::Delivered(receipt).into(),
            QueryOutcome::Declined(refusal) => SubmitOutcome::Declined(refusal).into(),
            other @ (QueryOutcome::Pending
            | QueryOutcome::NotFound
            | QueryOutcome::Reversed
            | QueryOutcome::Unknown) => panic!("{other:?}"),
        }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let orders = self.orders.lock().unwrap();
        let found = orders.get(attempt.reference).cloned();
        found.unwrap_or(QueryOutcome::NotFound).into()
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        Ok(Changes {
            messages: Vec::new(),
            findings: Vec::new(),
            next: cursor,
        })
    }
}

#[async_trait]
impl Seals for CountingProvider {
    async fn seal(&self, reference: &ProviderReference) -> QueryOutcome {
        let mut orders = self.orders.lock().unwrap();
        let sealed = || QueryOutcome::Declined(sealed());
        orders
            .entry(reference.clone())
            .or_insert_with(sealed)
            .clone()
    }
}

/// Lists more than a page of airtime, and one offer of vends.
#[derive(Debug)]
struct ListedNumbers;

#[async_trait]
impl ServedCatalogue for ListedNumbers {
    async fn offers(&self, service: Service) -> Result<Vec<ListedOffer>, PortError> {
        let count = if service == Service::Airtime { 60 } else { 1 };
        let offer = |number: usize| ListedOffer {
            product: format!("{}.mtn", service.code()),
            code: format!("offer-{number}"),
            name: format!("Offer {number}"),
            amount: None,
            minimum: Some(naira("50.00")),
            maximum: Some(naira("50,000.00")),
            available: true,
            lookup: None,
        };
        Ok((0..count).map(offer).collect())
    }
}

/// A register by which every number was ported to one network.
#[derive(Debug)]
struct PortedNumbers;

#[async_trait]
impl NumberOperators for PortedNumbers {
    async fn served_number(
        &self,
        number: &PhoneNumber,
        _: CountryCode,
    ) -> Result<ServedNumber, LookupFailure> {
        Ok(ServedNumber {
            number: number.clone(),
            operator: ServingOperator::Named("airtel".to_owned()),
        })
    }
}

#[async_trait]
impl EffectCounter for CountingProvider {
    async fn count(&self) -> Result<u64, String> {
        Ok(*self.delivered.lock().unwrap())
    }
}

/// What the reference promises.
pub(crate) const PROFILE: ServiceProfile = ServiceProfile {
    duplicate: DuplicateRule::Replay,
    absence: AbsenceProof::Sealed,
    settle_seconds: 60,
    reversal_days: 0,
    retention_days: 3_650,
    lookalike_seconds: 0,
    cooling_off_seconds: 0,
    max_concurrent: 64,
    per_second: 1_000,
    deadline_seconds: 5,
    multi_effect: false,
    callback: CallbackUse::None,
    incoming: IncomingUse::None,
};

/// The reference as it listens.
pub(crate) struct ReferenceProvider {
    pub(crate) url: String,
    pub(crate) provider: Arc<CountingProvider>,
    /// What was not decided when it was answered.
    pub(crate) undecided: Receiver<ProviderReference>,
    _folder: TempDir,
    _stop: DropGuard,
}

impl ReferenceProvider {
    pub(crate) async fn start(profile: ServiceProfile) -> Self {
        Self::with(profile, None).await
    }

    /// With a certificate, which its clients have to trust.
    pub(crate) async fn with(profile: ServiceProfile, identity: Option<ServerIdentity>) -> Self {
        let folder = TempDir::new().unwrap();
        let provider = CountingProvider::new();
        let seals = profile.absence == AbsenceProof::Sealed;
        let offered = ServedProvider {
            provider: Arc::clone(&provider) as _,
            seals: seals.then(|| Arc::clone(&provider) as _),
            lookups: ServedLookups {
                number_operators: Some(Arc::new(PortedNumbers)),
                ..ServedLookups::default()
            },
            name: "Reference".to_owned(),
            services: vec![Service::Airtime, Service::Electricity],
            profile,
            refusals: vec![refused()],
            float: ServedFloat::NotOffered,
            catalogue: Some(Arc::new(ListedNumbers)),
        };
        let settings = ServerSettings {
            keys: SignatureKeys::parse(KEYS).unwrap(),
            references: folder.path().join("references"),
            sync: ReferenceSync::Off,
            identity,
            unknown: UnknownAnswers::State,
            grace: Duration::from_secs(5),
            clock: MachineClock::shared(),
        };
        let address = "127.0.0.1:0".parse().unwrap();
        let server = ProviderServer::bind(address, offered, settings)
            .await
            .unwrap();
        let url = server.url();
        let undecided = server.undecided();
        let stop = CancellationToken::new();
        TaskTracker::new().spawn(server.run(stop.clone()));
        Self {
            url,
            provider,
            undecided,
            _folder: folder,
            _stop: stop.drop_guard(),
        }
    }
}

fn order(of: &Order, expect: &str) -> Value {
    let details: Value = serde_json::from_str(write_order(of).unwrap().get()).unwrap();
    json!({
        "service": of.service().code(), "amount": of.amount().to_string(),
        "expect": expect, "details": details,
    })
}

/// Orders of airtime, and of a meter that gives a token where it is asked for.
pub(crate) fn scenario(with_meter: bool) -> CheckScenario {
    let mut orders = vec![
        order(&airtime().to("2348031234567").order(), "delivered"),
        order(&airtime().to("2348031234568").order(), "delivered"),
        order(&airtime().to("2348031230001").order(), "declined"),
    ];
    if with_meter {
        let meter = electricity().to("04511124567").order();
        assert!(meter.takes_token());
        orders.push(order(&meter, "delivered"));
    }
    let scenario = json!({
        "max_spend": "1000000.00", "race_rounds": 6, "settle_within_seconds": 1, "order": orders,
    });
    CheckScenario::parse(&toml::to_string(&scenario).unwrap()).unwrap()
}

/// The same with an order that is pending first and delivered later.
pub(crate) fn called_scenario() -> CheckScenario {
    let mut pending = order(&airtime().to("2348031230002").order(), "delivered");
    pending["pending"] = json!(true);
    let orders = vec![
        order(&airtime().to("2348031234567").order(), "delivered"),
        order(&airtime().to("2348031234568").order(), "delivered"),
        order(&airtime().to("2348031230001").order(), "declined"),
        pending,
    ];
    let scenario = json!({
        "max_spend": "1000000.00", "race_rounds": 6, "settle_within_seconds": 1, "order": orders,
    });
    CheckScenario::parse(&toml::to_string(&scenario).unwrap()).unwrap()
}

pub(crate) struct Unwatched;

impl CheckProgress for Unwatched {
    fn ended(&self, _: &CheckReport) {}
}

/// Runs the kit against an address.
pub(crate) async fn run(
    url: &str,
    effects: Option<Arc<dyn EffectCounter>>,
    chosen: (&CheckScenario, &[&str]),
) -> ProviderCheckReport {
    run_trusting(url, effects, (Vec::new(), chosen)).await
}

/// The same with authorities of its own.
pub(crate) async fn run_trusting(
    url: &str,
    effects: Option<Arc<dyn EffectCounter>>,
    (authorities, (scenario, only)): (Vec<CertificateDer<'static>>, (&CheckScenario, &[&str])),
) -> ProviderCheckReport {
    let target = CheckTarget {
        url: url.to_owned(),
        keys: KEYS.to_owned(),
        authorities,
        clock: MachineClock::shared(),
        run: "test".to_owned(),
        effects,
        callbacks: None,
    };
    let only: Vec<String> = only.iter().map(|it| (*it).to_owned()).collect();
    let plan = ProviderCheckPlan::new(target, scenario, &only).unwrap();
    plan.run(&Unwatched).await
}
