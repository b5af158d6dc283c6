//! Lookups that are sold by name.

use super::{PurchaseBuilder, START, naira};
use domain::country::CountryCode;
use domain::geolocation::device::GeoPoint;
use domain::labelled_value::LabelledValue;
use domain::order::Order;
use domain::paid_lookup::{
    ConsentReference, DevicePosition, LookupCategory, LookupCode, LookupDefinition, LookupFindings,
    LookupOrder, LookupTexts, ParameterTexts,
};

/// A lookup of a category for 15.00 or 20.00 with the consent of the person, ordered like
/// [`super::airtime`].
pub fn paid_lookup(category: LookupCategory) -> PurchaseBuilder {
    let definition = lookup_definition(category);
    let order = LookupOrder {
        category,
        code: definition.code,
        name: definition.name,
        country: CountryCode::NIGERIA,
        number: "2348031234567".to_owned(),
        values: Vec::new(),
        consent: Some(consent("consent-2026-1")),
        amount: naira(match category {
            LookupCategory::Record => "15.00",
            LookupCategory::Device => "20.00",
        }),
    };
    PurchaseBuilder::of_product(Order::Lookup(order)).terms("0", "20", "0.00")
}

/// A record about a company, which needs no consent, with a value beside its number.
pub fn company_lookup() -> PurchaseBuilder {
    let order = LookupOrder {
        category: LookupCategory::Record,
        code: LookupCode::parse("company-record").expect("an identity"),
        name: "Company record".to_owned(),
        country: CountryCode::NIGERIA,
        number: "RC123456".to_owned(),
        values: vec![LabelledValue {
            name: "state".to_owned(),
            label: "State of registration".to_owned(),
            value: "Lagos".to_owned(),
        }],
        consent: None,
        amount: naira("100.00"),
    };
    PurchaseBuilder::of_product(Order::Lookup(order)).terms("0", "20", "0.00")
}

/// A lookup about a person, as a catalogue lists it: `sim-age`, or `location` of devices. It takes
/// a value of up to five digits beside the number.
pub fn lookup_definition(category: LookupCategory) -> LookupDefinition {
    let (code, name, parameter, label) = match category {
        LookupCategory::Record => ("sim-age", "Age of a SIM", "days", "Days that are counted"),
        LookupCategory::Device => (
            "location",
            "Device location",
            "maxAge",
            "Oldest position, in seconds",
        ),
    };
    let texts = LookupTexts {
        code,
        name,
        about: "What is known of a mobile number.",
        country: "566",
        number_label: "Mobile number",
        number_form: "phone",
        needs_consent: true,
    };
    let parameter = ParameterTexts {
        name: parameter,
        label,
        form: "digits 1-5",
        required: false,
    };
    LookupDefinition::read(category, &texts, &[parameter]).expect("a definition")
}

/// What completes a lookup of a category.
pub fn lookup_findings(category: LookupCategory) -> LookupFindings {
    let nothing = LookupFindings::unavailable(category);
    match category {
        LookupCategory::Record => LookupFindings {
            values: vec![LabelledValue {
                name: "simActivated".to_owned(),
                label: "SIM activated".to_owned(),
                value: "14-03-2021".to_owned(),
            }],
            ..nothing
        },
        LookupCategory::Device => LookupFindings {
            location: Some(DevicePosition {
                at: GeoPoint::from_micros(6_455_027, 3_384_000).expect("a point"),
                accuracy: 350,
                located_at: START,
            }),
            ..nothing
        },
    }
}

/// The reference of a consent.
pub fn consent(text: &str) -> ConsentReference {
    ConsentReference::parse(text).expect("a reference of a consent")
}
