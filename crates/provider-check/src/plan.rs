//! Which checks run, and what they buy at the most. It must not exceed what the scenario allows.

use crate::catalogue::{Buys, CatalogueCheck, catalogue};
use crate::checked_service::CheckedService;
use crate::run::ProviderCheckError;
use crate::scenario::{AllowedOrder, CheckScenario};
use domain::money::Money;
use domain::order::Service;
use std::sync::Arc;

/// A check of a run.
pub(crate) struct PlannedCheck {
    pub(crate) check: &'static CatalogueCheck,
    pub(crate) name: String,
    pub(crate) service: Arc<CheckedService>,
}

/// The services of a scenario, in the order in which it names them.
pub(crate) fn services(
    scenario: &CheckScenario,
) -> Result<Vec<Arc<CheckedService>>, ProviderCheckError> {
    let mut services: Vec<Service> = Vec::new();
    for order in &scenario.orders {
        if !services.contains(&order.service) {
            services.push(order.service);
        }
    }
    let checked = services.into_iter().map(|service| {
        let orders: Vec<_> = scenario
            .orders
            .iter()
            .filter(|it| it.service == service)
            .cloned()
            .collect();
        if !orders.iter().any(AllowedOrder::is_bought) {
            return Err(ProviderCheckError::NothingToBuy(service.code()));
        }
        Ok(Arc::new(CheckedService::new(service, orders)))
    });
    checked.collect()
}

/// Whether a check has this name, or one that begins with it.
pub(crate) fn is_called(name: &str, only: &str) -> bool {
    let rest = name.strip_prefix(only);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The checks that are chosen: those of each service together, the others in their order.
pub(crate) fn planned(services: &[Arc<CheckedService>], only: &[String]) -> Vec<PlannedCheck> {
    let is_own = |check: &&CatalogueCheck| check.subject().is_none();
    let first_own = catalogue().position(|check| is_own(&check));
    let mut planned = Vec::new();
    let mut push = |check: &'static CatalogueCheck, service: &Arc<CheckedService>| {
        let name = check.name_for(service.service.code());
        let chosen = only.is_empty() || only.iter().any(|only| is_called(&name, only));
        if chosen {
            planned.push(PlannedCheck {
                check,
                name,
                service: Arc::clone(service),
            });
        }
    };
    for (position, check) in catalogue().enumerate() {
        if Some(position) == first_own {
            for service in services {
                catalogue()
                    .filter(is_own)
                    .for_each(|check| push(check, service));
            }
        }
        if let Some(service) = services.first().filter(|_| !is_own(&check)) {
            push(check, service);
        }
    }
    planned
}

/// What the checks buy at the most, where that is allowed.
pub(crate) fn affordable(
    (services, planned): (&[Arc<CheckedService>], &[PlannedCheck]),
    scenario: &CheckScenario,
) -> Result<(u32, Money), ProviderCheckError> {
    let mut orders = 0_u32;
    let mut cost = Money::zero(scenario.max_spend.currency());
    for service in services {
        let own = planned
            .iter()
            .filter(|it| Arc::ptr_eq(&it.service, service));
        let shares = own.clone().any(|it| it.check.buys == Buys::Shared);
        let calls = own.clone().any(|it| it.check.buys == Buys::Called);
        let needed = own.fold(u32::from(shares), |sum, planned| {
            sum.saturating_add(match planned.check.buys {
                Buys::Nothing | Buys::Shared | Buys::Called => 0,
                Buys::One => 1,
                Buys::EachRound => scenario.race_rounds,
            })
        });
        let bought = service.orders.iter();
        let bought = bought.filter(|it| it.is_bought());
        let allowed = bought
            .clone()
            .fold(0_u32, |sum, it| sum.saturating_add(it.times));
        if needed > allowed {
            return Err(ProviderCheckError::Times {
                service: service.service.code(),
                needed,
                allowed,
            });
        }
        let dearest = bought.map(|it| it.amount).max_by_key(|it| it.minor());
        let dearest = dearest.and_then(|amount| amount.checked_mul(needed));
        let sum = dearest.and_then(|dearest| cost.checked_add(dearest));
        let pending = service.orders.iter().find(|it| it.pending && calls);
        let sum = sum.and_then(|sum| pending.map_or(Some(sum), |it| sum.checked_add(it.amount)));
        // An amount beyond what money can be is beyond any limit.
        cost = sum.unwrap_or(Money::from_minor(Money::MAX_MINOR, cost.currency()));
        orders = orders.saturating_add(needed);
        orders = orders.saturating_add(u32::from(pending.is_some()));
    }
    let limit = scenario.max_spend;
    if cost.minor() > limit.minor() {
        return Err(ProviderCheckError::Cost { cost, limit });
    }
    Ok((orders, cost))
}
