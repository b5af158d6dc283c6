//! Data bundles in the protocol. The plan must be named by its code; its name is for people.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, NoDetails, OrderContext};
use domain::internet::DataOrder;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BundleOrderDocument {
    operator: String,
    operator_name: String,
    number: String,
    plan: BundlePlanDocument,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BundlePlanDocument {
    code: String,
    name: String,
    validity_days: u16,
}

pub(crate) struct InternetDocuments;

impl FamilyDocuments for InternetDocuments {
    type Order = DataOrder;
    type OrderDocument = BundleOrderDocument;
    type ReceiptDocument = NoDetails;

    fn order(order: &DataOrder) -> BundleOrderDocument {
        BundleOrderDocument {
            operator: order.provider.as_str().to_owned(),
            operator_name: order.brandname.clone(),
            number: order.number.digits().to_owned(),
            plan: BundlePlanDocument {
                code: order.plan.as_str().to_owned(),
                name: order.name.clone(),
                validity_days: order.validity_days,
            },
        }
    }

    fn read_order(
        document: BundleOrderDocument,
        ordered: OrderContext,
    ) -> Result<DataOrder, DocumentError> {
        Ok(DataOrder {
            provider: valid(BillerCode::parse(&document.operator), "order.operator")?,
            brandname: document.operator_name,
            plan: valid(PlanCode::parse(&document.plan.code), "order.plan.code")?,
            name: document.plan.name,
            validity_days: document.plan.validity_days,
            number: valid(PhoneNumber::parse(&document.number), "order.number")?,
            amount: ordered.amount,
        })
    }

    fn receipt(_: &Fulfilment) -> Option<NoDetails> {
        None
    }

    fn read_receipt(_: Option<NoDetails>, _: Service) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(Some(Fulfilment::Internet))
    }
}
