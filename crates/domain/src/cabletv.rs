//! Cable TV: providers, plans, smartcards and what is bought for them. It must never know who
//! delivers a subscription.

use crate::country::CountryCode;
use crate::family::FamilyOrder;
use crate::money::Money;
use crate::order::Service;
use crate::phone::PhoneNumber;
use crate::pricing::Terms;
use crate::provider::Fulfilment;
use crate::reference::MerchantReference;
use crate::subscription::{BillerCode, PlanCode};
use crate::time::Timestamp;
use std::fmt;
use std::ops::RangeInclusive;

/// A provider as the catalogue sells it (interface §2.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CableBiller {
    /// The identity.
    pub code: BillerCode,
    /// Where it is watched.
    pub country: CountryCode,
    /// Brand name, such as `DStv`.
    pub brandname: String,
    /// Legal name.
    pub company: String,
    /// Contact address.
    pub address: String,
    /// Commission and cost.
    pub terms: Terms,
    /// Smallest amount that can be credited to a card.
    pub minimum: Money,
    /// Largest amount that can be credited to a card.
    pub maximum: Money,
    /// Whether it can be paid at the moment.
    pub available: bool,
    /// What it sells, in the order it is shown.
    pub plans: Vec<CablePlan>,
}

impl CableBiller {
    /// One of its plans.
    pub fn plan(&self, code: &PlanCode) -> Option<&CablePlan> {
        self.plans.iter().find(|plan| plan.code == *code)
    }
}

/// A plan: what can be watched for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CablePlan {
    /// The identity, unique among the plans of all providers.
    pub code: PlanCode,
    /// Name, such as `DStv Compact`.
    pub name: String,
    /// How many days one period lasts.
    pub validity_days: u16,
    /// What one period costs.
    pub amount: Money,
}

/// The number of a smartcard, decoder (IUC) or streaming account: 8–15 digits, leading zeros kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SmartcardNumber(String);

/// The text is not a smartcard number by shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a smartcard or decoder number of 8 to 15 digits")]
pub struct InvalidSmartcard;

impl SmartcardNumber {
    /// Fewest and most digits: cards have 10 or 11, and streaming accounts are telephone numbers.
    const DIGITS: RangeInclusive<usize> = 8..=15;

    /// Reads a smartcard number.
    ///
    /// # Errors
    /// Refuses anything but 8–15 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidSmartcard> {
        let fits = Self::DIGITS.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| Self(text.to_owned())).ok_or(InvalidSmartcard)
    }

    /// The digits, leading zeros included.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SmartcardNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which smartcard, as a merchant names it (interface §4.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmartcardQuery {
    /// The provider.
    pub provider: BillerCode,
    /// The card.
    pub number: SmartcardNumber,
}

/// A smartcard as its provider knows it now (interface §2.5, smartcard validation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Smartcard {
    /// The provider it belongs to.
    pub provider: BillerCode,
    /// Brand name of the provider.
    pub brandname: String,
    /// The card.
    pub number: SmartcardNumber,
    /// The provider's word for the kind of customer, where it has one.
    pub customer_type: Option<String>,
    /// Whose card it is.
    pub customer_name: String,
    /// Where they live, if the provider reports it.
    pub customer_address: Option<String>,
    /// Their telephone, if the provider reports it.
    pub customer_number: Option<PhoneNumber>,
    /// The plan it has, where it has one.
    pub plan: Option<CablePlan>,
    /// When the plan ends.
    pub due_at: Option<Timestamp>,
    /// The provider's word for its state, such as `Open`.
    pub status: String,
    /// What is credited to it.
    pub balance: Money,
}

/// How many periods may be bought at once.
pub const DURATION_MAX: u8 = 12;

/// A subscription as asked for, every value read and none looked up yet (interface §4.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscribe {
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The card.
    pub card: SmartcardQuery,
    /// What for.
    pub requested: RequestedPlan,
    /// The customer's telephone, for providers that write there.
    pub customer_phone: Option<PhoneNumber>,
}

/// What a subscription is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedPlan {
    /// A plan: the one the card has is renewed, another one replaces it.
    Plan {
        /// Which.
        plan: PlanCode,
        /// For how many periods, 1–[`DURATION_MAX`].
        duration: u8,
    },
    /// An amount credited to the card.
    TopUp(Money),
}

/// What is bought for a card, frozen as it was priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CableOrder {
    /// The provider.
    pub provider: BillerCode,
    /// Its brand name, frozen for the report.
    pub brandname: String,
    /// The card.
    pub number: SmartcardNumber,
    /// Whose card it was when it was validated.
    pub customer_name: String,
    /// The plan; none where an amount is credited.
    pub subscription: Option<Subscription>,
    /// What it costs altogether, greater than zero.
    pub amount: Money,
    /// The customer's telephone, where the merchant gave one.
    pub customer_phone: Option<PhoneNumber>,
}

/// A plan and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The plan.
    pub plan: PlanCode,
    /// Its name, frozen for the report.
    pub name: String,
    /// How many periods.
    pub duration: u8,
}

impl FamilyOrder for CableOrder {
    const PRODUCTS: &'static [&'static str] = &["<provider>"];

    fn service(&self) -> Service {
        Service::CableTv
    }

    fn amount(&self) -> Money {
        self.amount
    }

    fn narration(&self) -> String {
        let bought = self.subscription.as_ref();
        let name = bought.map_or(&self.brandname, |subscription| &subscription.name);
        format!("Cable TV {name} {}", self.number)
    }

    fn digits(&self) -> &str {
        self.number.digits()
    }

    fn biller(&self) -> Option<&str> {
        Some(self.provider.as_str())
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        Some(Fulfilment::CableTv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;
    use crate::transaction::sample::{Product, draft};

    #[test]
    fn a_statement_names_the_plan_or_else_the_brand_and_the_card() {
        let Order::CableTv(order) = draft(Product::CablePlan).order else {
            panic!("another family");
        };
        let plan = order.subscription.as_ref().unwrap().name.clone();
        let expected = format!("Cable TV {plan} {}", order.number);
        assert_eq!(order.narration(), expected);
        let topped_up = CableOrder {
            subscription: None,
            ..order
        };
        let expected = format!("Cable TV {} {}", topped_up.brandname, topped_up.number);
        assert_eq!(topped_up.narration(), expected);
    }

    #[test]
    fn a_smartcard_number_keeps_its_leading_zeros() {
        let card = SmartcardNumber::parse("0212345678").unwrap();
        assert_eq!(card.to_string(), "0212345678");
        assert!(SmartcardNumber::parse("2348031234567").is_ok());
        for text in [
            "",
            "1234567",
            "1234567890123456",
            "70123A5678",
            "７０１２３４５６７８",
        ] {
            assert_eq!(
                SmartcardNumber::parse(text),
                Err(InvalidSmartcard),
                "{text}"
            );
        }
    }
}
