//! A run: what is chosen, what it may cost, and its report. Nothing may be sent before the plan was
//! made and its cost is within the limit.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, CheckStop, not_applicable};
use crate::callback_listener::{BoundListener, CallbackListener};
use crate::catalogue::{Buys, CatalogueCheck, CheckRun, catalogue};
use crate::checked_service::CheckedService;
use crate::checks::adapter::{self, FaultPlace, RelayFault};
use crate::exchange_log::ExchangeLog;
use crate::pace::RequestPace;
use crate::plan::{PlannedCheck, affordable, is_called, planned, services};
use crate::purchases::{EffectCounter, Purchases};
use crate::report::{CheckGrade, CheckProgress, CheckReport, CheckVerdict, ProviderCheckReport};
use crate::scenario::CheckScenario;
use crate::signing::KitKeys;
use crate::upstream::Upstream;
use crate::watch::{self, Watched};
use domain::money::Money;
use domain::order::Service;
use ports::clock::Clock;
use provider_protocol::signature::{InvalidKeys, SignatureKeys};
use rustls_pki_types::CertificateDer;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Where the provider is, and what the kit needs beside its scenario.
#[derive(Debug)]
pub struct CheckTarget {
    /// Its base address, such as `https://provider.example`.
    pub url: String,
    /// The text of the file of keys.
    pub keys: String,
    /// Authorities that are trusted besides those of the machine.
    pub authorities: Vec<CertificateDer<'static>>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Letters and digits that no other run has, 24 at the most.
    pub run: String,
    /// Counts what the provider has done, where that can be counted.
    pub effects: Option<Arc<dyn EffectCounter>>,
    /// Where callbacks are listened for, on this machine; port 0 takes any that is free.
    pub callbacks: Option<SocketAddr>,
}

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum ProviderCheckError {
    /// The address cannot be used.
    #[error("{0}")]
    Target(String),
    /// The keys cannot be used.
    #[error("the file of keys {0}")]
    Keys(#[from] InvalidKeys),
    /// Callbacks cannot be listened for.
    #[error("callbacks cannot be listened for: {0}")]
    Callbacks(#[source] io::Error),
    /// No check has this name.
    #[error("no check is called {0}; `--list` shows them all")]
    NoSuchCheck(String),
    /// A service has no order that is delivered.
    #[error("the scenario has no order of {0} that is `expect = \"delivered\"`; add one")]
    NothingToBuy(&'static str),
    /// The orders may not be bought often enough.
    #[error("{service} is bought up to {needed} times, and `times` allows {allowed}; raise it")]
    Times {
        /// Which service.
        service: &'static str,
        /// How often it is bought.
        needed: u32,
        /// How often it may be.
        allowed: u32,
    },
    /// It may cost more than is allowed.
    #[error(
        "these checks buy for up to {cost} and {limit} may be spent; raise `max_spend`, lower the \
         amounts or `race_rounds`, or choose checks with `--only`"
    )]
    Cost {
        /// What it may cost.
        cost: Money,
        /// What may be spent.
        limit: Money,
    },
}

/// A check by its name, for a list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ListedCheck {
    /// `service::rule::case`.
    pub name: String,
    /// The rule, in one sentence.
    pub rule: &'static str,
}

/// Every check, for these services; without any under the name `service`.
pub fn listed_checks(services: &[&str]) -> Vec<ListedCheck> {
    let services = if services.is_empty() {
        &["service"]
    } else {
        services
    };
    let listed = |check: &CatalogueCheck| {
        let own = check.subject().is_none();
        let names = services.iter().take(if own { services.len() } else { 1 });
        let rule = check.rule;
        let listed = names.map(|service| ListedCheck {
            name: check.name_for(service),
            rule,
        });
        listed.collect::<Vec<_>>()
    };
    catalogue().flat_map(listed).collect()
}

/// A run that may begin.
pub struct ProviderCheckPlan {
    bench: Arc<Bench>,
    services: Vec<Arc<CheckedService>>,
    planned: Vec<PlannedCheck>,
    is_whole: bool,
    callbacks: Option<BoundListener>,
    orders: u32,
    cost: Money,
}

impl std::fmt::Debug for ProviderCheckPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderCheckPlan")
            .field("checks", &self.planned.len())
            .field("cost", &self.cost)
            .finish_non_exhaustive()
    }
}

impl ProviderCheckPlan {
    /// Plans a run of the checks that are called, or begin with, one of `only`; else of all.
    pub fn new(
        target: CheckTarget,
        scenario: &CheckScenario,
        only: &[String],
    ) -> Result<Self, ProviderCheckError> {
        let services = services(scenario)?;
        let planned = planned(&services, only);
        let named = |only: &&String| planned.iter().any(|it| is_called(&it.name, only));
        if let Some(unknown) = only.iter().find(|only| !named(only)) {
            return Err(ProviderCheckError::NoSuchCheck(unknown.clone()));
        }
        let (orders, cost) = affordable((&services, &planned), scenario)?;
        let current = target.keys.lines().map(str::trim);
        let current = current.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let id = current.flat_map(str::split_whitespace).next();
        let keys = SignatureKeys::parse(&target.keys)?;
        let keys = KitKeys::new(keys, id.unwrap_or_default()).ok_or(InvalidKeys::Count)?;
        let upstream = Upstream::parse(&target.url, target.authorities)
            .map_err(|error| ProviderCheckError::Target(error.to_string()))?;
        let callbacks = target.callbacks.map(BoundListener::bind).transpose();
        let callbacks = callbacks.map_err(ProviderCheckError::Callbacks)?;
        let bench = Bench {
            upstream,
            keys,
            clock: target.clock,
            run: target.run,
            counter: AtomicU64::new(0),
            log: ExchangeLog::hiding(&target.keys),
            capabilities: OnceLock::new(),
            wanted: services.iter().map(|it| it.service).collect(),
            pace: RequestPace::default(),
            purchases: Purchases::new(scenario.max_spend),
            settle_within: scenario.settle_within,
            race_rounds: scenario.race_rounds,
            effects: target.effects,
            ordered: Mutex::default(),
            effects_at_start: OnceLock::new(),
            callbacks: OnceLock::new(),
        };
        Ok(Self {
            bench: Arc::new(bench),
            services,
            planned,
            is_whole: only.is_empty(),
            callbacks,
            orders,
            cost,
        })
    }

    /// How many orders it buys at the most, from a provider that keeps the rules.
    pub const fn orders_max(&self) -> u32 {
        self.orders
    }

    /// For how much.
    pub const fn cost_max(&self) -> Money {
        self.cost
    }

    /// The address that the provider has to send callbacks to, where they are listened for.
    pub fn callback_url(&self) -> Option<&str> {
        self.callbacks.as_ref().map(|it| it.url.as_str())
    }

    /// Runs the checks, one after the other.
    pub async fn run(mut self, progress: &dyn CheckProgress) -> ProviderCheckReport {
        if let Some(bound) = self.callbacks.take()
            && let Ok(listening) = CallbackListener::start(bound, Arc::clone(&self.bench.clock))
        {
            let _ = self.bench.callbacks.set(Arc::new(listening));
        }
        let bench = &self.bench;
        let readable = catalogue().next().filter(|_| !self.is_whole);
        if let (Some(check), Some(service)) = (readable, self.services.first()) {
            // Everything else depends on it.
            let _ = begin(bench, check, service).await;
        }
        if let Some(effects) = &bench.effects
            && let Ok(count) = effects.count().await
        {
            let _ = bench.effects_at_start.set(count);
        }
        let mut checks = Vec::new();
        for planned in &self.planned {
            let report = self.run_one(planned).await;
            progress.ended(&report);
            checks.push(report);
        }
        self.report(checks)
    }

    async fn run_one(&self, planned: &PlannedCheck) -> CheckReport {
        let bench = &self.bench;
        let (from, began) = (bench.log.len(), bench.clock.uptime());
        let (step, shown) = begin(bench, planned.check, &planned.service).await;
        let took = bench.clock.uptime().saturating_sub(began);
        let verdict = match step {
            Ok(()) => CheckVerdict::Ok,
            Err(CheckStop::Failed(what)) => CheckVerdict::Failed(what),
            Err(CheckStop::NotApplicable(why)) => CheckVerdict::NotApplicable(why),
        };
        let transcript = match (&verdict, shown) {
            (CheckVerdict::Ok | CheckVerdict::NotApplicable(_), _) => Vec::new(),
            (CheckVerdict::Failed(_), Some(exchange)) => vec![exchange],
            (CheckVerdict::Failed(_), None) => {
                let own = from..bench.log.len();
                let shared = planned.service.shared_exchanges();
                let shared = shared.filter(|_| planned.check.buys == Buys::Shared);
                let ranges: Vec<_> = shared.into_iter().chain([own]).collect();
                bench.log.transcript(&ranges)
            }
        };
        CheckReport {
            name: planned.name.clone(),
            verdict,
            rule: planned.check.rule,
            remedy: planned.check.remedy,
            took,
            transcript,
        }
    }

    fn report(self, checks: Vec<CheckReport>) -> ProviderCheckReport {
        let promised = self.bench.capabilities.get();
        let failed = checks
            .iter()
            .any(|check| matches!(check.verdict, CheckVerdict::Failed(_)));
        let grade_of = |service: Service| {
            let profile = promised.and_then(|it| it.profile(service));
            match profile.filter(|_| self.is_whole && !failed) {
                Some(profile) => CheckGrade::from(profile.grade()),
                None => CheckGrade::Ungraded,
            }
        };
        let services: Vec<(String, CheckGrade)> = self
            .services
            .iter()
            .map(|it| (it.service.code().to_owned(), grade_of(it.service)))
            .collect();
        let worst = services.iter().map(|(_, grade)| *grade);
        let worst = worst.max_by_key(|grade| *grade as u8);
        let checked = |code: &String| services.iter().any(|(service, _)| service == code);
        let offered = promised.into_iter().flat_map(|it| it.services.keys());
        let unchecked = offered.filter(|code| !checked(code)).cloned().collect();
        ProviderCheckReport {
            provider: promised.map(|it| it.provider.name.clone()),
            grade: worst.unwrap_or(CheckGrade::Ungraded),
            unchecked,
            services,
            spent: self.bench.purchases.spent().to_string(),
            checks,
        }
    }
}

/// Runs a check. Beside its end comes the exchange that broke the rule, where it is one alone.
async fn begin(
    bench: &Arc<Bench>,
    check: &CatalogueCheck,
    of: &CheckedService,
) -> (CheckStep, Option<String>) {
    let step = match check.run {
        CheckRun::First(run) | CheckRun::Last(run) => run(bench).await,
        CheckRun::Read(run) => run(bench),
        CheckRun::Once(run) | CheckRun::Each(run) | CheckRun::AdapterWith(run) => {
            run(bench, of).await
        }
        CheckRun::Adapter(fault, place) => adapted(bench, of, (check, fault, place)).await,
        CheckRun::Watched(watch) => return seen(watch::watched(bench, watch)),
        CheckRun::Forward => return seen(watch::forward(bench)),
    };
    (step, None)
}

async fn adapted(
    bench: &Bench,
    of: &CheckedService,
    (check, fault, place): (&CatalogueCheck, RelayFault, FaultPlace),
) -> CheckStep {
    // It waits for nothing that the provider does, so a minute means that it hangs.
    let within = bench.settle_within.saturating_add(Duration::from_mins(1));
    let run = async {
        if check.name.starts_with("not-sent") {
            adapter::not_sent(bench, of).await
        } else {
            adapter::under(bench, of, (fault, place)).await
        }
    };
    match tokio::time::timeout(within, run).await {
        Ok(step) => step,
        Err(_) => Err(CheckStop::Failed(
            "the adapter does not come back".to_owned(),
        )),
    }
}

fn seen(watched: Watched) -> (CheckStep, Option<String>) {
    match watched {
        Watched::Kept => (Ok(()), None),
        Watched::Nothing => (not_applicable("there was nothing to see"), None),
        Watched::Broken { why, exchange } => (Err(CheckStop::Failed(why)), Some(exchange)),
    }
}
