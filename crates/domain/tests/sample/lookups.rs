//! Lookups of numbers, and what they find.

use super::{AMOUNT, naira, phone};
use domain::country::CountryCode;
use domain::hlr::{HlrOrder, HlrReport, HlrStatus};
use domain::labelled_value::LabelledValue;
use domain::order::Order;
use domain::paid_lookup::{
    ConsentReference, LookupCategory, LookupCode, LookupFindings, LookupOrder,
};

pub(super) fn hlr() -> Order {
    Order::Hlr(HlrOrder {
        number: phone(),
        country: CountryCode::NIGERIA,
        network_origin: None,
        amount: naira(AMOUNT),
    })
}

pub(super) fn record() -> Order {
    Order::Lookup(LookupOrder {
        category: LookupCategory::Record,
        code: LookupCode::parse("sim-age").unwrap(),
        name: "Age of a SIM".to_owned(),
        country: CountryCode::NIGERIA,
        number: phone().digits().to_owned(),
        values: Vec::new(),
        consent: Some(ConsentReference::parse("consent-1").unwrap()),
        amount: naira(AMOUNT),
    })
}

pub(super) fn report() -> HlrReport {
    HlrReport {
        status: HlrStatus::Ok,
        live: Some(true),
        ported: None,
        roaming: None,
        network_current: None,
        mcc: None,
        mnc: None,
        roaming_country: None,
    }
}

/// What completes a lookup of a category.
pub(super) fn findings(category: LookupCategory) -> LookupFindings {
    LookupFindings {
        values: vec![LabelledValue {
            name: "activated".to_owned(),
            label: "SIM activated".to_owned(),
            value: "01-02-2020".to_owned(),
        }],
        ..LookupFindings::unavailable(category)
    }
}
