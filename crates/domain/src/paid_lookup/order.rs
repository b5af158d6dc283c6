//! A lookup as ordered, frozen as it was priced: names and labels included, so that an old one is
//! shown without the catalogue.

use super::category::LookupCategory;
use super::consent::ConsentReference;
use super::definition::{LookupCode, LookupDefinition};
use super::findings::LookupFindings;
use crate::country::CountryCode;
use crate::family::{FamilyOrder, Fulfilment, Service};
use crate::labelled_value::LabelledValue;
use crate::money::Money;
use crate::reference::MerchantReference;
use std::fmt;

/// A lookup as asked for, every value read by its definition.
#[derive(Clone, PartialEq, Eq)]
pub struct PaidLookupQuery {
    /// The merchant's reference; a lookup under one is paid for once, however often it is asked.
    pub reference: Option<MerchantReference>,
    /// Which lookup.
    pub definition: LookupDefinition,
    /// The number that it is about.
    pub number: String,
    /// What else it asks for, with its labels.
    pub values: Vec<LabelledValue>,
    /// The consent of the person.
    pub consent: Option<ConsentReference>,
}

/// A lookup that a provider has to be asked for.
#[derive(Clone, PartialEq, Eq)]
pub struct LookupOrder {
    /// What is looked up.
    pub category: LookupCategory,
    /// Which lookup.
    pub code: LookupCode,
    /// Its name.
    pub name: String,
    /// The country whose records are asked.
    pub country: CountryCode,
    /// The number that it is about.
    pub number: String,
    /// What else was asked for, with its labels.
    pub values: Vec<LabelledValue>,
    /// The consent of the person; `None` where none was sent.
    pub consent: Option<ConsentReference>,
    /// What it costs, greater than zero.
    pub amount: Money,
}

/// Who is looked up is not shown in logs.
impl fmt::Debug for PaidLookupQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PaidLookupQuery({})", self.definition.code)
    }
}

/// Who is looked up is not shown in logs.
impl fmt::Debug for LookupOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LookupOrder({}, {})", self.code, self.amount)
    }
}

impl FamilyOrder for LookupOrder {
    const PRODUCTS: &'static [&'static str] = &["<lookup>"];

    /// The number and what it is looked up with.
    const IS_CONFIDENTIAL: bool = true;

    fn service(&self) -> Service {
        Service::Lookup(self.category)
    }

    fn amount(&self) -> Money {
        self.amount
    }

    /// A statement has more readers than a lookup about a person.
    fn narration(&self) -> String {
        self.name.clone()
    }

    fn digits(&self) -> &str {
        &self.number
    }

    fn biller(&self) -> Option<&str> {
        Some(self.code.as_str())
    }

    fn country(&self) -> Option<CountryCode> {
        Some(self.country)
    }

    /// Lists of transactions have more readers than a lookup about a person.
    fn listed_number(&self) -> Option<&str> {
        None
    }

    /// A device is somewhere, and a record has values.
    fn agrees_with(&self, fulfilment: &Fulfilment) -> bool {
        let findings = fulfilment.lookup_findings();
        findings.is_none_or(|findings| {
            let is_of_category = match self.category {
                LookupCategory::Record => findings.location.is_none(),
                LookupCategory::Device => findings.values.is_empty(),
            };
            findings.category == self.category && is_of_category
        })
    }

    fn is_completed_by(&self, fulfilment: &Fulfilment) -> bool {
        let findings = fulfilment.lookup_findings();
        findings.is_some_and(|findings| findings.category == self.category)
    }

    fn fulfilment_without_details(&self) -> Option<Fulfilment> {
        let findings = LookupFindings::unavailable(self.category);
        Some(Fulfilment::Lookup(findings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geolocation::device::GeoPoint;
    use crate::money::Currency;
    use crate::paid_lookup::DevicePosition;
    use crate::time::Timestamp;

    fn order(category: LookupCategory) -> LookupOrder {
        LookupOrder {
            category,
            code: LookupCode::parse("identity-record").unwrap(),
            name: "Identity record".to_owned(),
            country: CountryCode::NIGERIA,
            number: "74930158264".to_owned(),
            values: Vec::new(),
            consent: ConsentReference::parse("consent-1").ok(),
            amount: Money::from_minor(7_500, Currency::Ngn),
        }
    }

    fn findings(category: LookupCategory, values: usize, has_location: bool) -> Fulfilment {
        let value = LabelledValue {
            name: "status".to_owned(),
            label: "Status".to_owned(),
            value: "active".to_owned(),
        };
        let at = GeoPoint::from_micros(6_455_027, 3_384_000).filter(|_| has_location);
        Fulfilment::Lookup(LookupFindings {
            category,
            values: vec![value; values],
            location: at.map(|at| DevicePosition {
                at,
                accuracy: 350,
                located_at: Timestamp::from_millis(0),
            }),
        })
    }

    #[test]
    fn a_record_has_values_and_a_device_a_position() {
        let (record, device) = (LookupCategory::Record, LookupCategory::Device);
        for (of, found, agrees) in [
            (record, findings(record, 1, false), true),
            (record, findings(record, 1, true), false),
            (record, findings(record, 0, true), false),
            (record, findings(device, 1, false), false),
            (device, findings(device, 0, true), true),
            (device, findings(device, 1, true), false),
            (device, findings(device, 1, false), false),
            (device, findings(record, 0, true), false),
        ] {
            assert_eq!(order(of).agrees_with(&found), agrees, "{of:?} {found:?}");
        }
        assert!(order(record).is_completed_by(&findings(record, 1, false)));
        assert!(!order(record).is_completed_by(&findings(device, 1, false)));
        assert!(!order(record).is_completed_by(&Fulfilment::Airtime));
    }

    #[test]
    fn who_is_looked_up_is_neither_listed_nor_narrated_nor_logged() {
        let order = order(LookupCategory::Record);
        assert_eq!(order.listed_number(), None);
        let shown = format!("{order:?} {}", order.narration());
        assert!(
            !shown.contains("74930158264") && !shown.contains("consent-1"),
            "{shown}"
        );
    }
}
