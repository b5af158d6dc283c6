//! Bills of every category in the protocol. The category is the service of the request, so it must
//! not stand in the order as well.

use crate::amount::Amount;
use crate::cabletv::PeriodPlanDocument;
use crate::document::{DocumentError, customer_phone, valid, word};
use crate::family::{FamilyDocuments, OrderContext};
use crate::lookup::LabelledValueDocument;
use crate::token::TokenDocument;
use domain::bill::{BillCategory, BillNumber, BillOrder, BillReceipt, BoughtPlan};
use domain::billing::Billing;
use domain::order::Service;
use domain::provider::Fulfilment;
use domain::subscription::{BillerCode, PlanCode};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BillOrderDocument {
    biller: String,
    biller_name: String,
    number: String,
    #[serde(default)]
    fields: Vec<LabelledValueDocument>,
    customer_name: String,
    billing: String,
    debt: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bill_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plan: Option<PeriodPlanDocument>,
    takes_token: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    customer_phone: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BillReceiptDocument {
    receipt_number: String,
    outstanding: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<TokenDocument>,
}

pub(crate) struct BillDocuments;

impl FamilyDocuments for BillDocuments {
    type Order = BillOrder;
    type OrderDocument = BillOrderDocument;
    type ReceiptDocument = BillReceiptDocument;

    fn order(order: &BillOrder) -> BillOrderDocument {
        let plan = |plan: &BoughtPlan| PeriodPlanDocument {
            code: plan.code.as_str().to_owned(),
            name: plan.name.clone(),
            periods: plan.duration,
        };
        BillOrderDocument {
            biller: order.biller.as_str().to_owned(),
            biller_name: order.brandname.clone(),
            number: order.number.digits().to_owned(),
            fields: order.fields.iter().map(Into::into).collect(),
            customer_name: order.customer_name.clone(),
            billing: order.billing.code().to_owned(),
            debt: order.debt.into(),
            bill_reference: order.bill_reference.clone(),
            plan: order.plan.as_ref().map(plan),
            takes_token: order.has_token,
            customer_phone: order.customer_phone.as_ref().map(ToString::to_string),
        }
    }

    fn read_order(
        document: BillOrderDocument,
        ordered: OrderContext,
    ) -> Result<BillOrder, DocumentError> {
        let bought = |plan: PeriodPlanDocument| {
            Ok(BoughtPlan {
                code: valid(PlanCode::parse(&plan.code), "order.plan.code")?,
                name: plan.name,
                duration: plan.periods,
            })
        };
        Ok(BillOrder {
            category: category(ordered.service)?,
            biller: valid(BillerCode::parse(&document.biller), "order.biller")?,
            brandname: document.biller_name,
            number: valid(BillNumber::restore(&document.number), "order.number")?,
            fields: document.fields.into_iter().map(Into::into).collect(),
            customer_name: document.customer_name,
            billing: word(Billing::from_code(&document.billing), "order.billing")?,
            debt: document.debt.money("order.debt")?,
            bill_reference: document.bill_reference,
            plan: document.plan.map(bought).transpose()?,
            has_token: document.takes_token,
            amount: ordered.amount,
            customer_phone: customer_phone(document.customer_phone.as_deref())?,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<BillReceiptDocument> {
        let receipt = fulfilment.bill_receipt()?;
        Some(BillReceiptDocument {
            receipt_number: receipt.receipt.clone(),
            outstanding: receipt.outstanding.into(),
            token: receipt.token.as_ref().map(Into::into),
        })
    }

    fn read_receipt(
        document: Option<BillReceiptDocument>,
        service: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        let token = document.token.as_ref().map(TokenDocument::token);
        Ok(Some(Fulfilment::Bill(BillReceipt {
            category: category(service)?,
            receipt: document.receipt_number,
            outstanding: document.outstanding.money("receipt.outstanding")?,
            token: token.transpose()?,
        })))
    }
}

fn category(service: Service) -> Result<BillCategory, DocumentError> {
    if let Service::Bill(category) = service {
        Ok(category)
    } else {
        word(None, "service")
    }
}
