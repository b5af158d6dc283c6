//! Lookups of mobile numbers in the protocol. What the register did not report must be left out.

use crate::document::{DocumentError, valid};
use crate::family::{FamilyDocuments, OrderContext};
use domain::country::CountryCode;
use domain::hlr::{HlrOrder, HlrReport, HlrStatus};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::Fulfilment;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NumberOrderDocument {
    number: String,
    country: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    original_operator: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NumberReportDocument {
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    live: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ported: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roaming: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    current_operator: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mcc: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mnc: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roaming_country: Option<String>,
}

pub(crate) struct HlrDocuments;

impl FamilyDocuments for HlrDocuments {
    type Order = HlrOrder;
    type OrderDocument = NumberOrderDocument;
    type ReceiptDocument = NumberReportDocument;

    fn order(order: &HlrOrder) -> NumberOrderDocument {
        NumberOrderDocument {
            number: order.number.digits().to_owned(),
            country: order.country.to_string(),
            original_operator: order.network_origin.clone(),
        }
    }

    fn read_order(
        document: NumberOrderDocument,
        ordered: OrderContext,
    ) -> Result<HlrOrder, DocumentError> {
        Ok(HlrOrder {
            number: valid(PhoneNumber::parse(&document.number), "order.number")?,
            country: valid(CountryCode::parse(&document.country), "order.country")?,
            network_origin: document.original_operator,
            amount: ordered.amount,
        })
    }

    fn receipt(fulfilment: &Fulfilment) -> Option<NumberReportDocument> {
        let report = fulfilment.hlr_report()?;
        Some(NumberReportDocument {
            status: report.status.code().to_owned(),
            live: report.live,
            ported: report.ported,
            roaming: report.roaming,
            current_operator: report.network_current.clone(),
            mcc: report.mcc.clone(),
            mnc: report.mnc.clone(),
            roaming_country: report.roaming_country.map(|country| country.to_string()),
        })
    }

    fn read_receipt(
        document: Option<NumberReportDocument>,
        _: Service,
    ) -> Result<Option<Fulfilment>, DocumentError> {
        let Some(document) = document else {
            return Ok(None);
        };
        let country = document.roaming_country.as_deref().map(CountryCode::parse);
        // A word that is not listed says no more than that there was no answer.
        let status = HlrStatus::from_code(&document.status).unwrap_or(HlrStatus::Failed);
        Ok(Some(Fulfilment::Hlr(HlrReport {
            status,
            live: document.live,
            ported: document.ported,
            roaming: document.roaming,
            network_current: document.current_operator,
            mcc: document.mcc,
            mnc: document.mnc,
            roaming_country: valid(country.transpose(), "receipt.roamingCountry")?,
        })))
    }
}
