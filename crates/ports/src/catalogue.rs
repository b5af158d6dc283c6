//! What can be bought and from whom. Prices here are the catalogue's; an account's own price
//! overrides are applied by the application. A snapshot must never change: a request uses one.

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
use domain::percent::Percent;
use domain::pricing::UnitTerms;
use domain::provider::ProviderId;
use domain::subscription::{BillerCode, PlanCode};
use std::sync::Arc;

/// What a published catalogue says about a provider and an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfferMatch<'a> {
    /// It lists no offer of the provider for the product: the adapter decides.
    Unlisted,
    /// The provider offers it.
    Offered(&'a CatalogueOffer),
    /// It lists offers of the provider for the product, and none that fits this order: the order
    /// goes to another route.
    NotOffered,
}

/// What a provider offers: a product, or one plan of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueOffer {
    /// The provider.
    pub provider: ProviderId,
    /// The product, such as `cabletv.301`.
    pub product: String,
    /// The plan; `None` where the offer is the whole product.
    pub plan: Option<PlanCode>,
    /// What the provider calls it; `None` where its adapter knows.
    pub code: Option<String>,
    /// What the provider takes for one period of the plan.
    pub cost: Option<Money>,
    /// Whether it can be had at the moment.
    pub available: bool,
    /// The smallest amount, itself included.
    pub minimum: Option<Money>,
    /// The largest amount, itself included.
    pub maximum: Option<Money>,
}

/// What a published catalogue changes of the terms of a product; an empty field changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductTerms {
    /// The merchant's share.
    pub commission: Option<Percent>,
    /// What the provider leaves to the gateway.
    pub discount: Option<Percent>,
    /// The flat fee.
    pub fee: Option<Money>,
}

/// What one account pays for a product, by a published catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountTerms {
    /// The commission.
    pub commission: Percent,
    /// The flat fee; `None` where that of the product holds.
    pub fee: Option<Money>,
}

/// Where snapshots of the catalogue come from.
pub trait CatalogueSource: Send + Sync + std::fmt::Debug {
    /// The snapshot in force at this moment, by the time of the store.
    fn in_force(&self) -> Arc<dyn Catalogue>;
}

/// A source that always answers the same catalogue.
#[derive(Debug, Clone)]
pub struct FixedCatalogue(Arc<dyn Catalogue>);

impl FixedCatalogue {
    /// A source of one catalogue.
    pub fn new(catalogue: impl Catalogue + 'static) -> Self {
        Self(Arc::new(catalogue))
    }
}

impl CatalogueSource for FixedCatalogue {
    fn in_force(&self) -> Arc<dyn Catalogue> {
        Arc::clone(&self.0)
    }
}

/// The catalogue of products at one moment.
pub trait Catalogue: Send + Sync + std::fmt::Debug {
    /// The number of the published version; 0 where none is in force. It is frozen with every
    /// quote.
    fn version(&self) -> u32 {
        0
    }

    /// What a published version changes of the terms of a product, such as `cabletv.301`.
    fn published_terms(&self, product: &str) -> Option<ProductTerms> {
        let _ = product;
        None
    }

    /// What a published version gives one account for a product.
    fn published_override(&self, account: &AccountId, product: &str) -> Option<AccountTerms> {
        let _ = (account, product);
        None
    }

    /// Whether a product may not be sold at present: it was taken off, or this instance does not
    /// know its price for certain.
    fn withholds(&self, product: &str) -> bool {
        let _ = product;
        false
    }

    /// Whose a plan was that is sold no more; `None` where it is sold, or never was.
    fn withdrawn_plan(&self, service: Service, plan: &PlanCode) -> Option<&BillerCode> {
        let _ = (service, plan);
        None
    }

    /// What a provider offers of an order.
    fn offer(&self, provider: &ProviderId, order: &Order) -> OfferMatch<'_> {
        let _ = (provider, order);
        OfferMatch::Unlisted
    }

    /// Every network, in no particular order.
    fn networks(&self) -> Vec<&Network> {
        Vec::new()
    }

    /// The network sold under a brand in a country, such as `MTN` in 566; brands compare without
    /// regard to case.
    fn network(&self, country: CountryCode, brandname: &str) -> Option<&Network>;

    /// Whether anything at all is sold for numbers of a country.
    fn sells_airtime_in(&self, country: CountryCode) -> bool;

    /// Every active distribution company of a country, in the order they are shown.
    fn discos(&self, country: CountryCode) -> Vec<&Disco>;

    /// A distribution company by its identity.
    fn disco(&self, code: &DiscoCode) -> Option<&Disco>;

    /// Every active cable TV provider of a country, in the order they are shown.
    fn cable_providers(&self, country: CountryCode) -> Vec<&CableBiller>;

    /// A cable TV provider by its identity.
    fn cable_provider(&self, code: &BillerCode) -> Option<&CableBiller>;

    /// Every active provider of internet data of a country, in the order they are shown.
    fn data_providers(&self, country: CountryCode) -> Vec<&DataOperator>;

    /// A provider of internet data by its identity.
    fn data_provider(&self, code: &BillerCode) -> Option<&DataOperator>;

    /// A data plan by its identity, and who sells it.
    fn data_plan(&self, code: &PlanCode) -> Option<(&DataOperator, &DataPlan)>;

    /// Every active biller of a category in a country, in the order they are shown.
    fn billers(&self, category: BillCategory, country: CountryCode) -> Vec<&Biller>;

    /// A biller of a category by its identity.
    fn biller(&self, category: BillCategory, code: &BillerCode) -> Option<&Biller>;

    /// What a part of a message to a country costs, in money or in credits; `None` where none are
    /// sent there.
    fn message(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;

    /// What a WhatsApp message to a number of a country costs; `None` where none is sent there, or
    /// not for this currency.
    fn whatsapp(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;

    /// What an RCS message to a number of a country costs, whichever way it goes; `None` where none
    /// is sent there, or not for this currency.
    fn rcs(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;

    /// What a minute of a voice call to a number of a country costs; `None` where none is called,
    /// or not for this currency.
    fn voice(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;

    /// What a minute of a call that runs a flow costs, as [`Catalogue::voice`] says it.
    fn ivr(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;

    /// The smallest and largest payout to an account in a country;
    /// `None` where none are made there.
    fn payouts(&self, country: CountryCode, currency: Currency) -> Option<(Money, Money)>;

    /// Every active mobile money operator of a country, in the order they are shown.
    fn mobile_money_operators(&self, country: CountryCode) -> Vec<&MobileMoneyOperator>;

    /// A mobile money operator by its identity.
    fn mobile_money_operator(&self, code: &BillerCode) -> Option<&MobileMoneyOperator>;

    /// The smallest and largest transfer to a card; `None` where none are made in the currency.
    fn card_transfers(&self, currency: Currency) -> Option<(Money, Money)>;

    /// Where transfers abroad go.
    fn corridors(&self) -> &[Corridor];

    /// Every lookup of a category that is sold, in the order it is shown.
    fn lookups(&self, category: LookupCategory) -> Vec<&LookupDefinition>;

    /// A lookup by its identity.
    fn lookup(&self, category: LookupCategory, code: &LookupCode) -> Option<&LookupDefinition>;

    /// What a lookup costs; `None` where it is not sold for this currency.
    fn lookup_price(
        &self,
        category: LookupCategory,
        code: &LookupCode,
        currency: Currency,
    ) -> Option<UnitTerms>;

    /// What looking a mobile number of a country up costs; `None` where no register is asked.
    fn number_lookup(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;
}
