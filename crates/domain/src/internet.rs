//! Internet data: providers, plans and what is bought for a device. It must never know who delivers
//! a bundle.

use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::pricing::Terms;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::subscription::{BillerCode, PlanCode};

/// A provider as the catalogue sells it (interface §2.7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataOperator {
    /// The identity.
    pub code: BillerCode,
    /// Where its numbers are.
    pub country: CountryCode,
    /// Brand name as the numbering plan writes it, such as `MTN`.
    pub brandname: String,
    /// Legal name.
    pub company: String,
    /// Contact address.
    pub address: String,
    /// Commission and cost.
    pub terms: Terms,
    /// Whether it can be paid at the moment.
    pub available: bool,
    /// What it sells, in the order it is shown.
    pub plans: Vec<DataPlan>,
}

/// A plan: how much data for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPlan {
    /// The identity, unique among the plans of all providers.
    pub code: PlanCode,
    /// Name, such as `1GB Daily`.
    pub name: String,
    /// How many days it lasts.
    pub validity_days: u16,
    /// What it costs.
    pub amount: Money,
    /// Whether it can be bought at the moment.
    pub available: bool,
}

/// A bundle as asked for, every value read and none looked up yet (interface §4.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundlePurchase {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The plan.
    pub plan: PlanCode,
    /// The device.
    pub number: PhoneNumber,
}

/// What is bought for a device, frozen as it was priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataOrder {
    /// The provider.
    pub provider: BillerCode,
    /// Its brand name, frozen for the report.
    pub brandname: String,
    /// The plan.
    pub plan: PlanCode,
    /// Its name, frozen for the report.
    pub name: String,
    /// How many days it lasts.
    pub validity_days: u16,
    /// The device.
    pub number: PhoneNumber,
    /// What it costs, greater than zero.
    pub amount: Money,
}

impl FamilyOrder for DataOrder {
    const PRODUCTS: &'static [&'static str] = &["<provider>"];

    fn service(&self) -> Service {
        Service::Internet
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        format!("Data {} {} {}", self.brandname, self.name, self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn biller(&self) -> Option<&str> {
        Some(self.provider.as_str())
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::Internet)
    }
}
