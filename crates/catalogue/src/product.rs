//! What a document calls what is sold, such as `cabletv.301` or `electricity.101.prepaid`. It must
//! not know whether it is sold.

use domain::bill::BillCategory;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::DiscoCode;
use domain::order::{Order, Service};
use domain::paid_lookup::{LookupCategory, LookupCode};
use domain::subscription::{BillerCode, PlanCode};

/// A product by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProductName {
    /// The network of a code.
    Airtime(String),
    /// A distribution company, and a way of billing where one is named.
    Electricity(DiscoCode, Option<Billing>),
    CableTv(BillerCode),
    Internet(BillerCode),
    Bill(BillCategory, BillerCode),
    Sms(CountryCode),
    Whatsapp(CountryCode),
    Rcs(CountryCode),
    /// Voice calls to the numbers of a country.
    Voice(CountryCode),
    /// Calls to the numbers of a country that run a flow.
    Ivr(CountryCode),
    Hlr(CountryCode),
    Lookup(LookupCategory, LookupCode),
}

impl ProductName {
    /// Reads a name; `None` where it is that of no product.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (family, sold) = text.split_once('.')?;
        let name = match Service::from_code(family)? {
            Service::Airtime => Self::Airtime(sold.to_owned()),
            Service::Electricity => match sold.split_once('.') {
                None => Self::Electricity(DiscoCode::parse(sold).ok()?, None),
                Some((disco, billing)) => {
                    let billing = [Billing::Prepaid, Billing::Postpaid]
                        .into_iter()
                        .find(|it| it.code() == billing)?;
                    Self::Electricity(DiscoCode::parse(disco).ok()?, Some(billing))
                }
            },
            Service::CableTv => Self::CableTv(BillerCode::parse(sold).ok()?),
            Service::Internet => Self::Internet(BillerCode::parse(sold).ok()?),
            Service::Bill(category) => Self::Bill(category, BillerCode::parse(sold).ok()?),
            Service::Sms => Self::Sms(CountryCode::parse(sold).ok()?),
            Service::Whatsapp => Self::Whatsapp(CountryCode::parse(sold).ok()?),
            Service::Rcs => Self::Rcs(CountryCode::parse(sold).ok()?),
            Service::Voice => Self::Voice(CountryCode::parse(sold).ok()?),
            Service::Ivr => Self::Ivr(CountryCode::parse(sold).ok()?),
            Service::Hlr => Self::Hlr(CountryCode::parse(sold).ok()?),
            Service::Lookup(category) => Self::Lookup(category, LookupCode::parse(sold).ok()?),
            Service::Bank
            | Service::MobileMoney
            | Service::Card
            | Service::International
            | Service::Wallet
            | Service::User => {
                return None;
            }
        };
        Some(name)
    }

    /// The family.
    pub(crate) const fn service(&self) -> Service {
        match self {
            Self::Airtime(_) => Service::Airtime,
            Self::Electricity(..) => Service::Electricity,
            Self::CableTv(_) => Service::CableTv,
            Self::Internet(_) => Service::Internet,
            Self::Bill(category, _) => Service::Bill(*category),
            Self::Sms(_) => Service::Sms,
            Self::Whatsapp(_) => Service::Whatsapp,
            Self::Rcs(_) => Service::Rcs,
            Self::Voice(_) => Service::Voice,
            Self::Ivr(_) => Service::Ivr,
            Self::Hlr(_) => Service::Hlr,
            Self::Lookup(category, _) => Service::Lookup(*category),
        }
    }
}

/// The name of what an order buys, without its way of billing; `None` in families whose offers are
/// not listed.
pub(crate) fn name_of(order: &Order) -> Option<String> {
    match order {
        Order::Bank(_)
        | Order::MobileMoney(_)
        | Order::Card(_)
        | Order::International(_)
        | Order::Wallet(_)
        | Order::User(_)
        | Order::Sms(_)
        | Order::Whatsapp(_)
        | Order::Rcs(_)
        | Order::Voice(_)
        | Order::Ivr(_)
        | Order::Hlr(_) => None,
        Order::Airtime(_)
        | Order::CableTv(_)
        | Order::Electricity(_)
        | Order::Internet(_)
        | Order::Bill(_)
        | Order::Lookup(_) => Some(format!("{}.{}", order.service().code(), order.biller()?)),
    }
}

/// The plan that an order buys; `None` where an amount is paid.
pub(crate) fn plan_of(order: &Order) -> Option<&PlanCode> {
    match order {
        Order::CableTv(order) => order.subscription.as_ref().map(|it| &it.plan),
        Order::Internet(order) => Some(&order.plan),
        Order::Bill(order) => order.plan.as_ref().map(|it| &it.code),
        Order::Airtime(_)
        | Order::Electricity(_)
        | Order::Sms(_)
        | Order::Whatsapp(_)
        | Order::Rcs(_)
        | Order::Voice(_)
        | Order::Ivr(_)
        | Order::Bank(_)
        | Order::MobileMoney(_)
        | Order::Card(_)
        | Order::International(_)
        | Order::Wallet(_)
        | Order::User(_)
        | Order::Hlr(_)
        | Order::Lookup(_) => None,
    }
}

/// Whether two names have a product in common: they are equal, or one is the way of billing of the
/// other.
pub(crate) fn overlap(one: &str, other: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    within(one, other) || within(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_named_by_its_family_and_what_is_sold() {
        for good in [
            "airtime.mtn",
            "electricity.101",
            "electricity.101.prepaid",
            "cabletv.301",
            "internet.401",
            "water.601",
            "sms.566",
            "whatsapp.566",
            "rcs.566",
            "voice.566",
            "ivr.566",
            "hlr.566",
            "lookup.sim-age",
            "device.location",
        ] {
            assert!(ProductName::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "mtn",
            "cabletv",
            "cabletv.dstv",
            "electricity.101.x",
            "bank.566",
            "toll.1",
            "lookup.566",
        ] {
            assert_eq!(ProductName::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_company_overlaps_its_ways_of_billing_and_no_other_company() {
        assert!(overlap("electricity.101", "electricity.101.prepaid"));
        assert!(overlap("electricity.101.prepaid", "electricity.101"));
        assert!(overlap("sms.566", "sms.566"));
        assert!(!overlap("electricity.10", "electricity.101"));
        assert!(!overlap(
            "electricity.101.prepaid",
            "electricity.101.postpaid"
        ));
    }
}
