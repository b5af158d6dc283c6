//! How the products are doing that an account can buy: by what this instance settled of late, and
//! by what keeps orders from every provider of a product. It must show neither which provider that
//! is, nor anything of the other environment.

use crate::availability::Offering;
use crate::gateway::Gateway;
use crate::providers::RouteCandidate;
use crate::routes::{RouteDraw, RouteQuery};
use crate::service_traffic::ProductPayments;
use domain::country::CountryCode;
use domain::environment::Environment;
use domain::order::Service;
use domain::paid_lookup::LookupDefinition;
use domain::service_status::{ServiceHealth, ServiceStatus};
use domain::time::Timestamp;
use domain::transaction::PassedOverReason;

/// A biller as routes and payments name it, and as merchants do.
struct KnownBiller<'a> {
    code: &'a str,
    shown: &'a str,
}

/// Whether anything of a product can be delivered now, and since when again.
struct Reachable {
    health: ServiceHealth,
    until: Option<Timestamp>,
}

impl Gateway {
    /// The products that an account of an environment can buy, in the order of the interface.
    pub fn services_sold(&self, environment: Environment) -> Vec<Service> {
        let services = Service::delivered();
        let sold = services.filter(|service| {
            let query = RouteQuery::of(*service, environment);
            self.providers().deliver(&query)
        });
        sold.collect()
    }

    /// The code by which orders and routes name a biller of a product, of the name that the status
    /// shows; `None` where no such biller is for sale. Of a product whose billers are in no list,
    /// every code is.
    pub fn biller_code(&self, service: Service, name: &str) -> Option<String> {
        let known = self.billers_sold(service);
        if known.is_empty() {
            return Some(name.to_owned());
        }
        let mut billers = known.iter();
        let found = billers.find(|it| it.code == name || it.shown.eq_ignore_ascii_case(name));
        found.map(|it| it.code.to_owned())
    }

    /// How a product is doing as a whole, then each of its billers that is for sale.
    pub fn service_statuses(
        &self,
        environment: Environment,
        service: Service,
    ) -> Vec<ServiceStatus> {
        let known = self.billers_sold(service);
        let settled = self.settled_payments();
        let payments = settled.of_product(environment, service, self.uptime());
        let billers = known.iter().filter_map(|biller| {
            let reachable = self.reachable(environment, (service, Some(biller.code)))?;
            let traffic = payments.traffic(Some(biller.code));
            Some(ServiceStatus {
                service,
                biller: Some(biller.shown.to_owned()),
                health: reachable.health.max(traffic.health()),
                traffic,
                until: reachable.until,
            })
        });
        let billers: Vec<ServiceStatus> = billers.collect();
        let whole = self.whole((environment, service), &payments, &billers);
        whole.into_iter().chain(billers).collect()
    }

    /// A product as a whole; `None` where no route leads anywhere.
    fn whole(
        &self,
        (environment, service): (Environment, Service),
        payments: &ProductPayments,
        billers: &[ServiceStatus],
    ) -> Option<ServiceStatus> {
        let reachable = self.reachable(environment, (service, None))?;
        let traffic = payments.traffic(None);
        let worst = billers.iter().map(|it| it.health).max();
        let best = billers.iter().map(|it| it.health).min();
        // What no biller can deliver is not delivered; where one can, some of it is.
        let by_billers = match (best, worst) {
            (Some(best), _) if best >= ServiceHealth::Down => best,
            (_, Some(worst)) if worst > ServiceHealth::Up => ServiceHealth::Degraded,
            (_, _) => ServiceHealth::Up,
        };
        let health = reachable.health.max(traffic.health()).max(by_billers);
        let ends = billers.iter().filter_map(|it| it.until).min();
        let until = reachable.until.or(ends);
        Some(ServiceStatus {
            service,
            biller: None,
            health,
            traffic,
            until: until.filter(|_| health == ServiceHealth::Maintenance),
        })
    }

    /// Whether any provider can be given orders now; `None` where no route leads to one.
    fn reachable(
        &self,
        environment: Environment,
        (service, biller): (Service, Option<&str>),
    ) -> Option<Reachable> {
        let query = RouteQuery {
            biller,
            ..RouteQuery::of(service, environment)
        };
        let candidates = self.providers().candidates(&query, RouteDraw::FIRST);
        if candidates.is_empty() {
            return None;
        }
        let obstacles = candidates
            .iter()
            .map(|it| self.obstacle_of(it, (service, biller)));
        let obstacles: Vec<_> = obstacles.collect();
        let health = if obstacles.contains(&None) {
            let is_whole = biller.is_none() && self.is_partly_closed(&candidates, service);
            if is_whole {
                ServiceHealth::Degraded
            } else {
                ServiceHealth::Up
            }
        } else if obstacles.contains(&Some(PassedOverReason::Maintenance)) {
            ServiceHealth::Maintenance
        } else {
            ServiceHealth::Down
        };
        let offering = Offering {
            service,
            biller,
            at: self.now(),
        };
        let ends = candidates.iter().filter_map(|it| {
            let provider = it.provider.id();
            self.providers().maintenance_end(provider, offering)
        });
        let until = ends.min().filter(|_| health == ServiceHealth::Maintenance);
        Some(Reachable { health, until })
    }

    /// Why a provider is given nothing of a product now, whatever else is under way there.
    fn obstacle_of(
        &self,
        candidate: &RouteCandidate,
        (service, biller): (Service, Option<&str>),
    ) -> Option<PassedOverReason> {
        let provider = candidate.provider.id();
        let offering = Offering {
            service,
            biller,
            at: self.now(),
        };
        let announced = self.providers().unavailable(provider, offering);
        let is_open = || {
            let guard = self.providers().guard(provider)?;
            let is_open = guard.is_open((service, biller), self.uptime());
            is_open.then_some(PassedOverReason::BreakerOpen)
        };
        announced.or_else(is_open)
    }

    /// Whether every provider has a biller of a product that it is given nothing of.
    fn is_partly_closed(&self, candidates: &[RouteCandidate], service: Service) -> bool {
        let mut candidates = candidates.iter();
        candidates.all(|candidate| {
            let guard = self.providers().guard(candidate.provider.id());
            guard.is_some_and(|guard| guard.has_open(service, self.uptime()))
        })
    }

    /// The billers of a product that are for sale, in the order of the catalogue; none of a product
    /// that names none, and not the banks, which the directory of banks lists.
    fn billers_sold(&self, service: Service) -> Vec<KnownBiller<'_>> {
        let catalogue = self.catalogue();
        let named = |code, shown| KnownBiller { code, shown };
        let coded = |code| named(code, code);
        let countries = CountryCode::all();
        match service {
            Service::Airtime => {
                let networks = catalogue.networks().into_iter();
                let mut networks: Vec<_> = networks
                    .map(|it| named(it.code.as_str(), it.brandname.as_str()))
                    .collect();
                networks.sort_by_key(|it| it.shown);
                networks
            }
            Service::CableTv => {
                let sold = countries.flat_map(|it| catalogue.cable_providers(it));
                let sold = sold.filter(|it| it.available);
                sold.map(|it| coded(it.code.as_str())).collect()
            }
            Service::Electricity => {
                let sold = countries.flat_map(|it| catalogue.discos(it));
                let sold = sold.filter(|it| it.available);
                sold.map(|it| coded(it.code.as_str())).collect()
            }
            Service::Internet => {
                let sold = countries.flat_map(|it| catalogue.data_providers(it));
                let sold = sold.filter(|it| it.available);
                sold.map(|it| coded(it.code.as_str())).collect()
            }
            Service::Bill(category) => {
                let sold = countries.flat_map(|it| catalogue.billers(category, it));
                let sold = sold.filter(|it| it.available);
                sold.map(|it| coded(it.code.as_str())).collect()
            }
            Service::MobileMoney => {
                let sold = countries.flat_map(|it| catalogue.mobile_money_operators(it));
                let sold = sold.filter(|it| it.available);
                sold.map(|it| coded(it.code.as_str())).collect()
            }
            Service::Lookup(category) => {
                let sold = catalogue.lookups(category).into_iter();
                let is_sold = |it: &&LookupDefinition| !catalogue.withholds(&it.product());
                let sold = sold.filter(is_sold);
                sold.map(|it| coded(it.code.as_str())).collect()
            }
            Service::Sms
            | Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Bank
            | Service::Hlr
            | Service::Card
            | Service::International
            | Service::Wallet
            | Service::User => Vec::new(),
        }
    }
}
