//! What is sold at one moment: a document laid over the catalogue in the program. It must never
//! change once it is made.

use crate::document::DocumentProblem;
use crate::merge;
use crate::product::{name_of, overlap, plan_of};
use domain::account::AccountId;
use domain::airtime::Network;
use domain::bill::{BillCategory, Biller};
use domain::cabletv::CableBiller;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::international::Corridor;
use domain::internet::{DataOperator, DataPlan};
use domain::mobile_money::MobileMoneyOperator;
use domain::money::{Currency, Money};
use domain::order::{Order, Service};
use domain::paid_lookup::{LookupCategory, LookupCode, LookupDefinition};
use domain::pricing::UnitTerms;
use domain::provider::ProviderId;
use domain::subscription::{BillerCode, PlanCode};
use ports::catalogue::{AccountTerms, Catalogue, CatalogueOffer, OfferMatch, ProductTerms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A plan of whichever family, as it is sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoldPlan<'a> {
    /// Its name.
    pub name: &'a str,
    /// How many days one period lasts.
    pub validity_days: u16,
    /// What one period costs.
    pub amount: Money,
    /// Whether it can be bought at the moment.
    pub available: bool,
}

/// The word of a service and the code of a plan.
pub(crate) type PlanKey = (&'static str, PlanCode);

/// What a document changes, by what it changes.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// Records as they are sold now, in place of those of the program.
    pub(crate) networks: Vec<Network>,
    pub(crate) discos: Vec<Disco>,
    pub(crate) cable: Vec<CableBiller>,
    pub(crate) data: Vec<DataOperator>,
    pub(crate) bills: Vec<Biller>,
    /// Whether products are sold, where the document says so.
    pub(crate) availability: BTreeMap<String, bool>,
    pub(crate) withdrawn: BTreeMap<PlanKey, BillerCode>,
    pub(crate) terms: BTreeMap<String, ProductTerms>,
    /// What a message part or a lookup costs in naira.
    pub(crate) units: BTreeMap<String, Money>,
    pub(crate) overrides: BTreeMap<(AccountId, String), AccountTerms>,
    pub(crate) offers: BTreeMap<(ProviderId, String), Vec<CatalogueOffer>>,
}

/// What an instance may not sell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum WithheldProducts {
    #[default]
    Nothing,
    /// What versions change that it could not load.
    Products(Vec<String>),
    /// It does not know whether a version it has not read has begun.
    Everything,
}

/// A catalogue at one moment. Clones share what it holds.
#[derive(Debug, Clone)]
pub struct CatalogueSnapshot {
    pub(crate) number: u32,
    pub(crate) base: Arc<dyn Catalogue>,
    pub(crate) changed: Arc<Changed>,
    pub(crate) withheld: WithheldProducts,
}

impl CatalogueSnapshot {
    /// The catalogue of the program, unchanged.
    pub fn built_in(base: Arc<dyn Catalogue>) -> Self {
        Self {
            number: 0,
            base,
            changed: Arc::default(),
            withheld: WithheldProducts::Nothing,
        }
    }

    /// A version: its document laid over the catalogue of the program. Nothing of an earlier
    /// version is left but what the document repeats.
    ///
    /// # Errors
    /// Everything that is wrong with the document, by line.
    pub fn read(
        base: Arc<dyn Catalogue>,
        number: u32,
        document: &str,
    ) -> Result<Self, Vec<DocumentProblem>> {
        let changed = merge::over(&*base, document)?;
        Ok(Self {
            number,
            base,
            changed: Arc::new(changed),
            withheld: WithheldProducts::Nothing,
        })
    }

    pub(crate) fn withholding(&self, withheld: WithheldProducts) -> Self {
        Self {
            withheld,
            ..self.clone()
        }
    }

    /// Every offer of a provider, by product.
    pub fn offers_of(&self, provider: &ProviderId) -> impl Iterator<Item = &CatalogueOffer> {
        let offers = self.changed.offers.iter();
        let theirs = offers.filter(move |((offering, _), _)| offering == provider);
        theirs.flat_map(|(_, offers)| offers)
    }

    /// A plan of a product; `None` where it is not listed.
    pub fn plan(&self, product: &str, code: &PlanCode) -> Option<SoldPlan<'_>> {
        use crate::product::ProductName as Name;
        match Name::parse(product)? {
            Name::CableTv(biller) => {
                let plan = self.cable_provider(&biller)?.plan(code)?;
                Some(SoldPlan {
                    name: &plan.name,
                    validity_days: plan.validity_days,
                    amount: plan.amount,
                    available: true,
                })
            }
            Name::Internet(biller) => {
                let mut plans = self.data_provider(&biller)?.plans.iter();
                let plan = plans.find(|plan| plan.code == *code)?;
                Some(SoldPlan {
                    name: &plan.name,
                    validity_days: plan.validity_days,
                    amount: plan.amount,
                    available: plan.available,
                })
            }
            Name::Bill(category, biller) => {
                let plan = self.biller(category, &biller)?.plan(code)?;
                Some(SoldPlan {
                    name: &plan.name,
                    validity_days: plan.validity_days,
                    amount: plan.amount,
                    available: true,
                })
            }
            Name::Airtime(_)
            | Name::Electricity(..)
            | Name::Sms(_)
            | Name::Whatsapp(_)
            | Name::Rcs(_)
            | Name::Voice(_)
            | Name::Ivr(_)
            | Name::Hlr(_)
            | Name::Lookup(..) => None,
        }
    }

    fn unit(&self, product: &str, found: Option<UnitTerms>) -> Option<UnitTerms> {
        let found = found?;
        let set = self.changed.units.get(product);
        let unit = set.filter(|unit| unit.currency() == found.unit.currency());
        Some(UnitTerms {
            unit: unit.copied().unwrap_or(found.unit),
            ..found
        })
    }
}

/// What is listed: the records of the program, each in its changed form where it has one.
fn listed<'a, T>(base: Vec<&'a T>, changed: &'a [T], same: impl Fn(&T, &T) -> bool) -> Vec<&'a T> {
    let current = |known: &'a T| changed.iter().find(|it| same(it, known)).unwrap_or(known);
    base.into_iter().map(current).collect()
}

impl Catalogue for CatalogueSnapshot {
    fn version(&self) -> u32 {
        self.number
    }

    fn published_terms(&self, product: &str) -> Option<ProductTerms> {
        self.changed.terms.get(product).copied()
    }

    fn published_override(&self, account: &AccountId, product: &str) -> Option<AccountTerms> {
        if self.changed.overrides.is_empty() {
            return None;
        }
        let key = (account.clone(), product.to_owned());
        self.changed.overrides.get(&key).copied()
    }

    fn withholds(&self, product: &str) -> bool {
        let meets = |name: &String| overlap(name, product);
        let withheld = match &self.withheld {
            WithheldProducts::Nothing => false,
            WithheldProducts::Products(names) => names.iter().any(meets),
            WithheldProducts::Everything => true,
        };
        let mut set = self.changed.availability.iter();
        withheld || set.any(|(name, available)| !available && meets(name))
    }

    fn withdrawn_plan(&self, service: Service, plan: &PlanCode) -> Option<&BillerCode> {
        self.changed.withdrawn.get(&(service.code(), plan.clone()))
    }

    fn offer(&self, provider: &ProviderId, order: &Order) -> OfferMatch<'_> {
        if self.changed.offers.is_empty() {
            return OfferMatch::Unlisted;
        }
        let offers = name_of(order).and_then(|product| {
            let key = (provider.clone(), product);
            self.changed.offers.get(&key)
        });
        let Some(offers) = offers else {
            return OfferMatch::Unlisted;
        };
        let plan = plan_of(order);
        let minor = order.amount().minor();
        let fits = |offer: &&CatalogueOffer| {
            offer.plan.as_ref() == plan
                && offer.available
                && offer.minimum.is_none_or(|least| minor >= least.minor())
                && offer.maximum.is_none_or(|most| minor <= most.minor())
        };
        let found = offers.iter().find(fits);
        found.map_or(OfferMatch::NotOffered, OfferMatch::Offered)
    }

    fn networks(&self) -> Vec<&Network> {
        listed(
            self.base.networks(),
            &self.changed.networks,
            |one, other| one.code == other.code,
        )
    }

    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network> {
        let known = self.base.network(country, brandname)?;
        let mut changed = self.changed.networks.iter();
        changed.find(|it| it.code == known.code).or(Some(known))
    }

    fn sells_airtime_in(&self, country: CountryCode) -> bool {
        self.base.sells_airtime_in(country)
    }

    fn discos(&self, country: CountryCode) -> Vec<&Disco> {
        let known = self.base.discos(country);
        listed(known, &self.changed.discos, |one, other| {
            one.code == other.code
        })
    }

    fn disco(&self, code: &DiscoCode) -> Option<&Disco> {
        let mut changed = self.changed.discos.iter();
        let changed = changed.find(|it| it.code == *code);
        changed.or_else(|| self.base.disco(code))
    }

    fn cable_providers(&self, country: CountryCode) -> Vec<&CableBiller> {
        let known = self.base.cable_providers(country);
        listed(known, &self.changed.cable, |one, other| {
            one.code == other.code
        })
    }

    fn cable_provider(&self, code: &BillerCode) -> Option<&CableBiller> {
        let mut changed = self.changed.cable.iter();
        let changed = changed.find(|it| it.code == *code);
        changed.or_else(|| self.base.cable_provider(code))
    }

    fn data_providers(&self, country: CountryCode) -> Vec<&DataOperator> {
        let known = self.base.data_providers(country);
        listed(known, &self.changed.data, |one, other| {
            one.code == other.code
        })
    }

    fn data_provider(&self, code: &BillerCode) -> Option<&DataOperator> {
        let mut changed = self.changed.data.iter();
        let changed = changed.find(|it| it.code == *code);
        changed.or_else(|| self.base.data_provider(code))
    }

    fn data_plan(&self, code: &PlanCode) -> Option<(&DataOperator, &DataPlan)> {
        let of = |operator: &'_ DataOperator| operator.plans.iter().position(|it| it.code == *code);
        for operator in &self.changed.data {
            if let Some(plan) = of(operator).and_then(|at| operator.plans.get(at)) {
                return Some((operator, plan));
            }
        }
        let (operator, plan) = self.base.data_plan(code)?;
        // The changed record of an operator holds every plan of it that is left.
        let is_changed = self.changed.data.iter().any(|it| it.code == operator.code);
        (!is_changed).then_some((operator, plan))
    }

    fn billers(&self, category: BillCategory, country: CountryCode) -> Vec<&Biller> {
        let known = self.base.billers(category, country);
        listed(known, &self.changed.bills, |one, other| {
            one.category == other.category && one.code == other.code
        })
    }

    fn biller(&self, category: BillCategory, code: &BillerCode) -> Option<&Biller> {
        let mut changed = self.changed.bills.iter();
        let changed = changed.find(|it| it.category == category && it.code == *code);
        changed.or_else(|| self.base.biller(category, code))
    }

    fn message(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        let found = self.base.message(country, currency);
        self.unit(&format!("sms.{country}"), found)
    }

    fn whatsapp(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        let found = self.base.whatsapp(country, currency);
        self.unit(&format!("whatsapp.{country}"), found)
    }

    fn rcs(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        let found = self.base.rcs(country, currency);
        self.unit(&format!("rcs.{country}"), found)
    }

    fn voice(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        let found = self.base.voice(country, currency);
        self.unit(&format!("voice.{country}"), found)
    }

    fn ivr(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        let found = self.base.ivr(country, currency);
        self.unit(&format!("ivr.{country}"), found)
    }

    fn payouts(&self, country: CountryCode, currency: Currency) -> Option<(Money, Money)> {
        self.base.payouts(country, currency)
    }

    fn mobile_money_operators(&self, country: CountryCode) -> Vec<&MobileMoneyOperator> {
        self.base.mobile_money_operators(country)
    }

    fn mobile_money_operator(&self, code: &BillerCode) -> Option<&MobileMoneyOperator> {
        self.base.mobile_money_operator(code)
    }

    fn card_transfers(&self, currency: Currency) -> Option<(Money, Money)> {
        self.base.card_transfers(currency)
    }

    fn corridors(&self) -> &[Corridor] {
        self.base.corridors()
    }

    fn lookups(&self, category: LookupCategory) -> Vec<&LookupDefinition> {
        self.base.lookups(category)
    }

    fn lookup(&self, category: LookupCategory, code: &LookupCode) -> Option<&LookupDefinition> {
        self.base.lookup(category, code)
    }

    fn lookup_price(
        &self,
        category: LookupCategory,
        code: &LookupCode,
        currency: Currency,
    ) -> Option<UnitTerms> {
        let found = self.base.lookup_price(category, code, currency);
        self.unit(&format!("{}.{code}", category.code()), found)
    }

    fn number_lookup(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms> {
        let found = self.base.number_lookup(country, currency);
        self.unit(&format!("hlr.{country}"), found)
    }
}
