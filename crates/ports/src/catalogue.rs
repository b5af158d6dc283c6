//! What can be bought and from whom. Prices here are the catalogue's; an account's own price
//! overrides are applied by the application.

use domain::airtime::Network;
use domain::bill::{BillCategory, Biller};
use domain::cabletv::CableBiller;
use domain::country::CountryCode;
use domain::electricity::{Disco, DiscoCode};
use domain::internet::{DataOperator, DataPlan};
use domain::money::{Currency, Money};
use domain::pricing::UnitTerms;
use domain::subscription::{BillerCode, PlanCode};

/// The catalogue of products.
pub trait Catalogue: Send + Sync + std::fmt::Debug {
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

    /// The smallest and largest payout to an account in a country;
    /// `None` where none are made there.
    fn payouts(&self, country: CountryCode, currency: Currency) -> Option<(Money, Money)>;

    /// What looking a mobile number of a country up costs; `None` where no register is asked.
    fn number_lookup(&self, country: CountryCode, currency: Currency) -> Option<UnitTerms>;
}
