//! Which provider delivers which order. The choice is made before an attempt is recorded and stays
//! with that attempt for ever.

use crate::announced_maintenance::MaintenanceNotice;
use crate::availability::{Availability, Offering, PausedProviders};
use crate::float_watch::FloatSettings;
use crate::number_register::NumberRegisters;
use crate::payment_freeze::PaymentFreeze;
use crate::routes::{ProviderRoute, RouteDecision, RouteDraw, RouteQuery, RouteTable};
use crate::submission_guard::{GuardSettings, LookupPlace, SubmissionGuard};
use domain::environment::Environment;
use domain::order::{Order, Service};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use domain::transaction::PassedOverReason;
use ports::provider::Provider;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The providers of a gateway and the routes to them. A provider without a route is given nothing
/// new and still answers for what it was given before.
#[derive(Debug, Clone, Default)]
pub struct Providers {
    accounts: Vec<Arc<dyn Provider>>,
    table: Arc<RouteTable>,
    availability: Arc<Availability>,
    guards: BTreeMap<ProviderId, Arc<SubmissionGuard>>,
    floats: BTreeMap<ProviderId, FloatSettings>,
    number_registers: NumberRegisters,
}

/// A provider that may deliver an order, and why it has its place.
#[derive(Debug, Clone)]
pub struct RouteCandidate {
    /// The provider.
    pub provider: Arc<dyn Provider>,
    /// The route that leads to it.
    pub decision: RouteDecision,
}

impl Providers {
    /// Providers by the family they deliver, the first for a family before the next.
    pub fn new(pairs: Vec<(Service, Arc<dyn Provider>)>) -> Self {
        let mut routes: Vec<ProviderRoute> = Vec::new();
        for (service, provider) in &pairs {
            let before = routes.iter().filter(|route| route.product == *service);
            let priority = u16::try_from(before.count()).unwrap_or(u16::MAX);
            routes.push(ProviderRoute {
                priority,
                ..ProviderRoute::of(*service, provider.id().clone())
            });
        }
        let accounts = pairs.into_iter().map(|(_, provider)| provider).collect();
        Self::routed(accounts, Arc::new(RouteTable::new(routes)))
    }

    /// Providers and the routes to them. A provider that is there twice counts once.
    pub fn routed(accounts: Vec<Arc<dyn Provider>>, table: Arc<RouteTable>) -> Self {
        let mut distinct: Vec<Arc<dyn Provider>> = Vec::new();
        for provider in accounts {
            if !distinct.iter().any(|known| known.id() == provider.id()) {
                distinct.push(provider);
            }
        }
        let guards = distinct.iter().map(|provider| {
            let guard = SubmissionGuard::new(GuardSettings::default());
            (provider.id().clone(), Arc::new(guard))
        });
        Self {
            guards: guards.collect(),
            accounts: distinct,
            table,
            availability: Arc::default(),
            floats: BTreeMap::new(),
            number_registers: NumberRegisters::default(),
        }
    }

    /// The same providers, of which some may be given nothing new at times.
    #[must_use]
    pub fn available_by(self, availability: Arc<Availability>) -> Self {
        Self {
            availability,
            ..self
        }
    }

    /// The same providers, some of them guarded by what their operator set.
    #[must_use]
    pub fn guarded_by(mut self, settings: BTreeMap<ProviderId, GuardSettings>) -> Self {
        for (provider, settings) in settings {
            let guard = Arc::new(SubmissionGuard::new(settings));
            self.guards.insert(provider, guard);
        }
        self
    }

    /// The same providers, guarded by what their operator set, after others that they replace: what
    /// is under way, was sent or failed at a provider that was there before counts on.
    #[must_use]
    pub fn guarded_after(
        mut self,
        before: &Self,
        settings: BTreeMap<ProviderId, GuardSettings>,
    ) -> Self {
        for (provider, settings) in settings {
            let guard = before.guards.get(&provider).map_or_else(
                || SubmissionGuard::new(settings),
                |guard| guard.with_settings(settings),
            );
            self.guards.insert(provider, Arc::new(guard));
        }
        self
    }

    /// The same providers, with what their operator set about our money at them.
    #[must_use]
    pub fn with_floats(self, floats: BTreeMap<ProviderId, FloatSettings>) -> Self {
        Self { floats, ..self }
    }

    /// The same providers, with the registers that are asked who serves a number.
    #[must_use]
    pub fn with_number_registers(self, number_registers: NumberRegisters) -> Self {
        Self {
            number_registers,
            ..self
        }
    }

    /// The registers that are asked who serves a number.
    pub(crate) const fn number_registers(&self) -> &NumberRegisters {
        &self.number_registers
    }

    /// Takes the place of a lookup at a provider; `None` where it is given nothing new at the
    /// moment, or takes no more.
    pub(crate) fn lookup_place(
        &self,
        provider: &ProviderId,
        offering: Offering<'_>,
        uptime: Duration,
    ) -> Option<LookupPlace> {
        if self.availability.obstacle(provider, offering).is_some() {
            return None;
        }
        let account = self.named(provider)?;
        let lookup = (&account, offering.service);
        self.guard(provider)?.begin_lookup(lookup, uptime)
    }

    /// What is set about our money at a provider.
    pub(crate) fn float(&self, provider: &ProviderId) -> FloatSettings {
        self.floats.get(provider).copied().unwrap_or_default()
    }

    /// The guard of a provider; `None` of one that is not configured.
    pub(crate) fn guard(&self, provider: &ProviderId) -> Option<&Arc<SubmissionGuard>> {
        self.guards.get(provider)
    }

    /// Why a provider is not given an order at a moment, that it serves or not; `None` where it may
    /// be.
    pub(crate) fn obstacle(
        &self,
        provider: &Arc<dyn Provider>,
        (order, serves): (&Order, bool),
        (now, uptime): (Timestamp, Duration),
    ) -> Option<PassedOverReason> {
        if !serves {
            return Some(PassedOverReason::NotServed);
        }
        let offering = Offering {
            service: order.service(),
            biller: order.biller(),
            at: now,
        };
        let obstacle = self.unavailable(provider.id(), offering);
        let guard = || self.guard(provider.id())?.obstacle(provider, order, uptime);
        obstacle.or_else(guard)
    }

    /// Why a provider is not given what is offered to it, whatever was sent to it.
    pub(crate) fn unavailable(
        &self,
        provider: &ProviderId,
        offering: Offering<'_>,
    ) -> Option<PassedOverReason> {
        self.availability.obstacle(provider, offering)
    }

    /// When a provider may be given again what it is not given now because of maintenance; `None`
    /// where it is in none.
    pub(crate) fn maintenance_end(
        &self,
        provider: &ProviderId,
        offering: Offering<'_>,
    ) -> Option<Timestamp> {
        self.availability.maintenance_end(provider, offering)
    }

    /// The maintenance that operators announced; some of it may be over.
    pub(crate) fn announced(&self) -> Arc<Vec<MaintenanceNotice>> {
        self.availability.announced()
    }

    /// The freeze of every account's payments that is in force.
    pub(crate) fn payment_freeze(&self) -> Option<Arc<PaymentFreeze>> {
        self.availability.frozen()
    }

    /// The accounts that are paused.
    pub(crate) fn paused(&self) -> Arc<PausedProviders> {
        self.availability.paused()
    }

    /// The routes, in the order of the configuration.
    pub(crate) fn routes(&self) -> impl Iterator<Item = &ProviderRoute> {
        self.table.routes().iter()
    }

    /// Where a provider belongs that a route leads to.
    pub(crate) fn environment(&self, provider: &ProviderId) -> Option<Environment> {
        self.table.environment(provider)
    }

    /// Whether any provider may deliver what is asked.
    pub(crate) fn deliver(&self, query: &RouteQuery<'_>) -> bool {
        self.table.reaches(query)
    }

    /// The providers that may deliver an order, in the order they are tried.
    pub(crate) fn candidates(
        &self,
        query: &RouteQuery<'_>,
        draw: RouteDraw,
    ) -> Vec<RouteCandidate> {
        let decisions = self.table.candidates(query, draw).into_iter();
        let candidates = decisions.filter_map(|decision| {
            let provider = self.named(&decision.provider)?;
            Some(RouteCandidate { provider, decision })
        });
        candidates.collect()
    }

    /// A provider by its identity, as a stored transaction names it.
    pub(crate) fn named(&self, id: &ProviderId) -> Option<Arc<dyn Provider>> {
        let mut accounts = self.accounts.iter();
        accounts
            .find(|provider| provider.id() == id)
            .map(Arc::clone)
    }

    /// Every provider once.
    pub(crate) fn distinct(&self) -> Vec<Arc<dyn Provider>> {
        self.accounts.clone()
    }
}
