//! Cable TV in the protocol. Without a plan an amount is credited to the card; a plan must never
//! be guessed from the amount.

use crate::document::{DocumentError, customer_phone, valid};
use crate::family::{FamilyDocuments, NoDetails, OrderContext};
use domain::cabletv::{CableOrder, SmartcardNumber, Subscription};
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CableTvOrderDocument {
    biller: String,
    biller_name: String,
    number: String,
    customer_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plan: Option<PeriodPlanDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_phone: Option<String>,
}

/// A plan that is bought for so many periods.
#[derive(Serialize, Deserialize)]
pub(crate) struct PeriodPlanDocument {
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) periods: u8,
}

pub(crate) struct CableTvDocuments;

impl FamilyDocuments for CableTvDocuments {
    type Order = CableOrder;
    type OrderDocument = CableTvOrderDocument;
    type ReceiptDocument = NoDetails;

    fn order(order: &CableOrder) -> CableTvOrderDocument {
        let plan = |bought: &Subscription| PeriodPlanDocument {
            code: bought.plan.as_str().to_owned(),
            name: bought.name.clone(),
            periods: bought.duration,
        };
        CableTvOrderDocument {
            biller: order.provider.as_str().to_owned(),
            biller_name: order.brandname.clone(),
            number: order.number.digits().to_owned(),
            customer_name: order.customer_name.clone(),
            plan: order.subscription.as_ref().map(plan),
            customer_phone: order.customer_phone.as_ref().map(ToString::to_string),
        }
    }

    fn read_order(
        document: CableTvOrderDocument,
        ordered: OrderContext,
    ) -> Result<CableOrder, DocumentError> {
        let bought = |plan: PeriodPlanDocument| {
            Ok(Subscription {
                plan: valid(PlanCode::parse(&plan.code), "order.plan.code")?,
                name: plan.name,
                duration: plan.periods,
            })
        };
        Ok(CableOrder {
            provider: valid(BillerCode::parse(&document.biller), "order.biller")?,
            brandname: document.biller_name,
            number: valid(SmartcardNumber::parse(&document.number), "order.number")?,
            customer_name: document.customer_name,
            subscription: document.plan.map(bought).transpose()?,
            amount: ordered.amount,
            customer_phone: customer_phone(document.customer_phone.as_deref())?,
        })
    }

    fn receipt(_: &Fulfilment) -> Option<NoDetails> {
        None
    }

    fn read_receipt(_: Option<NoDetails>, _: Service) -> Result<Option<Fulfilment>, DocumentError> {
        Ok(Some(Fulfilment::CableTv))
    }
}
