//! The route table: which providers may deliver what, in which order. It is pure: the same table,
//! order and draw always give the same answer. It must not know what a provider can do, nor whether
//! it works at the moment.

use domain::account::AccountId;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::money::Money;
use domain::order::{Order, Service};
use domain::percent::Percent;
use domain::provider::ProviderId;
use domain::reference::MerchantReference;
pub use domain::transaction::RouteReason;
use domain::transaction::{AttemptRoute, PassedOver};
use sha2::{Digest as _, Sha256};

/// One way for an order to be delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRoute {
    /// The product that it is for.
    pub product: Service,
    /// What else an order must meet.
    pub conditions: RouteConditions,
    /// The provider that delivers.
    pub provider: ProviderId,
    /// Where the provider belongs: the route is for orders of accounts there.
    pub environment: Environment,
    /// Lower priorities are tried first.
    pub priority: u16,
    /// The share among routes of equal priority; at least one.
    pub weight: u16,
    /// What the provider takes, in percent. It is recorded with the choice and does not change it.
    pub cost: Option<Percent>,
}

impl ProviderRoute {
    /// The largest weight: a finer share than a thousandth cannot be seen in practice.
    pub const WEIGHT_MAX: u16 = 1_000;

    /// A route of a whole product to a provider of the test environment, before all others.
    pub const fn of(product: Service, provider: ProviderId) -> Self {
        Self {
            product,
            conditions: RouteConditions::NONE,
            provider,
            environment: Environment::Test,
            priority: 0,
            weight: 1,
            cost: None,
        }
    }
}

/// What an order of the product must meet; an empty field asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteConditions {
    /// The code of its biller, network, operator or bank.
    pub biller: Option<String>,
    /// Paid in advance or afterwards.
    pub billing: Option<Billing>,
    /// The country of its biller or number.
    pub country: Option<CountryCode>,
    /// The smallest amount, itself included.
    pub amount_min: Option<Money>,
    /// The largest amount, itself included.
    pub amount_max: Option<Money>,
}

impl RouteConditions {
    /// Every order of the product.
    pub const NONE: Self = Self {
        biller: None,
        billing: None,
        country: None,
        amount_min: None,
        amount_max: None,
    };
}

/// What routes go by. What is not known yet, such as the amount during a lookup, excludes no route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteQuery<'a> {
    /// The product.
    pub product: Service,
    /// Where the account belongs that asks.
    pub environment: Environment,
    /// The code of its biller.
    pub biller: Option<&'a str>,
    /// Paid in advance or afterwards.
    pub billing: Option<Billing>,
    /// The country of the biller or number.
    pub country: Option<CountryCode>,
    /// What is bought.
    pub amount: Option<Money>,
}

impl<'a> RouteQuery<'a> {
    /// A product of which nothing else is known.
    pub const fn of(product: Service, environment: Environment) -> Self {
        Self {
            product,
            environment,
            biller: None,
            billing: None,
            country: None,
            amount: None,
        }
    }

    /// An order of an account somewhere, with the country of its biller where it does not name one
    /// itself.
    pub fn order(order: &'a Order, environment: Environment, country: Option<CountryCode>) -> Self {
        Self {
            product: order.service(),
            environment,
            biller: order.biller(),
            billing: order.billing(),
            country: order.country().or(country),
            amount: Some(order.amount()),
        }
    }

    fn meets(&self, conditions: &RouteConditions) -> bool {
        /// Whether something is as asked for, or not known.
        fn is<T>(asked: Option<&T>, known: Option<T>, holds: impl Fn(&T, &T) -> bool) -> bool {
            asked.is_none_or(|asked| known.is_none_or(|known| holds(asked, &known)))
        }
        let currency = |limit: &Money, amount: &Money| limit.currency() == amount.currency();
        let biller = conditions.biller.as_deref();
        is(biller.as_ref(), self.biller, |asked, known| asked == known)
            && is(conditions.billing.as_ref(), self.billing, PartialEq::eq)
            && is(conditions.country.as_ref(), self.country, PartialEq::eq)
            && is(conditions.amount_min.as_ref(), self.amount, |min, it| {
                currency(min, it) && it.minor() >= min.minor()
            })
            && is(conditions.amount_max.as_ref(), self.amount, |max, it| {
                currency(max, it) && it.minor() <= max.minor()
            })
    }
}

/// The number that decides between routes of equal priority. It is made of the transaction's
/// reference alone, so that a repeated request, another instance and a start after a crash choose
/// the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteDraw(u64);

impl RouteDraw {
    /// The draw of a transaction.
    pub fn of(account: &AccountId, reference: &MerchantReference) -> Self {
        let mut hash = Sha256::new();
        // No identity of an account holds a line break, so no two pairs are hashed alike.
        hash.update(account.as_str());
        hash.update(b"\n");
        hash.update(reference.as_str());
        Self::first(&hash.finalize())
    }

    /// The draw where there is no transaction yet: the route that stands first always wins.
    pub const FIRST: Self = Self(0);

    fn first(bytes: &[u8]) -> Self {
        let bytes = bytes.iter().take(8);
        Self(bytes.fold(0, |number, byte| (number << 8) | u64::from(*byte)))
    }

    /// The draw for the next place. That of [`Self::FIRST`] stays as it is.
    fn next(self) -> Self {
        if self == Self::FIRST {
            return self;
        }
        Self::first(&Sha256::digest(self.0.to_be_bytes()))
    }

    /// A number below a bound. The bound is so small beside 2^64 that no value is favoured.
    fn below(self, bound: u64) -> u64 {
        self.0.checked_rem(bound).unwrap_or(0)
    }
}

/// A route that was chosen, and why. It is a value, so that it can be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteDecision {
    /// The number of the route in the table, from 1.
    pub route: usize,
    /// The provider that delivers.
    pub provider: ProviderId,
    /// Its priority.
    pub priority: u16,
    /// Why it has this place among the candidates.
    pub reason: RouteReason,
    /// How many providers came before it.
    pub place: usize,
    /// What the provider takes, in percent, where the table says so.
    pub cost: Option<Percent>,
}

impl RouteDecision {
    /// What is recorded of it with the attempt.
    pub fn recorded(&self, passed_over: &[PassedOver]) -> AttemptRoute {
        let passed_over = passed_over.iter().take(AttemptRoute::PASSED_OVER_MAX);
        AttemptRoute {
            number: u32::try_from(self.route).unwrap_or(u32::MAX),
            priority: self.priority,
            reason: self.reason,
            place: u16::try_from(self.place).unwrap_or(u16::MAX),
            cost: self.cost,
            passed_over: passed_over.cloned().collect(),
        }
    }
}

/// Every route of a gateway, in the order they were written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteTable {
    routes: Vec<ProviderRoute>,
}

impl RouteTable {
    /// A table of these routes.
    pub const fn new(routes: Vec<ProviderRoute>) -> Self {
        Self { routes }
    }

    /// A table in which one provider of the test environment delivers every product.
    pub fn everything_to(provider: &ProviderId) -> Self {
        Self::new(
            Service::delivered()
                .map(|product| ProviderRoute::of(product, provider.clone()))
                .collect(),
        )
    }

    /// The routes, in the order they were written.
    pub fn routes(&self) -> &[ProviderRoute] {
        &self.routes
    }

    /// Where a provider belongs that a route leads to.
    pub fn environment(&self, provider: &ProviderId) -> Option<Environment> {
        let mut routes = self.routes.iter();
        let route = routes.find(|it| it.provider == *provider)?;
        Some(route.environment)
    }

    /// Whether any route may take what is asked.
    pub fn reaches(&self, query: &RouteQuery<'_>) -> bool {
        self.matching(query).next().is_some()
    }

    /// The routes that may take what is asked, each provider once: by priority, those of equal
    /// priority in an order that is drawn by weight.
    pub fn candidates(&self, query: &RouteQuery<'_>, draw: RouteDraw) -> Vec<RouteDecision> {
        let mut left: Vec<(usize, &ProviderRoute)> = self.matching(query).collect();
        let mut chosen: Vec<RouteDecision> = Vec::new();
        let mut draw = draw;
        while let Some(priority) = left.iter().map(|(_, route)| route.priority).min() {
            let (best, others): (Vec<_>, Vec<_>) = left
                .iter()
                .partition(|(_, route)| route.priority == priority);
            let Some((number, route)) = drawn(&best, draw) else {
                break;
            };
            let reason = match best.as_slice() {
                [_] => RouteReason::Priority,
                _ => RouteReason::Weight,
            };
            chosen.push(RouteDecision {
                route: number,
                provider: route.provider.clone(),
                priority,
                reason,
                place: chosen.len(),
                cost: route.cost,
            });
            // A provider that was chosen gets no second place by another route.
            left = best.into_iter().chain(others).collect();
            left.retain(|(_, other)| other.provider != route.provider);
            draw = draw.next();
        }
        chosen
    }

    fn matching(&self, query: &RouteQuery<'_>) -> impl Iterator<Item = (usize, &ProviderRoute)> {
        let numbered = (1_usize..).zip(&self.routes);
        numbered.filter(move |(_, route)| {
            route.product == query.product
                && route.environment == query.environment
                && query.meets(&route.conditions)
        })
    }
}

/// The route a draw falls on, by weight.
fn drawn<'a>(
    routes: &[(usize, &'a ProviderRoute)],
    draw: RouteDraw,
) -> Option<(usize, &'a ProviderRoute)> {
    let weight = |route: &ProviderRoute| u64::from(route.weight.max(1));
    let all: u64 = routes.iter().map(|(_, route)| weight(route)).sum();
    let mut at = draw.below(all);
    for (number, route) in routes {
        match at.checked_sub(weight(route)) {
            None => return Some((*number, route)),
            Some(rest) => at = rest,
        }
    }
    None
}

#[cfg(test)]
mod tests;
