//! Every check with its rule and what to do where it fails. A name is public: scripts choose checks
//! by it, so it must not change.

mod adapter_checks;
mod callback_checks;
mod provider_checks;
mod service_checks;
mod watched_checks;

use crate::bench::Bench;
use crate::call_reply::CheckStep;
use crate::checked_service::CheckedService;
use crate::checks::adapter::{FaultPlace, RelayFault};
use crate::watch::Watch;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

type Checking<'a> = Pin<Box<dyn Future<Output = CheckStep> + Send + 'a>>;

/// How a check runs.
#[derive(Clone, Copy)]
pub(crate) enum CheckRun {
    /// Once, before everything else.
    First(for<'a> fn(&'a Bench) -> Checking<'a>),
    /// Once, without an exchange.
    Read(fn(&Bench) -> CheckStep),
    /// Once, with an order of the first service.
    Once(for<'a> fn(&'a Arc<Bench>, &'a CheckedService) -> Checking<'a>),
    /// For each service.
    Each(for<'a> fn(&'a Arc<Bench>, &'a CheckedService) -> Checking<'a>),
    /// Once, the gateway's adapter with an order of the first service.
    Adapter(RelayFault, FaultPlace),
    /// Once, the gateway's adapter with what a provider sends it by itself.
    AdapterWith(for<'a> fn(&'a Arc<Bench>, &'a CheckedService) -> Checking<'a>),
    /// Once, when everything else has run.
    Last(for<'a> fn(&'a Bench) -> Checking<'a>),
    /// In every exchange of the run.
    Watched(Watch),
    /// Over every exchange of the run.
    Forward,
}

/// What a check buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Buys {
    Nothing,
    /// The purchase that the checks of a service share.
    Shared,
    One,
    /// The order that is pending first, which the checks of callbacks share.
    Called,
    /// One in each round of a race.
    EachRound,
}

/// One check.
#[derive(Clone, Copy)]
pub(crate) struct CatalogueCheck {
    /// `rule::case`; before it stands the service, `provider` or `adapter`.
    pub(crate) name: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) remedy: &'static str,
    pub(crate) buys: Buys,
    pub(crate) run: CheckRun,
}

pub(crate) const fn check(
    (name, run, buys): (&'static str, CheckRun, Buys),
    rule: &'static str,
    remedy: &'static str,
) -> CatalogueCheck {
    CatalogueCheck {
        name,
        rule,
        remedy,
        buys,
        run,
    }
}

/// All checks, in the order they run; the first reads the capabilities.
pub(crate) fn catalogue() -> impl Iterator<Item = &'static CatalogueCheck> + Clone {
    provider_checks::CHECKS
        .iter()
        .chain(service_checks::CHECKS)
        .chain(callback_checks::OF_SERVICES)
        .chain(adapter_checks::CHECKS)
        .chain(callback_checks::OF_ADAPTER)
        .chain(watched_checks::CHECKS)
}

impl CatalogueCheck {
    /// What stands before its name, where that does not depend on the service.
    pub(crate) const fn subject(&self) -> Option<&'static str> {
        match self.run {
            CheckRun::Each(_) => None,
            CheckRun::Adapter(..) | CheckRun::AdapterWith(_) => Some("adapter"),
            CheckRun::First(_)
            | CheckRun::Read(_)
            | CheckRun::Once(_)
            | CheckRun::Last(_)
            | CheckRun::Watched(_)
            | CheckRun::Forward => Some("provider"),
        }
    }

    /// Its name for a service.
    pub(crate) fn name_for(&self, service: &str) -> String {
        format!("{}::{}", self.subject().unwrap_or(service), self.name)
    }
}
