//! Airtime in the protocol. The number must stand in international format.

use crate::document::{DocumentError, valid, word};
use crate::family::{FamilyDocuments, NoDetails, OrderContext};
use domain::airtime::AirtimeOrder;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AirtimeOrderDocument {
    number: String,
    country: String,
    operator: String,
    operator_name: String,
    billing: String,
}

pub(crate) struct AirtimeDocuments;

impl FamilyDocuments for AirtimeDocuments {
    type Order = AirtimeOrder;
    type OrderDocument = AirtimeOrderDocument;
    type ReceiptDocument = NoDetails;

    fn order(order: &AirtimeOrder) -> AirtimeOrderDocument {
        AirtimeOrderDocument {
            number: order.number.digits().to_owned(),
            country: order.country.to_string(),
            operator: order.network_code.clone(),
            operator_name: order.network_brandname.clone(),
            billing: order.billing.code().to_owned(),
        }
    }

    fn read_order(
        document: AirtimeOrderDocument,
        ordered: OrderContext,
    ) -> Result<AirtimeOrder, DocumentError> {
        Ok(AirtimeOrder {
            number: valid(PhoneNumber::parse(&document.number), "order.number")?,
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            network_code: document.operator,
            network_brandname: document.operator_name,
            billing: word(Billing::from_code(&document.billing), "order.billing")?,
            amount: ordered.amount,
        })
    }

    fn receipt(_: &Fulfilment) -> Option<NoDetails> {
        None
    }

    fn read_receipt(_: Option<NoDetails>, _: Service) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(Some(Fulfilment::Airtime))
    }
}
