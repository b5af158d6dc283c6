//! What the sandbox lists of itself when it is asked for its catalogue: plans with their prices,
//! and products of a free amount with their limits. It must list what it delivers, by the codes
//! that orders carry.

use crate::catalogue::SandboxCatalogue;
use crate::table_row::CURRENCY;
use domain::listed_offer::ListedOffer;
use domain::money::Money;
use domain::order::Service;
use domain::paid_lookup::LookupCategory;
use domain::subscription::PlanCode;

impl SandboxCatalogue {
    /// The offers of a service.
    pub fn listed_offers(&self, service: Service) -> Vec<ListedOffer> {
        let product = |code: &str| format!("{}.{code}", service.code());
        match service {
            Service::Airtime => self.airtime_offers(product),
            Service::Electricity => self.electricity_offers(product),
            Service::CableTv => {
                let records = self.cable.iter().map(|record| &record.provider);
                let offers = records.flat_map(|it| {
                    let product = product(it.code.as_str());
                    it.plans.iter().map(move |plan| {
                        let offer = fixed(product.clone(), (&plan.code, &plan.name), plan.amount);
                        let available = it.available;
                        ListedOffer { available, ..offer }
                    })
                });
                offers.collect()
            }
            Service::Internet => {
                let offers = self.data.iter().flat_map(|it| {
                    let product = product(it.code.as_str());
                    it.plans.iter().map(move |plan| {
                        let offer = fixed(product.clone(), (&plan.code, &plan.name), plan.amount);
                        let available = plan.available;
                        ListedOffer { available, ..offer }
                    })
                });
                offers.collect()
            }
            Service::Bill(category) => {
                let billers = self.billers.iter().filter(|it| it.category == category);
                let offers = billers.flat_map(|it| {
                    let product = product(it.code.as_str());
                    let limits = (Some(it.minimum), Some(it.maximum));
                    let whole = chosen(product.clone(), (it.code.as_str(), &it.brandname), limits);
                    let plans = it
                        .plans
                        .iter()
                        .map(|plan| fixed(product.clone(), (&plan.code, &plan.name), plan.amount));
                    let offers: Vec<_> = if it.plans.is_empty() {
                        vec![whole]
                    } else {
                        plans.collect()
                    };
                    let available = it.available;
                    let offers = offers.into_iter();
                    offers.map(move |offer| ListedOffer { available, ..offer })
                });
                offers.collect()
            }
            Service::Lookup(category) => self.lookup_offers(category, product),
            Service::Sms
            | Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Bank
            | Service::MobileMoney
            | Service::Card
            | Service::International
            | Service::Wallet
            | Service::User
            | Service::Hlr => Vec::new(),
        }
    }

    fn electricity_offers(&self, product: impl Fn(&str) -> String) -> Vec<ListedOffer> {
        let discos = self.discos.iter().map(|record| &record.disco);
        let offers = discos.map(|it| {
            let code = it.code.as_str();
            let offer = chosen(product(code), (code, &it.brandname), (None, None));
            let available = it.available;
            ListedOffer { available, ..offer }
        });
        offers.collect()
    }

    fn lookup_offers(
        &self,
        category: LookupCategory,
        product: impl Fn(&str) -> String,
    ) -> Vec<ListedOffer> {
        let records = self.paid_lookups.iter();
        let records = records.filter(|record| record.definition.category == category);
        let offers = records.map(|record| {
            let definition = &record.definition;
            let code = definition.code.as_str();
            let price = record.prices.iter().map(|price| price.unit);
            let offer = chosen(product(code), (code, &definition.name), (None, None));
            ListedOffer {
                amount: price.into_iter().find(|it| it.currency() == CURRENCY),
                lookup: Some(definition.clone()),
                ..offer
            }
        });
        offers.collect()
    }

    fn airtime_offers(&self, product: impl Fn(&str) -> String) -> Vec<ListedOffer> {
        let networks = self.networks.iter();
        let offers = networks.map(|it| {
            let limits = (Some(it.minimum), Some(it.maximum));
            chosen(product(&it.code), (&it.code, &it.brandname), limits)
        });
        offers.collect()
    }
}

/// An offer of an amount that the customer chooses.
fn chosen(
    product: String,
    (code, name): (&str, &str),
    (minimum, maximum): (Option<Money>, Option<Money>),
) -> ListedOffer {
    ListedOffer {
        product,
        code: code.to_owned(),
        name: name.to_owned(),
        amount: None,
        minimum,
        maximum,
        available: true,
        lookup: None,
    }
}

/// An offer at a fixed price.
fn fixed(product: String, (code, name): (&PlanCode, &str), amount: Money) -> ListedOffer {
    ListedOffer {
        product,
        code: code.as_str().to_owned(),
        name: name.to_owned(),
        amount: Some(amount),
        minimum: None,
        maximum: None,
        available: true,
        lookup: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_of_the_tables_is_listed() {
        let catalogue = SandboxCatalogue::new();
        for service in Service::delivered() {
            let offers = catalogue.listed_offers(service);
            // A catalogue has no products of transfers.
            let billers = catalogue.biller_codes(service);
            let billers = billers.filter(|_| service != Service::MobileMoney);
            let Some(billers) = billers else {
                assert!(offers.is_empty(), "{service:?}");
                continue;
            };
            for biller in billers {
                let product = format!("{}.{biller}", service.code());
                let listed = offers.iter().any(|it| it.product == product);
                assert!(listed, "{product}");
            }
        }
        let data = catalogue.listed_offers(Service::Internet);
        let plan = data.iter().find(|it| it.code == "30109").unwrap();
        assert_eq!(plan.product, "internet.301");
        assert_eq!(plan.amount.unwrap().to_string(), "1,500.00");
    }
}
