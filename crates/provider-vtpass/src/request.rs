//! Orders as VTpass's `pay` takes them. What it cannot take must be `None` here, before anything is
//! opened.

use crate::services::ServiceTable;
use crate::settings::VtpassSettings;
use domain::airtime::AirtimeOrder;
use domain::billing::Billing;
use domain::cabletv::CableOrder;
use domain::country::CountryCode;
use domain::electricity::ElectricityOrder;
use domain::internet::DataOrder;
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::phone::PhoneNumber;
use serde::Serialize;
use serde_json::value::RawValue;

/// How Nigerian numbers begin abroad, and how many digits follow.
const COUNTRY: &str = "234";
const LOCAL_DIGITS: usize = 10;

/// What is bought, as the interface names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VtpassPurchase<'a> {
    pub(crate) service: &'a str,
    /// The number, meter or card that is credited, as it is sent.
    pub(crate) credited: String,
    pub(crate) amount: Money,
    phone: String,
    variation: Option<&'a str>,
    subscription: Option<&'static str>,
    billed: bool,
}

/// The document of a purchase.
#[derive(Serialize)]
struct PayDocument<'a> {
    request_id: &'a str,
    #[serde(rename = "serviceID")]
    service: &'a str,
    amount: Box<RawValue>,
    phone: &'a str,
    #[serde(rename = "billersCode", skip_serializing_if = "Option::is_none")]
    billers_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variation_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subscription_type: Option<&'static str>,
}

impl<'a> VtpassPurchase<'a> {
    /// An order as it is bought; `None` where it cannot be. Its plan goes by the variation code of
    /// the catalogue where that gives one, else by that of the settings.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a family that is not served is refused, whichever it is"
    )]
    pub(crate) fn of(
        order: &Order,
        (services, settings): (&'a ServiceTable, &'a VtpassSettings),
        variation: Option<&'a str>,
    ) -> Option<Self> {
        if order.amount().currency() != Currency::Ngn {
            return None;
        }
        match order {
            Order::Internet(order) => {
                let variation =
                    variation.or_else(|| settings.internet_plans.variation(&order.plan))?;
                internet(order, services, variation)
            }
            Order::CableTv(order) => cabletv(order, (services, settings), variation),
            // Neither has variations that a catalogue could name.
            Order::Airtime(order) if variation.is_none() => airtime(order, services),
            Order::Electricity(order) if variation.is_none() => {
                electricity(order, services, settings)
            }
            _ => None,
        }
    }

    /// The document that buys it under a reference.
    pub(crate) fn document(&self, reference: &str) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&PayDocument {
            request_id: reference,
            service: self.service,
            amount: RawValue::from_string(decimal(self.amount))?,
            phone: &self.phone,
            billers_code: self.billed.then_some(self.credited.as_str()),
            variation_code: self.variation,
            subscription_type: self.subscription,
        })
    }
}

fn airtime<'a>(order: &AirtimeOrder, services: &'a ServiceTable) -> Option<VtpassPurchase<'a>> {
    // Nothing is published about postpaid lines.
    let served = order.country == CountryCode::NIGERIA && order.billing == Billing::Prepaid;
    let phone = local(&order.number).filter(|_| served)?;
    Some(VtpassPurchase {
        service: services.airtime(order)?,
        credited: phone.clone(),
        amount: order.amount,
        phone,
        variation: None,
        subscription: None,
        billed: false,
    })
}

fn internet<'a>(
    order: &DataOrder,
    services: &'a ServiceTable,
    variation: &'a str,
) -> Option<VtpassPurchase<'a>> {
    let phone = local(&order.number)?;
    Some(VtpassPurchase {
        service: services.internet(&order.provider)?,
        credited: phone.clone(),
        amount: order.amount,
        phone,
        variation: Some(variation),
        subscription: None,
        billed: true,
    })
}

fn cabletv<'a>(
    order: &CableOrder,
    (services, settings): (&'a ServiceTable, &'a VtpassSettings),
    named: Option<&'a str>,
) -> Option<VtpassPurchase<'a>> {
    let entry = services.cabletv(&order.provider)?;
    let variation = match &order.subscription {
        // Nothing is published about what the amount means where several months are bought.
        Some(wanted) if wanted.duration != 1 => return None,
        Some(wanted) => Some(named.or_else(|| settings.cable_plans.variation(&wanted.plan))?),
        None if entry.renewable && named.is_none() => None,
        None => return None,
    };
    let subscription = variation.map_or("renew", |_| "change");
    Some(VtpassPurchase {
        service: &entry.service,
        credited: order.number.digits().to_owned(),
        amount: order.amount,
        phone: customer_phone(order.customer_phone.as_ref(), settings)?,
        variation,
        subscription: entry.renewable.then_some(subscription),
        billed: true,
    })
}

fn electricity<'a>(
    order: &ElectricityOrder,
    services: &'a ServiceTable,
    settings: &'a VtpassSettings,
) -> Option<VtpassPurchase<'a>> {
    Some(VtpassPurchase {
        service: &services.electricity(&order.meter.disco)?.service,
        credited: order.meter.number.digits().to_owned(),
        amount: order.amount,
        phone: customer_phone(order.customer_phone.as_ref(), settings)?,
        variation: Some(order.meter.billing.code()),
        subscription: None,
        billed: true,
    })
}

/// The telephone of a customer, as it is dialled; that of the settings where the merchant gave
/// none, or one of another country.
fn customer_phone(given: Option<&PhoneNumber>, settings: &VtpassSettings) -> Option<String> {
    given.and_then(local).or_else(|| local(&settings.phone))
}

/// A number as it is dialled in Nigeria: `08031234567`.
pub(crate) fn local(number: &PhoneNumber) -> Option<String> {
    let subscriber = number.digits().strip_prefix(COUNTRY)?;
    (subscriber.len() == LOCAL_DIGITS).then(|| format!("0{subscriber}"))
}

/// An amount in naira as a number of JSON: `1000.00`.
fn decimal(amount: Money) -> String {
    amount.to_string().replace(',', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dialled_as_in_nigeria() {
        let local = |digits| local(&PhoneNumber::parse(digits).unwrap());
        assert_eq!(local("2348031234567").as_deref(), Some("08031234567"));
        for foreign in ["233241234567", "23480312345678", "234803123456"] {
            assert_eq!(local(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn amounts_are_plain_numbers() {
        for (kobo, number) in [
            (100_000, "1000.00"),
            (5, "0.05"),
            (123_456_789, "1234567.89"),
        ] {
            let amount = Money::from_minor(kobo, Currency::Ngn);
            assert_eq!(decimal(amount), number);
        }
    }
}
