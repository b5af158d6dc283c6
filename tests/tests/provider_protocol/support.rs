//! A sandbox that is served over a socket, and the adapter that calls it, in one process with one
//! manual clock.

use domain::order::Service;
use domain::provider::{AbsencePolicy, ProviderId};
use domain::reference::ProviderReference;
use outbound_http::PlainHttp;
use ports::clock::Clock;
use ports::provider::Provider;
use provider_http::{HttpProvider, HttpProviderSettings};
use provider_protocol::signature::SignatureKeys;
use provider_protocol::{AbsenceProof, CallbackUse, DuplicateRule, IncomingUse, ServiceProfile};
use provider_server::{
    ProviderServer, ReferenceSync, ServedFloat, ServedLookups, ServedProvider, ServerSettings,
    UnknownAnswers,
};
use provider_sim::journal::{self, EntryEffect};
use provider_sim::{SimSettings, Simulator};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use testkit::clock::ManualClock;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

pub(crate) const KEYS: &str = "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// The promises of the sandbox.
pub(crate) const PROFILE: ServiceProfile = ServiceProfile {
    duplicate: DuplicateRule::Replay,
    absence: AbsenceProof::Sealed,
    settle_seconds: 600,
    reversal_days: 1,
    retention_days: 3_650,
    lookalike_seconds: 0,
    cooling_off_seconds: 0,
    max_concurrent: 256,
    per_second: 10_000,
    deadline_seconds: 30,
    multi_effect: false,
    callback: CallbackUse::None,
    incoming: IncomingUse::None,
};

pub(crate) fn keys() -> SignatureKeys {
    SignatureKeys::parse(KEYS).unwrap()
}

/// An adapter of a provider at an address, which has not read its capabilities yet.
pub(crate) fn adapter(url: &str, clock: Arc<dyn Clock>) -> Arc<HttpProvider> {
    let settings = HttpProviderSettings {
        id: ProviderId::parse("remote").unwrap(),
        url: url.to_owned(),
        plain: PlainHttp::ToLoopback,
        authorities: Vec::new(),
        keys: keys(),
        review_after: AbsencePolicy::CAUTIOUS.review_after,
    };
    Arc::new(HttpProvider::new(settings, clock).unwrap())
}

/// Both sides.
pub(crate) struct ServedSandbox {
    pub(crate) folder: TempDir,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) settings: SimSettings,
    pub(crate) simulator: Arc<Simulator>,
    pub(crate) adapter: Arc<HttpProvider>,
    pub(crate) url: String,
    stop: Option<DropGuard>,
}

impl ServedSandbox {
    pub(crate) async fn start() -> Self {
        Self::with(PROFILE).await
    }

    pub(crate) async fn with(profile: ServiceProfile) -> Self {
        Self::of(profile, SimSettings::default()).await
    }

    pub(crate) async fn of(profile: ServiceProfile, settings: SimSettings) -> Self {
        let folder = TempDir::new().unwrap();
        let clock = ManualClock::start();
        let path = folder.path().join("sandbox.journal");
        let simulator = Simulator::open(&path, settings.clone(), clock.clone());
        let simulator = Arc::new(simulator.unwrap());
        let offered = offered(&simulator, profile);
        let serving = ServerSettings {
            keys: keys(),
            references: folder.path().join("references"),
            sync: ReferenceSync::Off,
            identity: None,
            unknown: UnknownAnswers::Fault,
            grace: Duration::from_secs(5),
            clock: clock.clone(),
        };
        let loopback = "127.0.0.1:0".parse().unwrap();
        let server = ProviderServer::bind(loopback, offered, serving);
        let server = server.await.unwrap();
        let (url, stop) = (server.url(), CancellationToken::new());
        TaskTracker::new().spawn(server.run(stop.clone()));
        let adapter = adapter(&url, clock.clone());
        adapter.refresh().await.unwrap();
        Self {
            folder,
            clock,
            settings,
            simulator,
            adapter,
            url,
            stop: Some(stop.drop_guard()),
        }
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.folder.path().join("sandbox.journal")
    }

    /// How often a reference reached its customer.
    pub(crate) fn deliveries(&self, reference: &ProviderReference) -> usize {
        let now = self.clock.now();
        let entries = journal::read(&self.journal()).unwrap();
        let entries = entries.iter().filter(|entry| entry.reference == *reference);
        let reached = entries.filter(|entry| match entry.effects(now) {
            EntryEffect::Delivered | EntryEffect::Reversed => true,
            EntryEffect::Awaited | EntryEffect::Refused => false,
        });
        reached.count()
    }
}

impl Drop for ServedSandbox {
    fn drop(&mut self) {
        drop(self.stop.take());
    }
}

fn offered(simulator: &Arc<Simulator>, profile: ServiceProfile) -> ServedProvider {
    let float = match simulator.float() {
        Some(_) => ServedFloat::Offered,
        None => ServedFloat::NotOffered,
    };
    ServedProvider {
        provider: Arc::clone(simulator) as Arc<dyn Provider>,
        seals: Some(Arc::clone(simulator) as _),
        lookups: ServedLookups {
            meters: Some(Arc::clone(simulator) as _),
            smartcards: Some(Arc::clone(simulator) as _),
            bank_accounts: Some(Arc::clone(simulator) as _),
            mobile_wallets: Some(Arc::clone(simulator) as _),
            cards: Some(Arc::clone(simulator) as _),
            exchange_quotes: Some(Arc::clone(simulator) as _),
            number_operators: Some(Arc::clone(simulator) as _),
            bill_accounts: Some(Arc::clone(simulator) as _),
        },
        name: "sandbox".to_owned(),
        services: Service::delivered().collect(),
        profile,
        refusals: provider_sim::refusals().collect(),
        float,
        catalogue: None,
    }
}
