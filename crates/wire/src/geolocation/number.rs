//! `GET /geolocation/device` by the number of the device. It must not show where a device is to any
//! but the account that paid for it.

use super::circle::{self, Circle};
use super::device::{DeviceView, IdentifiedDevice};
use crate::attribute::{CELLS, CONSENT, COUNTRY, MAX_AGE, PHONE, REFERENCE, WIFI};
use crate::attributes::Attributes;
use crate::country;
use crate::format;
use crate::paid_lookup::{ShownLookup, price};
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::geolocation::device::{DeviceLocation, LocationSource};
use domain::labelled_value::LabelledValue;
use domain::order::Order;
use domain::paid_lookup::{ConsentReference, LookupDefinition, LookupOrder, PaidLookupQuery};
use domain::reference::MerchantReference;
use domain::transaction::Transaction;

/// Where devices are located.
pub const PATH: &str = "/geolocation/device";

/// The oldest position that may be asked for, in seconds: a day.
pub const MAX_AGE_S: u64 = 86_400;

/// The message for what a device receives where its number was sent.
const NOT_BESIDE_A_NUMBER: &str =
    "must not be sent beside number; send the number, or what the device receives";

/// A device that is located by its number, and the circle that it is expected in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceByNumber {
    pub query: PaidLookupQuery,
    pub circle: Option<Circle>,
}

/// The result of an earlier location, and the circle that the device is expected in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationReportRequest {
    pub reference: MerchantReference,
    pub circle: Option<Circle>,
}

/// Whether a request names the number of a device.
pub fn is_named(attributes: &Attributes) -> bool {
    [PHONE.name, CONSENT.name, COUNTRY.name, MAX_AGE.name]
        .iter()
        .any(|name| attributes.get(name).is_some())
}

/// Whether a request names an earlier location alone.
pub fn is_report(attributes: &Attributes) -> bool {
    let has = |name| attributes.get(name).is_some();
    has(REFERENCE.name) && !has(WIFI.name) && !has(CELLS.name) && !is_named(attributes)
}

/// Reads which device is located; `definition` is the lookup that does so.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    definition: LookupDefinition,
) -> Result<DeviceByNumber, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let country = reader.country();
    if country.is_ok_and(|country| country != definition.country) {
        let served = country.map_or_else(|_| String::new(), country::not_served);
        reader.object(&COUNTRY, &served);
    }
    let number = reader.phone();
    let age = reader.integer(&MAX_AGE, 1..=MAX_AGE_S);
    let consent = reader.optional(&CONSENT, ConsentReference::parse);
    let reference = reader.optional(&REFERENCE, MerchantReference::parse);
    let excluded = [&WIFI, &CELLS].map(|it| reader.refuse_sent(it, NOT_BESIDE_A_NUMBER));
    let circle = circle::read(&mut reader);
    reader.finish(|| {
        let [wifi, cells] = excluded;
        wifi?;
        cells?;
        country?;
        let values = value_of_age(&definition, age?);
        Ok(DeviceByNumber {
            query: PaidLookupQuery {
                reference: reference?,
                number: number?.digits().to_owned(),
                values,
                consent: consent?,
                definition,
            },
            circle: circle?,
        })
    })
}

/// Reads which earlier location is asked for.
pub fn parse_report(
    attributes: &Attributes,
    handling: Handling,
) -> Result<LocationReportRequest, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let circle = circle::read(&mut reader);
    reader.finish(|| {
        Ok(LocationReportRequest {
            reference: reference?,
            circle: circle?,
        })
    })
}

fn value_of_age(definition: &LookupDefinition, age: Option<u64>) -> Vec<LabelledValue> {
    let asked = definition
        .parameters
        .iter()
        .find(|it| it.name == MAX_AGE.name);
    let value = asked.zip(age).map(|(parameter, age)| LabelledValue {
        name: parameter.name.clone(),
        label: parameter.label.clone(),
        value: age.to_string(),
    });
    value.into_iter().collect()
}

/// A location by number, with the circle that the device is expected in.
pub fn located(transaction: &Transaction, circle: Option<Circle>, zone: &Zone) -> Object {
    let Order::Lookup(order) = &transaction.order else {
        return crate::transaction::report(transaction, zone);
    };
    view(transaction, order, circle, zone)
}

/// Where the device was, once the provider has reported it.
pub(crate) fn view(
    transaction: &Transaction,
    order: &LookupOrder,
    circle: Option<Circle>,
    zone: &Zone,
) -> Object {
    let gateway = format::gateway_status(transaction.gateway_status());
    let outcome = ShownLookup::of(transaction, order);
    let fix = outcome.findings().and_then(|it| it.location);
    let location = fix.map(|fix| DeviceLocation {
        at: fix.at,
        accuracy: fix.accuracy,
        source: LocationSource::Network,
    });
    let shown = DeviceView {
        device: Some(IdentifiedDevice {
            order,
            status: outcome.word(),
        }),
        location: location.zip(fix.map(|fix| fix.located_at)),
        circle,
        price: price(transaction),
    };
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .and(shown.fields(zone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, in_every_state, lagos, query};
    use domain::paid_lookup::LookupCategory;
    use testkit::builders::{lookup_definition, paid_lookup};

    fn read(text: &str) -> Result<DeviceByNumber, Violations> {
        let definition = lookup_definition(LookupCategory::Device);
        parse(&query(text), Handling::Strict, definition)
    }

    #[test]
    fn a_device_is_located_by_its_number_and_the_consent_of_the_person() {
        let text = "countryCode=566&number=2348031234567&cnsReference=c-1&maxAge=60\
                    &mrcReference=look-1&locationLatitude=6.5&locationLongitude=3.4&radius=100";
        let asked = read(text).unwrap();
        assert_eq!(asked.query.number, "2348031234567");
        assert_eq!(asked.query.values[0].value, "60");
        assert_eq!(asked.circle.unwrap().1, 100);
        assert!(is_named(&query(text)) && !is_report(&query(text)));
        assert!(is_report(&query("mrcReference=look-1&radius=1")));
        assert!(!is_report(&query("mrcReference=look-1&cells=1,1,1,1")));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        for wrong in [
            "number=0803",
            "countryCode=288&number=2348031234567&maxAge=0&wifi=x&radius=5",
            "countryCode=566&number=2348031234567&cnsReference=&mrcReference=a%20b",
        ] {
            insta::assert_snapshot!(faults(read(wrong)));
        }
    }

    #[test]
    fn a_location_is_shown_in_every_state() {
        let zone = lagos();
        let opened = paid_lookup(LookupCategory::Device).transaction();
        let middle = domain::geolocation::device::GeoPoint::from_micros(6_455_027, 3_384_000);
        let circle = middle.map(|middle| (middle, 10_000));
        let shown = in_every_state(&opened, |tx| located(tx, circle, &zone));
        insta::assert_snapshot!("device", shown);
    }
}
