//! Lookups of mobile numbers (interface §4.8). It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, optional, required};
use crate::states::{EventSchema, Sample, in_every_state, sample};
use domain::country::CountryCode;
use domain::money::Currency;
use testkit::builders::{self, phone};
use wire::attribute::{COUNTRY, PHONE, REFERENCE};
use wire::hlr::lookup::{NotMobileNumber, PhoneLine, not_mobile};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "hlr",
        name: "Number lookup",
        about: "Whether a mobile number is in use, its operator, and whether it was ported.",
        operations: vec![look_up()],
    }
}

/// The events of its transactions.
pub(super) fn event() -> EventSchema {
    EventSchema::of("NumberLookupEvent", "hlr", [builders::hlr()])
}

fn look_up() -> Operation {
    let path = "/vas/hlrlookup";
    Operation::get(path, "lookUpNumber", "Look a mobile number up")
        .detailed(
            "A lookup is paid for once per reference, however often it is asked for. A number \
             that is not mobile costs nothing. `countryCode` and `number` go together; a reference \
             alone, without them, asks for the report of an earlier lookup.",
        )
        .takes_as(
            "A number",
            [
                required(&COUNTRY, "566"),
                required(&PHONE, "2348031234567"),
                optional(&REFERENCE).such_as("lookup-1001"),
            ],
        )
        .takes_as("An earlier lookup", [required(&REFERENCE, "lookup-1001")])
        .pays("NumberLookup", in_every_state(builders::hlr()))
        .answers(
            "NumberLookup",
            vec![free("fixed line", PhoneLine::FixedLine), other(), invalid()],
        )
        .refused(&[404, 409, 422])
}

fn free(name: &'static str, line: PhoneLine) -> Sample {
    let number = phone("23412345678");
    let fields = not_mobile(&NotMobileNumber {
        reference: None,
        number: &number,
        country: CountryCode::NIGERIA,
        line,
        currency: Currency::Ngn,
    });
    let message = "The number is not a mobile one; no network was queried and nothing was charged.";
    sample(name, message, fields)
}

fn other() -> Sample {
    free("other line", PhoneLine::Other).unseen()
}

/// A number that does not exist, looked up under a reference, which stays unused.
fn invalid() -> Sample {
    let (number, reference) = (phone("23412345678"), builders::reference("lookup-1002"));
    let fields = not_mobile(&NotMobileNumber {
        reference: Some(&reference),
        number: &number,
        country: CountryCode::NIGERIA,
        line: PhoneLine::Invalid,
        currency: Currency::Ngn,
    });
    Sample {
        fields,
        ..free("no number", PhoneLine::Invalid).unseen()
    }
}
