//! Meter payments in the protocol. A vend must carry the token it sold, or it is no delivery.

use crate::amount::{Amount, optional};
use crate::document::{DocumentError, customer_phone, valid, word};
use crate::family::{FamilyDocuments, OrderContext};
use crate::moment::Moment;
use crate::token::{TokenDocument, decimal};
use domain::billing::Billing;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff, Vend};
use domain::order::Service;
use domain::provider::Fulfilment;
use serde::{Deserialize, Serialize};

/// The order of a meter payment: the meter as it was looked up, and the telephone of the customer.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeterOrderDocument {
    #[serde(flatten)]
    meter: MeterDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_phone: Option<String>,
}

/// A meter as its distribution company knows it, and the answer of a lookup.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeterDocument {
    biller: String,
    biller_name: String,
    number: String,
    customer_name: String,
    customer_address: String,
    billing: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debt: Option<Amount>,
    minimum: Amount,
    maximum: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_purchase_at: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_paid: Option<Amount>,
    tariff: TariffDocument,
}

#[derive(Serialize, Deserialize)]
struct TariffDocument {
    band: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VendDocument {
    receipt_number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    debt: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outstanding: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_purchase_at: Option<Moment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_paid: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<TokenDocument>,
}

/// Names and addresses are the customer's, so logs show none of them.
impl std::fmt::Debug for MeterDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeterDocument").finish_non_exhaustive()
    }
}

impl From<&Meter> for MeterDocument {
    fn from(meter: &Meter) -> Self {
        Self {
            biller: meter.disco.as_str().to_owned(),
            biller_name: meter.brandname.clone(),
            number: meter.number.digits().to_owned(),
            customer_name: meter.owner.clone(),
            customer_address: meter.address.clone(),
            billing: meter.billing.code().to_owned(),
            debt: meter.debt.map(Into::into),
            minimum: meter.minimum.into(),
            maximum: meter.maximum.into(),
            last_purchase_at: meter.last_purchase.map(Into::into),
            last_paid: meter.last_paid.map(Into::into),
            tariff: TariffDocument {
                band: meter.tariff.band.clone(),
                rate: meter.tariff.rate.map(|rate| rate.to_string()),
            },
        }
    }
}

impl MeterDocument {
    /// The meter.
    ///
    /// # Errors
    /// When a field holds what it cannot hold.
    pub fn meter(self) -> Result<Meter, DocumentError> {
        let rate = self.tariff.rate.as_deref();
        let rate = rate.map(|rate| decimal(rate, "tariff.rate"));
        Ok(Meter {
            disco: valid(DiscoCode::parse(&self.biller), "biller")?,
            brandname: self.biller_name,
            number: valid(MeterNumber::parse(&self.number), "number")?,
            owner: self.customer_name,
            address: self.customer_address,
            billing: word(Billing::from_code(&self.billing), "billing")?,
            debt: optional(self.debt.as_ref(), "debt")?,
            minimum: self.minimum.money("minimum")?,
            maximum: self.maximum.money("maximum")?,
            last_purchase: self.last_purchase_at.map(Into::into),
            last_paid: optional(self.last_paid.as_ref(), "lastPaid")?,
            tariff: Tariff {
                band: self.tariff.band,
                rate: rate.transpose()?,
            },
        })
    }
}

pub(crate) struct ElectricityDocuments;

impl FamilyDocuments for ElectricityDocuments {
    type Order = ElectricityOrder;
    type OrderDocument = MeterOrderDocument;
    type ReceiptDocument = VendDocument;

    fn order(order: &ElectricityOrder) -> MeterOrderDocument {
        MeterOrderDocument {
            meter: (&order.meter).into(),
            customer_phone: order.customer_phone.as_ref().map(ToString::to_string),
        }
    }

    fn read_order(
        document: MeterOrderDocument,
        ordered: OrderContext,
    ) -> Result<ElectricityOrder, DocumentError> {
        Ok(ElectricityOrder {
            meter: document.meter.meter()?,
            amount: ordered.amount,
            customer_phone: customer_phone(document.customer_phone.as_deref())?,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<VendDocument> {
        let vend = fulfilment.vend()?;
        Some(VendDocument {
            receipt_number: vend.receipt.clone(),
            debt: vend.debt.map(Into::into),
            outstanding: vend.outstanding.map(Into::into),
            last_purchase_at: vend.last_purchase.map(Into::into),
            last_paid: vend.last_paid.map(Into::into),
            token: vend.token.as_ref().map(Into::into),
        })
    }

    fn read_receipt(
        document: Option<VendDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        let token = document.token.as_ref().map(TokenDocument::token);
        Ok(Some(Fulfilment::Electricity(Vend {
            receipt: document.receipt_number,
            debt: optional(document.debt.as_ref(), "receipt.debt")?,
            outstanding: optional(document.outstanding.as_ref(), "receipt.outstanding")?,
            last_purchase: document.last_purchase_at.map(Into::into),
            last_paid: optional(document.last_paid.as_ref(), "receipt.lastPaid")?,
            token: token.transpose()?,
        })))
    }
}
