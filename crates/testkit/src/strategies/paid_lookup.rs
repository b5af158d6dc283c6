//! Lookups that are sold by name.

use super::orders::{countries, moments, sums, words};
use domain::geolocation::device::GeoPoint;
use domain::labelled_value::LabelledValue;
use domain::paid_lookup::{
    ConsentReference, DevicePosition, LookupCategory, LookupCode, LookupFindings, LookupOrder,
};
use proptest::prelude::*;

/// A lookup of any category.
pub fn lookup_orders() -> impl Strategy<Value = LookupOrder> {
    let named = (
        "[a-z][a-z0-9-]{2,39}",
        "[A-Za-z][A-Za-z0-9 'é-]{0,40}[a-z]",
        countries(),
    );
    let consent = proptest::option::of("[A-Za-z0-9._:-]{1,64}");
    let asked = ("[A-Za-z0-9-]{4,15}", values(), consent);
    (categories(), named, asked, sums())
        .prop_map(|(category, named, asked, amount)| {
            let (code, name, country) = named;
            let (number, values, consent) = asked;
            let consent = consent.map(|it| ConsentReference::parse(&it).expect("a reference"));
            LookupOrder {
                category,
                code: LookupCode::parse(&code).expect("an identity"),
                name,
                country,
                number,
                values,
                consent,
                amount,
            }
        })
        .boxed()
}

/// What a lookup may find, sensible or not, of any category.
pub fn lookup_findings() -> impl Strategy<Value = LookupFindings> {
    let degrees = (-90_000_000..=90_000_000, -180_000_000..=180_000_000);
    let fix = (degrees, any::<u32>(), moments());
    let fix = fix.prop_map(
        |((latitude, longitude), accuracy, located_at)| DevicePosition {
            at: GeoPoint::from_micros(latitude, longitude).expect("a point"),
            accuracy,
            located_at,
        },
    );
    (categories(), values(), proptest::option::of(fix))
        .prop_map(|(category, values, location)| LookupFindings {
            category,
            values,
            location,
        })
        .boxed()
}

fn categories() -> impl Strategy<Value = LookupCategory> {
    proptest::sample::select(&LookupCategory::ALL[..])
}

fn values() -> impl Strategy<Value = Vec<LabelledValue>> {
    let value = ("[a-z][A-Za-z0-9]{0,39}", words(), words());
    let value = value.prop_map(|(name, label, value)| LabelledValue { name, label, value });
    proptest::collection::vec(value, 0..=3)
}
