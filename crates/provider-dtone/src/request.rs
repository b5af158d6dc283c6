//! Orders as DT One takes them. What it cannot take must be `None` here, before anything is opened.

use crate::products::{DtoneProductId, DtoneProducts};
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::phone::PhoneNumber;
use serde::Serialize;
use serde_json::value::RawValue;

/// Which of the amounts of a product with a range is the order's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChosenAmount {
    /// What the number is credited with.
    Destination,
    /// What is paid for it: where the number has another currency than our books.
    Source,
    /// Neither: the product has one value.
    Fixed,
}

impl ChosenAmount {
    /// Which amount of an order it is; `None` where nothing of the kind is ever sent.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a family that is not served is refused, whichever it is"
    )]
    pub(crate) fn of(order: &Order) -> Option<Self> {
        match order {
            Order::Airtime(order) if order.country == CountryCode::NIGERIA => {
                Some(Self::Destination)
            }
            Order::Airtime(_) => Some(Self::Source),
            Order::Internet(_) => Some(Self::Fixed),
            _ => None,
        }
    }
}

/// What is bought, as the interface names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DtonePurchase<'a> {
    pub(crate) product: DtoneProductId,
    pub(crate) number: &'a PhoneNumber,
    pub(crate) chosen: ChosenAmount,
    pub(crate) amount: Money,
}

#[derive(Serialize)]
struct TransactionDocument<'a> {
    external_id: &'a str,
    product_id: u64,
    auto_confirm: bool,
    credit_party_identifier: CreditParty,
    #[serde(skip_serializing_if = "Option::is_none")]
    calculation_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<AmountDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destination: Option<AmountDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    callback_url: Option<&'a str>,
}

#[derive(Serialize)]
struct CreditParty {
    mobile_number: String,
}

#[derive(Serialize)]
struct AmountDocument {
    unit_type: &'static str,
    unit: &'static str,
    amount: Box<RawValue>,
}

impl<'a> DtonePurchase<'a> {
    /// An order as it is bought; `None` where it cannot be.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a family that is not served is refused, whichever it is"
    )]
    pub(crate) fn of(order: &'a Order, products: &DtoneProducts) -> Option<Self> {
        if order.amount().currency() != Currency::Ngn {
            return None;
        }
        let chosen = ChosenAmount::of(order)?;
        match order {
            Order::Airtime(order) if order.billing == Billing::Prepaid => Some(Self {
                product: products.airtime(order)?,
                number: &order.number,
                chosen,
                amount: order.amount,
            }),
            Order::Internet(order) => Some(Self {
                product: products.internet(&order.plan)?,
                number: &order.number,
                chosen,
                amount: order.amount,
            }),
            _ => None,
        }
    }

    /// The document that buys it under a reference.
    pub(crate) fn document(
        &self,
        reference: &str,
        callback_url: Option<&str>,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let amount = || {
            let number = self.amount.to_string().replace(',', "");
            RawValue::from_string(number).map(|amount| AmountDocument {
                unit_type: "CURRENCY",
                unit: "NGN",
                amount,
            })
        };
        let (calculation_mode, source, destination) = match self.chosen {
            ChosenAmount::Destination => (Some("DESTINATION_AMOUNT"), None, Some(amount()?)),
            ChosenAmount::Source => (Some("SOURCE_AMOUNT"), Some(amount()?), None),
            ChosenAmount::Fixed => (None, None, None),
        };
        serde_json::to_vec(&TransactionDocument {
            external_id: reference,
            product_id: self.product.0,
            auto_confirm: true,
            credit_party_identifier: CreditParty {
                mobile_number: format!("+{}", self.number.digits()),
            },
            calculation_mode,
            source,
            destination,
            callback_url,
        })
    }
}
