//! Billers and their plans as the catalogue lists them. Commissions here are the catalogue's; an
//! account's own price override is applied in pricing, never here.

use super::category::BillCategory;
use super::definition::{BillerDefinition, PlanDefinition};
use super::payment_rule::{AmountRule, BillingOffer};
use crate::country::CountryCode;
use crate::money::{Currency, Money};
use crate::percent::Percent;
use crate::pricing::Terms;
use crate::subscription::{BillerCode, PlanCode};
use rust_decimal::Decimal;

/// A biller of a category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Biller {
    /// What it sells.
    pub category: BillCategory,
    /// The identity, unique in its category.
    pub code: BillerCode,
    /// Where it sells.
    pub country: CountryCode,
    /// Brand name, such as `Lagos Water`.
    pub brandname: String,
    /// Legal name.
    pub company: String,
    /// Contact address.
    pub address: String,
    /// Commission and cost.
    pub terms: Terms,
    /// Smallest payment.
    pub minimum: Money,
    /// Largest payment.
    pub maximum: Money,
    /// How its customers are billed.
    pub billing: BillingOffer,
    /// Which amounts it takes of a bill.
    pub amount_rule: AmountRule,
    /// What a unit of a token costs before VAT; `None` where it hands over no tokens.
    pub unit_price: Option<Decimal>,
    /// Whether it can be paid at the moment.
    pub available: bool,
    /// What it sells for a fixed price, in the order it is shown.
    pub plans: Vec<BillPlan>,
}

/// A biller as it is written down, before its values are read.
#[derive(Debug, Clone, Copy)]
pub struct BillerTexts<'a> {
    /// The identity.
    pub code: &'a str,
    /// Brand name.
    pub brandname: &'a str,
    /// Legal name.
    pub company: &'a str,
    /// Contact address.
    pub address: &'a str,
    /// The merchant's share, in percent.
    pub commission: &'a str,
    /// What the provider leaves to the gateway, in percent.
    pub discount: &'a str,
    /// Smallest payment.
    pub minimum: &'a str,
    /// Largest payment.
    pub maximum: &'a str,
    /// What a unit of a token costs before VAT.
    pub unit_price: Option<&'a str>,
}

/// What a biller sells for a fixed price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillPlan {
    /// The identity, unique in the category.
    pub code: PlanCode,
    /// Its name, such as `Family Weekly`.
    pub name: String,
    /// How many days one period lasts.
    pub validity_days: u16,
    /// What one period costs.
    pub amount: Money,
}

impl Biller {
    /// The biller of compiled-in data; `None` where a value breaks the rules of its type.
    pub fn of(category: BillCategory, data: &BillerDefinition) -> Option<Self> {
        let texts = BillerTexts {
            code: data.code,
            brandname: data.brandname,
            company: data.company,
            address: data.address,
            commission: data.commission,
            discount: data.discount,
            minimum: data.minimum,
            maximum: data.maximum,
            unit_price: data.unit_price,
        };
        let read = Self::read(category, &texts, (data.billing, data.amount_rule)).ok()?;
        Some(Self {
            available: data.available,
            plans: data.plans.iter().map(plan).collect::<Option<_>>()?,
            ..read
        })
    }

    /// The biller that texts describe, available and without plans.
    ///
    /// # Errors
    /// Names the field that breaks the rules of its type.
    pub fn read(
        category: BillCategory,
        texts: &BillerTexts<'_>,
        (billing, amount_rule): (BillingOffer, AmountRule),
    ) -> Result<Self, &'static str> {
        let currency = Currency::Ngn;
        let percent = |text, field| Percent::parse(text).map_err(|_| field);
        let money = |text, field| {
            let amount = Money::parse(text, currency).ok();
            amount.filter(|amount| amount.is_positive()).ok_or(field)
        };
        let minimum = money(texts.minimum, "minimum")?;
        let maximum = money(texts.maximum, "maximum")?;
        if maximum.minor() < minimum.minor() {
            return Err("maximum");
        }
        let unit_price = texts.unit_price.map(str::parse::<Decimal>).transpose();
        let unit_price = unit_price.map_err(|_| "unit_price")?;
        if unit_price.is_some_and(|price| price <= Decimal::ZERO) {
            return Err("unit_price");
        }
        Ok(Self {
            category,
            code: BillerCode::parse(texts.code).map_err(|_| "code")?,
            country: CountryCode::NIGERIA,
            brandname: texts.brandname.to_owned(),
            company: texts.company.to_owned(),
            address: texts.address.to_owned(),
            terms: Terms {
                commission: percent(texts.commission, "commission")?,
                discount: percent(texts.discount, "discount")?,
                fee: Money::zero(currency),
            },
            minimum,
            maximum,
            billing,
            amount_rule,
            unit_price,
            available: true,
            plans: Vec::new(),
        })
    }

    /// One of its plans.
    pub fn plan(&self, code: &PlanCode) -> Option<&BillPlan> {
        self.plans.iter().find(|plan| plan.code == *code)
    }
}

fn plan(data: &PlanDefinition) -> Option<BillPlan> {
    Some(BillPlan {
        code: PlanCode::parse(data.code).ok()?,
        name: data.name.to_owned(),
        validity_days: data.days,
        amount: Money::parse(data.amount, Currency::Ngn).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::Billing;
    use std::collections::HashSet;

    #[test]
    fn every_category_is_complete_and_nothing_in_it_is_listed_twice() {
        let codes: HashSet<_> = BillCategory::all().map(BillCategory::code).collect();
        assert_eq!(codes.len(), BillCategory::all().count());
        for category in BillCategory::all() {
            let data = category.definition();
            assert_eq!(BillCategory::from_code(data.code), Some(category));
            assert_eq!(data.paths.payment, format!("/payment/{}", data.code));
            let read =
                |data| Biller::of(category, data).unwrap_or_else(|| panic!("{}", category.code()));
            let billers: Vec<_> = data.billers.iter().map(read).collect();
            assert!(
                billers.iter().any(|biller| biller.available),
                "{category:?}"
            );
            let names: HashSet<_> = billers.iter().map(|biller| &biller.code).collect();
            assert_eq!(names.len(), billers.len(), "{category:?}");
            let plans: Vec<_> = billers.iter().flat_map(|biller| &biller.plans).collect();
            let names: HashSet<_> = plans.iter().map(|plan| &plan.code).collect();
            assert_eq!(names.len(), plans.len(), "{category:?}");
            // The examples of the documentation and the cases of every category pay it 5,000.00.
            let first = billers.first().expect("a biller");
            let shown = Money::parse("5000.00", Currency::Ngn).expect("an amount");
            let takes_it = (first.minimum.minor()..=first.maximum.minor()).contains(&shown.minor());
            assert!(first.available && takes_it, "{category:?}");
            assert_eq!(first.amount_rule, AmountRule::Any, "{category:?}");
            for field in data.fields {
                assert!(field.shape.accepts(field.example), "{}", field.name);
            }
            let (least, most) = data.number.digits;
            assert!((least..=most).contains(&data.number.example.len()));
            for biller in &billers {
                assert!(biller.minimum.minor() <= biller.maximum.minor());
                let units = biller.unit_price.is_some();
                let vends = units && biller.billing.includes(Billing::Prepaid);
                assert_eq!(units, vends, "tokens are of prepaid customers");
                assert!(!units || data.unit.is_some(), "units have a name");
            }
        }
    }
}
